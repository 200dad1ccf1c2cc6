"""A run of the rigid method: from a document to a trajectory and its evidence."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.candidate import Candidates, candidates
from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import few
from detent.foundation.progress import doing, reached
from detent.foundation.units import unit_names
from detent.mechanics.tree import Tree, loop_tables, tree_of
from detent.model.machine.system import System, compile_system
from detent.motion.rigid import layout
from detent.motion.rigid.acting import JointActions, actions_on, refuse_beyond
from detent.motion.rigid.advance import (
    CONTACT,
    DRIVE_WORK,
    FULL,
    IMPACT,
    NO_INERTIA,
    NO_LOADS,
    NO_SOLUTION,
    RUN_INTO,
    STUCK,
    advance,
    begin,
)
from detent.motion.rigid.closing import bring_to_drives
from detent.motion.rigid.forces_along import ForcesAlong
from detent.motion.rigid.layout import view
from detent.motion.rigid.tables import rigid_blocks
from detent.motion.running.along import RunSteps, coordinate_scales
from detent.motion.running.driving import Driven, driven_of, pushed
from detent.motion.running.minima import energy_minima
from detent.motion.running.starting import refuse_unsound, start_of
from detent.numeric.contact_problem import MOST_TRIED
from detent.record.event import Cause, Event, EventKind
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.mechanics.tree import LoopTables
    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.rigid.layout import Blocks
    from detent.numeric.kernels import Speed

    Floats = NDArray[np.float64]

ROWS = 600  # of a trajectory, unless more are asked for
# Of the size: features nearer than this touch.
TOUCH = 1 / layout.SIZE
_STEPS = 1000  # that a log has room for
_WORK = 1e7  # elementary steps of a run, at least
_NAMED = 4  # joints in words, at most
_KINDS: dict[int, EventKind] = {IMPACT: "impact", CONTACT: "contact"}


@dataclass(frozen=True, eq=False)
class RigidRun:
    """The method's own data: steps, events, and how it ended."""

    tree: Tree
    possible: Candidates
    driven: Driven
    actions: JointActions
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
        rows = [row for row in self.happened if row[layout.KIND] != DRIVE_WORK]
        return tuple(self._event(row) for row in rows if row[layout.CANDIDATE] < self._rubbing)

    @property
    def _rubbing(self) -> int:
        """The number from which on what touches is a joint that rubs."""
        return len(self.possible) + len(self.actions.stops)

    def _event(self, row: Floats) -> Event:
        candidate = int(row[layout.CANDIDATE])
        if candidate >= len(self.possible):
            return self._at_a_stop(row, candidate - len(self.possible))
        a, b = self.possible.pairs[self.possible.listed[candidate, 3]]
        name, kind = self.possible.name(candidate), _KINDS.get(int(row[layout.KIND]), "release")
        ends = kind == "release"
        return Event(
            time=float(row[layout.TIME]),
            kind=kind,
            before=(name,) if ends else (),
            after=() if ends else (name,),
            subjects=(self.system.bodies[a].name, self.system.bodies[b].name),
            impulse=float(row[layout.NORMAL]) if kind == "impact" else None,
        )

    def _at_a_stop(self, row: Floats, number: int) -> Event:
        stop, ends = self.actions.stops[number], row[layout.KIND] not in _KINDS
        turns = stop.joint.type.coordinate == "angle"
        return Event(
            time=float(row[layout.TIME]),
            kind="release" if ends else "limit",
            joint=stop.joint.name,
            coordinate=stop.end / (1.0 if turns else self.system.metres_per_unit),
            coordinate_unit="rad" if turns else unit_names(self.system.mechanism.units).length.strip(),
            before=(stop.name,) if ends else (),
            after=() if ends else (stop.name,),
            subjects=stop.parts,
            impulse=float(row[layout.NORMAL]) * stop.length if row[layout.KIND] == IMPACT else None,
        )

    @property
    def scope(self) -> Scope:
        """What the run holds for."""
        return Scope(
            certainty="computed",
            covers=f"the motion to a relative accuracy of {self.accuracy:g} per step; "
            "no contact is stepped over",
            left_out=(*self._joints_left_out(), "elasticity of parts"),
            assumed=self.notes,
        )

    def again(self) -> RigidRun:
        """The same run once more: of a machine that is prepared, stepping alone."""
        return _run(self.tree, self.possible, self.driven, self.accuracy, self.until)

    def _joints_left_out(self) -> tuple[str, ...]:
        """What friction in joints leaves out."""
        if not self.actions.rubbing:
            return ("friction in joints",)
        words = []
        rubbing = {joint.name for joint in self.actions.rubbing}
        moving = [pair.name for pair in self.tree.linkage.pairs if pair.kind in ("revolute", "prismatic")]
        if others := [name for name in moving if name not in rubbing]:
            words.append(f"friction in {few(others, _NAMED)}: not given")
        slides = [joint.name for joint in self.actions.rubbing if joint.type.coordinate == "length"]
        if slides:
            words.append(f"what the moment of a slide adds to its friction ({few(slides, _NAMED)})")
        gears = [pair.name for pair in self.tree.linkage.pairs if pair.kind == "gear"]
        if gears:
            words.append(f"what teeth of {few(gears, _NAMED)} add to the load of pins that rub")
        return tuple(words)

    @cached_property
    def forces(self) -> ForcesAlong:
        """Its forces, solved for at any times."""
        return ForcesAlong(self.blocks, self.steps, self.points, self.touching, self.sliding)

    def contact_forces(self, times: Floats) -> dict[str, Floats]:
        """[N] By contact, along its normal, at times in order; zero where it does not touch.

        Of a stop, named `joint.min` or `joint.max`, the force, or the torque [N m] of a pin.
        """
        by_name: dict[str, Floats] = {}
        for candidate, column in self.forces.of_contacts(times).items():
            stop = candidate - len(self.possible)
            if candidate >= self._rubbing:
                continue
            if stop >= 0:
                by_name[self.actions.stops[stop].name] = column * self.actions.stops[stop].length
                continue
            name = self.possible.name(candidate)
            by_name[name] = by_name.get(name, 0.0) + column
        return by_name

    def lost_in_impacts(self, times: Floats) -> Floats:
        """[J] up to each time."""
        at, lost = self.happened[:, layout.TIME], np.cumsum(self.happened[:, layout.LOST])
        index = np.searchsorted(at, times, side="right")
        return np.concatenate([[0.0], lost])[index]

    def given_in_jumps(self, times: Floats) -> Floats:
        """[J] By drives, where speeds jump, up to each time."""
        jumps = self.happened[self.happened[:, layout.KIND] == DRIVE_WORK]
        given = np.concatenate([[0.0], np.cumsum(jumps[:, layout.NORMAL])])
        return given[np.searchsorted(jumps[:, layout.TIME], times, side="right")]

    def trajectory(self, rows: int = ROWS) -> Trajectory:
        """In so many equal intervals of time."""
        return self.trajectory_at(self.along.even_times(rows))

    def trajectory_at(self, times: Floats) -> Trajectory:
        """At times in order."""
        columns, work = self.along.at(times), self.forces.work(times)
        return self.along.trajectory(
            columns,
            energy={
                "input": columns.driven + work[:, 1] + self.given_in_jumps(times),
                "stored": columns.kinetic + columns.stored,
                "dissipated": columns.damped + work[:, 0],
                "impact": self.lost_in_impacts(times),
            },
            events=self.events,
            ended=self._ended(),
            method="rigid",
            notes=self.notes,
            speed_ran=self.speed_ran,
        )

    def _ended(self) -> tuple[Cause, str]:
        if self.code == NO_SOLUTION:
            if (self.touching[-1] >= 0).sum() > MOST_TRIED:
                return "interrupted", "no forces that satisfy friction were found; not all were tried"
            return "jam", "no forces at the contacts satisfy friction (Painlevé's paradox)"
        if self.code == NO_LOADS:
            joints = few([joint.name for joint in self.actions.rubbing], _NAMED)
            return "jam", f"no loads of joints agree with their friction ({joints}): they lock themselves"
        if self.code == RUN_INTO:
            return "blocked", f"{self._blocking()}: a drive at a speed cannot go on"
        if self.code == STUCK:
            return "interrupted", "events follow each other too closely to go on"
        return "done", ""

    def _blocking(self) -> str:
        """What drives run into: the contact that closes fastest without forces."""
        after = view(self.blocks, layout.COLUMNS)[layout.RIGHT]
        touching = view(self.blocks, layout.TOUCHING)[0]
        count = int(view(self.blocks, layout.CLOCK)[0, layout.COUNT])
        number = int(touching[int(np.argmin(after[:count]))])
        if number >= len(self.possible):
            return f"{self.actions.stops[number - len(self.possible)].joint.name} is at its limit"
        a, b = self.possible.pairs[self.possible.listed[number, 3]]
        return f"{self.system.bodies[a].name} and {self.system.bodies[b].name} touch"

    @property
    def notes(self) -> tuple[str, ...]:
        """What was assumed."""
        given = self.system.mechanism.touching
        pairs = [] if given is None else [given, *given.pairs.values()]
        missing = [
            words
            for key, words in (("friction", "without friction"), ("restitution", "without rebound"))
            if all(getattr(pair, key) is None for pair in pairs)
        ]
        words = [f"contacts {' and '.join(missing)}: not given"] if missing else []
        if self.actions.stops:
            words.append("stops at limits of joints do not rebound")
        return (*words, *self.driven.notes)


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
    if not (math.isfinite(accuracy) and 0 < accuracy < 1):
        raise ModelError.at("accuracy", f"{accuracy} is not an accuracy", "give a small number, as 1e-6")
    system = compile_system(mechanism)
    tree = tree_of(system)
    driven = driven_of(tree, mechanism.drives if drives is None else drives, start_of(tree))
    tree = pushed(tree, driven)
    refuse_unsound(tree)
    possible = candidates(system, plane=True)
    assert isinstance(possible, Candidates)
    evidence = _run(tree, possible, driven, accuracy, until)
    return Run(evidence.trajectory, evidence, finer=evidence.trajectory)


