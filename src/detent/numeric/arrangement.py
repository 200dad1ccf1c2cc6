"""The conditional cell complex: every sign pattern that a set of planes allows, with neighbours.

Planes through the origin of R^d are inserted one by one. A *half-space* keeps
only the side where its row is not negative; a *dividing plane* cuts only the
cells that lie in an earlier plane (the column `touch`). The cells that remain
are exactly the possible sign patterns; each has a witness in its interior and
the list of the cells that bound it (Huang, Cheng & Mason's arrangements, built
without hulls and without linear programs).

`arithmetic` decides signs: `Floats` with a tolerance and a flagged gap, or the
integers of `detent.numeric.arrangement_exact`. The combinatorial code is one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement_kernels import CROSSED, NONE, OPPOSITE, UNSEEN, classify, gather, split
from detent.numeric.kernel import kernel

Vectors = NDArray[Any]

# A unit row times a unit witness: rounding leaves about 1e-15 and some growth
# along a chain of combinations. Contacts drawn by hand differ by far more than
# 1e-9; above 1e-6, bearings of a fine thread would merge.
EQUAL = 1e-9
# Values in here are neither clearly rounding nor clearly geometry: they are
# counted, and the caller decides them again in integers.
GAP = (1e-12, 1e-7)
# A witness is kept as it is while it stands this far off the plane, seen against
# the farthest corner of its cell; else it moves inwards. Too small a share lets
# witnesses creep to the boundary; a large one only costs a little work.
SHARE_KEPT = 0.1

START_CELLS = 64
# Elementary steps of one insertion, seen from the cells it scans.
STEPS_A_CELL = 20


class TooManyCellsError(Exception):
    """The complex outgrew the limit set for it."""


@dataclass(frozen=True)
class Complex:
    """Cells by number: dimension, signs by plane, witness, and boundary (`cells[start[c]:start[c+1]]`).

    `sign` holds UNSEEN where a plane does not divide the cell. `doubtful` counts
    decisions that fell into the gap.
    """

    dim: NDArray[np.int8]
    sign: NDArray[np.int8]
    rows: Vectors  # the planes, by column
    witness: Vectors
    start: NDArray[np.int64]
    cells: NDArray[np.int32]
    doubtful: int

    def __len__(self) -> int:
        return len(self.dim)

    def boundary(self, cell: int) -> NDArray[np.int32]:
        """The cells of one dimension less in its closure."""
        return self.cells[self.start[cell] : self.start[cell + 1]]


class Cut(NamedTuple):
    """One insertion, seen by the witnesses; all but `order` by old cell number."""

    order: NDArray[np.int32]  # the cells looked at, by dimension
    side: NDArray[np.int8]
    above: NDArray[np.int32]  # cell whose witness is a point of the closure above the plane
    below: NDArray[np.int32]  # the same below it; OPPOSITE: minus witness 0
    plus: NDArray[np.int32]  # numbers of the halves of a crossed cell
    middle: NDArray[np.int32]
    minus: NDArray[np.int32]
    value: Vectors  # row times old witness


class Arithmetic(Protocol):
    """What the insertion asks of numbers; `witness` and the smallest cell's basis live here."""

    witness: Vectors
    doubtful: int
    equal: float
    gap: tuple[float, float]

    def grow(self, cells: int) -> None:
        """Make room for the witnesses of this many cells."""
        ...

    def keep(self, cells: NDArray[np.int64]) -> None:
        """Drop all witnesses but these."""
        ...

    def face(self, row: Vectors) -> bool:
        """Does the plane cross the smallest cell? If so witness 0 becomes a point of it above the plane."""
        ...

    def values(self, count: int, row: Vectors) -> Vectors:
        """Row times witness, one a cell."""
        ...

    def divide(self, work: int, cut: Cut) -> None:
        """Witnesses of the halves of all crossed cells."""
        ...


