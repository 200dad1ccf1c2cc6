"""The table of pairs: which parts may touch, and with what friction and restitution.

One meaning of "not given": None. What a method then assumes is the method's to decide and to say; the table
invents nothing. A pair's own entry comes before the document's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import combinations

from detent.foundation.exact import Number
from detent.model.document.mechanism import Mechanism


@dataclass(frozen=True)
class TouchingPairs:
    """What the document says of two parts that touch; the order of the two does not matter."""

    mechanism: Mechanism

    def friction(self, first: str, second: str) -> Number | None:
        """Coulomb's coefficient; None: not given."""
        return self._value("friction", first, second)

    def restitution(self, first: str, second: str) -> Number | None:
        """0: no rebound, 1: full; None: not given."""
        return self._value("restitution", first, second)

    @property
    def smooth(self) -> Number | None:
        """Speed [document units/s] over which friction of compliant parts grows; None: at once."""
        return None if self.mechanism.touching is None else self.mechanism.touching.smooth

    def ignored(self, first: str, second: str) -> bool:
        """Whether the document says that the two never touch."""
        touching = self.mechanism.touching
        return touching is not None and bool(
            {f"{first}:{second}", f"{second}:{first}"} & set(touching.ignore)
        )

    def may_touch(self, first: str, second: str) -> bool:
        """All pairs may touch unless ignored; two fixed parts cannot."""
        both_fixed = self.mechanism.parts[first].fixed and self.mechanism.parts[second].fixed
        return not both_fixed and not self.ignored(first, second)

    def among(self, parts: Iterable[str]) -> Iterator[tuple[str, str]]:
        """The pairs of these parts that may touch, in order."""
        return (pair for pair in combinations(parts, 2) if self.may_touch(*pair))

    def _value(self, key: str, first: str, second: str) -> Number | None:
        touching = self.mechanism.touching
        if touching is None:
            return None
        for name in (f"{first}:{second}", f"{second}:{first}"):
            value: Number | None = getattr(touching.pairs.get(name), key, None)
            if value is not None:
                return value
        everywhere: Number | None = getattr(touching, key)
        return everywhere
