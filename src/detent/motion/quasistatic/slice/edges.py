"""The contact curves of a slice as pieces that rise or fall in time, and where they meet; exact.

A pair touches along t = -P/Q between the ends of its edge, or at a constant
angle for a while. Cut at folds and at those ends, every piece is monotone in
time, so that it has one angle at each of its times. Their ends and crossings
are the only times at which the order of the pieces, or which angles are free,
can change.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cmp_to_key
from itertools import pairwise
from typing import Any

import numpy as np

from detent.motion.quasistatic.slice.curves import ContactCurve, FeaturePair, angles_at
from detent.motion.quasistatic.slice.table import CurveTable, Slice
from detent.numeric.polynomial.algebraic import FIRST_BITS, Real, between, compare, real, real_roots

Bounds = tuple[float, float]


@dataclass(frozen=True, eq=False)
class BoundaryPiece:
    """Part of a contact curve in one chart, from (t0, u0) to a later (t1, u1)."""

    pair: FeaturePair
    half: int
    curve: ContactCurve | None  # None at a constant angle
    t0: Real
    u0: Real
    t1: Real
    u1: Real
    met: list[tuple[Real, Real]] = field(default_factory=list)  # where it crosses others: t and u

    def angle(self, t: Real) -> Real:
        """Its u at one of its times, the first and the last included."""
        at_once = self._known(t)
        if at_once is not None:
            return at_once
        assert self.curve is not None
        low, high = sorted((self.u0, self.u1))
        angles = [
            u for u in angles_at(self.curve.p, self.curve.q, t) if compare(low, u) <= 0 <= compare(high, u)
        ]
        assert len(angles) == 1
        return angles[0]

    def _known(self, t: Real) -> Real | None:
        """Its u at an end or a crossing, or at any time where it is constant."""
        if self.curve is None:
            return self.u0
        ends = ((self.t0, self.u0), (self.t1, self.u1), *self.met)
        return next((u for time, u in ends if compare(t, time) == 0), None)

    def bounds(self, t: Real) -> Bounds:
        """Doubles around its u at a time, proved by ball arithmetic; its whole range where that fails."""
        at_once = self._known(t)
        if at_once is not None:
            return at_once.bounds
        assert self.curve is not None
        low, high = sorted((self.u0, self.u1))
        every = low.bounds[0], high.bounds[1]
        ball = t.ball(FIRST_BITS)
        c, b, a = (self.curve.p[k] + ball * self.curve.q[k] for k in range(3))
        square = b * b - 4 * a * c
        if not square > 0:
            return every
        # Two forms of each root, of which one divides by no difference of near numbers.
        intervals = []
        for root in (square.sqrt(), -square.sqrt()):
            for value in (_quotient(root - b, 2 * a), _quotient(2 * c, -b - root)):
                if value is not None:
                    intervals.append(
                        (
                            np.nextafter(float(value.lower()), -np.inf),
                            np.nextafter(float(value.upper()), np.inf),
                        )
                    )
                    break
            else:
                return every
        inside = [f for f in intervals if f[0] <= every[1] and f[1] >= every[0]]
        return inside[0] if len(inside) == 1 else every


def _quotient(a: Any, b: Any) -> Any:
    return None if b.contains(0) else a / b


def pieces(slice_: Slice, half: int, begin: Real, end: Real) -> list[BoundaryPiece]:
    """Every piece of a chart between two rational times."""
    every_piece: list[BoundaryPiece] = []
    for pair in slice_.table(half).pairs:
        if pair.curve is not None:
            every_piece += _curved(pair, pair.curve, half, begin, end)
        if pair.flat.degree() > 0:
            every_piece += _flat(pair, half, begin, end)
    return every_piece


def instants(slice_: Slice, half: int, begin: Real, end: Real) -> Iterator[Real]:
    """Times at which a pair touches at every angle: a vertex at the hinge."""
    for pair in slice_.table(half).pairs:
        if pair.instant is not None and begin < pair.instant < end:
            yield pair.instant


def _curved(
    pair: FeaturePair, curve: ContactCurve, half: int, begin: Real, end: Real
) -> Iterator[BoundaryPiece]:
    polys = [curve.folds, curve.q, pair.start.along(curve), pair.end.along(curve)]
    polys += [_at_time(curve, t) for t in (begin, end)]
    one = real(1)
    cuts = [u for poly in polys for u in real_roots(poly) if compare(-one, u) < 0 < compare(one, u)]
    for a, b in pairwise(distinct([-one, *cuts, one])):
        u = real(between(a, b))
        if u.of(curve.q).sign() == 0:
            continue
        t = curve.time(u)
        if begin < t < end and all(form.at(t, u).sign() >= 0 for form in (pair.start, pair.end)):
            (t0, u0), (t1, u1) = sorted(((curve.time(v), v) for v in (a, b)), key=lambda e: e[0])
            yield BoundaryPiece(pair, half, curve, t0, u0, t1, u1)


def _at_time(curve: ContactCurve, t: Real) -> Any:
    value = t.rational
    assert value is not None
    return curve.p * value.q + curve.q * value.p


def _flat(pair: FeaturePair, half: int, begin: Real, end: Real) -> Iterator[BoundaryPiece]:
    one = real(1)
    for u in real_roots(pair.flat):
        if not compare(-one, u) <= 0 <= compare(one, u):
            continue
        first, last = begin, end
        for form in (pair.start, pair.end):
            constant, slope = u.of(form.constant), u.of(form.slope)
            if slope.sign() == 0:
                last = last if constant.sign() >= 0 else first
            elif slope.sign() > 0:
                first = max(first, -constant / slope)
            else:
                last = min(last, -constant / slope)
        if first < last:
            yield BoundaryPiece(pair, half, None, first, u, last, u)


def find_crossings(chart: list[BoundaryPiece]) -> None:
    """Where two pieces of one chart meet: both then know it."""
    boxes = np.array(
        [
            (
                p.t0.bounds[0],
                p.t1.bounds[1],
                min(p.u0.bounds[0], p.u1.bounds[0]),
                max(p.u0.bounds[1], p.u1.bounds[1]),
            )
            for p in chart
        ]
    ).reshape(-1, 4)
    table = CurveTable([piece.curve for piece in chart])
    for i, piece in enumerate(chart):
        near = (boxes[:, 0] <= boxes[i, 1]) & (boxes[:, 1] >= boxes[i, 0])
        near &= (boxes[:, 2] <= boxes[i, 3]) & (boxes[:, 3] >= boxes[i, 2])
        near[: i + 1] = False
        if piece.curve is not None:
            near[near] = table.may_meet(i, np.flatnonzero(near), boxes[i, 2], boxes[i, 3])
        for k in np.flatnonzero(near):
            _meet(piece, chart[int(k)])


def _meet(a: BoundaryPiece, b: BoundaryPiece) -> None:
    if a.curve is None:
        a, b = b, a
    if a.curve is None:
        return
    if b.curve is not None and a.curve.key == b.curve.key:
        _share_ends(a, b)
        return
    angles = [b.u0] if b.curve is None else real_roots(a.curve.p * b.curve.q - b.curve.p * a.curve.q)
    for u in angles:
        if all(_spans(piece, u) for piece in (a, b)) and u.of(a.curve.q).sign():
            t = a.curve.time(u)
            if b.t0 <= t <= b.t1:
                a.met.append((t, u))
                b.met.append((t, u))


def _share_ends(a: BoundaryPiece, b: BoundaryPiece) -> None:
    """Two pieces of one curve: each knows where the other begins and ends on it."""
    for one, other in ((a, b), (b, a)):
        for t, u in ((one.t0, one.u0), (one.t1, one.u1)):
            if _spans(other, u):
                other.met.append((t, u))


def _spans(piece: BoundaryPiece, u: Real) -> bool:
    if piece.curve is None:
        return True
    low, high = sorted((piece.u0, piece.u1))
    if u.bounds[1] < low.bounds[0] or u.bounds[0] > high.bounds[1]:
        return False
    return compare(low, u) <= 0 <= compare(high, u)


def distinct(values: list[Real]) -> list[Real]:
    """In order, each once."""
    ordered = sorted(values, key=cmp_to_key(compare))
    return [v for k, v in enumerate(ordered) if k == 0 or compare(ordered[k - 1], v) != 0]
