"""Parts that almost touch as drawn, or whose round shapes are sunk a little: by how much.

A contact is found where shapes touch to 1e-9 of the drawing. A gap or a depth of a few more than that is a
rounded coordinate more often than a design, and is named; gaps are those of `contact/at_state.py`, with
true arcs, in document units.
"""

from __future__ import annotations

from dataclasses import dataclass

from detent.contact.at_state import contacts_at
from detent.contact.candidate import candidates
from detent.foundation.errors import ModelError, Problem, UnsupportedError
from detent.foundation.units import unit_names
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.overlap import Overlap
from detent.model.machine.system import compile_system

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
        near = contacts_at(
            system,
            candidates(system),
            system.drawn,
            within=within * system.size,
            depth=_CHORDS * system.size,
        )
    except (UnsupportedError, ModelError):
        return []  # said where contacts are asked for
    unit = system.metres_per_unit
    tolerance = system.tolerance.length / unit
    best: dict[tuple[str, str], PairGap] = {}
    for name, gap, point in zip(near.names, (near.gap / unit).tolist(), near.point / unit, strict=True):
        first, second = (feature.partition("/")[0] for feature in name.split(":"))
        sunk = gap < -tolerance
        if sunk and ".a" not in name:
            continue  # edges and corners in each other are seen exactly
        pair = best.get((first, second))
        if pair is None or gap < pair.gap:
            place = tuple(point[: mechanism.dimension].tolist())
            best[first, second] = PairGap(first, second, gap, place, mechanism.units, tolerance)
    return sorted(best.values(), key=lambda each: abs(each.gap))


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
