"""Exact polygons as parts of a contact: features with their names, and overlap.

A leaf is one polygon (or a segment) of a part's shape. Vertices are exact, run
counter-clockwise, and carry the numbers they have in the document: edge k runs
from vertex k to the next as written, and an edge merged over collinear vertices
keeps the number of its first.

Pieces that touch or overlap are joined to one leaf (`geometry.exact.union`), whose
boundary may have several rings and whose features keep the names they have in
their pieces.

A closed polygon A is *blocked* by B when it meets the interior of B: touching
is free. The coordinates may be python-flint rationals or `Real` numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from detent.geometry.naming import crossing_name, feature_name, in_part
from detent.geometry.vector import bend

Point = tuple[Any, Any]

# Of the coordinates: far above what rounding to doubles takes, far below any edge.
SLACK = 1e-9


@dataclass(frozen=True, eq=False)
class JoinedOutline:
    """What a union of leaves knows beside its vertices, which run ring after ring."""

    starts: tuple[int, ...]  # the first vertex of each ring
    vertices: tuple[tuple[ExactLeaf, int] | None, ...]  # the piece and vertex there; None where edges cross
    edges: tuple[tuple[ExactLeaf, int], ...]  # the piece and edge that each edge is of
    parts: frozenset[str]  # whose features touch; the others only bound it


@dataclass(frozen=True, eq=False)
class ExactLeaf:
    """One polygon of a part, or a segment: two vertices, two sides."""

    part: str
    index: int
    points: tuple[Point, ...]
    numbers: tuple[int, ...]  # of vertices, as written
    backwards: bool = False  # written clockwise
    joined: JoinedOutline | None = None

    @property
    def count(self) -> int:
        return len(self.points)

    @property
    def closed(self) -> bool:
        return len(self.points) > 2

    @cached_property
    def rings(self) -> tuple[range, ...]:
        """The vertices of each ring of its boundary."""
        starts = (0,) if self.joined is None else self.joined.starts
        return tuple(range(a, b) for a, b in pairwise([*starts, self.count]))

    @cached_property
    def after(self) -> tuple[int, ...]:
        """The vertex after each, on its ring."""
        return tuple(k + 1 if k + 1 < ring.stop else ring.start for ring in self.rings for k in ring)

    @cached_property
    def before(self) -> tuple[int, ...]:
        return tuple(k - 1 if k > ring.start else ring.stop - 1 for ring in self.rings for k in ring)

    @cached_property
    def edges(self) -> list[tuple[Point, Point]]:
        return [(p, self.points[k]) for p, k in zip(self.points, self.after, strict=True)]

    def vertex_name(self, k: int) -> str:
        """The name of the first piece with a corner there; where edges only cross, by both of them."""
        leaf, corner = self.vertex_origin(k)
        if leaf is not self:
            return leaf.vertex_name(corner)
        if self.joined is not None:
            return crossing_name(self.edge_name(self.before[k]), self.edge_name(k))
        return in_part(self.part, feature_name(self.index, "v", self.numbers[k]))

    def edge_name(self, k: int) -> str:
        """Edge k here runs from vertex k to the next, counter-clockwise; a segment has one, of two sides."""
        leaf, edge = self.edge_origin(k)
        if leaf is not self:
            return leaf.edge_name(edge)
        first = (k + 1) % self.count if self.backwards else k
        number = self.numbers[first] if self.closed else 0
        return in_part(self.part, feature_name(self.index, "e", number))

    def vertex_origin(self, k: int) -> tuple[ExactLeaf, int]:
        """The piece that a vertex is of, and its number there."""
        return (self.joined.vertices[k] if self.joined is not None else None) or (self, k)

    def edge_origin(self, k: int) -> tuple[ExactLeaf, int]:
        """The piece that an edge is of, and its number there."""
        return (self, k) if self.joined is None else self.joined.edges[k]

    @cached_property
    def convex(self) -> tuple[bool, ...]:
        """Which vertices can touch: those that stick out."""
        if not self.closed:
            return (True,) * self.count
        return tuple(
            bend(self.points[self.before[k]], self.points[k], self.points[self.after[k]]) > 0
            and self._touches(self.vertex_origin(k))
            for k in range(self.count)
        )

    @cached_property
    def facing(self) -> tuple[bool, ...]:
        """Which edges can touch."""
        return tuple(self._touches(self.edge_origin(k)) for k in range(self.count))

    def _touches(self, origin: tuple[ExactLeaf, int]) -> bool:
        return self.joined is None or origin[0].part in self.joined.parts

    @cached_property
    def doubles(self) -> Any:
        """Its vertices as an array of doubles."""
        return np.array([(float(x), float(y)) for x, y in self.points])

    @cached_property
    def _boxes(self) -> tuple[Any, Any, float]:
        """Low and high corners of its edges in doubles, and a slack above any rounding."""
        ends = self.doubles[list(self.after)]
        slack = SLACK * (1.0 + float(np.abs(self.doubles).max()))
        return np.minimum(self.doubles, ends), np.maximum(self.doubles, ends), slack

    def edges_near(self, p: Point, q: Point) -> list[tuple[Point, Point]] | None:
        """The edges whose boxes meet that of an edge p q; None where the whole polygon is clear of it."""
        low, high, slack = self._boxes
        ends = np.array([[float(p[0]), float(p[1])], [float(q[0]), float(q[1])]])
        bottom, top = ends.min(axis=0) - slack, ends.max(axis=0) + slack
        if (high.max(axis=0) < bottom).any() or (low.min(axis=0) > top).any():
            return None
        near = np.flatnonzero(((high >= bottom) & (low <= top)).all(axis=1))
        return [self.edges[k] for k in near]

    def holds(self, point: Point) -> bool:
        """Whether a point lies strictly inside; doubles count what is clear, the rest is decided exactly."""
        low, high, slack = self._boxes
        x, y = float(point[0]), float(point[1])
        across = (low[:, 1] <= y + slack) & (high[:, 1] >= y - slack) & (high[:, 0] >= x - slack)
        clear = (low[:, 1] < y - slack) & (high[:, 1] > y + slack) & (low[:, 0] > x + slack)
        unclear = np.flatnonzero(across & ~clear)
        side = _crossings(point, [self.edges[k] for k in unclear])
        return side is not None and (side + int(clear.sum())) % 2 == 1

    def moved(self, change: Any) -> ExactLeaf:
        """The same leaf with every vertex replaced by `change` of it."""
        return replace(self, points=tuple(change(p) for p in self.points))

    @cached_property
    def inner_points(self) -> tuple[Point, ...]:
        """A point of its interior beside every ring that runs counter-clockwise."""
        return tuple(
            _inner_point(self, ring) for ring in self.rings if doubled([self.points[k] for k in ring]) > 0
        )

    @cached_property
    def region(self) -> Any:
        """In doubles, for measuring and drawing."""
        import shapely

        if not self.closed:
            return shapely.LineString(self.doubles)
        rings = [
            (doubled([self.points[k] for k in ring]) > 0, self.doubles[ring.start : ring.stop])
            for ring in self.rings
        ]
        solid = shapely.union_all([shapely.Polygon(ring) for outer, ring in rings if outer])
        return solid.difference(
            shapely.union_all([shapely.Polygon(ring) for outer, ring in rings if not outer])
        )


def blocked(a: ExactLeaf, points: Sequence[Point], b: ExactLeaf) -> bool:
    """Whether the closed leaf a, its vertices at these points, meets the interior of b."""
    from flint import fmpq

    if not b.closed:
        return False
    ends = enumerate(a.after) if a.closed else [(0, 1)]
    edges = [(points[k], points[m]) for k, m in ends]
    for p, q in edges:
        near = b.edges_near(p, q)
        if near is None:
            continue
        for low, high in pairwise([fmpq(0), *sorted(cuts(p, q, near)), fmpq(1)]):
            if low < high and b.holds(_along(p, q, (low + high) / 2)):
                return True
    return a.closed and any(_side_of(point, edges) >= 0 for point in b.inner_points)


def inside(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies in the closed polygon."""
    return _side_of(point, _edges(polygon)) >= 0


