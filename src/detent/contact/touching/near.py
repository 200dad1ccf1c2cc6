"""Parts that almost touch as drawn, or whose round shapes are sunk a little: by how much.

A contact is found where shapes touch to 1e-9 of the drawing. A gap or a depth of a few more than that is a
rounded coordinate more often than a design, and is named; gaps are those of `contact/at_state.py`, with
true arcs, and of balls and cylinders in space those of `round_parts.py`, in document units.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detent.contact.at_state import ContactSet, contacts_at
from detent.contact.candidate import candidates, drawn_into_each_other
from detent.contact.touching.round_parts import round_gaps
from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.units import unit_names
from detent.geometry.polyhedron import polyhedron
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.overlap import Overlap
from detent.model.machine.system import System, compile_system

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Of the size of the drawing: a gap that is more likely a mistake than a clearance.
ALMOST = 1e-3
# Arcs that are sunk deeper than this are seen by their chords (`model/machine/drawn/overlap.py`).
_CHORDS = 1e-2


@dataclass(frozen=True)
class PairGap:
    """How far two parts are apart as drawn; negative where one is sunk into the other."""

    first: str
    second: str
    gap: float
    where: tuple[float, ...]
    units: str
    touching: float  # the gap up to which parts touch

    @property
    def misses(self) -> bool:
        return self.gap > self.touching

    @property
    def sunk(self) -> bool:
        return self.gap < -self.touching

    @property
    def words(self) -> str:
        how = "apart" if self.gap >= 0 else "into each other"
        return f"{self.first} and {self.second}, {abs(self.gap):.3g}{unit_names(self.units).length} {how}"


def pair_gaps(mechanism: Mechanism, *, within: float) -> list[PairGap]:
    """The nearest place of every pair that may touch, up to a share `within` of the drawing; nearest first.

    Pairs that touch are among them, with a gap near zero. Empty where no contacts are found from shapes.
    """
    if sum(part.shape is not None for part in mechanism.parts.values()) < 2:
        return []
    try:
        system = compile_system(mechanism)
    except (UnsupportedError, ModelError):
        return []  # said where contacts are asked for
    unit = system.metres_per_unit
    tolerance = system.tolerance.length / unit
    best: dict[tuple[str, str], PairGap] = {}
    for first, second, gap, where in _measured(system, within):
        pair = best.get((first, second))
        if pair is None or gap < pair.gap:
            place = tuple(where[: mechanism.dimension].tolist())
            best[first, second] = PairGap(first, second, gap, place, mechanism.units, tolerance)
    return sorted(best.values(), key=lambda each: abs(each.gap))


def _measured(system: System, within: float) -> Iterator[tuple[str, str, float, Floats]]:
    """The gaps of features that contacts know, and in space of balls and cylinders, in document units."""
    unit = system.metres_per_unit
    deepest = _CHORDS * system.size
    near = _features_near(system, within * system.size, deepest)
    if near is not None:
        for name, gap, point in zip(near.names, (near.gap / unit).tolist(), near.point / unit, strict=True):
            first, second = (feature.partition("/")[0] for feature in name.split(":"))
            if gap < -system.tolerance.length / unit and ".a" not in name:
                continue  # edges and corners in each other are seen exactly
            yield first, second, gap, point
    if system.dimension == 3:
        for first, second, gap, where in round_gaps(system.mechanism):
            if -deepest <= gap * unit <= within * system.size:
                yield first, second, gap, where


def _features_near(system: System, within: float, depth: float) -> ContactSet | None:
    at_joints = drawn_into_each_other(system)
    try:
        possible = candidates(system, left_out=at_joints)
    except (UnsupportedError, ModelError):
        if system.dimension == 2:
            return None  # said where contacts are asked for
        try:
            possible = candidates(system, left_out=at_joints | _pairs_of_curved(system))
        except (UnsupportedError, ModelError):
            return None
    return contacts_at(system, possible, system.drawn, within=within, depth=depth)


def _pairs_of_curved(system: System) -> frozenset[frozenset[str]]:
    """Pairs in space of which one part has curved faces: no contacts are found of them."""
    curved = set()
    for number, body in enumerate(system.bodies):
        if any(number in pair for pair in system.pairs):
            assert body.solid is not None, "bodies without a shape touch nothing"
            try:
                polyhedron(body.solid)
            except (UnsupportedError, ModelError):
                curved.add(body.name)
    named = (frozenset(system.bodies[number].name for number in pair) for pair in system.pairs)
    return frozenset(pair for pair in named if pair & curved)


def near_misses(mechanism: Mechanism, *, within: float = ALMOST) -> list[PairGap]:
    """Pairs that do not touch but almost do, nearest first."""
    return [each for each in pair_gaps(mechanism, within=within) if each.misses]


def misses_beside(mechanism: Mechanism, contacts: int) -> list[PairGap]:
    """Pairs that almost touch, beside so many contacts; where nothing touches, the nearest of all."""
    if mechanism.contacts or mechanism.rows is not None:
        return []
    return near_misses(mechanism, within=ALMOST if contacts else 1.0)


def sunk(gaps: list[PairGap]) -> list[Problem]:
    """Pairs with a round shape that overlap by less than chords of arcs can show, as problems."""
    overlaps = [
        Overlap(each.first, each.second, each.where, -each.gap, each.units) for each in gaps if each.sunk
    ]
    return [Problem(each.at, each.problem, each.remedy) for each in overlaps]
