"""Floating-point witnesses of a cell complex: whole runs of insertions in one kernel.

Rows and witnesses are unit vectors. The witness of a half lies on the open segment
from the old witness to a far point of the cell's closure, so it is inside by
construction. A value between rounding and geometry is counted, never guessed away.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.arrangement.insert import OPPOSITE, classify, enter, split
from detent.numeric.arrangement.store import (
    NO_NODE,
    SHORT,
    cleared,
    make_part,
    make_sides,
    put_back,
    sample_part,
    sample_store,
    take_out,
)
from detent.numeric.kernels import kernel

# A witness is kept as it is while it is this far off the plane, seen against
# the farthest corner of its cell; else it moves inwards. Too small a share lets
# witnesses creep to the boundary; a large one only costs a little work.
SHARE_KEPT = 0.1


def _sample_face() -> tuple[Any, ...]:
    return np.eye(2), 2, np.array([0.6, 0.8]), np.zeros(2), 1e-9, 1e-12, 1e-7


@kernel(sample=_sample_face)
def face(basis, size, row, point, equal, gap_low, gap_high):  # type: ignore[no-untyped-def]
    """Does the plane cross the smallest cell, the span of the first `size` rows of `basis`?

    If so `point` becomes one of it above the plane, and the basis that of what lies
    in the plane: Householder's reflection takes the direction across to the last axis.
    Returns (how far the point is above, size left, doubtful).
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
        return 0.0, size, doubtful
    for k in range(r):
        point[k] = 0.0
        for i in range(size):
            point[k] += along[i] / length * basis[i, k]
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
    return length, size - 1, doubtful


def _sample_divide() -> tuple[Any, ...]:
    store, witness, part, layers = sample_part()
    sides = cleared(make_sides(9))
    row = np.array([0.6, 0.8])
    crossed, _ = classify(store, part, 3, witness, row, 1, 0.6, 1e-9, 1e-12, 1e-7, sides)
    split(part, 3, 2, sides, crossed, False)
    enter(3, 0, store, part, 3, sides, crossed, 1, False, layers)
    return part.cell, sides, crossed, 0, row, False, witness


@kernel(sample=_sample_divide)
def divide_floats(cell, sides, crossed, smallest, row, half, witness):  # type: ignore[no-untyped-def]
    """Witnesses of the halves of the crossed cells.

    The smallest cell comes last, because its witness may still be a representative of others.
    """
    r = witness.shape[1]
    z = np.empty(r)
    minus, middle = sides.minus, sides.middle
    for n in range(crossed - 1, -1, -1):
        i = sides.crossed[n]
        if i == smallest:
            for k in range(r):
                witness[cell[middle[i]], k] = 0.0
                if not half:
                    witness[cell[minus[i]], k] = -witness[cell[i], k]
            continue
        c = cell[i]
        u, d = cell[sides.up[i]], sides.down[i]
        sign = 1.0
        if d == OPPOSITE:
            d, sign = smallest, -1.0
        d = cell[d]
        high, low = sides.high[i], sides.low[i]
        v = 0.0
        for k in range(r):
            v += witness[c, k] * row[k]
        size = 0.0
        if v >= 0:
            for k in range(r):
                x = v * sign * witness[d, k] - low * witness[c, k]
                z[k] = x
                size += x * x
        else:
            for k in range(r):
                x = high * witness[c, k] - v * witness[u, k]
                z[k] = x
                size += x * x
        size = 1.0 / np.sqrt(size)
        w = cell[middle[i]]
        for k in range(r):
            z[k] *= size
            witness[w, k] = z[k]
        if not half:
            w = cell[minus[i]]
            if v <= SHARE_KEPT * low:
                for k in range(r):
                    witness[w, k] = witness[c, k]
            else:
                size = 0.0
                for k in range(r):
                    x = z[k] + sign * witness[d, k]
                    witness[w, k] = x
                    size += x * x
                size = 1.0 / np.sqrt(size)
                for k in range(r):
                    witness[w, k] *= size
        if v < SHARE_KEPT * high:
            size = 0.0
            for k in range(r):
                x = z[k] + witness[u, k]
                witness[c, k] = x
                size += x * x
            size = 1.0 / np.sqrt(size)
            for k in range(r):
                witness[c, k] *= size


def _sample_insert() -> tuple[Any, ...]:
    store, witness = sample_store()
    parts = (cleared(make_part(9, 64)), cleared(make_sides(9)))
    scratch = (np.zeros(9, np.uint32), np.zeros(9, np.uint32))
    start = (3, 2, 0, 1, store, witness, np.eye(2), *parts, *scratch)
    return (*start, np.array([[0.6, 0.8]]), 1, np.array([NO_NODE]), False, 1e-9, 1e-12, 1e-7, 1000)


@kernel(sample=_sample_insert)
def insert_floats(  # type: ignore[no-untyped-def]
    count,
    used,
    spare,
    lineality,
    store,
    witness,
    basis,
    part,
    sides,
    place,
    stack,
    rows,
    column,
    touch,
    half,
    equal,
    gap_low,
    gap_high,
    at_most,
):
    """Insert `rows` as columns `column`, `column` + 1, …; row i divides the cells in plane `touch[i]`.

    `basis` spans the smallest cell by its first `lineality` rows; `part`, `sides`,
    `place` and `stack` are room to work in. Returns (count, used, spare, lineality,
    doubtful, rows done, cells needed, nodes needed): where room ran out, rows are left, and
    the last two say how much the next one takes (nodes SHORT: unknown).
    """
    r = witness.shape[1]
    room, pool = store.dim.shape[0], store.pool.shape[0]
    layers = np.zeros(r + 3, np.int64)
    point = np.zeros(r)
    new_basis = basis.copy()
    doubts, done, nodes, numbers = 0, 0, 0, 0
    cells, needed = count, 0
    while done < rows.shape[0]:
        every = touch[done] < 0
        if done == 0 or touch[done] != touch[done - 1]:
            if done > 0:
                used = put_back(count, used, store, part, layers[r + 2], touch[done - 1] < 0)
            if every:
                used = 0  # all boundaries are written anew
            nodes = take_out(count, touch[done], store, part, layers, place, stack)
            if nodes == SHORT or used + nodes > pool:
                return count, used, spare, lineality, doubts, done, count, nodes
            numbers = layers[r + 2]
        row = rows[done]
        new_basis[:] = basis
        across, left, doubtful = face(new_basis, lineality, row, point, equal, gap_low, gap_high)
        crossed, more = classify(
            store, part, layers[r + 2], witness, row, column + done, across, equal, gap_low, gap_high, sides
        )
        cells = count + (1 if half else 2) * crossed
        if cells > room or cells > at_most:
            break
        needed = split(part, numbers, nodes, sides, crossed, half)
        if needed == SHORT or used + needed > pool:
            break
        smallest = part.order[0]
        if across > 0:
            for k in range(r):
                witness[part.cell[smallest], k] = point[k]
        basis[:] = new_basis
        lineality, nodes = left, needed
        doubts += doubtful + more
        count, spare, numbers = enter(
            count, spare, store, part, numbers, sides, crossed, column + done, half, layers
        )
        divide_floats(part.cell, sides, crossed, smallest, row, half, witness)
        done += 1
    last = touch[min(done, rows.shape[0] - 1)]
    used = put_back(count, used, store, part, layers[r + 2], last < 0)
    return count, used, spare, lineality, doubts, done, cells, needed