def cuts(p: Point, q: Point, edges: Sequence[tuple[Point, Point]]) -> list[Any]:
    """Where an edge p q meets others, as parts of its length, its ends included.

    Of an edge in line with it: the ends of what the two share.
    """
    shares = []
    ux, uy = q[0] - p[0], q[1] - p[1]
    for c, d in edges:
        vx, vy = d[0] - c[0], d[1] - c[1]
        wx, wy = c[0] - p[0], c[1] - p[1]
        across = ux * vy - uy * vx
        if across == 0:
            if ux * wy - uy * wx == 0:
                square = ux * ux + uy * uy
                ends = [((x - p[0]) * ux + (y - p[1]) * uy) / square for x, y in (c, d)]
                low, high = max(min(ends), 0 * square), min(max(ends), 0 * square + 1)
                shares += [low, high] if low <= high else []
            continue
        s = (wx * vy - wy * vx) / across
        if 0 <= s <= 1 and 0 <= (wx * uy - wy * ux) / across <= 1:
            shares.append(s)
    return shares


def _side_of(point: Point, edges: Sequence[tuple[Point, Point]]) -> int:
    """1 inside, 0 on the boundary, -1 outside; by counting crossings of a ray to +x."""
    count = _crossings(point, edges)
    if count is None:
        return 0
    return 1 if count % 2 else -1


def _crossings(point: Point, edges: Sequence[tuple[Point, Point]]) -> int | None:
    """How many edges a ray to +x crosses; None where the point lies on one."""
    x, y = point
    count = 0
    for (ax, ay), (bx, by) in edges:
        area = (bx - ax) * (y - ay) - (by - ay) * (x - ax)
        if area == 0 and min(ax, bx) <= x <= max(ax, bx) and min(ay, by) <= y <= max(ay, by):
            return None
        if (ay > y) != (by > y) and (area > 0) == (by > ay):
            count += 1
    return count


def _along(p: Point, q: Point, s: Any) -> Point:
    return p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])


def _edges(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    if len(points) == 2:
        return [(points[0], points[1])]
    return [(points[k], points[(k + 1) % len(points)]) for k in range(len(points))]


def doubled(points: Sequence[Point]) -> Any:
    """Twice the signed area of a ring."""
    return sum((p[0] * q[1] - p[1] * q[0] for p, q in _edges(points)), 0 * points[0][0])


def _inner_point(leaf: ExactLeaf, ring: range) -> Point:
    """Half way along the first chord that a line just above the ring's lowest vertex cuts off.

    The line runs below every higher vertex of the leaf, so that it meets none;
    where it first meets the ring, it enters.
    """
    low = min(leaf.points[k][1] for k in ring)
    y = (low + min(p[1] for p in leaf.points if p[1] > low)) / 2
    crossings = sorted(
        (ax + (bx - ax) * (y - ay) / (by - ay), k in ring)
        for k, ((ax, ay), (bx, by)) in enumerate(leaf.edges)
        if (ay > y) != (by > y)
    )
    first = next(i for i, (_, of_ring) in enumerate(crossings) if of_ring)
    return (crossings[first][0] + crossings[first + 1][0]) / 2, y
