"""Features: the edges, arcs and vertices that bound a section, each traced to its leaf.

Contacts belong to the outline of a part's union, never to a buried face (Gelsey
sums forces over all primitives, and doubles them where blocks overlap). So each
leaf's own edges and circles are cut where other leaves cross them, and a piece
stays where material lies on one side of it and none on the other. Arcs stay
true arcs. Of pieces that coincide the leaf named first keeps its own.

Names: leaf index, then e, a or v and the number within the leaf, as `0.e3`.
Vertices of an outline are numbered as written, edge i from vertex i to the next;
those of a block counter-clockwise from its corner at the origin; a vertex where
two leaves cross is named by both edges.
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
from detent.geometry.solid import Block, Leaf, Outline, Prism, Segment, Solid, Torus, leaves

if TYPE_CHECKING:
    import numpy as np

    Array = np.ndarray[Any, Any]

# Material beside a piece is looked for this many tolerances off it: far above
# rounding, far below any tooth.
_ASIDE = 100.0


@dataclass(frozen=True)
class Edge:
    """A straight piece of the boundary, material on its left."""

    name: str
    leaf: int
    a: tuple[float, float]
    b: tuple[float, float]


@dataclass(frozen=True)
class Arc:
    """A piece of a circle, counter-clockwise from `start` by `sweep` [rad].

    Material lies inside the circle, or, where `hollow`, outside it.
    """

    name: str
    leaf: int
    centre: tuple[float, float]
    radius: float
    start: float
    sweep: float
    hollow: bool


@dataclass(frozen=True)
class Vertex:
    """Where two pieces meet; convex when the material turns less than half way around it."""

    name: str
    leaf: int
    at: tuple[float, float]
    convex: bool


@dataclass(frozen=True)
class Boundary:
    """All features of one section."""

    edges: tuple[Edge, ...]
    arcs: tuple[Arc, ...]
    vertices: tuple[Vertex, ...]


def boundary(solid: Solid, z: float = 0.0) -> Boundary:
    """The features that bound the solid's section at height z."""
    import numpy as np

    curves = [curve for leaf in leaves(solid) for curve in _curves(leaf, z)]
    if not curves:
        return Boundary((), (), ())
    size = max(curve.reach for curve in curves)
    tol = Tolerance.for_size(size)
    pieces = [
        (curve, low, high)
        for curve, cuts in zip(curves, _cuts(curves, tol), strict=True)
        for low, high in curve.split(cuts, tol)
    ]
    middles = np.array([curve.point((low + high) / 2) for curve, low, high in pieces])
    aside = np.array([curve.left((low + high) / 2) for curve, low, high in pieces])
    off = _ASIDE * tol.length
    left = _inside(solid, z, middles + off * aside)
    right = _inside(solid, z, middles - off * aside)
    first = _named_first(pieces, middles, curves, tol)
    edges: list[Edge] = []
    arcs: list[Arc] = []
    for k, (curve, low, high) in enumerate(pieces):
        if isinstance(curve, _Wire) and not left[k] and not right[k]:
            edges += [curve.piece(low, high, True), curve.piece(low, high, False)]
        elif left[k] != right[k] and first[k]:
            if isinstance(curve, _Line):
                edges.append(curve.piece(low, high, bool(left[k])))
            else:
                arcs.append(curve.piece(low, high, bool(left[k])))
    corners = [curve for curve in curves if isinstance(curve, _Line)]
    return Boundary(tuple(edges), tuple(arcs), _vertices(edges, arcs, corners, tol))


@dataclass(frozen=True)
class _Line:
    """A leaf's edge from a (t = 0) to b (t = 1)."""

    leaf: int
    name: str
    a: tuple[float, float]
    b: tuple[float, float]
    closed = False

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

    def piece(self, low: float, high: float, material_left: bool) -> Edge:
        a, b = self.point(low), self.point(high)
        return Edge(self.name, self.leaf, a, b) if material_left else Edge(self.name, self.leaf, b, a)

    def off(self, points: Array) -> Array:
        """Distance of points from the edge."""
        import numpy as np

        d = np.subtract(self.b, self.a)
        t = np.clip(((points - self.a) @ d) / (d @ d), 0.0, 1.0)
        return np.hypot(*(points - self.a - t[:, None] * d).T)  # type: ignore[no-any-return]


class _Wire(_Line):
    """A segment shape: an edge without material on either side, so that it bounds both ways."""


