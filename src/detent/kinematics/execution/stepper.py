"""One frame a call, for dragging: the whole plan and its state in one block of memory.

A compiled function pays for each argument it unpacks, more than for the frame itself, so all tables
lie behind one another in a single block, of which it gets the address. Each call goes on from the
frame before, on its branch. The guess of a cut starts from a polynomial through the last frames, where
they went the same way in similar steps; the guards decide as ever. Where the linkage cannot follow it
goes as far as it can (the searching policy of Brunkhart 1994, section 3.3.5).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.kinematics.equations.rows import Floats
from detent.kinematics.execution.bodies import LONGEST_TURN
from detent.kinematics.execution.frame import (
    ALL_CLOSED,
    _frame_sample,
    advance,
    close_cut,
    input_table,
    solve_frame,
    tables_of,
)
from detent.kinematics.operations.ops import SIGN, run_ops
from detent.kinematics.planning.tables import BLOCK, STRAIGHT, Ints, Plan
from detent.numeric.kernels import kernel
from detent.numeric.memory import LENGTH, call_by_address, packed_tables, table

# Words before the header: how many there are in all, what failed, how many past frames are known.
FAILURE, KNOWN = LENGTH + 1, LENGTH + 2
HEAD = LENGTH + 3
# Tables in the order in which they are packed: those that the kernels take of a plan, then the state.
OPS, SEGMENTS, BODIES, EQUATIONS, BLOCKS, RATIOS, REACH, SLOPES, SIZE = range(9)
# HERE and GOAL are inputs of the plan, GIVEN those of the document: goal = given * UNIT + OFFSET.
VALUES, SCRATCH, INPUTS, STATE, KEPT, HERE, GOAL, GIVEN, UNIT, OFFSET = range(9, 19)
# Rows to give back, where they go, and a metre; past frames, the newest first: the input, then guesses;
# what each of them weighs in the next. Inputs of the plan between LOW and HIGH are known to be within reach.
SHOWN, OUT, METRE, PAST, WEIGHTS, LOW, HIGH = range(19, 26)
TABLES = 26
ENTRY = 3  # of the header, for each table: where it begins, rows, columns
# A quartic through five frames two millirad apart predicts a guess to rounding.
FRAMES_KEPT = 5
SIMILAR = 2.0  # steps of the last frames at most this many times longer or shorter than the one asked for

FARTHEST = float(np.finfo(float).max)

Guard = Callable[[tuple[float, ...]], list[float]]
Beyond = Callable[[tuple[float, ...], list[float]], list[float]]


class Stepper:
    """`to(inputs)` solves one frame: x and y of each point, one after the other.

    The points are `rows` of the plan's vectors, in parts of `metre`; inputs are the plan's once
    multiplied by `unit`, with `offset` added. `failed` is ALL_CLOSED where the last inputs were reached,
    else what could not close; `reached` has the plan's inputs of the pose returned. Where it could
    not follow, `beyond(inputs, points)` says what to give back instead. With a `guard` nothing is known to be
    within reach at first: inputs outside what `enter` has said are the guard's, which enters or puts a frame.
    """

    def __init__(
        self,
        plan: Plan,
        rows: Ints,
        *,
        metre: float = 1.0,
        unit: Floats | None = None,
        offset: Floats | None = None,
        beyond: Beyond | None = None,
        guard: Guard | None = None,
    ) -> None:
        unit = np.ones(len(plan.inputs)) if unit is None else unit
        offset = np.zeros(len(plan.inputs)) if offset is None else offset
        self._memory, views = packed(plan, rows, metre, unit, offset)
        self.reached = views[HERE]
        self.values = views[VALUES].reshape(-1, 2)  # all rows of the plan, as they are
        self._beyond, self._guard = beyond, guard
        self.goal, self._low, self._high = views[GOAL], views[LOW], views[HIGH]
        if guard is not None:
            self._low[:], self._high[:] = FARTHEST, -FARTHEST
        self._heir: Callable[..., list[float]] | None = None
        self._points, self._given = views[OUT].tolist, views[GIVEN]
        run, address, points = call_by_address(_step_of(plan)), self._memory.ctypes.data, self._points
        inputs, stop = self._given, self._stop

        def to(value: float) -> list[float]:
            if run(address, value):
                return stop(value)
            return points()  # type: ignore[no-any-return]

        def to_all(*values: float) -> list[float]:
            inputs[:] = values
            return to(values[0])

        def hand_over(heir: Callable[..., list[float]]) -> None:
            nonlocal run
            self._heir, run = heir, lambda *_: True

        self.to: Callable[..., list[float]] = to if len(plan.inputs) == 1 else to_all
        self.hand_over = hand_over  # from now on, who holds `to` is served by another

    @property
    def failed(self) -> int:
        return int(self._memory[FAILURE])

    def enter(self, plan: Plan, low: Floats, high: Floats) -> None:
        """From now on the branch of this plan, within reach between these inputs of the plan."""
        at, rows, columns = self._memory[HEAD + ENTRY * OPS : HEAD + ENTRY * OPS + ENTRY]
        self._memory[at : at + rows * columns].reshape(rows, columns)[:, SIGN] = plan.ops[:, SIGN]
        self._low[:], self._high[:] = np.maximum(low, -FARTHEST), np.minimum(high, FARTHEST)

    def fail(self, what: int) -> None:
        """Say that the inputs asked for were not reached, though the frame closes."""
        self._memory[FAILURE] = what

    def put(self, values: Floats, inputs: Floats, failed: int) -> list[float]:
        """Go to a frame that was found elsewhere."""
        self.values[:], self.reached[:] = values, inputs
        floats = self._memory.view(np.float64)
        at = self._memory[HEAD + ENTRY * INPUTS]
        floats[at : at + len(inputs)] = inputs
        arrive.compiled(self._memory, floats, failed)
        points: list[float] = self._points()
        return points

    def _stop(self, first: float) -> list[float]:
        """The frame did not close at once: in halves, then what lies beyond."""
        inputs = (first, *self._given[1:].tolist())
        if self._heir is not None:
            return self._heir(*inputs)
        if not all(math.isfinite(x) for x in inputs):
            raise ModelError.at("inputs", f"{list(inputs)} are not all numbers", "give finite inputs")
        if self._guard is not None and not np.all((self._low <= self.goal) & (self.goal <= self._high)):
            return self._guard(inputs)
        step_halving.compiled(self._memory)
        points: list[float] = self._points()
        return points if self.failed == ALL_CLOSED or self._beyond is None else self._beyond(inputs, points)


def _step_of(plan: Plan) -> Any:
    kinds = plan.segments[:, 0]
    if np.all(kinds == STRAIGHT):
        return step_straight
    return step_blocks if np.any(kinds == BLOCK) else step_cuts


def packed(
    plan: Plan, rows: Ints, metre: float, unit: Floats, offset: Floats
) -> tuple[Ints, dict[int, Floats]]:
    """The block of memory, and views of its tables of floats."""
    state, driven = plan.state, plan.drawn
    inputs = input_table(plan)
    *tables, size = tables_of(plan)
    tables += [np.array([size]), plan.vectors, np.zeros_like(plan.vectors), inputs]
    tables += [state, state, driven, driven, driven, unit, offset]
    tables += [rows, (plan.vectors[rows] / metre).ravel(), np.array([metre])]
    tables += [np.zeros((FRAMES_KEPT, 1 + inputs.shape[1] - len(driven))), np.zeros(FRAMES_KEPT)]
    tables += [np.full(len(driven), -FARTHEST), np.full(len(driven), FARTHEST)]
    return _pack(tables)


def _pack(tables: list[Any]) -> tuple[Ints, dict[int, Floats]]:
    assert len(tables) == TABLES
    memory, begins = packed_tables(tables, HEAD + ENTRY * TABLES)
    memory[FAILURE] = ALL_CLOSED
    views = {}
    for k, (each, at) in enumerate(zip(tables, begins, strict=True)):
        entry = HEAD + ENTRY * k
        memory[entry : entry + ENTRY] = at, each.shape[0], each.shape[1] if each.ndim == 2 else 1
        if each.dtype == np.float64:
            views[k] = memory[at : at + each.size].view(np.float64)
    return memory, views


def _memory_sample() -> tuple[Any, ...]:
    (*tables, size), V, G, inputs, state, _ = _frame_sample()
    one = np.array([0.7])
    tables = [*tables, np.array([size]), V, G, inputs, state, state, one, one, one, one / one, one * 0]
    tables += [
        np.array([5, 6]),
        np.zeros(4),
        np.array([0.5]),
        np.zeros((FRAMES_KEPT, 1)),
        np.zeros(FRAMES_KEPT),
        np.array([-FARTHEST]),
        np.array([FARTHEST]),
    ]
    return _pack(tables)[0], 0.8


@kernel(sample=lambda: (_memory_sample()[0], OPS))
def begin_of(memory, k):  # type: ignore[no-untyped-def]
    return memory[HEAD + ENTRY * k]


@kernel(sample=lambda: (_memory_sample()[0], OPS))
def rows_of(memory, k):  # type: ignore[no-untyped-def]
    return memory[HEAD + ENTRY * k + 1]


@kernel(sample=lambda: (_memory_sample()[0], _memory_sample()[0], OPS))
def table_of(memory, seen, k):  # type: ignore[no-untyped-def]
    """A table of `memory` in `seen`, which is `memory` itself, or the same as floats."""
    return table(seen, begin_of(memory, k), rows_of(memory, k), memory[HEAD + ENTRY * k + 2])


@kernel(sample=lambda: (_memory_sample()[0], np.ones(3), SIZE))
def list_of(memory, seen, k):  # type: ignore[no-untyped-def]
    """A table of one column."""
    at = begin_of(memory, k)
    return seen[at : at + rows_of(memory, k)]


def _floats_sample() -> tuple[Any, ...]:
    memory, number = _memory_sample()
    return memory, memory.view(np.float64), number


@kernel(sample=_floats_sample)
def set_out(memory, floats, first):  # type: ignore[no-untyped-def]
    """The plan's inputs of the goal, whose first is given here; False where one may be out of reach."""
    goal, given = list_of(memory, floats, GOAL), list_of(memory, floats, GIVEN)
    unit, offset = list_of(memory, floats, UNIT), list_of(memory, floats, OFFSET)
    low, high = list_of(memory, floats, LOW), list_of(memory, floats, HIGH)
    at = begin_of(memory, INPUTS)
    given[0] = first
    well = True
    for k in range(goal.shape[0]):
        goal[k] = given[k] * unit[k] + offset[k]
        floats[at + k] = goal[k]
        well &= low[k] <= goal[k] <= high[k]  # false also where it is not a number
    return well


