"""The conditional cell complex: every sign pattern that a set of planes allows, with neighbours.

Planes through the origin of R^d are inserted one by one. A *half-space* keeps
only the side where its row is not negative; a *dividing plane* cuts only the
cells that lie in an earlier plane (the column `touch`). The cells that remain
are exactly the possible sign patterns; each has a witness in its interior and
the list of the cells that bound it (Huang, Cheng & Mason's arrangements, built
without hulls and without linear programs).

`arithmetic` decides signs: `FloatWitnesses` with a tolerance and a flagged gap, or the
integers of `detent.numeric.arrangement.integers`. The combinatorial code is one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from detent.numeric.arrangement.floats import insert_floats
from detent.numeric.arrangement.store import NO_NODE, SHORT, UNSEEN, WORD, copy_out, start_store, take_out
from detent.numeric.arrangement.workspace import borrow, give_back

Vectors = NDArray[Any]
Runs = Sequence[tuple[int, int, int]]  # rows[first:last] divide the cells in the plane of column `touch`

# A unit row times a unit witness: rounding leaves about 1e-15 and some growth
# along a chain of combinations. Contacts drawn by hand differ by far more than
# 1e-9; above 1e-6, bearings of a fine thread would merge.
EQUAL = 1e-9
# Values in here are neither clearly rounding nor clearly geometry: they are
# counted, and the caller decides them again in integers.
GAP = (1e-12, 1e-7)
# Points and directions written with six digits and more are in line to this where they were meant to be.
IN_LINE = 1e-5

# Elementary steps of one insertion, seen from the cells it scans.
STEPS_A_CELL = 40
# Half-spaces a call while kernels run plain, so that the change to compiled ones comes in time.
FEW = 4
NO_LIMIT = 2**31 - 1


class TooManyCellsError(Exception):
    """The complex outgrew the limit set for it."""


def gap_about(equal: float) -> tuple[float, float]:
    """The gap around what counts as zero."""
    wider = equal / EQUAL
    return wider * GAP[0], wider * GAP[1]


@dataclass(frozen=True, eq=False)
class Complex:
    """Cells by number, small dimensions first: dimension, signs, witness, boundary
    (`cells[start[c]:start[c+1]]`). A plane's bit is set in `above` where it is positive, in `below`
    where it is negative, in both where it does not divide the cell. `doubtful` counts decisions
    that fell into the gap.
    """

    dim: NDArray[np.int8]
    above: NDArray[np.int64]
    below: NDArray[np.int64]
    rows: Vectors  # the planes, by column
    witness: Vectors
    start: NDArray[np.int64]
    cells: NDArray[np.int32]
    doubtful: int

    def __len__(self) -> int:
        return len(self.dim)

    @cached_property
    def sign(self) -> NDArray[np.int8]:
        """By cell and plane; UNSEEN where the plane does not divide the cell."""
        return signs_of(self.above, self.below, len(self.rows))

    def boundary(self, cell: int) -> NDArray[np.int32]:
        """The cells of one dimension less in its closure."""
        return self.cells[self.start[cell] : self.start[cell + 1]]


def signs_of(above: NDArray[np.int64], below: NDArray[np.int64], columns: int) -> NDArray[np.int8]:
    """Bits as signs."""
    up, down = (
        np.unpackbits(np.ascontiguousarray(x).view(np.uint8), axis=1, count=columns, bitorder="little").view(
            np.int8
        )
        for x in (above, below)
    )
    signs: NDArray[np.int8] = up - down + UNSEEN * (up & down)
    return signs


def bits_of(sign: NDArray[np.int8]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Signs as bits; those beyond the columns are set in both."""
    room = words_for(sign.shape[1]) * WORD
    wide = np.full((len(sign), room), UNSEEN, np.int8)
    wide[:, : sign.shape[1]] = sign
    above, below = (
        np.packbits(x, axis=1, bitorder="little").view(np.int64)
        for x in (wide > 0, (wide == UNSEEN) | (wide < 0))
    )
    return above, below


