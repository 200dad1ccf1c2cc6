"""Peg and hole read from their sections: widths, chamfers, axes, how far the one is off the other.

In (across, down) of the plane of peg and hole, lengths in the document's units. A peg has two parallel sides
and a flat tip, whose corners may be chamfered alike; a hole two parallel walls along `down`, whose rims are
level and may be.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from shapely.geometry.base import BaseGeometry

    Floats = NDArray[np.float64]

_ALIKE = 1e-7  # of the size: lengths and directions nearer than this are one
_STEEPEST = 0.5  # of a side's normal along the hole: sides lean less than 30 degrees


@dataclass(frozen=True)
class Chamfer:
    """Its width across and its height along the axis."""

    width: float
    height: float

    @property
    def angle(self) -> float:
        """From the face [rad]."""
        return math.atan2(self.height, self.width)


@dataclass(frozen=True, eq=False)
class PegSection:
    """A peg: half width, its shoulder's middle (the tip's, without a chamfer), which way it points, its
    sides.
    """

    radius: float
    shoulder: Floats
    down: Floats  # unit vector towards the tip
    length: float  # of its sides
    chamfer: Chamfer | None


@dataclass(frozen=True, eq=False)
class HoleSection:
    """A hole: half width, the middle between its rims, its depth, its chamfer."""

    radius: float
    mouth: Floats
    depth: float
    chamfer: Chamfer | None
    blind: bool  # whether it has a bottom


class NoPegError(Exception):
    """Why a section is no peg or no hole; the message is for the user."""


@dataclass(frozen=True, eq=False)
class _Side:
    begin: Floats
    end: Floats
    normal: Floats  # out of the material

    @property
    def length(self) -> float:
        return float(np.linalg.norm(self.end - self.begin))


def peg_section(region: BaseGeometry) -> PegSection:
    """Of the section of what is held."""
    if region.is_empty or region.geom_type != "Polygon" or list(region.interiors):
        raise NoPegError("its section is not one solid outline")
    sides = _rings(region)[0]
    size = math.hypot(region.bounds[2] - region.bounds[0], region.bounds[3] - region.bounds[1])
    right, left = (_longest(sides, way) for way in (1.0, -1.0))
    if right is None or left is None or abs(right.normal @ left.normal + 1) > _ALIKE:
        raise NoPegError("it has no two parallel sides along the way in")
    down = np.array([-right.normal[1], right.normal[0]])
    down = down if down[1] > 0 else -down
    across = right.normal
    radius = float((right.begin - left.begin) @ across) / 2
    ends = [max((side.begin, side.end), key=lambda p: float(p @ down)) for side in (right, left)]
    tops = [min(float(p @ down) for p in (side.begin, side.end)) for side in (right, left)]
    if abs(float((ends[0] - ends[1]) @ down)) > _ALIKE * size:
        raise NoPegError("the shoulders of its two sides are not level")
    shoulder = (ends[0] + ends[1]) / 2
    low = float(shoulder @ down)
    corners = {tuple(p) for side in sides for p in (side.begin, side.end)}
    beyond = sorted(
        (float((np.array(p) - shoulder) @ across), float(np.array(p) @ down) - low)
        for p in corners
        if float(np.array(p) @ down) > low + _ALIKE * size
    )
    chamfer = None
    if beyond:
        if (
            len(beyond) != 2
            or abs(beyond[0][0] + beyond[1][0]) > _ALIKE * size
            or abs(beyond[0][1] - beyond[1][1]) > _ALIKE * size
        ):
            raise NoPegError("its tip is neither flat nor chamfered alike on both sides")
        chamfer = Chamfer(radius - beyond[1][0], beyond[1][1])
        if chamfer.width <= 0:
            raise NoPegError("its tip grows wider below its sides")
    return PegSection(radius, shoulder, down, low - max(tops), chamfer)


def hole_section(region: BaseGeometry, near: Floats) -> HoleSection:
    """The hole nearest to a point, of the section of what is fixed; its walls along `down`."""
    import shapely

    walls = [side for ring in _rings(region) for side in ring if abs(side.normal[1]) < _ALIKE]
    span = math.hypot(region.bounds[2] - region.bounds[0], region.bounds[3] - region.bounds[1])
    holes: list[tuple[float, _Side, _Side]] = []
    for left in (wall for wall in walls if wall.normal[0] > 0):
        for right in (wall for wall in walls if wall.normal[0] < 0):
            x0, x1 = float(left.begin[0]), float(right.begin[0])
            top = max(_top(left), _top(right))
            bottom = min(_bottom(left), _bottom(right))
            if x1 <= x0 or bottom <= top:
                continue
            slit = shapely.LineString([(x0, (top + bottom) / 2), (x1, (top + bottom) / 2)])
            if slit.intersection(region).length <= _ALIKE * span:
                holes.append((abs((x0 + x1) / 2 - float(near[0])), left, right))
    if not holes:
        raise NoPegError("no hole with two parallel walls along the way in is ahead")
    _, left, right = min(holes, key=lambda hole: hole[0])
    x0, x1, top = float(left.begin[0]), float(right.begin[0]), _top(left)
    if abs(_top(right) - top) > _ALIKE * span:
        raise NoPegError("the rims of the hole are not level")
    chamfers = [_chamfer_above(region, wall, way, span) for wall, way in ((left, -1.0), (right, 1.0))]
    if not _alike(chamfers[0], chamfers[1], span):
        raise NoPegError("the chamfers of the hole are not alike")
    bottom = min(_bottom(left), _bottom(right))
    probe = shapely.Point((x0 + x1) / 2, bottom + 1e-6 * span)
    return HoleSection(
        (x1 - x0) / 2,
        np.array([(x0 + x1) / 2, top]),
        bottom - top,
        chamfers[1],
        bool(region.intersects(probe)),
    )


def _top(wall: _Side) -> float:
    return float(min(wall.begin[1], wall.end[1]))


def _bottom(wall: _Side) -> float:
    return float(max(wall.begin[1], wall.end[1]))


def _chamfer_above(region: BaseGeometry, wall: _Side, way: float, span: float) -> Chamfer | None:
    """The slope that goes up and outwards from a wall's rim."""
    rim = wall.begin if wall.begin[1] < wall.end[1] else wall.end
    for ring in _rings(region):
        for side in ring:
            for here, there in ((side.begin, side.end), (side.end, side.begin)):
                if np.abs(here - rim).max() > _ALIKE * span:
                    continue
                out, up = way * float(there[0] - here[0]), float(here[1] - there[1])
                if out > _ALIKE * span and up > _ALIKE * span:
                    return Chamfer(out, up)
    return None


