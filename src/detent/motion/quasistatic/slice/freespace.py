"""The free space of a slice as cells, and which of them hang together; exact.

Donald & Pai 1992, section 8.1: the path lies in one connected component of free
space. Only parts of contact curves along which nothing overlaps bound it (`boundary.py`).
Between two neighbouring times at which those end or cross, they keep their order, and one
rational configuration between two of them says whether all between them is free. Free is
closed, so cells hang together where their closures meet: side by side, or across such a time.
Every decision is the sign of an algebraic number; doubles only sort out what balls have
proved, and what overlaps by more than rounding.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

from detent.motion.quasistatic.slice.boundary import PawlOverlap, bounding
from detent.motion.quasistatic.slice.edges import BoundaryPiece, distinct, find_crossings, instants, pieces
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import Real, between, compare, real
from detent.numeric.union_find import Groups


@dataclass(frozen=True, eq=False)
class Wall:
    """What bounds a cell below or above: curves that coincide there, or the end of a chart."""

    half: int
    pieces: tuple[BoundaryPiece, ...]
    u: Real | None = None  # of a chart's end

    def angle(self, t: Real) -> Real:
        return self.pieces[0].angle(t) if self.u is None else self.u

    def bounds(self, t: Real) -> tuple[float, float]:
        return self.pieces[0].bounds(t) if self.u is None else self.u.bounds


@dataclass(frozen=True, eq=False)
class Cell:
    """Free configurations between two walls while t runs over a slab."""

    slab: int
    low: Wall
    high: Wall


@dataclass(frozen=True, eq=False)
class FreeSpace:
    """Times between which nothing changes, the free cells, and those of the start's component."""

    times: tuple[Real, ...]
    cells: tuple[Cell, ...]
    reached: frozenset[int]  # numbers of cells

    def holding(self, place: SlicePoint) -> list[int]:
        """Numbers of the cells whose closure holds a configuration."""
        return [
            k
            for k, cell in enumerate(self.cells)
            if self.times[cell.slab] <= place.t <= self.times[cell.slab + 1] and _holds(cell, place)
        ]


def free_space(slice_: Slice, start: SlicePoint, until: Any, halves: range) -> FreeSpace:
    """The free cells of some charts from the start's time to a later rational one."""
    begin, end = _rational_before(slice_, start.t), real(until)
    charts = {half: pieces(slice_, half, begin, end) for half in halves}
    times, overlap = [begin, end], PawlOverlap(slice_)
    for half, chart in charts.items():
        find_crossings(chart)
        charts[half] = bounding(overlap, chart)
        times += [t for piece in charts[half] for t in (piece.t0, piece.t1)]
        times += instants(slice_, half, begin, end)
    every = tuple(t for t in distinct(times) if begin <= t <= end)
    cells: list[Cell] = []
    known: dict[Any, bool] = {}
    for slab, (t0, t1) in enumerate(pairwise(every)):
        known = _slab(overlap, charts, slab, t0, t1, known, cells)
    joined = _components(every, cells)
    space = FreeSpace(every, tuple(cells), frozenset())
    heads = {joined[k] for k in space.holding(start)}
    return FreeSpace(every, tuple(cells), frozenset(k for k in range(len(cells)) if joined[k] in heads))


def _rational_before(slice_: Slice, t: Real) -> Real:
    """A time itself, or a rational one before it at which the slice still has all its pairs."""
    if t.rational is not None:
        return t
    return real(between(real(Fraction(slice_.span[0])), t))


def _slab(
    overlap: PawlOverlap,
    charts: dict[int, list[BoundaryPiece]],
    slab: int,
    t0: Real,
    t1: Real,
    known: dict[Any, bool],
    cells: list[Cell],
) -> dict[Any, bool]:
    """Append the free cells of a slab; between two curves nothing changes while both go on."""
    t = real(between(t0, t1))
    now: dict[Any, bool] = {}
    for half, chart in charts.items():
        active = [piece for piece in chart if piece.t0 <= t0 and t1 <= piece.t1]
        walls = [Wall(half, (), real(-1)), *_ordered(half, active, t), Wall(half, (), real(1))]
        free = []
        for low, high in pairwise(walls):
            key = (half, frozenset(map(id, low.pieces)), frozenset(map(id, high.pieces)))
            if key not in known:
                u = between(low.angle(t), high.angle(t)) if _apart(low, high, t) else None
                known[key] = u is not None and overlap.free(t.rational, half, u)
            now[key] = known[key]
            free.append(now[key])
        for k, (low, high) in enumerate(pairwise(walls)):
            if free[k]:
                cells.append(Cell(slab, low, high))
            elif k and not free[k - 1] and _fits(overlap, low, t):
                cells.append(Cell(slab, low, low))
    return now


