"""Where two slides of a followed linkage become parallel and their crossing runs away to infinity.

A plan in closed form has this among its discriminants. With cuts or blocks the
frames are followed one by one, and a crossing that leaves on one side and comes
back on the other would be taken for a way on: the cross product of the two lines
changes its sign there, which is what is looked for. Lines that fall on each
other change it too, but their crossing stays where it is: the linkage goes on.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.drive_path import DrivePath
from detent.kinematics.paths.joint_limits import between_positions, goals_at
from detent.kinematics.paths.path_limits import AWAY
from detent.kinematics.planning.tables import Plan

HALVINGS = 60  # of the step between two samples: to the last digit


@dataclass(frozen=True)
class Parallel:
    """How far along the course (in positions), and the operation whose lines are parallel there."""

    at: float
    row: int


def parallel_slides(plan: Plan, course: DrivePath, frames: Frames) -> Parallel | None:
    """The first place along followed frames where a crossing of two lines has no bound."""
    rows = [i for i, row in enumerate(plan.ops) if row[0] == op.LINES]
    if not rows or not len(frames.inputs):
        return None
    at, values = between_positions(plan, course, len(frames.inputs))
    found = [place for row in rows if (place := _first(plan, course, at, values, row)) is not None]
    return min(found, key=lambda place: place.at, default=None)


def _first(plan: Plan, course: DrivePath, at: Floats, values: Floats, row: int) -> Parallel | None:
    cross = _cross(plan, values, row)
    for j in np.flatnonzero(cross[1:] * cross[:-1] < 0):
        there, V = _bisected(plan, course, at[: j + 1], float(at[j + 1]), row)
        if np.abs(V[plan.ops[row, 1]]).max() > AWAY * plan.system.size:
            return Parallel(there, row)
    return None


def _bisected(plan: Plan, course: DrivePath, before: Floats, beyond: float, row: int) -> tuple[float, Floats]:
    """The last place before the lines turn past each other, and the vectors there."""
    a, b = float(before[-1]), beyond
    start = sweep(plan, goals_at(course.goals, before))
    side, V = _cross(plan, start.values[-1:], row)[0], start.values[-1]
    for _ in range(HALVINGS):
        middle = 0.5 * (a + b)
        if not a < middle < b:
            break
        here = sweep(plan, goals_at(course.goals, np.append(before, middle)))
        if here.failed == ALL_CLOSED and side * _cross(plan, here.values[-1:], row)[0] > 0:
            a, V = middle, here.values[-1]
        else:
            b = middle
    return a, V


def _cross(plan: Plan, values: Floats, row: int) -> Floats:
    u, v = values[:, plan.ops[row, 3]], values[:, plan.ops[row, 5]]
    made: Floats = v[:, 0] * u[:, 1] - v[:, 1] * u[:, 0]
    return made