@kernel(sample=lambda: (*_floats_sample()[:2], ALL_CLOSED))
def arrive(memory, floats, failed):  # type: ignore[no-untyped-def]
    """The frame is at the inputs: show its points; returns whether something failed."""
    reached, at = list_of(memory, floats, HERE), begin_of(memory, INPUTS)
    for k in range(reached.shape[0]):
        reached[k] = floats[at + k]
    shown, out = list_of(memory, memory, SHOWN), begin_of(memory, OUT)
    values, metre = begin_of(memory, VALUES), floats[begin_of(memory, METRE)]
    for k in range(shown.shape[0]):
        floats[out + 2 * k] = floats[values + 2 * shown[k]] / metre
        floats[out + 2 * k + 1] = floats[values + 2 * shown[k] + 1] / metre
    memory[FAILURE] = failed
    return failed != ALL_CLOSED


@kernel(sample=_memory_sample)
def step_straight(memory, first):  # type: ignore[no-untyped-def]
    """A frame of a plan in closed form: it follows from the goal alone; whether it stopped."""
    floats = memory.view(np.float64)
    if not set_out(memory, floats, first):
        return True
    ops, V = table_of(memory, memory, OPS), table_of(memory, floats, VALUES)
    inputs = table_of(memory, floats, INPUTS)
    failed = run_ops(ops, 0, ops.shape[0], V, V, V, inputs, 0, False)
    return True if failed != ALL_CLOSED else arrive(memory, floats, ALL_CLOSED)


