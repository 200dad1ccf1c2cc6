"""The law of a swing that nothing keeps going, as it is known of a pattern; `life/fading.py` measures it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Fading:
    """The law of a swing that fades: rates [1/s] by size, when nearly nothing is left of it, and where."""

    joint: str
    rates: tuple[float, ...]  # where it was followed, and at shares of that
    since: float  # [s] when it has less than `rest.QUIET` of its greatest kinetic energy
    between: tuple[float, float]  # [s] by the greatest rate, and by the least
    rest: Floats  # independent coordinates

    def words(self, time: str) -> str:
        first, last = (math.log(2.0) / rate for rate in (self.rates[0], self.rates[-1]))
        halves = f"{last:.3g}{time}"
        if f"{first:.3g}" != halves.removesuffix(time):
            halves = f"{first:.3g}{time} at first, {halves} where it is small"
        return f"the swing of {self.joint} halves in {halves}"
