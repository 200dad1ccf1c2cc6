"""A stretch of sliding in doubles: its angle at any of its times, from the curve itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.motion.quasistatic.exact.pawl import SlidingStretch
from detent.motion.quasistatic.slice.table import SlicePoint

Values = Any  # an array or a number, real or complex


class StretchPath:
    """Time and angle of a stretch as functions of one parameter: u along a curve, else t."""

    def __init__(self, stretch: SlidingStretch) -> None:
        self.arc = stretch.arc
        self.half = stretch.begin.half
        self.ends = self._parameter(stretch.begin), self._parameter(stretch.end)
        self.span = float(stretch.begin.t), float(stretch.end.t)  # its times on the leg's line
        curve = self.arc.curve
        if curve is not None:
            scale = max(abs(int(c)) for c in (*curve.p.coeffs(), *curve.q.coeffs()))
            self._p, self._q = ([int(poly[k]) / scale for k in range(3)] for poly in (curve.p, curve.q))

    def time(self, parameter: Values) -> Values:
        """The time on the leg's line."""
        if self.arc.curve is None:
            return parameter
        return -_at(self._p, parameter) / _at(self._q, parameter)

    def angle(self, parameter: Values) -> Values:
        """The angle from rest."""
        u = float(self.arc.place.u) + 0 * parameter if self.arc.curve is None else parameter
        return self.half * math.pi + 2 * np.arctan(u)

    def parameter_at(self, t: float) -> float:
        """The parameter at a time inside the stretch."""
        if self.arc.curve is None:
            return t
        if t in self.span:  # where the curve folds, its root would be known to half the digits only
            return self.ends[self.span.index(t)]
        a, b, c = (self._p[k] + t * self._q[k] for k in (2, 1, 0))
        low, high = sorted(self.ends)
        return min(max(_nearest_root(a, b, c, (low + high) / 2), low), high)

    def _parameter(self, place: SlicePoint) -> float:
        return float(place.t if self.arc.curve is None else place.u)


def _nearest_root(a: float, b: float, c: float, middle: float) -> float:
    """The root of a u^2 + b u + c nearest to the middle of a stretch, which holds only one."""
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    q = -(b + math.copysign(root, b)) / 2
    roots = [value for value in (q / a if a else math.inf, c / q if q else 0.0) if math.isfinite(value)]
    return min(roots, key=lambda u: abs(u - middle))


def _at(poly: list[float], u: Values) -> Values:
    return poly[0] + u * (poly[1] + u * poly[2])
