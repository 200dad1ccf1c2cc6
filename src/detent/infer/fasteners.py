"""Pins and bolts: parts in holes of two or more others about one axis, and what they press together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.foundation.names import listed
from detent.infer.matching.matches import FlatMatch, Match, RoundMatch
from detent.infer.pair import pair_of
from detent.infer.solids import MachineSolids, PartSolid

_CLOSE = 1e-5

Matches = dict[tuple[str, str], list[Match]]


@dataclass(frozen=True, eq=False)
class Bolt:
    """A part whose own rotation moves nothing: it belongs to the first body that it goes through."""

    name: str
    carrier: str
    held: tuple[str, ...]  # parts with a hole around it
    rounds: tuple[RoundMatch, ...]

    @property
    def why(self) -> str:
        return f"a pin through {listed(self.held)}: its own rotation moves nothing"


def bolts_of(machine: MachineSolids, matches: Matches, spoken_for: set[str]) -> list[Bolt]:
    """The bolts; parts that the document itself joins or drives are none."""
    bolts: list[Bolt] = []
    for part in machine.parts.values():
        if part.fixed or part.name in spoken_for:
            continue
        partners = {
            (b if a == part.name else a): between
            for (a, b), between in matches.items()
            if part.name in (a, b)
        }
        held = [
            other
            for other, between in partners.items()
            if _is_pin(machine, part, machine.parts[other], between)
        ]
        rounds = [m for between in partners.values() for m in between if isinstance(m, RoundMatch)]
        bodies = {"" if machine.parts[name].fixed else name for name in held}
        if len(bodies) < 2 or not _one_axis(rounds, machine.size) or not _round(part, rounds):
            continue
        carrier = next((name for name in held if machine.parts[name].fixed), held[0])
        if carrier not in {bolt.name for bolt in bolts}:
            bolts.append(Bolt(part.name, carrier, tuple(held), tuple(rounds)))
    return bolts


def clamped_parts(machine: MachineSolids, matches: Matches, bolt: Bolt) -> frozenset[str]:
    """Parts around a bolt that are pressed on its carrier without play.

    Flat faces lie on each other from the bolt's head to the carrier, and from there to a nut (a part around
    the bolt's end that is no wider than a bolt may be) or to the bolt's other end.
    """
    along = bolt.rounds[0].first.axis[1]
    clamped: set[str] = set()
    for way in (along, -along):
        behind = _behind(machine, matches, bolt, way)
        stack = _reached(behind, behind[bolt.name], bolt)
        if bolt.carrier not in stack:
            continue
        clamped |= {part for part in stack if bolt.carrier in _reached(behind, {part}, bolt)}
        beyond = _reached(behind, {bolt.carrier}, bolt)
        ends = {
            part
            for part in beyond - {bolt.carrier}
            if bolt.name in behind[part]
            or (not behind[part] and _round(machine.parts[part], list(bolt.rounds)))
        }
        clamped |= {part for part in beyond if ends & _reached(behind, {part}, bolt)}
    return frozenset(clamped - {bolt.name, bolt.carrier})


def _behind(machine: MachineSolids, matches: Matches, bolt: Bolt, way: Any) -> dict[str, set[str]]:
    """By part of the stack: those that lie on its face that looks this way."""
    stack = {bolt.name, *bolt.held}
    behind: dict[str, set[str]] = {name: set() for name in stack}
    for (a, b), between in matches.items():
        for match in between:
            if not isinstance(match, FlatMatch) or match.gap > _CLOSE * machine.size or not {a, b} <= stack:
                continue
            looks = float(match.first.unit @ way)
            if looks > 1 - _CLOSE:
                behind[a].add(b)
            elif looks < -1 + _CLOSE:
                behind[b].add(a)
    return behind


def _reached(behind: dict[str, set[str]], first: set[str], bolt: Bolt) -> set[str]:
    """Those parts and all that lie behind them, as far as the bolt itself."""
    reached, left = set(first), list(first)
    while left:
        for part in behind[left.pop()] - reached - {bolt.name}:
            reached.add(part)
            left.append(part)
    return reached


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
