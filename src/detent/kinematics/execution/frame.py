"""Move time: one frame of a plan, and the path from one frame to the next.

A cut is closed by Newton on its one row, with the exact derivative by the guess;
a block by Newton in its unknowns. On a branch the sign of a cut's derivative,
and of a square block's determinant, never changes: a wrong sign or a failed
solve means that the step was too long or that the linkage cannot follow, so the
step is halved from the last good state. What is left when it cannot be halved
further is the break.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from detent.kinematics.execution.block_step import row_columns, shortest_step, slots_of
from detent.kinematics.execution.bodies import (
    LONGEST_TURN,
    MOST_NEWTON,
    STILL,
    block_rates,
    block_rows,
    place_bodies,
)
from detent.kinematics.execution.chains import CLOSED, RANK_DROPS, close_chain, is_chain
from detent.kinematics.operations.ops import run_ops
from detent.kinematics.planning.blocks import WIDTH
from detent.kinematics.planning.tables import BLOCK, CUT, STRAIGHT, Plan
from detent.numeric.kernels import kernel

ALL_CLOSED = -1  # a frame that closes; else the row of `ops` that cannot, or FAILED - segment
FAILED = -2
# A cut's last step: Newton squares the error, so after this one it is rounding [rad].
LAST_STEP = 1e-8
# A last step so short [rad] moves points along their derivatives: what that leaves out, its square over
# the cube of a root's share of the size, is rounding until a dyad has lost half its digits anyway.
STRAIGHT_STEP = 1e-11
# A step of Newton's that is not at most this part of the one before may lead to another root.
CONTRACTS = 0.25
# Smallest part of a step that is tried: 2^-30, a limit located to about 1e-9 of the step.
SHORTEST = 2.0**-30
# Elementary steps (see numeric.kernel) that closing a drawn block takes for each of its rows.
STEPS_A_ROW = 200


def _frame_sample() -> tuple[Any, ...]:
    from detent.kinematics.execution.bodies import _chain
    from detent.kinematics.operations.ops import _sample

    ops, _, _, V, V1, _, inputs, _, _ = _sample()
    _, bodies, equations = _chain()
    segments = np.array([[STRAIGHT, 0, 3, 0, 0, 0]], dtype=np.int64)
    blocks = np.zeros((0, 8), dtype=np.int64)
    return (
        (ops, segments, bodies, equations, blocks, np.zeros((1, 2)), np.ones(2), np.ones(1), 1.0),
        V,
        V1,
        inputs,
        np.zeros(1),
        1,
    )


@kernel(sample=_frame_sample)
def solve_frame(tables, V, G, inputs, state, driven):  # type: ignore[no-untyped-def]
    """Solve one frame from the state before it; WELL, or what failed.

    `inputs` has a column for each drive, then one for each guess; `G` is a
    scratch table of derivatives by a guess, zero before and after.
    """
    ops, segments, bodies, equations, blocks, ratios, reach, slopes, size = tables
    for s in range(segments.shape[0]):
        kind, lo, hi = segments[s, 0], segments[s, 1], segments[s, 2]
        if kind == STRAIGHT:
            broken = run_ops(ops, lo, hi, V, G, G, inputs, 0, False)
            if broken >= 0:
                return broken
        elif kind == CUT:
            source, row = segments[s, 3], segments[s, 4]
            slope = close_cut(ops, lo, hi, V, G, inputs, source, row, state[source - driven], LONGEST_TURN)
            if slope == 0.0 or slope * slopes[s] < 0.0:
                return FAILED - s
            state[source - driven] = inputs[0, source]
        else:
            k = segments[s, 3]
            sign = close_block(V, G, bodies, equations, ratios, reach, blocks, k, state, size)
            if sign == FAILED or sign * slopes[s] < 0.0:
                return FAILED - s
    return ALL_CLOSED


def _cut_sample() -> tuple[Any, ...]:
    from detent.kinematics.operations.ops import _sample

    ops, _, _, V, V1, _, inputs, _, _ = _sample()
    return ops, 0, 3, V, V1, inputs, 0, 6, 0.7, LONGEST_TURN


@kernel(sample=_cut_sample)
def close_cut(ops, lo, hi, V, G, inputs, source, row, start, before):  # type: ignore[no-untyped-def]
    """Find the guess that closes the row; returns the row's derivative by it, 0.0 where it does not close.

    `before` is the step that led to `start`: the first of Newton's must be plainly shorter.
    """
    guess, step = start, 0.0
    slope = 0.0
    inputs[1, source] = 1.0
    done = False
    for _ in range(MOST_NEWTON):
        inputs[0, source] = guess
        if run_ops(ops, lo, hi, V, G, G, inputs, 1, False) >= 0:
            break  # a dyad inside cannot close there
        slope = G[row, 0]
        if slope == 0.0 or not math.isfinite(slope):
            break
        step = -V[row, 0] / slope
        if abs(step) > CONTRACTS * before and abs(step) > LAST_STEP:
            break  # not plainly the root that it came from: a shorter step is asked for
        before = abs(step)
        guess += step
        if abs(step) < LAST_STEP:
            inputs[0, source] = guess
            done = abs(step) < STRAIGHT_STEP or run_ops(ops, lo, hi, V, G, G, inputs, 0, False) < 0
            break
    along = step if done and abs(step) < STRAIGHT_STEP else 0.0
    inputs[1, source] = 0.0
    for i in range(lo, hi):
        o, disc = ops[i, 1], ops[i, 7]
        if along != 0.0:
            V[o, 0] += along * G[o, 0]
            V[o, 1] += along * G[o, 1]
            V[disc, 0] += along * G[disc, 0]
        G[o, 0] = 0.0
        G[o, 1] = 0.0
        G[disc, 0] = 0.0
    return slope if done else 0.0


def _block_sample() -> tuple[Any, ...]:
    from detent.kinematics.execution.bodies import _chain

    V, bodies, equations = _chain()
    blocks = np.array([[0, 2, 0, 1, 2, 2, 0, 1]], dtype=np.int64)
    return V, V * 0, bodies, equations, np.zeros((1, 2)), np.ones(2), blocks, 0, np.array([1.0, 2.0]), 1.0


@kernel(sample=_block_sample)
def close_block(V, G, bodies, equations, ratios, reach, blocks, k, state, size):  # type: ignore[no-untyped-def]
    """Newton on a block; the determinant's sign (0 where it has none), or FAILED."""
    block_bodies = bodies[blocks[k, 0] : blocks[k, 1]]
    rows = equations[blocks[k, 2] : blocks[k, 3]]
    far = reach[blocks[k, 0] : blocks[k, 1]]
    rate = ratios[blocks[k, 2] : blocks[k, 3]]
    n, m, first, band = blocks[k, 4], blocks[k, 5], blocks[k, 6], blocks[k, 7]
    q = state[first : first + n]
    if is_chain(n, m, rows.shape[0], band):
        outcome = close_chain(V, block_bodies, rows, far, q, size)
        if outcome != RANK_DROPS:
            return 0 if outcome == CLOSED else FAILED
    slots = slots_of(rows)
    J, N = np.zeros((m, WIDTH * slots)), np.empty((m, band + 1))
    r, x = np.zeros(m), np.zeros(n)
    columns = np.empty((m, 2 * slots), dtype=np.int64)
    row_columns(block_bodies, rows, columns)
    sign = 0
    before = 1e300
    stride = LONGEST_TURN * size
    for _ in range(MOST_NEWTON):
        place_bodies(V, G, G, block_bodies, q, q, q, 0)
        if m == 0:
            return 0
        block_rows(V, block_bodies, rows, rate, far, q, size, r, J)
        gap = 0.0
        for i in range(m):
            gap = max(gap, abs(r[i]))
        if gap <= STILL * size or (gap <= 1e3 * STILL * size and gap >= 0.5 * before):
            if sign == 0 and m == n:
                sign = shortest_step(J, r, x, band, N, columns)
            return sign
        before = gap
        sign = shortest_step(J, r, x, band, N, columns)
        if m == n:  # one branch to keep: the same guard as a cut's
            longest = 0.0
            for j in range(n):
                longest = max(longest, abs(x[j]))
            if longest > CONTRACTS * stride and longest > LAST_STEP * size:
                return FAILED
            stride = longest
        for b in range(block_bodies.shape[0]):
            f = block_bodies[b, 1]
            column = f + 2 if block_bodies[b, 0] == 0 else f
            if block_bodies[b, 0] != 2:
                x[column] /= far[b]
                if abs(x[column]) > LONGEST_TURN:
                    x[column] = math.copysign(LONGEST_TURN, x[column])
        for j in range(n):
            q[j] += x[j]
    return FAILED


