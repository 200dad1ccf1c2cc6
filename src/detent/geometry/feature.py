"""Features: the edges, arcs and vertices that bound a section, each traced to its leaf.

Contacts belong to the outline of a part's union, never to a buried face (Gelsey
sums forces over all primitives, and doubles them where blocks overlap). So each
leaf's own edges and circles are cut where other leaves cross them, and a piece
stays where material lies on one side of it and none on the other. Arcs stay
true arcs. Of pieces that coincide the leaf named first keeps its own.

Names are those of `geometry.naming`. The vertices of a block are numbered
counter-clockwise from its corner at the origin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import UnsupportedError
from detent.foundation.tolerance import Tolerance
from detent.geometry.curve import Circle, Curve, Line, Wire, box, leaf_curves, meetings
from detent.geometry.mesh import slice_at
from detent.geometry.naming import crossing_name, feature_name, first_corners, number_of, runs
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
    coming: tuple[float, float]  # directions along the boundary, material on the left: of the piece before
    going: tuple[float, float]  # and of the piece after


@dataclass(frozen=True)
class Boundary:
    """All features of one section."""

    edges: tuple[Edge, ...]
    arcs: tuple[Arc, ...]
    vertices: tuple[Vertex, ...]


def boundary(solid: Solid, z: float = 0.0) -> Boundary:
    """The features that bound the solid's section at height z, cut where leaves meet."""
    edges, arcs, corners, tol = _pieces(solid, z)
    return Boundary(tuple(edges), tuple(arcs), _vertices(_joints([*edges, *arcs], tol), corners, tol))


def union_outline(solid: Solid, z: float = 0.0) -> Boundary:
    """The same with pieces that run on made one, as contacts know them (`geometry.naming`)."""
    edges, arcs, corners, tol = _pieces(solid, z)
    pieces = _run_together([*edges, *arcs], tol)
    return Boundary(
        tuple(piece for piece in pieces if isinstance(piece, Edge)),
        tuple(piece for piece in pieces if isinstance(piece, Arc)),
        _vertices(_joints(pieces, tol), corners, tol),
    )


def _pieces(solid: Solid, z: float) -> tuple[list[Edge], list[Arc], list[Line], Tolerance]:
    """Pieces with material on one side, the edges of leaves as drawn, and the tolerance of their size."""
    import numpy as np

    curves = [curve for leaf in leaves(solid) for curve in leaf_curves(leaf, z)]
    if not curves:
        return [], [], [], Tolerance.for_size(1.0)
    tol = Tolerance.for_size(max(curve.reach for curve in curves))
    met = meetings(curves, tol)
    pieces = [
        (curve, low, high)
        for curve, places in zip(curves, met, strict=True)
        for low, high in curve.split(places.cuts, tol)
    ]
    if not pieces:
        reach = max(curve.reach for curve in curves)
        raise UnsupportedError(
            f"a shape {reach:.3g} from its part's origin is too small there for its corners to be told apart",
            "draw it near that origin, and place the part with `pose`",
        )
    touches = {id(curve): places.touches for curve, places in zip(curves, met, strict=True)}
    samples = [_sample(low, high, touches[id(curve)]) for curve, low, high in pieces]
    middles = np.array([piece[0].point(t) for piece, t in zip(pieces, samples, strict=True)])
    aside = np.array([piece[0].left(t) for piece, t in zip(pieces, samples, strict=True)])
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
    return edges, arcs, [curve for curve in curves if isinstance(curve, Line)], tol


def _sample(low: float, high: float, touches: list[float]) -> float:
    """A parameter well within a piece and clear of tangencies, where another curve runs beside it."""
    around = {t + k * math.tau for t in touches for k in (-1, 0, 1, 2)} if touches else ()
    ends = sorted([low, high, *(t for t in around if low < t < high)])
    start, end = max(pairwise(ends), key=lambda span: span[1] - span[0])
    return (start + end) / 2


def _edge(line: Line, low: float, high: float, material_left: bool) -> Edge:
    """The part of a line between two parameters, directed so that material is on its left."""
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
    if len(lines) < 3:  # none, or what doubles leave of an outline that is too thin for them
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
    for k, c in zip(*(rows.tolist() for rows in tree.query(shapely.points(middles))), strict=True):
        if curves[c].leaf < pieces[k][0].leaf and curves[c].off(middles[k : k + 1])[0] <= tol.length:
            keep[k] = False
    return keep


@dataclass(frozen=True)
class _Joint:
    """Where a piece ends and the next one starts."""

    before: Edge | Arc
    after: Edge | Arc
    at: tuple[float, float]
    coming: tuple[float, float]
    going: tuple[float, float]

    @property
    def turn(self) -> float:
        return _turn(self.coming, self.going)


