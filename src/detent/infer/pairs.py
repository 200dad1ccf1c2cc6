"""All lower pairs of a machine: of every two bodies; fixed parts are one, a bolt is part of what it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import combinations

import numpy as np

from detent.infer.matches import FlatMatch, Match, RoundMatch
from detent.infer.pair import LowerPair, matches_of, pair_of
from detent.infer.solids import MachineSolids, PartSolid

_CLOSE = 1e-5


@dataclass(frozen=True, eq=False)
class PairSearch:
    """The pairs, and parts that only hold others together."""

    pairs: tuple[LowerPair, ...]
    fasteners: dict[str, str] = field(default_factory=dict)  # by part: why it is one
    fastened: dict[str, str] = field(default_factory=dict)  # by part: what it is taken to be fixed in


def search(machine: MachineSolids, clearance: float, spoken_for: set[str]) -> PairSearch:
    """The pairs of all bodies; parts that the document itself joins or drives are never taken for a bolt."""
    parts = machine.parts
    matches: dict[tuple[str, str], list[Match]] = {}
    for one, other in combinations(parts.values(), 2):
        if one.fixed and other.fixed:
            continue
        first, second = (other, one) if other.fixed else (one, other)
        between = matches_of(machine, first, second, clearance)
        if between:
            matches[first.name, second.name] = between
    fasteners, fastened = _fasteners(machine, matches, spoken_for)
    pairs = []
    for (carrier, mover), together in _by_body(machine, matches, fastened).items():
        pair = _clamped(machine, parts[carrier], parts[mover], together, fasteners)
        if pair is not None:
            pairs.append(pair)
    return PairSearch(tuple(pairs), fasteners, fastened)


def _by_body(
    machine: MachineSolids, matches: dict[tuple[str, str], list[Match]], fastened: dict[str, str]
) -> dict[tuple[str, str], list[Match]]:
    """Matches of bodies: those of all fixed parts together, those of a bolt with what it is fixed in."""
    named: dict[str, tuple[str, ...]] = {}
    together: dict[tuple[str, str], list[Match]] = {}
    for (a, b), between in matches.items():
        first, second = fastened.get(a, a), fastened.get(b, b)
        fixed = [machine.parts[name].fixed for name in (first, second)]
        if all(fixed) or first == second:
            continue
        turned = fixed[1] or (not fixed[0] and _later(machine, first, second))
        if turned:
            first, second = second, first
        key = (_GROUND if machine.parts[first].fixed else first, second)
        named.setdefault("\n".join(key), (first, second))
        mine = together.setdefault(key, [])
        mine += [_reversed(m) for m in between] if turned else between
    return {named["\n".join(key)]: between for key, between in together.items()}  # type: ignore[misc]


_GROUND = ""  # all fixed parts


def _later(machine: MachineSolids, first: str, second: str) -> bool:
    order = list(machine.parts)
    return order.index(first) > order.index(second)


def _reversed(match: Match) -> Match:
    """The same match, seen from the other part."""
    if isinstance(match, RoundMatch):
        point, direction = match.second.axis
        start, along = match.first.axis
        ends = sorted(float((start + h * along - point) @ direction) for h in (match.low, match.high))
        return RoundMatch(
            match.second, match.first, not match.pin_is_first, match.points, -match.normals, *ends
        )
    return FlatMatch(
        match.second, match.first, match.gap, match.points + match.gap * match.first.unit, match.area
    )


def _fasteners(
    machine: MachineSolids, matches: dict[tuple[str, str], list[Match]], spoken_for: set[str]
) -> tuple[dict[str, str], dict[str, str]]:
    """Pins and bolts: parts in holes of two or more others about one axis; turning them moves nothing."""
    fasteners: dict[str, str] = {}
    fastened: dict[str, str] = {}
    for part in machine.parts.values():
        if part.fixed or part.name in spoken_for:
            continue
        partners = {
            (b if a == part.name else a): between
            for (a, b), between in matches.items()
            if part.name in (a, b)
        }
        held_by = [
            other
            for other, between in partners.items()
            if _is_pin(machine, part, machine.parts[other], between)
        ]
        rounds = [m for between in partners.values() for m in between if isinstance(m, RoundMatch)]
        bodies = {_GROUND if machine.parts[name].fixed else name for name in held_by}
        if len(bodies) < 2 or not _one_axis(rounds, machine.size) or not _round(part, rounds):
            continue
        carrier = next((name for name in held_by if machine.parts[name].fixed), held_by[0])
        if carrier in fastened:
            continue
        fastened[part.name] = carrier
        others = " and ".join(held_by)
        fasteners[part.name] = f"a pin through {others}: its own rotation moves nothing"
    return fasteners, fastened


def _is_pin(machine: MachineSolids, part: PartSolid, other: PartSolid, between: list[Match]) -> bool:
    """Whether the part is a pin in a hole of the other, and free to turn there."""
    pair = pair_of(machine, other, part, between if between else [])
    if pair is None or pair.kind not in ("revolute", "cylindrical"):
        return False
    pins = [m.first if m.pin_is_first else m.second for m in pair.rounds]
    return all(any(pin is face for face in part.rounds) for pin in pins)


def _one_axis(rounds: list[RoundMatch], size: float) -> bool:
    point, direction = rounds[0].first.axis
    for match in rounds[1:]:
        beside, other = match.first.axis
        off = beside - point
        off = off - (off @ direction) * direction
        if (
            np.linalg.norm(np.cross(direction, other)) > _CLOSE
            or np.linalg.norm(off) > _CLOSE * size + match.play
        ):
            return False
    return True


def _round(part: PartSolid, rounds: list[RoundMatch]) -> bool:
    """Whether the pin is not much more than a pin: nothing reaches farther out than three radii of it."""
    point, direction = rounds[0].first.axis
    radius = max(float(m.pin.radius) for m in rounds)
    low, high = part.box
    corners = np.array(
        [[x, y, z] for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    )
    off = corners - point
    off = off - np.outer(off @ direction, direction)
    return bool(np.linalg.norm(off, axis=1).max() <= 3 * np.sqrt(2) * radius)


def _clamped(
    machine: MachineSolids, first: PartSolid, second: PartSolid, together: list[Match], bolts: Iterable[str]
) -> LowerPair | None:
    """The pair of two bodies; what a bolt's head presses on the other without play is fixed, not a hinge."""
    pair = pair_of(machine, first, second, together)
    if pair is None or pair.kind != "revolute":
        return pair
    planes = {name: machine.parts[name].planes for name in bolts}
    for bolt, own in planes.items():
        pressing = [
            any(side is m.first or side is m.second for side in own) and m.gap <= _CLOSE * machine.size
            for m in pair.flats
        ]
        if any(pressing) and not all(pressing):
            return replace(pair, kind="fixed", bolt=bolt)
    return pair
