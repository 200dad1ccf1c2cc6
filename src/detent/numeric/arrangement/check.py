"""Self-checks of a cell complex, always on; a failure is our defect, never the user's.

Checked on every cell, in time linear in the boundary lists (`first_broken_cell`):

1. signs: no two cells have the same, so the open cones are disjoint; each boundary cell has
   the signs of the cell it bounds with some of them zero, so it lies in its closure;
2. dimensions: boundary cells have one less; only the smallest cell has none; every cell that
   bounds no other has the largest dimension;
3. ridges: each boundary cell of a boundary cell is met an even number of times;
4. (`unfaithful`) every witness gives its own signs back, so no cone is empty.

From these Euler's relation follows for every closed cell (the signed number of its faces is
zero), by induction on the dimension. Let C be a cell of dimension d whose boundary cells satisfy
it. They are disjoint cones of dimension d - 1 in the boundary of the cone C. Around an inner
point of a ridge that boundary is a manifold with two sides of the ridge, and disjoint cones can
fill each side once, so even means two and both sides are filled. Hence the union of the boundary
cells is open and closed in the boundary of C away from sets too thin to separate it (or, for
d - 1 the smallest dimension, is all of it): nothing is missing and nothing is twice. So the closure
of C is the disjoint union of its faces, and a closed cone that is not a linear space has signed
number zero, since it can be pushed off its apex. `first_without_euler` adds the numbers up
themselves, in time and memory of all closures: on small complexes always, else on request.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.complex import EQUAL, GAP, Complex
from detent.numeric.arrangement.store import UNSEEN, WORD, sample_part
from detent.numeric.kernels import kernel

# Up to this many cells Euler's numbers are added up as well: it costs the size of every closure.
EULER_CELLS = 500
BLOCK = 128  # witnesses that fit the processor's nearest memory
# Signs are spread over a table by products of 31 bits with odd numbers of 32: none overflows.
LOW, MIX = np.int64(2**31 - 1), np.array([0x9E3779B1, 0x85EBCA77])

_drawn = np.zeros(0, np.int64)


def assert_sound(complex_: Complex, *, every: bool = False) -> None:
    """All checks of the lists; Euler's numbers added up if the complex is small, or for `every` one."""
    work = (30 + 10 * complex_.above.shape[1]) * len(complex_.cells)
    # Unsigned numbers: the compiler then leaves out what Python's negative indices would need.
    lists = complex_.start.view(np.uint64), complex_.cells.view(np.uint32)
    broken = first_broken_cell.at(work)(
        complex_.dim, *lists, complex_.above, complex_.below, _marks(len(complex_))
    )
    assert broken < 0, f"cell {broken} of {len(complex_)} is not bounded as a cell is"
    if every or len(complex_) <= EULER_CELLS:
        broken = first_without_euler.at(10 * work)(complex_.dim, *lists)
        assert broken < 0, f"cell {broken} of {len(complex_)} does not satisfy Euler's relation"


def _marks(count: int) -> NDArray[np.int64]:
    """Random numbers, drawn once and kept; more when more are needed."""
    global _drawn
    if len(_drawn) < count:
        _drawn = np.random.default_rng(count).integers(1, 2**62, 2 * count)
    return _drawn[:count]


def unfaithful(complex_: Complex) -> int:
    """How many signs the witnesses do not give back: in floats a doubt, in integers a defect."""
    if complex_.witness.dtype == object:
        return _unfaithful_integers(complex_)
    work = len(complex_) * complex_.rows.size
    count: int = unfaithful_floats.at(work)(
        complex_.above, complex_.below, complex_.rows, complex_.witness, EQUAL, GAP[1]
    )
    return count


def _unfaithful_integers(complex_: Complex) -> int:
    wrong = 0
    for k, row in enumerate(complex_.rows):
        seen = np.flatnonzero(complex_.sign[:, k] != UNSEEN)
        signs = np.sign(complex_.witness[seen] @ row).astype(np.int8)
        wrong += int(np.count_nonzero(signs != complex_.sign[seen, k]))
    return wrong


def _sample_unfaithful() -> tuple[Any, ...]:
    above, below = np.array([[-2], [-3]]), np.array([[-2], [-2]])
    return above, below, np.eye(2), np.array([[0.0, 1.0], [0.6, -0.8]]), 1e-9, 1e-7


