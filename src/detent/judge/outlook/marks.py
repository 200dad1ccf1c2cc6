"""Moments at which a machine is looked at: their times, and its states then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Marks:
    """Times, and independent coordinates and speeds then."""

    times: Floats  # (n,)
    at: Floats  # (n, m)
    speeds: Floats  # (n, m)

    def __len__(self) -> int:
        return len(self.times)

    def after(self, count: int) -> Marks:
        """Without the first ones."""
        return Marks(self.times[count:], self.at[count:], self.speeds[count:])
