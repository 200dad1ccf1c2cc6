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
# A representative this far off the plane is good enough; a nearer one would leave
# the halves' witnesses close to their boundary.
FAR = 0.2
DIMENSIONS = 129  # dimensions are int8


def sample_complex() -> dict[str, Any]:
    """The plane with one line through the origin: the line, and its two sides."""
    return {
        "count": 3,
        "dim": np.array([1, 2, 2, 0, 0, 0, 0, 0, 0], np.int8),
        "sign": np.array([[0] + [2] * 7, [1] + [2] * 7, [-1] + [2] * 7] + [[0] + [2] * 7] * 6, np.int8),
        "head": np.array([NONE, 0, 1, NONE, NONE, NONE, NONE, NONE, NONE], np.int32),
        "node_cell": np.zeros(16, np.int32),
        "node_next": np.full(16, NONE, np.int32),
    }


@kernel(sample=lambda: (np.arange(4, dtype=np.int32), 3, 9))
def longer(array, used, room):  # type: ignore[no-untyped-def]
    """The first `used` entries in an array with room for more."""
    made = np.zeros(room, np.int32)
    made[:used] = array[:used]
    return made


def _sample_members() -> tuple[Any, ...]:
    c = sample_complex()
    return 3, c["dim"], c["sign"], NONE


@kernel(sample=_sample_members)
def find_members(count, dim, sign, touch):  # type: ignore[no-untyped-def]
    """The cells that live and have sign 0 in column `touch` (NONE: all that live)."""
    member = np.empty(count, np.int32)
    number = 0
    for c in range(count):
        if dim[c] >= 0 and (touch < 0 or sign[c, touch] == 0):
            member[number] = c
            number += 1
    return member[:number].copy()


def _sample_lifts() -> tuple[Any, ...]:
    c = sample_complex()
    return (3, c["dim"], c["sign"], 0, c["head"], c["node_cell"], c["node_next"])


@kernel(sample=_sample_lifts)
def find_lifts(count, dim, sign, touch, head, node_cell, node_next):  # type: ignore[no-untyped-def]
    """For each cell in the plane of column `touch`, the cells off it that it bounds.

    Linked lists like the boundaries: `first[g]` is an entry, `lift_cell` what it names,
    `lift_next` the entry after. The last number returned says how many entries there are.
    """
    first = np.full(dim.shape[0], NONE, np.int32)
    lift_cell = np.zeros(node_cell.shape[0], np.int32)  # as many as there are boundary nodes, at most
    lift_next = np.zeros(node_cell.shape[0], np.int32)
    number = 0
    if touch < 0:
        return first, lift_cell, lift_next, number
    inside = np.empty(count, np.bool_)
    for c in range(count):
        inside[c] = sign[c, touch] == 0
    for c in range(count):
        if dim[c] < 0 or inside[c]:
            continue
        node = head[c]
        while node != NONE:
            g = node_cell[node]
            if inside[g]:
                lift_cell[number] = c
                lift_next[number] = first[g]
                first[g] = number
                number += 1
            node = node_next[node]
    return first, lift_cell, lift_next, number


@kernel(sample=lambda: (np.array([2, 0, 1], np.int32), np.array([1, 2, 2], np.int8)))
def by_dimension(member, dim):  # type: ignore[no-untyped-def]
    """The members from small dimensions to large."""
    start = np.zeros(DIMENSIONS, np.int64)
    for i in range(member.shape[0]):
        start[dim[member[i]] + 1] += 1
    for k in range(DIMENSIONS - 1):
        start[k + 1] += start[k]
    order = np.empty(member.shape[0], np.int32)
    for i in range(member.shape[0]):
        c = member[i]
        order[start[dim[c]]] = c
        start[dim[c]] += 1
    return order


def _sample_classify() -> tuple[Any, ...]:
    c = sample_complex()
    scratch = (np.zeros(3, np.int8), np.full(3, NONE, np.int32), np.full(3, NONE, np.int32))
    lists = (c["head"], c["node_cell"], c["node_next"])
    order = np.array([0, 1, 2], np.int32)
    return (order, *lists, np.array([1.0, 0.0, 0.0]), True, 0.1, 0.0, 0.5, *scratch)


@kernel(sample=_sample_classify)
def classify(  # type: ignore[no-untyped-def]
    order, head, node_cell, node_next, value, crosses_smallest, equal, gap_low, gap_high, side, above, below
):
    """Where each cell of `order` lies; fills `side` and a representative on either side, `above`, `below`.

    A cell that is neither a linear space nor half of one is the hull of its
    boundary, so the boundary's sides are its own. Where all of the boundary is
    zero, the cell's own witness decides.

    Returns the numbers of cells crossed and of cells in the plane, and of values in the gap.
    """
    crossed = 0
    zeros = 0
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
                if most > FAR and least < -FAR:
                    break
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
            side[c] = CROSSED
            crossed += 1
        elif up != NONE:
            side[c] = POSITIVE
        elif down != NONE:
            side[c] = NEGATIVE
        else:
            side[c] = ZERO
            zeros += 1
    return crossed, zeros, doubtful


