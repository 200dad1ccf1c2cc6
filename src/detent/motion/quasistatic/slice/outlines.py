"""Cells of free space in doubles, for pictures: their outlines, and the walls on which friction would hold.

The cells are exact; only their corners are rounded here. Whether a pawl that
lies on a wall would stick, pushed on, is looked at along the wall.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from detent.motion.quasistatic.slice.curves import FeaturePair
from detent.motion.quasistatic.slice.freespace import Cell, FreeSpace, Wall
from detent.numeric.polynomial.algebraic import Real

POINTS = 24  # along a wall in one slab: smooth to the eye
LOOKS = 400  # along a wall, at friction: where it begins to hold, to less than a line's width


def outline(space: FreeSpace, cell: Cell) -> Any:
    """The cell as a ring of times and angles."""
    return np.concatenate([_line(space, cell, cell.low), _line(space, cell, cell.high)[::-1]])


def holding(space: FreeSpace) -> Iterator[Any]:
    """Lines of times and angles along which a pawl would stick."""
    walled = {(cell.slab, cell.high.pieces) for cell in space.cells}
    ceiled = {(cell.slab, cell.low.pieces) for cell in space.cells}
    for cell in space.cells:
        # The pawl lies on the wall nearest to rest, with blocked angles behind it.
        if cell.low.pieces and (cell.slab, cell.low.pieces) not in walled:
            yield from _held(_line(space, cell, cell.low, LOOKS), cell.low, 1)
        if cell.high.pieces and (cell.slab, cell.high.pieces) not in ceiled:
            yield from _held(_line(space, cell, cell.high, LOOKS), cell.high, -1)


def _line(space: FreeSpace, cell: Cell, wall: Wall, points: int = POINTS) -> Any:
    t0, t1 = space.times[cell.slab], space.times[cell.slab + 1]
    base = wall.half * math.pi
    first, last = _middle(wall, t0), _middle(wall, t1)
    ends = np.array([(float(t), base + 2 * math.atan(u)) for t, u in ((t0, first), (t1, last))])
    curve = wall.pieces[0].curve if wall.pieces else None
    if curve is None:
        return ends
    u = np.linspace(first, last, points)
    if first * last < 0:  # a wall that crosses rest has a point there: its two sides load the pawl unlike
        u = np.insert(u, int(np.argmax(u * first <= 0)), 0.0)
    scale = max(abs(int(c)) for c in (*curve.p.coeffs(), *curve.q.coeffs()))
    p, q = ([int(poly[i]) / scale for i in range(3)] for poly in (curve.p, curve.q))
    below = q[0] + u * (q[1] + u * q[2])
    times = -(p[0] + u * (p[1] + u * p[2])) / np.where(below == 0, 1.0, below)
    points_along = np.stack([np.clip(times, float(t0), float(t1)), base + 2 * np.arctan(u)], axis=1)
    points_along[[0, -1]] = ends
    return points_along


def _middle(wall: Wall, t: Real) -> float:
    low, high = wall.bounds(t)
    return (low + high) / 2


def _held(line: Any, wall: Wall, side: int) -> Iterator[Any]:
    """The stretches of a wall on which all contacts that carry the pawl would stick."""
    u = np.tan((line[:, 1] - wall.half * math.pi) / 2)
    pairs = [piece.pair for piece in wall.pieces]
    carrying = [_sticks(pair, line[:, 0], u, side) for pair in pairs]
    held = np.all([stuck | ~carries for carries, stuck in carrying], axis=0)
    held &= np.any([carries for carries, _ in carrying], axis=0) & (side * line[:, 1] >= 0)
    ends = np.flatnonzero(np.diff(np.concatenate([[False], held, [False]])))
    for first, last in zip(ends[::2], ends[1::2], strict=True):
        if last - first > 1:
            yield line[first:last]


def _sticks(pair: FeaturePair, t: Any, u: Any, side: int) -> tuple[Any, Any]:
    """Where a pair carries a pawl on this side of rest, and where it then sticks."""
    across, along, slip = (
        sum((float(constant[k]) + t * float(slope[k])) * u**k for k in range(3))
        for constant, slope in pair.lever
    )
    drag = float(pair.friction) * np.where(slip > 0, 1.0, -1.0)
    return side * across > 0, side * across + drag * along <= 0
