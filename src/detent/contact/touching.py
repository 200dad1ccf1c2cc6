"""Contacts of a document whose parts touch as drawn: polygons, discs, convex polyhedra.

A vertex on an edge or in a notch, an edge on an edge, a vertex in a face and crossing edges are
decided on the document's rationals; rounding is allowed for only where a turn or a disc
brings it in. Where only corners meet (in space also a corner and an edge, or edges side by side)
many planes separate the parts, so there is no one normal and no one mode: that is refused
by name. Anything else (holes, cones) is given as `[[contacts]]`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from detent.foundation.errors import UnsupportedError
from detent.geometry import solid as solids
from detent.geometry.frame import Frame, exact3
from detent.model.mechanism import Mechanism
from detent.model.poses import world_poses
from detent.model.solids import part_solid

Vec = tuple[Any, ...]
Found = tuple[str, str, Vec, Vec]  # first part, second part, point, normal from first to second

# Of the drawing's size: what rounding of a turn or of a disc may leave between parts that touch.
CLOSE = 1e-9


@dataclass(frozen=True)
class Polytope:
    """A polygon (its vertices counter-clockwise) or a convex polyhedron (faces outward)."""

    points: tuple[Vec, ...]
    faces: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True)
class Round:
    """A disc."""

    centre: Vec
    radius: Any


def touching_parts(mechanism: Mechanism) -> list[Found]:
    """Every contact between the shapes as drawn, pairs in document order."""
    poses = world_poses(mechanism)
    pieces = {
        name: list(_pieces(mechanism, name, poses[name]))
        for name, part in mechanism.parts.items()
        if part.shape is not None
    }
    size = max(
        (abs(float(x)) for own in pieces.values() for piece in own for p in _points(piece) for x in p),
        default=1.0,
    )
    ignored = set(mechanism.touching.ignore) if mechanism.touching is not None else set()
    found: list[Found] = []
    for first, second in itertools.combinations(pieces, 2):
        if mechanism.parts[first].fixed and mechanism.parts[second].fixed:
            continue
        if {f"{first}:{second}", f"{second}:{first}"} & ignored:
            continue
        corners: list[Vec] = []
        own: list[tuple[Vec, Vec]] = []
        for a, b in itertools.product(pieces[first], pieces[second]):
            own += _distinct(_touches(a, b, CLOSE * size), CLOSE * size)
            corners += _corners_alone(a, b, CLOSE * size)
        for point in corners:
            if not any(_size(_minus(point, p)) <= CLOSE * size for p, _ in own):
                raise _no_normal(first, second, point)
        found += [(first, second, point, normal) for point, normal in own]
    return found


def _no_normal(first: str, second: str, point: Vec) -> UnsupportedError:
    where = ", ".join(f"{float(x):.6g}" for x in point)
    return UnsupportedError(
        f"{first} and {second} meet corner on corner at ({where}), where no one normal separates them",
        f'give all contacts as [[contacts]], or leave the pair out: touching.ignore = ["{first}:{second}"]',
        f"parts.{second}",
    )


def _pieces(mechanism: Mechanism, name: str, pose: Frame) -> Iterator[Polytope | Round]:
    whole = part_solid(mechanism, name)
    assert whole is not None
    yield from _of(whole, pose, mechanism.dimension, f"parts.{name}.shape")


def _of(solid: solids.Solid, pose: Frame, dimension: int, at: str) -> Iterator[Polytope | Round]:
    if isinstance(solid, solids.Combination):
        if solid.operation != "union":
            raise _unsupported(f"a {solid.operation}", at)
        for child in solid.children:
            yield from _of(child, pose, dimension, at)
        return
    shape, frame = solid.primitive, pose @ solid.frame
    if solid.breaks:
        raise _unsupported("a broken edge", at)
    if dimension == 2 and isinstance(shape, solids.Outline):
        points = _without_flat([frame.apply(exact3(p))[:2] for p in shape.points])
        yield Polytope(tuple(points if _area(points) > 0 else points[::-1]))
    elif dimension == 2 and isinstance(shape, solids.Disc):
        yield Round(frame.origin[:2], shape.radius)
    elif isinstance(shape, solids.Block):
        x, y, z = shape.sides
        yield _prism([(0, 0), (x, 0), (x, y), (0, y)], z, frame)
    elif isinstance(shape, solids.Prism):
        outline = shape.points if _area(shape.points) > 0 else shape.points[::-1]
        if not _convex(outline):
            raise _unsupported("a prism that is not convex", at)
        yield _prism(outline, shape.height, frame)
    else:
        raise _unsupported(f"a {type(shape).__name__.lower()}", at)


def _unsupported(what: str, at: str) -> UnsupportedError:
    return UnsupportedError(
        f"contacts of {what} are not found from its shape", "give them as [[contacts]]", at
    )


def _prism(outline: Any, height: Any, frame: Frame) -> Polytope:
    n = len(outline)
    points = [frame.apply((x, y, z * 1)) for z in (0 * height, height) for x, y in outline]
    sides = [(k, (k + 1) % n, n + (k + 1) % n, n + k) for k in range(n)]
    faces = [tuple(range(n))[::-1], tuple(range(n, 2 * n)), *sides]
    return Polytope(tuple(points), tuple(f[::-1] for f in faces) if frame.mirrored else tuple(faces))


def _touches(a: Polytope | Round, b: Polytope | Round, close: float) -> Iterator[tuple[Vec, Vec]]:
    """Points and normals from a to b."""
    if isinstance(a, Round) or isinstance(b, Round):
        yield from _round(a, b, close)
    elif a.faces:
        if len(_separating(a, b, close)) != 1:
            return
        yield from _vertex_face(a, b, close)
        yield from ((p, _negative(n)) for p, n in _vertex_face(b, a, close))
        yield from _edge_edge(a, b, close)
    else:
        yield from _vertex_edge(a, b, close)
        yield from ((p, _negative(n)) for p, n in _vertex_edge(b, a, close))


def _corners_alone(a: Polytope | Round, b: Polytope | Round, close: float) -> list[Vec]:
    """Points where the two touch without one normal."""
    if isinstance(a, Round) or isinstance(b, Round):
        return []
    if a.faces:
        return _shared_points(a, b, close) if len(_separating(a, b, close)) > 1 else []
    return [
        at
        for (_, at, _), own in zip(_corners(a.points), _outer_normals(a), strict=True)
        for (_, other, _), their in zip(_corners(b.points), _outer_normals(b), strict=True)
        if _size(_minus(at, other)) <= close and own.convex and their.convex
        if _clear(own, their.arms) or _clear(their, own.arms)
    ]


@dataclass(frozen=True)
class _Corner:
    """The outer normals of the two edges at a corner, and the edges away from it."""

    normals: tuple[Vec, Vec]
    arms: tuple[Vec, Vec]
    convex: bool


def _outer_normals(a: Polytope) -> list[_Corner]:
    made = []
    for before, at, after in _corners(a.points):
        u, v = _minus(at, before), _minus(after, at)
        normals = ((u[1], -u[0]), (v[1], -v[0]))
        made.append(_Corner(normals, (_negative(u), v), float(u[0] * v[1] - u[1] * v[0]) > 0))
    return made


def _clear(corner: _Corner, arms: tuple[Vec, Vec]) -> bool:
    """Whether one edge at the corner has the other's edges on its outer side."""
    return any(
        all(float(_dot(n, arm)) >= -CLOSE * _size(n) * _size(arm) for arm in arms) for n in corner.normals
    )


