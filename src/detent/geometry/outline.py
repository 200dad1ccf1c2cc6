"""Outlines: polygons given either way round, cleaned, checked and located.

Vertices are exact rationals. Orientation, collinearity and crossings are
decided on them exactly; doubles only sort out which pairs of edges are worth
looking at. Above a few thousand vertices that sorting out becomes the cost, and
whether there is a crossing at all is decided by GEOS on doubles.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from detent.geometry.solid import Point, Points

# Above this many vertices, edges that lie close without crossing could make
# millions of pairs to look at.
_MANY = 4000


@dataclass(frozen=True)
class Crossing:
    """Edges i and j (edge i runs from vertex i to the next) meet where they should not."""

    i: int
    j: int
    at: tuple[float, float]


def doubled_area(points: Sequence[Point]) -> Fraction:
    """Twice the signed area; positive when the vertices run counter-clockwise."""
    total = Fraction(0)
    x0, y0 = points[0]
    for (ax, ay), (bx, by) in pairwise(points[1:]):
        total += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0)
    return total


def cleaned(points: Sequence[Point]) -> Points:
    """Counter-clockwise, without repeated vertices and without vertices on a straight side.

    Starts at the first given vertex that stays. A vertex where the outline turns
    back on itself stays too: that is a fault for `crossing` to find.
    """
    kept = _without_repeats(list(points))
    kept = _without_straight(kept)
    if len(kept) >= 3 and doubled_area(kept) < 0:
        kept = [kept[0], *reversed(kept[1:])]
    return tuple(kept)


def fault(points: Sequence[Point], unit: str = "") -> tuple[str, str] | None:
    """What is wrong with an outline (no area, edges that cross), and what to do; nothing when sound."""
    if is_flat(points):
        return "has no area: all its vertices lie on one line", "give three that do not, or use `segment`"
    crossed = crossing(points)
    if crossed is None:
        return None
    x, y = crossed.at
    words = f"edges {crossed.i} and {crossed.j} cross at ({x:.6g}, {y:.6g}){unit}"
    return words, "list the vertices in order around the outline"


def is_flat(points: Sequence[Point]) -> bool:
    """Whether all vertices lie on one line; exact where they are."""
    (ax, ay), *others = points
    far = max(others, key=lambda p: abs(p[0] - ax) + abs(p[1] - ay))
    return all((far[0] - ax) * (y - ay) == (far[1] - ay) * (x - ax) for x, y in others)


def crossing(points: Sequence[Point]) -> Crossing | None:
    """The first crossing or touching of two edges, in the numbering of the vertices as given.

    Neighbouring edges may share their vertex only; an edge may not run back
    along its neighbour.
    """
    numbered = _distinct(points)
    count = len(numbered)
    if count < 3:
        return None
    for a in _nearly_straight([p for _, p in numbered]):
        fold = _folded(numbered, a)
        if fold is not None:
            return fold
    corners = [p for _, p in numbered]
    pairs = _candidates(corners) if count <= _MANY else _near_first_crossing(corners)
    best: tuple[int, int] | None = None
    for a, b in pairs:
        i, j = min(a, b), max(a, b)
        if (j - i in (1, count - 1)) or (best is not None and (i, j) >= best):
            continue
        if _meet(*_ends(numbered, i), *_ends(numbered, j)) is not None:
            best = (i, j)
    if best is None:
        return None
    where = _meet(*_ends(numbered, best[0]), *_ends(numbered, best[1]))
    assert where is not None
    return Crossing(numbered[best[0]][0], numbered[best[1]][0], (float(where[0]), float(where[1])))


def _nearly_straight(points: list[Point]) -> list[int]:
    """Edges that might lie in line with the edge after them; doubles leave the rest out safely."""
    import numpy as np

    vertices = np.array([(float(x), float(y)) for x, y in points])
    edge = np.roll(vertices, -1, axis=0) - vertices
    after = np.roll(edge, -1, axis=0)
    cross = edge[:, 0] * after[:, 1] - edge[:, 1] * after[:, 0]
    blur = 16 * np.finfo(float).eps * np.abs(vertices).max(initial=0.0)
    sure = blur * (np.abs(edge).sum(axis=1) + np.abs(after).sum(axis=1) + blur)
    return [int(k) for k in np.flatnonzero(np.abs(cross) <= sure)]


def _distinct(points: Sequence[Point]) -> list[tuple[int, Point]]:
    """Vertices with their numbers as given; of equal neighbours the last, where an edge starts."""
    numbered = list(enumerate(points))
    return [(i, p) for k, (i, p) in enumerate(numbered) if p != numbered[(k + 1) % len(numbered)][1]]


def _ends(numbered: list[tuple[int, Point]], k: int) -> tuple[Point, Point]:
    return numbered[k][1], numbered[(k + 1) % len(numbered)][1]


def _folded(numbered: list[tuple[int, Point]], k: int) -> Crossing | None:
    """Whether the edge after edge k runs straight back along it."""
    (ax, ay), (bx, by) = _ends(numbered, k)
    after = (k + 1) % len(numbered)
    cx, cy = numbered[(k + 2) % len(numbered)][1]
    cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
    dot = (bx - ax) * (cx - bx) + (by - ay) * (cy - by)
    if cross != 0 or dot > 0:
        return None
    i, j = sorted((numbered[k][0], numbered[after][0]))
    return Crossing(i, j, (float(bx), float(by)))


def _near_first_crossing(points: list[Point]) -> list[tuple[int, int]]:
    """Pairs of the edges at the point where GEOS finds a crossing; none where it finds none."""
    import re

    import numpy as np
    import shapely

    vertices = np.array([(float(x), float(y)) for x, y in points])
    said = shapely.is_valid_reason(shapely.Polygon(vertices))
    place = re.search(r"\[(\S+) (\S+)\]", said)
    if place is None:
        return []
    lines = shapely.linestrings(np.stack([vertices, np.roll(vertices, -1, axis=0)], axis=1))
    at = shapely.Point(float(place.group(1)), float(place.group(2)))
    # The place is printed with 15 digits.
    margin = 1e-12 * np.abs(vertices).max()
    near = np.flatnonzero(shapely.distance(lines, at) <= margin).tolist()
    return [(a, b) for k, a in enumerate(near) for b in near[k + 1 :]]


def _candidates(points: list[Point]) -> list[tuple[int, int]]:
    """Pairs of edges whose boxes meet, found by a spatial index."""
    import numpy as np
    import shapely

    vertices = np.array([(float(x), float(y)) for x, y in points])
    lines = shapely.linestrings(np.stack([vertices, np.roll(vertices, -1, axis=0)], axis=1))
    # Rounding to doubles must not hide a meeting: boxes grow by a few units in the last place.
    margin = 4 * np.finfo(float).eps * np.abs(vertices).max(initial=0.0)
    low = np.minimum(vertices, np.roll(vertices, -1, axis=0)) - margin
    high = np.maximum(vertices, np.roll(vertices, -1, axis=0)) + margin
    boxes = shapely.box(low[:, 0], low[:, 1], high[:, 0], high[:, 1])
    tree = shapely.STRtree(boxes)
    first, second = tree.query(boxes, predicate=None)
    keep = first < second
    first, second = first[keep], second[keep]
    near = shapely.distance(lines[first], lines[second]) <= 2 * margin
    return [(int(a), int(b)) for a, b in zip(first[near], second[near], strict=True)]


def _meet(a: Point, b: Point, c: Point, d: Point) -> Point | None:
    """A common point of two edges, exactly; None when they are apart."""
    ux, uy = b[0] - a[0], b[1] - a[1]
    vx, vy = d[0] - c[0], d[1] - c[1]
    wx, wy = c[0] - a[0], c[1] - a[1]
    cross = ux * vy - uy * vx
    if cross == 0:
        if ux * wy - uy * wx != 0:
            return None
        return next((p for p in (a, b) if _within(p, c, d)), None) or next(
            (p for p in (c, d) if _within(p, a, b)), None
        )
    s = (wx * vy - wy * vx) / cross
    t = (wx * uy - wy * ux) / cross
    return (a[0] + s * ux, a[1] + s * uy) if 0 <= s <= 1 and 0 <= t <= 1 else None


def _within(p: Point, a: Point, b: Point) -> bool:
    """Whether a point on the line through a and b lies between them."""
    return min(a[0], b[0]) <= p[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= p[1] <= max(a[1], b[1])


def _without_repeats(points: list[Point]) -> list[Point]:
    kept = [p for i, p in enumerate(points) if i == 0 or p != points[i - 1]]
    while len(kept) > 1 and kept[-1] == kept[0]:
        kept.pop()
    return kept


def _without_straight(points: list[Point]) -> list[Point]:
    count = len(points)
    if count < 3:
        return points
    return [
        points[i] for i in range(count) if not straight(points[i - 1], points[i], points[(i + 1) % count])
    ]


def straight(a: Point, b: Point, c: Point) -> bool:
    """Whether b lies on the segment from a to c."""
    cross = (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
    return cross == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) > 0
