"""A way gone at a trapezoidal speed: it rises at a constant rate, stays, falls at that rate. SI."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from detent.library.robots.serial_arm import Floats


class SpeedPiece(NamedTuple):
    """A piece of constant acceleration, by where it begins."""

    time: float  # [s]
    way: float  # [m]
    speed: float  # [m/s]
    gain: float  # [m/s²]


@dataclass(frozen=True)
class Trapezoid:
    """From rest to rest; a short way does not reach its speed. Without a ramp the speed is there at once."""

    distance: float  # [m]
    speed: float  # [m/s]
    ramp: float | None  # [m/s²]

    @cached_property
    def top(self) -> float:
        """The speed that is reached [m/s]."""
        return self.speed if self.ramp is None else min(self.speed, math.sqrt(self.ramp * self.distance))

    @cached_property
    def rising(self) -> float:
        """How long the speed rises, and falls [s]."""
        return 0.0 if self.ramp is None else self.top / self.ramp

    @cached_property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.rising + (self.distance / self.top if self.distance else 0.0)

    @cached_property
    def pieces(self) -> tuple[SpeedPiece, ...]:
        """In order of time; the last one is rest at the end."""
        up, end = self.rising, SpeedPiece(self.duration, self.distance, 0.0, 0.0)
        if self.ramp is None:
            return SpeedPiece(0.0, 0.0, self.speed, 0.0), end
        first, even = 0.5 * self.top * up, max(0.0, self.duration - 2 * up)
        stay = (SpeedPiece(up, first, self.top, 0.0),) if even else ()
        fall = SpeedPiece(up + even, self.distance - first, self.top, -self.ramp)
        return SpeedPiece(0.0, 0.0, 0.0, self.ramp), *stay, fall, end

    def at(self, time: Any) -> tuple[Floats, Floats]:
        """Way [m] and speed [m/s] at times [s]; at rest before and after."""
        times, ways, speeds, gains = np.array(self.pieces).T
        t = np.maximum(np.asarray(time, float), 0.0)
        k = np.searchsorted(times, t, "right") - 1
        since = t - times[k]
        speed = np.where(np.asarray(time) < 0, 0.0, speeds[k] + gains[k] * since)
        return ways[k] + since * (speeds[k] + 0.5 * gains[k] * since), speed

    def time_at(self, way: Any) -> Floats:
        """[s] at which it is at ways [m] between its ends."""
        way = np.asarray(way, float)
        if self.ramp is None:
            return np.asarray(way / self.speed)
        rise = self.top * self.top / (2 * self.ramp)
        up = np.sqrt(2 * np.clip(way, 0, rise) / self.ramp)
        down = np.sqrt(2 * np.clip(self.distance - way, 0, rise) / self.ramp)
        plain = np.clip(way - rise, 0, self.distance - 2 * rise) / self.top
        times = np.asarray(up + plain + (self.top / self.ramp - down))
        return np.where(way <= 0, 0.0, times)


def distance_in(lasts: float, speed: float, ramp: float | None) -> float:
    """How far such a way goes that takes a time [m]."""
    if ramp is None:
        return speed * lasts
    return ramp * (lasts / 2) ** 2 if lasts < 2 * speed / ramp else speed * (lasts - speed / ramp)