@kernel(sample=_sample_unfaithful)
def unfaithful_floats(above, below, rows, witness, least, most):  # type: ignore[no-untyped-def]
    """Signs that a witness does not clearly give back: at least `least` off a plane, or at most `most`.

    A block of cells meets two planes after two others, three coordinates at a time (the last ones filled
    up with zeros, and so is the plane after the last): all loops then run over neighbours in memory.
    """
    columns, rank = rows.shape
    count = above.shape[0]
    transposed = np.zeros((rank + 2, BLOCK))
    row = np.zeros((columns + 1, rank + 2))
    row[:columns, :rank] = rows
    first, second = np.zeros(BLOCK), np.zeros(BLOCK)
    up, down = np.empty(BLOCK, np.int64), np.empty(BLOCK, np.int64)
    wrong = 0
    for begin in range(0, count, BLOCK):
        size = min(BLOCK, count - begin)
        for i in range(size):
            for j in range(rank):
                transposed[j, i] = witness[begin + i, j]
        for k in range(0, columns, 2):
            if k % WORD == 0:
                for i in range(size):
                    up[i] = above[begin + i, k // WORD]
                    down[i] = below[begin + i, k // WORD]
            for j in range(0, rank, 3):
                x, y, z = row[k, j], row[k, j + 1], row[k, j + 2]
                p, q, r = row[k + 1, j], row[k + 1, j + 1], row[k + 1, j + 2]
                a, b, c = transposed[j], transposed[j + 1], transposed[j + 2]
                if j == 0:
                    for i in range(BLOCK):
                        first[i] = x * a[i] + y * b[i] + z * c[i]
                        second[i] = p * a[i] + q * b[i] + r * c[i]
                else:
                    for i in range(BLOCK):
                        first[i] += x * a[i] + y * b[i] + z * c[i]
                        second[i] += p * a[i] + q * b[i] + r * c[i]
            for i in range(size):
                positive, negative = up[i] & 1, down[i] & 1
                low = -np.inf if negative else (least if positive else -most)
                high = np.inf if positive else (-least if negative else most)
                wrong += (first[i] < low) | (first[i] > high)
                positive, negative = up[i] & 2, down[i] & 2
                low = -np.inf if negative else (least if positive else -most)
                high = np.inf if positive else (-least if negative else most)
                wrong += (second[i] < low) | (second[i] > high)
                up[i] >>= 2
                down[i] >>= 2
    return wrong


def _sample() -> tuple[Any, ...]:
    store, _, part, _ = sample_part()
    signs = (store.above[:3].copy(), store.below[:3].copy())
    return store.dim[:3].copy(), np.array([0, 0, 1, 2], np.uint64), part.node[:2].copy(), *signs, np.arange(3)


@kernel(sample=_sample)
def first_broken_cell(dim, start, cells, above, below, mark):  # type: ignore[no-untyped-def]
    """The first cell that fails a check of its lists or signs, -1 where none does.

    That ridges come in pairs is seen by adding random marks bit by bit: a pair cancels. Equal
    signs are looked for in a table of the cells by their signs.
    """
    n, words = dim.shape[0], above.shape[1]
    marks = np.empty((n, 2), np.int64)  # its own, and those of its boundary added up
    bounds = np.zeros(n, np.bool_)
    layer, low, high = dim[0] - 1, np.uint32(0), np.uint32(0)  # cells of one dimension less are low to high
    for c in range(n):
        if dim[c] != layer:
            if dim[c] != layer + 1:
                return c
            layer, low, high = dim[c], high, np.uint32(c)
        if c > 0 and start[c] == start[c + 1]:
            return c
        counted, odd, more = np.int64(0), np.int64(0), np.int64(0)
        up, down = ~above[c, 0], ~below[c, 0]
        for i in range(start[c], start[c + 1]):
            g = cells[i]
            if g < low or g >= high:
                return c
            bounds[g] = True
            counted ^= marks[g, 0]
            odd ^= marks[g, 1]
            more |= (above[g, 0] & up) | (below[g, 0] & down)
        if odd != 0 or more != 0:
            return c
        marks[c, 0], marks[c, 1] = mark[c], counted
    for k in range(1, words):
        for c in range(n):
            up, down, more = ~above[c, k], ~below[c, k], np.int64(0)
            for i in range(start[c], start[c + 1]):
                g = cells[i]
                more |= (above[g, k] & up) | (below[g, k] & down)
            if more != 0:
                return c
    size = 4
    while size < 2 * n:
        size *= 2
    table = np.full(size, -1, np.int32)
    for c in range(n):
        if not bounds[c] and dim[c] != dim[n - 1]:
            return c
        spread = np.int64(0)
        for k in range(words):
            for bits in (above[c, k], below[c, k]):
                spread = (spread >> 3) ^ (bits & LOW) * MIX[0] ^ ((bits >> 31) & LOW) * MIX[1]
        at = (spread >> 24 ^ spread) & (size - 1)
        while table[at] >= 0:
            other = table[at]
            same = True
            for k in range(words):
                if above[other, k] != above[c, k] or below[other, k] != below[c, k]:
                    same = False
                    break
            if same:
                return c
            at = (at + 1) & (size - 1)
        table[at] = c
    return -1


@kernel(sample=lambda: _sample()[:3])
def first_without_euler(dim, start, cells):  # type: ignore[no-untyped-def]
    """The first cell but the smallest whose closure has a signed number of faces other than zero, or -1."""
    n = dim.shape[0]
    seen = np.full(n, -1, np.int32)
    stack = np.empty(n, np.int32)
    for c in range(1, n):
        total = 0
        stack[0] = c
        top = 1
        seen[c] = c
        while top > 0:
            top -= 1
            e = stack[top]
            total += 1 - 2 * (dim[e] % 2)
            for i in range(start[e], start[e + 1]):
                g = cells[i]
                if seen[g] != c:
                    seen[g] = c
                    stack[top] = g
                    top += 1
        if total != 0:
            return c
    return -1
