"""Where two convex polyhedra touch, and with what normal; where no one normal is.

Faces and pairs of edges give the planes to try (separating axes). One plane alone is
the normal of every contact: vertices in faces, edges that cross. Where several
separate the two, as at a corner on an edge, there is no one normal; what else is there decides
(`detent.contact.touching.piece_contacts`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator

from detent.contact.touching.piece_contacts import Meeting, extreme
from detent.geometry.exact.polytope import CLOSE, Polytope, distinct_points, edges_of
from detent.geometry.vector import Vec, along, cross, dot, minus, negative, norm


def meetings(a: Polytope, b: Polytope, close: float) -> Iterator[Meeting]:
    """Where two convex polyhedra touch, if they do."""
    normals = extreme(_separating(a, b, close))
    if len(normals) == 1:
        points = tuple(distinct_points(_touches(a, b, close), close))
    elif normals:
        points = _ends(_shared_points(a, b, close), close)
    else:
        return
    if points:
        yield Meeting(points, normals, (a, b))


def overlap(a: Polytope, b: Polytope, close: float) -> bool:
    """Whether no plane lies between two convex polyhedra."""
    return all(gap < -close for _, _, gap in _gaps(a, b))


def _separating(a: Polytope, b: Polytope, close: float) -> list[Vec]:
    """Directions, each once, in which two convex polyhedra touch; empty where they are apart or overlap."""
    axes: list[tuple[Vec, Vec]] = []
    for normal, unit, gap in _gaps(a, b):
        if gap > close:
            return []
        if gap >= -close and not any(_along(unit, m) >= 1 - CLOSE for _, m in axes):
            axes.append((normal, unit))
    return [normal for normal, _ in axes]


def _gaps(a: Polytope, b: Polytope) -> Iterator[tuple[Vec, Vec, float]]:
    """Normals of faces, and of one edge of each, with their units; how far b is from a along them."""
    for n in _tried(a, b):
        size = norm(n)
        if size > 0:
            unit = tuple(float(x) / size for x in n)
            yield n, unit, min(_along(unit, p) for p in b.points) - max(_along(unit, p) for p in a.points)


def _tried(a: Polytope, b: Polytope) -> Iterator[Vec]:
    yield from (n for n, _ in a.planes)
    yield from (negative(n) for n, _ in b.planes)
    u, v = ([minus(q, p) for p, q in _solid_edges(each)] for each in (a, b))
    for across in (cross(x, y) for x, y in itertools.product(_distinct_lines(u), _distinct_lines(v))):
        yield from (across, negative(across))


def _touches(a: Polytope, b: Polytope, close: float) -> Iterator[Vec]:
    """Corners of what the two share of one plane."""
    yield from _vertex_face(a, b, close)
    yield from _vertex_face(b, a, close)
    yield from _edge_edge(a, b, close)


def _shared_points(a: Polytope, b: Polytope, close: float) -> list[Vec]:
    """Corners of one that lie in the other, and crossings of edges."""
    points = [p for one, other in ((a, b), (b, a)) for p in one.points if _holds(other, p, close)]
    if points:
        return points
    for (p, q), (r, s) in itertools.product(_solid_edges(a), _solid_edges(b)):
        u, v, w = minus(q, p), minus(s, r), minus(r, p)
        normal = cross(u, v)
        squared = float(dot(normal, normal))
        if squared <= (CLOSE * norm(u) * norm(v)) ** 2:
            continue
        share = float(dot(cross(w, v), normal)) / squared
        point = tuple(float(x) + share * float(d) for x, d in zip(p, u, strict=True))
        if _holds(a, point, close) and _holds(b, point, close):
            points.append(point)
    return points


def _holds(a: Polytope, point: Vec, close: float) -> bool:
    return bool((a.outside(point) <= close).all())


def _ends(points: list[Vec], close: float) -> tuple[Vec, ...]:
    """Of points on a line the two that are farthest apart; of one point that."""
    distinct = distinct_points(points, close)
    if len(distinct) < 2:
        return tuple(distinct)
    return max(itertools.combinations(distinct, 2), key=lambda pair: norm(minus(*pair)))


def _distinct_lines(vectors: list[Vec]) -> list[Vec]:
    """One of each direction, whichever way it points."""
    kept: list[Vec] = []
    for v in vectors:
        if not any(norm(cross(v, k)) <= CLOSE * norm(v) * norm(k) for k in kept):
            kept.append(v)
    return kept


def _along(unit: Vec, point: Vec) -> float:
    return math.fsum(x * float(y) for x, y in zip(unit, point, strict=True))


def _vertex_face(a: Polytope, b: Polytope, close: float) -> Iterator[Vec]:
    """Vertices of b in faces of a, with b on the outer side."""
    for face in a.faces:
        corners = [a.points[k] for k in face]
        normal = cross(minus(corners[1], corners[0]), minus(corners[2], corners[1]))
        limit = close * norm(normal)
        heights = [float(dot(normal, minus(p, corners[0]))) for p in b.points]
        if min(heights) < -limit:
            continue
        for point, height in zip(b.points, heights, strict=True):
            if height <= limit and all(
                float(dot(cross(normal, minus(q, p)), minus(point, p))) >= -limit * norm(minus(q, p))
                for p, q in edges_of(corners)
            ):
                yield point


def _edge_edge(a: Polytope, b: Polytope, close: float) -> Iterator[Vec]:
    """Edges that cross inside both, with a on one side and b on the other."""
    for (p, q), (r, s) in itertools.product(_solid_edges(a), _solid_edges(b)):
        u, v, w = minus(q, p), minus(s, r), minus(r, p)
        normal = cross(u, v)
        squared = dot(normal, normal)
        if float(squared) <= (CLOSE * norm(u) * norm(v)) ** 2:
            continue
        limit = close * norm(normal)
        if abs(float(dot(normal, w))) > limit:
            continue
        on_a, on_b = dot(cross(w, v), normal) / squared, dot(cross(w, u), normal) / squared
        if not (CLOSE < float(on_a) < 1 - CLOSE and CLOSE < float(on_b) < 1 - CLOSE):
            continue
        for n in (normal, negative(normal)):
            below = all(float(dot(n, minus(x, p))) <= limit for x in a.points)
            if below and all(float(dot(n, minus(x, p))) >= -limit for x in b.points):
                yield along(p, u, on_a)


def _solid_edges(a: Polytope) -> list[tuple[Vec, Vec]]:
    pairs = {
        (min(i, j), max(i, j)) for face in a.faces for i, j in zip(face, (*face[1:], face[0]), strict=True)
    }
    return [(a.points[i], a.points[j]) for i, j in sorted(pairs)]
