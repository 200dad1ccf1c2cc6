"""Round faces on each other: a pin in a hole, from sections across their common axis.

Gelsey 1995, Algorithm 3, with its condition 2 made geometric: not "solid" and "hollow" primitives are asked
for, but arcs of the sections of the whole parts, one with the material inside, one with it outside.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.geometry.feature import Arc, Boundary, Edge, boundary
from detent.geometry.profile import extent
from detent.geometry.region import heights
from detent.geometry.solid import Cylinder, Leaf, Solid, leaves
from detent.infer.faces import RoundFace, looking_along
from detent.infer.matching.matches import RoundMatch
from detent.infer.solids import PartSolid

_PARALLEL = 1e-7  # [rad] axes nearer than this are one direction
MEET = 1e-6  # of the size: lengths that are one
_CHORD = math.radians(16)  # of a chord that stands for an arc, at most
# Of the radius: circles fitted to chords of rounded numbers are off by a twentieth of what a chord lies
# within its arc (0.0086 of the radius where it is longest), those of pin and hole together by this.
_FITTED = 1e-3
_STEP = math.pi / 4  # between places at which an arc touches


def round_matches(
    one: PartSolid, other: PartSolid, clearance: float, size: float, *, too_thick: bool = False
) -> list[RoundMatch]:
    """All pins of either part in holes of the other; or those that are too thick for theirs."""
    matches: list[RoundMatch] = []
    for a in one.rounds:
        for b in other.rounds:
            if not (a.is_gear or b.is_gear) and _coaxial(a, b, clearance, size):
                match = _match(one, other, a, b, size, too_thick)
                if match is not None and not any(_same(match, m, size) for m in matches):
                    matches.append(match)
    return matches


def _coaxial(a: RoundFace, b: RoundFace, clearance: float, size: float) -> bool:
    """Whether the smaller lies in the larger with no more play than allowed."""
    small, large = sorted((float(a.radius), float(b.radius)))
    play = large - small
    if play > clearance * large + MEET * size:
        return False
    (point, direction), (beside, other) = a.axis, b.axis
    if np.linalg.norm(np.cross(direction, other)) > _PARALLEL:
        return False
    off = beside - point
    off = off - (off @ direction) * direction
    if np.linalg.norm(off) > play + MEET * size:
        return False
    low, high = a.span(point, direction)
    bottom, top = b.span(point, direction)
    return min(high, top) - max(low, bottom) > MEET * size


def _too_thick(pin: RoundFace, hole: RoundFace, size: float) -> bool:
    """Whether a pin is thicker than its hole, by more than rounding of drawn numbers."""
    drawn = any(not isinstance(face.leaf.primitive, Cylinder) for face in (pin, hole))
    slack = MEET * size + (_FITTED * float(hole.radius) if drawn else 0.0)
    return float(pin.radius - hole.radius) > slack


def _match(
    one: PartSolid, other: PartSolid, a: RoundFace, b: RoundFace, size: float, too_thick: bool
) -> RoundMatch | None:
    point, direction = a.axis
    low, high = a.span(point, direction)
    bottom, top = b.span(point, direction)
    low, high = max(low, bottom), min(high, top)
    reach = max(float(a.radius), float(b.radius)) * 1.01 + MEET * size
    view = looking_along(a.direction, a.point)
    box = np.array([-reach, -reach, low]), np.array([reach, reach, high])
    first, second = (part.within(view, *box) for part in (one, other))
    if first is None or second is None:
        return None
    centre = view.matrix[:, :3] @ b.axis[0] + view.matrix[:, 3]
    circles = ((0.0, 0.0, float(a.radius)), (float(centre[0]), float(centre[1]), float(b.radius)))
    back = view.inverse().matrix
    points: list[Any] = []
    normals: list[Any] = []
    pin_is_first: bool | None = None
    spans: list[tuple[float, float]] = []
    for bottom, top in pairwise(section_heights(first, second, low, high, size)):
        if top - bottom <= MEET * size:
            continue
        z = (bottom + top) / 2
        try:
            arcs = [arcs_on(boundary(s, z), c, size) for s, c in zip((first, second), circles, strict=True)]
        except UnsupportedError:
            continue
        for first_is_pin in (True, False):
            if _too_thick(*((a, b) if first_is_pin else (b, a)), size) is not too_thick:
                continue
            angles = _common(arcs[0], arcs[1], first_is_pin)
            if not angles:
                continue
            pin_is_first = first_is_pin
            spans.append((bottom, top))
            for angle in angles:
                out = np.array([math.cos(angle), math.sin(angle), 0.0])
                for height in (bottom, top):
                    points.append(float(a.radius) * out + (0.0, 0.0, height))
                    normals.append(out if first_is_pin else -out)
    if pin_is_first is None:
        return None
    world = np.array(points) @ back[:, :3].T + back[:, 3]
    span = min(s[0] for s in spans), max(s[1] for s in spans)
    return RoundMatch(a, b, pin_is_first, world, np.array(normals) @ back[:, :3].T, *span)


def section_heights(first: Solid, second: Solid, low: float, high: float, size: float) -> list[float]:
    """Heights at which the sections of either part may change."""
    cuts = {low, high}
    for leaf in (*leaves(first), *leaves(second)):
        cuts.update(z for z in (*heights(leaf), *_break_heights(leaf)) if low < z < high)
    return sorted(cuts)


def _break_heights(leaf: Leaf) -> list[float]:
    """Where the chamfers and rounds of an upright primitive's ends begin."""
    if not (leaf.breaks and leaf.frame.upright):
        return []
    low, high = extent(leaf)
    origin, sign = float(leaf.frame.origin[2]), float(leaf.frame.rows[2][2])
    depths = [
        high - abs(float(b.size)) if b.face == "+z" else low + abs(float(b.size))
        for b in leaf.breaks
        if b.face[1] == "z"
    ]
    return [origin + sign * depth for depth in depths]


