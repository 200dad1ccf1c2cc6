"""Whether points lie in a solid, in doubles: for probing, not for deciding contact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detent.geometry.profile import extent, polygon, section_radius
from detent.geometry.solid import Block, Cylinder, Leaf, Outline, Prism, Segment, Solid, Torus

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


def inside(solid: Solid, points: Floats) -> Truths:
    """For each of (n, 3) points; broken edges count on the faces across z alone."""
    if isinstance(solid, Leaf):
        return _in_leaf(solid, points)
    if solid.operation == "difference":
        within = inside(solid.children[0], points)
        for child in solid.children[1:]:
            within[within] = ~inside(child, points[within])
        return within
    of_children = [inside(child, points) for child in solid.children]
    if solid.operation == "union":
        return np.asarray(np.logical_or.reduce(of_children))
    return np.asarray(np.logical_and.reduce(of_children))


def _in_leaf(leaf: Leaf, points: Floats) -> Truths:
    matrix = leaf.frame.matrix
    x, y, z = ((points - matrix[:, 3]) @ np.linalg.inv(matrix[:, :3]).T).T
    p = leaf.primitive
    low, high = extent(leaf)
    between: Truths = np.ones(len(points), bool) if leaf.flat else (low <= z) & (z <= high)
    if isinstance(p, Block):
        return np.asarray(between & (x >= 0) & (x <= float(p.sides[0])) & (y >= 0) & (y <= float(p.sides[1])))
    if isinstance(p, Outline | Prism):
        import shapely

        held: Truths = shapely.contains_xy(polygon(p.points), x, y)
        return between & held
    if isinstance(p, Segment):
        return np.zeros(len(points), bool)
    away = np.hypot(x, y)
    if isinstance(p, Torus):
        return np.asarray((away - float(p.radius)) ** 2 + z * z <= float(p.tube) ** 2)
    within = between.copy()
    within[between] = away[between] <= _radii(leaf, z[between])
    return within


def _radii(leaf: Leaf, z: Floats) -> Floats:
    """Of a round leaf's sections; those of a cylinder are one, but near broken edges."""
    if not isinstance(leaf.primitive, Cylinder):
        return np.array([section_radius(leaf, each) for each in z.tolist()])
    low, high = extent(leaf)
    size = max((abs(float(edge.size)) for edge in leaf.breaks), default=0.0)
    radii = np.full(len(z), float(leaf.primitive.radius))
    near = (z - low < size) | (high - z < size)
    radii[near] = [section_radius(leaf, each) for each in z[near].tolist()]
    return radii
