"""One insertion into a conditional cell complex: which cells a plane crosses, and their halves.

The combinatorial part of the arrangement of Huang, Cheng & Mason's hyperplanes.
No coordinate is read here except through `value` (plane times witness), so that
floats and exact integers run the same code.

Cells are numbers; cell 0 is the smallest one, a linear space, in the closure of
every other. Boundaries are linked lists: `head[c]` is a node, `node_cell` what it
names, `node_next` the node after, NONE at the end. A crossed cell keeps its
number for its positive half (cell 0 for its middle).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernel import kernel

NONE = -1
OPPOSITE = -2  # as a representative: minus the witness of cell 0

# Where a cell lies, seen from the plane being inserted.
OUTSIDE, ZERO, POSITIVE, NEGATIVE, CROSSED = 0, 1, 2, 3, 4
UNSEEN = 2  # in `sign`: the plane does not divide this cell


def sample_complex() -> dict[str, Any]:
    """The plane with one line through the origin: the origin's line, and its two sides."""
    node_cell = np.zeros(16, np.int32)
    node_next = np.full(16, NONE, np.int32)
    return {
        "count": 3,
        "dim": np.array([1, 2, 2, 0, 0, 0, 0, 0, 0], np.int8),
        "sign": np.array([[0, 2], [1, 2], [-1, 2]] + [[0, 2]] * 6, np.int8),
        "head": np.array([NONE, 0, 1, NONE, NONE, NONE, NONE, NONE, NONE], np.int32),
        "node_cell": node_cell,
        "node_next": node_next,
    }


def _sample_classify() -> tuple[Any, ...]:
    c = sample_complex()
    lists = (c["head"], c["node_cell"], c["node_next"])
    return (3, c["dim"], c["sign"], NONE, *lists, np.array([1.0, 0.0, 0.0]), True, 0.1, 0.0, 0.5)


@kernel(sample=_sample_classify)
def classify(  # type: ignore[no-untyped-def]
    count, dim, sign, touch, head, node_cell, node_next, value, crosses_smallest, equal, gap_low, gap_high
):
    """Where each cell with sign 0 in column `touch` lies; crossed cells come with representatives.

    A cell that is neither a linear space nor half of one is the hull of its
    boundary, so the boundary's sides are its own. Where all of the boundary is
    zero, the cell's own witness decides.

    Returns (order by dimension, side, positive and negative representative, number
    crossed, number of values in the gap).
    """
    side = np.zeros(count, np.int8)
    above = np.full(count, NONE, np.int32)
    below = np.full(count, NONE, np.int32)
    largest = 0
    for c in range(count):
        if dim[c] > largest:
            largest = dim[c]
    start = np.zeros(largest + 2, np.int64)
    for c in range(count):
        if dim[c] >= 0 and (touch < 0 or sign[c, touch] == 0):
            start[dim[c] + 1] += 1
    for k in range(largest + 1):
        start[k + 1] += start[k]
    order = np.empty(start[largest + 1], np.int32)
    for c in range(count):
        if dim[c] >= 0 and (touch < 0 or sign[c, touch] == 0):
            order[start[dim[c]]] = c
            start[dim[c]] += 1
    crossed = 0
    doubtful = 0
    for i in range(order.shape[0]):
        c = order[i]
        up, down = NONE, NONE
        most, least = 0.0, 0.0
        if c == 0:
            if crosses_smallest:
                up, down = 0, OPPOSITE
        else:
            node = head[c]
            while node != NONE:
                g = node_cell[node]
                p = above[g]
                if p != NONE and value[p] > most:
                    up, most = p, value[p]
                q = below[g]
                if q != NONE:
                    v = -value[0] if q == OPPOSITE else value[q]
                    if v < least:
                        down, least = q, v
                node = node_next[node]
            if up == NONE and down == NONE:
                v = value[c]
                size = abs(v)
                if size > gap_low and size < gap_high:
                    doubtful += 1
                if v > equal:
                    up = c
                elif v < -equal:
                    down = c
        above[c] = up
        below[c] = down
        if up != NONE and down != NONE:
            side[c] = 4
            crossed += 1
        elif up != NONE:
            side[c] = 2
        elif down != NONE:
            side[c] = 3
        else:
            side[c] = 1
    return order, side, above, below, crossed, doubtful


def _sample_split() -> tuple[Any, ...]:
    c = sample_complex()
    side = np.full(3, 4, np.int8)
    order = np.array([0, 1, 2], np.int32)
    arrays = (c["dim"], c["sign"], c["head"], c["node_cell"], c["node_next"])
    return (3, 2, order, side, 1, False, *arrays)


