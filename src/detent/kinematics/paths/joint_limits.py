"""Where a joint comes to its own limit along a drive path, also between two positions.

A plan in closed form has the limits among its discriminants (`kinematics/planning/limit_rows.py`),
proved with the others. What is left is followed here: pins whose full rotations must be
counted, and every limit of a linkage with cuts or blocks. The coordinate is
looked at between positions too, at the top of every rise that a parabola
says may pass the limit, and the crossing is found to the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.paths.branch import BranchPath
from detent.kinematics.paths.drive_path import DrivePath
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import path_length, vectors_at
from detent.kinematics.planning.limit_rows import coordinates, counted, rounding_of, stops_of
from detent.kinematics.planning.tables import Ints, Plan
from detent.kinematics.turning.count import TurnCount, as_drawn, directions, refuse_long_way
from detent.kinematics.turning.pieces import fastest
from detent.kinematics.turning.relations import angle_relations
from detent.model.machine.plane_linkage import PlaneJoint
from detent.numeric.angles import continued, whole_turns
from detent.numeric.roots import first_rise

SAMPLES = 720  # along a drive path, at least
SMALL = 0.2  # [rad, sizes] steps in which a path is followed, of what is driven fastest, at most
AT_ONCE = 1e-12  # [positions, shares of a leg] after the beginning: at it, but for rounding
Exact = Callable[[float], float]


def counted_stop(branch: BranchPath, start: Floats, end: Floats, count: TurnCount) -> PathEvent | None:
    """The first limit of a pin whose full rotations must be counted, on a straight path in closed form."""
    plan = branch.segments[0].plan
    pairs = [plan.system.pairs[s.pair] for s in plan.stops if s.row < 0]
    if not pairs or np.array_equal(start, end):
        return None
    last = branch.segments[-1].hi
    at = np.union1d(np.linspace(0.0, last, SAMPLES + 1), count.places)
    values = np.array([vectors_at(branch.plan_at(t), start, end, t) for t in at.tolist()])
    angles = count.angles(at, start + np.outer(at, end - start), values)
    first: PathEvent | None = None
    for pair in pairs:

        def exact(t: float, pair: PlaneJoint = pair) -> float:
            here = vectors_at(branch.plan_at(t), start, end, t)[None]
            there = count.angles(np.array([t]), (start + t * (end - start))[None], here)
            return float(coordinates(plan, here, pair, there)[0])

        t = crossing(at, coordinates(plan, values, pair, angles), pair, exact, rounding_of(plan.system, pair))
        if t is not None and (first is None or t < first.at):
            first = PathEvent(t, "limit", joint=plan.system.index[pair.name], beyond=t)
    return first


def followed_stop(plan: Plan, path: DrivePath, frames: Frames) -> PathEvent | None:
    """The first limit of any joint along frames that were followed one by one; at a position."""
    pairs = [plan.system.pairs[s.pair] for s in stops_of(plan.system)]
    if not pairs or not len(frames.inputs):
        return None
    at, dense = between_positions(plan, path, len(frames.inputs))
    count = followed_count(plan, path.goals[0], at, dense)
    angles = count.angles(at, dense.inputs, dense.values)
    first: PathEvent | None = None
    for pair in pairs:
        q = coordinates(plan, dense.values, pair, angles)
        if not counted(pair) and pair.kind == "revolute":
            q = q - whole_turns(q[0] - 0.5 * (pair.low + pair.high))

        def exact(t: float, pair: PlaneJoint = pair, q: Floats = q) -> float:
            here = frames_to(plan, path, at[at < t], t).values[-1:]
            value = float(coordinates(plan, here, pair)[0])
            near = float(np.interp(t, at, q))
            return value if pair.kind == "prismatic" else continued(value, near)

        t = crossing(at, q, pair, exact, rounding_of(plan.system, pair))
        if t is not None and (first is None or t < first.at):
            first = PathEvent(t, "limit", joint=plan.system.index[pair.name])
    return first


def followed_count(plan: Plan, first: Floats, at: Floats, frames: Frames) -> TurnCount:
    """Rotations along frames in small steps, from the drawing by way of the first goal."""
    relations = angle_relations(plan.system, plan.inputs)
    way = np.stack([plan.drawn, first])
    coming = sweep(plan, goals_at(way, small_steps(plan, way)))
    rows = [as_drawn(plan)[None], directions(plan, frames.values, relations.free)]
    if coming.failed == ALL_CLOSED:
        rows.insert(1, directions(plan, coming.values, relations.free))
    counted = np.unwrap(np.concatenate(rows), axis=0)[-len(at) :]
    return TurnCount(plan, relations, at, counted, False)


def between_positions(plan: Plan, path: DrivePath, count: int) -> tuple[Floats, Frames]:
    """Places along the first positions of a drive path, with many between them, and the frames there."""
    parts = max(1, math.ceil(SAMPLES / max(count - 1, 1)))
    at = np.linspace(0.0, count - 1.0, parts * (count - 1) + 1)
    at = np.union1d(at, small_steps(plan, path.goals[:count]))
    dense = sweep(plan, goals_at(path.goals, at))
    return at[: len(dense.inputs)], dense


def small_steps(plan: Plan, goals: Floats) -> Floats:
    """Places of a drive path: every position, and between them so many that nothing driven goes far."""
    lengths = [path_length(plan, a, b) * fastest(plan) for a, b in pairwise(goals)]
    refuse_long_way(3 * sum(lengths) / SMALL * plan.vectors.size)  # positions and two derivatives
    steps = [np.arange(n := math.ceil(length / SMALL) or 1) / n + i for i, length in enumerate(lengths)]
    return np.concatenate([*steps, [float(len(goals) - 1)]])


def sweep_in_small_steps(plan: Plan, goals: Floats, *, order: int = 0, rates: Floats | None = None) -> Frames:
    """Frames at the goals, followed from the drawing so that no step leaps over what lies between.

    `rates` is one row for all goals, or one for each.
    """
    way = np.concatenate([plan.drawn[None], goals])
    at = small_steps(plan, way)[1:]
    if len(at) == len(goals):
        return sweep(plan, goals, order=order, rates=rates)
    if rates is not None and rates.ndim == 2:
        rates = rates[np.ceil(at).astype(int) - 1]
    frames = sweep(plan, goals_at(way, at), order=order, rates=rates)
    rows = np.flatnonzero(at[: len(frames.inputs)] == np.round(at[: len(frames.inputs)]))
    return chosen(frames, rows)


def chosen(frames: Frames, rows: Ints) -> Frames:
    """Some of the frames."""
    return replace(
        frames,
        inputs=frames.inputs[rows],
        values=frames.values[rows],
        first=None if frames.first is None else frames.first[rows],
        second=None if frames.second is None else frames.second[rows],
    )


def frames_to(plan: Plan, path: DrivePath, before: Floats, at: float, *, order: int = 0) -> Frames:
    """Frames up to a place of the drive path; the last is there."""
    rates = path.rates_from(math.ceil(at) - 1)
    goals = goals_at(path.goals, np.append(before, at))
    frames = sweep_in_small_steps(plan, goals, order=order, rates=rates)
    assert frames.failed == ALL_CLOSED, "a place before the last position closes"
    return frames


def goals_at(goals: Floats, at: Floats) -> Floats:
    """Goals between positions, straight from each to the next."""
    rows = np.arange(len(goals), dtype=float)
    return np.stack([np.interp(at, rows, goals[:, k]) for k in range(goals.shape[1])], axis=1)


def crossing(at: Floats, q: Floats, pair: PlaneJoint, exact: Exact, rounding: float) -> float | None:
    """The first place where a coordinate leaves its limits, from samples and the coordinate itself.

    A coordinate that begins beyond a limit by no more than rounding begins at it, and is free to go back.
    """
    if not pair.low - rounding <= q[0] <= pair.high + rounding:
        return float(at[0])
    crossings = [
        t
        for sign, limit in ((1.0, pair.high), (-1.0, -pair.low))
        if math.isfinite(bound := max(limit, sign * float(q[0])))
        and (t := first_rise(at.tolist(), (sign * q).tolist(), bound, lambda t: sign * exact(t))) is not None  # noqa: B023
    ]
    first = min(crossings, default=None)
    return float(at[0]) if first is not None and first - at[0] < AT_ONCE else first