def _separating(a: Polytope, b: Polytope, close: float) -> list[Vec]:
    """Directions, each once, in which two convex polyhedra touch; empty where they are apart or overlap.

    The planes to try are those of faces, and of one edge of each (separating axes).
    """
    u = [_minus(q, p) for p, q in _solid_edges(a)]
    v = [_minus(q, p) for p, q in _solid_edges(b)]
    tried = [*_face_normals(a), *(_negative(n) for n in _face_normals(b))]
    for across in (_cross(x, y) for x, y in itertools.product(_distinct_lines(u), _distinct_lines(v))):
        tried += [across, _negative(across)]
    found: list[Vec] = []
    for n in tried:
        size = _size(n)
        if size == 0:
            continue
        unit = tuple(float(x) / size for x in n)
        gap = min(_along(unit, p) for p in b.points) - max(_along(unit, p) for p in a.points)
        if gap > close:
            return []
        if gap >= -close and not any(_along(unit, m) >= 1 - CLOSE for m in found):
            found.append(unit)
    return found


def _shared_points(a: Polytope, b: Polytope, close: float) -> list[Vec]:
    """Corners of one that lie in the other, and crossings of edges."""
    made = [p for own, other in ((a, b), (b, a)) for p in own.points if _holds(other, p, close)]
    if made:
        return made
    for (p, q), (r, s) in itertools.product(_solid_edges(a), _solid_edges(b)):
        u, v, w = _minus(q, p), _minus(s, r), _minus(r, p)
        normal = _cross(u, v)
        squared = float(_dot(normal, normal))
        if squared <= (CLOSE * _size(u) * _size(v)) ** 2:
            continue
        share = float(_dot(_cross(w, v), normal)) / squared
        point = tuple(float(x) + share * float(d) for x, d in zip(p, u, strict=True))
        if _holds(a, point, close) and _holds(b, point, close):
            made.append(point)
    return made


