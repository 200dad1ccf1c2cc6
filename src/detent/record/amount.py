"""Forces as numbers: infinite in Python where they have no bound, `{"unbounded": true}` in JSON."""

from __future__ import annotations

import math
from typing import Any, Self


class Force(float):
    """A force [N], or a part of one; infinite where it has no bound.

    It is a float: it compares, adds and plots as one. Only in JSON an infinite one
    is `{"unbounded": true}`.
    """

    @property
    def unbounded(self) -> bool:
        return math.isinf(self)

    def to_builtins(self) -> Any:
        """As JSON has it."""
        return {"unbounded": True} if self.unbounded else float(self)


class Amount(Force):
    """A force with the time at which it acts, and the joint's coordinate where that is known.

    `float(peak)`, `peak > 3` and a plot of peaks work as with any number.
    """

    time: float | None
    coordinate: float | None

    def __new__(
        cls, value: float = math.inf, *, time: float | None = None, coordinate: float | None = None
    ) -> Self:
        amount = super().__new__(cls, value + 0.0)  # never -0.0, which would be printed
        amount.time, amount.coordinate = time, coordinate
        return amount

    @property
    def value(self) -> float:
        """The plain number."""
        return float(self)

    def to_builtins(self) -> dict[str, Any]:
        """As JSON has it: `value` or `unbounded`, and what else is known."""
        data: dict[str, Any] = {"unbounded": True} if self.unbounded else {"value": float(self)}
        known = {"time": self.time, "coordinate": self.coordinate}
        return data | {key: value for key, value in known.items() if value is not None}

    def __reduce__(self) -> Any:
        return _amount, (float(self), self.time, self.coordinate)

    def __repr__(self) -> str:
        when = "" if self.time is None else f", time={self.time!r}"
        return f"Amount({float(self)!r}{when})"


def _amount(value: float, time: float | None, coordinate: float | None) -> Amount:
    return Amount(value, time=time, coordinate=coordinate)


def force(value: float) -> float:
    """A plain number where it is finite, else one that JSON can write."""
    return value if math.isfinite(value) else Force(value)
