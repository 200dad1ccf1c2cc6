"""A linkage made ready once, to be dragged frame by frame or swept through many.

    live = ready(mechanism)
    live.to(0.3)             # x, y of each moving point at that input, going on from the frame before
    live.sweep(inputs)       # the same for many inputs at once, from the drawing

Positions only, in document units; `move` gives derivatives, what stopped it, and limits between inputs,
which a closed form taken at each input by itself does not see. Points that
markers share are given once: `live.points` says which markers are where. A dyad inside a cut has dead
points of its own, which the linkage passes: where a cut stops, the block that it stands for is tried.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from detent.kinematics.batch import Sweeper, Trace
from detent.kinematics.course import course_of
from detent.kinematics.execute import WELL
from detent.kinematics.plan import make_plan
from detent.kinematics.poses import part_poses
from detent.kinematics.rows import Floats
from detent.kinematics.start import closed_pose, refuse_stuck
from detent.kinematics.stepper import Beyond, Stepper
from detent.kinematics.stops import with_stops
from detent.kinematics.tables import CUT, Ints, Plan
from detent.model.mechanism import Mechanism
from detent.model.system import compile_system

# Limits of a cut and of its block are the same point to about this much [rad, m].
BLURRED = 1e-5


class Live:
    """`points` are the moving points in the order of `to`: the markers that share each."""

    def __init__(self, plan: Plan, goals: Floats) -> None:
        self.plan = plan
        self.goals = goals  # of the document's drives (frames, drives) [rad, m]
        self.points = _points(plan)
        self._units = _units(plan)
        beyond = self._as_a_block if np.any(plan.segments[:, 0] == CUT) else None
        self._take(self._stepper(plan, np.zeros(len(plan.inputs)), beyond))

    def _stepper(self, plan: Plan, offset: Floats, beyond: Beyond | None = None) -> Stepper:
        metre, rows = plan.system.metre, _rows(plan, self.points)
        return Stepper(plan, rows, metre=metre, unit=self._units, offset=offset, beyond=beyond)

    def _take(self, stepper: Stepper) -> None:
        self.stepper, self.to = stepper, stepper.to

    def _as_a_block(self, inputs: tuple[float, ...], points: list[float]) -> list[float]:
        """The same step by the block, which takes over where it goes farther than the cut."""
        before, plan = self.stepper, self.plan
        poses = part_poses(plan, before.values[None])
        here = np.array([poses[name][0] for name in plan.system.parts])
        block = with_stops(make_plan(plan.system, here, plan.inputs, cuts=False))
        turns = 2 * np.pi * np.round((block.drawn - before.reached) / (2 * np.pi))
        other = self._stepper(block, turns)
        found = other.to(*inputs)
        if np.linalg.norm(other.reached - turns - before.reached) <= BLURRED:
            return points
        before.hand_over(other.to)
        self._take(other)
        return found

    def sweep(self, inputs: Floats) -> Floats:
        """Positions (points, x and y, frames), up to the last frame that closes; inputs in document units."""
        goals = np.asarray(inputs, dtype=float).reshape(-1, len(self.plan.inputs)) * self._units
        return self.trace(goals).points / self.plan.system.metre

    def trace(self, goals: Floats) -> Trace:
        """The same in metres and radians, with where it stopped."""
        found = self._sweeper(goals)
        if found.failed == WELL or not np.any(self.plan.segments[:, 0] == CUT):
            return found
        further = self._blocks(goals)
        return further if further.done > found.done else found

    @cached_property
    def _sweeper(self) -> Sweeper:
        return Sweeper(self.plan, np.arange(self.plan.first_point, self.plan.last_point))

    @cached_property
    def _blocks(self) -> Sweeper:
        plan = with_stops(make_plan(self.plan.system, self.plan.poses, self.plan.inputs, cuts=False))
        return Sweeper(plan, _rows(plan, self.points))


def ready(mechanism: Mechanism) -> Live:
    """Close the drawing, plan, and compile what moves it along the document's drives."""
    system = compile_system(mechanism)
    course = course_of(mechanism, system)
    poses = closed_pose(system, mechanism.start)
    refuse_stuck(system, poses, course.inputs)
    return Live(with_stops(make_plan(system, poses, course.inputs)), course.goals)


def _points(plan: Plan) -> tuple[tuple[str, ...], ...]:
    at: dict[int, list[str]] = {}
    for name, row in plan.points.items():
        at.setdefault(row, []).append(name)
    return tuple(tuple(at[row]) for row in range(plan.first_point, plan.last_point))


def _rows(plan: Plan, points: tuple[tuple[str, ...], ...]) -> Ints:
    return np.array([plan.points[own[0]] for own in points], dtype=np.int64)


def _units(plan: Plan) -> Floats:
    """Metres or radians of one document unit of each input."""
    slides = [
        item.held.mark is not None or plan.system.pairs[item.held.pair].kind == "prismatic"
        for item in plan.inputs
    ]
    return np.array([plan.system.metre if slide else 1.0 for slide in slides])
