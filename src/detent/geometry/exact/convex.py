"""Convex pieces of intersections, differences and outlines that are not convex, exactly.

In the plane polygons are cut by lines. In space every three planes of faces have a point, and those
that lie beyond no plane are the corners. What is left of a piece without another falls into one piece
a face of that: beyond this face, and not beyond those before.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from detent.geometry.exact.polytope import CLOSE, Polytope, distinct_points, edges_of
from detent.geometry.outline import cleaned
from detent.geometry.vector import Vec, along, bend, cross, dot, minus, negative, norm

Plane = tuple[Vec, Vec]  # outer normal, a point
Floats = NDArray[np.float64]

# What doubles may be off by where three planes meet: of the numbers in it, over the volume of their normals.
_ROUNDING = 1e-13


def common(pieces: Sequence[Polytope]) -> Polytope | None:
    """What convex polygons, or convex polyhedra, have in common."""
    if any(_beside(one, other) for one, other in itertools.permutations(pieces, 2)):
        return None
    if pieces[0].faces:
        return _solid([plane for piece in pieces for plane in piece.planes])
    first, *others = pieces
    return _polygon(reduce(_cut_all, (list(edges_of(other.points)) for other in others), first.points))


def without(piece: Polytope, other: Polytope) -> Iterator[Polytope]:
    """Convex pieces of what is left of one without another; they touch, and do not overlap."""
    parts: Iterator[Polytope | None]
    if common([piece, other]) is None:
        yield piece  # whole, where the other does not reach it
        return
    if piece.faces:
        parts = (
            _solid([*piece.planes, (negative(normal), corner), *other.planes[:k]])
            for k, (normal, corner) in enumerate(other.planes)
        )
    else:
        sides = list(edges_of(other.points))
        parts = (
            _polygon(_cut_all(piece.points, [(end, start), *sides[:k]]))
            for k, (start, end) in enumerate(sides)
        )
    yield from (each for each in parts if each is not None)


def _beside(piece: Polytope, other: Polytope) -> bool:
    """Whether a polyhedron lies beyond one face of another, in doubles: the usual case, and a quick one."""
    if not piece.faces:
        return False
    units, reach = other.bounds
    heights = units @ np.array([[float(x) for x in p] for p in piece.points]).T - reach[:, None]
    return bool((heights.min(axis=1) >= -CLOSE * np.abs(reach).max()).any())


def convex_parts(outline: Sequence[Vec]) -> list[tuple[Vec, ...]]:
    """Convex polygons that make up a simple one, counter-clockwise; they share whole diagonals of it.

    Triangles, put together again across every diagonal that leaves no bend inwards (Hertel & Mehlhorn
    1983: at most four times as many as need be).
    """
    rings = [list(three) for three in _ears(outline)]
    owner = {side: ring for ring in rings for side in itertools.pairwise([*ring, ring[0]])}
    for i, j in list(owner):
        one, other = owner.get((i, j)), owner.get((j, i))
        if one is None or other is None:
            continue  # a side of the outline, or a diagonal that is gone
        # From j round the one to i, then round the other back to j.
        begin, end = one.index(j), other.index(i)
        first, second = one[begin:] + one[:begin], other[end:] + other[:end]
        ends = (first[-2], i, second[1]), (second[-2], j, first[1])
        if any(bend(*(outline[k] for k in three)) < 0 for three in ends):
            continue
        whole = first + second[1:-1]
        del owner[i, j], owner[j, i]
        owner.update(dict.fromkeys(itertools.pairwise([*whole, whole[0]]), whole))
        rings = [ring for ring in rings if ring is not one and ring is not other] + [whole]
    return [cleaned([outline[k] for k in ring]) for ring in rings]


def _ears(outline: Sequence[Vec]) -> Iterator[tuple[int, int, int]]:
    """Triangles of vertices, by number: one ear cut off after the other."""
    ring = list(range(len(outline)))
    while len(ring) > 2:
        k = next(k for k in range(len(ring)) if _is_ear(outline, ring, k))
        three = ring[k - 1], ring[k], ring[(k + 1) % len(ring)]
        if bend(*(outline[i] for i in three)) > 0:
            yield three
        del ring[k]


def _is_ear(outline: Sequence[Vec], ring: list[int], k: int) -> bool:
    a, b, c = outline[ring[k - 1]], outline[ring[k]], outline[ring[(k + 1) % len(ring)]]
    area = bend(a, b, c)
    if area <= 0:
        return bool(area == 0)  # straight on: nothing to cut off
    (left, right), (low, high) = ((min(xs), max(xs)) for xs in zip(a, b, c, strict=True))
    near = (
        p
        for p in (outline[i] for i in ring)
        if left <= p[0] <= right and low <= p[1] <= high and p not in (a, b, c)
    )
    return not any(all(bend(s, e, p) >= 0 for s, e in ((a, b), (b, c), (c, a))) for p in near)


def _polygon(points: Sequence[Vec]) -> Polytope | None:
    ring = cleaned(points) if len(set(points)) > 2 else ()
    return Polytope(tuple(ring)) if len(ring) > 2 else None


def _cut_all(points: Sequence[Vec], sides: Sequence[tuple[Vec, Vec]]) -> tuple[Vec, ...]:
    ring = tuple(points)
    for start, end in sides:
        ring = tuple(_cut(ring, start, end))
    return ring


def _cut(points: Sequence[Vec], start: Vec, end: Vec) -> Iterator[Vec]:
    """What of a convex polygon lies on the left of a line."""
    u = minus(end, start)
    heights = [u[0] * (p[1] - start[1]) - u[1] * (p[0] - start[0]) for p in points]
    for k, (p, h) in enumerate(zip(points, heights, strict=True)):
        q, g = points[k - 1], heights[k - 1]
        if (h > 0 > g) or (g > 0 > h):
            yield along(q, minus(p, q), g / (g - h))
        if h >= 0:
            yield p


def _solid(planes: Sequence[Plane]) -> Polytope | None:
    """The polyhedron below all planes; None where it has no inside."""
    size = max(abs(float(x)) for _, corner in planes for x in corner)
    close = CLOSE * size
    units = np.array([[float(x) / norm(n) for x in n] for n, _ in planes])
    reach = np.array([float(dot(n, p)) / norm(n) for n, p in planes])
    met = (_shared(*(planes[k] for k in three)) for three in _threes(units, reach, close))
    below = (p for p in met if p is not None and (units @ [float(x) for x in p] <= reach + close).all())
    points = distinct_points(below, close)
    at = np.array([[float(x) for x in p] for p in points]).reshape(-1, 3)
    if len(points) < 4 or np.linalg.svd(at - at.mean(axis=0))[1][2] <= close:
        return None
    faces: dict[frozenset[int], tuple[int, ...]] = {}
    for (normal, _), unit, most in zip(planes, units, reach, strict=True):
        around = _around(normal, np.flatnonzero(at @ unit >= most - close).tolist(), points)
        if len(around) > 2:
            faces.setdefault(frozenset(around), around)
    return _of_faces(points, list(faces.values()))


def _threes(units: Floats, reach: Floats, close: float) -> Iterator[tuple[int, ...]]:
    """Any three planes whose point may lie beyond no plane, as doubles see it: the exact point decides."""
    for first in range(len(units) - 2):
        second, third = (first + 1 + k for k in np.triu_indices(len(units) - first - 1, 1))
        rows = np.stack(np.broadcast_arrays(units[first], units[second], units[third]), axis=1)
        volume = np.abs(np.linalg.det(rows))
        clear = volume > CLOSE / 2
        threes = np.column_stack([np.full(len(second), first), second, third])[clear]
        points = np.linalg.solve(rows[clear], reach[threes][:, :, None])[:, :, 0]
        rounding = _ROUNDING * (np.abs(points).max(axis=1) + np.abs(reach).max()) / volume[clear]
        inside = (points @ units.T <= reach + (close + rounding)[:, None]).all(axis=1)
        yield from map(tuple, threes[inside].tolist())


def _shared(one: Plane, two: Plane, three: Plane) -> Vec | None:
    """The point of three planes; None where they have a direction in common."""
    (a, p), (b, q), (c, r) = one, two, three
    volume = dot(a, cross(b, c))
    if abs(float(volume)) <= CLOSE * norm(a) * norm(b) * norm(c):
        return None
    terms = [(dot(a, p), cross(b, c)), (dot(b, q), cross(c, a)), (dot(c, r), cross(a, b))]
    return tuple(sum(reach * across[k] for reach, across in terms) / volume for k in range(3))


def _around(normal: Vec, near: list[int], points: list[Vec]) -> tuple[int, ...]:
    """The corners of a face, counter-clockwise about its normal; points on a side between two are not."""
    if len(near) < 3:
        return ()
    at = np.array([[float(x) for x in points[k]] for k in near])
    out = np.array([float(x) for x in normal])
    away = at - at.mean(axis=0)
    first = away[np.linalg.norm(away, axis=1).argmax()]
    angles = np.arctan2(away @ np.cross(out, first) / np.linalg.norm(out), away @ first)
    order = [near[k] for k in angles.argsort()]
    return tuple(
        k
        for before, k, after in zip([order[-1], *order[:-1]], order, [*order[1:], order[0]], strict=True)
        if not _straight(points[before], points[k], points[after])
    )


def _straight(a: Vec, b: Vec, c: Vec) -> bool:
    u, v = minus(b, a), minus(c, b)
    return norm(cross(u, v)) <= CLOSE * norm(u) * norm(v)


def _of_faces(points: list[Vec], faces: list[tuple[int, ...]]) -> Polytope:
    used = sorted({k for face in faces for k in face})
    number = {k: i for i, k in enumerate(used)}
    return Polytope(tuple(points[k] for k in used), tuple(tuple(number[k] for k in face) for face in faces))
