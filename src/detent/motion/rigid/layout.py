"""Everything that the rigid method's loop reads and writes, as tables in two blocks of memory.

A compiled function that takes dozens of arrays takes seconds to compile and longer to call than to run; so
the kernels of this folder take a block of floats and a block of integers. The integers begin with a head:
where each table begins, its rows and its columns.
"""

from __future__ import annotations

from enum import IntEnum, auto
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.mechanics.tree_kernels import PlaneMachine, PlaneState
from detent.numeric.kernels import kernel
from detent.numeric.memory import table

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Blocks = tuple[NDArray[np.float64], NDArray[np.int64]]

MOST_TOUCHING = 24  # contacts at once


class Slot(IntEnum):
    """The tables.

    N bodies, n links, k coordinates, m independent ones, c candidates, p pairs, C contacts at most.
    """

    # of the machine: `mechanics.tree_kernels`
    LINK = 0
    FOLLOW = auto()
    JOINTS = auto()
    BODIES = auto()
    GRAVITY = auto()
    STATE = auto()
    SPANS = auto()
    COORDINATES = auto()
    MEASURE = auto()
    MEASURED = auto()
    # of what can touch: `contact.candidate`, and friction and restitution of each pair
    DATA = auto()
    RUB = auto()
    GAUGES = auto()  # (features, 3): columns of `sweeps`
    # of joints that close loops: `mechanics.tree`
    CLOSING = auto()
    # of coordinates that drives, stops and friction act on (`mechanics.measured`)
    ACTED_AT = auto()  # (q, 7)
    ACTED = auto()  # (q, m + 2): their rows, values, rates without accelerations
    DRIVEN = auto()  # (d, 5): see `DRIVE`
    PIECES = auto()  # (P, 6): the drive, then the same, one after the other
    HELD = auto()  # (B, m + 2): rows of closing joints, then of drives, how far open, rate
    HELD_FORCE = auto()  # (1, B)
    STOPS = auto()  # (s, 3): see `STOP`
    RUBBING = auto()  # (r, 5): see `RUBS`
    LOADS = auto()  # (2, r): greatest friction of each rubbing joint, along its row; the greatest so far
    BODY_LOADS = auto()  # (N, 2): what joints must do to a body and all beyond it
    # of the contact problem
    MASS = auto()  # (m, m): then its factor
    FORCE = auto()  # (1, m)
    ROWS = auto()  # (2 C, m): normal rows of n contacts, then their tangential rows
    INVERSE = auto()  # (2 C, m): what a unit force of each does to the accelerations
    COLUMNS = auto()  # (5, 2 C): rate, right side, force, what is left, friction
    PROBLEM = auto()  # (2 C, 2 C)
    ROOM = auto()  # (2 C + 2, 2 C): to solve it in
    CONTACTS = auto()  # (C, 10): columns of `contact.at_state`
    POSE_AB = auto()  # (1, 4)
    # of the step
    STAGE_SPEEDS = auto()  # (7, m)
    STAGE_RATES = auto()
    POINTS = auto()  # (6, m): control points
    BOUNDS = auto()  # (N, 5): columns of `bounds`
    AWAKE = auto()  # (2, c)
    VIEWS = auto()  # (2, 9): columns of `sweeps`
    WORK = auto()  # (4, m)
    # of the motion
    CONTROL = auto()  # (1, 4): see below
    SCALES = auto()  # (1, m)
    CLOCK = auto()  # (1, 5): see `NOW`
    MOTION = auto()  # (3, m): coordinates, speeds, greatest speeds so far
    SLIDING = auto()  # (1, C)
    ASLEEP = auto()  # (2, c): travel at which a candidate wakes, `ALWAYS` of a muted one; whether it is muted
    TRAVEL = auto()  # (1, p)
    # of the log
    STEPS = auto()  # (S, 3): when it began, its length before it was cut, the share of that that counts
    STEP_POINTS = auto()  # (6 S, m)
    STEP_SLIDING = auto()  # (S, C)
    EVENTS = auto()  # (E, 8): see below
    # integers
    LINKS = auto()
    MEASURES = auto()
    NOTCH = auto()
    IDENTITY = auto()
    LISTED = auto()
    PAIRS = auto()
    BEGINS = auto()  # (1, p + 1): the first candidate of each pair, and behind the last
    LOOPS = auto()
    ACTS_ON = auto()  # (q, 3)
    # (3, C): candidates, behind them stops, then rubbing joints; their statuses, and at the step's beginning
    TOUCHING = auto()
    ORDER = auto()  # (2, 2 C): as `ROOM`
    STEP_TOUCHING = auto()  # (S, C): candidates, -1 behind the last
    FILLED = auto()  # (1, 3): steps, events, steps tried in vain


