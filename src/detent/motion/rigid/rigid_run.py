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
from detent.foundation.progress import doing, reached
from detent.mechanics.tree import Tree, loop_tables, tree_of
from detent.model.machine.system import System, compile_system
from detent.motion.rigid import layout
from detent.motion.rigid.advance import (
    CONTACT,
    FULL,
    IMPACT,
    NO_INERTIA,
    NO_SOLUTION,
    STUCK,
    advance,
    begin,
)
from detent.motion.rigid.forces_along import ForcesAlong
from detent.motion.rigid.layout import view
from detent.motion.rigid.tables import rigid_blocks
from detent.motion.running.along import RunSteps, coordinate_scales
from detent.motion.running.driving import DrivenJoints, driven_joints, pushed
from detent.motion.running.minima import energy_minima
from detent.motion.running.starting import refuse_unsound, start_of
from detent.numeric.contact_problem import MOST_TRIED
from detent.record.event import Cause, Event, EventKind
from detent.record.run import Run
from detent.record.scope import Scope
from detent.record.trajectory import Trajectory

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.document.drive import Drive
    from detent.model.document.mechanism import Mechanism
    from detent.motion.rigid.layout import Blocks
    from detent.numeric.kernels import Speed

    Floats = NDArray[np.float64]

ROWS = 600  # of a trajectory, unless more are asked for
# Of the size: features nearer than this touch.
TOUCH = 1e-10
_STEPS = 1000  # that a log has room for
_WORK = 1e7  # elementary steps of a run, at least
_KINDS: dict[int, EventKind] = {IMPACT: "impact", CONTACT: "contact"}


@dataclass(frozen=True, eq=False)
class RigidRun:
    """The method's own data: steps, events, and how it ended."""

    tree: Tree
    possible: Candidates
    driven: DrivenJoints
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
        return tuple(self._event(row) for row in self.happened)

    def _event(self, row: Floats) -> Event:
        candidate = int(row[layout.CANDIDATE])
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

    @property
    def scope(self) -> Scope:
        """What the run holds for."""
        covers = f"the motion to a relative accuracy of {self.accuracy:g} per step; "
        left_out = ["friction in joints", "elasticity of parts"]
        if view(self.blocks, layout.RUB)[:, layout.RESTITUTION].any():
            covers += "no contact is stepped over while rebounds can be told from rest"
            left_out.append("rest after rebounds that die out: parts may then pass through each other")
        else:
            covers += "no contact is stepped over"
        return Scope(certainty="computed", covers=covers, left_out=tuple(left_out), assumed=self.notes)

    @cached_property
    def forces(self) -> ForcesAlong:
        """Its forces, solved for at any times."""
        return ForcesAlong(self.blocks, self.steps, self.points, self.touching, self.sliding)

    def contact_forces(self, times: Floats) -> dict[str, Floats]:
        """[N] By contact, along its normal, at times in order; zero where it does not touch."""
        by_name: dict[str, Floats] = {}
        for candidate, column in self.forces.of_contacts(times).items():
            name = self.possible.name(candidate)
            by_name[name] = by_name.get(name, 0.0) + column
        return by_name

    def lost_in_impacts(self, times: Floats) -> Floats:
        """[J] up to each time."""
        at, lost = self.happened[:, layout.TIME], np.cumsum(self.happened[:, layout.LOST])
        index = np.searchsorted(at, times, side="right")
        return np.concatenate([[0.0], lost])[index]

    def trajectory(self, rows: int = ROWS) -> Trajectory:
        """In so many equal intervals of time."""
        return self.trajectory_at(self.along.even_times(rows))

    def trajectory_at(self, times: Floats) -> Trajectory:
        """At times in order."""
        columns, work = self.along.at(times), self.forces.work(times)
        return self.along.trajectory(
            columns,
            energy={
                "input": columns.driven + work[:, 1],
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
        if self.code == STUCK:
            return "interrupted", "events follow each other too closely to go on"
        return "done", ""

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
        return (f"contacts {' and '.join(missing)}: not given",) if missing else ()


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
    driven = driven_joints(tree, mechanism.drives if drives is None else drives)
    tree = pushed(tree, driven)
    _refuse_limits(system)
    refuse_unsound(tree)
    possible = candidates(system, plane=True)
    assert isinstance(possible, Candidates)
    evidence = _run(tree, possible, driven, accuracy, until)
    return Run(evidence.trajectory, evidence, finer=evidence.trajectory)


def _refuse_limits(system: System) -> None:
    for joint in system.joints:
        if math.isfinite(joint.low) or math.isfinite(joint.high):
            raise UnsupportedError(
                "a run over time does not stop at limits of joints yet",
                "draw the stop as a shape",
                f"joints.{joint.name}.limits",
            )


def _run(tree: Tree, possible: Candidates, driven: DrivenJoints, accuracy: float, until: float) -> RigidRun:
    blocks = _blocks(tree, possible, driven, accuracy, until)
    filled = view(blocks, layout.FILLED)[0]
    parts: list[tuple[Any, ...]] = []
    with doing("running the machine"):
        code = begin.at(_WORK)(*blocks)
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
    if not any(len(part[0]) for part in parts):
        problem = "no forces or impulses at the contacts satisfy friction at the start (Painlevé's paradox)"
        raise UnsupportedError(
            problem, "give less friction, or begin elsewhere with `start`", "touching.friction"
        )
    steps, points, touching, sliding, happened = (
        np.concatenate(columns) for columns in zip(*parts, strict=True)
    )
    return RigidRun(
        tree, possible, driven, blocks, accuracy, until, code, steps, points, touching, sliding, happened,
        int(filled[layout.VAIN_COUNT]), advance.speed(_WORK),
    )  # fmt: skip


def _blocks(tree: Tree, possible: Candidates, driven: DrivenJoints, accuracy: float, until: float) -> Blocks:
    system, machine = tree.system, tree.machine
    names = [body.name for body in system.bodies]
    pairs = [(names[a], names[b]) for a, b in possible.pairs]
    rub = [
        [float(of(*pair) or 0) for of in (system.touching.friction, system.touching.restitution)]
        for pair in pairs
    ]
    y, v = start_of(tree)
    at = machine.joints[: len(machine.follow), 0] + machine.follow @ y
    loops = loop_tables(tree, [(k, speed, float(at[k])) for k, speed in driven.speeds.items()])
    control = np.array([until, accuracy, TOUCH * system.size, until / 8])
    blocks = rigid_blocks(
        machine,
        possible,
        np.reshape(rub, (-1, 2)),
        loops,
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
