"""Cubic splines along one side of a plate: the shape functions of Ritz's method, and their integrals.

An end that is clamped neither moves nor turns: the two B-splines that would are left out. At a free end
nothing need be asked of the functions, for the least energy brings its conditions about; `straight` asks for
no curvature there all the same, as the functions of Meitinger & Pfeiffer have it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

DEGREE = 3
_MOST_UNEVEN = 3.0  # an interval over the one beside it
_LEAST_INTERVALS = 4


class SplineSide:
    """Shape functions along a side, between knots from 0 to its length."""

    def __init__(self, knots: Floats, clamped: tuple[bool, bool], straight: bool) -> None:
        from scipy.interpolate import BSpline

        self.knots = knots
        ends = knots[[0, -1]]
        full = np.concatenate([[ends[0]] * DEGREE, knots, [ends[1]] * DEGREE])
        count = len(full) - DEGREE - 1
        self._spline: Any = BSpline(full, np.eye(count), DEGREE)
        kept = np.eye(count)
        gone: list[int] = []
        bends = self._spline.derivative(2)(ends)
        for end, (last, before, third) in enumerate(((0, 1, 2), (count - 1, count - 2, count - 3))):
            if clamped[end]:
                gone += [last, before]
            elif straight:  # the last coefficient from those beside it, so that the curvature is zero
                kept[last] = 0.0
                kept[last, [before, third]] = -bends[end, [before, third]] / bends[end, last]
                gone.append(last)
        self._kept = np.delete(kept, gone, axis=1)

    @property
    def count(self) -> int:
        return int(self._kept.shape[1])

    def at(self, places: Floats, derivative: int = 0) -> Floats:
        """(places, count): the functions or a derivative of them."""
        spline = self._spline.derivative(derivative) if derivative else self._spline
        return np.asarray(spline(places) @ self._kept)

    def rooted(self) -> list[Floats]:
        """By derivative (places, count): the functions at places, times roots of weights.

        So the integral of a product of two derivatives is a product of two of these matrices.
        """
        places, weights = _gauss(self.knots)
        roots = np.sqrt(weights)[:, None]
        return [roots * self.at(places, derivative) for derivative in range(3)]

    def at_foot(self, middle: float, width: float) -> tuple[Floats, Floats]:
        """(count,) each: how far a foot goes and how far it turns, per function.

        Of a point, value and slope. Of a foot with a width, the mean and the mean slope that go with an even
        pressure and with one that grows across it: the work of either is force times one, moment times other.
        """
        if not width:
            place = np.array([middle])
            return self.at(place)[0], self.at(place, 1)[0]
        low, high = max(middle - width / 2, 0.0), min(middle + width / 2, float(self.knots[-1]))
        inside = self.knots[(self.knots > low) & (self.knots < high)]
        places, weights = _gauss(np.array([low, *inside, high]))
        values = self.at(places)
        lever = weights * (places - middle)
        return weights @ values / width, 12.0 / width**3 * (lever @ values)


def _gauss(knots: Floats) -> tuple[Floats, Floats]:
    """Places and weights that integrate products of two splines between the knots exactly."""
    nodes, weights = np.polynomial.legendre.leggauss(DEGREE + 1)
    half = np.diff(knots)[:, None] / 2
    places = knots[:-1, None] + half * (nodes + 1)
    return places.ravel(), (half * weights).ravel()


def graded_knots(length: float, marked: list[float]) -> Floats:
    """Knots at the places marked, and between them so that no interval is much longer than its neighbours."""
    near = 1e-9 * length
    knots = [0.0, *sorted(place for place in set(marked) if near < place < length - near), length]
    while True:
        steps = np.diff(knots)
        beside = np.minimum(np.append(steps[1:], np.inf), np.insert(steps[:-1], 0, np.inf))
        long = (steps > _MOST_UNEVEN * beside * (1 + 1e-12)) | (
            steps > length / _LEAST_INTERVALS * (1 + 1e-12)
        )
        if not long.any():
            return np.array(knots)
        middles = [(knots[k] + knots[k + 1]) / 2 for k in np.flatnonzero(long)]
        knots = sorted([*knots, *middles])


def halved(knots: Floats) -> Floats:
    """With a knot in the middle of each interval."""
    return np.sort(np.concatenate([knots, (knots[:-1] + knots[1:]) / 2]))
