"""All lower pairs of a machine: of every two bodies; fixed parts are one, a bolt is part of what it holds."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import combinations

from detent.infer.fasteners import Bolt, bolts_of, clamped_parts
from detent.infer.matching.matches import FlatMatch, Match, RoundMatch
from detent.infer.pair import LowerPair, matches_of, pair_of
from detent.infer.solids import MachineSolids


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
    bolts = bolts_of(machine, matches, spoken_for)
    fastened = {bolt.name: bolt.carrier for bolt in bolts}
    clamps = [(bolt, clamped_parts(machine, matches, bolt)) for bolt in bolts]
    pairs = []
    for (carrier, mover), together in _by_body(machine, matches, fastened).items():
        pair = pair_of(machine, parts[carrier], parts[mover], together)
        if pair is not None:
            pairs.append(_clamped(machine, pair, clamps))
    return PairSearch(tuple(pairs), {bolt.name: bolt.why for bolt in bolts}, fastened)


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
        low, high = sorted(float((start + h * along - point) @ direction) for h in (match.low, match.high))
        faces = match.second, match.first, not match.pin_is_first
        return RoundMatch(*faces, match.points, -match.normals, low, high, match.lines)
    return FlatMatch(
        match.second, match.first, match.gap, match.points + match.gap * match.first.unit, match.area
    )


def _clamped(machine: MachineSolids, pair: LowerPair, clamps: list[tuple[Bolt, frozenset[str]]]) -> LowerPair:
    """The pair of two bodies; what a bolt presses on its carrier without play is fixed, not a hinge."""
    if pair.kind not in ("revolute", "cylindrical"):
        return pair
    for bolt, pressed in clamps:
        for one, other in (pair.parts, pair.parts[::-1]):
            carries = one == bolt.carrier or (machine.parts[one].fixed and machine.parts[bolt.carrier].fixed)
            if carries and other in pressed:
                return replace(pair, kind="fixed", bolt=bolt.name)
    return pair
