"""A run of the rigid method: from a document to a trajectory and its evidence."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import Candidates, candidates
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.progress import doing, reached
from detent.foundation.units import unit_names
from detent.mechanics.tree import Tree, loop_tables, tree_of
from detent.model.machine.pushed.guided import friction_on_the_way, guide_words, guided_parts
from detent.model.machine.system import System, compile_system
from detent.motion.rigid import layout
from detent.motion.rigid.acting import (
    JointActions,
    actions_on,
    assumed,
    joints_left_out,
    refuse_beyond,
    refuse_open_loads,
    rubbing_event,
)
from detent.motion.rigid.advance import (
    CONTACT,
    FULL,
    IMPACT,
    NO_INERTIA,
    NO_SOLUTION,
    RUN_INTO,
    STUCK,
    WORK_ALONE,
    advance,
    begin,
)
from detent.motion.rigid.evidence.ending import RunEnding, at_contact
from detent.motion.rigid.evidence.forces_along import ForcesAlong
from detent.motion.rigid.evidence.jams import DriveJam, jam_at_end
from detent.motion.rigid.evidence.loads import held_by, loads_of, locking, wear_of
from detent.motion.rigid.evidence.log import at_start, closing, slides, taken
from detent.motion.rigid.layout import packed, view
from detent.motion.rigid.prepared import STEPS, TOUCH, prepared_tables
from detent.motion.rigid.rebounds import LOWEST
from detent.motion.running.along import MOST_KEPT, RunSteps
from detent.motion.running.beginning import pairs_in_each_other, start_with_drives
from detent.motion.running.driving import Driven, driven_of, pushed
from detent.motion.running.minima import energy_minima
from detent.motion.running.starting import refuse_unsound, start_of
from detent.numeric.contact_problem import MOST_TRIED
from detent.record.event import Event, EventKind
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.rigid.layout import Blocks
    from detent.motion.running.loads import Boundless, RunLoads
    from detent.motion.running.wear import ContactWear
    from detent.numeric.kernels import Speed

    Floats = NDArray[np.float64]

ROWS = 600  # of a trajectory, unless more are asked for
_MOST_LOGS, _MOST_RESTARTED = 500, 8  # that a run keeps, and one that is restarted, to look what follows
_WORK = 1e7  # elementary steps of a run, at least
# A run that takes so many logs for less than that share of its time is given up.
_VAIN_LOGS, _VAIN_SHARE = 10, 1e-5
_KINDS: dict[int, EventKind] = {IMPACT: "impact", CONTACT: "contact"}


@dataclass(frozen=True, eq=False)
class RigidRun:
    """The method's own data: steps, events, and how it ended."""

    tree: Tree
    possible: Candidates
    driven: Driven
    actions: JointActions
    tables: dict[int, Any]  # as it began
    blocks: Blocks
    accuracy: float
    until: float
    code: int
    steps: Floats  # (S, 3): when each began, its length before it was cut, the share of that that counts
    points: Floats  # (S, 6, m)
    touching: NDArray[np.int64]  # (S, C): candidates that acted, -1 behind the last
    sliding: Floats  # (S, C)
    happened: Floats  # (E, 7): columns of `layout`
    rejected: int  # steps tried in vain
    closing: tuple[int, ...]  # what touched when it ended, what would close fastest without forces first
    jam: DriveJam | None  # what leaves drives no way on where it ended
    speed_ran: Speed

    @property
    def system(self) -> System:
        return self.tree.system

    @cached_property
    def along(self) -> RunSteps:
        """Its steps, to be read at any times."""
        return RunSteps(self.tree, self.steps, self.points)

    @cached_property
    def energy_minima(self) -> tuple[float, ...]:
        """When the machine comes nearly to rest."""
        return energy_minima(self.along)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What begins and ends to touch, and impacts with their impulses."""
        rows = [row for row in self.happened if row[layout.KIND] != WORK_ALONE]
        touched = [self._event(row) for row in rows if row[layout.CANDIDATE] < self._rubbing]
        return tuple(
            sorted(
                [*touched, *self._slides(), *self._ending.events(self.along.end, self.touching[-1])],
                key=lambda event: event.time,
            )
        )

    @property
    def _rubbing(self) -> int:
        """The number from which on what touches is a joint that rubs."""
        return len(self.possible) + len(self.actions.stops)

    @property
    def _ending(self) -> RunEnding:
        tried = (self.touching[-1] >= 0).sum() <= MOST_TRIED
        return RunEnding(
            self.system, self.possible, self.actions, self.code, len(self.steps), self.closing, self.jam,
            tried, self.jam is None and self.boundless is not None,
        )  # fmt: skip

    def _slides(self) -> Iterator[Event]:
        """Where contacts that go on touching begin to slide, stop, or slide back, at begins of steps."""
        for time, kind, candidate in slides(self.steps, self.touching, self.sliding):
            if candidate >= self._rubbing:
                yield rubbing_event(self.actions, candidate - self._rubbing, kind, time)
            else:
                yield at_contact(self.system, self.possible, time, kind, candidate)

    def _event(self, row: Floats) -> Event:
        kind, candidate = _KINDS.get(int(row[layout.KIND]), "release"), int(row[layout.CANDIDATE])
        impulse = float(row[layout.NORMAL]) if kind == "impact" else None
        if candidate >= len(self.possible):
            stop = self.actions.stops[candidate - len(self.possible)]
            return stop.event(float(row[layout.TIME]), impulse, ends=kind == "release")
        return at_contact(self.system, self.possible, float(row[layout.TIME]), kind, candidate, impulse)

    @property
    def scope(self) -> Scope:
        """What the run holds for."""
        return Scope(
            certainty="computed",
            covers=f"the motion to a relative accuracy of {self.accuracy:g} per step; "
            "no contact is stepped over",
            left_out=(
                *joints_left_out(self.tree, self.actions),
                *friction_on_the_way(self.system.mechanism, (event.subjects for event in self.events)),
                "elasticity of parts",
            ),
            assumed=(*self.notes, *guide_words(guided_parts(self.system.mechanism)), *self._too_low),
        )

    def again(self) -> RigidRun:
        """The same run once more: of a machine that is prepared, stepping alone."""
        return _run(self.tree, self.possible, self.driven, self.actions, self.tables, self.accuracy)

    def restarted(
        self, since: float, y: Floats, v: Floats, until: float, accuracy: float | None = None
    ) -> RigidRun:
        """The same machine from coordinates and speeds, its drives as at a time; its own time begins at 0."""
        accuracy = self.accuracy if accuracy is None else accuracy
        loops, driven = loop_tables(self.tree), self.driven.later(since)
        actions = actions_on(self.tree, loops, driven)
        tables = prepared_tables(self.tree, self.possible, loops, actions, (y, v), accuracy, until)
        tables[layout.MOTION][layout.GREATEST] = view(self.blocks, layout.MOTION)[layout.GREATEST]
        return _run(self.tree, self.possible, driven, actions, tables, accuracy, _MOST_RESTARTED)

    @property
    def _too_low(self) -> tuple[str, ...]:
        """What was taken as no rebound."""
        if not view(self.blocks, layout.RUB)[:, layout.RESTITUTION].any():
            return ()
        units = self.system.mechanism.units
        height = LOWEST * TOUCH * self.system.size / self.system.metres_per_unit
        return (
            f"rebounds that would rise less than {height:.2g}{unit_names(units).length} are taken as none",
        )

    @cached_property
    def forces(self) -> ForcesAlong:
        """Its forces, solved for at any times."""
        return ForcesAlong(self.blocks, self.steps, self.points, self.touching, self.sliding)

    def loads(self, times: Floats) -> RunLoads:
        """Forces of contacts and joints at times in order."""
        return loads_of(
            self.tree, self.possible, self.forces, self.actions, self.driven, times, self.boundless
        )

    @cached_property
    def wear(self) -> dict[str, ContactWear]:
        """By contact: greatest force, sliding under load, impulse between blows."""
        return wear_of(self.possible, self.forces, self.boundless)

    @cached_property
    def boundless(self) -> Boundless | None:
        """Where it jams: from when on forces have no bound; None where they keep one."""
        if self.jam is not None:
            return held_by(self.jam, self._ending.named, self._loads_at_end, self.along.end)
        return locking(self.forces) if self.code == NO_SOLUTION else None

    def _loads_at_end(self) -> RunLoads:
        """As they are solved for, whatever their size."""
        times = np.array([self.along.end])
        return loads_of(self.tree, self.possible, self.forces, self.actions, self.driven, times)

    def contact_forces(self, times: Floats) -> dict[str, Floats]:
        """[N] By contact, along its normal, at times in order; zero where it does not touch.

        Of a stop, named `joint.min` or `joint.max`, the force, or the torque [N m] of a pin.
        """
        return self.loads(times).pushes

    def in_impacts(self, times: Floats) -> Floats:
        """(2, rows) [J]: lost, and given by joints driven at a speed, up to and at each time.

        What happens at the last instant does not count: no step begins there, so the last row is before it.
        """
        at, work = self.happened[:, layout.TIME], self.happened[:, [layout.LOST, layout.GIVEN]]
        shown = (at <= self.steps[-1, 0]).sum() if len(self.steps) else len(at)
        index = np.minimum(np.searchsorted(at, times, side="right"), shown)
        totals: Floats = np.concatenate([np.zeros((1, 2)), np.cumsum(work, axis=0)])[index].T
        return totals

    def trajectory(self, rows: int = ROWS) -> Trajectory:
        """In so many equal intervals of time."""
        return self.trajectory_at(self.along.even_times(rows))

    def trajectory_at(self, times: Floats) -> Trajectory:
        """At times in order."""
        columns, work = self.along.at(times), self.forces.work(times)
        # What is stored at the start is so before the parts hit each other there.
        impacts, later = self.in_impacts(times), times > 0
        lost, given = impacts
        return self.along.trajectory(
            columns,
            energy={
                "input": columns.driven + work[:, 1] + given * later,
                "stored": columns.kinetic + columns.stored + (lost - given) * ~later,
                "dissipated": columns.damped + work[:, 0],
                "impact": lost * later,
            },
            events=self.events,
            ended=self._ending.told,
            method="rigid",
            notes=self.notes,
            speed_ran=self.speed_ran,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed."""
        return (*assumed(self.system.mechanism, self.actions), *self.driven.notes)