def arcs_on(bounds: Boundary, circle: tuple[float, float, float], size: float) -> list[Arc]:
    """Arcs of a section on a circle (x, y, radius), and those that its chords stand for."""
    x, y, radius = circle
    meet = MEET * size
    arcs = [
        arc
        for arc in bounds.arcs
        if math.dist(arc.centre, (x, y)) <= meet and abs(arc.radius - radius) <= meet
    ]
    for edge in bounds.edges:
        if max(abs(math.dist(end, (x, y)) - radius) for end in (edge.a, edge.b)) <= meet:
            arcs += _chord(edge, circle)
    return arcs


def _chord(edge: Edge, circle: tuple[float, float, float]) -> list[Arc]:
    """The arc that a short chord stands for; material is on its left."""
    x, y, radius = circle
    start, end = (math.atan2(p[1] - y, p[0] - x) for p in (edge.a, edge.b))
    turn = math.remainder(end - start, math.tau)
    if abs(turn) > _CHORD:
        return []
    return [Arc(edge.name, edge.leaf, (x, y), radius, min(start, start + turn), abs(turn), turn < 0)]


def _common(first: list[Arc], second: list[Arc], first_is_pin: bool) -> list[float]:
    """Angles at which a pin's arcs have a hole's arcs around them: ends, and steps between."""
    angles: set[float] = set()
    for one in first:
        for other in second:
            if one.hollow == first_is_pin or other.hollow != first_is_pin:
                continue
            for low, high in _shared(one, other):
                steps = max(1, math.ceil((high - low) / _STEP))
                angles.update(low + (high - low) * k / steps for k in range(steps + 1))
    return sorted(angles)


def _shared(one: Arc, other: Arc) -> list[tuple[float, float]]:
    start = (other.start - one.start) % math.tau
    spans = []
    for shift in (0.0, -math.tau):
        low, high = max(0.0, start + shift), min(one.sweep, start + shift + other.sweep)
        if high - low > 1e-6:
            spans.append((one.start + low, one.start + high))
    return spans


def _same(one: RoundMatch, other: RoundMatch, size: float) -> bool:
    """Whether two matches are one pin in one hole, named by other primitives."""
    if one.points.shape != other.points.shape or one.pin_is_first != other.pin_is_first:
        return False
    return bool(np.abs(one.points - other.points).max() <= MEET * size)
