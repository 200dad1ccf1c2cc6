"""Where two slides of a followed linkage become parallel and their crossing runs away to infinity.

A plan in closed form has this among its discriminants. With cuts or blocks the
frames are followed one by one, and a crossing that leaves on one side and comes
back on the other would be mistaken for going on: the cross product of the two lines
changes its sign there, which is what is looked for. Lines that fall on each
other change it too, but their crossing stays where it is: the linkage goes on.
"""

from __future__ import annotations

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.operations import ops as op
from detent.kinematics.paths.drive_path import DrivePath
from detent.kinematics.paths.joint_limits import between_positions, goals_at
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import AWAY
from detent.kinematics.planning.tables import Plan
from detent.numeric.roots import bisect, sign_changes

HALVINGS = 60  # of the step between two samples: to the last digit


def parallel_slides(plan: Plan, path: DrivePath, frames: Frames) -> PathEvent | None:
    """The first position along followed frames where a crossing of two lines has no bound."""
    rows = [i for i, row in enumerate(plan.ops) if row[0] == op.LINES]
    if not rows or not len(frames.inputs):
        return None
    at, dense = between_positions(plan, path, len(frames.inputs))
    values = dense.values
    events = [place for row in rows if (place := _first(plan, path, at, values, row)) is not None]
    return min(events, key=lambda place: place.at, default=None)


def _first(plan: Plan, path: DrivePath, at: Floats, values: Floats, row: int) -> PathEvent | None:
    cross = _cross(plan, values, row)
    for j in sign_changes(cross.tolist()):
        last, V = _last_crossing(plan, path, at[: j + 1], float(at[j + 1]), row)
        if np.abs(V[plan.ops[row, 1]]).max() > AWAY * plan.system.size:
            return PathEvent(last, "limit", row, unbounded=True)
    return None


def _last_crossing(
    plan: Plan, path: DrivePath, before: Floats, beyond: float, row: int
) -> tuple[float, Floats]:
    """The last place before the lines rotate past each other, and the vectors there."""
    start = sweep(plan, goals_at(path.goals, before))
    side, V = _cross(plan, start.values[-1:], row)[0], start.values[-1]

    def still_crosses(at: float) -> bool:
        nonlocal V
        frames = sweep(plan, goals_at(path.goals, np.append(before, at)))
        same = frames.failed == ALL_CLOSED and bool(side * _cross(plan, frames.values[-1:], row)[0] > 0)
        V = frames.values[-1] if same else V
        return same

    last, _ = bisect(still_crosses, float(before[-1]), beyond, most=HALVINGS)
    return last, V


def _cross(plan: Plan, values: Floats, row: int) -> Floats:
    u, v = values[:, plan.ops[row, 3]], values[:, plan.ops[row, 5]]
    cross: Floats = v[:, 0] * u[:, 1] - v[:, 1] * u[:, 0]
    return cross