def predict(
    mechanism: Mechanism,
    *,
    accuracy: float,
    drives: Mapping[str, Drive] | None = None,
    until: float | None = None,
) -> Run:
    """Runs a machine over time."""
    if until is None:
        raise UnsupportedError("this method runs over time", "say until when: `until` [s]", "until")
    system = compile_system(mechanism)
    tree = tree_of(system)
    driven = driven_of(tree, mechanism.drives if drives is None else drives, start_of(tree))
    tree = pushed(tree, driven)
    refuse_unsound(tree)
    start = start_with_drives(tree, driven)
    possible = candidates(system, plane=True, left_out=pairs_in_each_other(tree, start[0]))
    assert isinstance(possible, Candidates)
    loops = loop_tables(tree)
    actions = actions_on(tree, loops, driven)
    refuse_open_loads(tree, actions, driven, start[0])
    tables = prepared_tables(tree, possible, loops, actions, start, accuracy, until)
    evidence = _run(tree, possible, driven, actions, tables, accuracy)
    return Run(evidence.trajectory, evidence, finer=evidence.trajectory)


def _run(
    tree: Tree,
    possible: Candidates,
    driven: Driven,
    actions: JointActions,
    tables: dict[int, Any],
    accuracy: float,
    most: int = _MOST_LOGS,
) -> RigidRun:
    blocks = packed(tables)
    until = float(view(blocks, layout.CONTROL)[0, layout.UNTIL])
    filled = view(blocks, layout.FILLED)[0]
    parts: list[tuple[Any, ...]] = []
    lately: deque[float] = deque([0.0], _VAIN_LOGS + 1)
    with doing("running the machine"):
        refuse_beyond(tree, actions.stops, blocks)
        code = begin.at(_WORK)(*blocks)
        while code == 0 or code == FULL:
            code = advance.at(_WORK)(*blocks)
            parts.append(taken(blocks))
            filled[: layout.VAIN_COUNT] = 0
            now = view(blocks, layout.CLOCK)[0, layout.NOW]
            reached(len(parts) * STEPS, detail=f"steps, {now:.4g} of {until:g} s")
            if code != FULL:
                break
            lately.append(now)
            if len(parts) >= most or len(parts) * sum(kept.nbytes for kept in parts[-1]) > MOST_KEPT:
                break
            if len(lately) > _VAIN_LOGS and now - lately[0] < _VAIN_SHARE * until:
                code = STUCK
    if code == NO_INERTIA:
        raise ModelError.at("parts", "a part that moves has no inertia", "give mass, inertia or density")
    touches, jam = closing(blocks, len(possible) + len(actions.stops)), None
    if code in (RUN_INTO, STUCK, NO_SOLUTION):
        jam = jam_at_end(tree, possible, actions, driven, blocks, friction=code == NO_SOLUTION)
    if jam is None and code == STUCK:
        jam = jam_at_end(tree, possible, actions, driven, blocks, squeezed=True)
    if not any(len(part[0]) for part in parts):
        if jam is None and code == STUCK:
            words = "steps are too short to begin: parts leave each other no room at the start"
            raise UnsupportedError(words, "draw them apart, or begin elsewhere with `start`", "parts")
        parts = [at_start(blocks)]
    columns = [list(column) for column in zip(*parts, strict=True)]
    parts.clear()  # a long run would be kept twice
    steps, points, touching, sliding, happened = (np.concatenate(columns.pop(0)) for _ in range(5))
    return RigidRun(
        tree, possible, driven, actions, tables, blocks, accuracy, until, code,
        steps, points, touching, sliding, happened, int(filled[layout.VAIN_COUNT]),
        touches, jam, advance.speed(_WORK),
    )  # fmt: skip
