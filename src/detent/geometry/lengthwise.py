"""A solid cut by a plane along its leaves' own axes: a shaft through its axis, a block along its sides.

Such a cut is made of straight edges with the sizes as written, where a mesh would have chords. Chamfers are
cut as they are; a rounded edge is told, and drawn as the chamfer of its size.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry.region import evaluated
from detent.geometry.solid import Block, Cone, Cylinder, Leaf, Outline, Prism, Solid

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Floats = NDArray[np.float64]

_SQUARE = 1e-9  # of a unit vector's components: less is rounding
_LOCAL = {"x": 0, "y": 1, "z": 2}


@dataclass
class CuttingPlane:
    """A plane through a point, along two unit vectors; `rounded` collects leaves whose rounds are drawn as
    chamfers.
    """

    point: Floats
    across: Floats
    down: Floats
    rounded: list[Leaf] = field(default_factory=list)

    @property
    def normal(self) -> Floats:
        return np.cross(self.down, self.across)

    def cut(self, solid: Solid) -> BaseGeometry:
        """The solid's section in (across, down) from the point; UnsupportedError where it is not of
        straight edges.
        """
        return evaluated(solid, self._leaf)

    def _leaf(self, leaf: Leaf) -> BaseGeometry:
        import shapely

        matrix = leaf.frame.matrix
        rotation, origin = matrix[:, :3], matrix[:, 3]
        normal = rotation.T @ self.normal  # in the leaf's frame, as all below
        height = float(
            self.normal @ (self.point - origin)
        )  # of the plane over the leaf's origin, along its normal
        points = _section(leaf, normal, height, self.rounded)
        if len(points) == 0:
            return shapely.Polygon()
        placed = points @ rotation.T + origin - self.point
        flat = np.stack([placed @ self.across, placed @ self.down], axis=1)
        return shapely.normalize(shapely.Polygon(flat))


def _section(leaf: Leaf, normal: Floats, height: float, rounded: list[Leaf]) -> Floats:
    """The polygon's points (n, 3) in the leaf's own frame; none where the plane misses it."""
    p = leaf.primitive
    across_axis = np.abs(normal[2]) < _SQUARE
    if isinstance(p, Outline | Prism) and not across_axis and np.abs(normal[:2]).max() < _SQUARE:
        if isinstance(p, Prism) and not 0 <= height * normal[2] <= float(p.height):
            return np.zeros((0, 3))
        flat = np.array([[float(x), float(y)] for x, y in p.points])
        return np.column_stack([flat, np.full(len(flat), height * normal[2])])
    if isinstance(p, Cylinder | Cone) and across_axis:
        return _round_section(leaf, normal, height, rounded)
    if isinstance(p, Block):
        for k in range(3):
            others = [i for i in range(3) if i != k]
            if np.abs(normal[others]).max() < _SQUARE:
                return _block_section(leaf, k, height * normal[k], rounded)
        for k in range(3):
            if np.abs(normal[k]) < _SQUARE and not leaf.breaks:
                return _aslant(leaf, k, normal, height)
    raise UnsupportedError(
        f"{with_article(type(p).__name__.lower())} is not cut along its axes by the plane of peg and hole",
        "draw peg and hole of blocks, cylinders and cones along the hole, or in the plane as outlines",
        leaf.at,
    )


def _block_section(leaf: Leaf, k: int, at: float, rounded: list[Leaf]) -> Floats:
    assert isinstance(leaf.primitive, Block)
    sides = [float(side) for side in leaf.primitive.sides]
    if not 0 <= at <= sides[k]:
        return np.zeros((0, 3))
    i, j = [axis for axis in range(3) if axis != k]
    points = np.zeros((0, 3))
    flat = _broken(sides[i], 0.0, sides[j], leaf, (i, j), rounded)
    points = np.zeros((len(flat), 3))
    points[:, i], points[:, j], points[:, k] = flat[:, 0], flat[:, 1], at
    return points


def _aslant(leaf: Leaf, k: int, normal: Floats, height: float) -> Floats:
    """Of a block by a plane along its axis k alone: a rectangle on the chord of its base."""
    assert isinstance(leaf.primitive, Block)
    sides = [float(side) for side in leaf.primitive.sides]
    i, j = [axis for axis in range(3) if axis != k]
    along = np.array([-normal[j], normal[i]])
    foot = height * normal[[i, j]]
    low, high = -math.inf, math.inf
    for start, way, side in zip(foot, along, (sides[i], sides[j]), strict=True):
        first, last = sorted((-start / way, (side - start) / way))  # both axes: neither is along the plane
        low, high = max(low, first), min(high, last)
    if high <= low:
        return np.zeros((0, 3))
    ends = foot + np.outer([low, high], along)
    points = np.zeros((4, 3))
    points[:, i], points[:, j] = ends[[0, 1, 1, 0], 0], ends[[0, 1, 1, 0], 1]
    points[2:, k] = sides[k]
    return points


def _round_section(leaf: Leaf, normal: Floats, height: float, rounded: list[Leaf]) -> Floats:
    p = leaf.primitive
    side = np.array([-normal[1], normal[0], 0.0])
    if isinstance(p, Cone):
        base, top = float(p.base), float(p.top)
        if abs(height) > _SQUARE * max(base, top):
            raise UnsupportedError(
                "a cone is cut beside its axis by the plane of peg and hole",
                "put the axes of peg, hole and cone into one plane",
                leaf.at,
            )
        flat = np.array([(-base, 0.0), (base, 0.0), (top, float(p.height)), (-top, float(p.height))])
    else:
        assert isinstance(p, Cylinder)
        radius = float(p.radius)
        if abs(height) >= radius:
            return np.zeros((0, 3))
        half = math.sqrt(radius * radius - height * height)
        flat = _broken(2 * half, -half, float(p.height), leaf, (None, 2), rounded)
    points: Floats = flat[:, :1] * side + flat[:, 1:] * np.array([0.0, 0.0, 1.0]) + height * normal
    return points


def _broken(
    wide: float, first: float, high: float, leaf: Leaf, axes: tuple[int | None, int], rounded: list[Leaf]
) -> Floats:
    """A rectangle from (first, 0), its corners cut, or flared, by the chamfers of its faces."""
    import shapely

    low = (first, 0.0)
    shape: Any = shapely.box(*low, first + wide, high)
    for each in leaf.breaks:
        axis = _LOCAL[each.face[1]]
        if axis not in axes:
            continue
        if each.kind == "round":
            rounded.append(leaf)
        size = float(each.size)
        n = axes.index(axis)
        spans = (wide, high)
        face = low[n] + (spans[n] if each.face[0] == "+" else 0.0)
        into = -1.0 if each.face[0] == "+" else 1.0
        for end, out in ((low[1 - n], -1.0), (low[1 - n] + spans[1 - n], 1.0)):
            # The corner, along the face by the size, and along the side by it.
            corner, along, inside = [0.0, 0.0], [0.0, 0.0], [0.0, 0.0]
            corner[n], corner[1 - n] = face, end
            along[n], along[1 - n] = face, end - out * size
            inside[n], inside[1 - n] = face + into * abs(size), end
            triangle = shapely.Polygon([corner, along, inside])
            shape = shape.difference(triangle) if size > 0 else shape.union(triangle)
    return np.array(shape.exterior.coords)[:-1]
