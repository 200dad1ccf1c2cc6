"""The way that the legs ask for over time, in pieces of constant acceleration; held after the last leg."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.leading.plan import StraightLeg


@dataclass(frozen=True, eq=False)
class LedPath:
    """From each of `times` on: where the path is, its speed, its acceleration; world axes, SI."""

    legs: tuple[StraightLeg, ...]
    times: Floats  # (k,) [s]
    at: Floats  # (k, 3) [m]
    speed: Floats
    gain: Floats

    @property
    def duration(self) -> float:
        """Until the last leg is done [s]."""
        return float(self.times[-1])

    @property
    def length(self) -> float:
        """Of the longest leg [m]."""
        return max(leg.length for leg in self.legs)

    @property
    def fastest(self) -> float:
        """[m/s]"""
        return float(np.linalg.norm(self.speed, axis=1).max())

    def asked(self, times: Any) -> tuple[Floats, Floats]:
        """(n, 3) way and speed at times."""
        t = np.atleast_1d(np.asarray(times, float))
        piece = np.maximum(np.searchsorted(self.times, t, "right") - 1, 0)
        since = (t - self.times[piece])[:, None]
        way = self.at[piece] + since * (self.speed[piece] + 0.5 * since * self.gain[piece])
        return way, self.speed[piece] + since * self.gain[piece]

    @property
    def arrays(self) -> tuple[Floats, Floats, Floats, Floats]:
        """As kernels take it."""
        return self.times, self.at, self.speed, self.gain


def course_of(legs: Sequence[StraightLeg]) -> LedPath:
    """The pieces of all legs, one after the other."""
    times, at, speeds, gains = [], [], [], []
    for leg in legs:
        for piece in leg.trapezoid.pieces[:-1]:
            times.append(leg.start + piece.time)
            at.append(leg.origin + piece.way * leg.direction)
            speeds.append(piece.speed * leg.direction)
            gains.append(piece.gain * leg.direction)
    last = legs[-1]
    times.append(last.start + last.duration)
    at.append(last.origin + last.length * last.direction)
    speeds.append(np.zeros(3))
    gains.append(np.zeros(3))
    return LedPath(tuple(legs), np.array(times), np.array(at), np.array(speeds), np.array(gains))
