"""The walk over flats in integers: the same answer as in floats, with nothing in doubt.

Generators are integer vectors of products with all rows, kept primitive. A ray also knows on which
normals it vanishes, a set of bits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from detent.numeric.arrangement.complex import Vectors
from detent.numeric.arrangement.faces import Flats, Walk, knot_exactly
from detent.numeric.arrangement.integers import primitive


class _Cone(NamedTuple):
    rays: list[tuple[Vectors, int]]
    lines: list[Vectors]


def walk_integers(normal: Vectors, planes: Vectors) -> Walk:
    """A walk over integer rows, no two planes parallel and none zero."""

    def walk(numbers: Sequence[int], inside: bool) -> Flats:
        rows = planes[list(numbers)]
        return _walk(normal if inside else normal[:0], rows)

    return walk


def _walk(normal: Vectors, planes: Vectors) -> Flats:
    n, m = len(normal), len(planes)
    rows = np.concatenate([normal, planes])
    cone = _Cone([], [primitive(line) for line in rows.T if line.any()])
    for k in range(n):
        cone = _half(cone, k)
    simple = [0] * (m + 1)
    knots: dict[int, list[int]] = {}

    def visit(cone: _Cone, through: int, codimension: int, start: int) -> None:
        for t in range(start, m):
            if through >> t & 1:
                continue
            below = _cut(cone, n + t)
            if below is None:
                continue
            inside = _held(below, n, m) if below.rays or below.lines else (1 << m) - 1
            if inside & ~through & ((1 << t) - 1):
                continue  # this flat has an earlier basis, and is met there
            if inside.bit_count() == codimension + 1:
                simple[codimension + 1] += 1
            else:
                _add(knots, planes, inside, codimension + 1)
            visit(below, inside, codimension + 1, t + 1)

    simple[0] = 1
    visit(cone, 0, 0, 0)
    return Flats(simple, [(knot, *sums) for knot, sums in knots.items()])  # type: ignore[misc]


def _held(cone: _Cone, n: int, m: int) -> int:
    """The planes in which all of the cone lies."""
    seen = np.zeros(n + m, bool)
    for vector in (*(ray for ray, _ in cone.rays), *cone.lines):
        seen |= vector != 0
    return sum(1 << s for s in range(m) if not seen[n + s])


def _add(knots: dict[int, list[int]], planes: Vectors, inside: int, codimension: int) -> None:
    knot, rank = knot_exactly(planes, inside)
    sums = knots.setdefault(knot, [rank, 0, 0])
    sums[1] += 2 ** (codimension - rank)
    sums[2] += (-2) ** (codimension - rank)


def _half(cone: _Cone, column: int) -> _Cone:
    """The side of a plane where its row is not negative."""
    bit = 1 << column
    pivot = next((line for line in cone.lines if line[column]), None)
    if pivot is not None:
        inside = _slid(cone, pivot, column)
        ray = pivot if pivot[column] > 0 else -pivot
        return _Cone([(v, zero | bit) for v, zero in inside.rays] + [(ray, bit - 1)], inside.lines)
    kept = [(v, zero | bit if v[column] == 0 else zero) for v, zero in cone.rays if v[column] >= 0]
    return _Cone(kept + [(v, zero | bit) for v, zero in _between(cone, column)], cone.lines)


def _cut(cone: _Cone, column: int) -> _Cone | None:
    """What lies in a plane; None where it does not cross the inside."""
    pivot = next((line for line in cone.lines if line[column]), None)
    if pivot is not None:
        return _slid(cone, pivot, column)
    signs = {1 if v[column] > 0 else -1 for v, _ in cone.rays if v[column]}
    if len(signs) < 2:
        return None
    kept = [(v, zero) for v, zero in cone.rays if v[column] == 0]
    return _Cone(kept + _between(cone, column), cone.lines)


def _slid(cone: _Cone, pivot: Vectors, column: int) -> _Cone:
    """All generators moved along a line into the plane."""
    positive_pivot = pivot if pivot[column] > 0 else -pivot

    def slide(v: Vectors) -> Vectors:
        return primitive(positive_pivot[column] * v - v[column] * positive_pivot) if v[column] else v

    lines = [slide(line) for line in cone.lines if line is not pivot]
    return _Cone([(slide(v), zero) for v, zero in cone.rays], lines)


def _between(cone: _Cone, column: int) -> list[tuple[Vectors, int]]:
    """The rays in which a plane meets the faces between neighbouring rays on its two sides."""
    rows = []
    above = [(i, *ray) for i, ray in enumerate(cone.rays) if ray[0][column] > 0]
    below = [(i, *ray) for i, ray in enumerate(cone.rays) if ray[0][column] < 0]
    for i, v, zero in above:
        for k, w, other in below:
            shared = zero & other
            if not any(
                e not in (i, k) and third & shared == shared for e, (_, third) in enumerate(cone.rays)
            ):
                rows.append((primitive(v[column] * w - w[column] * v), shared))
    return rows