def _advance_sample() -> tuple[Any, ...]:
    tables, V, G, inputs, state, driven = _frame_sample()
    return tables, V, G, inputs, state, driven, np.array([0.7]), np.array([0.8])


@kernel(sample=_advance_sample)
def advance(tables, V, G, inputs, state, driven, start, goal):  # type: ignore[no-untyped-def]
    """From inputs `start` to `goal`, halving where it fails; the share that was reached, and what failed."""
    share, step = 0.0, 1.0
    kept = state.copy()
    failed = ALL_CLOSED
    while share < 1.0:
        next_share = min(1.0, share + step)
        for k in range(driven):
            inputs[0, k] = start[k] + next_share * (goal[k] - start[k]) if next_share < 1.0 else goal[k]
        failed = solve_frame(tables, V, G, inputs, state, driven)
        if failed == ALL_CLOSED:
            share = next_share
            step *= 2.0
            kept[:] = state
            continue
        state[:] = kept
        step *= 0.5
        if step < SHORTEST:
            break
    if share < 1.0:
        for k in range(driven):
            inputs[0, k] = start[k] + share * (goal[k] - start[k])
        solve_frame(tables, V, G, inputs, state, driven)
        state[:] = kept
        return share, failed
    return 1.0, ALL_CLOSED


def _jets_sample() -> tuple[Any, ...]:
    tables, V, G, inputs, state, driven = _frame_sample()
    return tables, V, G, V * 0, inputs, state, driven