class Builder:
    """A complex under construction in R^rank; starts as the one cell R^rank."""

    def __init__(
        self, arithmetic: Arithmetic, rank: int, columns: int, *, at_most: int | None = None
    ) -> None:
        self.arithmetic = arithmetic
        self.at_most = at_most
        self.rank = rank
        self.count = 1
        self.used = 0
        self.steps = 0
        self.dim = np.zeros(START_CELLS, np.int8)
        self.dim[0] = rank
        self.sign = np.full((START_CELLS, columns), UNSEEN, np.int8)
        self.rows: dict[int, Vectors] = {}
        self.head = np.full(START_CELLS, NONE, np.int32)
        self.node_cell = np.empty(4 * START_CELLS, np.int32)
        self.node_next = np.empty(4 * START_CELLS, np.int32)
        arithmetic.grow(START_CELLS)

    def half_space(self, row: Vectors, column: int) -> None:
        """Keep the side where `row` is not negative."""
        self._insert(row, column, NONE, half=True)
        dead = int(np.count_nonzero(self.dim[: self.count] < 0))
        if 2 * dead > self.count:
            self._drop_dead()

    def divide(self, row: Vectors, column: int, touch: int) -> None:
        """Cut the cells whose sign in column `touch` is 0 (all cells where it is NONE)."""
        self._insert(row, column, touch, half=False)

    def widen(self, columns: int) -> None:
        """Make room for the signs of this many more planes."""
        more = np.full((len(self.sign), columns), UNSEEN, np.int8)
        self.sign = np.hstack([self.sign, more])

    def signs(self) -> NDArray[np.int8]:
        """Signs of the cells so far; the cells keep their numbers while nothing is inserted."""
        self._drop_dead()
        return self.sign[: self.count]

    def finish(self) -> Complex:
        """The complex; the builder is spent."""
        self._drop_dead()
        n = self.count
        start, cells = gather.at(self.steps)(n, self.head, self.node_cell, self.node_next)
        return Complex(
            dim=self.dim[:n],
            sign=self.sign[:n],
            rows=self._rows(),
            witness=self.arithmetic.witness[:n],
            start=start,
            cells=cells,
            doubtful=self.arithmetic.doubtful,
        )

    def _rows(self) -> Vectors:
        columns = self.sign.shape[1]
        rows = np.zeros((columns, self.rank), self.arithmetic.witness.dtype)
        for k in range(columns):
            rows[k] = self.rows[k]
        return rows

    def _insert(self, row: Vectors, column: int, touch: int, *, half: bool) -> None:
        numbers = self.arithmetic
        self.rows[column] = row
        crosses = numbers.face(row)
        value = numbers.values(self.count, row)
        self.steps += STEPS_A_CELL * self.count
        order, side, above, below, crossed, doubtful = classify.at(self.steps)(
            self.count,
            self.dim,
            self.sign,
            touch,
            self.head,
            self.node_cell,
            self.node_next,
            value,
            crosses,
            numbers.equal,
            *numbers.gap,
        )
        numbers.doubtful += doubtful
        self._make_room(self.count + (1 if half else 2) * crossed)
        self.count, self.used, plus, middle, minus, self.node_cell, self.node_next = split.at(self.steps)(
            self.count,
            self.used,
            order,
            side,
            column,
            half,
            self.dim,
            self.sign,
            self.head,
            self.node_cell,
            self.node_next,
        )
        if crossed:
            numbers.divide(self.steps, Cut(order, side, above, below, plus, middle, minus, value))

    def _make_room(self, cells: int) -> None:
        if self.at_most is not None and cells > self.at_most:
            raise TooManyCellsError
        room = len(self.dim)
        if cells <= room:
            return
        more = max(cells, 2 * room) - room
        self.dim = np.concatenate([self.dim, np.zeros(more, np.int8)])
        self.head = np.concatenate([self.head, np.full(more, NONE, np.int32)])
        longer = np.empty((room + more, self.sign.shape[1]), np.int8)
        longer[: self.count] = self.sign[: self.count]
        self.sign = longer
        self.arithmetic.grow(room + more)

    def _drop_dead(self) -> None:
        alive = np.flatnonzero(self.dim[: self.count] >= 0)
        if len(alive) == self.count:
            return
        number = np.full(self.count, NONE, np.int32)
        number[alive] = np.arange(len(alive), dtype=np.int32)
        self.node_cell[: self.used] = number[self.node_cell[: self.used]]
        for array in (self.dim, self.sign, self.head):
            array[: len(alive)] = array[alive]
        self.arithmetic.keep(alive)
        self.count = len(alive)