@dataclass(frozen=True)
class _Circle:
    """A leaf's circle; t is the angle."""

    leaf: int
    name: str
    centre: tuple[float, float]
    radius: float
    closed = True

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

    def piece(self, low: float, high: float, material_left: bool) -> Arc:
        return Arc(self.name, self.leaf, self.centre, self.radius, low, high - low, not material_left)

    def off(self, points: Array) -> Array:
        import numpy as np

        return np.abs(np.hypot(*(points - self.centre).T) - self.radius)  # type: ignore[no-any-return]


_Curve = _Line | _Circle


def _intervals(cuts: list[float], least: float) -> list[tuple[float, float]]:
    """Between sorted cuts; slivers below the tolerance go to their neighbour."""
    kept = [min(cuts)]
    for t in sorted(cuts)[1:]:
        if t - kept[-1] > least:
            kept.append(t)
    kept[-1] = max(cuts)
    return list(pairwise(kept))


def _curves(leaf: Leaf, z: float) -> list[_Curve]:
    """The leaf's own boundary at height z, where it stands."""
    if not leaf.frame.upright or any(b.face[1] != "z" for b in leaf.breaks):
        return _ring_curves(leaf, z)
    p = leaf.primitive
    own_z = (z - float(leaf.frame.origin[2])) * float(leaf.frame.rows[2][2])
    low, high = profile.extent(leaf)
    if not leaf.flat and not low < own_z < high:
        return []
    if isinstance(p, Segment):
        a, b = ((float(x), float(y)) for x, y in (leaf.frame.apply(exact3(e))[:2] for e in p.ends))
        return [_Wire(leaf.index, f"{leaf.index}.e0", a, b)]
    if isinstance(p, Outline | Prism | Block):
        return _ring_curves(leaf, z) if leaf.breaks and profile.outset(leaf, own_z) else _polygon_curves(leaf)
    centre = (float(leaf.frame.origin[0]), float(leaf.frame.origin[1]))
    if isinstance(p, Torus):
        half = math.sqrt(max(float(p.tube) ** 2 - own_z**2, 0.0))
        radii = [float(p.radius) + half, float(p.radius) - half]
    else:
        radii = [profile.section_radius(leaf, own_z)]
    return [_Circle(leaf.index, f"{leaf.index}.a{i}", centre, r) for i, r in enumerate(radii) if r > 0]


def _polygon_curves(leaf: Leaf) -> list[_Curve]:
    p = leaf.primitive
    if isinstance(p, Block):
        x, y, _ = p.sides
        zero = x - x
        points: Any = ((zero, zero), (x, zero), (x, y), (zero, y))
    else:
        assert isinstance(p, Outline | Prism)
        points = p.points
    placed = leaf.frame.points([(float(x), float(y)) for x, y in points])[:, :2].tolist()
    ring = [(i, tuple(at)) for i, at in enumerate(placed)]
    # Equal neighbours make no edge, and vertices on a straight side make one edge of two.
    ring = [(i, at) for k, (i, at) in enumerate(ring) if points[i] != points[ring[(k + 1) % len(ring)][0]]]
    corners = [
        k
        for k in range(len(ring))
        if not _straight_on([points[ring[(k + d) % len(ring)][0]] for d in (-1, 0, 1)])
    ]
    return [
        _Line(leaf.index, f"{leaf.index}.e{ring[k][0]}", ring[k][1], ring[after][1])
        for k, after in zip(corners, corners[1:] + corners[:1], strict=True)
    ]


def _straight_on(three: list[Any]) -> bool:
    (ax, ay), (bx, by), (cx, cy) = three
    cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    return bool(cross == 0 and (bx - ax) * (cx - bx) + (by - ay) * (cy - by) > 0)


def _ring_curves(leaf: Leaf, z: float) -> list[_Curve]:
    """Edges of a section that only the mesh gives."""
    import shapely

    region = slice_at(leaf, z)
    rings = [ring for part in shapely.get_parts(region) for ring in (part.exterior, *part.interiors)]
    points = [tuple(at) for ring in rings for at in ring.coords]
    starts = [len(ring.coords) for ring in rings]
    lines: list[_Curve] = []
    begin = 0
    for count in starts:
        for k in range(begin, begin + count - 1):
            lines.append(_Line(leaf.index, f"{leaf.index}.e{len(lines)}", points[k], points[k + 1]))
        begin += count
    return lines