def _holds(a: Polytope, point: Vec, close: float) -> bool:
    return all(
        float(_dot(n, _minus(point, a.points[face[0]]))) <= close * _size(n)
        for n, face in zip(_face_normals(a), a.faces, strict=True)
    )


def _face_normals(a: Polytope) -> list[Vec]:
    corners = ([a.points[k] for k in face[:3]] for face in a.faces)
    return [_cross(_minus(q, p), _minus(r, q)) for p, q, r in corners]


def _distinct_lines(vectors: list[Vec]) -> list[Vec]:
    """One of each direction, whichever way it points."""
    kept: list[Vec] = []
    for v in vectors:
        if not any(_size(_cross(v, k)) <= CLOSE * _size(v) * _size(k) for k in kept):
            kept.append(v)
    return kept


def _along(unit: Vec, point: Vec) -> float:
    return math.fsum(x * float(y) for x, y in zip(unit, point, strict=True))


def _without_flat(points: list[Vec]) -> list[Vec]:
    """The corners alone: a point in the middle of a straight edge is none."""
    kept = [
        at
        for before, at, after in _corners(points)
        if (at[0] - before[0]) * (after[1] - at[1]) != (at[1] - before[1]) * (after[0] - at[0])
    ]
    return kept if len(kept) > 2 else points


def _vertex_edge(a: Polytope, b: Polytope, close: float) -> Iterator[tuple[Vec, Vec]]:
    """Vertices of b on edges of a, with b on the outer side there; at an end, if along it or in a notch."""
    notched = [not corner.convex for corner in _outer_normals(a)]
    ends = list(zip(_edges(a.points), notched, (*notched[1:], notched[0]), strict=True))
    for ((start, end), first, last), (before, at, after) in itertools.product(ends, _corners(b.points)):
        u = _minus(end, start)
        normal = (u[1], -u[0])
        length = _size(normal)
        if abs(float(_dot(normal, _minus(at, start)))) > close * length:
            continue
        share = float(_dot(u, _minus(at, start))) / length**2
        if not -close / length <= share <= 1 + close / length:
            continue
        arms = [_minus(other, at) for other in (before, after)]
        if any(float(_dot(normal, arm)) < -close * length for arm in arms):
            continue
        inward = 1 if share <= close / length else -1 if share >= 1 - close / length else 0
        flush = any(
            abs(float(_dot(normal, arm))) <= close * length and inward * float(_dot(u, arm)) > 0
            for arm in arms
        )
        if inward == 0 or flush or (first if inward == 1 else last):
            yield at, normal


def _vertex_face(a: Polytope, b: Polytope, close: float) -> Iterator[tuple[Vec, Vec]]:
    """Vertices of b in faces of a, with b on the outer side."""
    for face in a.faces:
        corners = [a.points[k] for k in face]
        normal = _cross(_minus(corners[1], corners[0]), _minus(corners[2], corners[1]))
        limit = close * _size(normal)
        heights = [float(_dot(normal, _minus(p, corners[0]))) for p in b.points]
        if min(heights) < -limit:
            continue
        for point, height in zip(b.points, heights, strict=True):
            if height <= limit and all(
                float(_dot(_cross(normal, _minus(q, p)), _minus(point, p))) >= -limit * _size(_minus(q, p))
                for p, q in _edges(corners)
            ):
                yield point, normal


