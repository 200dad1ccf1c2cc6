"""When the root itself would enter an obstacle, and what it slides along: exact, since it only translates.

Every pair's gap is linear in t, so candidates are rational; between two of
them nothing changes, and one rational time tells whether the root overlaps.
Touching is free, so a root may slide along a wall.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from detent.geometry.exact.polygon import ExactLeaf, Point, blocked
from detent.numeric.polynomial.algebraic import Real, between, real

Span = tuple[float, float]  # times along a line

_A_WHILE = 1e-9  # of a leg: two that touch for less pass each other


def collision(
    root: Sequence[ExactLeaf],
    obstacles: Sequence[ExactLeaf],
    shift: Point,
    velocity: Point,
    start: Real,
    until: Real,
) -> Real | None:
    """The first time from start on at which the root would enter an obstacle; None by `until`."""
    first: Real | None = None
    for leaf in root:
        for obstacle in obstacles:
            time = _entering(leaf, obstacle, shift, velocity, start, until if first is None else first)
            if time is not None and (first is None or time < first):
                first = time
    return first


def slides_along(
    root: Sequence[ExactLeaf], obstacles: Sequence[ExactLeaf], shift: Point, velocity: Point, span: Span
) -> Iterator[str]:
    """Parts that the root slides along: a corner of one runs on an edge of the other for a while."""
    back = (-velocity[0], -velocity[1])
    for leaf in root:
        for obstacle in obstacles:
            for edge, _ in _run_along(leaf, obstacle, shift, velocity, span):
                yield obstacle.edge_origin(edge)[0].part
            for _, corner in _run_along(obstacle, leaf, (-shift[0], -shift[1]), back, span):
                yield obstacle.vertex_origin(corner)[0].part


def _run_along(
    corners: ExactLeaf, leaf: ExactLeaf, shift: Point, velocity: Point, span: Span
) -> Iterator[tuple[int, int]]:
    """Edges of a leaf along which corners of another run for a while, with the corners."""
    for edge in range(leaf.count):
        a, b = leaf.points[edge], leaf.points[leaf.after[edge]]
        if velocity[0] * (b[1] - a[1]) != velocity[1] * (b[0] - a[0]):
            continue
        for corner, (x, y) in enumerate(corners.points):
            ends = [float(t) for t in _hits((x + shift[0], y + shift[1]), velocity, a, b)]
            begin, end = max(span[0], min(ends, default=0.0)), min(span[1], max(ends, default=0.0))
            if ends and end - begin > _A_WHILE * (span[1] - span[0]):
                yield edge, corner


def _entering(
    leaf: ExactLeaf, obstacle: ExactLeaf, shift: Point, velocity: Point, start: Real, until: Real
) -> Real | None:
    if _passes_by(leaf, obstacle, shift, velocity):
        return None
    times = [time for time in _touching_times(leaf, obstacle, shift, velocity) if start < time < until]
    for low, high in pairwise([start, *sorted(times), until]):
        if low < high and blocked(leaf, _moved(leaf, shift, velocity, between(low, high)), obstacle):
            return low
    return None


def _passes_by(leaf: ExactLeaf, obstacle: ExactLeaf, shift: Point, velocity: Point) -> bool:
    """Whether the two never meet: their shadows across the motion are apart."""
    x, y = velocity
    moving = [(p[0] + shift[0]) * y - (p[1] + shift[1]) * x for p in leaf.points]
    still = [p[0] * y - p[1] * x for p in obstacle.points]
    return bool(max(moving) <= min(still) or max(still) <= min(moving))


def _touching_times(leaf: ExactLeaf, obstacle: ExactLeaf, shift: Point, velocity: Point) -> list[Real]:
    """Times at which a vertex of one lies on an edge of the other."""
    times: dict[str, Any] = {}
    back = (-velocity[0], -velocity[1])
    for vertices, edges, motion, sign in (
        (leaf, obstacle, velocity, 1),
        (obstacle, leaf, back, -1),
    ):
        for p in vertices.points:
            start = (p[0] + sign * shift[0], p[1] + sign * shift[1])
            for a, b in edges.edges:
                for time in _hits(start, motion, a, b):
                    times[str(time)] = time
    return [real(time) for time in times.values()]


def _hits(p: Point, v: Point, a: Point, b: Point) -> list[Any]:
    """Times at which p + v t lies on the closed edge a b, or begins or ceases to run along it."""
    ex, ey = b[0] - a[0], b[1] - a[1]
    speed = v[0] * ey - v[1] * ex
    gap = (a[0] - p[0]) * ey - (a[1] - p[1]) * ex
    if speed == 0:
        if gap != 0:
            return []
        size = v[0] * v[0] + v[1] * v[1]
        return [((q[0] - p[0]) * v[0] + (q[1] - p[1]) * v[1]) / size for q in (a, b)]
    t = gap / speed
    x, y = p[0] + t * v[0] - a[0], p[1] + t * v[1] - a[1]
    along = x * ex + y * ey
    return [t] if 0 <= along <= ex * ex + ey * ey else []


def _moved(leaf: ExactLeaf, shift: Point, velocity: Point, t: Any) -> list[Point]:
    x, y = shift[0] + t * velocity[0], shift[1] + t * velocity[1]
    return [(p[0] + x, p[1] + y) for p in leaf.points]
