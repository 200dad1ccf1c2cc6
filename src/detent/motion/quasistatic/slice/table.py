"""One pawl on one straight push: the slice of its configuration space.

The slice holds exact pairs, and beside them the same coefficients as doubles
with error bounds, so that whole tables are filtered at once and only the few
pairs that matter are looked at exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from flint import arb, ctx

from detent.geometry.exact.polygon import ExactLeaf, Point
from detent.motion.quasistatic.slice.curves import ContactCurve, FeaturePair, pair, reachable
from detent.numeric.polynomial.algebraic import Real
from detent.numeric.polynomial.balls import GUARD_BITS, nearest
from detent.numeric.polynomial.bernstein import may_vanish

Floats = np.ndarray[Any, np.dtype[np.float64]]

# A gap that is zero stays below this share of its terms in doubles: they lose
# a few units in 2^53, so eight thousand times that misses none.
NEAR_ZERO = 2.0**-40
# Relative error of a coefficient after rounding it to a double.
ROUNDED = 2.0**-52

# Of an angle before it is rounded: twice a double's, so that the nearest double comes out.
ANGLE_BITS = 110


@dataclass(frozen=True)
class SlicePoint:
    """A configuration: t along the push, and the angle half * pi + 2 atan(u)."""

    t: Real
    half: int
    u: Real

    @property
    def side(self) -> int:
        """On which side of rest it lies: -1, 0 or 1."""
        if self.half:
            return 1 if self.half > 0 else -1
        return self.u.sign()

    def angle(self) -> float:
        """[rad] from rest."""
        with ctx.workprec(ANGLE_BITS + GUARD_BITS):
            return nearest(self.half * arb.pi() + 2 * self.u.ball(ANGLE_BITS).atan())


class SliceTable:
    """The pairs of a slice in one chart, exactly and as doubles."""

    def __init__(self, pairs: Sequence[FeaturePair]) -> None:
        self.pairs = tuple(pairs)
        rows = [_scaled(pair) for pair in pairs]
        self.constant = np.array([row[0] for row in rows]).reshape(-1, 3)
        self.slope = np.array([row[1] for row in rows]).reshape(-1, 3)

    def near(self, t: float, u: float) -> list[FeaturePair]:
        """Pairs whose gap may be zero here; a superset of those that touch."""
        powers = np.array([1.0, u, u * u])
        gap = self.constant @ powers + t * (self.slope @ powers)
        size = np.abs(self.constant) @ np.abs(powers) + abs(t) * (np.abs(self.slope) @ np.abs(powers))
        return [self.pairs[i] for i in np.flatnonzero(np.abs(gap) <= NEAR_ZERO * size)]

    def within(self, t: tuple[float, float], u: tuple[float, float]) -> list[FeaturePair]:
        """Pairs whose gap may be zero somewhere in a box; a superset of those that touch there."""
        (time, late), (angle, wide) = ((sum(ends) / 2, abs(ends[1] - ends[0]) / 2) for ends in (t, u))
        powers = np.array([1.0, angle, angle * angle])
        gap = self.constant @ powers + time * (self.slope @ powers)
        # By the mean value theorem, with bounds of both derivatives in the box.
        latest, widest = abs(time) + late, abs(angle) + wide
        steepest = np.abs(self.slope) @ np.array([1.0, widest, widest * widest])
        largest = np.abs(self.constant) + latest * np.abs(self.slope)
        change = late * steepest + wide * (largest @ np.array([0.0, 1.0, 2 * widest]))
        size = largest @ np.array([1.0, widest, widest * widest])
        return [self.pairs[i] for i in np.flatnonzero(np.abs(gap) <= change + NEAR_ZERO * size)]

    def touching_at(self, t: float, low: float, high: float) -> list[FeaturePair]:
        """Pairs whose gap may be zero at a time t (a double near it), at an angle from low to high."""
        gaps = self.constant + t * self.slope
        size = np.abs(self.constant) + abs(t) * np.abs(self.slope)
        mask = may_vanish(gaps, 8 * ROUNDED * size, low, high)
        return [self.pairs[i] for i in np.flatnonzero(mask)]

    def meeting(self, curve: ContactCurve, low: float, high: float) -> list[FeaturePair]:
        """Pairs that may meet the curve at an angle from low to high."""
        p, q = _doubles(curve.p, curve.q)
        crossing = _product(self.constant, q) - _product(self.slope, p)
        size = _product(np.abs(self.constant), np.abs(q)) + _product(np.abs(self.slope), np.abs(p))
        mask = may_vanish(crossing, 8 * ROUNDED * size, low, high)
        return [self.pairs[i] for i in np.flatnonzero(mask)]


class CurveTable:
    """Contact curves as doubles; a row of zeros, which may meet anything, where there is none."""

    def __init__(self, curves: Sequence[ContactCurve | None]) -> None:
        none = np.zeros(3)
        rows = [(none, none) if curve is None else _doubles(curve.p, curve.q) for curve in curves]
        self.p = np.array([p for p, _ in rows]).reshape(-1, 3)
        self.q = np.array([q for _, q in rows]).reshape(-1, 3)

    def may_meet(self, i: int, others: Any, low: float, high: float) -> Any:
        """A mask over others: False only for those that meet a curve nowhere at an angle from low to high."""
        p, q = self.p[i], self.q[i]
        crossing = _product(self.p[others], q) - _product(self.q[others], p)
        size = _product(np.abs(self.p[others]), np.abs(q)) + _product(np.abs(self.q[others]), np.abs(p))
        return may_vanish(crossing, 8 * ROUNDED * size, low, high)


class Slice:
    """A pawl, what it may touch, and the line its hinge is pushed along while t runs over a span."""

    def __init__(
        self,
        pawl: Sequence[ExactLeaf],
        obstacles: Sequence[tuple[ExactLeaf, Any]],
        hinge: Point,
        velocity: Point,
        span: tuple[float, float],
    ) -> None:
        self.span = span
        self.pawl = tuple(pawl)
        self.obstacles = tuple(obstacles)
        self.hinge = hinge
        self.velocity = velocity

    @cached_property
    def _even(self) -> SliceTable:
        return self._table(turned=False)

    @cached_property
    def _odd(self) -> SliceTable:
        return self._table(turned=True)

    def table(self, half: int) -> SliceTable:
        return self._odd if half % 2 else self._even

    def _table(self, *, turned: bool) -> SliceTable:
        return SliceTable(
            [
                pair(which, leaf, obstacle, self.hinge, self.velocity, friction, turned)
                for leaf in self.pawl
                for obstacle, friction in self.obstacles
                for which in reachable(leaf, obstacle, self.hinge, self.velocity, self.span)
            ]
        )

    def touching(self, place: SlicePoint) -> list[FeaturePair]:
        """The pairs in contact, in the order in which they are named: type A first."""
        near = self.table(place.half).near(float(place.t), float(place.u))
        touching = [pair for pair in near if pair.touches(place.t, place.u)]
        return sorted(touching, key=lambda pair: pair.order)

    def hinge_at(self, t: float) -> tuple[float, float]:
        """Where the hinge is, in doubles."""
        x, y = (float(h) + t * float(v) for h, v in zip(self.hinge, self.velocity, strict=True))
        return x, y

    def posed(self, leaf: ExactLeaf, t: Any, half: int, u: Any) -> list[Point]:
        """The pawl's vertices in the world; numbers may be rational or algebraic."""
        scale = 1 + u * u
        cosine, sine = (1 - u * u) / scale, 2 * u / scale
        if half % 2:
            cosine, sine = -cosine, -sine
        x, y = self.hinge[0] + t * self.velocity[0], self.hinge[1] + t * self.velocity[1]
        return [(x + cosine * a - sine * b, y + sine * a + cosine * b) for a, b in leaf.points]


def _scaled(pair: FeaturePair) -> tuple[list[float], list[float]]:
    """Coefficients as doubles, the largest near one."""
    p, q = _doubles(pair.gap.constant, pair.gap.slope)
    return list(p), list(q)


def _doubles(p: Any, q: Any) -> tuple[Floats, Floats]:
    largest = max([abs(int(c)) for c in (*p.coeffs(), *q.coeffs())], default=1) or 1
    # Python divides integers of any size to the nearest double.
    return (
        np.array([int(p[k]) / largest for k in range(3)]),
        np.array([int(q[k]) / largest for k in range(3)]),
    )


def _product(rows: Floats, poly: Floats) -> Floats:
    """Each row, a quadratic, times one quadratic."""
    result = np.zeros((len(rows), 5))
    for k in range(3):
        result[:, k : k + 3] += rows * poly[k]
    return result
