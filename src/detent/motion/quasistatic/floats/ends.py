"""How designs of a pawl ended, by name."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.foundation.shown import Shown
from detent.record.batch import Batch


@dataclass(frozen=True, repr=False)
class Ends(Shown):
    """How each design ended; one entry a design, angles from rest [rad]."""

    batch: Batch

    def _line(self) -> str:
        return self.batch._line()

    @property
    def causes(self) -> list[str]:
        """done, jam, stick, overlap (the parts, at the start), crossed (edges of an outline)."""
        return list(self.batch["cause"].tolist())

    @property
    def times(self) -> Any:
        """[s]."""
        return self.batch["time"]

    @property
    def angles(self) -> Any:
        return self.batch["angle"]

    @property
    def events(self) -> Any:
        """How many."""
        return self.batch["events"]

    @property
    def largest_angles(self) -> Any:
        """Underway: times the stiffness, the torque that the spring must bear."""
        return self.batch["largest_angle"]

    @property
    def peaks_in(self) -> Any:
        """Forces against the push, infinite without bound; NaN of designs without a stiffness."""
        return self._peaks("peak_in")

    @property
    def peaks_out(self) -> Any:
        """The same straight back from where it ended; NaN also where the push did not get through."""
        return self._peaks("peak_out")

    def _peaks(self, name: str) -> Any:
        """The column is left out where no design has a stiffness."""
        return self.batch.columns.get(name, np.full(len(self.batch), math.nan))

    @property
    def exact(self) -> Any:
        """Which of them exact arithmetic had to decide."""
        return np.flatnonzero(self.batch["exact"])