@kernel(sample=_jets_sample)
def differentiate(tables, V, V1, V2, inputs, state, driven):  # type: ignore[no-untyped-def]
    """First and second derivatives of a solved frame, by what moves the inputs (rates in rows 1 and 2)."""
    ops, segments, bodies, equations, blocks, ratios, reach, _, size = tables
    for s in range(segments.shape[0]):
        kind, lo, hi = segments[s, 0], segments[s, 1], segments[s, 2]
        if kind == STRAIGHT:
            run_ops(ops, lo, hi, V, V1, V2, inputs, 2, False)
        elif kind == CUT:
            source, row = segments[s, 3], segments[s, 4]
            inputs[0, source] = state[source - driven]
            # The row's rate is linear in the guess's: two values give its slope, then its zero.
            inputs[1, source], inputs[2, source] = 0.0, 0.0
            run_ops(ops, lo, hi, V, V1, V2, inputs, 1, False)
            still = V1[row, 0]
            inputs[1, source] = 1.0
            run_ops(ops, lo, hi, V, V1, V2, inputs, 1, False)
            slope = V1[row, 0] - still
            inputs[1, source] = -still / slope
            run_ops(ops, lo, hi, V, V1, V2, inputs, 2, False)
            inputs[2, source] = -V2[row, 0] / slope
            run_ops(ops, lo, hi, V, V1, V2, inputs, 2, False)
        else:
            k = segments[s, 3]
            differentiate_block(V, V1, V2, bodies, equations, ratios, reach, blocks, k, state, size)


def _block_jets_sample() -> tuple[Any, ...]:
    V, G, bodies, equations, ratios, reach, blocks, k, state, size = _block_sample()
    return V, G, G.copy(), bodies, equations, ratios, reach, blocks, k, state, size


