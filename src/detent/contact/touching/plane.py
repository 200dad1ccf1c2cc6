"""Where two pieces in the plane touch, and with what normal; where only their corners meet.

A vertex on an edge or in a notch, an edge on an edge, a disc on either. Of two convex
corners alone no one line separates the parts, so there is no one normal.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from detent.contact.touching.piece_contacts import Meeting, extreme
from detent.geometry.exact.polytope import CLOSE, Polytope, Round, Touch, corners_of, edges_of
from detent.geometry.vector import Vec, along, dot, length, minus, negative, norm


def meetings(a: Polytope | Round, b: Polytope | Round, close: float) -> Iterator[Meeting]:
    """Vertices, edges and discs that touch, and corners that meet."""
    yield from (Meeting((point,), (normal,)) for point, normal in _touches(a, b, close))
    if isinstance(a, Polytope) and isinstance(b, Polytope):
        yield from _corners_alone(a, b, close)


def _touches(a: Polytope | Round, b: Polytope | Round, close: float) -> Iterator[Touch]:
    """Points and normals from a to b."""
    if isinstance(a, Polytope) and isinstance(b, Polytope):
        yield from _vertex_edge(a, b, close)
        yield from ((p, negative(n)) for p, n in _vertex_edge(b, a, close))
    elif isinstance(a, Polytope) and isinstance(b, Round):
        yield from _disc_polygon(a, b, close)
    elif isinstance(a, Round) and isinstance(b, Polytope):
        yield from ((p, negative(n)) for p, n in _disc_polygon(b, a, close))
    elif isinstance(a, Round) and isinstance(b, Round):
        yield from _disc_disc(a, b, close)


def _corners_alone(a: Polytope, b: Polytope, close: float) -> Iterator[Meeting]:
    """Where two convex corners touch without one normal."""
    for (_, at, _), corner in zip(corners_of(a.points), _outer_corners(a), strict=True):
        for (_, other, _), their in zip(corners_of(b.points), _outer_corners(b), strict=True):
            if norm(minus(at, other)) <= close and corner.convex and their.convex:
                normals = extreme([*_clear(corner, their), *(negative(n) for n in _clear(their, corner))])
                if len(normals) > 1:
                    yield Meeting((at,), normals)


def _vertex_edge(a: Polytope, b: Polytope, close: float) -> Iterator[Touch]:
    """Vertices of b on edges of a, with b on the outer side there; at an end, if along it or in a notch."""
    notched = [not corner.convex for corner in _outer_corners(a)]
    ends = list(zip(edges_of(a.points), notched, (*notched[1:], notched[0]), strict=True))
    for ((start, end), first, last), (before, at, after) in itertools.product(ends, corners_of(b.points)):
        u = minus(end, start)
        normal = (u[1], -u[0])
        length = norm(normal)
        if abs(float(dot(normal, minus(at, start)))) > close * length:
            continue
        share = float(dot(u, minus(at, start))) / length**2
        if not -close / length <= share <= 1 + close / length:
            continue
        arms = [minus(other, at) for other in (before, after)]
        if any(float(dot(normal, arm)) < -close * length for arm in arms):
            continue
        inward = 1 if share <= close / length else -1 if share >= 1 - close / length else 0
        flush = any(
            abs(float(dot(normal, arm))) <= close * length and inward * float(dot(u, arm)) > 0 for arm in arms
        )
        if inward == 0 or flush or (first if inward == 1 else last):
            yield at, normal


@dataclass(frozen=True)
class _Corner:
    """The outer normals of the two edges at a corner, and the edges away from it."""

    normals: tuple[Vec, Vec]
    arms: tuple[Vec, Vec]
    convex: bool


def _outer_corners(a: Polytope) -> list[_Corner]:
    """The corners of a polygon as seen from outside."""
    corners = []
    for before, at, after in corners_of(a.points):
        u, v = minus(at, before), minus(after, at)
        normals = ((u[1], -u[0]), (v[1], -v[0]))
        corners.append(_Corner(normals, (negative(u), v), float(u[0] * v[1] - u[1] * v[0]) > 0))
    return corners


def _clear(corner: _Corner, other: _Corner) -> list[Vec]:
    """Normals of the edges at a corner that have the other's edges on their outer side."""
    return [
        n
        for n in corner.normals
        if all(float(dot(n, arm)) >= -CLOSE * norm(n) * norm(arm) for arm in other.arms)
    ]


def _disc_disc(a: Round, b: Round, close: float) -> Iterator[Touch]:
    apart = minus(b.centre, a.centre)
    if abs(norm(apart) - float(a.radius + b.radius)) <= close:
        yield along(a.centre, apart, a.radius / length(apart)), apart


def _disc_polygon(a: Polytope, b: Round, close: float) -> Iterator[Touch]:
    """A disc b on edges or vertices of a polygon a."""
    radius = float(b.radius)
    for start, end in edges_of(a.points):
        u = minus(end, start)
        size = norm(u)
        normal = (u[1], -u[0])
        away = minus(b.centre, start)
        if abs(float(dot(normal, away)) / size - radius) > close:
            continue
        share = float(dot(u, away)) / size**2
        if 0 <= share <= 1:
            yield along(b.centre, normal, -b.radius / length(normal)), normal
    for before, at, after in corners_of(a.points):
        away = minus(b.centre, at)
        outside = all(float(dot(away, minus(other, at))) < 0 for other in (before, after))
        if outside and abs(norm(away) - radius) <= close:
            yield at, away
