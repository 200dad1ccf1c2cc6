"""Runs of short chords in an outline that stand for an arc, as drawings and imported solids write them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from detent.geometry.solid import Point, Points

_LONGEST = math.radians(15.5)  # of one chord: an outline of 24 sides is round, a hexagon is not
_LEAST = 4  # chords in a row
# Of the radius, and of how far a chord lies within its arc: how far corners may be off one circle, for
# drawings round their numbers.
_ON, _OFF = 1e-6, 0.05
_EXACT = 1e-12  # of the radius: corners that are not rounded


@dataclass(frozen=True)
class ChordRun:
    """Consecutive sides of an outline that are chords of one circle."""

    centre: Point
    radius: Fraction
    sides: frozenset[int]  # by the number of their first corner


def chord_runs(points: Points) -> list[ChordRun]:
    """The arcs that an outline draws by chords; each side belongs to one at most."""
    runs: list[ChordRun] = []
    used: set[int] = set()
    for first in range(len(points)):
        run = None if first in used else _run(points, first)
        if run is not None and not run.sides & used:
            runs.append(run)
            used |= run.sides
    return runs


def _run(points: Points, first: int) -> ChordRun | None:
    """The run that a side is in. Three corners say its circle; where they are rounded, all corners do."""
    count = len(points)
    circle = _circle(points[first], points[(first + 1) % count], points[(first + 2) % count])
    if circle is None or not _short(points, first, circle):
        return None
    sides = _extended(points, first, circle)
    while len(sides) >= _LEAST and _off(points, sides, circle) > _EXACT * circle[1]:
        circle, fewer = _fitted(points, sides), sides
        sides = _extended(points, first, circle)
        if len(sides) <= len(fewer):
            break
    if len(sides) < _LEAST:
        return None
    centre, radius = circle
    return ChordRun(centre, Fraction(radius), frozenset(sides))


def _corners(points: Points, sides: set[int]) -> list[tuple[float, float]]:
    ends = sides | {(k + 1) % len(points) for k in sides}
    return [(float(points[k][0]), float(points[k][1])) for k in sorted(ends)]


def _off(points: Points, sides: set[int], circle: tuple[Point, float]) -> float:
    """How far corners of a run lie off its circle."""
    (x, y), radius = circle
    return max(abs(math.dist(p, (float(x), float(y))) - radius) for p in _corners(points, sides))


def _fitted(points: Points, sides: set[int]) -> tuple[Point, float]:
    """The circle nearest to the corners of a run: least squares of x^2 + y^2 - 2 a x - 2 b y - c."""
    corners = np.array(_corners(points, sides))
    middle = corners.mean(axis=0)
    off = corners - middle
    a, b, c = np.linalg.lstsq(
        np.column_stack([2 * off, np.ones(len(off))]), (off**2).sum(axis=1), rcond=None
    )[0]
    return (Fraction(float(middle[0] + a)), Fraction(float(middle[1] + b))), math.sqrt(a * a + b * b + c)


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
    chord = math.dist((float(a[0]), float(a[1])), (float(b[0]), float(b[1])))
    if not 0 < chord <= 2 * radius * math.sin(_LONGEST / 2):
        return False
    allowed = max(_ON * radius, _OFF * chord**2 / (8 * radius))
    return all(
        abs(math.dist((float(p[0]), float(p[1])), (float(x), float(y))) - radius) <= allowed for p in (a, b)
    )


def _circle(a: Point, b: Point, c: Point) -> tuple[Point, float] | None:
    """Through three points, its centre exact; None where they lie on a line."""
    ux, uy, vx, vy = b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]
    area = 2 * (ux * vy - uy * vx)
    if area == 0:
        return None
    u, v = ux * ux + uy * uy, vx * vx + vy * vy
    x, y = (vy * u - uy * v) / area, (ux * v - vx * u) / area
    return (a[0] + x, a[1] + y), math.hypot(float(x), float(y))
