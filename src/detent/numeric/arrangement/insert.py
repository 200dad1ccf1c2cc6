"""One insertion into a conditional cell complex: which cells a plane crosses, and their halves.

The combinatorial part of the arrangement of Huang, Cheng & Mason's hyperplanes.
No coordinate is read here except the witness of a cell whose boundary lies in the
plane, so that floats and exact integers run the same code. How cells are kept is in
`detent.numeric.arrangement.store`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.arrangement.store import BITS, NO_NODE, SHORT, WORD, cleared, make_sides, sample_part
from detent.numeric.kernels import kernel

OPPOSITE = -2  # as a representative: minus the witness of the smallest cell

# Where a cell lies, seen from the plane being inserted, as bits; a crossed cell has something on either
# side, an abutting one is positive and has some of its boundary in the plane.
POSITIVE, NEGATIVE, ZERO, FACING = 1, 2, 4, 8
CROSSED, ABUTTING = POSITIVE | NEGATIVE, POSITIVE | FACING


def _sample_classify() -> tuple[Any, ...]:
    store, witness, part, layers = sample_part()
    plane = (np.array([0.6, 0.8]), 1, 0.6)
    return store, part, layers[-1], witness, *plane, 1e-9, 1e-12, 1e-7, cleared(make_sides(9))


@kernel(sample=_sample_classify)
def classify(  # type: ignore[no-untyped-def]
    store, part, number, witness, row, column, across, equal, gap_low, gap_high, sides
):
    """Where each cell of a part lies, and a representative on either side; signs of those not crossed.

    A cell that is neither a linear space nor half of one is the hull of its boundary, so
    the boundary's sides are its own. Where all of the boundary is zero, the cell's own
    witness decides. The smallest cell is crossed when `across` is positive: the value of its witness.
    A plane that then finds too little room is classified again, to the same end.

    Returns the numbers of cells crossed and of values in the gap.
    """
    side, up, down, high, low, node = sides.side, sides.up, sides.down, sides.high, sides.low, part.node
    above, below, cell = store.above, store.below, part.cell
    word, others = column // WORD, ~BITS[column % WORD]
    smallest = part.order[0]
    side[smallest], high[smallest], low[smallest] = ZERO, 0.0, 0.0
    crossed, doubtful = 0, 0
    if across <= 0:
        above[cell[smallest], word] &= others
        below[cell[smallest], word] &= others
    else:
        side[smallest], high[smallest], low[smallest] = CROSSED, across, -across
        up[smallest], down[smallest] = smallest, OPPOSITE
        sides.crossed[0] = smallest
        crossed = 1
    for i in range(1, number):
        c = part.order[i]
        w = cell[c]
        first = part.start[c]
        last = first + part.size[c]
        met, most, least, a, b = 0, 0.0, 0.0, c, c
        for j in range(first, last):
            g = node[j]
            met |= side[g]
            if high[g] > most:
                most, a = high[g], g
            if low[g] < least:
                least, b = low[g], g
        sides_met = met & CROSSED
        if sides_met == 0:
            v = 0.0
            for k in range(row.shape[0]):
                v += witness[w, k] * row[k]
            size = abs(v)
            if size > gap_low and size < gap_high:
                doubtful += 1
            up[c], down[c] = c, c
            if v > equal:
                sides_met, most = POSITIVE, v
            elif v < -equal:
                sides_met, least = NEGATIVE, v
            else:
                sides_met = ZERO
        else:
            up[c], down[c] = up[a], down[b]
            if sides_met == CROSSED:
                sides.crossed[crossed] = c
                crossed += 1
        if not sides_met & POSITIVE:
            above[w, word] &= others
        if not sides_met & NEGATIVE:
            below[w, word] &= others
        if sides_met == POSITIVE and met & ZERO:
            sides_met = ABUTTING
        side[c], high[c], low[c] = sides_met, most, least
    return crossed, doubtful


def _sample_split() -> tuple[Any, ...]:
    store, witness, part, _ = sample_part()
    sides = cleared(make_sides(9))
    crossed, _ = classify(store, part, 3, witness, np.array([0.6, 0.8]), 1, 0.6, 1e-9, 1e-12, 1e-7, sides)
    return part, 3, 2, sides, crossed, False


@kernel(sample=_sample_split)
def split(part, numbers, nodes, sides, crossed, half):  # type: ignore[no-untyped-def]
    """Boundaries of the halves and middles of the crossed cells, behind the nodes there are.

    The middle of a crossed cell is bounded by the middles of its crossed boundary
    cells and by the ridges of its positive boundary cells that lie in the plane
    (each such ridge lies between one positive and one negative boundary cell). New cells
    are numbered from `numbers` on. Nothing of the old is overwritten, so that a split that
    finds too little room can be given up. Returns the number of nodes, or SHORT.

    A node is always written and then counted or not: on which side it lies no processor foresees.
    """
    side, minus, middle = sides.side, sides.minus, sides.middle
    start, size, node = part.start, part.size, part.node
    room = node.shape[0]
    n, t = nodes, numbers
    for i in range(crossed):
        c = sides.crossed[i]
        first = start[c]
        last = first + size[c]
        if n + 3 * size[c] + 2 > room:
            return SHORT
        z = t
        middle[c] = z
        t += 1
        begin = n
        for j in range(first, last):
            g = node[j]
            node[n] = g
            n += 1 if side[g] & POSITIVE else 0
        node[n] = z
        n += 1
        sides.start[c], sides.size[c] = begin, n - begin
        if not half:
            m = t
            minus[c] = m
            t += 1
            begin = n
            for j in range(first, last):
                g = node[j]
                s = side[g]
                node[n] = minus[g] if s == CROSSED else g
                n += 1 if s & NEGATIVE else 0
            node[n] = z
            n += 1
            start[m], size[m] = begin, n - begin
        begin = n
        for j in range(first, last):
            g = node[j]
            s = side[g]
            node[n] = middle[g]
            n += 1 if s == CROSSED else 0
            if s == ABUTTING:
                if n + size[g] + size[c] > room:
                    return SHORT
                for k in range(start[g], start[g] + size[g]):
                    e = node[k]
                    node[n] = e
                    n += 1 if side[e] == ZERO else 0
        start[z], size[z] = begin, n - begin
    return n


def _sample_enter() -> tuple[Any, ...]:
    part, numbers, nodes, sides, crossed, half = _sample_split()
    split(part, numbers, nodes, sides, crossed, half)
    store, _, _, layers = sample_part()
    return 3, 0, store, part, numbers, sides, crossed, 1, half, layers


@kernel(sample=_sample_enter)
def enter(  # type: ignore[no-untyped-def]
    count, spare, store, part, numbers, sides, crossed, column, half, layers
):
    """Number the new cells of a part, write their signs, and set the order by dimension.

    A new cell always gets a new number: numbers tell what is new, and of one dimension the
    order of a part is theirs. Returns (count, numbers out of use, numbers in the part).
    """
    side, minus, middle = sides.side, sides.minus, sides.middle
    dim, above, below, cell = store.dim, store.above, store.below, part.cell
    word, bit = column // WORD, BITS[column % WORD]
    words = above.shape[1]
    for i in range(crossed):
        k = sides.crossed[i]
        c = cell[k]
        z = count
        count += 1
        part.start[k], part.size[k], part.changed[k] = sides.start[k], sides.size[k], True
        if not half:
            m = count
            count += 1
            for w in range(words):
                above[m, w] = above[c, w]
                below[m, w] = below[c, w]
            above[m, word] &= ~bit
            dim[m] = dim[c]
            store.sibling[m] = store.child[c]
            store.child[m] = NO_NODE
            store.child[c] = m
            cell[minus[k]] = m
            part.changed[minus[k]] = True
            numbers += 1
        below[c, word] &= ~bit
        for w in range(words):
            above[z, w] = above[c, w]
            below[z, w] = below[c, w]
        above[z, word] &= ~bit
        dim[z] = dim[c] - 1
        store.child[z] = store.sibling[z] = NO_NODE
        cell[middle[k]] = z
        part.changed[middle[k]] = True
        numbers += 1
    # By dimension: what was there, new negative halves, new middles; crossed cells are by dimension too.
    t, last, before, after = 0, 0, 0, 0
    top = layers.shape[0] - 1
    while after < crossed and dim[cell[sides.crossed[after]]] == 0:
        after += 1
    for d in range(top):
        first, last = last, layers[d + 1]
        layers[d] = t
        if half:
            for i in range(first, last):
                k = part.order[i]
                if side[k] == NEGATIVE:
                    spare += 1
                    dim[cell[k]] = -1
                    continue
                sides.order[t] = k
                t += 1
        else:
            for i in range(first, last):
                sides.order[t] = part.order[i]
                t += 1
            for i in range(before, after):
                sides.order[t] = minus[sides.crossed[i]]
                t += 1
        before = after
        while after < crossed and dim[cell[sides.crossed[after]]] == d + 1:
            after += 1
        for i in range(before, after):
            sides.order[t] = middle[sides.crossed[i]]
            t += 1
    layers[top] = t
    for i in range(t):
        part.order[i] = sides.order[i]
    return count, spare, numbers
