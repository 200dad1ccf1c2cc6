"""Where a stretch may end: candidates in order, each an exact place.

On a curve t = -P/Q everything is a root in u: other curves (a quartic each, by
eliminating t), folds, the ends of the edge, rest, the chart's end, a limit of
the angle, and the friction thresholds and reversals in closed form (Donald &
Pai 1992, sections 7 and 8.3; signs as corrected in the theory page). At a
constant angle, and at rest, everything is linear in t.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cmp_to_key

from detent.motion.quasistatic.exact.continuation import ContactArc
from detent.motion.quasistatic.machine.limits import AngleLimit
from detent.motion.quasistatic.slice.curves import ContactCurve, FeaturePair, Form, cleared
from detent.motion.quasistatic.slice.table import Slice, SlicePoint
from detent.numeric.polynomial.algebraic import FIRST_BITS, Real, compare, real, real_roots


@dataclass(frozen=True)
class StopCandidate:
    """A place on a stretch where something may happen, and what."""

    place: SlicePoint
    # geometry, turn, chart, limit, friction: a turn (a fold, rest), the chart's end and a limit end the
    # search, and a new one begins there.
    tags: frozenset[str]


# Of the distance to the nearest certain stop, so that rounding hides none before it.
MARGIN = 1e-9

Found = tuple[Real, str, FeaturePair | None]


def stops_on(slice_: Slice, arc: ContactArc, limits: tuple[AngleLimit, ...]) -> Iterator[StopCandidate]:
    """Candidates along an arc, nearest first; the arc's own start is not one."""
    candidates = _on_curve(slice_, arc, limits) if arc.curve is not None else _at_angle(slice_, arc)
    forward = arc.heading if arc.curve is not None else 1
    start = arc.place.u if arc.curve is not None else arc.place.t
    ahead = [entry for entry in candidates if compare(entry[0], start) == forward]
    ahead.sort(key=cmp_to_key(_backwards if forward < 0 else _order))
    for group in _equal(ahead):
        place = _place(arc, group[0][0])
        tags = {
            tag
            for _, tag, pair in group
            if pair is None or tag == "friction" or pair.touches(place.t, place.u)
        }
        if tags:
            yield StopCandidate(place, frozenset(tags))
        if tags & {"turn", "chart", "limit"}:
            return


def leaves_limits(arc: ContactArc, limits: tuple[AngleLimit, ...]) -> bool:
    """Whether an arc begins exactly at a limit and goes beyond it."""
    return any(limit.side == arc.heading and limit.at(arc.place) for limit in limits)


def stops_at_rest(slice_: Slice, place: SlicePoint) -> Iterator[SlicePoint]:
    """Times at which a relaxed pawl may be touched, in order."""
    zero = real(0)
    times: dict[str, Real] = {}
    for pair in slice_.table(0).pairs:
        for time in _linear_times(pair, zero):
            if time > place.t and str(time.poly) not in times and pair.touches(time, zero):
                times[str(time.poly)] = time
    for time in sorted(times.values()):
        yield SlicePoint(time, 0, zero)


def _equal(entries: list[Found]) -> Iterator[list[Found]]:
    """Runs of equal values in a sorted list."""
    group: list[Found] = []
    for entry in entries:
        if group and compare(group[0][0], entry[0]) != 0:
            yield group
            group = []
        group.append(entry)
    if group:
        yield group


def _order(a: Found, b: Found) -> int:
    return compare(a[0], b[0])


def _backwards(a: Found, b: Found) -> int:
    return compare(b[0], a[0])


def _place(arc: ContactArc, value: Real) -> SlicePoint:
    if arc.curve is None:
        return SlicePoint(value, arc.place.half, arc.place.u)
    return SlicePoint(arc.curve.time(value), arc.place.half, value)