@kernel(sample=_block_jets_sample)
def differentiate_block(V, V1, V2, bodies, equations, ratios, reach, blocks, k, state, size):  # type: ignore[no-untyped-def]
    """Derivatives of a block: J q' = -(what moves with q still), and once more."""
    block_bodies = bodies[blocks[k, 0] : blocks[k, 1]]
    rows = equations[blocks[k, 2] : blocks[k, 3]]
    far = reach[blocks[k, 0] : blocks[k, 1]]
    rate = ratios[blocks[k, 2] : blocks[k, 3]]
    n, m, first, band = blocks[k, 4], blocks[k, 5], blocks[k, 6], blocks[k, 7]
    q = state[first : first + n]
    slots = slots_of(rows)
    J, N = np.zeros((m, WIDTH * slots)), np.empty((m, band + 1))
    columns = np.empty((m, 2 * slots), dtype=np.int64)
    row_columns(block_bodies, rows, columns)
    r, q1, q2 = np.zeros(m), np.zeros(n), np.zeros(n)
    place_bodies(V, V1, V2, block_bodies, q, q1, q2, 2)
    if m == 0:
        return
    block_rows(V, block_bodies, rows, rate, far, q, size, r, J)
    block_rates(V, V1, V2, block_bodies, rows, size, r, 1)
    shortest_step(J, r, q1, band, N, columns)
    unscale(block_bodies, far, q1)
    place_bodies(V, V1, V2, block_bodies, q, q1, q2, 2)
    block_rates(V, V1, V2, block_bodies, rows, size, r, 2)
    shortest_step(J, r, q2, band, N, columns)
    unscale(block_bodies, far, q2)
    place_bodies(V, V1, V2, block_bodies, q, q1, q2, 2)


@kernel(sample=lambda: (np.array([[1, 0, 0, 0, 0, 0, 0, 0]]), np.ones(1), np.ones(1)))
def unscale(bodies, reach, x):  # type: ignore[no-untyped-def]
    """Turns again from arcs."""
    for b in range(bodies.shape[0]):
        f = bodies[b, 1]
        if bodies[b, 0] == 0:
            x[f + 2] /= reach[b]
        elif bodies[b, 0] == 1:
            x[f] /= reach[b]


def tables_of(plan: Plan) -> tuple[Any, ...]:
    """What the kernels take of a plan."""
    return (
        plan.ops,
        plan.segments,
        plan.bodies,
        plan.equations,
        plan.blocks,
        plan.ratios,
        plan.reach,
        plan.slopes,
        plan.system.size,
    )


def input_table(plan: Plan) -> Any:
    """Room for values, rates and accelerations of drives, then of guesses."""
    cuts = int(np.sum(plan.segments[:, 0] == CUT))
    return np.zeros((3, max(1, len(plan.inputs) + cuts)))


def with_slopes(plan: Plan) -> Plan:
    """The plan with the signs that its branch keeps, read at the closed drawing."""
    V, G = plan.vectors.copy(), np.zeros_like(plan.vectors)
    inputs, state = input_table(plan), plan.state.copy()
    driven = len(plan.inputs)
    inputs[0, :driven] = plan.drawn
    ops, segments, bodies, equations, blocks, ratios, reach, _, size = tables_of(plan)
    slopes = np.zeros(len(segments))
    for s, (kind, lo, hi, which, row, _) in enumerate(segments):
        if kind == STRAIGHT:
            run_ops(ops, lo, hi, V, G, G, inputs, 0, True)
        elif kind == CUT:
            start = state[which - driven]
            slopes[s] = np.sign(close_cut(ops, lo, hi, V, G, inputs, which, row, start, LONGEST_TURN))
            state[which - driven] = inputs[0, which]
        else:
            assert kind == BLOCK
            run = close_block.at(STEPS_A_ROW * int(blocks[which, 5]))
            sign = run(V, G, bodies, equations, ratios, reach, blocks, which, state, size)
            slopes[s] = 0.0 if sign == FAILED else sign
    return replace(plan, slopes=slopes, vectors=V, state=state)