def _run(tree: Tree, possible: Candidates, driven: Driven, accuracy: float, until: float) -> RigidRun:
    loops = loop_tables(tree)
    actions = actions_on(tree, loops, driven)
    blocks = _blocks(tree, possible, loops, actions, accuracy, until)
    filled = view(blocks, layout.FILLED)[0]
    parts: list[tuple[Any, ...]] = []
    with doing("running the machine"):
        bring_to_drives(tree, blocks)
        code = begin.at(_WORK)(*blocks)
        refuse_beyond(tree, actions.stops, blocks)
        while code == 0 or code == FULL:
            code = advance.at(_WORK)(*blocks)
            parts.append(_taken(blocks))
            filled[: layout.VAIN_COUNT] = 0
            now = view(blocks, layout.CLOCK)[0, layout.NOW]
            reached(len(parts) * _STEPS, detail=f"steps, {now:.4g} of {until:g} s")
            if code != FULL:
                break
    if code == NO_INERTIA:
        raise ModelError.at("parts", "a part that moves has no inertia", "give mass, inertia or density")
    if not any(len(part[0]) for part in parts) and code == RUN_INTO:
        words = "drives run parts into each other that touch at the start"
        raise UnsupportedError(words, "drive them apart, or begin elsewhere with `start`", "drives")
    if not any(len(part[0]) for part in parts):
        problem = "no forces or impulses at the contacts satisfy friction at the start (Painlevé's paradox)"
        raise UnsupportedError(
            problem, "give less friction, or begin elsewhere with `start`", "touching.friction"
        )
    steps, points, touching, sliding, happened = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    return RigidRun(
        tree, possible, driven, actions, blocks, accuracy, until, code,
        steps, points, touching, sliding, happened, int(filled[layout.VAIN_COUNT]), advance.speed(_WORK),
    )  # fmt: skip


