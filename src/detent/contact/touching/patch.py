"""Corners of where two solids touch, when they are made of convex pieces.

Each pair of pieces touches in a convex region of a plane: a point, a segment or a polygon, given
by its corners. Regions of one plane continue each other across a seam: around a point there they
fill a straight angle or more, or run on as a line, and that point is not a corner of the whole: corners
that turn inwards lie between others and add nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from detent.geometry.exact.polytope import CLOSE, Touch
from detent.geometry.vector import Vec, dot, minus, norm
from detent.mechanics.row import tangent_frame

Sector = tuple[float, float]  # where it begins [rad], how wide it is; 0: a ray

# [rad] Directions nearer than this are one; what rounding leaves of pieces that are close.
_SAME = 1e-6


def corners(touches: Iterable[Touch], regions: list[list[Touch]], close: float) -> list[Touch]:
    """Those of the contacts at which the regions together have a corner."""
    kept = []
    filled = [region for region in regions if region]
    at = [np.array([[float(x) for x in q] for q, _ in region]) for region in filled]
    low, high = (np.array([f(points, axis=0) for points in at]).reshape(-1, 3) for f in (np.min, np.max))
    for point, normal in touches:
        position = np.array([float(x) for x in point])
        near = np.flatnonzero(((low - close <= position) & (position <= high + close)).all(axis=1))
        flat = [filled[k] for k in near if _in_plane(filled[k][0], (point, normal), close)]
        around = [s for region in flat for s in _sectors(point, normal, [q for q, _ in region], close)]
        if not _runs_on(around):
            kept.append((point, normal))
    return kept


def _in_plane(one: Touch, other: Touch, close: float) -> bool:
    (p, n), (q, m) = one, other
    aligned = float(dot(n, m)) >= (1 - CLOSE) * norm(n) * norm(m)
    return aligned and abs(float(dot(m, minus(p, q)))) <= close * norm(m)


def _sectors(point: Vec, normal: Vec, region: list[Vec], close: float) -> list[Sector]:
    """What a convex region fills around a point of its plane: nothing where the point is not of it."""
    first, second = (np.array([float(x) for x in t]) for t in tangent_frame(normal, equal=True))
    offsets = np.array([[float(x) for x in minus(q, point)] for q in region])
    away = offsets[np.linalg.norm(offsets, axis=1) > close]
    angles = _distinct(np.arctan2(away @ second, away @ first))
    if not len(angles):
        return []
    gaps = np.diff(np.append(angles, angles[0] + math.tau))
    widest = int(gaps.argmax())
    if gaps[widest] < math.pi - _SAME:
        return [(0.0, math.tau)]  # inside
    if len(angles) == 2 and abs(gaps[widest] - math.pi) <= _SAME:
        return [(float(angle), 0.0) for angle in angles]  # on a segment
    on_edge = abs(gaps[widest] - math.pi) <= _SAME
    if not on_edge and len(away) == len(region):
        return []  # outside
    return [(float(angles[(widest + 1) % len(angles)]), math.tau - float(gaps[widest]))]


def _runs_on(sectors: list[Sector]) -> bool:
    """Whether sectors together are a whole circle, half of one or more, or two opposite rays."""
    ends = _distinct(np.array([a for start, wide in sectors for a in (start, start + wide)]))
    if not len(ends):
        return False
    arcs = np.diff(np.append(ends, ends[0] + math.tau))
    filled = np.array([_holds(sectors, a + w / 2) for a, w in zip(ends, arcs, strict=True)])
    rays = ~filled & ~np.roll(filled, 1)
    if not filled.any():
        return len(ends) == 2 and abs(arcs[0] - math.pi) <= _SAME
    changes = int(np.count_nonzero(filled != np.roll(filled, 1)))
    # A corner that turns inwards lies between others: without it nothing else may lift or stay.
    no_corner = changes == 2 and float(arcs[filled].sum()) >= math.pi - _SAME
    return not rays.any() and (changes == 0 or no_corner)


def _holds(sectors: list[Sector], angle: float) -> bool:
    return any((angle - start) % math.tau <= wide for start, wide in sectors)


def _distinct(angles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Angles from 0 to a full circle, in order, each once."""
    wrapped = np.sort(angles % math.tau)
    if not len(wrapped):
        return wrapped
    return wrapped[np.diff(wrapped, prepend=wrapped[-1] - math.tau) > _SAME]
