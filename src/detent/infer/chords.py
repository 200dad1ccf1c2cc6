"""Runs of short chords in an outline that stand for an arc, as drawings and imported solids write them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from detent.geometry.solid import Point, Points

_LONGEST = math.radians(15.5)  # of one chord: an outline of 24 sides is round, a hexagon is not
_LEAST = 4  # chords in a row
_ON = 1e-6  # of the radius: corners on one circle


@dataclass(frozen=True)
class ChordRun:
    """Consecutive sides of an outline that are chords of one circle."""

    centre: Point
    radius: Fraction
    sides: frozenset[int]  # by the number of their first corner


def chord_runs(points: Points) -> list[ChordRun]:
    """The arcs that an outline draws by chords; each side belongs to one at most."""
    count = len(points)
    runs: list[ChordRun] = []
    used: set[int] = set()
    for first in range(count):
        if first in used:
            continue
        circle = _circle(points[first], points[(first + 1) % count], points[(first + 2) % count])
        if circle is None or not _short(points, first, circle):
            continue
        sides = _extended(points, first, circle)
        if len(sides) >= _LEAST and not sides & used:
            centre, radius = circle
            runs.append(ChordRun(centre, Fraction(radius), frozenset(sides)))
            used |= sides
    return runs


def _extended(points: Points, first: int, circle: tuple[Point, float]) -> set[int]:
    """Sides before and after the first that are short chords of the circle."""
    count, sides = len(points), {first}
    for step in (1, -1):
        k = first + step
        while k % count not in sides and _short(points, k % count, circle):
            sides.add(k % count)
            k += step
    return sides


def _short(points: Points, k: int, circle: tuple[Point, float]) -> bool:
    (x, y), radius = circle
    a, b = points[k], points[(k + 1) % len(points)]
    for p in (a, b):
        if abs(math.dist((float(p[0]), float(p[1])), (float(x), float(y))) - radius) > _ON * radius:
            return False
    chord = math.dist((float(a[0]), float(a[1])), (float(b[0]), float(b[1])))
    return 0 < chord <= 2 * radius * math.sin(_LONGEST / 2)


def _circle(a: Point, b: Point, c: Point) -> tuple[Point, float] | None:
    """Through three points, its centre exact; None where they lie on a line."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
    area = 2 * (ux * vy - uy * vx)
    if area == 0:
        return None
    u, v = ux * ux + uy * uy, vx * vx + vy * vy
    x, y = (vy * u - uy * v) / area, (ux * v - vx * u) / area
    return (a[0] + x, a[1] + y), math.hypot(float(x), float(y))