@kernel(sample=_sample_split)
def split(count, used, order, side, column, half, dim, sign, head, node_cell, node_next):  # type: ignore[no-untyped-def]
    """Divide the crossed cells and write the plane's signs; with `half`, drop what lies below it.

    The middle of a crossed cell is bounded by the middles of its crossed boundary
    cells and by the ridges of its positive boundary cells that lie in the plane
    (each such ridge lies between one positive and one negative boundary cell).
    The arrays of cells have room; the nodes grow here.

    Returns (count, used nodes, numbers of the positive, middle and negative
    halves by crossed cell, the two node arrays).
    """
    plus = np.full(side.shape[0], NONE, np.int32)
    middle = np.full(side.shape[0], NONE, np.int32)
    minus = np.full(side.shape[0], NONE, np.int32)
    old = count
    for i in range(order.shape[0]):
        c = order[i]
        s = side[c]
        if s == 1:
            sign[c, column] = 0
            continue
        if s == 2:
            sign[c, column] = 1
            continue
        if s == 3:
            sign[c, column] = -1
            continue
        plus[c] = c
        middle[c] = count
        count += 1
        if not half:
            minus[c] = count
            count += 1
        if c == 0:
            plus[c] = middle[c]
            middle[c] = 0
        p, m, z = plus[c], minus[c], middle[c]
        size = dim[c]
        sign[z] = sign[c]
        sign[p] = sign[c]
        dim[p] = size
        dim[z] = size - 1
        if not half:
            sign[m] = sign[c]
            sign[m, column] = -1
            dim[m] = size
        sign[z, column] = 0
        sign[p, column] = 1
        # Room for this cell: two nodes a boundary cell, its ridges, and the middle twice.
        room = 2
        node = head[c]
        while node != NONE:
            g = node_cell[node]
            room += 2
            if side[g] == 2:
                ridge = head[g]
                while ridge != NONE:
                    room += 1
                    ridge = node_next[ridge]
            node = node_next[node]
        if used + room > node_cell.shape[0]:
            longer = np.empty(2 * (used + room), np.int32)
            longer[:used] = node_cell[:used]
            node_cell = longer
            longer = np.empty(2 * (used + room), np.int32)
            longer[:used] = node_next[:used]
            node_next = longer
        node = head[c]
        positive, zero, negative = NONE, NONE, NONE
        while node != NONE:
            after = node_next[node]
            g = node_cell[node]
            if side[g] == 2:
                node_next[node] = positive
                positive = node
                ridge = head[g]
                while ridge != NONE:
                    e = node_cell[ridge]
                    if side[e] == 1:
                        node_cell[used] = e
                        node_next[used] = zero
                        zero = used
                        used += 1
                    ridge = node_next[ridge]
            elif side[g] == 4:
                node_cell[node] = plus[g]
                node_next[node] = positive
                positive = node
                node_cell[used] = middle[g]
                node_next[used] = zero
                zero = used
                used += 1
                if not half:
                    node_cell[used] = minus[g]
                    node_next[used] = negative
                    negative = used
                    used += 1
            elif not half:
                node_next[node] = negative
                negative = node
            node = after
        node_cell[used] = z
        node_next[used] = positive
        head[p] = used
        used += 1
        head[z] = zero
        if not half:
            node_cell[used] = z
            node_next[used] = negative
            head[m] = used
            used += 1
    if half:
        for i in range(order.shape[0]):
            if side[order[i]] == 3:
                dim[order[i]] = -1
        return count, used, plus, middle, minus, node_cell, node_next
    for c in range(old):
        if side[c] != 0 or dim[c] < 0:
            continue
        room = 0
        node = head[c]
        while node != NONE:
            if side[node_cell[node]] == 4:
                room += 1
            node = node_next[node]
        if room == 0:
            continue
        if used + room > node_cell.shape[0]:
            longer = np.empty(2 * (used + room), np.int32)
            longer[:used] = node_cell[:used]
            node_cell = longer
            longer = np.empty(2 * (used + room), np.int32)
            longer[:used] = node_next[:used]
            node_next = longer
        node = head[c]
        while node != NONE:
            g = node_cell[node]
            if side[g] == 4:
                node_cell[node] = plus[g]
                node_cell[used] = minus[g]
                node_next[used] = head[c]
                head[c] = used
                used += 1
            node = node_next[node]
    return count, used, plus, middle, minus, node_cell, node_next


def _sample_gather() -> tuple[Any, ...]:
    c = sample_complex()
    return c["count"], c["head"], c["node_cell"], c["node_next"]


@kernel(sample=_sample_gather)
def gather(count, head, node_cell, node_next):  # type: ignore[no-untyped-def]
    """The linked boundary lists as one array: those of c are `cells[start[c]:start[c + 1]]`."""
    start = np.zeros(count + 1, np.int64)
    for c in range(count):
        start[c + 1] = start[c]
        node = head[c]
        while node != NONE:
            start[c + 1] += 1
            node = node_next[node]
    cells = np.empty(start[count], np.int32)
    for c in range(count):
        at = start[c]
        node = head[c]
        while node != NONE:
            cells[at] = node_cell[node]
            at += 1
            node = node_next[node]
    return start, cells
