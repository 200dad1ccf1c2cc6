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
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement_floats import insert_floats
from detent.numeric.arrangement_kernels import NONE, UNSEEN, gather

Vectors = NDArray[Any]

# A unit row times a unit witness: rounding leaves about 1e-15 and some growth
# along a chain of combinations. Contacts drawn by hand differ by far more than
# 1e-9; above 1e-6, bearings of a fine thread would merge.
EQUAL = 1e-9
# Values in here are neither clearly rounding nor clearly geometry: they are
# counted, and the caller decides them again in integers.
GAP = (1e-12, 1e-7)

# Room at the start: untouched memory costs nothing, growing copies. Many planes mean many cells.
START_CELLS, PLANES_TO_DOUBLE, DOUBLINGS = 64, 4, 9
# Elementary steps of one insertion, seen from the cells it scans.
STEPS_A_CELL = 40
# Half-spaces a call while kernels run plain, so that the change to compiled ones comes in time.
FEW = 4
NO_LIMIT = 2**31 - 1


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


class Arithmetic(Protocol):
    """Numbers that can insert planes; they hold the witnesses."""

    witness: Vectors
    doubtful: int

    @property
    def lineality(self) -> int:
        """Dimension of the smallest cell."""
        ...

    def insert(self, into: Builder, rows: Vectors, column: int, touch: int, half: bool) -> None:
        """Insert rows as columns from `column` on, updating the builder's arrays."""
        ...

    def fast(self, work: int) -> bool:
        """Whether this much work runs compiled."""
        ...


class Builder:
    """A complex under construction in R^rank; starts as the one cell R^rank."""

    def __init__(
        self, arithmetic: Arithmetic, rank: int, columns: int, *, at_most: int | None = None
    ) -> None:
        self.arithmetic = arithmetic
        self.at_most = NO_LIMIT if at_most is None else min(at_most, NO_LIMIT)
        self.rank = rank
        self.count = 1
        self.used = 0
        self.steps = 0
        self.columns = columns
        room = START_CELLS
        self.dim = np.empty(room, np.int8)
        self.sign = np.empty((room, _padded(columns)), np.int8)
        self.head = np.empty(room, np.int32)
        self.dim[0], self.sign[0], self.head[0] = rank, UNSEEN, NONE
        self.node_cell = np.empty(4 * room, np.int32)
        self.node_next = np.empty(4 * room, np.int32)
        self.rows: dict[int, Vectors] = {}

    def half_spaces(self, rows: Vectors, column: int) -> None:
        """Keep the sides where the rows are not negative."""
        done = 0
        while done < len(rows):
            few = len(rows) if self.arithmetic.fast(self.steps) else FEW
            self._insert(rows[done : done + few], column + done, NONE, half=True)
            done += few
            if 2 * np.count_nonzero(self.dim[: self.count] < 0) > self.count:
                self._drop_dead()

    def divide(self, rows: Vectors, column: int, touch: int) -> None:
        """Cut the cells whose sign in column `touch` is 0 (all cells where it is NONE)."""
        self._insert(rows, column, touch, half=False)

    def widen(self, columns: int) -> None:
        """Make room for the signs of this many more planes."""
        self.columns += columns
        room = max(len(self.sign), START_CELLS << min(DOUBLINGS, self.columns // PLANES_TO_DOUBLE))
        wider = np.empty((room, _padded(self.columns)), np.int8)
        wider[: self.count] = UNSEEN
        wider[: self.count, : self.sign.shape[1]] = self.sign[: self.count]
        self.sign = wider
        self.dim = _longer(self.dim, self.count, room)
        self.head = _longer(self.head, self.count, room)
        self.arithmetic.witness = _longer(self.arithmetic.witness, self.count, room)

    def signs(self) -> NDArray[np.int8]:
        """Signs of the cells so far; the cells keep their numbers while nothing is inserted."""
        self._drop_dead()
        return self.sign[: self.count, : self.columns]

    def finish(self) -> Complex:
        """The complex; the builder is spent."""
        self._drop_dead()
        n = self.count
        start, cells = gather.at(self.steps)(n, self.head, self.node_cell, self.node_next)
        rows = np.zeros((self.columns, self.rank), self.arithmetic.witness.dtype)
        for k in self.rows:
            rows[k] = self.rows[k]
        return Complex(
            dim=self.dim[:n],
            sign=self.sign[:n, : self.columns],
            rows=rows,
            witness=self.arithmetic.witness[:n],
            start=start,
            cells=cells,
            doubtful=self.arithmetic.doubtful,
        )

    def _insert(self, rows: Vectors, column: int, touch: int, *, half: bool) -> None:
        self.steps += STEPS_A_CELL * self.count * len(rows)
        for k, row in enumerate(rows):
            self.rows[column + k] = row
        self.arithmetic.insert(self, rows, column, touch, half)
        if self.count > self.at_most:
            raise TooManyCellsError

    def _drop_dead(self) -> None:
        alive = np.flatnonzero(self.dim[: self.count] >= 0)
        if len(alive) == self.count:
            return
        number = np.full(self.count, NONE, np.int32)
        number[alive] = np.arange(len(alive), dtype=np.int32)
        self.node_cell[: self.used] = number[self.node_cell[: self.used]]
        for array in (self.dim, self.sign, self.head, self.arithmetic.witness):
            array[: len(alive)] = array[alive]
        self.count = len(alive)


def _padded(columns: int) -> int:
    """Signs are copied eight at a time."""
    return max(8, -(-columns // 8) * 8)


def _longer(array: Vectors, used: int, room: int) -> Vectors:
    made = np.empty((room, *array.shape[1:]), array.dtype)
    made[:used] = array[:used]
    return made


class Floats:
    """Unit rows and unit witnesses in floating point; what falls into the gap is counted."""

    def __init__(self, rank: int, smallest: Vectors | None = None) -> None:
        """`smallest`: orthonormal rows that span the smallest cell; all of R^rank unless given."""
        self.witness: Vectors = np.zeros((START_CELLS, rank))
        self.doubtful = 0
        self._basis = np.eye(rank) if smallest is None else np.ascontiguousarray(smallest, float)
        self.lineality = len(self._basis)  # so many of its rows still span the smallest cell

    def fast(self, work: int) -> bool:
        return insert_floats.speed(work) == "compiled"

    def insert(self, into: Builder, rows: Vectors, column: int, touch: int, half: bool) -> None:
        (
            into.count,
            into.used,
            self.lineality,
            doubtful,
            into.dim,
            into.sign,
            into.head,
            into.node_cell,
            into.node_next,
            self.witness,
        ) = insert_floats.at(into.steps)(
            into.count,
            into.used,
            self.lineality,
            into.dim,
            into.sign,
            into.head,
            into.node_cell,
            into.node_next,
            self.witness,
            self._basis,
            np.ascontiguousarray(rows),
            column,
            touch,
            half,
            EQUAL,
            *GAP,
            into.at_most,
        )
        self.doubtful += doubtful
