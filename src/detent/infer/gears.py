"""Gear pairs: toothed cylinders, drawn as pitch circles, that touch or overlap in one layer (Algorithm 6)."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from detent.geometry.solid import Cylinder
from detent.infer.faces import RoundFace
from detent.infer.solids import MachineSolids, PartSolid

_MEET = 1e-6  # of the size
_PARALLEL = 1e-7


@dataclass(frozen=True, eq=False)
class GearPair:
    """Two gears that mesh."""

    parts: tuple[str, str]
    first: RoundFace
    second: RoundFace
    ratio: Fraction  # rotation of the second per rotation of the first
    by_teeth: bool

    @property
    def why(self) -> str:
        inner = self.ratio > 0
        how = "one inside the other's ring" if inner else "side by side"
        a, b = _cylinder(self.first), _cylinder(self.second)
        sizes = (
            f"{a.teeth} and {b.teeth} teeth"
            if self.by_teeth
            else f"diameters {float(2 * a.radius):g} and {float(2 * b.radius):g}"
        )
        return f"their pitch circles meet {how} in one layer; {sizes}"


def gear_pairs(machine: MachineSolids) -> list[GearPair]:
    """All gears that mesh; two parts mesh once."""
    parts = list(machine.parts.values())
    pairs = []
    for i, one in enumerate(parts):
        for other in parts[i + 1 :]:
            if one.fixed and other.fixed:
                continue
            pair = _pair(one, other, machine.size)
            if pair is not None:
                pairs.append(pair)
    return pairs


def _pair(one: PartSolid, other: PartSolid, size: float) -> GearPair | None:
    for a in one.rounds:
        for b in other.rounds:
            if a.is_gear and b.is_gear and _mesh(a, b, size):
                inner = a.leaf.hollow or b.leaf.hollow
                first, second = _cylinder(a), _cylinder(b)
                by_teeth = first.teeth is not None and second.teeth is not None
                turns = (
                    Fraction(first.teeth or 1, second.teeth or 1)
                    if by_teeth
                    else first.radius / second.radius
                )
                return GearPair((one.name, other.name), a, b, turns if inner else -turns, by_teeth)
    return None


def _mesh(a: RoundFace, b: RoundFace, size: float) -> bool:
    """Whether pitch circles touch or overlap, or teeth of a given depth reach each other, in one layer."""
    (point, direction), (beside, other) = a.axis, b.axis
    if np.linalg.norm(np.cross(direction, other)) > _PARALLEL:
        return False
    low, high = a.span(point, direction)
    bottom, top = b.span(point, direction)
    if min(high, top) - max(low, bottom) <= _MEET * size:
        return False
    off = beside - point
    apart = float(np.linalg.norm(off - (off @ direction) * direction))
    r, s = float(a.radius), float(b.radius)
    reach = sum(float(_cylinder(f).depth or 0) for f in (a, b)) / 2 + _MEET * size
    if a.leaf.hollow and b.leaf.hollow:
        return False
    if a.leaf.hollow or b.leaf.hollow:
        ring, inner = (r, s) if a.leaf.hollow else (s, r)
        return apart + inner >= ring - reach and apart > _MEET * size and inner < ring
    return abs(r - s) < apart <= r + s + reach


def _cylinder(face: RoundFace) -> Cylinder:
    assert isinstance(face.leaf.primitive, Cylinder)
    return face.leaf.primitive
