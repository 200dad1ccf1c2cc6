"""Enclosures: what a quantity can be while the drive moves through an interval.

Each number carries an interval at the middle of the drive's interval, one over
all of it, and one for its derivative there; the second is kept within the mean
value form middle + derivative x [-r, r], so that enclosures tighten with the
square of the width. Bounds are widened by two units in the last place after
every operation, which covers rounding. One object holds many intervals at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.kinematics.rows import Floats

Pair = tuple[Floats, Floats]
ULPS = 2 * np.finfo(float).eps
TINY = np.finfo(float).tiny


@dataclass(frozen=True)
class Enclosure:
    """Value at the middle, over the interval, and derivative over the interval."""

    middle: Pair
    value: Pair
    rate: Pair
    radius: Floats  # half width of the drive's interval

    def __add__(self, other: Enclosure) -> Enclosure:
        return self._made(
            _add(self.middle, other.middle), _add(self.value, other.value), _add(self.rate, other.rate)
        )

    def __sub__(self, other: Enclosure) -> Enclosure:
        return self + (-other)

    def __neg__(self) -> Enclosure:
        return Enclosure(_neg(self.middle), _neg(self.value), _neg(self.rate), self.radius)

    def __mul__(self, other: Enclosure) -> Enclosure:
        rate = _add(_mul(self.rate, other.value), _mul(self.value, other.rate))
        return self._made(_mul(self.middle, other.middle), _mul(self.value, other.value), rate)

    def __truediv__(self, other: Enclosure) -> Enclosure:
        value = _div(self.value, other.value)
        rate = _div(_add(self.rate, _neg(_mul(value, other.rate))), other.value)
        return self._made(_div(self.middle, other.middle), value, rate)

    def square(self) -> Enclosure:
        return self._made(_square(self.middle), _square(self.value), _mul(_mul(_two, self.value), self.rate))

    def root(self) -> Enclosure:
        """The square root; not a number where the value may be negative."""
        value = _root(self.value)
        return self._made(_root(self.middle), value, _div(self.rate, _mul(_two, value)))

    def half(self) -> Enclosure:
        return Enclosure(_halved(self.middle), _halved(self.value), _halved(self.rate), self.radius)

    def times(self, sign: float) -> Enclosure:
        return self if sign > 0 else -self

    def _made(self, middle: Pair, value: Pair, rate: Pair) -> Enclosure:
        reach = _mul(rate, (-self.radius, self.radius))
        around = _add(middle, reach)
        # An unbounded rate says nothing: the plain interval stays.
        lo = np.where(np.isnan(around[0]), value[0], np.fmax(value[0], around[0]))
        hi = np.where(np.isnan(around[1]), value[1], np.fmin(value[1], around[1]))
        return Enclosure(middle, (lo, hi), rate, self.radius)


def constant(value: float, radius: Floats) -> Enclosure:
    """The same number throughout."""
    level = np.full_like(radius, value)
    zero = np.zeros_like(radius)
    return Enclosure((level, level), (level, level), (zero, zero), radius)


def line(middle: Floats, slope: Floats, radius: Floats) -> Enclosure:
    """A quantity that moves evenly with the drive."""
    m = _wide((middle, middle))
    s = _wide((slope, slope))
    return Enclosure(m, _add(m, _mul(s, (-radius, radius))), s, radius)


def cosine_and_sine(angle: Enclosure) -> tuple[Enclosure, Enclosure]:
    one = np.ones_like(angle.radius)
    cos, sin = _trig(np.cos, angle.middle), _trig(np.sin, angle.middle)
    reach = _mul(
        (np.zeros_like(one), np.abs(angle.rate[1]) + np.abs(angle.rate[0])), (-angle.radius, angle.radius)
    )
    wide = [tuple(np.clip(x, -1, 1) for x in _add(f, reach)) for f in (cos, sin)]
    c, s = ((w[0], w[1]) for w in wide)
    return (
        Enclosure(cos, c, _neg(_mul(s, angle.rate)), angle.radius),
        Enclosure(sin, s, _mul(c, angle.rate), angle.radius),
    )


def _trig(f: object, angle: Pair) -> Pair:
    """A sine of a nearly single angle: it changes no faster than the angle."""
    assert callable(f)
    middle = 0.5 * (angle[0] + angle[1])
    off = 0.5 * (angle[1] - angle[0]) + ULPS * (1 + np.abs(middle))
    value = f(middle)
    return value - off, value + off


_two: Pair = (np.array(2.0), np.array(2.0))


def _wide(pair: Pair) -> Pair:
    lo, hi = pair
    return lo - ULPS * np.abs(lo) - TINY, hi + ULPS * np.abs(hi) + TINY


def _add(a: Pair, b: Pair) -> Pair:
    return _wide((a[0] + b[0], a[1] + b[1]))


def _neg(a: Pair) -> Pair:
    return -a[1], -a[0]


def _mul(a: Pair, b: Pair) -> Pair:
    corners = (a[0] * b[0], a[0] * b[1], a[1] * b[0], a[1] * b[1])
    lo = np.minimum(np.minimum(corners[0], corners[1]), np.minimum(corners[2], corners[3]))
    hi = np.maximum(np.maximum(corners[0], corners[1]), np.maximum(corners[2], corners[3]))
    return _wide((lo, hi))


def _div(a: Pair, b: Pair) -> Pair:
    spans = (b[0] <= 0) & (b[1] >= 0)
    safe = tuple(np.where(spans, 1.0, x) for x in b)
    lo, hi = _mul(a, _wide((1 / safe[1], 1 / safe[0])))
    return np.where(spans, -np.inf, lo), np.where(spans, np.inf, hi)


def _square(a: Pair) -> Pair:
    low = np.where((a[0] <= 0) & (a[1] >= 0), 0.0, np.minimum(np.abs(a[0]), np.abs(a[1])))
    high = np.maximum(np.abs(a[0]), np.abs(a[1]))
    lo, hi = _wide((low * low, high * high))
    return np.maximum(lo, 0.0), hi


def _root(a: Pair) -> Pair:
    lo, hi = _wide((np.sqrt(a[0]), np.sqrt(a[1])))
    return np.maximum(lo, 0.0), hi


def _halved(a: Pair) -> Pair:
    return 0.5 * a[0], 0.5 * a[1]