def _past_sample() -> tuple[Any, ...]:
    past = np.array([[0.4, 0.9], [0.3, 0.7], [0.2, 0.6], [0.1, 0.0], [0.0, 0.5]])
    return past, 5, 0.51, np.zeros(FRAMES_KEPT)


@kernel(sample=_past_sample)
def weigh_past(past, known, goal, weights):  # type: ignore[no-untyped-def]
    """Lagrange's weights, at the goal, of the last frames that go its way in similar steps; how many."""
    step = goal - past[0, 0]
    used = min(known, 1)
    while 0 < used < known:
        ratio = (past[used - 1, 0] - past[used, 0]) / step if step != 0.0 else 0.0
        if not 1.0 / SIMILAR <= ratio <= SIMILAR:
            break
        used += 1
    for j in range(used):
        above, below = 1.0, 1.0
        for i in range(used):
            if i != j:
                above *= goal - past[i, 0]
                below *= past[j, 0] - past[i, 0]
        weights[j] = above / below
    return used


@kernel(sample=_memory_sample)
def step_cuts(memory, first):  # type: ignore[no-untyped-def]
    """A frame of a plan without blocks, from the guesses of the frames before; whether it stopped."""
    floats = memory.view(np.float64)
    if not set_out(memory, floats, first):
        return True
    ops, segments = table_of(memory, memory, OPS), table_of(memory, memory, SEGMENTS)
    V, G = table_of(memory, floats, VALUES), table_of(memory, floats, SCRATCH)
    inputs, slopes = table_of(memory, floats, INPUTS), list_of(memory, floats, SLOPES)
    state, kept = list_of(memory, floats, STATE), list_of(memory, floats, KEPT)
    past, driven = table_of(memory, floats, PAST), rows_of(memory, GOAL)
    weights = list_of(memory, floats, WEIGHTS)
    used = weigh_past(past, memory[KNOWN], inputs[0, 0], weights)
    for j in range(state.shape[0]):
        kept[j] = state[j]
    for s in range(segments.shape[0]):
        lo, hi = segments[s, 1], segments[s, 2]
        if segments[s, 0] == STRAIGHT:
            if run_ops(ops, lo, hi, V, G, G, inputs, 0, False) != ALL_CLOSED:
                return True
            continue
        source = segments[s, 3]
        guess = source - driven
        start, before = state[guess], LONGEST_TURN
        if used > 1:
            start = 0.0
            for j in range(used):
                start += weights[j] * past[j, 1 + guess]
            before = abs(start - state[guess])
        slope = close_cut(ops, lo, hi, V, G, inputs, source, segments[s, 4], start, before)
        if slope == 0.0 or slope * slopes[s] < 0.0:
            return True
        state[guess] = inputs[0, source]
    remember(memory, past, inputs, driven)
    return arrive(memory, floats, ALL_CLOSED)