def _blocks(
    tree: Tree,
    possible: Candidates,
    loops: LoopTables,
    actions: JointActions,
    accuracy: float,
    until: float,
) -> Blocks:
    system, machine = tree.system, tree.machine
    names = [body.name for body in system.bodies]
    pairs = [(names[a], names[b]) for a, b in possible.pairs]
    rub = [
        [float(of(*pair) or 0) for of in (system.touching.friction, system.touching.restitution)]
        for pair in pairs
    ]
    y, v = start_of(tree)
    control = np.array([until, accuracy, TOUCH * system.size, until / 8])
    blocks = rigid_blocks(
        machine,
        possible,
        np.reshape(rub, (-1, 2)),
        loops,
        actions.tables,
        control,
        coordinate_scales(tree),
        _STEPS,
    )
    motion = view(blocks, layout.MOTION)
    motion[layout.AT], motion[layout.MOVING] = y, v
    view(blocks, layout.CLOCK)[0, layout.NEXT] = 1e-4 * until
    return blocks


def _taken(blocks: Blocks) -> tuple[Any, ...]:
    """What the log holds now."""
    steps, events = view(blocks, layout.FILLED)[0, :2]
    points = view(blocks, layout.STEP_POINTS)
    return (
        view(blocks, layout.STEPS)[:steps].copy(),
        points[: 6 * steps].reshape(steps, 6, points.shape[1]).copy(),
        view(blocks, layout.STEP_TOUCHING)[:steps].copy(),
        view(blocks, layout.STEP_SLIDING)[:steps].copy(),
        view(blocks, layout.EVENTS)[:events].copy(),
    )
