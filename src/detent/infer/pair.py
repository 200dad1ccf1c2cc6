"""The lower pair of two parts: all their matched faces at once, its kind, its axis, its play, its limits.

Gelsey 1995, Algorithms 2 to 5. A freedom is removed only where it can never be used: a shoulder at both ends
takes the axial freedom of a pin away, a flat or a second pin its rotation.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from detent.foundation.exact import Number
from detent.geometry.frame import Exact3
from detent.infer.faces import doubles, unit
from detent.infer.freedom import Freedom, freedom_of
from detent.infer.matching.flat_match import facing, flat_matches, play_of
from detent.infer.matching.line_match import line_matches
from detent.infer.matching.matches import FlatMatch, Match, RoundMatch
from detent.infer.matching.round_match import round_matches
from detent.infer.solids import MachineSolids, PartSolid

_CLOSE = 1e-5
_ZERO = Fraction(0)


@dataclass(frozen=True, eq=False)
class LowerPair:
    """What the shapes of two parts make of them."""

    parts: tuple[str, str]
    kind: str  # revolute, prismatic, cylindrical, fixed; planar, other where no joint is made of it
    point: Exact3 | None  # on the axis
    direction: Exact3 | None
    matches: tuple[Match, ...]  # those that hold the parts
    play: float = 0.0  # [document units] across the axis
    touching: tuple[Match, ...] = ()  # faces on faces that hold nothing alone
    bolt: str = ""  # that clamps them

    @property
    def rounds(self) -> tuple[RoundMatch, ...]:
        return tuple(m for m in self.matches if isinstance(m, RoundMatch))

    @property
    def flats(self) -> tuple[FlatMatch, ...]:
        return tuple(m for m in self.matches if isinstance(m, FlatMatch))


def matches_of(machine: MachineSolids, first: PartSolid, second: PartSolid, clearance: float) -> list[Match]:
    """All faces of one part that lie on faces of the other."""
    low, high = np.maximum(first.box[0], second.box[0]), np.minimum(first.box[1], second.box[1])
    if (low > high + clearance * machine.size).any():
        return []
    rounds = round_matches(first, second, clearance, machine.size)
    lines = line_matches(first, second, rounds, clearance, machine.size)
    return [*rounds, *lines, *flat_matches(first, second, clearance, machine.size)]


def lower_pair(
    machine: MachineSolids, first: PartSolid, second: PartSolid, clearance: float
) -> LowerPair | None:
    """The pair of two parts; None where no face of one lies on a face of the other."""
    matches = matches_of(machine, first, second, clearance)
    return pair_of(machine, first, second, matches)


def pair_of(
    machine: MachineSolids, first: PartSolid, second: PartSolid, matches: list[Match]
) -> LowerPair | None:
    """The pair that matches make."""
    if not matches:
        return None
    freedom = freedom_of(matches, flat=machine.flat)
    held = tuple(matches[i] for i in freedom.held)
    loose = tuple(m for i, m in enumerate(matches) if i not in freedom.held)
    direction = _exact_direction(held, freedom)
    point = _exact_point(held, freedom, direction)
    names = (first.name, second.name)
    play = _play(held, direction)
    least = 1e-7 * machine.size
    return LowerPair(names, freedom.kind, point, direction, held, play if play > least else 0.0, loose)


def _play(held: tuple[Match, ...], direction: Exact3 | None) -> float:
    """Across the axis: of the tightest pin, or the widest between flat faces that are not its shoulders."""
    rounds = [m.play for m in held if isinstance(m, RoundMatch)]
    flats = [
        m
        for m in held
        if isinstance(m, FlatMatch)
        and (direction is None or not _parallel(doubles(m.first.normal), unit(direction)))
    ]
    return max([play_of(flats), *rounds], default=0.0)


def _exact_direction(held: tuple[Match, ...], freedom: Freedom) -> Exact3 | None:
    """The axis of the pair from the faces themselves, as exact as they are drawn."""
    if freedom.direction is None:
        return _middle_direction(held)
    for match in held:
        if isinstance(match, RoundMatch) and _parallel(match.hole.axis[1], freedom.direction):
            return upward(match.hole.direction)
    normals = [m.first.normal for m in held if isinstance(m, FlatMatch)]
    for a in normals:
        if _parallel(doubles(a), freedom.direction):
            return upward(a)
        for b in normals:
            across = _cross(a, b)
            if any(across) and _parallel(doubles(across), freedom.direction):
                return upward(across)
    return upward(tuple(Fraction(float(c)) for c in freedom.direction))  # type: ignore[arg-type]


def _middle_direction(held: tuple[Match, ...]) -> Exact3 | None:
    """A weld has no axis; where a pin holds it, the pin's is told."""
    return next((upward(m.hole.direction) for m in held if isinstance(m, RoundMatch)), None)