def _alike(one: Chamfer | None, other: Chamfer | None, span: float) -> bool:
    if one is None or other is None:
        return one is other
    return max(abs(one.width - other.width), abs(one.height - other.height)) <= _ALIKE * span


def _longest(sides: list[_Side], way: float) -> _Side | None:
    found = [side for side in sides if way * side.normal[0] > 0 and abs(side.normal[1]) < _STEEPEST]
    return max(found, key=lambda side: side.length, default=None)


def _rings(region: Any) -> list[list[_Side]]:
    """The sides of all outlines of a region, straight ones joined, normals out of the material."""
    import shapely

    rings = []
    for polygon in getattr(region, "geoms", [region]):
        if polygon.geom_type != "Polygon":
            continue
        oriented = shapely.geometry.polygon.orient(polygon)  # counter-clockwise outside, holes clockwise
        for ring in (oriented.exterior, *oriented.interiors):
            rings.append(_sides(np.array(ring.coords)[:-1]))
    return rings


def _sides(points: Floats) -> list[_Side]:
    """Between corners; points on a straight side are passed over."""
    size = float(np.ptp(points, axis=0).max())
    before, after = np.roll(points, 1, axis=0), np.roll(points, -1, axis=0)
    one, other = points - before, after - points
    turn = np.abs(one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0])
    corners = points[turn > 1e-12 * size * size]
    sides = []
    for begin, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        along = (end - begin) / np.linalg.norm(end - begin)
        sides.append(_Side(begin, end, np.array([along[1], -along[0]])))
    return sides
