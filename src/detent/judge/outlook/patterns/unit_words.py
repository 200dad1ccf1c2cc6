"""Times and independent coordinates in words, with the units of the document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from detent.foundation.units import measured, unit_names
from detent.motion.running.along import is_length

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree


@dataclass(frozen=True)
class UnitWords:
    """Units behind numbers; none of them where nothing is known of the document."""

    time: str = ""  # with the space before it
    units: tuple[str, ...] = ()  # of independent coordinates
    factors: tuple[float, ...] = ()  # document units in a metre, 1 of an angle

    def at(self, time: float) -> str:
        """A time, or a duration [s]."""
        return f"{time:.6g}{self.time}"

    def change(self, k: int, by: float) -> str:
        """Of a coordinate."""
        return measured(by * self.factors[k], self.units[k]) if self.units else f"{by:.6g}"

    def speed(self, k: int, by: float) -> str:
        """Of the speed of a coordinate, or its change."""
        return self.change(k, by) + (f"/{self.time.strip()}" if self.time else "")


PLAIN = UnitWords()


def unit_words_of(tree: Tree) -> UnitWords:
    """Of a machine."""
    names = unit_names(tree.system.mechanism.units)
    lengths = [is_length(tree, tree.names[k]) for k in tree.independent]
    return UnitWords(
        names.time,
        tuple(names.length.strip() if length else "rad" for length in lengths),
        tuple(1.0 / tree.system.metres_per_unit if length else 1.0 for length in lengths),
    )
