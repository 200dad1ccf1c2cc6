"""Round faces that touch along lines: a round pin between flat faces, the edges of a square one in a bore.

Lines on all sides of an axis hold it as a round hole does: the pin turns and slides, and cannot go across.
They are found in sections across the axis, so that each face bounds material. Lines on one side, or on two
opposite ones, as of a pin in a slot, hold no axis and make no match.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.geometry.feature import Boundary, boundary
from detent.infer.faces import RoundFace, looking_along
from detent.infer.matching.matches import RoundMatch
from detent.infer.matching.round_match import MEET, arcs_on, section_heights
from detent.infer.solids import PartSolid

_ALL_ROUND = math.pi - 1e-6  # between neighbouring lines: farther apart, one side is open
_PARALLEL = 1e-7
_EVEN = 1e-9
_ONE_ANGLE = 1e-12  # of lines that are one

Lines = dict[float, float]  # by the angle of a line about the axis: how far it is from touching


def line_matches(
    one: PartSolid, other: PartSolid, known: Iterable[RoundMatch], clearance: float, size: float
) -> list[RoundMatch]:
    """Pins of either part between flat faces of the other, and edges in its holes.

    `known` are round faces in round ones.
    """
    pins, holes = {id(m.pin) for m in known}, {id(m.hole) for m in known}
    matches: list[RoundMatch] = []
    for pin_part, hole_part, first_is_pin in ((one, other, True), (other, one, False)):
        for face in pin_part.rounds:
            if not face.is_gear and id(face) not in pins and _has_walls(face, hole_part, clearance, size):
                matches += _matched(face, pin_part, hole_part, True, first_is_pin, clearance, size)
        for face in hole_part.rounds:
            if not face.is_gear and id(face) not in holes and face.leaf.hollow:
                matches += _matched(face, pin_part, hole_part, False, first_is_pin, clearance, size)
    return matches


def _has_walls(face: RoundFace, part: PartSolid, clearance: float, size: float) -> bool:
    """Whether at least three flat faces of a part are as near to a pin as they must be."""
    point, direction = face.axis
    radius = float(face.radius)
    most = clearance * 2 * radius + MEET * size
    gaps = [
        float(plane.unit @ point) - plane.offset - radius
        for plane in part.planes
        if abs(plane.unit @ direction) <= _PARALLEL
    ]
    return sum(-MEET * size <= gap <= most for gap in gaps) >= 3


def _matched(
    face: RoundFace,
    pin_part: PartSolid,
    hole_part: PartSolid,
    face_is_pin: bool,
    first_is_pin: bool,
    clearance: float,
    size: float,
) -> Iterator[RoundMatch]:
    """The match of one round face, over all heights at which lines hold it."""
    point, direction = face.axis
    low, high = face.span(point, direction)
    radius = float(face.radius)
    reach = radius * (1 + clearance) + MEET * size
    view = looking_along(face.direction, face.point)
    box = np.array([-reach, -reach, low]), np.array([reach, reach, high])
    pin, hole = (part.within(view, *box) for part in (pin_part, hole_part))
    if pin is None or hole is None:
        return
    most, back = clearance * 2 * radius + MEET * size, view.inverse().matrix
    points: list[Any] = []
    normals: list[Any] = []
    spans: list[tuple[float, float]] = []
    plays, count = [0.0], 0
    for bottom, top in pairwise(section_heights(pin, hole, low, high, size)):
        if top - bottom <= MEET * size:
            continue
        try:
            inner, outer = (boundary(solid, (bottom + top) / 2) for solid in (pin, hole))
        except UnsupportedError:
            continue
        circle = (0.0, 0.0, radius)
        lines = dict((_walls if face_is_pin else _corners)(inner, outer, circle, most, size))
        play = _play(lines)
        if play is None or play > clearance * (2 * radius + (play if face_is_pin else 0.0)) + MEET * size:
            continue
        spans.append((bottom, top))
        plays.append(play)
        count = max(count, len(lines))
        for angle in lines:
            out = np.array([math.cos(angle), math.sin(angle), 0.0])
            for height in (bottom, top):
                points.append(radius * out + (0.0, 0.0, height))
                normals.append(out if first_is_pin else -out)
    if not spans:
        return
    half = Fraction(max(plays)) / 2 if max(plays) > MEET * size else Fraction(0)
    beside = replace(face, radius=face.radius + (half if face_is_pin else -half))
    first, second = (face, beside) if face_is_pin == first_is_pin else (beside, face)
    yield RoundMatch(
        first,
        second,
        first_is_pin,
        np.array(points) @ back[:, :3].T + back[:, 3],
        np.array(normals) @ back[:, :3].T,
        min(span[0] for span in spans),
        max(span[1] for span in spans),
        lines=f"{count} {'flat faces' if face_is_pin else 'edges'}",
    )


def _walls(
    pin: Boundary, hole: Boundary, circle: tuple[float, float, float], most: float, size: float
) -> Iterator[tuple[float, float]]:
    """Angles at which a pin's arcs face a straight side of a hole, and how far that is from them."""
    arcs = [arc for arc in arcs_on(pin, circle, size) if not arc.hollow]
    for edge in hole.edges:
        a, b = np.array(edge.a), np.array(edge.b)
        length = math.dist(edge.a, edge.b)
        along = (b - a) / length
        out = np.array([along[1], -along[0]])  # material is on the left
        foot, gap = float(-a @ along), float(-a @ out) - circle[2]
        angle = math.atan2(-out[1], -out[0])
        if 0.0 < foot < length and -MEET * size <= gap <= most and any(_has(arc, angle) for arc in arcs):
            yield _one(angle), max(gap, 0.0)


def _corners(
    pin: Boundary, hole: Boundary, circle: tuple[float, float, float], most: float, size: float
) -> Iterator[tuple[float, float]]:
    """Angles at which corners of a pin lie in a hole's arcs, and how far they are from them."""
    arcs = [arc for arc in arcs_on(hole, circle, size) if arc.hollow]
    for vertex in pin.vertices:
        gap = circle[2] - math.hypot(*vertex.at)
        angle = math.atan2(vertex.at[1], vertex.at[0])
        if vertex.convex and -MEET * size <= gap <= most and any(_has(arc, angle) for arc in arcs):
            yield _one(angle), max(gap, 0.0)


def _has(arc: Any, angle: float) -> bool:
    return bool((angle - arc.start) % math.tau <= arc.sweep + _EVEN)


def _one(angle: float) -> float:
    """The same angle however it was computed."""
    return round(angle / _ONE_ANGLE) * _ONE_ANGLE


def _play(lines: Lines) -> float | None:
    """How far the axis can go across, at most; None where one side is open."""
    angles = sorted(lines)
    if len(angles) < 3:
        return None
    between = [b - a for a, b in pairwise([*angles, angles[0] + math.tau])]
    if max(between) > _ALL_ROUND:
        return None
    ways = np.array([[math.cos(angle), math.sin(angle)] for angle in angles])
    gaps = np.array([lines[angle] for angle in angles])
    corners = []
    for i, j in combinations(range(len(angles)), 2):
        pair = ways[[i, j]]
        if abs(np.linalg.det(pair)) > _EVEN:
            corner = np.linalg.solve(pair, gaps[[i, j]])
            if (ways @ corner <= gaps + _EVEN * (1.0 + gaps.max())).all():
                corners.append(corner)
    farthest = (-np.array(corners) @ ways.T).max(axis=0)
    return float((gaps + farthest).max())