def _exact_point(held: tuple[Match, ...], freedom: Freedom, direction: Exact3 | None) -> Exact3 | None:
    """A point on the axis: nearest to the origin where the axis is seen end on, else amid the faces."""
    for match in held:
        if not isinstance(match, RoundMatch):
            continue
        base, along = match.hole.point, match.hole.direction
        on_axis = freedom.point is None or _on(match, freedom.point)
        if not on_axis:
            continue
        if along[0] == 0 == along[1]:
            return base[0], base[1], _ZERO
        middle = Fraction((match.low + match.high) / 2).limit_denominator(10**6)
        start = match.first.point
        return _plus(start, match.first.direction, middle)
    points = [m.points for m in held]
    if not points or direction is None:
        return None
    amid = np.concatenate(points).mean(axis=0)
    x, y, z = (Fraction(float(c)).limit_denominator(10**6) for c in amid)
    return x, y, z


def _on(match: RoundMatch, point: Any) -> bool:
    base, along = match.hole.axis
    off = point - base
    return bool(
        np.linalg.norm(off - (off @ along) * along)
        <= _CLOSE * max(1.0, float(np.abs(base).max())) + match.play
    )


def travel(
    first: Iterable[PartSolid], second: Iterable[PartSolid], direction: Exact3, size: float
) -> tuple[Number | None, Number | None]:
    """How far the second body slides along a direction, down and up, until flat ends meet; None: no end."""
    along = unit(direction)
    low: Fraction | None = None
    high: Fraction | None = None
    seconds = list(second)
    facings = (m for a in first for b in seconds for m in facing(a, b, size, along=along))
    for match in facings:
        gap = _exact_gap(match)
        if match.first.unit @ along > 0:  # the first lies below: it stops the way down
            low = gap if low is None else min(low, gap)
        else:
            high = gap if high is None else min(high, gap)
    return None if low is None else Number(-low), None if high is None else Number(high)


def _exact_gap(match: FlatMatch) -> Fraction:
    n = match.first.normal
    square = sum(c * c for c in n)
    if square != 1:
        return Fraction(match.gap)
    between = sum(
        (a * (q - p) for a, p, q in zip(n, match.first.centre, match.second.centre, strict=True)), start=_ZERO
    )
    return (
        between if abs(float(between) - match.gap) <= _CLOSE * max(match.gap, 1e-30) else Fraction(match.gap)
    )


def upward(direction: Exact3) -> Exact3:
    """The same axis, up where it has an up, and of a plain length."""
    x, y, z = direction
    largest = max(abs(x), abs(y), abs(z))
    first = next(c for c in (z, y, x) if abs(c) > largest / 10**9)
    unit = sum(c * c for c in direction)
    scale = Fraction(1) if unit == 1 else 1 / largest
    sign = scale if first > 0 else -scale
    return x * sign, y * sign, z * sign


def _parallel(a: Any, b: Any) -> bool:
    return bool(np.linalg.norm(np.cross(a / np.linalg.norm(a), b)) <= _CLOSE)


def _cross(a: Exact3, b: Exact3) -> Exact3:
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def _plus(point: Exact3, direction: Exact3, length: Fraction) -> Exact3:
    x, y, z = (p + length * d for p, d in zip(point, direction, strict=True))
    return x, y, z


def degrees_between(a: Exact3, b: Exact3) -> float:
    """The angle between two axes."""
    one, other = doubles(a), doubles(b)
    return math.degrees(math.atan2(float(np.linalg.norm(np.cross(one, other))), abs(float(one @ other))))
