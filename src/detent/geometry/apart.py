"""Whether solids are apart, told by their primitives alone: before any mesh is made of them.

Also how far a point is from the surface of a solid, arcs and balls as they are: balls that all but touch, and
contacts that are given, are measured by it.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.geometry import region
from detent.geometry.feature import Arc, boundary
from detent.geometry.polyhedron import Polyhedron, polyhedron
from detent.geometry.solid import Cone, Cylinder, Leaf, Solid, Sphere, Torus

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class _Cover:
    """A box around a primitive along the axes, and the ball where it is one."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    centre: tuple[float, ...]
    radius: float | None

    def depth(self, other: _Cover) -> float:
        """No common part is thicker than this in every direction; negative: they are this far apart."""
        across = zip(self.low, self.high, other.low, other.high, strict=True)
        depth = min(min(h, g) - max(a, b) for a, h, b, g in across)
        if self.radius is not None and other.radius is not None:
            return min(depth, self.radius + other.radius - math.dist(self.centre, other.centre))
        for ball, box in ((self, other), (other, self)):
            if ball.radius is not None:
                beside = zip(ball.centre, box.low, box.high, strict=True)
                outside = math.hypot(*(max(a - c, c - h, 0.0) for c, a, h in beside))
                depth = min(depth, ball.radius - outside) if outside > 0.0 else depth
        return depth


def are_apart(one: Solid, other: Solid, *, slack: float) -> bool:
    """Whether no primitive of one solid is deeper than `slack` in one of the other; False: it is not told."""
    covers = list(_covers(other))
    return all(mine.depth(theirs) <= slack for mine in _covers(one) for theirs in covers)


def near_part(one: Solid, other: Solid, *, slack: float) -> Solid:
    """One solid without the members of its unions that are apart from the other; not all of them are."""
    if isinstance(one, Leaf) or one.operation != "union":
        return one
    near = [child for child in one.children if not are_apart(child, other, slack=slack)]
    kept = tuple(near_part(child, other, slack=slack) for child in near)
    return one if [*map(id, kept)] == [*map(id, one.children)] else replace(one, children=kept)


def _covers(solid: Solid) -> Iterator[_Cover]:
    """Primitives that hold all of a solid: what is cut away, or common to several, is held by the first."""
    if not isinstance(solid, Leaf):
        for child in solid.children if solid.operation == "union" else solid.children[:1]:
            yield from _covers(child)
        return
    box = region.bounds(solid)
    radius = float(solid.primitive.radius) if isinstance(solid.primitive, Sphere) else None
    yield _Cover(box[:3], box[3:], tuple(map(float, solid.frame.origin)), radius)


class Surface:
    """The surface of a solid in the plane or in space, to be measured from points; read once.

    `known` says whether all of it is: flat shapes in space, and round ones that are cut, are not read.
    """

    def __init__(self, solid: Solid, dimension: int) -> None:
        self.known = True
        self._rounds: list[Leaf] = []
        self._polyhedra: list[Polyhedron] = []
        self._segments: list[tuple[Floats, Floats]] = []
        self._arcs: list[Arc] = []
        if dimension == 2:
            try:
                outline = boundary(solid)
            except UnsupportedError:
                self.known = False
                return
            self._segments = [(np.array(edge.a), np.array(edge.b)) for edge in outline.edges]
            self._arcs = list(outline.arcs)
        else:
            self._read(solid)

    def nearest(self, point: Floats) -> tuple[float, Floats]:
        """How far a point is from the surface at least, and the place there that is nearest.

        It is so far, but for a point inside a union of round solids, whose seams count too.
        """
        places = [_on_segment(point, *segment) for segment in self._segments]
        places += [place for arc in self._arcs for place in _on_arc(point, arc)]
        places += [_on_round(point, leaf) for leaf in self._rounds]
        places += [place for each in self._polyhedra for place in _on_flat(point, each)]
        distances = [float(np.linalg.norm(point - place)) for place in places]
        if not distances:
            return math.inf, point
        best = int(np.argmin(distances))
        return distances[best], places[best]

    def _read(self, solid: Solid) -> None:
        if isinstance(solid, Leaf) and _revolves(solid):
            self._rounds.append(solid)
            return
        try:
            self._polyhedra.append(polyhedron(solid))
        except (UnsupportedError, ModelError):
            if isinstance(solid, Leaf) or solid.operation != "union":
                self.known = False
                return
            for child in solid.children:
                self._read(child)


