"""Coordinates of a plane machine that something acts on: drives, stops and friction in joints.

A coordinate of the tree is linear in the independent ones. That of a joint which closes a loop, and where a
point of a part is, follow from the bodies: each is a row as those that close loops, with a value and a rate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detent.mechanics.closing_rows import (
    A_X,
    A_Y,
    ACROSS,
    ALONG_X,
    ALONG_Y,
    ANGLE,
    B_X,
    B_Y,
    COORDINATE,
    HELD,
    POINT_X,
    POINT_Y,
    loop_rows,
)
from detent.mechanics.tree import Tree, in_section
from detent.mechanics.tree_columns import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, TURN, X, Y
from detent.mechanics.tree_kernels import OFFSET, WAY, place_tree, plane_state, sample_machine
from detent.numeric.kernels import kernel

if TYPE_CHECKING:
    from detent.model.machine.plane_linkage import PlanePoint


class Measured(NamedTuple):
    """One coordinate that is measured; its value times `sign` is the joint's own."""

    bodies: tuple[int, int, int]  # first body (or the tree's coordinate), second, kind of row
    numbers: tuple[float, ...]  # seven, as of closing rows
    sign: float = 1.0


class MeasuredTables(NamedTuple):
    """The same of all of them."""

    joints: Any  # (q, 3) int
    numbers: Any  # (q, 7)


NOTHING_MEASURED = MeasuredTables(np.zeros((0, 3), np.int64), np.zeros((0, 7)))


def measured_tables(measured: Sequence[Measured]) -> MeasuredTables:
    """As arrays."""
    return MeasuredTables(
        np.array([each.bodies for each in measured], np.int64).reshape(-1, 3),
        np.array([each.numbers for each in measured], float).reshape(-1, 7),
    )


def tree_coordinate(number: int) -> Measured:
    """A coordinate of the tree, by its place among its names."""
    return Measured((number, number, COORDINATE), (0.0,) * 7)


def joint_coordinate(tree: Tree, name: str) -> Measured:
    """The coordinate of a pin or a slide, in the tree or closing a loop."""
    if name in tree.names:
        return tree_coordinate(tree.names.index(name))
    row = tree.measured.index(name)
    one, other, kind = (int(number) for number in tree.machine.measures[row])
    numbers = [float(number) for number in tree.machine.measure[row]]
    way, offset = numbers[WAY], numbers[OFFSET]
    if kind == ANGLE:  # the travel of a slide is the row's value itself
        numbers[HELD] -= way * offset
    return Measured((one, other, kind), tuple(numbers[:WAY]), way)


def point_coordinates(tree: Tree, point: PlanePoint, fixed: int) -> tuple[Measured, Measured]:
    """Where a point of a part is in the world, past the origin as seen from a fixed body."""
    at, body = in_section(tree.linkage, tree.system, point), tree.machine.bodies[fixed]
    c, s, x, y = body[COSINE], body[SINE], body[X], body[Y]
    origin = -(c * x + s * y), s * x - c * y
    numbers = (*origin, at.real, at.imag, 0.0, 0.0, 0.0)
    return Measured((fixed, point.part, POINT_X), numbers), Measured((fixed, point.part, POINT_Y), numbers)


def values_of(tree: Tree, measured: Sequence[Measured], y: Any, v: Any) -> list[tuple[float, float]]:
    """Values and speeds of coordinates at a state of the tree, with the joints' own signs."""
    state, tables = plane_state(tree.machine), measured_tables(measured)
    place_tree(tree.machine, y, v, state)
    now = [measured_now(*tables, state, k) for k in range(len(measured))]
    return [(each.sign * a, each.sign * b) for each, (a, b) in zip(measured, now, strict=True)]


def _sample() -> tuple[Any, ...]:
    machine = sample_machine()
    state = plane_state(machine)
    place_tree(machine, np.array([0.3, 0.1, 0.2, -0.1, 0.4]), np.array([1.0, -0.5, 0.2, 0.3, 0.7]), state)
    joints = np.array([[1, 4, kind] for kind in range(4)] + [[2, 2, COORDINATE]])
    return machine, state, joints, np.tile([0.3, 0.1, -0.2, 0.4, 0.6, 0.8, 0.1], (5, 1))


@kernel(sample=lambda: (*_sample(), np.zeros((5, 7))), bare=True)
def measured_rows(machine, state, joints, numbers, rows):  # type: ignore[no-untyped-def]
    """Writes by coordinate: factors of the independent speeds, its value, its rate without accelerations."""
    freedoms = machine.follow.shape[1]
    loop_rows(joints, numbers, state.bodies, state.spans, rows)
    for q in range(len(joints)):
        if joints[q, 2] == COORDINATE:
            j = joints[q, 0]
            rows[q, freedoms], rows[q, freedoms + 1] = state.joints[0, j], 0.0
            for k in range(freedoms):
                rows[q, k] = machine.follow[j, k]


@kernel(sample=lambda: (*_sample()[2:], _sample()[1], 1), bare=True)
def measured_now(joints, numbers, state, q):  # type: ignore[no-untyped-def]
    """A coordinate's value and speed, from bodies that are placed; their spans are not needed."""
    one, other, kind = joints[q, 0], joints[q, 1], joints[q, 2]
    if kind == COORDINATE:
        return state.joints[0, one], state.joints[1, one]
    a, b, number = state.bodies[one], state.bodies[other], numbers[q]
    if kind == ANGLE:
        return b[TURN] - a[TURN] - number[HELD], b[SPIN] - a[SPIN]
    ax, ay = number[A_X], number[A_Y]
    bx, by = number[B_X], number[B_Y]
    ax, ay = a[COSINE] * ax - a[SINE] * ay, a[SINE] * ax + a[COSINE] * ay
    bx, by = b[COSINE] * bx - b[SINE] * by, b[SINE] * bx + b[COSINE] * by
    past_x, past_y = b[X] + bx - a[X] - ax, b[Y] + by - a[Y] - ay
    dx, dy = (1.0, 0.0) if kind == POINT_X else (0.0, 1.0)
    if kind == ACROSS:
        dx = a[COSINE] * number[ALONG_X] - a[SINE] * number[ALONG_Y]
        dy = a[SINE] * number[ALONG_X] + a[COSINE] * number[ALONG_Y]
        ax, ay = ax + past_x, ay + past_y
    vx = b[SPEED_X] - b[SPIN] * by - a[SPEED_X] + a[SPIN] * ay
    vy = b[SPEED_Y] + b[SPIN] * bx - a[SPEED_Y] - a[SPIN] * ax
    return dx * past_x + dy * past_y, dx * vx + dy * vy