def _ordered(half: int, active: list[BoundaryPiece], t: Real) -> list[Wall]:
    """The curves of a chart from below to above, those that coincide as one."""
    looks = {id(piece): piece.bounds(t) for piece in active}

    def order(a: BoundaryPiece, b: BoundaryPiece) -> int:
        (a0, a1), (b0, b1) = looks[id(a)], looks[id(b)]
        if a1 < b0 or b1 < a0:
            return -1 if a1 < b0 else 1
        if (
            a.curve is not None
            and b.curve is not None
            and a.curve.key == b.curve.key
            and (a.u0, a.u1) == (b.u0, b.u1)
        ):
            return 0
        return compare(a.angle(t), b.angle(t))

    walls: list[list[BoundaryPiece]] = []
    for piece in sorted(active, key=cmp_to_key(order)):
        if walls and order(walls[-1][-1], piece) == 0:
            walls[-1].append(piece)
        else:
            walls.append([piece])
    return [Wall(half, tuple(group)) for group in walls]


def _apart(low: Wall, high: Wall, t: Real) -> bool:
    return low.bounds(t)[1] < high.bounds(t)[0] or compare(low.angle(t), high.angle(t)) < 0


def _fits(overlap: PawlOverlap, wall: Wall, t: Real) -> bool:
    """Whether a curve with blocked angles on both sides is free itself: an exact fit."""
    if len(wall.pieces) < 2:
        return False
    u = wall.angle(t)
    return overlap.free(t.rational, wall.half, u if u.rational is None else u.rational)


def _components(times: tuple[Real, ...], cells: list[Cell]) -> list[int]:
    """A number for each cell, equal where they hang together."""
    groups = Groups(range(len(cells)))
    slabs: dict[int, list[int]] = {}
    for k, cell in enumerate(cells):
        slabs.setdefault(cell.slab, []).append(k)
    for slab, numbers in slabs.items():
        for i, j in pairwise(numbers):
            if _beside(cells[i], cells[j]):
                groups.join(j, i)
        pairs = [(i, j) for i in numbers for j in slabs.get(slab + 1, ())]
        # Cells that share a wall meet at it; only the others need a closer look.
        for i, j in sorted(pairs, key=lambda pair: not _share(cells[pair[0]], cells[pair[1]])):
            if not groups.together(i, j) and _across(cells[i], cells[j], times[slab + 1]):
                groups.join(j, i)
    return [groups.head(i) for i in range(len(cells))]


def _beside(low: Cell, high: Cell) -> bool:
    """Whether two cells of a slab, one after the other, share the wall between them."""
    if low.high is high.low:
        return True
    return low.high.u is not None and high.low.u is not None and high.low.half == low.high.half + 1


def _share(a: Cell, b: Cell) -> bool:
    return any(set(one.pieces) & set(other.pieces) for one, other in ((a.low, b.low), (a.high, b.high)))


def _across(a: Cell, b: Cell, t: Real) -> bool:
    """Whether two cells of neighbouring slabs meet at the time between them."""
    return _share(a, b) or (_below(a.low, b.high, t) and _below(b.low, a.high, t))


def _below(low: Wall, high: Wall, t: Real) -> bool:
    """Whether one wall lies not above another at a time."""
    if low.half != high.half:
        return low.half < high.half or (
            low.half == high.half + 1 and _reaches(low, -1, t) and _reaches(high, 1, t)
        )
    if set(low.pieces) & set(high.pieces):
        return True
    (a0, a1), (b0, b1) = low.bounds(t), high.bounds(t)
    if a1 < b0 or b1 < a0:
        return a1 < b0
    return compare(low.angle(t), high.angle(t)) <= 0


def _reaches(wall: Wall, end: int, t: Real) -> bool:
    """Whether a wall lies on an end of its chart at a time."""
    low, high = wall.bounds(t)
    return low <= end <= high and compare(wall.angle(t), end) == 0


def _holds(cell: Cell, place: SlicePoint) -> bool:
    low, high = cell.low.angle(place.t), cell.high.angle(place.t)
    for half, u in _names(place):
        if cell.low.half == half and compare(low, u) <= 0 <= compare(high, u):
            return True
    return False


def _names(place: SlicePoint) -> Iterator[tuple[int, Real]]:
    """A configuration in its chart, and in the next where it lies on the end of one."""
    yield place.half, place.u
    for end in (1, -1):
        if compare(place.u, end) == 0:
            yield place.half + end, real(-end)