def _edge_edge(a: Polytope, b: Polytope, close: float) -> Iterator[tuple[Vec, Vec]]:
    """Edges that cross inside both, with a on one side and b on the other."""
    for (p, q), (r, s) in itertools.product(_solid_edges(a), _solid_edges(b)):
        u, v, w = _minus(q, p), _minus(s, r), _minus(r, p)
        normal = _cross(u, v)
        squared = _dot(normal, normal)
        if float(squared) <= (CLOSE * _size(u) * _size(v)) ** 2:
            continue
        limit = close * _size(normal)
        if abs(float(_dot(normal, w))) > limit:
            continue
        along, across = _dot(_cross(w, v), normal) / squared, _dot(_cross(w, u), normal) / squared
        if not (CLOSE < float(along) < 1 - CLOSE and CLOSE < float(across) < 1 - CLOSE):
            continue
        for n in (normal, _negative(normal)):
            below = all(float(_dot(n, _minus(x, p))) <= limit for x in a.points)
            if below and all(float(_dot(n, _minus(x, p))) >= -limit for x in b.points):
                yield tuple(x + along * d for x, d in zip(p, u, strict=True)), n


def _round(a: Polytope | Round, b: Polytope | Round, close: float) -> Iterator[tuple[Vec, Vec]]:
    if isinstance(a, Round) and isinstance(b, Round):
        apart = _minus(b.centre, a.centre)
        if abs(_size(apart) - float(a.radius + b.radius)) <= close:
            share = float(a.radius) / _size(apart)
            yield tuple(float(c) + share * float(d) for c, d in zip(a.centre, apart, strict=True)), apart
    elif isinstance(b, Round):
        yield from _disc_polygon(a, b, close)  # type: ignore[arg-type]
    else:
        yield from ((p, _negative(n)) for p, n in _disc_polygon(b, a, close))  # type: ignore[arg-type]


def _disc_polygon(a: Polytope, b: Round, close: float) -> Iterator[tuple[Vec, Vec]]:
    """A disc b on edges or vertices of a polygon a."""
    radius = float(b.radius)
    for start, end in _edges(a.points):
        u = _minus(end, start)
        length = _size(u)
        normal = (u[1], -u[0])
        away = _minus(b.centre, start)
        if abs(float(_dot(normal, away)) / length - radius) > close:
            continue
        share = float(_dot(u, away)) / length**2
        if 0 <= share <= 1:
            yield (
                tuple(float(c) - radius * float(n) / length for c, n in zip(b.centre, normal, strict=True)),
                normal,
            )
    for before, at, after in _corners(a.points):
        away = _minus(b.centre, at)
        outside = all(float(_dot(away, _minus(other, at))) < 0 for other in (before, after))
        if outside and abs(_size(away) - radius) <= close:
            yield at, away


def _distinct(found: Iterator[tuple[Vec, Vec]], close: float) -> list[tuple[Vec, Vec]]:
    """One of each point and direction."""
    kept: list[tuple[Vec, Vec]] = []
    for point, normal in found:
        same = (
            _size(_minus(point, p)) <= close
            and abs(float(_dot(normal, n)) / (_size(normal) * _size(n)) - 1) <= CLOSE
            for p, n in kept
        )
        if not any(same):
            kept.append((point, normal))
    return kept


def _points(piece: Polytope | Round) -> tuple[Vec, ...]:
    return piece.points if isinstance(piece, Polytope) else (piece.centre,)


def _edges(points: Any) -> Iterator[tuple[Vec, Vec]]:
    return zip(points, (*points[1:], points[0]), strict=True)


def _corners(points: Any) -> Iterator[tuple[Vec, Vec, Vec]]:
    return zip((points[-1], *points[:-1]), points, (*points[1:], points[0]), strict=True)


def _solid_edges(a: Polytope) -> list[tuple[Vec, Vec]]:
    pairs = {
        (min(i, j), max(i, j)) for face in a.faces for i, j in zip(face, (*face[1:], face[0]), strict=True)
    }
    return [(a.points[i], a.points[j]) for i, j in sorted(pairs)]


def _area(points: Any) -> Any:
    return sum(p[0] * q[1] - p[1] * q[0] for p, q in _edges(points))


def _convex(points: Any) -> bool:
    return all(
        (at[0] - before[0]) * (after[1] - at[1]) >= (at[1] - before[1]) * (after[0] - at[0])
        for before, at, after in _corners(points)
    )


def _minus(a: Vec, b: Vec) -> Vec:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _negative(a: Vec) -> Vec:
    return tuple(-x for x in a)


def _dot(a: Vec, b: Vec) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a: Vec, b: Vec) -> Vec:
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _size(a: Vec) -> float:
    return math.hypot(*(float(x) for x in a))
