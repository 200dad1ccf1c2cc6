"""A snap: pure rotation towards rest while the root is still.

Donald & Pai 1992, section 8.3.3. The angle moves through free angles, passing
mere touches, until the next angle would be blocked, or to rest. With t an
algebraic number of its own, the angles at which a pair touches are roots of
the norm of P + t Q, and t is then a rational function of the angle again.
"""

from __future__ import annotations

from functools import cmp_to_key
from typing import Any

from flint import ctx

from detent.geometry.exact.polygon import blocked
from detent.motion.quasistatic.slice.curves import FeaturePair, angles_at
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import FIRST_BITS, Real, between, compare, real


def landing(slice_: Slice, place: SlicePoint) -> SlicePoint:
    """Where the pawl comes to lie when it lets go at a place that is free towards rest."""
    side = place.side
    point = place
    charts = 0  # half rotations that were passed from end to end
    while point.half != 0 or compare(point.u, 0) == side:
        goal = real(0) if point.half == 0 else real(-side)
        for stop in [*_touches(slice_, point, goal), SlicePoint(place.t, point.half, goal)]:
            if not _free_between(slice_, point, stop):
                return point
            point = stop
        if point.half != 0:
            charts += point.half != place.half
            if charts == 2:
                break  # a whole rotation met nothing: no other does
            point = SlicePoint(place.t, point.half - side, real(side))
    return SlicePoint(place.t, 0, real(0))


def _touches(slice_: Slice, begin: SlicePoint, goal: Real) -> list[SlicePoint]:
    """Places strictly between `begin` and the goal at which some pair touches, in order."""
    side = 1 if compare(begin.u, goal) > 0 else -1
    touches: list[SlicePoint] = []
    ends = sorted((float(begin.u), float(goal)))
    ball = begin.t.ball(FIRST_BITS)
    for pair in slice_.table(begin.half).touching_at(float(begin.t), *ends):
        if not _may_meet(pair, ball):
            continue
        for u in angles_at(pair.gap.constant, pair.gap.slope, begin.t):
            if compare(u, goal) == side and compare(begin.u, u) == side:
                time = _time_at(pair, u, begin.t)
                if pair.touches(time, u):
                    touches.append(SlicePoint(time, begin.half, u))
    touches.sort(key=cmp_to_key(lambda a, b: -side * compare(a.u, b.u)))
    distinct: list[SlicePoint] = []
    for place in touches:
        if not distinct or compare(distinct[-1].u, place.u) != 0:
            distinct.append(place)
    return distinct


def _may_meet(pair: FeaturePair, t: Any) -> bool:
    """False only where no angle brings the vertex onto the edge at a time, by balls."""
    c, b, a = (pair.gap.constant[k] + t * pair.gap.slope[k] for k in range(3))
    square = b * b - 4 * a * c
    if square < 0:
        return False
    if not square > 0 or a.contains(0):
        return True
    for root in (square.sqrt(), -square.sqrt()):
        u = (root - b) / (2 * a)
        if not any(form.constant(u) + t * form.slope(u) < 0 for form in (pair.start, pair.end)):
            return True
    return False


def _time_at(pair: FeaturePair, u: Real, t: Real) -> Real:
    """t as an element of the field of u, where the pair gives it so."""
    slope = u.of(pair.gap.slope)
    return t if slope.sign() == 0 else -u.of(pair.gap.constant) / slope


def _free_between(slice_: Slice, a: SlicePoint, b: SlicePoint) -> bool:
    """Whether the angles between two places are free: asked of one rational configuration.

    No pair touches between the two; the rational time lies so near t that no
    gap changes its sign.
    """
    if compare(a.u, b.u) == 0:
        return True
    low, high = (a.u, b.u) if compare(a.u, b.u) < 0 else (b.u, a.u)
    u = between(low, high)
    t = _rational_time(slice_, a, u)
    return not any(
        blocked(leaf, slice_.posed(leaf, t, a.half, u), obstacle)
        for leaf in slice_.pawl
        for obstacle, _ in slice_.obstacles
    )


def _rational_time(slice_: Slice, place: SlicePoint, u: Any) -> Any:
    """A rational so near t that every pair not touching at (t, u) stays apart."""
    exact = place.t.rational
    if exact is not None:
        return exact
    table = slice_.table(place.half)
    bits = FIRST_BITS
    while True:
        later = place.t + real(1) / (1 << bits)
        with ctx.workprec(2 * bits):
            wide = place.t.ball(2 * bits).union(later.ball(2 * bits))
            near = table.within((float(place.t), float(later)), (float(u), float(u)))
            apart = not any(pair.may_touch(wide, u) for pair in near)
        if apart:
            return between(place.t, later)
        bits *= 2
