"""Faces that may slide on each other: round and flat faces of primitives, exact, where they are placed.

Gelsey 1995, section 2.1.1: parts of a lower pair touch in a face that both share. A primitive's face is
only a candidate: whether it bounds material of its part is decided from sections of the whole part
(`round_match`, `flat_match`), so that a buried face, or one cut from nothing, never makes a joint.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np

from detent.geometry.frame import Exact3, Frame
from detent.geometry.profile import FINENESS
from detent.geometry.solid import Block, Cone, Cylinder, Leaf, Points, Prism
from detent.infer.chords import chord_runs

_SAME_DIRECTION = 1e-7
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, eq=False)
class RoundFace:
    """The side of a cylinder."""

    leaf: Leaf
    point: Exact3  # on its axis, at its base
    direction: Exact3  # of length one
    radius: Fraction
    height: Fraction

    @cached_property
    def axis(self) -> tuple[Any, Any]:
        """Its point and direction in doubles."""
        return np.array([float(c) for c in self.point]), np.array([float(c) for c in self.direction])

    @property
    def is_gear(self) -> bool:
        return isinstance(self.leaf.primitive, Cylinder) and self.leaf.primitive.is_gear

    def span(self, origin: Any, direction: Any) -> tuple[float, float]:
        """Heights along a line parallel to its axis."""
        point, own = self.axis
        ends = sorted(float((point + k * own - origin) @ direction) for k in (0.0, float(self.height)))
        return ends[0], ends[1]


@dataclass(frozen=True, eq=False)
class FlatSide:
    """A flat face of a primitive; its normal leads out of the material of the part."""

    leaf: Leaf
    normal: Exact3  # of length one, but for the sides of a slanting outline
    corners: tuple[Exact3, ...] | None  # None: the end of a cylinder or a cone
    centre: Exact3
    radius: Fraction = _ZERO

    @cached_property
    def unit(self) -> Any:
        """Its normal in doubles, of length one."""
        n = np.array([float(c) for c in self.normal])
        return n / np.linalg.norm(n)

    @cached_property
    def offset(self) -> float:
        """How far along its normal it lies."""
        return float(self.unit @ np.array([float(c) for c in self.centre]))

    @cached_property
    def points(self) -> Any:
        """Its border in doubles, (k, 3)."""
        if self.corners is not None:
            return np.array([[float(c) for c in corner] for corner in self.corners])
        angles = np.arange(FINENESS) * (math.tau / FINENESS)
        ring = float(self.radius) * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
        rotation = self.leaf.frame.matrix[:, :3]
        centre: Any = np.array([float(c) for c in self.centre])
        return centre + ring @ rotation.T


@dataclass(frozen=True, eq=False)
class FlatPlane:
    """All flat sides of a part in one plane, that look in one direction."""

    sides: tuple[FlatSide, ...]

    @property
    def normal(self) -> Exact3:
        return self.sides[0].normal

    @property
    def centre(self) -> Exact3:
        return self.sides[0].centre

    @property
    def unit(self) -> Any:
        return self.sides[0].unit

    @property
    def offset(self) -> float:
        return self.sides[0].offset

    @cached_property
    def points(self) -> Any:
        """The borders of all of them, (k, 3)."""
        return np.concatenate([side.points for side in self.sides])


def flat_planes(sides: list[FlatSide], close: float) -> list[FlatPlane]:
    """Sides by plane; `close` is the distance of planes that are one."""
    by_plane: dict[tuple[float, ...], list[FlatSide]] = {}
    for side in sides:
        key = (*np.round(side.unit / _SAME_DIRECTION).tolist(), round(side.offset / close))
        by_plane.setdefault(key, []).append(side)
    return [FlatPlane(tuple(together)) for together in by_plane.values()]


def round_faces(leaves: Iterator[Leaf]) -> list[RoundFace]:
    """The sides of all cylinders, and the arcs of prisms that chords stand for."""
    faces = []
    for leaf in leaves:
        p = leaf.primitive
        if isinstance(p, Cylinder):
            axis = leaf.frame.direct((_ZERO, _ZERO, _ONE))
            faces.append(RoundFace(leaf, leaf.frame.origin, axis, p.radius, p.height))
        elif isinstance(p, Prism):
            axis = leaf.frame.direct((_ZERO, _ZERO, _ONE))
            for run in chord_runs(_counter_clockwise(p.points)):
                centre = leaf.frame.apply((*run.centre, _ZERO))
                faces.append(RoundFace(leaf, centre, axis, run.radius, p.height))
    return faces


def flat_sides(leaves: Iterator[Leaf]) -> list[FlatSide]:
    """The flat faces of all blocks, prisms, cylinders and cones."""
    return [side for leaf in leaves for side in _sides(leaf)]


def _sides(leaf: Leaf) -> Iterator[FlatSide]:
    p = leaf.primitive
    if isinstance(p, Block):
        outline, height = p.base, p.sides[2]
    elif isinstance(p, Prism):
        outline, height = p.points, p.height
    elif isinstance(p, Cylinder | Cone):
        ends = (p.radius, p.radius) if isinstance(p, Cylinder) else (p.base, p.top)
        for z, up, radius in ((_ZERO, -_ONE, ends[0]), (p.height, _ONE, ends[1])):
            if radius > 0:
                normal = _outward(leaf, (_ZERO, _ZERO, up))
                yield FlatSide(leaf, normal, None, leaf.frame.apply((_ZERO, _ZERO, z)), radius)
        return
    else:
        return
    for z, up in ((_ZERO, -_ONE), (height, _ONE)):
        corners = tuple(leaf.frame.apply((x, y, z)) for x, y in outline)
        yield FlatSide(leaf, _outward(leaf, (_ZERO, _ZERO, up)), corners, corners[0])
    turned = _counter_clockwise(outline)
    chords = {k for run in chord_runs(turned) for k in run.sides} if isinstance(p, Prism) else set()
    for k, ((x0, y0), (x1, y1)) in enumerate(pairwise((*turned, turned[0]))):
        if k in chords:
            continue
        dx, dy = x1 - x0, y1 - y0
        if dx == 0 == dy:
            continue
        length = abs(dx or dy) if dx == 0 or dy == 0 else _ONE
        corners = tuple(
            leaf.frame.apply(c)
            for c in ((x0, y0, _ZERO), (x1, y1, _ZERO), (x1, y1, height), (x0, y0, height))
        )
        yield FlatSide(leaf, _outward(leaf, (dy / length, -dx / length, _ZERO)), corners, corners[0])


def _outward(leaf: Leaf, normal: Exact3) -> Exact3:
    x, y, z = leaf.frame.direct(normal)
    return (-x, -y, -z) if leaf.hollow else (x, y, z)


def _counter_clockwise(points: Points) -> Points:
    area = sum((x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise((*points, points[0]))), start=_ZERO)
    return points if area > 0 else tuple(reversed(points))


@lru_cache(maxsize=4096)
def looking_along(direction: Exact3, point: Exact3 | None = None) -> Frame:
    """The world seen along a direction: z is that direction, the origin is at the point."""
    from detent.geometry import frame as frames

    x, y, z = direction
    across = (_ONE, _ZERO, _ZERO) if x == 0 or abs(x) < max(abs(y), abs(z)) else (_ZERO, _ONE, _ZERO)
    whole = frames.axes(direction, across)
    return (frames.shift(point) @ whole if point is not None else whole).inverse()


def doubles(vector: Exact3) -> Any:
    """An exact vector as an array of doubles."""
    return np.array([float(c) for c in vector])


def unit(direction: Exact3) -> Any:
    """An exact direction as an array of length one."""
    v = doubles(direction)
    return v / np.linalg.norm(v)
