"""The conditional cell complex in exact integers, and the linear algebra it starts from.

Rows are rationals; witnesses are primitive integer vectors, so that each sign of
row times witness is decided, never judged. Ranks and null spaces are FLINT's.
The insertion itself is the one of `detent.numeric.arrangement.complex`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.complex import ComplexBuilder, Vectors
from detent.numeric.arrangement.insert import OPPOSITE, classify, enter, split
from detent.numeric.arrangement.store import SHORT, put_back, take_out

Rational = Sequence[Sequence[Fraction | int]] | Vectors


class Integers:
    """Integer rows and primitive integer witnesses; nothing is ever in doubt."""

    def __init__(self, rank: int) -> None:
        self.witness: Vectors = np.zeros((1, rank), object)
        self.doubtful = 0
        self._basis: list[Vectors] = list(np.array(np.eye(rank, dtype=int), object))

    @property
    def lineality(self) -> int:
        return len(self._basis)

    def fast(self, work: int) -> bool:
        del work  # big integers have one speed
        return False

    def insert(
        self, into: ComplexBuilder, rows: Vectors, column: int, touch: NDArray[np.int64], half: bool
    ) -> tuple[int, int, int]:
        """As `insert_floats`, one row at a time."""
        for done, row in enumerate(rows):
            cells, nodes = self._insert(into, row, column + done, int(touch[done]), half)
            if cells:
                return done, cells, nodes
        return len(rows), 0, 0

    def _insert(
        self, into: ComplexBuilder, row: Vectors, column: int, touch: int, half: bool
    ) -> tuple[int, int]:
        """Insert one plane; (0, 0), or how many cells and nodes there must be room for."""
        room, steps = into.room, into.steps
        store, part, sides = room.store, room.part, room.sides
        layers = np.zeros(into.rank + 3, np.int64)
        used = 0 if touch < 0 else into.used
        nodes = take_out.at(steps)(into.count, touch, store, part, layers, room.place, room.stack)
        if nodes == SHORT or used + nodes > len(store.pool):
            return into.count, nodes
        number = int(layers[-1])
        point, basis = self._face(row)
        cell = part.cell[:number]
        exact = self.witness[cell] @ row
        if point is not None:
            exact[0] = int(point @ row)
        # One coordinate stands for all: the sign of the exact product.
        signs = np.zeros((into.count, 1))
        signs[cell, 0] = np.sign(exact).astype(float)
        crossed, _ = classify.at(steps)(
            store, part, number, signs, np.ones(1), column, float(point is not None), 0.0, 0.0, 0.0, sides
        )
        cells = into.count + (1 if half else 2) * crossed
        if cells > room.cells or cells > into.most:
            return cells, nodes
        nodes = split.at(steps)(part, number, nodes, sides, crossed, half)
        if nodes == SHORT or used + nodes > len(store.pool):
            return into.count, nodes
        if point is not None:
            self.witness[cell[0]] = point
            self._basis = basis
        into.count, into.spare, _ = enter.at(steps)(
            into.count, into.spare, store, part, number, sides, crossed, column, half, layers
        )
        for i in sides.crossed[:crossed][::-1]:
            self._divide(i, exact, into, half)
        into.used = put_back.at(steps)(into.count, used, store, part, int(layers[-1]), touch < 0)
        return 0, 0

    def _face(self, row: Vectors) -> tuple[Vectors | None, list[Vectors]]:
        """A point of the smallest cell above the plane, if any; and a basis of what lies in the plane."""
        along = [int(b @ row) for b in self._basis]
        pivot = next((i for i, x in enumerate(along) if x), None)
        if pivot is None:
            return None, self._basis
        b, x = self._basis[pivot], along[pivot]
        left = [
            primitive(x * other - y * b)
            for i, (other, y) in enumerate(zip(self._basis, along, strict=True))
            if i != pivot
        ]
        return (b if x > 0 else -b), left

    def _divide(self, i: int, value: Vectors, into: ComplexBuilder, half: bool) -> None:
        """Witnesses of the halves of a crossed cell, on segments to far points of its closure."""
        part, sides = into.room.part, into.room.sides
        witness, c = self.witness, part.cell[i]
        middle = part.cell[sides.middle[i]]
        minus = None if half else part.cell[sides.minus[i]]
        if i == 0:
            if minus is not None:
                witness[minus] = -witness[c]
            witness[middle] = 0
            return
        up, down = sides.up[i], sides.down[i]
        high_point, high = witness[part.cell[up]], value[up]
        sign, down = (-1, 0) if down == OPPOSITE else (1, down)
        low_point, low = sign * witness[part.cell[down]], sign * value[down]
        point, v = witness[c], value[i]
        between = primitive(v * low_point - low * point if v >= 0 else high * point - v * high_point)
        if minus is not None:
            witness[minus] = point if v < 0 else primitive(between + low_point)
        if v <= 0:
            witness[c] = primitive(between + high_point)
        witness[middle] = between


def primitive(vector: Vectors) -> Vectors:
    """The shortest integer vector of this direction."""
    common = math.gcd(*vector)
    return vector // common if common > 1 else vector


def integer_row(row: Sequence[Fraction | int] | Vectors) -> Vectors:
    """The primitive integer row of a rational one; the side it is positive on stays."""
    common = math.lcm(*(x.denominator for x in row))
    return primitive(np.array([x.numerator * (common // x.denominator) for x in row], object))


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


def row_dependence(rows: Vectors) -> tuple[list[int], Vectors]:
    """Rows that span all of them, by number; and of every row its coefficients on those."""
    reduced, basis = _reduced(rows.T, len(rows))
    return basis, np.array(reduced, object).reshape(len(basis), len(rows)).T


def inverse_direction(matrix: Vectors) -> Vectors:
    """An integer matrix that is the inverse times a positive number."""
    import flint

    from detent.numeric.rational import fraction_of

    inverse: list[list[Any]] = flint.fmpz_mat([[int(x) for x in row] for row in matrix]).inv().tolist()
    return integer_row([fraction_of(x) for row in inverse for x in row]).reshape(matrix.shape)


def _reduced(rows: Vectors, columns: int) -> tuple[list[list[Fraction]], list[int]]:
    """Reduced row echelon form and its pivot columns."""
    import flint

    from detent.numeric.rational import fraction_of

    if not len(rows) or not columns:
        return [], []
    matrix, rank = flint.fmpq_mat(flint.fmpz_mat([[int(x) for x in row] for row in rows])).rref()
    table: list[list[Any]] = matrix.tolist()[:rank]
    reduced = [[fraction_of(x) for x in row] for row in table]
    pivots = [next(j for j, x in enumerate(row) if x) for row in reduced]
    return reduced, pivots
