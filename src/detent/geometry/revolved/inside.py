"""Whether points lie in a solid, in doubles: for probing, not for deciding contact."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detent.geometry.profile import extent, polygon, section_radius
from detent.geometry.solid import Block, Leaf, Outline, Prism, Segment, Solid, Torus

Floats = NDArray[np.float64]
Truths = NDArray[np.bool_]


def inside(solid: Solid, points: Floats) -> Truths:
    """For each of (n, 3) points; broken edges count on the faces across z alone."""
    if isinstance(solid, Leaf):
        return _in_leaf(solid, points)
    of_children = [inside(child, points) for child in solid.children]
    if solid.operation == "union":
        return np.asarray(np.logical_or.reduce(of_children))
    if solid.operation == "intersection":
        return np.asarray(np.logical_and.reduce(of_children))
    return np.asarray(of_children[0] & ~np.logical_or.reduce(of_children[1:]))


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
    radii = np.array([section_radius(leaf, each) for each in np.clip(z, low, high).tolist()])
    return np.asarray(between & (away <= radii))
