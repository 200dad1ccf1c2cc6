"""Many frames: along a drive, with positions, derivatives and the place where it stops.

Frames follow one another from the closed drawing, each starting at the state of
the one before. A plan in closed form needs no such start: its frames follow
from their inputs alone. Rates are by the path parameter: inputs move as
`rates` and `accelerations` say: one row for all frames, and of rates also one for each.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.frame import (
    ALL_CLOSED,
    _frame_sample,
    advance,
    differentiate,
    input_table,
    solve_frame,
    tables_of,
)
from detent.kinematics.planning.tables import Plan
from detent.numeric.kernels import kernel

# Elementary steps (see numeric.kernel) that one operation costs in a frame, with and without derivatives.
STEPS_AN_OP = {0: 6, 2: 25}
UNEVEN = 1e-6  # relative: steps that differ by more are not extrapolated over


@dataclass(frozen=True)
class Frames:
    """Rows of the vector table in each frame, up to the last that closes."""

    inputs: Floats  # (frames, drives)
    values: Floats  # (frames, rows, 2)
    first: Floats | None  # derivatives, where asked for; not finite at a limit
    second: Floats | None
    reached: Floats  # inputs at the very end: those of the last frame, or where it broke
    failed: int  # WELL, or the row of ops (FAILED - segment for a cut or block) that cannot close
    last: Floats  # rows at `reached`
    compiled: bool


def sweep(
    plan: Plan,
    goals: Floats,
    *,
    order: int = 0,
    rates: Floats | None = None,
    accelerations: Floats | None = None,
) -> Frames:
    """Move through the goals (frames, drives) one by one; stops where the linkage cannot follow."""
    goals = np.ascontiguousarray(goals, dtype=float).reshape(-1, len(plan.inputs))
    count, rows = len(goals), len(plan.vectors)
    V, G = plan.vectors.copy(), np.zeros_like(plan.vectors)
    V1, V2 = np.zeros_like(V), np.zeros_like(V)
    inputs, state = input_table(plan), plan.state.copy()
    driven = len(plan.inputs)
    inputs[2, :driven] = 0.0 if accelerations is None else accelerations
    speeds = np.ascontiguousarray(np.broadcast_to(1.0 if rates is None else rates, goals.shape), dtype=float)
    out = np.empty((count, rows, 2))
    room = count if order else 0
    out1, out2 = np.empty((room, rows, 2)), np.empty((room, rows, 2))
    work = STEPS_AN_OP[order] * max(len(plan.ops), 1) * count * (1 if plan.closed_form else 20)
    run = follow.at(work)
    start = goals[0].copy() if plan.closed_form and count else plan.drawn.copy()
    with np.errstate(all="ignore"):  # at a dead point derivatives have no bound
        done, failed = run(
            tables_of(plan),
            V,
            G,
            V1,
            V2,
            inputs,
            state,
            driven,
            start,
            goals,
            speeds,
            order,
            out,
            out1,
            out2,
        )
    reached = inputs[0, :driven].copy()
    return Frames(
        inputs=goals[:done],
        values=out[:done],
        first=out1[:done] if order else None,
        second=out2[:done] if order else None,
        reached=reached,
        failed=int(failed),
        last=V,
        compiled=follow.speed(work) == "compiled",
    )


def _follow_sample() -> tuple[Any, ...]:
    tables, V, G, inputs, state, driven = _frame_sample()
    goals = np.array([[0.7], [0.8]])
    out = np.zeros((2, 8, 2))
    return tables, V, G, V * 0, V * 0, inputs, state, driven, goals[0], goals, goals, 2, out, out * 0, out * 0


@kernel(sample=_follow_sample)
def follow(tables, V, G, V1, V2, inputs, state, driven, start, goals, rates, order, out, out1, out2):  # type: ignore[no-untyped-def]
    """Fill the frames; returns how many, and what failed."""
    last = start.copy()
    guesses = inputs.shape[1] - driven if state.shape[0] else 0
    one, two, three = state.copy(), state.copy(), state.copy()
    for f in range(goals.shape[0]):
        solved = False
        if guesses > 0 and f > 3:
            even = True
            for k in range(driven):
                step = goals[f, k] - goals[f - 1, k]
                if abs(step - (goals[f - 1, k] - goals[f - 2, k])) > UNEVEN * abs(step):
                    even = False
            if even:  # a parabola through the last three guesses; the guard below still decides
                for k in range(guesses):
                    state[k] = 3 * one[k] - 3 * two[k] + three[k]
                for k in range(driven):
                    inputs[0, k] = goals[f, k]
                solved = solve_frame(tables, V, G, inputs, state, driven) == ALL_CLOSED
                if not solved:
                    state[:] = one
        if not solved:
            _, failed = advance(tables, V, G, inputs, state, driven, last, goals[f])
            if failed != ALL_CLOSED:
                return f, failed
        out[f] = V
        if order > 0:
            for k in range(driven):
                inputs[1, k] = rates[f, k]
            for k in range(driven, inputs.shape[1]):
                inputs[1, k], inputs[2, k] = 0.0, 0.0
            differentiate(tables, V, V1, V2, inputs, state, driven)
            out1[f], out2[f] = V1, V2
            for k in range(driven, inputs.shape[1]):
                inputs[1, k], inputs[2, k] = 0.0, 0.0
        last[:] = goals[f]
        three[:] = two
        two[:] = one
        one[:] = state
    return goals.shape[0], ALL_CLOSED
