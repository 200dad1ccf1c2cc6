"""A match: a face of one part on a face of another, both of which really bound material there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.infer.faces import FlatPlane, RoundFace


@dataclass(frozen=True, eq=False)
class RoundMatch:
    """A pin in a hole, over some heights and angles."""

    first: RoundFace
    second: RoundFace
    pin_is_first: bool
    points: Any  # (k, 3) places where they touch
    normals: Any  # (k, 3) there, out of the first part
    low: float  # heights along the first's axis, from its point
    high: float
    lines: str = ""  # that hold it, where it touches along lines alone: `4 flat faces`

    @property
    def pin(self) -> RoundFace:
        return self.first if self.pin_is_first else self.second

    @property
    def hole(self) -> RoundFace:
        return self.second if self.pin_is_first else self.first

    @property
    def play(self) -> float:
        """Of the diameter."""
        return float(2 * (self.hole.radius - self.pin.radius))


@dataclass(frozen=True, eq=False)
class FlatMatch:
    """A flat face on a flat face, or near it."""

    first: FlatPlane
    second: FlatPlane
    gap: float
    points: Any  # (k, 3) corners of the region that both have
    area: float

    @property
    def normals(self) -> Any:
        return np.repeat(self.first.unit[None, :], len(self.points), axis=0)


Match = RoundMatch | FlatMatch
