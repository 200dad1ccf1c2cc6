"""A linkage made ready once, to be dragged frame by frame or swept through many.

    live = ready(mechanism)
    live.to(0.3)             # x, y of each moving point at that input, going on from the frame before
    live.sweep(inputs)       # the same for many inputs at once, from the drawing

Positions only, in document units; `move` gives derivatives, limits and what stopped it. Points that
markers share are given once: `live.points` says which markers are where.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from detent.kinematics.batch import Sweeper, Trace
from detent.kinematics.plan import make_plan
from detent.kinematics.rows import Floats
from detent.kinematics.start import closed_pose, course_of, refuse_stuck
from detent.kinematics.stepper import Stepper
from detent.kinematics.tables import Plan
from detent.model.mechanism import Mechanism
from detent.model.system import compile_system


@dataclass(frozen=True)
class Live:
    """`points` are the moving points in the order of `to`: the markers that share each."""

    plan: Plan
    points: tuple[tuple[str, ...], ...]
    goals: Floats  # of the document's drives (frames, drives), [rad, m]
    stepper: Stepper
    sweeper: Sweeper
    to: Callable[..., list[float]]

    def sweep(self, inputs: Floats) -> Floats:
        """Positions (points, x and y, frames), up to the last frame that closes; inputs in document units."""
        goals = np.asarray(inputs, dtype=float).reshape(-1, len(self.plan.inputs)) * _units(self.plan)
        return self.trace(goals).points / self.plan.system.metre

    def trace(self, goals: Floats) -> Trace:
        """The same in metres and radians, with where it stopped."""
        return self.sweeper(goals)


def ready(mechanism: Mechanism) -> Live:
    """Close the drawing, plan, and compile what moves it along the document's drives."""
    system = compile_system(mechanism)
    course = course_of(mechanism, system)
    poses = closed_pose(system, mechanism.start)
    refuse_stuck(system, poses, course.inputs)
    plan = make_plan(system, poses, course.inputs)
    at: dict[int, list[str]] = {}
    for name, row in plan.points.items():
        at.setdefault(row, []).append(name)
    rows = range(plan.first_point, plan.last_point)
    stepper = Stepper(plan, rows.start, rows.stop)
    return Live(
        plan=plan,
        points=tuple(tuple(at[row]) for row in rows),
        goals=course.goals,
        stepper=stepper,
        sweeper=Sweeper(plan, np.array(rows, dtype=np.int64)),
        to=_in_units(plan, stepper.to),
    )


def _units(plan: Plan) -> Floats:
    """Metres or radians of one document unit of each input."""
    metre = plan.system.metre
    slides = [
        item.held.mark is not None or plan.system.pairs[item.held.pair].kind == "prismatic"
        for item in plan.inputs
    ]
    return np.array([metre if slide else 1.0 for slide in slides])


def _in_units(plan: Plan, step: Callable[..., list[float]]) -> Callable[..., list[float]]:
    metre = plan.system.metre
    if metre == 1.0:  # nothing to convert, and nothing to pay for it
        return step
    units = _units(plan).tolist()

    def to(*inputs: float) -> list[float]:
        at = step(*(x * unit for x, unit in zip(inputs, units, strict=True)))
        return [x / metre for x in at]

    return to
