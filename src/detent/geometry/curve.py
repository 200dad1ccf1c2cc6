"""The curves that bound a leaf's section, and where curves of different leaves meet.

A straight edge runs from t = 0 to t = 1; on a circle t is the angle. Curves are
where the leaf is placed. Lengths nearer than the tolerance are one: an edge that
ends on another curve meets it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from detent.foundation.tolerance import Tolerance
from detent.geometry import profile
from detent.geometry.frame import exact3
from detent.geometry.mesh import slice_at
from detent.geometry.naming import feature_name
from detent.geometry.outline import straight
from detent.geometry.solid import Block, Leaf, Outline, Prism, Segment, Torus

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class Line:
    """A leaf's edge from a (t = 0) to b (t = 1)."""

    leaf: int
    name: str
    a: tuple[float, float]
    b: tuple[float, float]

    @property
    def reach(self) -> float:
        return max(map(abs, (*self.a, *self.b)))

    @property
    def length(self) -> float:
        return math.dist(self.a, self.b)

    def point(self, t: float) -> tuple[float, float]:
        return self.a[0] + t * (self.b[0] - self.a[0]), self.a[1] + t * (self.b[1] - self.a[1])

    def left(self, t: float) -> tuple[float, float]:
        return -(self.b[1] - self.a[1]) / self.length, (self.b[0] - self.a[0]) / self.length

    def split(self, cuts: list[float], tol: Tolerance) -> list[tuple[float, float]]:
        return _intervals([0.0, *cuts, 1.0], tol.length / self.length)

    def across(self, point: tuple[float, float]) -> float:
        """How far a point lies to the left of the edge's line."""
        dx, dy = (self.b[0] - self.a[0]) / self.length, (self.b[1] - self.a[1]) / self.length
        return dx * (point[1] - self.a[1]) - dy * (point[0] - self.a[0])

    def off(self, points: Array) -> Array:
        """Distance of points from the edge."""
        import numpy as np

        d = np.subtract(self.b, self.a)
        t = np.clip(((points - self.a) @ d) / (d @ d), 0.0, 1.0)
        return np.hypot(*(points - self.a - t[:, None] * d).T)  # type: ignore[no-any-return]


class Wire(Line):
    """A segment shape: an edge without material on either side, so that it bounds in both directions."""


@dataclass(frozen=True)
class Circle:
    """A leaf's circle; t is the angle."""

    leaf: int
    name: str
    centre: tuple[float, float]
    radius: float

    @property
    def reach(self) -> float:
        return max(map(abs, self.centre)) + self.radius

    def point(self, t: float) -> tuple[float, float]:
        return self.centre[0] + self.radius * math.cos(t), self.centre[1] + self.radius * math.sin(t)

    def left(self, t: float) -> tuple[float, float]:
        return -math.cos(t), -math.sin(t)

    def split(self, cuts: list[float], tol: Tolerance) -> list[tuple[float, float]]:
        if not cuts:
            return [(0.0, math.tau)]
        around = sorted(t % math.tau for t in cuts)
        return _intervals([*around, around[0] + math.tau], tol.length / self.radius)

    def off(self, points: Array) -> Array:
        import numpy as np

        return np.abs(np.hypot(*(points - self.centre).T) - self.radius)  # type: ignore[no-any-return]


Curve = Line | Circle


