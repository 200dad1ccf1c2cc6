"""One frame a call, for dragging: the whole plan and its state in one block of memory.

A compiled function pays for each argument it unpacks, more than for the frame itself, so all tables
lie behind one another in a single array, which the kernel takes apart again. Each call goes on from
the frame before, on its branch; where the linkage cannot follow it goes as far as it can (the
searching policy of Brunkhart 1994, section 3.3.5).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.kinematics.execute import (
    FAILED,
    WELL,
    _frame_sample,
    advance,
    close_cut,
    input_table,
    solve_frame,
    tables_of,
)
from detent.kinematics.ops import run_ops
from detent.kinematics.rows import Floats
from detent.kinematics.tables import BLOCK, STRAIGHT, Ints, Plan
from detent.numeric.kernel import kernel

# Tables in the order in which they are packed: those that the kernels take of a plan, then the state.
OPS, SEGMENTS, BODIES, EQUATIONS, BLOCKS, RATIOS, REACH, SLOPES, SIZE = range(9)
VALUES, SCRATCH, INPUTS, STATE, KEPT, HERE, GOAL = range(9, 16)
TABLES = 16
ENTRY = 3  # of the header, for each table: where it begins, rows, columns


class Stepper:
    """`to(inputs)` solves one frame: x and y of each point in turn, in metres.

    The points are rows first..last of the plan's vectors. `failed` says whether the last inputs were
    reached (WELL), else what could not close; `reached` has the inputs of the pose returned.
    """

    def __init__(self, plan: Plan, first: int, last: int) -> None:
        self.failed = WELL
        memory, found = packed(plan)
        self.reached = found[HERE]
        self.values = found[VALUES].reshape(-1, 2)  # all rows of the plan, as they stand
        points, goal, many = found[VALUES][2 * first : 2 * last].tolist, found[GOAL], len(plan.inputs) > 1
        kinds = plan.segments[:, 0]
        if np.all(kinds == STRAIGHT):
            run = step_straight.compiled
        else:
            run = step_blocks.compiled if np.any(kinds == BLOCK) else step_cuts.compiled
        halve = step_halving.compiled

        def to(*inputs: float) -> list[float]:
            if many:
                goal[:] = inputs
            self.failed = run(memory, inputs[0])
            if self.failed != WELL:
                self.failed = halve(memory)
            return points()  # type: ignore[no-any-return]

        self.to = to


def packed(plan: Plan) -> tuple[Ints, dict[int, Floats]]:
    """The block of memory, and views of its tables of floats."""
    state, driven = plan.state, plan.drawn
    *tables, size = tables_of(plan)
    tables += [np.array([size]), plan.vectors, np.zeros_like(plan.vectors), input_table(plan)]
    tables += [state, state, driven, driven]
    return _pack(tables)


def _pack(tables: list[Any]) -> tuple[Ints, dict[int, Floats]]:
    assert len(tables) == TABLES
    header = np.zeros(ENTRY * TABLES, dtype=np.int64)
    at = len(header)
    for k, table in enumerate(tables):
        header[ENTRY * k : ENTRY * (k + 1)] = at, table.shape[0], table.shape[1] if table.ndim == 2 else 1
        at += table.size
    memory = np.concatenate([header, *(np.ascontiguousarray(t).reshape(-1).view(np.int64) for t in tables)])
    views = {}
    for k, table in enumerate(tables):
        if table.dtype == np.float64:
            views[k] = memory[header[ENTRY * k] :][: table.size].view(np.float64)
    return memory, views


def _memory_sample() -> tuple[Any, ...]:
    (*tables, size), V, G, inputs, state, _ = _frame_sample()
    one = np.array([0.7])
    return _pack([*tables, np.array([size]), V, G, inputs, state, state, one, one])[0], 0.8


@kernel(sample=lambda: (_memory_sample()[0], _memory_sample()[0], OPS))
def table_of(memory, seen, k):  # type: ignore[no-untyped-def]
    """A table of `memory` in `seen`, which is `memory` itself, or the same as floats."""
    at, rows, columns = memory[ENTRY * k], memory[ENTRY * k + 1], memory[ENTRY * k + 2]
    return seen[at : at + rows * columns].reshape((rows, columns))


@kernel(sample=_memory_sample)
def step_straight(memory, first_goal):  # type: ignore[no-untyped-def]
    """A frame of a plan in closed form: it follows from the goal alone, whose first input is given here."""
    floats = memory.view(np.float64)
    goal, here = memory[ENTRY * GOAL], memory[ENTRY * HERE]
    ops, V, inputs = (
        table_of(memory, memory, OPS),
        table_of(memory, floats, VALUES),
        table_of(memory, floats, INPUTS),
    )
    floats[goal] = first_goal
    for k in range(memory[ENTRY * GOAL + 1]):
        inputs[0, k] = floats[goal + k]
    failed = run_ops(ops, 0, ops.shape[0], V, V, V, inputs, 0, False)
    if failed == WELL:
        for k in range(memory[ENTRY * GOAL + 1]):
            floats[here + k] = floats[goal + k]
    return failed


@kernel(sample=_memory_sample)
def step_cuts(memory, first_goal):  # type: ignore[no-untyped-def]
    """A frame of a plan without blocks, from the guesses of the frame before."""
    floats = memory.view(np.float64)
    goal, here, state = memory[ENTRY * GOAL], memory[ENTRY * HERE], memory[ENTRY * STATE]
    driven, guesses = memory[ENTRY * GOAL + 1], memory[ENTRY * STATE + 1]
    kept, size = memory[ENTRY * KEPT], floats[memory[ENTRY * SIZE]]
    ops, segments = table_of(memory, memory, OPS), table_of(memory, memory, SEGMENTS)
    V, G = table_of(memory, floats, VALUES), table_of(memory, floats, SCRATCH)
    inputs, slopes = table_of(memory, floats, INPUTS), memory[ENTRY * SLOPES]
    floats[goal] = first_goal
    for k in range(driven):
        inputs[0, k] = floats[goal + k]
    for j in range(guesses):
        floats[kept + j] = floats[state + j]
    for s in range(segments.shape[0]):
        lo, hi = segments[s, 1], segments[s, 2]
        if segments[s, 0] == STRAIGHT:
            failed = run_ops(ops, lo, hi, V, G, G, inputs, 0, False)
            if failed != WELL:
                return failed
            continue
        source = segments[s, 3]
        at = state + source - driven
        slope = close_cut(ops, lo, hi, V, G, inputs, source, segments[s, 4], floats[at], size)
        if slope == 0.0 or slope * floats[slopes + s] < 0.0:
            return FAILED - s
        floats[at] = inputs[0, source]
    for k in range(driven):
        floats[here + k] = floats[goal + k]
    return WELL


@kernel(sample=lambda: _memory_sample()[:1])
def tables_in(memory):  # type: ignore[no-untyped-def]
    """The tables of a plan, as the kernels of `execute` take them."""
    floats = memory.view(np.float64)
    return (
        table_of(memory, memory, OPS),
        table_of(memory, memory, SEGMENTS),
        table_of(memory, memory, BODIES),
        table_of(memory, memory, EQUATIONS),
        table_of(memory, memory, BLOCKS),
        table_of(memory, floats, RATIOS),
        table_of(memory, floats, REACH)[:, 0],
        table_of(memory, floats, SLOPES)[:, 0],
        floats[memory[ENTRY * SIZE]],
    )


@kernel(sample=_memory_sample)
def step_blocks(memory, first_goal):  # type: ignore[no-untyped-def]
    """A frame of any plan, from the state of the frame before."""
    floats = memory.view(np.float64)
    V, G, inputs = (
        table_of(memory, floats, VALUES),
        table_of(memory, floats, SCRATCH),
        table_of(memory, floats, INPUTS),
    )
    state, kept = table_of(memory, floats, STATE)[:, 0], table_of(memory, floats, KEPT)[:, 0]
    here, goal = table_of(memory, floats, HERE)[:, 0], table_of(memory, floats, GOAL)[:, 0]
    goal[0] = first_goal
    kept[:] = state
    inputs[0, : goal.shape[0]] = goal
    failed = solve_frame(tables_in(memory), V, G, inputs, state, goal.shape[0])
    if failed == WELL:
        here[:] = goal
    return failed


@kernel(sample=lambda: _memory_sample()[:1])
def step_halving(memory):  # type: ignore[no-untyped-def]
    """Again from the frame before, in halves, as far towards the goal as the linkage can go."""
    floats = memory.view(np.float64)
    V, G, inputs = (
        table_of(memory, floats, VALUES),
        table_of(memory, floats, SCRATCH),
        table_of(memory, floats, INPUTS),
    )
    state, kept = table_of(memory, floats, STATE)[:, 0], table_of(memory, floats, KEPT)[:, 0]
    here, goal = table_of(memory, floats, HERE)[:, 0], table_of(memory, floats, GOAL)[:, 0]
    state[:] = kept
    _, failed = advance(tables_in(memory), V, G, inputs, state, goal.shape[0], here, goal)
    here[:] = inputs[0, : goal.shape[0]]
    return failed
