"""Motion envelopes: all of the plane that a part may cover while it moves.

Gelsey 1995, section 2.1: parts whose envelopes are apart can never touch. A part
that rotates fully about a fixed axis covers a ring, found exactly from the
features of its sections; along any other motion the envelope is built pose by
pose from convex pieces and grown by what lies between two poses, so that it
always contains the true one.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from detent.geometry import region
from detent.geometry.feature import Arc, Boundary, boundary
from detent.geometry.solid import Solid, leaves

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True)
class Ring:
    """What a part covers that rotates fully about a point, between two heights."""

    inner: float
    outer: float
    bottom: float
    top: float


def turning(solid: Solid, centre: tuple[float, float]) -> tuple[Ring, ...]:
    """Rings covered by a full rotation about an axis along z, one per layer."""
    cuts = sorted({z for leaf in leaves(solid) if not leaf.flat for z in region.heights(leaf)})
    if not cuts:
        return (_ring(solid, centre, 0.0, 0.0),)
    rings = [_ring(solid, centre, low, high) for low, high in pairwise(cuts)]
    return tuple(ring for ring in rings if ring.outer > 0)


def radii(bounds: Boundary, centre: tuple[float, float]) -> tuple[float, float]:
    """Least and greatest distance of a section's boundary from a point."""
    distances = [_edge_distances(edge.a, edge.b, centre) for edge in bounds.edges]
    for arc in bounds.arcs:
        away = math.dist(arc.centre, centre)
        toward = math.atan2(centre[1] - arc.centre[1], centre[0] - arc.centre[0])
        ends = [math.dist(arc.point(angle), centre) for angle in (arc.start, arc.start + arc.sweep)]
        low = abs(away - arc.radius) if _sweeps(arc, toward) or away == 0 else min(ends)
        high = away + arc.radius if _sweeps(arc, toward + math.pi) or away == 0 else max(ends)
        distances.append((low, high))
    return min(d[0] for d in distances), max(d[1] for d in distances)


def swept(shape: BaseGeometry, poses: Sequence[tuple[float, float, float]]) -> BaseGeometry:
    """What a region covers while it moves through poses (x, y, angle), each near the one before.

    Between two poses every point runs along an arc; the hull of a convex piece
    at both, grown by the height of that arc over its chord, holds it.
    """
    import numpy as np
    import shapely

    pieces = [np.asarray(t.exterior.coords)[:3] for t in _triangles(shape)]
    covered: list[Any] = []
    for before, after in pairwise(poses):
        half = abs(after[2] - before[2]) / 2
        for piece in pieces:
            ends = np.concatenate([_at(piece, before), _at(piece, after)])
            bulge = float(np.hypot(*piece.T).max()) * (1 - math.cos(min(half, math.pi)))
            covered.append(shapely.MultiPoint(ends).convex_hull.buffer(bulge))
    if len(poses) == 1:
        covered = [shapely.Polygon(_at(piece, poses[0])) for piece in pieces]
    return shapely.unary_union(covered)


def _ring(solid: Solid, centre: tuple[float, float], low: float, high: float) -> Ring:
    import shapely

    bounds = boundary(solid, (low + high) / 2)
    if not bounds.edges and not bounds.arcs:
        return Ring(0.0, 0.0, low, high)
    inner, outer = radii(bounds, centre)
    covers = region.section(solid, (low + high) / 2).contains(shapely.Point(centre))
    return Ring(0.0 if covers else inner, outer, low, high)


def _edge_distances(
    a: tuple[float, float], b: tuple[float, float], p: tuple[float, float]
) -> tuple[float, float]:
    ux, uy = b[0] - a[0], b[1] - a[1]
    share = ((p[0] - a[0]) * ux + (p[1] - a[1]) * uy) / (ux * ux + uy * uy)
    share = min(max(share, 0.0), 1.0)
    foot = (a[0] + share * ux, a[1] + share * uy)
    return math.dist(foot, p), max(math.dist(a, p), math.dist(b, p))


def _sweeps(arc: Arc, angle: float) -> bool:
    return bool((angle - arc.start) % math.tau <= arc.sweep)


def _triangles(shape: BaseGeometry) -> list[Any]:
    """Convex pieces that together are the region."""
    import shapely

    triangles: list[Any] = list(shapely.get_parts(shapely.constrained_delaunay_triangles(shape)))
    return triangles


def _at(points: Any, pose: tuple[float, float, float]) -> Any:
    import numpy as np

    x, y, angle = pose
    c, s = math.cos(angle), math.sin(angle)
    return points @ np.array([[c, s], [-s, c]]) + (x, y)
