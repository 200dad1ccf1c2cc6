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
from typing import TYPE_CHECKING, Any

from detent.foundation.tolerance import Tolerance
from detent.geometry.curve import Circle, Curve, Line, Wire, box, leaf_curves, meetings
from detent.geometry.mesh import slice_at
from detent.geometry.solid import Leaf, Solid, leaves

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

    def point(self, angle: float) -> tuple[float, float]:
        return self.centre[0] + self.radius * math.cos(angle), self.centre[1] + self.radius * math.sin(angle)


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

    curves = [curve for leaf in leaves(solid) for curve in leaf_curves(leaf, z)]
    if not curves:
        return Boundary((), (), ())
    size = max(curve.reach for curve in curves)
    tol = Tolerance.for_size(size)
    pieces = [
        (curve, low, high)
        for curve, cuts in zip(curves, meetings(curves, tol), strict=True)
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
        if isinstance(curve, Wire) and not left[k] and not right[k]:
            edges += [_edge(curve, low, high, True), _edge(curve, low, high, False)]
        elif left[k] != right[k] and first[k]:
            if isinstance(curve, Line):
                edges.append(_edge(curve, low, high, bool(left[k])))
            else:
                arcs.append(_arc(curve, low, high, bool(left[k])))
    corners = [curve for curve in curves if isinstance(curve, Line)]
    return Boundary(tuple(edges), tuple(arcs), _vertices(edges, arcs, corners, tol))


def _edge(line: Line, low: float, high: float, material_left: bool) -> Edge:
    """The part of a line between two parameters, turned so that material is on its left."""
    a, b = line.point(low), line.point(high)
    return Edge(line.name, line.leaf, *((a, b) if material_left else (b, a)))


def _arc(circle: Circle, low: float, high: float, material_left: bool) -> Arc:
    return Arc(circle.name, circle.leaf, circle.centre, circle.radius, low, high - low, not material_left)


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

    curves = leaf_curves(leaf, z)
    circles = [curve for curve in curves if isinstance(curve, Circle)]
    if circles:
        # One circle, or the two of a ring: inside the first and outside the second.
        within = [np.hypot(*(points - c.centre).T) < c.radius for c in circles]
        ring: Array = within[0] if len(within) == 1 else within[0] & ~within[1]
        return ring
    lines = [curve for curve in curves if isinstance(curve, Line) and not isinstance(curve, Wire)]
    if not lines:
        return np.zeros(len(points), dtype=bool)
    if leaf.frame.upright and not leaf.breaks:
        filled = shapely.Polygon([line.a for line in lines])
    else:
        filled = slice_at(leaf, z)
    shapely.prepare(filled)
    return shapely.contains_xy(filled, points[:, 0], points[:, 1])  # type: ignore[no-any-return]


def _named_first(
    pieces: list[tuple[Curve, float, float]], middles: Array, curves: list[Curve], tol: Tolerance
) -> list[bool]:
    """Whether no curve of an earlier leaf runs through the middle of the piece."""
    import numpy as np
    import shapely

    boxes = np.array([box(curve) for curve in curves])
    m = 2 * tol.length
    tree = shapely.STRtree(shapely.box(boxes[:, 0] - m, boxes[:, 1] - m, boxes[:, 2] + m, boxes[:, 3] + m))
    keep = [True] * len(pieces)
    for k, c in zip(*(found.tolist() for found in tree.query(shapely.points(middles))), strict=True):
        if curves[c].leaf < pieces[k][0].leaf and curves[c].off(middles[k : k + 1])[0] <= tol.length:
            keep[k] = False
    return keep


def _vertices(edges: list[Edge], arcs: list[Arc], corners: list[Line], tol: Tolerance) -> tuple[Vertex, ...]:
    """Where pieces meet: the end of one is the start of the next."""
    ends = [(e.b, _unit(e.a, e.b), e) for e in edges] + [
        (a.point(a.start if a.hollow else a.start + a.sweep), _tangent(a, end=True), a)
        for a in arcs
        if a.sweep < math.tau
    ]
    starts = [(e.a, _unit(e.a, e.b), e) for e in edges] + [
        (a.point(a.start + a.sweep if a.hollow else a.start), _tangent(a, end=False), a)
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


def _corner_names(corners: list[Line], cell: float) -> dict[tuple[int, int, int], str]:
    """Names of the leaves' own vertices, by leaf and place; edge i starts at vertex i."""
    names: dict[tuple[int, int, int], str] = {}
    for line in corners:
        number = int(line.name.rpartition("e")[2])
        ends = [(line.a, number), (line.b, 1)] if isinstance(line, Wire) else [(line.a, number)]
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


def _tangent(arc: Arc, *, end: bool) -> tuple[float, float]:
    """Direction of travel with material on the left, at the arc's end or start."""
    angle = arc.start + arc.sweep if end != arc.hollow else arc.start
    sign = -1.0 if arc.hollow else 1.0
    return -sign * math.sin(angle), sign * math.cos(angle)


def _turn(a: tuple[float, float], b: tuple[float, float]) -> float:
    return math.atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1])
