"""Rings about a centre that features never leave, while the part rotates and the centre moves on a line.

A point of a rigid part keeps its distance from the axis that the part rotates about. Seen from the
other part, the axis runs along a segment (or stays where it is), so that each feature lies between
a least and a greatest distance from it. Features whose rings do not overlap can never touch:
the filter before every search for contacts.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel


@kernel(sample=lambda: (0.0, 0.0, 3.0, 4.0, 1.0, 2.0), bare=True)
def distance_to_segment(px: float, py: float, ax: float, ay: float, bx: float, by: float) -> float:
    """From a point to the segment from a to b."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    s = 0.0 if square == 0 else max(0.0, min(1.0, ((px - ax) * dx + (py - ay) * dy) / square))
    x, y = px - ax - s * dx, py - ay - s * dy
    return math.sqrt(x * x + y * y)


def _sample() -> tuple[Any, ...]:
    points = np.array([[-3.0, -4.0], [6.0, -4.0], [6.0, 4.0], [-3.0, 3.0]])
    links = np.array([[3, 1], [0, 2], [1, 3], [2, 0]])
    return np.zeros((4, 4)), points, links, 0.0, 0.0, 0.0, -9.0


@kernel(sample=_sample, bare=True)
def outline_rings(rings: Any, points: Any, links: Any, fx: float, fy: float, lx: float, ly: float) -> None:
    """Of each vertex and of the edge from it to the vertex after, least and greatest distance from a centre.

    The centre goes from f to l; a row of `links` has the vertices before and after. Columns: vertex least and
    greatest, edge least and greatest.
    """
    m = len(points)
    for j in range(m):
        wx, wy = points[j, 0], points[j, 1]
        zx, zy = points[links[j, 1], 0], points[links[j, 1], 1]
        rings[j, 0] = distance_to_segment(wx, wy, fx, fy, lx, ly)
        first, last = (wx - fx) ** 2 + (wy - fy) ** 2, (wx - lx) ** 2 + (wy - ly) ** 2
        rings[j, 1] = math.sqrt(max(first, last))
        # Where the ends of the centre's path lie on two sides of the edge's line, the edge may cross it.
        s1 = (zx - wx) * (fy - wy) - (zy - wy) * (fx - wx)
        s2 = (zx - wx) * (ly - wy) - (zy - wy) * (lx - wx)
        least = 0.0
        if s1 * s2 > 0 or (fx == lx and fy == ly):
            least = min(
                distance_to_segment(fx, fy, wx, wy, zx, zy), distance_to_segment(lx, ly, wx, wy, zx, zy)
            )
        rings[j, 2] = least
    for j in range(m):
        rings[j, 3] = max(rings[j, 1], rings[links[j, 1], 1])
        rings[j, 2] = min(rings[j, 2], rings[j, 0], rings[links[j, 1], 0])


@kernel(sample=lambda: (0.0, 0.0, 3.0, 4.0, 1.0, 2.0), bare=True)
def fixed_edge_ring(ax: float, ay: float, bx: float, by: float, cx: float, cy: float) -> tuple[float, float]:
    """The same of one edge about a centre that stays where it is."""
    far = max(math.hypot(ax - cx, ay - cy), math.hypot(bx - cx, by - cy))
    return distance_to_segment(cx, cy, ax, ay, bx, by), far
