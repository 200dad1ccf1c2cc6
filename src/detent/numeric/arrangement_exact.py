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

from detent.numeric.arrangement import START_CELLS, Builder, Vectors
from detent.numeric.arrangement_kernels import (
    CROSSED,
    NONE,
    OPPOSITE,
    UNSEEN,
    by_dimension,
    classify,
    find_lifts,
    find_members,
    longer,
    room_needed,
    split,
)

Rational = Sequence[Sequence[Fraction | int]] | Vectors


class Integers:
    """Integer rows and primitive integer witnesses; nothing is ever in doubt."""

    def __init__(self, rank: int) -> None:
        self.witness: Vectors = np.zeros((START_CELLS, rank), object)
        self.doubtful = 0
        self._basis: list[Vectors] = list(np.array(np.eye(rank, dtype=int), object))

    @property
    def lineality(self) -> int:
        return len(self._basis)

    def fast(self, work: int) -> bool:
        del work  # big integers have one speed
        return False

    def insert(self, into: Builder, rows: Vectors, column: int, touch: int, half: bool) -> None:
        for k, row in enumerate(rows):
            if into.count <= into.at_most:
                self._insert(into, row, column + k, touch, half)

    def _insert(self, into: Builder, row: Vectors, column: int, touch: int, half: bool) -> None:
        crosses = self._face(row)
        member = find_members.at(into.steps)(into.count, into.dim, into.sign, touch)
        order = by_dimension.at(into.steps)(member, into.dim)
        exact = np.zeros(into.count, object)
        exact[order] = self.witness[order] @ row
        side = np.zeros(into.count, np.int8)
        above, below, plus, middle, minus = (np.full(into.count, NONE, np.int32) for _ in range(5))
        lists = (into.head, into.node_cell, into.node_next)
        crossed, zeros, _ = classify.at(into.steps)(
            order, *lists, np.sign(exact).astype(float), crosses, 0.0, 0.0, 0.0, side, above, below
        )
        self._make_room(into, into.count + (1 if half else 2) * crossed)
        if into.count > into.at_most:
            return
        lists = (into.head, into.node_cell, into.node_next)
        first, lift_cell, lift_next, lifts = find_lifts.at(into.steps)(
            into.count, into.dim, into.sign, touch, *lists
        )
        more = room_needed.at(into.steps)(order, side, zeros, first, lift_next, *lists)
        if into.used + more > len(into.node_cell):
            into.node_cell = longer(into.node_cell, into.used, 2 * (into.used + more))
            into.node_next = longer(into.node_next, into.used, 2 * (into.used + more))
        lift_cell = longer(lift_cell, lifts, lifts + more)
        lift_next = longer(lift_next, lifts, lifts + more)
        into.count, into.used, _ = split.at(into.steps)(
            into.count,
            into.used,
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
            into.dim,
            into.sign,
            into.head,
            into.node_cell,
            into.node_next,
        )
        for c in order[::-1]:
            if side[c] == CROSSED:
                self._divide(c, exact, above, below, (plus[c], middle[c], minus[c]))

    def _make_room(self, into: Builder, cells: int) -> None:
        if cells > into.at_most:
            into.count = cells
            return
        room = len(into.dim)
        if cells <= room:
            return
        more = 2 * cells - room
        into.dim = np.concatenate([into.dim, np.zeros(more, np.int8)])
        into.head = np.concatenate([into.head, np.full(more, NONE, np.int32)])
        into.sign = np.vstack([into.sign, np.full((more, into.sign.shape[1]), UNSEEN, np.int8)])
        self.witness = np.vstack([self.witness, np.zeros((more, self.witness.shape[1]), object)])

    def _face(self, row: Vectors) -> bool:
        """Does the plane cross the smallest cell? If so witness 0 becomes a point of it above the plane."""
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

    def _divide(
        self,
        c: int,
        value: Vectors,
        above: NDArray[np.int32],
        below: NDArray[np.int32],
        parts: tuple[int, int, int],
    ) -> None:
        """Witnesses of the halves of a crossed cell, on segments to far points of its closure."""
        plus, middle, minus = parts
        witness = self.witness
        if c == 0:
            witness[plus] = witness[0]
            if minus != NONE:
                witness[minus] = -witness[0]
            witness[0] = 0
            return
        high_point, high = witness[above[c]], value[above[c]]
        down = below[c]
        low_point, low = (-witness[0], -value[0]) if down == OPPOSITE else (witness[down], value[down])
        here, v = witness[c], value[c]
        between = primitive(v * low_point - low * here if v >= 0 else high * here - v * high_point)
        if minus != NONE:
            witness[minus] = here if v < 0 else primitive(between + low_point)
        if v <= 0:
            witness[c] = primitive(between + high_point)
        witness[middle] = between


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
