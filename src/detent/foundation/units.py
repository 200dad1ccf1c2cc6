"""Units at the doors: a document's lengths to metres and back, degrees to radians.

Inside, everything is SI and radians. `"1"` names any consistent set of units
and scales nothing.
"""

from __future__ import annotations

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
