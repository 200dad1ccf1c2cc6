"""The conditional cell complex in exact integers, and the linear algebra it starts from.

Rows are rationals; witnesses are primitive integer vectors, so that each sign of
row times witness is decided, never judged. Ranks and null spaces are FLINT's.
The insertion itself is the one of `detent.numeric.arrangement`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement import Cut, Vectors
from detent.numeric.arrangement_kernels import CROSSED, OPPOSITE

Rational = Sequence[Sequence[Fraction | int]] | Vectors


class Integers:
    """Integer rows and primitive integer witnesses; nothing is ever in doubt."""

    equal = 0.0
    gap = (0.0, 0.0)

    def __init__(self, rank: int) -> None:
        self.witness: Vectors = np.zeros((0, rank), object)
        self.doubtful = 0
        self._basis: list[Vectors] = list(np.array(np.eye(rank, dtype=int), object))
        self._value: Vectors = np.zeros(0, object)

    def grow(self, cells: int) -> None:
        longer = np.zeros((cells, self.witness.shape[1]), object)
        longer[: len(self.witness)] = self.witness
        self.witness = longer

    def keep(self, cells: NDArray[np.int64]) -> None:
        self.witness[: len(cells)] = self.witness[cells]

    def face(self, row: Vectors) -> bool:
        along = [int(b @ row) for b in self._basis]
        pivot = next((i for i, x in enumerate(along) if x), None)
        if pivot is None:
            return False
        b, x = self._basis[pivot], along[pivot]
        self.witness[0] = b if x > 0 else -b
        self._basis = [
            primitive(x * other - y * b)
            for i, (other, y) in enumerate(zip(self._basis, along, strict=True))
            if i != pivot
        ]
        return True

    def values(self, count: int, row: Vectors) -> Vectors:
        """Signs as floats; the integers stay here for `divide`."""
        self._value = self.witness[:count] @ row
        return np.sign(self._value).astype(float)

    def divide(self, work: int, cut: Cut) -> None:
        del work  # one speed only
        value, witness = self._value, self.witness
        for c in cut.order[::-1]:
            if cut.side[c] != CROSSED:
                continue
            if c == 0:
                witness[cut.plus[0]] = witness[0]
                if cut.minus[0] >= 0:
                    witness[cut.minus[0]] = -witness[0]
                witness[0] = 0
                continue
            above, high = witness[cut.above[c]], value[cut.above[c]]
            down = cut.below[c]
            below, low = (-witness[0], -value[0]) if down == OPPOSITE else (witness[down], value[down])
            here, v = witness[c], value[c]
            middle = primitive(v * below - low * here if v >= 0 else high * here - v * above)
            if cut.minus[c] >= 0:
                witness[cut.minus[c]] = here if v < 0 else primitive(middle + below)
            if v <= 0:
                witness[c] = primitive(middle + above)
            witness[cut.middle[c]] = middle


def primitive(vector: Vectors) -> Vectors:
    """The shortest integer vector of this direction."""
    common = math.gcd(*vector)
    return vector // common if common > 1 else vector


def integer_row(row: Sequence[Fraction | int] | Vectors) -> Vectors:
    """The primitive integer row of a rational one; the side it is positive on stays."""
    fractions = [Fraction(x) for x in row]
    common = math.lcm(*(x.denominator for x in fractions))
    return primitive(np.array([int(x * common) for x in fractions], object))


def integer_matrix(rows: Rational, columns: int) -> Vectors:
    """Rational rows as primitive integer rows."""
    if not len(rows):
        return np.zeros((0, columns), object)
    return np.array([integer_row(row) for row in rows], object).reshape(len(rows), columns)


def exact_null_space(rows: Vectors, columns: int) -> Vectors:
    """Integer columns that span {v: rows v = 0}, free coordinates first to last."""
    reduced, pivots = _reduced(rows, columns)
    free = [j for j in range(columns) if j not in pivots]
    basis = np.zeros((columns, len(free)), object)
    for k, j in enumerate(free):
        column = [Fraction(0)] * columns
        column[j] = Fraction(1)
        for i, pivot in enumerate(pivots):
            column[pivot] = -reduced[i][j]
        basis[:, k] = integer_row(column)
    return basis


def pivot_columns(rows: Vectors, columns: int) -> list[int]:
    """Columns on which the rows already have their full rank."""
    return _reduced(rows, columns)[1]


def _reduced(rows: Vectors, columns: int) -> tuple[list[list[Fraction]], list[int]]:
    """Reduced row echelon form and its pivot columns."""
    import flint

    if not len(rows) or not columns:
        return [], []
    matrix, rank = flint.fmpq_mat(flint.fmpz_mat([[int(x) for x in row] for row in rows])).rref()
    table: list[list[Any]] = matrix.tolist()[:rank]
    reduced = [[Fraction(int(x.p), int(x.q)) for x in row] for row in table]
    pivots = [next(j for j, x in enumerate(row) if x) for row in reduced]
    return reduced, pivots
