"""The way that the legs ask for over time, in pieces of constant acceleration; held after the last leg."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.plan import StraightLeg


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
    """A leg's speed rises at its ramp, stays, falls at it; without a ramp it is there at once."""
    times, at, speeds, gains = [], [], [], []
    for leg in legs:
        if leg.ramp is None:
            pieces = [(leg.length / leg.speed, 0.0, leg.speed, 0.0)]
        else:
            top = min(leg.speed, math.sqrt(leg.ramp * leg.length))
            up = top / leg.ramp
            first = 0.5 * top * up
            even = max(0.0, leg.length / top - up)
            pieces = [
                (up, 0.0, 0.0, leg.ramp),
                (even, first, top, 0.0),
                (up, first + top * even, top, -leg.ramp),
            ]
        now = leg.start
        for lasts, way, speed, gain in pieces:
            if lasts > 0.0:
                times.append(now)
                at.append(leg.origin + way * leg.direction)
                speeds.append(speed * leg.direction)
                gains.append(gain * leg.direction)
            now += lasts
    last = legs[-1]
    times.append(last.start + last.duration)
    at.append(last.origin + last.length * last.direction)
    speeds.append(np.zeros(3))
    gains.append(np.zeros(3))
    return LedPath(tuple(legs), np.array(times), np.array(at), np.array(speeds), np.array(gains))
