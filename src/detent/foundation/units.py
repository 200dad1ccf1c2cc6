"""Units at the doors: a document's lengths to metres and back, degrees to radians.

Inside, everything is SI and radians. `"1"` names any consistent set of units
and scales nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

# Exact, so that an exact method loses nothing at the door.
METRES: dict[str, Fraction] = {
    "m": Fraction(1),
    "mm": Fraction(1, 1000),
    "in": Fraction(254, 10000),
    "1": Fraction(1),
}


def metres(units: str) -> float:
    """Length of one document unit [m]."""
    return float(METRES[units])


@dataclass(frozen=True)
class UnitNames:
    """What stands behind numbers in words, each with the space before it; nothing in units of no name."""

    length: str
    force: str
    torque: str
    time: str
    speed: str
    acceleration: str
    angular_acceleration: str


def unit_names(units: str) -> UnitNames:
    """Of a document's `units`: lengths, also in speeds, in these; all else SI; `"1"` has no names at all."""
    if units == "1":
        return UnitNames("", "", "", "", "", "", "")
    return UnitNames(f" {units}", " N", " N m", " s", f" {units}/s", f" {units}/s²", " rad/s²")
