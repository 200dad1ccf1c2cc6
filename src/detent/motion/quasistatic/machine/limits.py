"""Limits of a pawl's angle."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import compare


@dataclass(frozen=True)
class AngleLimit:
    """An angle that the pawl may not pass, as half * pi + 2 atan(u) from rest."""

    half: int
    u: Any  # rational
    side: int
    exact: bool = True  # else a rational beside the angle that was written

    def at(self, place: SlicePoint) -> bool:
        """Whether a place has this angle; u = 1 is u = -1 of the next chart."""
        if self.half == place.half:
            return compare(place.u, self.u) == 0
        step = place.half - self.half
        return abs(step) == 1 and self.u == step and compare(place.u, -step) == 0
