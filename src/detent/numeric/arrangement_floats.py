"""Floating-point witnesses of a cell complex: whole runs of insertions in one kernel.

Rows and witnesses are unit vectors. The witness of a half lies on the open segment
from the old witness to a far point of the cell's closure, so it is inside by
construction. A value between rounding and geometry is counted, never guessed away.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.arrangement_kernels import (
    CROSSED,
    NONE,
    OPPOSITE,
    by_dimension,
    classify,
    find_lifts,
    find_members,
    longer,
    room_needed,
    sample_complex,
    split,
)
from detent.numeric.kernel import kernel

# A witness is kept as it is while it stands this far off the plane, seen against
# the farthest corner of its cell; else it moves inwards. Too small a share lets
# witnesses creep to the boundary; a large one only costs a little work.
SHARE_KEPT = 0.1


def _sample_face() -> tuple[Any, ...]:
    return np.eye(2), 2, np.array([0.6, 0.8]), np.zeros((3, 2)), 1e-9, 1e-12, 1e-7


@kernel(sample=_sample_face)
def face(basis, size, row, witness, equal, gap_low, gap_high):  # type: ignore[no-untyped-def]
    """Does the plane cross the smallest cell, the span of the first `size` rows of `basis`?

    If so witness 0 becomes a point of it above the plane, and the basis that of what
    lies in the plane: Householder's reflection takes the direction across to the last axis.
    Returns (crosses, size left, doubtful).
    """
    r = basis.shape[1]
    along = np.zeros(size)
    length = 0.0
    for i in range(size):
        for k in range(r):
            along[i] += basis[i, k] * row[k]
        length += along[i] * along[i]
    length = np.sqrt(length)
    doubtful = 1 if length > gap_low and length < gap_high else 0
    if length <= equal:
        return False, size, doubtful
    for k in range(r):
        witness[0, k] = 0.0
        for i in range(size):
            witness[0, k] += along[i] / length * basis[i, k]
    for i in range(size):
        along[i] /= length
    along[size - 1] += 1.0 if along[size - 1] >= 0 else -1.0
    squared = 0.0
    for i in range(size):
        squared += along[i] * along[i]
    for k in range(r):
        across = 0.0
        for i in range(size):
            across += along[i] * basis[i, k]
        for i in range(size):
            basis[i, k] -= 2.0 * along[i] * across / squared
    return True, size - 1, doubtful


def _sample_divide() -> tuple[Any, ...]:
    witness = np.zeros((6, 2))
    witness[0] = [1.0, 0.0]
    witness[1] = [0.0, 1.0]
    order = np.array([0, 1], np.int32)
    side = np.full(2, CROSSED, np.int8)
    above, below = np.array([0, 0], np.int32), np.array([OPPOSITE, OPPOSITE], np.int32)
    plus, middle, minus = (np.array(x, np.int32) for x in ([2, 1], [0, 4], [3, 5]))
    return order, side, above, below, plus, middle, minus, np.array([1.0, 0.0]), witness


@kernel(sample=_sample_divide)
def divide_floats(order, side, above, below, plus, middle, minus, value, witness):  # type: ignore[no-untyped-def]
    """Witnesses of the halves of the crossed cells.

    From large cells to small ones, because the representatives of a cell lie in its
    boundary and are still the old ones then.
    """
    r = witness.shape[1]
    z = np.empty(r)
    for i in range(order.shape[0] - 1, -1, -1):
        c = order[i]
        if side[c] != CROSSED:
            continue
        if c == 0:
            for k in range(r):
                b = witness[0, k]
                witness[plus[0], k] = b
                if minus[0] != NONE:
                    witness[minus[0], k] = -b
                witness[0, k] = 0.0
            continue
        up, down = above[c], below[c]
        turn = 1.0
        if down == OPPOSITE:
            down, turn = 0, -1.0
        v, high, low = value[c], value[up], turn * value[down]
        size = 0.0
        for k in range(r):
            if v >= 0:
                z[k] = v * turn * witness[down, k] - low * witness[c, k]
            else:
                z[k] = high * witness[c, k] - v * witness[up, k]
            size += z[k] * z[k]
        size = np.sqrt(size)
        for k in range(r):
            z[k] /= size
        if minus[c] != NONE:
            size = 1.0
            if v <= SHARE_KEPT * low:
                for k in range(r):
                    witness[minus[c], k] = witness[c, k]
            else:
                size = 0.0
                for k in range(r):
                    x = z[k] + turn * witness[down, k]
                    witness[minus[c], k] = x
                    size += x * x
                size = np.sqrt(size)
                for k in range(r):
                    witness[minus[c], k] /= size
        if v < SHARE_KEPT * high:
            size = 0.0
            for k in range(r):
                x = z[k] + witness[up, k]
                witness[c, k] = x
                size += x * x
            size = np.sqrt(size)
            for k in range(r):
                witness[c, k] /= size
        for k in range(r):
            witness[middle[c], k] = z[k]


def _sample_insert() -> tuple[Any, ...]:
    c = sample_complex()
    witness = np.zeros((9, 2))
    witness[1], witness[2] = [0.0, 1.0], [0.0, -1.0]
    basis = np.array([[1.0, 0.0], [0.0, 1.0]])
    arrays = (c["dim"], c["sign"], c["head"], c["node_cell"], c["node_next"], witness, basis)
    return (3, 2, 1, *arrays, np.array([[0.6, 0.8]]), 1, NONE, False, 1e-9, 1e-12, 1e-7, 1000)


@kernel(sample=_sample_insert)
def insert_floats(  # type: ignore[no-untyped-def]
    count,
    used,
    lineality,
    dim,
    sign,
    head,
    node_cell,
    node_next,
    witness,
    basis,
    rows,
    column,
    touch,
    half,
    equal,
    gap_low,
    gap_high,
    at_most,
):
    """Insert `rows` as columns `column`, `column` + 1, …; all divide the cells in plane `touch`.

    `basis` spans the smallest cell by its first `lineality` rows. Returns the new
    (count, used, lineality, doubtful) and the arrays, grown where they had to; a count
    beyond `at_most` says that it stopped there.
    """
    r = witness.shape[1]
    first, lift_cell, lift_next, lifts = find_lifts(count, dim, sign, touch, head, node_cell, node_next)
    member = find_members(count, dim, sign, touch)
    room = dim.shape[0]
    side = np.zeros(room, np.int8)
    above = np.empty(room, np.int32)
    below = np.empty(room, np.int32)
    plus = np.empty(room, np.int32)
    middle = np.empty(room, np.int32)
    minus = np.empty(room, np.int32)
    value = np.empty(room)
    doubts = 0
    for n in range(rows.shape[0]):
        row = rows[n]
        crosses, lineality, doubtful = face(basis, lineality, row, witness, equal, gap_low, gap_high)
        doubts += doubtful
        order = by_dimension(member, dim)
        for i in range(order.shape[0]):
            c = order[i]
            v = 0.0
            for k in range(r):
                v += witness[c, k] * row[k]
            value[c] = v
        crossed, zeros, doubtful = classify(
            order, head, node_cell, node_next, value, crosses, equal, gap_low, gap_high, side, above, below
        )
        doubts += doubtful
        needed = count + (1 if half else 2) * crossed
        if needed > at_most:
            return needed, used, lineality, doubts, dim, sign, head, node_cell, node_next, witness
        if needed > room:
            more = 2 * needed
            dim_ = np.empty(more, np.int8)
            dim_[:count] = dim[:count]
            sign_ = np.empty((more, sign.shape[1]), np.int8)
            sign_[:count] = sign[:count]
            witness_ = np.empty((more, r))
            witness_[:count] = witness[:count]
            head_ = np.empty(more, np.int32)
            head_[:count] = head[:count]
            first_ = np.empty(more, np.int32)
            first_[:count] = first[:count]
            side_ = np.zeros(more, np.int8)
            side_[:count] = side[:count]
            above_ = np.empty(more, np.int32)
            above_[:count] = above[:count]
            below_ = np.empty(more, np.int32)
            below_[:count] = below[:count]
            value_ = np.empty(more)
            value_[:count] = value[:count]
            dim, sign, witness, head, first = dim_, sign_, witness_, head_, first_
            side, above, below, value = side_, above_, below_, value_
            plus, middle, minus = np.empty(more, np.int32), np.empty(more, np.int32), np.empty(more, np.int32)
            room = more
        more = room_needed(order, side, zeros, first, lift_next, head, node_cell, node_next)
        if used + more > node_cell.shape[0]:
            node_cell = longer(node_cell, used, 2 * (used + more))
            node_next = longer(node_next, used, 2 * (used + more))
        if lifts + more > lift_cell.shape[0]:
            lift_cell = longer(lift_cell, lifts, 2 * (lifts + more))
            lift_next = longer(lift_next, lifts, 2 * (lifts + more))
        before = count
        count, used, lifts = split(
            count,
            used,
            order,
            side,
            zeros,
            column + n,
            half,
            first,
            lift_cell,
            lift_next,
            lifts,
            plus,
            middle,
            minus,
            dim,
            sign,
            head,
            node_cell,
            node_next,
        )
        divide_floats(order, side, above, below, plus, middle, minus, value, witness)
        for i in range(order.shape[0]):
            side[order[i]] = 0
        member_ = np.empty(order.shape[0] + count - before, np.int32)
        number = 0
        for i in range(order.shape[0]):
            if dim[order[i]] >= 0:
                member_[number] = order[i]
                number += 1
        for c in range(before, count):
            member_[number] = c
            number += 1
        member = member_[:number]
    return count, used, lineality, doubts, dim, sign, head, node_cell, node_next, witness