def leaf_curves(leaf: Leaf, z: float) -> list[Curve]:
    """The leaf's own boundary at height z, where it is placed."""
    if not leaf.frame.upright or any(b.face[1] != "z" for b in leaf.breaks):
        return _ring_curves(leaf, z)
    p = leaf.primitive
    own_z = (z - float(leaf.frame.origin[2])) * float(leaf.frame.rows[2][2])
    low, high = profile.extent(leaf)
    if not leaf.flat and not low < own_z < high:
        return []
    if isinstance(p, Segment):
        a, b = ((float(x), float(y)) for x, y in (leaf.frame.apply(exact3(e))[:2] for e in p.ends))
        return [Wire(leaf.index, feature_name(leaf.index, "e", 0), a, b)]
    if isinstance(p, Outline | Prism | Block):
        return _ring_curves(leaf, z) if leaf.breaks and profile.outset(leaf, own_z) else _polygon_curves(leaf)
    centre = (float(leaf.frame.origin[0]), float(leaf.frame.origin[1]))
    if isinstance(p, Torus):
        half = math.sqrt(max(float(p.tube) ** 2 - own_z**2, 0.0))
        radii = [float(p.radius) + half, float(p.radius) - half]
    else:
        radii = [profile.section_radius(leaf, own_z)]
    return [
        Circle(leaf.index, feature_name(leaf.index, "a", i), centre, r) for i, r in enumerate(radii) if r > 0
    ]


def _polygon_curves(leaf: Leaf) -> list[Curve]:
    p = leaf.primitive
    assert isinstance(p, Block | Outline | Prism)
    points = p.base if isinstance(p, Block) else p.points
    placed = leaf.frame.points([(float(x), float(y)) for x, y in points])[:, :2].tolist()
    ring = [(i, tuple(at)) for i, at in enumerate(placed)]
    # Equal neighbours make no edge, and the first of them keeps its number; vertices on a straight side
    # make one edge of two.
    ring = [(i, at) for i, at in ring if i == 0 or points[i] != points[i - 1]]
    ring = ring[:-1] if len(ring) > 1 and points[ring[-1][0]] == points[0] else ring
    corners = [
        k
        for k in range(len(ring))
        if not straight(*(points[ring[(k + d) % len(ring)][0]] for d in (-1, 0, 1)))
    ]
    return [
        Line(leaf.index, feature_name(leaf.index, "e", ring[k][0]), ring[k][1], ring[after][1])
        for k, after in zip(corners, corners[1:] + corners[:1], strict=True)
    ]


def _ring_curves(leaf: Leaf, z: float) -> list[Curve]:
    """Edges of a section that only the mesh gives."""
    import shapely

    region = slice_at(leaf, z)
    rings = [ring for part in shapely.get_parts(region) for ring in (part.exterior, *part.interiors)]
    points = [tuple(at) for ring in rings for at in ring.coords]
    starts = [len(ring.coords) for ring in rings]
    lines: list[Curve] = []
    begin = 0
    for count in starts:
        for k in range(begin, begin + count - 1):
            lines.append(
                Line(leaf.index, feature_name(leaf.index, "e", len(lines)), points[k], points[k + 1])
            )
        begin += count
    return lines


@dataclass(frozen=True)
class Meetings:
    """Where the curves of other leaves meet a curve: by its parameter."""

    cuts: list[float]  # they cross it, or begin or end on it
    touches: list[float]  # they are tangent to it: what lies beside it is the same before and after


def meetings(curves: list[Curve], tol: Tolerance) -> list[Meetings]:
    """Where each curve meets the curves of other leaves.

    A tangency is not a cut. Computed as one, it is two cuts a square root of rounding apart, and the
    sliver between them is a feature that no shape has.
    """
    import numpy as np
    import shapely

    met = [Meetings([], []) for _ in curves]
    if len({curve.leaf for curve in curves}) == 1:
        return met
    boxes = np.array([box(curve) for curve in curves])
    m = 2 * tol.length
    grown = shapely.box(boxes[:, 0] - m, boxes[:, 1] - m, boxes[:, 2] + m, boxes[:, 3] + m)
    first, second = shapely.STRtree(grown).query(grown)
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        if curves[i].leaf != curves[j].leaf:
            parameters = _met(curves[i], curves[j], tol)
            kept = met[i].touches if _tangent(curves[i], curves[j], tol) else met[i].cuts
            kept += parameters
    return met