def _sample_room() -> tuple[Any, ...]:
    c = sample_complex()
    lists = (c["head"], c["node_cell"], c["node_next"])
    first, _, lift_next, _ = find_lifts(3, c["dim"], c["sign"], NONE, *lists)
    return (np.array([0, 1, 2], np.int32), np.full(3, CROSSED, np.int8), 0, first, lift_next, *lists)


@kernel(sample=_sample_room)
def room_needed(order, side, zeros, first, lift_next, head, node_cell, node_next):  # type: ignore[no-untyped-def]
    """How many nodes `split` adds at most."""
    room = 0
    for i in range(order.shape[0]):
        c = order[i]
        if side[c] != CROSSED:
            continue
        room += 2
        node = head[c]
        while node != NONE:
            g = node_cell[node]
            room += 2
            if zeros > 0 and side[g] == POSITIVE:
                ridge = head[g]
                while ridge != NONE:
                    if side[node_cell[ridge]] == ZERO:
                        room += 1
                    ridge = node_next[ridge]
            node = node_next[node]
        entry = first[c]
        while entry != NONE:
            room += 1
            entry = lift_next[entry]
    return room


def _sample_split() -> tuple[Any, ...]:
    c = sample_complex()
    side = np.full(3, CROSSED, np.int8)
    order = np.array([0, 1, 2], np.int32)
    parts = [np.full(3, NONE, np.int32) for _ in range(3)]
    lists = (c["head"], c["node_cell"], c["node_next"])
    lifts = find_lifts(3, c["dim"], c["sign"], NONE, *lists)
    return (3, 2, order, side, 0, 1, False, *lifts, *parts, c["dim"], c["sign"], *lists)


@kernel(sample=_sample_split)
def split(  # type: ignore[no-untyped-def]
    count,
    used,
    order,
    side,
    zeros,
    column,
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
):
    """Divide the crossed cells and write the plane's signs; with `half`, drop what lies below it.

    The middle of a crossed cell is bounded by the middles of its crossed boundary
    cells and by the ridges of its positive boundary cells that lie in the plane
    (each such ridge lies between one positive and one negative boundary cell).
    Cells off the plane that a crossed cell bounds (`find_lifts`) are then bounded by
    its two halves. `plus`, `middle` and `minus` receive the numbers of the halves. The
    arrays have room (`room_needed`; `sign` a multiple of eight columns): no array may be
    replaced in a loop, because compiled code would count references there.

    Returns (count, used nodes, number of lifts).
    """
    packed = sign.view(np.int64)  # eight signs at a time
    words = packed.shape[1]
    for i in range(order.shape[0]):
        c = order[i]
        s = side[c]
        if s == ZERO:
            sign[c, column] = 0
            continue
        if s == POSITIVE:
            sign[c, column] = 1
            continue
        if s == NEGATIVE:
            sign[c, column] = -1
            if half:
                dim[c] = -1
            continue
        p, z, m = c, count, NONE
        count += 1
        if not half:
            m = count
            count += 1
        if c == 0:
            p, z = z, 0
        plus[c], middle[c], minus[c] = p, z, m
        size = dim[c]
        for k in range(words):
            x = packed[c, k]
            packed[z, k] = x
            packed[p, k] = x
            if not half:
                packed[m, k] = x
        dim[p] = size
        dim[z] = size - 1
        if not half:
            sign[m, column] = -1
            dim[m] = size
        sign[z, column] = 0
        sign[p, column] = 1
        node = head[c]
        positive, zero, negative = NONE, NONE, NONE
        while node != NONE:
            after = node_next[node]
            g = node_cell[node]
            if side[g] == POSITIVE:
                node_next[node] = positive
                positive = node
                ridge = head[g] if zeros > 0 else NONE
                while ridge != NONE:
                    e = node_cell[ridge]
                    if side[e] == ZERO:
                        node_cell[used] = e
                        node_next[used] = zero
                        zero = used
                        used += 1
                    ridge = node_next[ridge]
            elif side[g] == CROSSED:
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
        entry = first[c]
        first[z] = NONE
        if c == 0:
            first[p] = entry
        if half:
            continue
        node_cell[used] = z
        node_next[used] = negative
        head[m] = used
        used += 1
        first[m] = NONE
        if c == 0:
            # The cells that cell 0 bounds: its positive half has a new number there.
            while entry != NONE:
                node = head[lift_cell[entry]]
                while node_cell[node] != 0:
                    node = node_next[node]
                node_cell[node] = p
                entry = lift_next[entry]
            entry = first[p]
        while entry != NONE:
            lifted = lift_cell[entry]
            node_cell[used] = m
            node_next[used] = head[lifted]
            head[lifted] = used
            used += 1
            lift_cell[lifts] = lifted
            lift_next[lifts] = first[m]
            first[m] = lifts
            lifts += 1
            entry = lift_next[entry]
    return count, used, lifts


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
