"""Where a joint comes to its own limit along a drive path, also between two positions.

A plan in closed form has the limits among its discriminants (`kinematics.stops`),
proved with the others. What is left is followed here: pins whose full rotations must be
counted, and every limit of a linkage with cuts or blocks. The coordinate is
looked at between positions too, at the top of every rise that a parabola
says may pass the limit, and the crossing is found to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.paths.branch import BranchPath
from detent.kinematics.paths.drive_path import DrivePath
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import vectors_at
from detent.kinematics.planning.limit_rows import coordinates, counted, stops_of
from detent.kinematics.planning.tables import Plan
from detent.model.machine.plane_linkage import PlaneJoint
from detent.numeric.angles import continued, whole_turns
from detent.numeric.roots import first_rise

SAMPLES = 720  # along a drive path, at least
Exact = Callable[[float], float]


def counted_stop(branch: BranchPath, start: Floats, end: Floats) -> PathEvent | None:
    """The first limit of a pin whose full rotations must be counted, on a straight path in closed form."""
    plan = branch.segments[0].plan
    pairs = [plan.system.pairs[s.pair] for s in plan.stops if s.row < 0]
    if not pairs or np.array_equal(start, end):
        return None
    at = np.linspace(0.0, 1.0, SAMPLES + 1)
    values = np.array([vectors_at(branch.plan_at(t), start, end, t) for t in at.tolist()])
    first: PathEvent | None = None
    for pair in pairs:
        q = coordinates(plan, values, pair)

        def exact(t: float, pair: PlaneJoint = pair, q: Floats = q) -> float:
            angle = coordinates(plan, vectors_at(branch.plan_at(t), start, end, t)[None], pair)[0]
            return continued(float(angle), float(np.interp(t, at, q)))

        t = crossing(at, q, pair, exact)
        if t is not None and (first is None or t < first.at):
            first = PathEvent(t, "limit", joint=plan.system.index[pair.name], beyond=t)
    return first


def followed_stop(plan: Plan, path: DrivePath, frames: Frames) -> PathEvent | None:
    """The first limit of any joint along frames that were followed one by one; at a position."""
    pairs = [plan.system.pairs[s.pair] for s in stops_of(plan.system)]
    if not pairs or not len(frames.inputs):
        return None
    at, dense = between_positions(plan, path, len(frames.inputs))
    first: PathEvent | None = None
    for pair in pairs:
        q = coordinates(plan, dense, pair)
        if not counted(pair) and pair.kind == "revolute":
            q = q - whole_turns(q[0] - 0.5 * (pair.low + pair.high))

        def exact(t: float, pair: PlaneJoint = pair, q: Floats = q) -> float:
            here = frames_to(plan, path, at[at < t], t).values[-1:]
            value = float(coordinates(plan, here, pair)[0])
            near = float(np.interp(t, at, q))
            return value if pair.kind == "prismatic" else continued(value, near)

        t = crossing(at, q, pair, exact)
        if t is not None and (first is None or t < first.at):
            first = PathEvent(t, "limit", joint=plan.system.index[pair.name])
    return first


def between_positions(plan: Plan, path: DrivePath, count: int) -> tuple[Floats, Floats]:
    """Places along the first positions of a drive path, with many between them, and the vectors there."""
    parts = max(1, math.ceil(SAMPLES / max(count - 1, 1)))
    at = np.linspace(0.0, count - 1.0, parts * (count - 1) + 1)
    dense = sweep(plan, goals_at(path.goals, at))
    return at[: len(dense.inputs)], dense.values


def frames_to(plan: Plan, path: DrivePath, before: Floats, at: float, *, order: int = 0) -> Frames:
    """Frames up to a place of the drive path; the last is there."""
    rates = path.rates_from(math.ceil(at) - 1)
    frames = sweep(plan, goals_at(path.goals, np.append(before, at)), order=order, rates=rates)
    assert frames.failed == ALL_CLOSED, "a place before the last position closes"
    return frames


def goals_at(goals: Floats, at: Floats) -> Floats:
    """Goals between positions, straight from each to the next."""
    rows = np.arange(len(goals), dtype=float)
    return np.stack([np.interp(at, rows, goals[:, k]) for k in range(goals.shape[1])], axis=1)


def crossing(at: Floats, q: Floats, pair: PlaneJoint, exact: Exact) -> float | None:
    """The first place where a coordinate leaves its limits, from samples and the coordinate itself."""
    if not pair.low <= q[0] <= pair.high:
        return float(at[0])
    crossings = [
        t
        for sign, bound in ((1.0, pair.high), (-1.0, -pair.low))
        if math.isfinite(bound)
        and (t := first_rise(at.tolist(), (sign * q).tolist(), bound, lambda t: sign * exact(t))) is not None  # noqa: B023
    ]
    return min(crossings, default=None)