def _on_curve(slice_: Slice, arc: ContactArc, limits: tuple[AngleLimit, ...]) -> Iterator[Found]:
    curve, half = arc.curve, arc.place.half
    assert curve is not None
    sure: list[Found] = [(real(arc.heading), "chart", None)]
    if half == 0:
        sure.append((real(0), "turn", None))
    sure += [(real(limit.u), "limit", None) for limit in limits if limit.half == half]
    sure += [(root, "turn", None) for root in real_roots(curve.folds)]
    yield from sure
    # The arc cannot pass the nearest of these unchanged, so nothing beyond is looked at.
    u = arc.place.u
    bounds = [value for value, _, _ in sure] + _edge_ends(arc)
    nearest = min(abs(float(value) - float(u)) for value in bounds if compare(value, u) == arc.heading)
    reach = float(u) + arc.heading * nearest * (1 + MARGIN)
    low, high = sorted((float(u), reach))
    for pair in slice_.table(half).meeting(curve, low, high):
        crossing = pair.gap.along(curve)
        polys = [crossing]
        if crossing.is_zero():
            polys = [pair.start.along(curve), pair.end.along(curve), pair.flat]
        for poly in polys:
            for root in real_roots(poly):
                if root.bounds[0] <= high and root.bounds[1] >= low and _may_touch(pair, curve, root):
                    yield root, "geometry", pair
    for pair in arc.loaded:
        for form in friction_forms(pair, arc.side):
            for root in real_roots(form.along(curve)):
                yield root, "friction", pair


def _edge_ends(arc: ContactArc) -> list[Real]:
    """Where a touching vertex passes an end of its edge; not where it only comes to the end and goes back."""
    assert arc.curve is not None
    ends = [end.along(arc.curve) for pair in arc.loaded for end in (pair.start, pair.end)]
    return [root for end in ends for root in real_roots(end) if root.of(end.derivative()).sign()]


def _may_touch(pair: FeaturePair, curve: ContactCurve, u: Real) -> bool:
    """False only where the vertex is certainly beyond an end of the edge."""
    ball = u.ball(FIRST_BITS)
    t = -curve.p(ball) / curve.q(ball)
    return not any(form.constant(ball) + t * form.slope(ball) < 0 for form in (pair.start, pair.end))


def _at_angle(slice_: Slice, arc: ContactArc) -> Iterator[Found]:
    u = arc.place.u
    for pair in slice_.table(arc.place.half).pairs:
        for time in _linear_times(pair, u):
            yield time, "geometry", pair
    for pair in arc.loaded:
        for form in friction_forms(pair, arc.side):
            slope = u.of(form.slope)
            if slope.sign():
                yield -u.of(form.constant) / slope, "friction", pair


def _linear_times(pair: FeaturePair, u: Real) -> Iterator[Real]:
    """Times at which a pair may come to touch, or cease to, at a constant angle."""
    constant, slope = u.of(pair.gap.constant), u.of(pair.gap.slope)
    forms: tuple[tuple[Real, Real], ...] = ((constant, slope),)
    if slope.sign() == 0:
        if constant.sign():
            return
        forms = tuple((u.of(f.constant), u.of(f.slope)) for f in (pair.start, pair.end))
        # What is left of the gap beside the constant angle: a curve, or the instant at the hinge.
        if pair.cofactor is not None:
            forms += ((u.of(pair.cofactor.constant), u.of(pair.cofactor.slope)),)
    for constant, slope in forms:
        if slope.sign():
            yield -constant / slope


def friction_forms(pair: FeaturePair, side: int) -> list[Form]:
    """Zero where the pair would begin to stick, slipping either way, and where its slip reverses."""
    if pair.friction == 0:
        return []
    forms = [stick_form(pair, side, towards) for towards in (1, -1)]
    _, _, slip = pair.lever
    return [*forms, cleared(*slip)]


def stick_form(pair: FeaturePair, side: int, towards: int) -> Form:
    """Positive where the pair slides: side (r x n) + mu sign(r . v) (r . n).

    The contact force f = n - mu sign(slip) T balances the spring only when r x f
    has the sign of the angle. Slip has the sign of -side (r . v), since
    slip = -|n|^2 (r . v) / (r x n).
    """
    across, along, _ = pair.lever
    factor = pair.friction * towards
    return cleared(side * across[0] + factor * along[0], side * across[1] + factor * along[1])


def slip_form(pair: FeaturePair) -> Form:
    """r . v: minus the slip, up to a factor with the sign of the side."""
    return cleared(*pair.lever[2])