def _cuts(curves: list[_Curve], tol: Tolerance) -> list[list[float]]:
    """Parameters at which each curve meets the curves of other leaves."""
    import numpy as np
    import shapely

    cuts: list[list[float]] = [[] for _ in curves]
    if len({curve.leaf for curve in curves}) == 1:
        return cuts
    boxes = np.array([_box(curve) for curve in curves])
    m = 2 * tol.length
    made = shapely.box(boxes[:, 0] - m, boxes[:, 1] - m, boxes[:, 2] + m, boxes[:, 3] + m)
    first, second = shapely.STRtree(made).query(made)
    for i, j in zip(first.tolist(), second.tolist(), strict=True):
        if curves[i].leaf != curves[j].leaf:
            cuts[i] += _met(curves[i], curves[j], tol)
    return cuts


def _box(curve: _Curve) -> tuple[float, float, float, float]:
    if isinstance(curve, _Circle):
        (x, y), r = curve.centre, curve.radius
        return x - r, y - r, x + r, y + r
    (ax, ay), (bx, by) = curve.a, curve.b
    return min(ax, bx), min(ay, by), max(ax, bx), max(ay, by)


def _met(one: _Curve, other: _Curve, tol: Tolerance) -> list[float]:
    """Where on `one` the other meets it; where both run together, the other's ends."""
    if isinstance(one, _Line):
        return _line_met(one, other, tol)
    if isinstance(other, _Line):
        return [_angle(one, other.point(t)) for t in _line_met(other, one, tol)]
    return _circles_met(one, other, tol)


def _line_met(line: _Line, other: _Curve, tol: Tolerance) -> list[float]:
    ux, uy = (line.b[0] - line.a[0]) / line.length, (line.b[1] - line.a[1]) / line.length
    if isinstance(other, _Circle):
        wx, wy = other.centre[0] - line.a[0], other.centre[1] - line.a[1]
        along, across = wx * ux + wy * uy, ux * wy - uy * wx
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


def _on(lengths: list[float], line: _Line, tol: Tolerance) -> list[float]:
    return [s / line.length for s in lengths if -tol.length <= s <= line.length + tol.length]


def _circles_met(one: _Circle, other: _Circle, tol: Tolerance) -> list[float]:
    dx, dy = other.centre[0] - one.centre[0], other.centre[1] - one.centre[1]
    distance = math.hypot(dx, dy)
    if distance <= tol.length or distance > one.radius + other.radius + tol.length:
        return []
    cosine = (distance**2 + one.radius**2 - other.radius**2) / (2 * distance * one.radius)
    if abs(cosine) > 1 + tol.length / one.radius:
        return []
    half = math.acos(min(max(cosine, -1.0), 1.0))
    middle = math.atan2(dy, dx)
    return [middle - half, middle + half]


def _angle(circle: _Circle, at: tuple[float, float]) -> float:
    return math.atan2(at[1] - circle.centre[1], at[0] - circle.centre[0])


def _inside(solid: Solid, z: float, points: Array) -> Array:
    """Which points of the plane at height z lie in the solid, by its tree."""
    import numpy as np

    if isinstance(solid, Leaf):
        return _inside_leaf(solid, z, points)
    each = [_inside(child, z, points) for child in solid.children]
    if solid.operation == "union":
        return np.any(each, axis=0)  # type: ignore[no-any-return]
    if solid.operation == "difference":
        return each[0] & ~np.any(each[1:], axis=0)  # type: ignore[no-any-return]
    return np.all(each, axis=0)  # type: ignore[no-any-return]


def _inside_leaf(leaf: Leaf, z: float, points: Array) -> Array:
    import numpy as np
    import shapely

    curves = _curves(leaf, z)
    circles = [curve for curve in curves if isinstance(curve, _Circle)]
    if circles:
        # One circle, or the two of a ring: inside the first and outside the second.
        within = [np.hypot(*(points - c.centre).T) < c.radius for c in circles]
        ring: Array = within[0] if len(within) == 1 else within[0] & ~within[1]
        return ring
    lines = [curve for curve in curves if isinstance(curve, _Line) and not isinstance(curve, _Wire)]
    if not lines:
        return np.zeros(len(points), dtype=bool)
    if leaf.frame.upright and not leaf.breaks:
        filled = shapely.Polygon([line.a for line in lines])
    else:
        filled = slice_at(leaf, z)
    shapely.prepare(filled)
    return shapely.contains_xy(filled, points[:, 0], points[:, 1])  # type: ignore[no-any-return]


