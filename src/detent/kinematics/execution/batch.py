"""Long sweeps: positions only, many frames at once.

Straight operations run in lanes (see `vectorised.py`). A cut is closed in all lanes together: its guesses
start from a cubic through a few frames solved one after the other, and Newton's last step, once it is
small enough, moves the points along their derivatives instead of another pass. Where lanes disagree
with the branch, do not converge or do not close, those frames are solved one after the other, which
also finds where the linkage stops. A plan with blocks is followed frame by frame throughout.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import (
    ALL_CLOSED,
    LAST_STEP,
    _frame_sample,
    advance,
    input_table,
    solve_frame,
    tables_of,
)
from detent.kinematics.operations.vectorised import LANES, _turn_sample, run_lanes
from detent.kinematics.planning.tables import BLOCK, STRAIGHT, Ints, Plan
from detent.numeric.kernels import kernel
from detent.numeric.memory import borrowed

# A cubic through frames this far apart [rad, or m] predicts a guess to about 1e-8: then one step suffices.
KNOT_SPACING = 0.03
MOST_SPACING = 64  # frames
MOST_LANE_STEPS = 6
KNOTS_OF_A_CUBIC = 4


@dataclass(frozen=True)
class Trace:
    """Rows of the vector table along the drive, up to the last frame that closes."""

    points: Floats  # (rows, 2, frames)
    done: int
    reached: Floats  # inputs at the very end: those of the last frame, or where it broke
    failed: int  # as in `sweep.Frames`


class Sweeper:
    """A plan made ready for long sweeps of some of its rows; each call starts from the closed drawing."""

    def __init__(self, plan: Plan, rows: Ints) -> None:
        self.plan = plan
        self.rows = np.ascontiguousarray(rows, dtype=np.int64)
        self.tables = tables_of(plan)
        self.driven = len(plan.inputs)
        self.closed = plan.closed_form
        self.blocks = bool(np.any(plan.segments[:, 0] == BLOCK))
        self.V, self.G = plan.vectors.copy(), np.zeros_like(plan.vectors)
        self.inputs, self.state = input_table(plan), plan.state.copy()
        self.F = np.repeat(plan.vectors, LANES, axis=1)
        self.slopes = np.zeros_like(self.F)
        self.lanes = np.zeros((self.inputs.shape[1], LANES))
        self.no_states = np.zeros((0, 1))

    def __call__(self, goals: Floats) -> Trace:
        """Positions at the goals (frames, drives), one by one; stops where the linkage cannot follow."""
        goals = np.ascontiguousarray(goals, dtype=float).reshape(-1, self.driven)
        self.out = np.empty((len(self.rows), 2, len(goals)))
        self.done, self.failed, self.here = 0, ALL_CLOSED, self.plan.drawn
        if self.closed:
            self._in_lanes(goals, len(goals), self.no_states, 1)
        else:
            self.state[:] = self.plan.state
            if not self.blocks:
                self._by_knots(goals)
            self._one_by_one(goals, len(goals))
        return Trace(self.out[:, :, : self.done], self.done, self.here, self.failed)

    def _by_knots(self, goals: Floats) -> None:
        step = np.abs(np.diff(goals, axis=0)).max(initial=0.0)
        every = int(min(KNOT_SPACING / step, MOST_SPACING)) if step > 0 else MOST_SPACING
        if every < 2 or len(goals) < 4 * every:
            return
        knots = goals[::every].copy()
        states = np.empty((len(knots), self.inputs.shape[1] - self.driven))
        state = self.state.copy()
        count = knot_states.compiled(
            self.tables, self.V, self.G, self.inputs, state, self.driven, self.here, knots, states
        )
        if count >= KNOTS_OF_A_CUBIC:
            whole = len(goals) if count == len(knots) else (count - 1) * every + 1
            self._in_lanes(goals, whole, states[:count], every)

    def _in_lanes(self, goals: Floats, until: int, states: Floats, every: int) -> None:
        """Fill frames up to `until`; a group of lanes that does not close is followed one by one."""
        plan = self.plan
        while self.done < until and self.failed == ALL_CLOSED:
            self.done = fill_lanes.compiled(
                plan.ops, plan.segments, plan.slopes, self.F, self.slopes, self.lanes, self.driven,
                goals, states, every, self.rows, self.out, self.done, until,
            )  # fmt: skip
            if self.done:
                self.here = goals[self.done - 1]
            if self.done < until:
                self._one_by_one(goals, min(self.done + LANES, until), states, every)
            elif not self.closed:
                self.state[: states.shape[1]] = self.lanes[self.driven :, -1]

    def _one_by_one(self, goals: Floats, until: int, states: Floats | None = None, every: int = 1) -> None:
        """Frames up to `until`, from the last one done, or from the knot before it."""
        if self.done >= until or self.failed != ALL_CLOSED:
            return
        start = self.here
        if self.closed:
            start = goals[self.done]
        elif states is not None:
            knot = self.done // every
            start = goals[knot * every]
            self.state[: states.shape[1]] = states[knot]
        count, self.failed = follow_points.compiled(
            self.tables, self.V, self.G, self.inputs, self.state, self.driven, start.copy(),
            goals[self.done : until], self.rows, self.out[:, :, self.done :],
        )  # fmt: skip
        self.done += count
        self.here = self.inputs[0, : self.driven].copy()


def _knot_sample() -> tuple[Any, ...]:
    tables, V, G, inputs, state, driven = _frame_sample()
    return tables, V, G, inputs, state, driven, np.array([0.7]), np.array([[0.7], [0.8]]), np.zeros((2, 0))


@kernel(sample=_knot_sample)
def knot_states(tables, V, G, inputs, state, driven, start, knots, states):  # type: ignore[no-untyped-def]
    """Guesses at the knots, one after the other; how many were reached."""
    last = start.copy()
    for k in range(knots.shape[0]):
        _, failed = advance(tables, V, G, inputs, state, driven, last, knots[k])
        if failed != ALL_CLOSED:
            return k
        for j in range(states.shape[1]):
            states[k, j] = state[j]
        last[:] = knots[k]
    return knots.shape[0]


def _follow_sample() -> tuple[Any, ...]:
    tables, V, G, inputs, state, driven, start, knots, _ = _knot_sample()
    return tables, V, G, inputs, state, driven, start, knots, np.array([5, 6]), np.zeros((2, 2, 2))


@kernel(sample=_follow_sample)
def follow_points(tables, V, G, inputs, state, driven, start, goals, rows, out):  # type: ignore[no-untyped-def]
    """Fill frames one after the other; returns how many, and what failed."""
    ops, segments, bodies, equations, blocks, ratios, reach, slopes, size = tables
    ours = (
        borrowed(ops), borrowed(segments), borrowed(bodies), borrowed(equations), borrowed(blocks),
        borrowed(ratios), borrowed(reach), borrowed(slopes), size,
    )  # fmt: skip
    V, G, inputs, state = borrowed(V), borrowed(G), borrowed(inputs), borrowed(state)
    last, kept = start.copy(), state.copy()
    for f in range(goals.shape[0]):
        for k in range(driven):
            inputs[0, k] = goals[f, k]
        kept[:] = state
        failed = solve_frame(ours, V, G, inputs, state, driven)
        if failed != ALL_CLOSED:
            state[:] = kept
            _, failed = advance(ours, V, G, inputs, state, driven, last, goals[f])
        if failed != ALL_CLOSED:
            return f, failed
        for k in range(rows.shape[0]):
            out[k, 0, f], out[k, 1, f] = V[rows[k], 0], V[rows[k], 1]
        last[:] = goals[f]
    return goals.shape[0], ALL_CLOSED


def _fill_sample() -> tuple[Any, ...]:
    F, G, row, _, inputs, _ = _turn_sample()
    segments = np.array([[STRAIGHT, 0, 1, 0, 0, 0]], dtype=np.int64)
    goals, out = np.linspace(0, 1, 200).reshape(-1, 1), np.zeros((1, 2, 200))
    return (
        row.reshape(1, -1), segments, np.zeros(1), F, G, inputs, 1,
        goals, np.zeros((0, 1)), 1, np.array([7]), out, 0, 200,
    )  # fmt: skip


@kernel(sample=_fill_sample)
def fill_lanes(ops, segments, slopes, F, G, lanes, driven, goals, states, every, rows, out, lo, hi):  # type: ignore[no-untyped-def]
    """Fill frames lo..hi in groups of LANES; returns the first frame of the group that fails, or hi."""
    for first in range(lo, hi, LANES):
        count = min(LANES, hi - first)
        for k in range(driven):
            for f in range(count):
                lanes[k, f] = goals[first + f, k]
            for f in range(count, LANES):
                lanes[k, f] = goals[first + count - 1, k]
        predict(states, every, first, count, lanes, driven)
        if not close_lanes(ops, segments, slopes, F, G, lanes):
            return first
        for k in range(rows.shape[0]):
            out[k, 0, first : first + count] = F[rows[k], :count]
            out[k, 1, first : first + count] = F[rows[k], LANES : LANES + count]
    return hi


@kernel(sample=lambda: (np.arange(10.0).reshape(5, 2), 4, 3, 9, np.zeros((3, LANES)), 1))
def predict(states, every, first, count, lanes, driven):  # type: ignore[no-untyped-def]
    """A cubic through the four knots about each frame, for every guess."""
    last = states.shape[0] - 4
    for j in range(lanes.shape[0] - driven if last >= 0 else 0):
        for f in range(LANES):
            at = (first + min(f, count - 1)) / every
            k = min(max(int(at) - 1, 0), last)
            t = at - k
            a, b, c, d = states[k, j], states[k + 1, j], states[k + 2, j], states[k + 3, j]
            lanes[driven + j, f] = (
                a * (1 - t) * (2 - t) * (3 - t) / 6
                + b * t * (2 - t) * (3 - t) / 2
                - c * t * (1 - t) * (3 - t) / 2
                + d * t * (1 - t) * (2 - t) / 6
            )


def _close_sample() -> tuple[Any, ...]:
    row, segments, slopes, F, G, inputs, *_ = _fill_sample()
    return row, segments, slopes, F, G, inputs


@kernel(sample=_close_sample)
def close_lanes(ops, segments, slopes, F, G, lanes):  # type: ignore[no-untyped-def]
    """Solve a group of lanes from its predicted guesses; False where one does not close on its branch."""
    for s in range(segments.shape[0]):
        lo, hi = segments[s, 1], segments[s, 2]
        if segments[s, 0] == STRAIGHT:
            if run_lanes(ops, lo, hi, F, G, lanes, 0, -1):
                return False
        elif not close_cut_lanes(ops, lo, hi, F, G, lanes, segments[s, 3], segments[s, 4], slopes[s]):
            for i in range(lo, hi):
                G[ops[i, 1]] = 0.0
            return False
    return True


@kernel(sample=lambda: (_close_sample()[0], 0, 1, *_close_sample()[3:], 0, 7, 1.0))
def close_cut_lanes(ops, lo, hi, F, G, lanes, source, row, side):  # type: ignore[no-untyped-def]
    """Newton on one cut in all lanes, on the branch where the row's derivative has the sign of `side`."""
    guess, step = lanes[source], np.empty(LANES)
    for _ in range(MOST_LANE_STEPS):
        if run_lanes(ops, lo, hi, F, G, lanes, 1, source):
            return False
        gap, slope = F[row], G[row]
        worst, astray = 0.0, False
        for f in range(LANES):
            astray |= not slope[f] * side > 0.0
            step[f] = -gap[f] / slope[f]
            guess[f] += step[f]
            worst = max(worst, abs(step[f]))
        if astray:
            return False
        if worst < LAST_STEP:  # the rest is linear to rounding: move along the derivatives
            for i in range(lo, hi):
                o, g = F[ops[i, 1]], G[ops[i, 1]]
                for f in range(LANES):
                    o[f] += g[f] * step[f]
                    o[LANES + f] += g[LANES + f] * step[f]
                    g[f] = 0.0
                    g[LANES + f] = 0.0
            return True
    return False