def words_for(columns: int) -> int:
    return max(1, -(-columns // WORD))


class Arithmetic(Protocol):
    """Numbers that can insert planes; they hold the witnesses."""

    witness: Vectors
    doubtful: int

    @property
    def lineality(self) -> int:
        """Dimension of the smallest cell."""
        ...

    def insert(
        self, into: ComplexBuilder, rows: Vectors, column: int, touch: NDArray[np.int64], half: bool
    ) -> tuple[int, int, int]:
        """Insert rows as columns from `column` on, each into the cells in its plane `touch`.

        Returns the rows done, and where some are left how many cells and nodes the next one needs.
        """
        ...

    def fast(self, work: int) -> bool:
        """Whether this much work runs compiled."""
        ...


class ComplexBuilder:
    """A complex under construction in R^rank; starts as the one cell R^rank."""

    def __init__(
        self, arithmetic: Arithmetic, rank: int, columns: int, *, at_most: int | None = None
    ) -> None:
        self.arithmetic = arithmetic
        self.at_most = NO_LIMIT if at_most is None else min(at_most, NO_LIMIT)
        self.most = self.at_most  # beyond this many cells the insertion under way stops
        self.rank = rank
        self.count = 1
        self.used = 0
        self.spare = 0  # numbers of cells that half-spaces took away
        self.steps = 0
        self.columns = columns
        self.room = borrow(words_for(columns))
        self.arithmetic.witness = self._witness(self.room.cells, 0)
        self.arithmetic.witness[0] = 0
        start_store(self.room.store, rank)
        self.rows: dict[int, Vectors] = {}

    @classmethod
    def resumed(
        cls, arithmetic: Arithmetic, rank: int, complex_: Complex, witness: Vectors
    ) -> ComplexBuilder:
        """Go on from a finished complex, perhaps with axes more; the arithmetic knows its smallest cell."""
        builder = cls(arithmetic, rank, len(complex_.rows))
        count, nodes, room = len(complex_), len(complex_.cells), builder.room
        if count > room.cells:
            room.grow_cells(2 * count, 0)
            arithmetic.witness = builder._witness(room.cells, 0)
        if nodes > len(room.store.pool):
            room.grow_pool(2 * nodes, 0)
        store = room.store
        store.dim[:count] = complex_.dim + (rank - complex_.witness.shape[1])
        store.above[:count], store.below[:count] = complex_.above, complex_.below
        store.start[:count], store.size[:count] = complex_.start[:-1], np.diff(complex_.start)
        store.since[:count] = count
        store.child[:count] = store.sibling[:count] = NO_NODE
        store.pool[:nodes] = complex_.cells
        arithmetic.witness[:count] = witness
        builder.count, builder.used = count, nodes
        builder.rows = {k: np.append(row, np.zeros(rank - len(row))) for k, row in enumerate(complex_.rows)}
        return builder

    def half_spaces(self, rows: Vectors, column: int) -> None:
        """Keep the sides where the rows are not negative."""
        done = 0
        while done < len(rows):
            few = len(rows) if self.arithmetic.fast(self.steps) else FEW
            some = rows[done : done + few]
            self._insert(some, column + done, np.full(len(some), NO_NODE), half=True)
            done += few

    def divide(self, rows: Vectors, column: int, touch: int) -> None:
        """Cut the cells whose sign in column `touch` is 0 (all cells where it is NONE)."""
        self.divide_runs(rows, column, [(0, len(rows), touch)])

    def divide_runs(self, rows: Vectors, column: int, runs: Runs, *, pause: int = NO_LIMIT) -> int:
        """Cut by many planes, run by run; stops before there are more than `pause` cells.

        Returns how many were inserted.
        """
        touches = np.repeat([touch for _, _, touch in runs], [last - first for first, last, _ in runs])
        done = 0
        while done < len(rows):
            fast = self.arithmetic.fast(self.steps)
            # Plain kernels take one run at a time, so that the change to compiled ones comes in time.
            end = len(rows) if fast else next(last for first, last, _ in runs if first <= done < last)
            more = self._insert(rows[done:end], column + done, touches[done:end], half=False, pause=pause)
            if more < end - done:
                return done + more
            done = end
        return done

    def widen(self, columns: int) -> None:
        """Make room for the signs of this many more planes."""
        self.columns += columns
        self.room.widen(words_for(self.columns), self.count)

    def signs(self) -> NDArray[np.int8]:
        """Signs of the cells so far."""
        store, live = self.room.store, self.room.store.dim[: self.count] >= 0
        return signs_of(store.above[: self.count][live], store.below[: self.count][live], self.columns)

    @property
    def live(self) -> int:
        """How many cells there are; `count` goes on over those that half-spaces took away."""
        return self.count - self.spare

    def finish(self) -> Complex:
        """The complex; the builder is spent."""
        number, nodes = self._take_all()
        store, part = self.room.store, self.room.part
        rows = np.zeros((self.columns, self.rank), self.arithmetic.witness.dtype)
        for k in self.rows:
            rows[k] = self.rows[k]
        witness, copied = self.arithmetic.witness, copy_out.at(self.steps)
        exact = witness.dtype == object
        # Big integers do not go through kernels.
        dim, above, below, start, cells, inside = copied(
            store.dim, store.above, store.below, part.cell, number, part.start, part.node, nodes,
            np.empty((len(witness), 0)) if exact else witness,
        )  # fmt: skip
        complex_ = Complex(
            dim=dim,
            above=above,
            below=below,
            rows=rows,
            witness=witness[part.cell[:number]] if exact else inside,
            start=start,
            cells=cells,
            doubtful=self.arithmetic.doubtful,
        )
        give_back(self.room)
        return complex_

    def _take_all(self) -> tuple[int, int]:
        """All cells as a part; how many, and how many nodes."""
        layers = np.zeros(self.rank + 3, np.int64)
        extract = take_out.at(self.steps)
        while True:
            room = self.room
            nodes = extract(self.count, NO_NODE, room.store, room.part, layers, room.place, room.stack)
            if nodes != SHORT:
                return int(layers[-1]), int(nodes)
            room.grow_nodes(2 * len(room.part.node))

    def _insert(
        self, rows: Vectors, column: int, touch: NDArray[np.int64], *, half: bool, pause: int = NO_LIMIT
    ) -> int:
        """Returns the rows inserted: all, unless there would be more than `pause` cells."""
        self.steps += STEPS_A_CELL * self.count * len(rows)
        for k, row in enumerate(rows):
            self.rows[column + k] = row
        self.most = min(self.at_most, pause)
        done = 0
        while done < len(rows):
            more, cells, nodes = self.arithmetic.insert(self, rows[done:], column + done, touch[done:], half)
            done += more
            if done < len(rows) and not self._grow(cells, nodes):
                break
        return done

    def _grow(self, cells: int, nodes: int) -> bool:
        """Room for so many cells, and for a part of so many nodes (SHORT: twice what there is).

        False where there may not be so many.
        """
        room = self.room
        if nodes == SHORT:
            room.grow_nodes(2 * len(room.part.node))
            return True
        more = cells - self.count
        self._close_ranks(nodes)
        if self.count + more > self.at_most:
            raise TooManyCellsError
        if self.count + more > self.most:
            return False
        if self.count + more > room.cells // 2:
            room.grow_cells(2 * (self.count + more), self.count)
            self.arithmetic.witness = self._witness(room.cells, self.count)
        return True

    def _close_ranks(self, nodes: int) -> None:
        """Number the cells from 0 on, boundaries from the start, with room for so many nodes more."""
        number, used = self._take_all()
        room = self.room
        if 2 * (used + nodes) > len(room.store.pool):
            room.grow_pool(4 * (used + nodes), 0)
        store, order = room.store, room.part.cell[:number]
        for array in (store.dim, store.above, store.below, self.arithmetic.witness):
            array[:number] = array[order]
        store.start[:number], store.size[:number] = room.part.start[:number], room.part.size[:number]
        store.pool[:used] = room.part.node[:used]
        store.since[:number] = number
        store.child[:number] = store.sibling[:number] = NO_NODE
        self.count, self.used, self.spare = number, used, 0

    def _witness(self, cells: int, used: int) -> Vectors:
        """Witnesses with room for so many cells, the first `used` kept."""
        old = self.arithmetic.witness
        witness: Vectors = (
            np.zeros((cells, self.rank), object) if old.dtype == object else self.room.witness(self.rank)
        )
        witness[:used] = old[:used]
        return witness


class FloatWitnesses:
    """Unit rows and unit witnesses in floating point; what falls into the gap is counted."""

    def __init__(self, rank: int, smallest: Vectors | None = None, *, equal: float = EQUAL) -> None:
        """`smallest`: orthonormal rows that span the smallest cell; all of R^rank unless given."""
        self._equal = equal
        self.witness: Vectors = np.zeros((1, rank))
        self.doubtful = 0
        self._basis = np.eye(rank) if smallest is None else np.array(smallest, float)
        self.lineality = len(self._basis)  # so many of its rows still span the smallest cell

    def fast(self, work: int) -> bool:
        return insert_floats.speed(work) == "compiled"

    def insert(
        self, into: ComplexBuilder, rows: Vectors, column: int, touch: NDArray[np.int64], half: bool
    ) -> tuple[int, int, int]:
        room = into.room
        into.count, into.used, into.spare, self.lineality, doubtful, done, cells, nodes = insert_floats.at(
            into.steps
        )(
            into.count,
            into.used,
            into.spare,
            self.lineality,
            room.store,
            self.witness,
            self._basis,
            room.part,
            room.sides,
            room.place,
            room.stack,
            np.ascontiguousarray(rows),
            column,
            np.ascontiguousarray(touch, np.int64),
            half,
            self._equal,
            *gap_about(self._equal),
            into.most,
        )
        self.doubtful += doubtful
        return done, cells, nodes