def _named_first(
    pieces: list[tuple[_Curve, float, float]], middles: Array, curves: list[_Curve], tol: Tolerance
) -> list[bool]:
    """Whether no curve of an earlier leaf runs through the middle of the piece."""
    import numpy as np
    import shapely

    boxes = np.array([_box(curve) for curve in curves])
    m = 2 * tol.length
    tree = shapely.STRtree(shapely.box(boxes[:, 0] - m, boxes[:, 1] - m, boxes[:, 2] + m, boxes[:, 3] + m))
    keep = [True] * len(pieces)
    for k, c in zip(*(found.tolist() for found in tree.query(shapely.points(middles))), strict=True):
        if curves[c].leaf < pieces[k][0].leaf and curves[c].off(middles[k : k + 1])[0] <= tol.length:
            keep[k] = False
    return keep


def _vertices(edges: list[Edge], arcs: list[Arc], corners: list[_Line], tol: Tolerance) -> tuple[Vertex, ...]:
    """Where pieces meet: the end of one is the start of the next."""
    ends = [(e.b, _unit(e.a, e.b), e) for e in edges] + [
        (_arc_at(a, a.start if a.hollow else a.start + a.sweep), _tangent(a, end=True), a)
        for a in arcs
        if a.sweep < math.tau
    ]
    starts = [(e.a, _unit(e.a, e.b), e) for e in edges] + [
        (_arc_at(a, a.start + a.sweep if a.hollow else a.start), _tangent(a, end=False), a)
        for a in arcs
        if a.sweep < math.tau
    ]
    cell = _ASIDE * tol.length
    named = _corner_names(corners, cell)
    by_place: dict[tuple[int, int], list[Any]] = {}
    for start in starts:
        by_place.setdefault(_cell(start[0], cell), []).append(start)
    found = []
    for at, coming, piece in ends:
        x, y = _cell(at, cell)
        near = [s for i in (-1, 0, 1) for j in (-1, 0, 1) for s in by_place.get((x + i, y + j), ())]
        near = [s for s in near if math.dist(s[0], at) <= cell]
        if not near:
            continue
        # Where outlines touch in a point, each goes on with its own material.
        _, going, after = max(near, key=lambda s: _turn(coming, s[1]))
        turn = _turn(coming, going)
        if abs(turn) <= tol.angle:
            continue
        own = named.get((piece.leaf, *_cell(at, cell))) if piece.leaf == after.leaf else None
        name = own or f"{piece.name}+{after.name}"
        found.append(Vertex(name, min(piece.leaf, after.leaf), at, turn > 0))
    return tuple(found)


def _corner_names(corners: list[_Line], cell: float) -> dict[tuple[int, int, int], str]:
    """Names of the leaves' own vertices, by leaf and place; edge i starts at vertex i."""
    names: dict[tuple[int, int, int], str] = {}
    for line in corners:
        number = int(line.name.rpartition("e")[2])
        ends = [(line.a, number), (line.b, 1)] if isinstance(line, _Wire) else [(line.a, number)]
        for at, vertex in ends:
            x, y = _cell(at, cell)
            for i in (-1, 0, 1):
                for j in (-1, 0, 1):
                    names.setdefault((line.leaf, x + i, y + j), f"{line.leaf}.v{vertex}")
    return names


def _cell(at: tuple[float, float], size: float) -> tuple[int, int]:
    return math.floor(at[0] / size), math.floor(at[1] / size)


def _unit(a: tuple[float, float], b: tuple[float, float]) -> tuple[float, float]:
    d = math.dist(a, b)
    return (b[0] - a[0]) / d, (b[1] - a[1]) / d


def _arc_at(arc: Arc, angle: float) -> tuple[float, float]:
    return arc.centre[0] + arc.radius * math.cos(angle), arc.centre[1] + arc.radius * math.sin(angle)


def _tangent(arc: Arc, *, end: bool) -> tuple[float, float]:
    """Direction of travel with material on the left, at the arc's end or start."""
    angle = arc.start + arc.sweep if end != arc.hollow else arc.start
    sign = -1.0 if arc.hollow else 1.0
    return -sign * math.sin(angle), sign * math.cos(angle)


def _turn(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])