def _tangent(one: Curve, other: Curve, tol: Tolerance) -> bool:
    """Whether two curves touch without crossing, to the tolerance."""
    if isinstance(one, Line):
        if isinstance(other, Line):
            return False
        one, other = other, one
    if isinstance(other, Line):
        return abs(abs(other.across(one.centre)) - one.radius) <= tol.length
    distance = math.dist(one.centre, other.centre)
    limits = (one.radius + other.radius, abs(one.radius - other.radius))
    return distance > tol.length and min(abs(distance - limit) for limit in limits) <= tol.length


def box(curve: Curve) -> tuple[float, float, float, float]:
    if isinstance(curve, Circle):
        (x, y), r = curve.centre, curve.radius
        return x - r, y - r, x + r, y + r
    (ax, ay), (bx, by) = curve.a, curve.b
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _met(one: Curve, other: Curve, tol: Tolerance) -> list[float]:
    """Where on `one` the other meets it; where both run together, the other's ends."""
    if isinstance(one, Line):
        return _line_met(one, other, tol)
    if isinstance(other, Line):
        return [_angle(one, other.point(t)) for t in _line_met(other, one, tol)]
    return _circles_met(one, other, tol)


def _line_met(line: Line, other: Curve, tol: Tolerance) -> list[float]:
    ux, uy = (line.b[0] - line.a[0]) / line.length, (line.b[1] - line.a[1]) / line.length
    if isinstance(other, Circle):
        wx, wy = other.centre[0] - line.a[0], other.centre[1] - line.a[1]
        along, across = wx * ux + wy * uy, line.across(other.centre)
        if _tangent(line, other, tol):
            return _on([along], line, tol)
        half = other.radius**2 - across**2
        if half < -2 * other.radius * tol.length:
            return []
        half = math.sqrt(max(half, 0.0))
        return _on([along - half, along + half], line, tol)
    ends = [
        ((p[0] - line.a[0]) * ux + (p[1] - line.a[1]) * uy, ux * (p[1] - line.a[1]) - uy * (p[0] - line.a[0]))
        for p in (other.a, other.b)
    ]
    (s0, h0), (s1, h1) = ends
    if abs(h0) <= tol.length and abs(h1) <= tol.length:
        return _on([s0, s1], line, tol)
    if min(h0, h1) > tol.length or max(h0, h1) < -tol.length or h0 == h1:
        return []
    share = min(max(h0 / (h0 - h1), 0.0), 1.0)
    return _on([s0 + share * (s1 - s0)], line, tol)


def _on(lengths: list[float], line: Line, tol: Tolerance) -> list[float]:
    return [s / line.length for s in lengths if -tol.length <= s <= line.length + tol.length]


def _circles_met(one: Circle, other: Circle, tol: Tolerance) -> list[float]:
    dx, dy = other.centre[0] - one.centre[0], other.centre[1] - one.centre[1]
    distance = math.hypot(dx, dy)
    if distance <= tol.length or distance > one.radius + other.radius + tol.length:
        return []
    if _tangent(one, other, tol):
        # The smaller of two circles, one in the other, is touched on its far side.
        inner = distance < max(one.radius, other.radius) and one.radius < other.radius
        return [math.atan2(dy, dx) + (math.pi if inner else 0.0)]
    cosine = (distance**2 + one.radius**2 - other.radius**2) / (2 * distance * one.radius)
    if abs(cosine) > 1 + tol.length / one.radius:
        return []
    half = math.acos(min(max(cosine, -1.0), 1.0))
    middle = math.atan2(dy, dx)
    return [middle - half, middle + half]


def _angle(circle: Circle, at: tuple[float, float]) -> float:
    return math.atan2(at[1] - circle.centre[1], at[0] - circle.centre[0])


def _intervals(cuts: list[float], least: float) -> list[tuple[float, float]]:
    """Between sorted cuts; slivers below the tolerance go to their neighbour."""
    kept = [min(cuts)]
    for t in sorted(cuts)[1:]:
        if t - kept[-1] > least:
            kept.append(t)
    kept[-1] = max(cuts)
    return list(pairwise(kept))
