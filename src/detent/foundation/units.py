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
    """What numbers of an answer are called; all empty where the document has a set of its own."""

    length: str
    time: str
    force: str
    torque: str


def unit_names(units: str) -> UnitNames:
    """Of a document's answers."""
    return UnitNames("", "", "", "") if units == "1" else UnitNames(units, "s", "N", "N m")