@kernel(sample=lambda: (_memory_sample()[0], np.zeros((FRAMES_KEPT, 1)), np.ones((3, 1)), 1))
def remember(memory, past, inputs, driven):  # type: ignore[no-untyped-def]
    """The frame becomes the newest of the past; of several drives nothing is foretold."""
    if driven > 1:
        return
    known = memory[KNOWN]
    if known > 0 and past[0, 0] == inputs[0, 0]:
        return
    for j in range(min(known, FRAMES_KEPT - 1), 0, -1):
        for k in range(past.shape[1]):
            past[j, k] = past[j - 1, k]
    for k in range(past.shape[1]):
        past[0, k] = inputs[0, k]
    memory[KNOWN] = min(known + 1, FRAMES_KEPT)


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
        list_of(memory, floats, REACH),
        list_of(memory, floats, SLOPES),
        floats[begin_of(memory, SIZE)],
    )


@kernel(sample=_memory_sample)
def step_blocks(memory, first):  # type: ignore[no-untyped-def]
    """A frame of any plan, from the state of the frame before; whether it stopped."""
    floats = memory.view(np.float64)
    if not set_out(memory, floats, first):
        return True
    V, G = table_of(memory, floats, VALUES), table_of(memory, floats, SCRATCH)
    inputs = table_of(memory, floats, INPUTS)
    state, kept = list_of(memory, floats, STATE), list_of(memory, floats, KEPT)
    for j in range(state.shape[0]):
        kept[j] = state[j]
    failed = solve_frame(tables_in(memory), V, G, inputs, state, rows_of(memory, GOAL))
    return True if failed != ALL_CLOSED else arrive(memory, floats, ALL_CLOSED)


@kernel(sample=lambda: _memory_sample()[:1])
def step_halving(memory):  # type: ignore[no-untyped-def]
    """Again from the frame before, in halves, as far towards the goal as the linkage can go."""
    floats = memory.view(np.float64)
    V, G = table_of(memory, floats, VALUES), table_of(memory, floats, SCRATCH)
    inputs = table_of(memory, floats, INPUTS)
    state, kept = list_of(memory, floats, STATE), list_of(memory, floats, KEPT)
    reached, goal = list_of(memory, floats, HERE), list_of(memory, floats, GOAL)
    state[:] = kept
    _, failed = advance(tables_in(memory), V, G, inputs, state, goal.shape[0], reached, goal)
    memory[KNOWN] = 0
    return arrive(memory, floats, failed)
