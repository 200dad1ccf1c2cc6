"""The parts of contact curves that bound free space: those along which nothing overlaps.

Two features that touch while others overlap bound nothing. On an outline of many chords nearly all
contact curves lie so, and cross each other without meaning anything. Between its crossings with other
curves a piece is free throughout or blocked throughout, so that one rational configuration on it
decides. What overlaps by more than rounding is seen in doubles; the rest is decided exactly.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from detent.geometry.exact.polygon import SLACK, ExactLeaf, blocked
from detent.motion.quasistatic.slice.edges import BoundaryPiece, distinct
from detent.motion.quasistatic.slice.table import Slice
from detent.numeric.polynomial.algebraic import Real, between, real


class PawlOverlap:
    """Whether a pawl at a configuration overlaps what it may touch."""

    def __init__(self, slice_: Slice) -> None:
        self.slice = slice_
        self._known: dict[int, Any] = {}

    def free(self, t: Any, half: int, u: Any) -> bool:
        """Exactly; numbers may be rational or algebraic."""
        if self._clearly_blocked(float(t), half, float(u)):
            return False
        return not any(
            blocked(leaf, self.slice.posed(leaf, t, half, u), obstacle)
            for leaf in self.slice.pawl
            for obstacle, _ in self.slice.obstacles
        )

    @cached_property
    def _slack(self) -> float:
        """[units] Above any rounding of a pose in doubles, and far below the size of a feature."""
        leaves = [*self.slice.pawl, *(obstacle for obstacle, _ in self.slice.obstacles)]
        reach = max(float(np.abs(leaf.doubles).max()) for leaf in leaves)
        far = max(abs(x) for t in self.slice.span for x in self.slice.hinge_at(t))
        return SLACK * (1.0 + reach + far)

    def _clearly_blocked(self, t: float, half: int, u: float) -> bool:
        """Whether a vertex of the one lies inside the other, deeper than rounding; in doubles."""
        import shapely

        angle = half * np.pi + 2 * np.arctan(u)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        hinge = np.array(self.slice.hinge_at(t))
        for leaf in self.slice.pawl:
            points = leaf.doubles @ turn.T + hinge
            for obstacle, _ in self.slice.obstacles:
                if not obstacle.closed:
                    continue
                if shapely.contains_xy(self._inside(obstacle), points[:, 0], points[:, 1]).any():
                    return True
                back = (obstacle.doubles - hinge) @ turn
                if leaf.closed and shapely.contains_xy(self._inside(leaf), back[:, 0], back[:, 1]).any():
                    return True
        return False

    def _inside(self, leaf: ExactLeaf) -> Any:
        """What of a leaf lies deeper than the slack."""
        import shapely

        if id(leaf) not in self._known:
            inner = leaf.region.buffer(-self._slack)
            shapely.prepare(inner)
            self._known[id(leaf)] = inner
        return self._known[id(leaf)]


def bounding(overlap: PawlOverlap, chart: list[BoundaryPiece]) -> list[BoundaryPiece]:
    """The parts of pieces that bound free space; of each piece its crossings with others must be known."""
    return [part for piece in chart for part in _parts(piece) if _is_free(overlap, part)]


def _parts(piece: BoundaryPiece) -> Iterator[BoundaryPiece]:
    """A piece from crossing to crossing."""
    if not piece.met:
        yield piece
        return
    inner = [(t, u) for t, u in piece.met if piece.t0 < t < piece.t1]
    known = _in_order([(piece.t0, piece.u0), (piece.t1, piece.u1), *inner])
    for (t0, u0), (t1, u1) in pairwise(known):
        yield replace(piece, t0=t0, u0=u0, t1=t1, u1=u1, met=[])


def _in_order(places: list[tuple[Real, Real]]) -> list[tuple[Real, Real]]:
    times = distinct([t for t, _ in places])
    angle = {id(t): u for t, u in places}
    return [(t, angle[id(t)]) for t in times]


def _is_free(overlap: PawlOverlap, part: BoundaryPiece) -> bool:
    """By one configuration inside of it."""
    if part.curve is None:
        u = part.u0 if part.u0.rational is None else part.u0.rational
        return overlap.free(between(part.t0, part.t1), part.half, u)
    low, high = sorted((part.u0, part.u1))
    u = between(low, high)
    t = part.curve.time(real(u)).rational
    assert t is not None  # of a rational angle
    return overlap.free(t, part.half, u)
