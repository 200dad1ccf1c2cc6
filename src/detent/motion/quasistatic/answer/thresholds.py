"""How much friction a stretch of sliding would bear, and how fast its contact slides, along it.

A contact slides while side (r x n) + mu sign(r . v) (r . n) is above zero (`exact/stops.py`): so it would
stick with a coefficient of the quotient of the two, or with more. What friction does not stop it does not
change either, since the motion is quasi-static: the path is that without friction, up to where it sticks.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from detent.motion.quasistatic.answer.stretch_path import StretchPath
from detent.motion.quasistatic.exact.pawl import SlidingStretch
from detent.motion.quasistatic.slice.curves import FeaturePair
from detent.numeric.roots import golden_minimum

LOOKS = 96  # of a stretch, between which the least threshold is closed in on


class StretchThreshold(StretchPath):
    """The coefficient of friction at which a stretch would stick, as a function of its parameter.

    Where several contacts carry it slides as long as one can. `weights` are frictions of obstacles as shares
    of one coefficient, by the identity of the leaf; all alike where none is given.
    """

    def __init__(self, stretch: SlidingStretch, weights: Mapping[int, float] | None = None) -> None:
        super().__init__(stretch)
        self.side = stretch.arc.side
        self.pairs = [(pair, _lever(pair)) for pair in stretch.arc.loaded]
        self.weights = weights or {}

    def at(self, parameter: float) -> float:
        """Infinite where no friction would hold it."""
        u = float(self.arc.place.u) if self.arc.curve is None else parameter
        t = float(self.time(parameter))
        return max(self._of(pair, lever, t, u) for pair, lever in self.pairs)

    def _of(self, pair: FeaturePair, lever: Any, t: float, u: float) -> float:
        across, along, slip = (_value(form, t, u) for form in lever)
        if self.arc.curve is None:
            rate = pair.start.slope if pair.kind == "B" else pair.lever[0][1]
            slip = float(-self.side * self.arc.place.u.of(rate).sign())
        weight = self.weights.get(id(pair.obstacle), 1.0)
        holding = -weight * math.copysign(1.0, slip) * along
        if slip == 0.0 or holding <= 0:
            return math.inf
        return max(self.side * across, 0.0) / holding

    def least(self) -> tuple[float, float]:
        """The least threshold along the stretch, and the parameter where it is."""
        first, last = self.ends
        looks = np.linspace(first, last, LOOKS + 1) if first != last else np.array([first])
        values = [self.at(float(each)) for each in looks]
        best = min(range(len(values)), key=values.__getitem__)
        least, where = values[best], float(looks[best])
        for low, high in pairwise(looks[max(best - 1, 0) : best + 2].tolist()):
            if math.isfinite(least):
                place = golden_minimum(self.at, min(low, high), max(low, high))
                if (value := self.at(place)) < least:
                    least, where = value, place
        return least, where


def _lever(pair: FeaturePair) -> Any:
    """r x n, r . n, r . v as coefficients in doubles."""
    return [[_doubles(poly) for poly in form] for form in pair.lever]


def _doubles(poly: Any) -> list[float]:
    return [float(poly[k].p) / float(poly[k].q) for k in range(3)]


def _value(form: Any, t: float, u: float) -> float:
    constant, slope = (a + u * (b + u * c) for a, b, c in form)
    return float(constant + t * slope)
