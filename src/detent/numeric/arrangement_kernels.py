"""One insertion into a conditional cell complex: which cells a plane crosses, and their halves.

The combinatorial part of the arrangement of Huang, Cheng & Mason's hyperplanes.
No coordinate is read here except the witness of a cell whose boundary lies in the
plane, so that floats and exact integers run the same code.

All cells are kept in a `Store`, by number. The closed subcomplex that planes go into is
taken out into a `Part`: its cells by dimension, boundaries one after the other, so that
passes run straight through memory; the first is the smallest one, a linear space, in the
closure of every other. A cell that is not crossed keeps its boundary as it stands, and a
crossed one its number for the positive half. Cells outside are not touched: a boundary they
name may since have been divided, and its halves are found when the list is next read
(`child`, `sibling`: the halves that split off a cell, newest first; `since`: how many
cells there were when a list was written).
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from detent.numeric.kernel import kernel

NONE = -1
OPPOSITE = -2  # as a representative: minus the witness of the smallest cell

# Where a cell lies, seen from the plane being inserted, as bits; a crossed cell has something on either
# side, an abutting one is positive and has some of its boundary in the plane.
POSITIVE, NEGATIVE, ZERO, FACING = 1, 2, 4, 8
CROSSED, ABUTTING = POSITIVE | NEGATIVE, POSITIVE | FACING
UNSEEN = 2  # among signs: the plane does not divide this cell
SHORT = -1  # instead of a number of nodes: there is too little room for them
WORD = 64
BITS = np.left_shift(np.int64(1), np.arange(WORD, dtype=np.int64))


class Store(NamedTuple):
    """Cells by number; a plane's bit is set in `above` where it is positive, in `below` where negative,
    in both where it does not divide the cell. `dim` is -1 where a number is out of use."""

    dim: NDArray[np.int8]
    above: NDArray[np.int64]
    below: NDArray[np.int64]
    start: NDArray[np.int64]  # where its boundary is in `pool`, and how long
    size: NDArray[np.int32]
    since: NDArray[np.int32]
    child: NDArray[np.int32]
    sibling: NDArray[np.int32]
    pool: NDArray[np.int32]


class Part(NamedTuple):
    """A closed subcomplex: which cells, and their boundaries (`size[i]` nodes from `start[i]`) within it."""

    cell: NDArray[np.int32]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    changed: NDArray[np.bool_]  # the store has another boundary
    order: NDArray[np.int32]  # by dimension
    node: NDArray[np.int32]


class Sides(NamedTuple):
    """By cell of a part: its side, points of its closure above and below; then its halves and middle."""

    side: NDArray[np.int8]
    up: NDArray[np.int32]
    down: NDArray[np.int32]
    high: NDArray[np.float64]
    low: NDArray[np.float64]
    crossed: NDArray[np.int32]  # the crossed cells by dimension
    start: NDArray[np.int64]  # the boundary of a crossed cell's positive half, which keeps its number
    size: NDArray[np.int32]
    minus: NDArray[np.int32]
    middle: NDArray[np.int32]
    order: NDArray[np.int32]  # all cells by dimension after the division


Arrays = TypeVar("Arrays", Store, Part, Sides)


def make_store(cells: int, words: int, nodes: int) -> Store:
    """Room for so many cells, words of signs and boundary nodes."""
    size, since, child, sibling = (np.empty(cells, np.int32) for _ in range(4))
    above, below = (np.empty((cells, words), np.int64) for _ in range(2))
    start, pool = np.empty(cells, np.int64), np.empty(nodes, np.int32)
    return Store(np.empty(cells, np.int8), above, below, start, size, since, child, sibling, pool)


def make_part(cells: int, nodes: int) -> Part:
    cell, size, order = (np.empty(cells, np.int32) for _ in range(3))
    start, changed = np.empty(cells, np.int64), np.empty(cells, np.bool_)
    return Part(cell, start, size, changed, order, np.empty(nodes, np.int32))


def make_sides(cells: int) -> Sides:
    up, down, crossed, size, minus, middle, order = (np.empty(cells, np.int32) for _ in range(7))
    start = np.empty(cells, np.int64)
    values = (np.empty(cells), np.empty(cells))
    return Sides(np.empty(cells, np.int8), up, down, *values, crossed, start, size, minus, middle, order)


def start_store(store: Store, rank: int) -> None:
    """The one cell R^rank."""
    store.dim[0] = rank
    store.above[0] = store.below[0] = -1
    store.start[0] = store.size[0] = 0
    store.since[0] = 1
    store.child[0] = store.sibling[0] = NONE


def cleared(arrays: Arrays) -> Arrays:
    """Samples are filled, so that both speeds of a kernel leave the same in them."""
    for array in arrays:
        array[...] = 0
    return arrays


def sample_store() -> tuple[Store, NDArray[np.float64]]:
    """The plane with one line through the origin: the line, and its two sides; and witnesses."""
    store = cleared(make_store(9, 1, 16))
    start_store(store, 1)
    store.dim[1:3] = 2
    store.above[:3, 0], store.below[:3, 0] = [-2, -1, -2], [-2, -2, -1]
    store.start[1:3], store.size[1:3], store.since[:3] = [0, 1], 1, 3
    store.child[:3] = store.sibling[:3] = NONE
    store.pool[:2] = 0
    return store, np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0], *[[0.0, 0.0]] * 6])


def sample_part() -> tuple[Store, NDArray[np.float64], Part, NDArray[np.int64]]:
    store, witness = sample_store()
    part, layers = cleared(make_part(9, 64)), np.zeros(5, np.int64)
    take_out(3, NONE, store, part, layers, np.zeros(9, np.int32), np.zeros(9, np.int32))
    return store, witness, part, layers


def _sample_take() -> tuple[Any, ...]:
    store, _ = sample_store()
    part, layers = cleared(make_part(9, 64)), np.zeros(5, np.int64)
    return 3, NONE, store, part, layers, np.zeros(9, np.int32), np.zeros(9, np.int32)


@kernel(sample=_sample_take)
def take_out(count, touch, store, part, layers, place, stack):  # type: ignore[no-untyped-def]
    """The cells whose sign in column `touch` is 0 (NONE: all), by dimension, as a part.

    `layers[k]` receives where dimension k begins; the last entry the number of cells.
    Returns the number of boundary nodes, or SHORT.
    """
    word, bit = 0, np.int64(0)
    if touch >= 0:
        word, bit = touch // WORD, BITS[touch % WORD]
    layers[:] = 0
    for c in range(count):
        k = store.dim[c]
        if k >= 0 and ((store.above[c, word] | store.below[c, word]) & bit) == 0:
            layers[k + 2] += 1
    for k in range(2, layers.shape[0]):
        layers[k] += layers[k - 1]
    for c in range(count):
        k = store.dim[c]
        if k >= 0 and ((store.above[c, word] | store.below[c, word]) & bit) == 0:
            part.cell[layers[k + 1]] = c
            place[c] = layers[k + 1]
            layers[k + 1] += 1
    number = layers[layers.shape[0] - 1]
    room = part.node.shape[0]
    n = 0
    for i in range(number):
        c = part.cell[i]
        begin = n
        since = store.since[c]
        first = store.start[c]
        for j in range(first, first + store.size[c]):
            if n >= room:
                return SHORT
            g = store.pool[j]
            part.node[n] = place[g]
            n += 1
            top = 0
            if store.child[g] >= since:
                stack[0] = store.child[g]
                top = 1
            while top > 0:
                if n >= room:
                    return SHORT
                top -= 1
                m = stack[top]
                part.node[n] = place[m]
                n += 1
                if store.sibling[m] >= since:
                    stack[top] = store.sibling[m]
                    top += 1
                if store.child[m] >= since:
                    stack[top] = store.child[m]
                    top += 1
        part.order[i] = i
        part.start[i] = begin
        part.size[i] = n - begin
        part.changed[i] = n - begin != store.size[c]
    return n


def _sample_copy() -> tuple[Any, ...]:
    store, witness, part, layers = sample_part()
    return store.dim, store.above, store.below, part.cell, layers[-1], part.start, part.node, 2, witness


@kernel(sample=_sample_copy)
def copy_out(dim, above, below, cell, number, start, node, nodes, witness):  # type: ignore[no-untyped-def]
    """Dimensions, signs, boundaries and witnesses of the first cells of a part, in its order."""
    words, rank = above.shape[1], witness.shape[1]
    dims = np.empty(number, np.int8)
    up = np.empty((number, words), np.int64)
    down = np.empty((number, words), np.int64)
    inside = np.empty((number, rank), witness.dtype)
    starts = np.empty(number + 1, np.int64)
    for i in range(number):
        c = cell[i]
        dims[i] = dim[c]
        starts[i] = start[i]
        for k in range(words):
            up[i, k] = above[c, k]
            down[i, k] = below[c, k]
        for k in range(rank):
            inside[i, k] = witness[c, k]
    starts[number] = nodes
    return dims, up, down, starts, node[:nodes].copy(), inside


def _sample_put() -> tuple[Any, ...]:
    store, _, part, layers = sample_part()
    return 3, 0, store, part, layers[-1], True


@kernel(sample=_sample_put)
def put_back(count, used, store, part, number, every):  # type: ignore[no-untyped-def]
    """Write a part's boundaries into the store, which has room: those that changed, or `every` one.

    Returns the nodes used by then.
    """
    for j in range(number):
        i = part.order[j]
        if not (every or part.changed[i]):
            continue
        c = part.cell[i]
        first, size = part.start[i], part.size[i]
        store.start[c] = used
        store.size[c] = size
        store.since[c] = count
        for k in range(first, first + size):
            store.pool[used] = part.cell[part.node[k]]
            used += 1
    return used


def _sample_classify() -> tuple[Any, ...]:
    _, witness, part, layers = sample_part()
    return part, layers[-1], witness, np.array([0.6, 0.8]), 0.6, 1e-9, 1e-12, 1e-7, cleared(make_sides(9))


@kernel(sample=_sample_classify)
def classify(part, number, witness, row, across, equal, gap_low, gap_high, sides):  # type: ignore[no-untyped-def]
    """Where each cell of a part lies, and a representative on either side.

    A cell that is neither a linear space nor half of one is the hull of its boundary, so
    the boundary's sides are its own. Where all of the boundary is zero, the cell's own
    witness decides. The smallest cell is crossed when `across` is positive: the value of its witness.

    Returns the numbers of cells crossed and of values in the gap.
    """
    side, up, down, high, low, node = sides.side, sides.up, sides.down, sides.high, sides.low, part.node
    smallest = part.order[0]
    side[smallest], high[smallest], low[smallest] = ZERO, 0.0, 0.0
    crossed, doubtful = 0, 0
    if across > 0:
        side[smallest], high[smallest], low[smallest] = CROSSED, across, -across
        up[smallest], down[smallest] = smallest, OPPOSITE
        sides.crossed[0] = smallest
        crossed = 1
    for i in range(1, number):
        c = part.order[i]
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
        found = met & CROSSED
        if found == 0:
            v = 0.0
            w = part.cell[c]
            for k in range(row.shape[0]):
                v += witness[w, k] * row[k]
            size = abs(v)
            if size > gap_low and size < gap_high:
                doubtful += 1
            up[c], down[c] = c, c
            if v > equal:
                found, most = POSITIVE, v
            elif v < -equal:
                found, least = NEGATIVE, v
            else:
                found = ZERO
        else:
            up[c], down[c] = up[a], down[b]
            if found == CROSSED:
                sides.crossed[crossed] = c
                crossed += 1
        if found == POSITIVE and met & ZERO:
            found = ABUTTING
        side[c], high[c], low[c] = found, most, least
    return crossed, doubtful


def _sample_split() -> tuple[Any, ...]:
    _, witness, part, _ = sample_part()
    sides = cleared(make_sides(9))
    crossed, _ = classify(part, 3, witness, np.array([0.6, 0.8]), 0.6, 1e-9, 1e-12, 1e-7, sides)
    return part, 3, 2, sides, crossed, False


@kernel(sample=_sample_split)
def split(part, numbers, nodes, sides, crossed, half):  # type: ignore[no-untyped-def]
    """Boundaries of the halves and middles of the crossed cells, behind the nodes there are.

    The middle of a crossed cell is bounded by the middles of its crossed boundary
    cells and by the ridges of its positive boundary cells that lie in the plane
    (each such ridge lies between one positive and one negative boundary cell). New cells
    are numbered from `numbers` on. Nothing of the old is overwritten, so that a split that
    finds too little room can be given up. Returns the number of nodes, or SHORT.
    """
    side, minus, middle = sides.side, sides.minus, sides.middle
    start, size, node = part.start, part.size, part.node
    room = node.shape[0]
    n, t = nodes, numbers
    for i in range(crossed):
        c = sides.crossed[i]
        first = start[c]
        last = first + size[c]
        if n + 3 * (last - first) + 2 > room:
            return SHORT
        z = t
        middle[c] = z
        t += 1
        sides.start[c] = n
        for j in range(first, last):
            g = node[j]
            if side[g] & POSITIVE:
                node[n] = g
                n += 1
        node[n] = z
        n += 1
        sides.size[c] = n - sides.start[c]
        if not half:
            m = t
            minus[c] = m
            t += 1
            start[m] = n
            for j in range(first, last):
                g = node[j]
                s = side[g]
                if s & NEGATIVE:
                    node[n] = minus[g] if s == CROSSED else g
                    n += 1
            node[n] = z
            n += 1
            size[m] = n - start[m]
        start[z] = n
        for j in range(first, last):
            g = node[j]
            s = side[g]
            if s == CROSSED:
                node[n] = middle[g]
                n += 1
            elif s == ABUTTING:
                if n + size[g] + last - j > room:
                    return SHORT
                for k in range(start[g], start[g] + size[g]):
                    e = node[k]
                    if side[e] == ZERO:
                        node[n] = e
                        n += 1
        size[z] = n - start[z]
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
    """Number the new cells of a part, write all signs, and set the order by dimension.

    A new cell always gets a new number: numbers tell what is new, and of one dimension the
    order of a part is theirs. Returns (count, numbers out of use, numbers in the part).
    """
    side, minus, middle = sides.side, sides.minus, sides.middle
    dim, above, below, cell = store.dim, store.above, store.below, part.cell
    word, bit = column // WORD, BITS[column % WORD]
    words = above.shape[1]
    for i in range(layers[layers.shape[0] - 1]):
        k = part.order[i]
        c, s = cell[k], side[k]
        if not s & POSITIVE:
            above[c, word] &= ~bit
        if not s & NEGATIVE:
            below[c, word] &= ~bit
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
            store.child[m] = NONE
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
        store.child[z] = store.sibling[z] = NONE
        cell[middle[k]] = z
        part.changed[middle[k]] = True
        numbers += 1
    # By dimension: what was there, new negative halves, new middles.
    t, last = 0, 0
    top = layers.shape[0] - 1
    for d in range(top):
        first, last = last, layers[d + 1]
        layers[d] = t
        for i in range(first, last):
            k = part.order[i]
            s = side[k]
            if half and s == NEGATIVE:
                spare += 1
                dim[cell[k]] = -1
                continue
            sides.order[t] = k
            t += 1
        if not half:
            for i in range(first, last):
                k = part.order[i]
                if side[k] == CROSSED:
                    sides.order[t] = minus[k]
                    t += 1
        if d + 1 < top:
            for i in range(last, layers[d + 2]):
                k = part.order[i]
                if side[k] == CROSSED:
                    sides.order[t] = middle[k]
                    t += 1
    layers[top] = t
    for i in range(t):
        part.order[i] = sides.order[i]
    return count, spare, numbers