class Floats:
    """Unit rows and unit witnesses in floating point; what falls into the gap is counted."""

    equal = EQUAL
    gap = GAP

    def __init__(self, rank: int) -> None:
        self.witness: Vectors = np.zeros((0, rank))
        self.doubtful = 0
        self._basis = np.eye(rank)  # orthonormal rows spanning the smallest cell

    def grow(self, cells: int) -> None:
        longer = np.zeros((cells, self.witness.shape[1]))
        longer[: len(self.witness)] = self.witness
        self.witness = longer

    def keep(self, cells: NDArray[np.int64]) -> None:
        self.witness[: len(cells)] = self.witness[cells]

    def face(self, row: Vectors) -> bool:
        if not len(self._basis):
            return False
        along = self._basis @ row
        size = float(np.sqrt(along @ along))
        self.doubtful += self.gap[0] < size < self.gap[1]
        if size <= self.equal:
            return False
        along /= size
        self.witness[0] = along @ self._basis
        # Householder's reflection takes `along` to an axis; the other axes span the rest.
        along[0] += 1.0 if along[0] >= 0 else -1.0
        turned = self._basis - np.outer(2 * along / (along @ along), along @ self._basis)
        self._basis = turned[1:]
        return True

    def values(self, count: int, row: Vectors) -> NDArray[np.float64]:
        return np.asarray(self.witness[:count] @ row)

    def divide(self, work: int, cut: Cut) -> None:
        divide_floats.at(work)(*cut, self.witness)


def _sample_divide() -> tuple[Any, ...]:
    witness = np.zeros((6, 2))
    witness[0] = [1.0, 0.0]
    witness[1] = [0.0, 1.0]
    order = np.array([0, 1], np.int32)
    side = np.full(2, CROSSED, np.int8)
    above, below = np.array([0, 0], np.int32), np.array([OPPOSITE, OPPOSITE], np.int32)
    plus, middle, minus = (np.array(x, np.int32) for x in ([2, 1], [0, 4], [3, 5]))
    return order, side, above, below, plus, middle, minus, np.array([1.0, 0.0]), witness


@kernel(sample=_sample_divide)
def divide_floats(order, side, above, below, plus, middle, minus, value, witness):  # type: ignore[no-untyped-def]
    """Witnesses of the halves: points of open segments from the old witness to a far corner.

    From large cells to small ones, because the representatives of a cell lie in its
    boundary and are still the old ones then.
    """
    r = witness.shape[1]
    z = np.empty(r)
    for i in range(order.shape[0] - 1, -1, -1):
        c = order[i]
        if side[c] != 4:
            continue
        if c == 0:
            for k in range(r):
                b = witness[0, k]
                witness[plus[0], k] = b
                if minus[0] >= 0:
                    witness[minus[0], k] = -b
                witness[0, k] = 0.0
            continue
        up, down = above[c], below[c]
        turn = 1.0
        if down == OPPOSITE:
            down, turn = 0, -1.0
        v, high, low = value[c], value[up], turn * value[down]
        size = 0.0
        for k in range(r):
            if v >= 0:
                z[k] = v * turn * witness[down, k] - low * witness[c, k]
            else:
                z[k] = high * witness[c, k] - v * witness[up, k]
            size += z[k] * z[k]
        size = np.sqrt(size)
        for k in range(r):
            z[k] /= size
        if minus[c] >= 0:
            if v <= SHARE_KEPT * low:
                for k in range(r):
                    witness[minus[c], k] = witness[c, k]
            else:
                size = 0.0
                for k in range(r):
                    x = z[k] + turn * witness[down, k]
                    witness[minus[c], k] = x
                    size += x * x
                size = np.sqrt(size)
                for k in range(r):
                    witness[minus[c], k] /= size
        if v < SHARE_KEPT * high:
            size = 0.0
            for k in range(r):
                x = z[k] + witness[up, k]
                witness[c, k] = x
                size += x * x
            size = np.sqrt(size)
            for k in range(r):
                witness[c, k] /= size
        for k in range(r):
            witness[middle[c], k] = z[k]
    return witness
