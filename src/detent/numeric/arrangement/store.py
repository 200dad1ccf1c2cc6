"""The memory of a conditional cell complex: all cells, and the part of them that planes go into.

All cells are kept in a `Store`, by number. The closed subcomplex that planes go into is
taken out into a `Subcomplex`: its cells by dimension, boundaries one after the other, so that
passes run straight through memory; the first is the smallest one, a linear space, in the
closure of every other. A cell that is not crossed keeps its boundary as it is, and a
crossed one its number for the positive half. Cells outside are not touched: a boundary they
name may since have been divided, and its halves are found when the list is next read
(`child`, `sibling`: the halves that split off a cell, newest first; `since`: how many
cells there were when a list was written). Numbers of cells and places of lists are unsigned: the
compiler then leaves out what Python's negative indices would need.
"""

from __future__ import annotations

from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from detent.numeric.kernels import kernel

NO_NODE = -1
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
    start: NDArray[np.uint64]  # where its boundary is in `pool`, and how long
    size: NDArray[np.uint32]
    since: NDArray[np.int32]
    child: NDArray[np.int32]
    sibling: NDArray[np.int32]
    pool: NDArray[np.uint32]


class Subcomplex(NamedTuple):
    """A closed subcomplex: which cells, and their boundaries (`size[i]` nodes from `start[i]`) within it."""

    cell: NDArray[np.uint32]
    start: NDArray[np.uint64]
    size: NDArray[np.uint32]
    changed: NDArray[np.bool_]  # the store has another boundary
    order: NDArray[np.uint32]  # by dimension
    node: NDArray[np.uint32]


class Sides(NamedTuple):
    """By cell of a part: its side, points of its closure above and below; then its halves and middle."""

    side: NDArray[np.int8]
    up: NDArray[np.uint32]
    down: NDArray[np.int32]
    high: NDArray[np.float64]
    low: NDArray[np.float64]
    crossed: NDArray[np.uint32]  # the crossed cells by dimension
    start: NDArray[np.uint64]  # the boundary of a crossed cell's positive half, which keeps its number
    size: NDArray[np.uint32]
    minus: NDArray[np.uint32]
    middle: NDArray[np.uint32]
    order: NDArray[np.uint32]  # all cells by dimension after the division


Arrays = TypeVar("Arrays", Store, Subcomplex, Sides)


def make_store(cells: int, words: int, nodes: int) -> Store:
    """Room for so many cells, words of signs and boundary nodes."""
    since, child, sibling = (np.empty(cells, np.int32) for _ in range(3))
    above, below = (np.empty((cells, words), np.int64) for _ in range(2))
    start, size, pool = np.empty(cells, np.uint64), np.empty(cells, np.uint32), np.empty(nodes, np.uint32)
    return Store(np.empty(cells, np.int8), above, below, start, size, since, child, sibling, pool)


def make_part(cells: int, nodes: int) -> Subcomplex:
    cell, size, order = (np.empty(cells, np.uint32) for _ in range(3))
    start, changed = np.empty(cells, np.uint64), np.empty(cells, np.bool_)
    return Subcomplex(cell, start, size, changed, order, np.empty(nodes, np.uint32))


def make_sides(cells: int) -> Sides:
    up, crossed, size, minus, middle, order = (np.empty(cells, np.uint32) for _ in range(6))
    start, down = np.empty(cells, np.uint64), np.empty(cells, np.int32)
    values = (np.empty(cells), np.empty(cells))
    return Sides(np.empty(cells, np.int8), up, down, *values, crossed, start, size, minus, middle, order)


def start_store(store: Store, rank: int) -> None:
    """The one cell R^rank."""
    store.dim[0] = rank
    store.above[0] = store.below[0] = -1
    store.start[0] = store.size[0] = 0
    store.since[0] = 1
    store.child[0] = store.sibling[0] = NO_NODE


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
    store.child[:3] = store.sibling[:3] = NO_NODE
    store.pool[:2] = 0
    return store, np.array([[1.0, 0.0], [0.0, 1.0], [0.0, -1.0], *[[0.0, 0.0]] * 6])


def sample_part() -> tuple[Store, NDArray[np.float64], Subcomplex, NDArray[np.int64]]:
    store, witness = sample_store()
    part, layers = cleared(make_part(9, 64)), np.zeros(5, np.int64)
    take_out(3, NO_NODE, store, part, layers, np.zeros(9, np.uint32), np.zeros(9, np.uint32))
    return store, witness, part, layers


def _sample_take() -> tuple[Any, ...]:
    store, _ = sample_store()
    part, layers = cleared(make_part(9, 64)), np.zeros(5, np.int64)
    return 3, NO_NODE, store, part, layers, np.zeros(9, np.uint32), np.zeros(9, np.uint32)


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
    inside = 0
    for c in range(count):
        k = store.dim[c]
        stack[inside] = c  # overwritten where the cell is not one of them
        more = 1 if k >= 0 and ((store.above[c, word] | store.below[c, word]) & bit) == 0 else 0
        layers[k + 2] += more
        inside += more
    for k in range(2, layers.shape[0]):
        layers[k] += layers[k - 1]
    for i in range(inside):
        c = stack[i]
        k = store.dim[c]
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
    return dims, up, down, starts, node[:nodes].astype(np.int32), inside


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
