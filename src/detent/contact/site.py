"""Where a contact is, for people and pictures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from detent.contact.checks import Vector
from detent.mechanics.row import GROUND


@dataclass(frozen=True)
class Site:
    """Where a contact is, for people and pictures."""

    name: str
    between: tuple[int, int] = (GROUND, 0)  # bodies by number
    point: tuple[float, ...] = ()
    normal: tuple[float, ...] = ()
    tangents: tuple[tuple[float, ...], ...] = ()  # directions of the dividing planes
    evenly: bool = False  # whether these were spread from the normal, rather than given

    @property
    def unit_normal(self) -> tuple[float, ...]:
        return _unit(self.normal)

    @property
    def unit_tangents(self) -> tuple[tuple[float, ...], ...]:
        return tuple(_unit(tangent) for tangent in self.tangents)


def _unit(vector: tuple[float, ...]) -> tuple[float, ...]:
    largest = max(map(abs, vector))
    scaled = [x / largest for x in vector]  # squares of long vectors have no doubles
    size = math.hypot(*scaled)
    return tuple(x / size for x in scaled)


def site(name: str, pair: tuple[int, int], point: Vector, normal: Vector, tangents: Sequence[Vector]) -> Site:
    """A site from exact or floating vectors."""
    at, toward = (tuple(float(x) for x in v) for v in (point, normal))
    return Site(name, pair, at, toward, tuple(tuple(float(x) for x in t) for t in tangents))