def _joints(pieces: Sequence[Edge | Arc], tol: Tolerance) -> list[_Joint]:
    """Where pieces meet: the end of one is the start of the next."""
    open_pieces = [p for p in pieces if isinstance(p, Edge) or p.sweep < math.tau]
    cell = _ASIDE * tol.length
    by_place: dict[tuple[int, int], list[Any]] = {}
    for piece in open_pieces:
        at, going = _start(piece)
        by_place.setdefault(_cell(at, cell), []).append((at, going, piece))
    joints = []
    for piece in open_pieces:
        at, coming = _end(piece)
        x, y = _cell(at, cell)
        near = [s for i in (-1, 0, 1) for j in (-1, 0, 1) for s in by_place.get((x + i, y + j), ())]
        near = [s for s in near if math.dist(s[0], at) <= cell]
        if near:
            # Where outlines touch in a point, each goes on with its own material.
            _, going, after = max(near, key=lambda s: _turn(coming, s[1]))
            joints.append(_Joint(piece, after, at, coming, going))
    return joints


def _vertices(joints: list[_Joint], corners: list[Line], tol: Tolerance) -> tuple[Vertex, ...]:
    """Joints at an angle."""
    cell = _ASIDE * tol.length
    names = _corner_names(corners, cell)
    vertices = []
    for joint in joints:
        if abs(joint.turn) <= tol.angle:
            continue
        name = names.get(_cell(joint.at, cell)) or crossing_name(joint.before.name, joint.after.name)
        leaf = min(joint.before.leaf, joint.after.leaf)
        vertices.append(Vertex(name, leaf, joint.at, joint.turn > 0, joint.coming, joint.going))
    return tuple(vertices)


def _corner_names(corners: list[Line], cell: float) -> dict[tuple[int, int], str]:
    """Names of the leaves' corners by place; edge i starts at vertex i, and the first leaf names a place."""
    places = []
    for line in corners:
        number = number_of(line.name)
        ends = [(line.a, number), (line.b, 1)] if isinstance(line, Wire) else [(line.a, number)]
        for at, vertex in ends:
            x, y = _cell(at, cell)
            name = feature_name(line.leaf, "v", vertex)
            places += [((x + i, y + j), name) for i in (-1, 0, 1) for j in (-1, 0, 1)]
    return first_corners(places)


def _run_together(pieces: list[Edge | Arc], tol: Tolerance) -> list[Edge | Arc]:
    """Pieces that run on made one, with the name of the first."""
    following = {id(joint.before): joint for joint in _joints(pieces, tol)}
    left = {id(piece): piece for piece in pieces}
    features: list[Edge | Arc] = []

    def runs_on(before: Edge | Arc, after: Edge | Arc) -> bool:
        joint = following.get(id(before))
        return joint is not None and joint.after is after and _runs_on(joint, tol)

    while left:
        chain = _chain(next(iter(left.values())), following, left)
        features += [_joined(run) for run in runs(chain, runs_on)]
    return features


def _chain(first: Edge | Arc, following: dict[int, _Joint], left: dict[int, Edge | Arc]) -> list[Edge | Arc]:
    """Pieces one after the other, from those that are left."""
    chain = [left.pop(id(first))]
    while (joint := following.get(id(chain[-1]))) is not None and id(joint.after) in left:
        chain.append(left.pop(id(joint.after)))
    return chain


def _runs_on(joint: _Joint, tol: Tolerance) -> bool:
    before, after = joint.before, joint.after
    if isinstance(before, Edge) or isinstance(after, Edge):
        return isinstance(before, Edge) and isinstance(after, Edge) and abs(joint.turn) <= tol.angle
    same_circle = math.dist(before.centre, after.centre) + abs(before.radius - after.radius) <= tol.length
    return same_circle and before.hollow == after.hollow


def _joined(run: list[Edge | Arc]) -> Edge | Arc:
    first, last = run[0], run[-1]
    if isinstance(first, Edge):
        assert isinstance(last, Edge)
        return replace(first, b=last.b)
    assert isinstance(last, Arc)
    sweep = min(sum(arc.sweep for arc in run if isinstance(arc, Arc)), math.tau)
    return replace(first, start=last.start if first.hollow else first.start, sweep=sweep)


def _start(piece: Edge | Arc) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where a piece starts, seen with the material on its left, and its direction there."""
    if isinstance(piece, Edge):
        return piece.a, _unit(piece.a, piece.b)
    return piece.point(piece.start + piece.sweep if piece.hollow else piece.start), _tangent(piece, end=False)


def _end(piece: Edge | Arc) -> tuple[tuple[float, float], tuple[float, float]]:
    if isinstance(piece, Edge):
        return piece.b, _unit(piece.a, piece.b)
    return piece.point(piece.start if piece.hollow else piece.start + piece.sweep), _tangent(piece, end=True)


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
    """The angle from a to b; 180 degrees back, at the end of a segment, is to the left."""
    across, along = a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]
    return math.pi if across == 0.0 and along < 0 else math.atan2(across, along)
