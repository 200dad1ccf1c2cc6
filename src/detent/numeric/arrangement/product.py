"""The product of two complexes whose planes lie in different coordinates.

A cell of the product is a cell of each; it is bounded by a boundary cell of the one with the
other, or the other way round. Its signs are those of both. It is sound when they are
(`detent.numeric.arrangement.check`): closures multiply, and so do their signed numbers of faces,
of which one is zero unless both cells are the smallest; and a plane sees only the coordinates of its
own complex, so that a witness made of two has the signs of both.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.arrangement.complex import Complex, Vectors, words_for
from detent.numeric.arrangement.store import WORD
from detent.numeric.kernels import kernel

# Elementary steps that a cell of the product takes, beside those of its boundary and its coordinates.
STEPS_A_CELL = 10


def product(first: Complex, second: Complex) -> Complex:
    """Columns and coordinates are those of `first`, then those of `second`."""
    columns, split = len(first.rows) + len(second.rows), len(first.rows)
    rank, axis = first.witness.shape[1] + second.witness.shape[1], first.witness.shape[1]
    nodes = len(first.cells) * len(second) + len(first) * len(second.cells)
    work = nodes + (STEPS_A_CELL + rank) * len(first) * len(second)
    rows = np.zeros((columns, rank), first.rows.dtype)
    rows[:split, :axis], rows[split:, axis:] = first.rows, second.rows
    exact = first.witness.dtype == object
    dim, one, other, start, cells = multiply.at(work)(
        first.dim, first.start, first.cells, second.dim, second.start, second.cells
    )
    bits = words_for(columns)
    witness = _joined_exactly if exact else join_witnesses.at(work)
    return Complex(
        dim=dim,
        above=join_bits.at(work)(first.above, second.above, one, other, split, len(second.rows), bits),
        below=join_bits.at(work)(first.below, second.below, one, other, split, len(second.rows), bits),
        rows=rows,
        witness=witness(first.witness, second.witness, one, other),
        start=start,
        cells=cells,
        doubtful=first.doubtful + second.doubtful,
    )


def _joined_exactly(first: Vectors, second: Vectors, one: Any, other: Any) -> Vectors:
    joined: Vectors = np.hstack([first[one], second[other]])
    return joined


def _sample_multiply() -> tuple[Any, ...]:
    """Two lines, each with a plane through its middle."""
    line = (np.array([0, 1, 1], np.int8), np.array([0, 0, 1, 2]), np.zeros(2, np.int32))
    return *line, *line


@kernel(sample=_sample_multiply)
def multiply(dim_a, start_a, cells_a, dim_b, start_b, cells_b):  # type: ignore[no-untyped-def]
    """Dimensions of the product's cells, small ones first, which two cells each is made of, and boundaries.

    Of one dimension, cells are ordered by the dimension of the first one, then by number.
    """
    low, n, m = dim_a[0] + dim_b[0], dim_a.shape[0], dim_b.shape[0]
    tall_a, tall_b = dim_a[n - 1] - dim_a[0] + 1, dim_b[m - 1] - dim_b[0] + 1
    layer_a = np.zeros(tall_a + 1, np.int64)
    layer_b = np.zeros(tall_b + 1, np.int64)
    for i in range(n):
        layer_a[dim_a[i] - dim_a[0] + 1] = i + 1
    for i in range(m):
        layer_b[dim_b[i] - dim_b[0] + 1] = i + 1
    # Where the products of two dimensions begin.
    base = np.zeros((tall_a, tall_b), np.int64)
    count = 0
    for k in range(tall_a + tall_b - 1):
        for i in range(max(0, k - tall_b + 1), min(tall_a, k + 1)):
            base[i, k - i] = count
            count += (layer_a[i + 1] - layer_a[i]) * (layer_b[k - i + 1] - layer_b[k - i])
    dim = np.empty(n * m, np.int8)
    one = np.empty(n * m, np.int32)
    other = np.empty(n * m, np.int32)
    start = np.empty(n * m + 1, np.int64)
    cells = np.empty(cells_a.shape[0] * m + n * cells_b.shape[0], np.int32)
    c, node = 0, 0
    for k in range(tall_a + tall_b - 1):
        for i in range(max(0, k - tall_b + 1), min(tall_a, k + 1)):
            j = k - i
            first, wide = layer_b[j], layer_b[j + 1] - layer_b[j]
            for a in range(layer_a[i], layer_a[i + 1]):
                for b in range(first, first + wide):
                    dim[c], one[c], other[c], start[c] = low + k, a, b, node
                    c += 1
                    for e in range(start_a[a], start_a[a + 1]):
                        cells[node] = base[i - 1, j] + (cells_a[e] - layer_a[i - 1]) * wide + b - first
                        node += 1
                    if start_b[b] < start_b[b + 1]:
                        size = layer_b[j] - layer_b[j - 1]
                        begin = base[i, j - 1] + (a - layer_a[i]) * size - layer_b[j - 1]
                        for e in range(start_b[b], start_b[b + 1]):
                            cells[node] = begin + cells_b[e]
                            node += 1
    start[c] = node
    return dim, one, other, start, cells


def _sample_bits() -> tuple[Any, ...]:
    numbers = np.array([0, 1, 1], np.int32)
    return np.array([[-2], [-1]]), np.array([[-4], [-2]]), numbers, numbers[::-1].copy(), 63, 3, 2


@kernel(sample=_sample_bits)
def join_bits(bits_a, bits_b, one, other, columns_a, columns_b, words):  # type: ignore[no-untyped-def]
    """Signs of pairs of cells: the columns of the first, then those of the second; bits beyond are set."""
    word, shift = columns_a // WORD, columns_a % WORD
    beyond = (columns_a + columns_b) % WORD
    n, m = bits_a.shape[0], bits_b.shape[0]
    left = np.zeros((n, words), np.int64)
    right = np.zeros((m, words), np.int64)
    for i in range(n):
        for k in range(min(word, bits_a.shape[1])):
            left[i, k] = bits_a[i, k]
        if shift:
            left[i, word] = bits_a[i, word] & ~(np.int64(-1) << shift)
    for i in range(m):
        for k in range(bits_b.shape[1]):
            x = bits_b[i, k]
            if word + k < words:
                right[i, word + k] |= x << shift
            if shift and word + k + 1 < words:
                right[i, word + k + 1] = (x >> (WORD - shift)) & ~(np.int64(-1) << shift)
        if beyond:
            right[i, words - 1] |= np.int64(-1) << beyond
    joined = np.empty((one.shape[0], words), np.int64)
    for c in range(one.shape[0]):
        for k in range(words):
            joined[c, k] = left[one[c], k] | right[other[c], k]
    return joined


def _sample_witnesses() -> tuple[Any, ...]:
    numbers = np.array([0, 1, 1], np.int32)
    return np.array([[0.0], [1.0]]), np.array([[0.0, 0.0], [0.6, 0.8]]), numbers, numbers[::-1].copy()


@kernel(sample=_sample_witnesses)
def join_witnesses(first, second, one, other):  # type: ignore[no-untyped-def]
    """Unit witnesses of pairs of cells; only that of the smallest cell, the first, is zero."""
    wide = first.shape[1]
    joined = np.empty((one.shape[0], wide + second.shape[1]))
    for c in range(one.shape[0]):
        a, b = one[c], other[c]
        share = np.sqrt(0.5) if a > 0 and b > 0 else 1.0
        for k in range(wide):
            joined[c, k] = share * first[a, k]
        for k in range(second.shape[1]):
            joined[c, wide + k] = share * second[b, k]
    return joined