# Kernels know numbers, not enumerations.
(
    LINK, FOLLOW, JOINTS, BODIES, GRAVITY, STATE, SPANS, COORDINATES, MEASURE, MEASURED, DATA, RUB, GAUGES,
    CLOSING, ACTED_AT, ACTED, DRIVEN, PIECES, HELD, HELD_FORCE, STOPS, RUBBING, LOADS, BODY_LOADS, MASS,
    FORCE, ROWS, INVERSE, COLUMNS, PROBLEM, ROOM, CONTACTS, POSE_AB, STAGE_SPEEDS, STAGE_RATES, POINTS,
    BOUNDS, AWAKE, VIEWS, WORK, CONTROL, SCALES, CLOCK, MOTION, SLIDING, ASLEEP, TRAVEL, STEPS, STEP_POINTS,
    STEP_SLIDING, EVENTS, LINKS, MEASURES, NOTCH, IDENTITY, LISTED, PAIRS, BEGINS, LOOPS, ACTS_ON, TOUCHING,
    ORDER, STEP_TOUCHING, FILLED,
) = (int(slot) for slot in Slot)  # fmt: skip

# Rows of `COLUMNS`: a contact's rate without accelerations, right side, force, what is left, friction.
RATE, RIGHT, SOLVED, AFTER, MU = range(5)
# Columns of `CONTROL`: until when, relative accuracy, distance at which features touch, longest step.
UNTIL, ACCURACY, TOUCH, LONGEST = range(4)
SIZE = 1e10  # of a machine, in distances at which its features touch
# Columns of `CLOCK`: time, length of the next step, fastest point so far, touching contacts, when a drive
# changes next.
NOW, NEXT, FASTEST, COUNT, SWITCH = range(5)
# Columns of `DRIVEN`: the coordinate; since when, from which value, at which speed and acceleration.
DRIVE, SINCE, FROM, AT_SPEED, SPEEDING_UP = range(5)
# Columns of `STOPS`: the coordinate; the gap is a factor times what it is past its end.
STOP, FACTOR, END = range(3)
# Columns of `RUBBING`: the coordinate, the factor that makes it a length (as of stops), greatest friction per
# load; the link that it is of in the tree, or its first closing row; -1 where it is not.
RUBS, GRIP, OF_LINK, OF_ROW = 0, 2, 3, 4
# Rows of `MOTION`.
AT, MOVING, GREATEST = range(3)
# Columns of `EVENTS`: when, what, the candidate, normal and tangential impulse, the gap's speed, energy lost,
# energy given by joints driven at a speed.
TIME, KIND, CANDIDATE, NORMAL, TANGENTIAL, OPENING, LOST, GIVEN = range(8)
# The travel at which a muted candidate wakes: below all that there are.
ALWAYS = -1.0
# Columns of `FILLED`.
STEP_COUNT, EVENT_COUNT, VAIN_COUNT = range(3)
FRICTION, RESTITUTION = 0, 1


def packed(tables: dict[int, Any]) -> Blocks:
    """The two blocks; every slot has a table of two dimensions, or the shape of one that is zero."""
    assert set(tables) == set(range(len(Slot)))
    begins, filled = [0, 3 * len(Slot)], []
    head: list[int] = []
    for slot in range(len(Slot)):
        whole, given = slot >= LINKS, tables[slot]
        rows, columns = given if isinstance(given, tuple) else (0, 0)
        if not isinstance(given, tuple):
            array = np.atleast_2d(np.asarray(given, np.int64 if whole else float))
            rows, columns = array.reshape(-1, array.shape[-1]).shape if array.size else array.shape
            filled.append((whole, begins[whole], array.reshape(-1)))
        head += [begins[whole], rows, columns]
        begins[whole] += rows * columns
    # Most of it is room that is never used: zeros that the machine has not touched cost nothing.
    blocks = np.zeros(begins[0]), np.zeros(begins[1], np.int64)
    blocks[1][: len(head)] = head
    for whole, begin, array in filled:
        blocks[whole][begin : begin + array.size] = array
    return blocks


def view(blocks: Blocks, slot: int) -> Any:
    """A table, in Python."""
    begin, rows, columns = blocks[1][3 * slot : 3 * slot + 3]
    block = blocks[1 if slot >= LINKS else 0]
    return block[begin : begin + rows * columns].reshape(rows, columns)


def _sample() -> Blocks:
    """Tables of one row, but for two of the joints' coordinates."""
    return packed({slot: np.ones((2 if slot == Slot.COORDINATES else 1, 3)) for slot in Slot})


@kernel(sample=lambda: (*_sample(), BODIES), inlined=True)
def floats(f, i, slot):  # type: ignore[no-untyped-def]
    """A table of floats."""
    return table(f, i[3 * slot], i[3 * slot + 1], i[3 * slot + 2])


@kernel(sample=lambda: (*_sample(), LINKS), inlined=True)
def integers(f, i, slot):  # type: ignore[no-untyped-def]
    """A table of integers."""
    return table(i, i[3 * slot], i[3 * slot + 1], i[3 * slot + 2])


@kernel(sample=_sample, inlined=True)
def machine_of(f, i):  # type: ignore[no-untyped-def]
    """The machine that is in the blocks."""
    return PlaneMachine(
        integers(f, i, LINKS), floats(f, i, LINK), floats(f, i, FOLLOW), floats(f, i, JOINTS),
        floats(f, i, BODIES), floats(f, i, GRAVITY)[0], integers(f, i, MEASURES), floats(f, i, MEASURE),
    )  # fmt: skip


@kernel(sample=_sample, inlined=True)
def state_of(f, i):  # type: ignore[no-untyped-def]
    """Its state."""
    return PlaneState(
        floats(f, i, STATE), floats(f, i, SPANS), floats(f, i, COORDINATES), floats(f, i, MEASURED)
    )