def balls_of(solid: Solid) -> list[tuple[Floats, float]]:
    """Centres and radii of the balls that a solid is made of; none where it has other primitives too."""
    if isinstance(solid, Leaf):
        if not isinstance(solid.primitive, Sphere):
            return []
        return [(solid.frame.matrix[:, 3], float(solid.primitive.radius))]
    of_children = [balls_of(child) for child in solid.children]
    if solid.operation != "union" or not all(of_children):
        return []
    return [ball for balls in of_children for ball in balls]


def _revolves(leaf: Leaf) -> bool:
    shape = leaf.primitive
    round_one = isinstance(shape, (Sphere, Torus, Cone)) or (
        isinstance(shape, Cylinder) and not shape.is_gear
    )
    return round_one and not leaf.breaks


def _on_segment(point: Floats, start: Floats, end: Floats) -> Floats:
    way = end - start
    share = float((point - start) @ way) / (float(way @ way) or 1.0)
    place: Floats = start + min(max(share, 0.0), 1.0) * way
    return place


def _on_arc(point: Floats, arc: Arc) -> list[Floats]:
    """The place on the circle where the arc holds it, and the arc's ends."""
    x, y = point - np.array(arc.centre)
    angle = math.atan2(y, x)
    round_it = (angle - arc.start) % (2 * math.pi) <= arc.sweep
    angles = [*([angle] if round_it else []), arc.start, arc.start + arc.sweep]
    return [np.array(arc.point(each)) for each in angles]


def _on_round(point: Floats, leaf: Leaf) -> Floats:
    """The nearest place of a primitive that revolves about its z: that of its profile, beside the axis."""
    rotation, origin = leaf.frame.matrix[:, :3], leaf.frame.matrix[:, 3]
    x, y, height = rotation.T @ (point - origin)
    beside = math.hypot(x, y)
    out = np.array([x, y]) / beside if beside > 0.0 else np.array([1.0, 0.0])
    at = np.array([beside, height])
    shape = leaf.primitive
    if isinstance(shape, (Sphere, Torus)):
        middle = np.array([float(shape.radius), 0.0]) if isinstance(shape, Torus) else np.zeros(2)
        tube = float(shape.tube if isinstance(shape, Torus) else shape.radius)
        away = float(np.linalg.norm(at - middle))
        place = middle + tube * ((at - middle) / away if away > 0.0 else np.array([0.0, 1.0]))
    else:
        assert isinstance(shape, (Cylinder, Cone))
        base, top = (shape.base, shape.top) if isinstance(shape, Cone) else (shape.radius, shape.radius)
        corners = [
            (0.0, 0.0),
            (float(base), 0.0),
            (float(top), float(shape.height)),
            (0.0, float(shape.height)),
        ]
        sides = itertools.pairwise(corners)
        on_sides = [_on_segment(at, np.array(start), np.array(end)) for start, end in sides]
        place = min(on_sides, key=lambda each: float(np.linalg.norm(at - each)))
    on_surface: Floats = origin + rotation @ np.array([*(place[0] * out), place[1]])
    return on_surface


def _on_flat(point: Floats, solid: Polyhedron) -> list[Floats]:
    """The nearest place of each edge, and the foot in each face that holds it."""
    places = [_on_segment(point, *edge.ends) for edge in solid.edges]
    for face in solid.faces:
        ends = np.array([solid.edges[number].ends for number in face.edges])
        foot = point - face.normal * (face.normal @ (point - ends[0, 0]))
        first = ends[0, 1] - ends[0, 0]
        axes = np.array([first, np.cross(face.normal, first)])
        (x0, y0), (x1, y1) = (((ends[:, k] - foot) @ axes.T).T for k in (0, 1))
        crosses = (y0 > 0.0) != (y1 > 0.0)
        right = x0[crosses] - y0[crosses] * (x1 - x0)[crosses] / (y1 - y0)[crosses] > 0.0
        if right.sum() % 2:
            places.append(foot)
    return places
