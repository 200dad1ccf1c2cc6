"""Frames where a closed form has lost its digits: at a change point, and at a limit.

A root of nearly nothing has lost half its digits. At a change point the frame is
interpolated from both sides, each on its branch; at a limit the links are put in line.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import ALL_CLOSED
from detent.kinematics.execution.sweeping import Frames, sweep
from detent.kinematics.paths.path_event import PathEvent
from detent.kinematics.paths.path_limits import ABOUT, lagrange, path_length, vectors_at
from detent.kinematics.planning.tables import Plan

# Places [rad, sizes] on one side of a change point from which frames are extrapolated.
ON_ONE_SIDE = 4e-3 * np.arange(1.0, 7.0)


def across(
    plan_at: Callable[[float], Plan], goal: Floats, start: Floats, end: Floats, at: float, rates: Floats
) -> Frames:
    """A frame near a change point, which is at a share of a straight path, from three places on each side.

    `plan_at` has the branch at each share: another change point may lie between those places.
    """
    span = end - start
    offsets = ABOUT / path_length(plan_at(at), start, end)
    beside = [
        sweep(plan_at(share), (start + share * span)[None], order=2, rates=rates)
        for share in (at + offsets).tolist()
    ]
    there = float((goal - start) @ span / (span @ span))
    closes = [frame.failed == ALL_CLOSED for frame in beside]
    if not all(closes):  # a limit so near that nothing is beyond
        if all(closes[:3]) or all(closes[3:]):
            towards = -1.0 if all(closes[:3]) else 1.0
            return from_one_side(plan_at(at + towards * offsets[-1]), goal, start, end, at, towards, rates)
        return sweep(plan_at(there), goal[None], order=2, rates=rates)
    weights = lagrange(offsets, there - at)
    values, first, second = (
        np.tensordot(weights, np.concatenate([getattr(frame, name) for frame in beside]), axes=1)[None]
        for name in ("values", "first", "second")
    )
    return Frames(goal[None], values, first, second, goal, ALL_CLOSED, values[0], False)


def from_one_side(
    plan: Plan, goal: Floats, start: Floats, end: Floats, at: float, towards: float, rates: Floats
) -> Frames:
    """A frame near a place of a straight path where it is folded or in line, from one side (1, -1)."""
    offsets = towards * ON_ONE_SIDE / path_length(plan, start, end)
    beside = sweep(plan, start + np.outer(at + offsets, end - start), order=2, rates=rates)
    if beside.failed != ALL_CLOSED:
        return sweep(plan, goal[None], order=2, rates=rates)
    span = end - start
    weights = lagrange(offsets, float((goal - start) @ span / (span @ span)) - at)
    values, first, second = (
        np.tensordot(weights, np.asarray(table), axes=1)[None]
        for table in (beside.values, beside.first, beside.second)
    )
    return Frames(goal[None], values, first, second, goal, ALL_CLOSED, values[0], False)


def at_limit(plan: Plan, start: Floats, end: Floats, stop: PathEvent) -> Frames:
    """The limit itself: links in line, so derivatives have no bound."""
    V = vectors_at(plan, start, end, stop.beyond)[None]
    none = np.full_like(V, np.nan)
    inputs = (start + stop.at * (end - start))[None]
    return Frames(inputs, V, none, none, inputs[0], ALL_CLOSED, V[0], False)
