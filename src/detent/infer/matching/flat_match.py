"""Flat faces on each other, from sections just inside and just outside of their plane.

A face of a part is what its section has just inside a plane and not just outside; so seams, buried faces and
faces cut from nothing are not there to begin with, however the part was put together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from detent.geometry.region import areal, common_region, section
from detent.infer.faces import FlatPlane, looking_along
from detent.infer.matching.matches import FlatMatch
from detent.infer.solids import PartSolid

_PARALLEL = 1e-7
_MEET = 1e-6  # of the size
_SHRUNK = 0.6
_ASIDE = 2e-6  # of the size: how far off the plane sections are taken


def flat_matches(one: PartSolid, other: PartSolid, clearance: float, size: float) -> list[FlatMatch]:
    """Faces that touch, and pairs of opposite faces with no more play between them than allowed."""
    most = clearance * size + _MEET * size
    near_ones = list(facing(one, other, size, most=most))
    kept = []
    for match in near_ones:
        touches = match.gap <= _MEET * size
        opposite = (m for m in near_ones if m.first.unit @ match.first.unit < -1 + _PARALLEL)
        if touches or any(_fits(match, m, clearance, size) for m in opposite):
            kept.append(match)
    return kept


def _fits(one: FlatMatch, other: FlatMatch, clearance: float, size: float) -> bool:
    """Whether a tongue between two faces has no more play than this share of the groove's width."""
    widths = abs(one.first.offset + other.first.offset), abs(one.second.offset + other.second.offset)
    return one.gap + other.gap <= clearance * max(widths) + _MEET * size


def play_of(matches: Iterable[FlatMatch]) -> float:
    """The largest play between opposite faces."""
    matches = list(matches)
    return max(
        (a.gap + b.gap for a in matches for b in matches if a.first.unit @ b.first.unit < -1 + _PARALLEL),
        default=0.0,
    )


def facing(
    one: PartSolid, other: PartSolid, size: float, *, most: float = np.inf, along: Any = None
) -> Iterable[FlatMatch]:
    """Faces of one part that look at faces of the other from no farther than `most`; `along` a direction."""
    firsts, seconds = (_of(part, along) for part in (one, other))
    if not firsts or not seconds:
        return
    normals = np.array([s.unit for s in firsts]), np.array([s.unit for s in seconds])
    offsets = np.array([s.offset for s in firsts]), np.array([s.offset for s in seconds])
    opposite = np.linalg.norm(normals[0][:, None] + normals[1][None], axis=2) <= _PARALLEL
    gaps = -offsets[1][None] - offsets[0][:, None]
    seen: set[tuple[float, ...]] = set()
    for i, j in np.argwhere(opposite & (gaps >= -_MEET * size) & (gaps <= most)):
        match = _match(one, other, firsts[i], seconds[j], max(float(gaps[i, j]), 0.0), size)
        if match is None:
            continue
        key = tuple(np.round(np.append(match.points.mean(axis=0), match.gap) / size, 6))
        if key not in seen:
            seen.add(key)
            yield match


def _of(part: PartSolid, along: Any) -> list[FlatPlane]:
    if along is None:
        return part.planes
    return [side for side in part.planes if abs(side.unit @ along) > 1 - _PARALLEL]


def _match(
    one: PartSolid, other: PartSolid, first: FlatPlane, second: FlatPlane, gap: float, size: float
) -> FlatMatch | None:
    import shapely

    meet = _MEET * size
    if np.isinf(gap) or _apart(first, second, meet):
        return None
    view = looking_along(first.normal)
    matrix = view.matrix
    common = _common(*(_covered(plane, matrix) for plane in (first, second)))
    if common.area <= meet * size * 1e-3 or common.area <= meet * common.length:
        return None
    for part, side, sign in ((one, first, 1.0), (other, second, -1.0)):
        height = sign * side.offset
        x0, y0, x1, y1 = common.bounds
        low, high = (x0, y0, height - 4 * meet), (x1, y1, height + 4 * meet)
        seen = part.within(view, np.array(low), np.array(high))
        if seen is None:
            return None
        for off in (_ASIDE * size, _ASIDE * size / 16):
            before = common.area
            inside, outside = section(seen, height - sign * off), section(seen, height + sign * off)
            common = _common(common, areal(shapely.difference(areal(inside), areal(outside))))
            if common.area <= meet * common.length or common.area <= meet * size * 1e-3:
                return None
        # A round face that touches the plane in a line alone has a section that shrinks with the distance.
        if common.area < _SHRUNK * before:
            return None
    corners = np.array(common.convex_hull.exterior.coords)[:-1]
    corners = np.column_stack([_thinned(corners), np.full(len(_thinned(corners)), first.offset)])
    points = corners @ matrix[:, :3]
    return FlatMatch(first, second, gap, points, float(common.area))


def _common(one: Any, other: Any) -> Any:
    return areal(common_region(one, other))


def _covered(plane: FlatPlane, matrix: Any) -> Any:
    """What the sides of primitives cover of their plane."""
    import shapely

    polygons = [shapely.Polygon((side.points @ matrix[:, :3].T)[:, :2]) for side in plane.sides]
    return areal(shapely.union_all([shapely.make_valid(polygon) for polygon in polygons]))


def _apart(first: FlatPlane, second: FlatPlane, meet: float) -> bool:
    """Whether boxes around the two faces, seen along their normal, do not overlap."""
    n = first.unit
    points = [s.points - np.outer(s.points @ n, n) for s in (first, second)]
    low, high = np.maximum(*(p.min(axis=0) for p in points)), np.minimum(*(p.max(axis=0) for p in points))
    return bool((low > high + meet).any())


def _thinned(corners: Any, most: int = 16) -> Any:
    """Of many corners of a round region a few, evenly."""
    return corners if len(corners) <= most else corners[:: len(corners) // most]
