"""What ends an arc of sliding, proved: the nearest of all stops, told apart from the next.

On a curve t = -p/q everything is a root of a quartic at most in w = heading u: the end of the
chart, rest, a fold, the end of the leg, the ends of the contact's edge, friction thresholds, a
reversed slip, a limit of the angle, and every other pair that is touched. Each is enclosed, only as far as
the nearest stop found before it; two enclosures that overlap are a tie, which is left to algebra.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from detent.motion.quasistatic.floats.tracker import known
from detent.motion.quasistatic.proved.terms import (
    ALONG,
    FORM,
    ArcCurve,
    FormTerms,
    Pairs,
    ProvedPush,
    ProvedRoom,
    ProvedState,
    ahead_form,
    along,
    beyond_end,
    curve_of,
    fold_form,
    gap_form,
    noise_along,
    sample_pairs,
    sample_push,
    sample_room,
    sample_state,
    squared_length,
    times_on,
)
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.enclose import (
    FALLS,
    NONE,
    RISES,
    UNSURE,
    Quartic,
    first_touch,
    first_zero,
    sign_on,
    slope_on,
)

DONE, CHART, FOLD, REST, CROSSING, CORNER, STICK, TURNED, LIMIT, TIE = range(10)
INNER = 10  # a corner that sticks inward: its other edge is simply met
# Of a limit of the angle: what its double may be wrong by, and what is too near to it.
AT_LIMIT = 1e-14


class ProvedStop(NamedTuple):
    """Between which w an arc ends, by what, and the pair or corner and end of the edge that it meets."""

    lo: float
    hi: float
    what: int
    kind: int
    k: int
    j: int


def _sample_stop() -> ProvedStop:
    return ProvedStop(1.0, 1.0, CHART, -1, 0, 0)


@kernel(sample=lambda: (_sample_stop(), UNSURE, 0.25, 0.5, FOLD, -1, 0, 0), bare=True)
def sooner(
    stop: ProvedStop, status: int, lo: float, hi: float, what: int, kind: int, k: int, j: int
) -> ProvedStop:
    """The nearer of the stop that is known and another; a tie where they cannot be told apart."""
    if status == NONE or lo > stop.hi:
        return stop
    if status == UNSURE:
        hi, what = lo, TIE
    if hi < stop.lo:
        return ProvedStop(lo, hi, what, kind, k, j)
    nearest = min(lo, stop.lo)
    return ProvedStop(nearest, nearest, TIE, -1, 0, 0)


class FrictionForms(NamedTuple):
    """r x n, r . n and r . v of a contact as constant and slope, unscaled, and the size of the first two."""

    across: FormTerms
    resists: FormTerms
    slip: FormTerms


@kernel(sample=lambda: (sample_push(), 0, 1, 0, 2), bare=True)
def friction_forms(push: ProvedPush, half: int, kind: int, k: int, j: int) -> FrictionForms:
    """The same as `slice.curves` has them exactly."""
    turned = push.odd if half % 2 != 0 else push.pawl
    walls = push.walls
    vx, vy = push.velocity[0], push.velocity[1]
    ax, ay, wx, wy = turned[k, 0], turned[k, 1], walls[j, 0], walls[j, 1]
    rush = abs(vx) + abs(vy)
    if kind == 1:
        nx, ny = walls[j, 3], -walls[j, 2]
        edge, reach = abs(nx) + abs(ny), abs(ax) + abs(ay)
        dot, cross = ax * nx + ay * ny, ax * ny - ay * nx
        size = edge * reach
        forward, aside = ax * vx + ay * vy, ax * vy - ay * vx
        return FrictionForms(
            FormTerms(cross, -2 * dot, -cross, 0.0, 0.0, 0.0, size, 0.0),
            FormTerms(dot, 2 * cross, -dot, 0.0, 0.0, 0.0, size, 0.0),
            FormTerms(forward, 2 * aside, -forward, 0.0, 0.0, 0.0, reach * rush, 0.0),
        )
    nx, ny = turned[k, 3], -turned[k, 2]
    edge, reach = abs(nx) + abs(ny), abs(wx) + abs(wy)
    dot, cross, d = wx * nx + wy * ny, wx * ny - wy * nx, nx * ax + ny * ay
    v_dot, v_cross = vx * nx + vy * ny, vx * ny - vy * nx
    size, speed = edge * (reach + abs(ax) + abs(ay)), edge * rush
    forward, square = wx * vx + wy * vy, vx * vx + vy * vy
    # With r = q - v t: of the vertex about the hinge.
    return FrictionForms(
        FormTerms(-cross, -2 * dot, cross, v_cross, 2 * v_dot, -v_cross, size, speed),
        FormTerms(-d, 0.0, -d, 0.0, 0.0, 0.0, size, speed),
        FormTerms(forward, 0.0, forward, -square, 0.0, -square, reach * rush, rush * rush),
    )


@kernel(sample=lambda: (sample_push(), 0, 1, 0, 2, -1, 1), bare=True)
def slide_form(push: ProvedPush, half: int, kind: int, k: int, j: int, side: int, towards: int) -> FormTerms:
    """Positive while the contact slides: side (r x n) + mu sign(r . v) (r . n)."""
    across, resists, _ = friction_forms(push, half, kind, k, j)
    pull = push.walls[j, 5] * towards
    return FormTerms(
        side * across.c0 + pull * resists.c0,
        side * across.c1 + pull * resists.c1,
        side * across.c2 + pull * resists.c2,
        side * across.s0,
        side * across.s1,
        side * across.s2,
        across.size * (1 + 2 * abs(pull)),
        across.speed * (1 + 2 * abs(pull)),
    )


def _sample_arc() -> tuple[Any, ...]:
    return sample_push(), sample_state(20.5, -0.05, 1, 0, 2), sample_room(), _sample_curve(), 1.0


def _sample_curve() -> ArcCurve:
    return curve_of(gap_form(sample_push(), 0, 1, 0, 2, 0), 1.0, 1.0)  # type: ignore[no-any-return]


@kernel(sample=lambda: (*_sample_arc(), _sample_stop()))
def stops_by_friction(
    push: ProvedPush,
    state: ProvedState,
    room: ProvedRoom,
    curve: ArcCurve,
    heading: float,
    stop: ProvedStop,
) -> tuple[int, ProvedStop]:
    """The sign of r . v along the arc (0: not told), and the nearest stop with threshold and reversal."""
    now = state.now
    half, kind, k, j, side = now[0], now[1], now[2], now[3], now[4]
    begin, begun = _begin(state, heading)
    turned = now[6]
    _, _, slip = friction_forms(push, half, kind, k, j)
    slips = along(slip, curve, heading)
    noise = noise_along(slip, curve)
    if turned != 0:
        towards = turned
    else:
        towards = sign_on(slips, begin, begun, noise)
        if towards == 0:
            return 0, stop
    slide = slide_form(push, half, kind, k, j, side, towards)
    slides, wrong = along(slide, curve, heading), noise_along(slide, curve)
    sliding = sign_on(slides, begin, begun, wrong)
    if sliding == 0:
        return 0, stop
    if sliding < 0:
        return towards, ProvedStop(begin, begun, STICK, kind, k, j)
    status, lo, hi = first_zero(slides, wrong, begin, stop.hi, begun, False, room.spans)
    stop = sooner(stop, status, lo, hi, STICK, kind, k, j)
    status, lo, hi = first_zero(slips, noise, begin, stop.hi, begun, turned != 0, room.spans)
    return towards, sooner(stop, status, lo, hi, TURNED, kind, k, j)


@kernel(sample=lambda: (sample_state(20.5, -0.05), 1.0))
def _begin(state: ProvedState, heading: float) -> tuple[float, float]:
    """The enclosure of w where an arc begins."""
    low, high = state.where[2], state.where[3]
    if heading < 0:
        return -high, -low
    return low, high


@kernel(sample=_sample_arc)
def own_stops(
    push: ProvedPush, state: ProvedState, room: ProvedRoom, curve: ArcCurve, heading: float
) -> ProvedStop:
    """The nearest stop that the arc has by itself, whatever else there is."""
    now, spans = state.now, room.spans
    half, kind, k, j, side, at_end = now[0], now[1], now[2], now[3], now[4], now[5]
    begin, begun = _begin(state, heading)
    stop: ProvedStop = ProvedStop(1.0, 1.0, CHART, -1, 0, 0)
    if half == 0 and heading * side < 0:
        if begun >= 0.0:
            return ProvedStop(begin, begin, TIE, -1, 0, 0)
        stop = ProvedStop(0.0, 0.0, REST, -1, 0, 0)
    for i in range(len(push.limits)):
        w = heading * push.limits[i, 1]
        if push.limits[i, 0] == half and w >= begin - AT_LIMIT:
            stop = sooner(stop, UNSURE, max(w - AT_LIMIT, begin), w, LIMIT, -1, 0, 0)
    # Where q vanishes the time is infinite: nothing beyond counts.
    poles: Quartic = (curve.q0, curve.q1, curve.q2, 0.0, 0.0)
    status, lo, hi = first_zero(poles, FORM * curve.speed, begin, stop.hi, begun, False, spans)
    stop = sooner(stop, status if status == NONE else UNSURE, lo, hi, TIE, -1, 0, 0)
    noise = ALONG * curve.size * curve.speed
    status, lo, hi = first_zero(fold_form(curve), noise, begin, stop.hi, begun, False, spans)
    stop = sooner(stop, status, lo, hi, FOLD, -1, 0, 0)
    ahead, noise = ahead_form(curve, push.until[0], push.until[1])
    if sign_on(ahead, begin, begun, noise) <= 0:
        return ProvedStop(begin, begin, TIE, -1, 0, 0)
    status, lo, hi = first_zero(ahead, noise, begin, stop.hi, begun, False, spans)
    stop = sooner(stop, status, lo, hi, DONE, -1, 0, 0)
    place = gap_form(push, half, kind, k, j, 1)
    noise = noise_along(place, curve)
    for end in range(2):
        form = place if end == 0 else beyond_end(place, squared_length(push, kind, k, j))
        g = along(form, curve, heading)
        fresh = at_end == end + 1
        # At that end it begins, and must leave it.
        inside = slope_on(g, begin, begun, noise) if fresh else sign_on(g, begin, begun, noise)
        if inside <= 0:
            return ProvedStop(begin, begin, TIE, -1, 0, 0)
        status, lo, hi = first_zero(g, noise, begin, stop.hi, begun, fresh, spans)
        if kind == 1:
            stop = sooner(stop, status, lo, hi, CORNER, end, k, push.wall_links[j, 1] if end == 1 else j)
        else:
            stop = sooner(stop, status, lo, hi, CORNER, end, push.links[k, 1] if end == 1 else k, j)
    return stop


@kernel(
    sample=lambda: (
        *(sample_push(), sample_pairs(), sample_state(20.5, -0.05, 1, 0, 2), sample_room()),
        *(_sample_curve(), 1.0, _sample_stop()),
    )
)
def stops_at_others(
    push: ProvedPush,
    pairs: Pairs,
    state: ProvedState,
    room: ProvedRoom,
    curve: ArcCurve,
    heading: float,
    stop: ProvedStop,
) -> ProvedStop:
    """The nearest stop with all other pairs that come near enough before it."""
    keys, spans, near, count = pairs
    now, zeros = state.now, state.zeros
    half, kind, k, j = now[0], now[1], now[2], now[3]
    begin, begun = _begin(state, heading)
    segment = kind == 0 and push.links[push.links[k, 1], 1] == k
    _, latest = times_on(curve, stop.lo, stop.hi)
    latest = min(latest, push.until[1])
    i = 0
    while True:
        if i < count[0]:
            row = near[i]
        elif count[1] < len(keys) and spans[count[1], 0] <= latest:
            row = count[1]
            near[count[0]] = row
            count[0] += 1
            count[1] += 1
        else:
            return stop
        i += 1
        other, a, b = keys[row, 0], keys[row, 1], keys[row, 2]
        form = gap_form(push, half, other, a, b, 0)
        g, noise = along(form, curve, heading), noise_along(form, curve)
        if sign_on(g, begin, stop.hi, noise) != 0:
            continue
        if other == kind and b == j and (a == k or (segment and a == push.links[k, 1])):
            continue
        corner = stop.what == CORNER and at_corner_of(push, other, a, b, stop)
        place = gap_form(push, half, other, a, b, 1)
        wrong = noise_along(place, curve)
        starts = along(place, curve, heading)
        ends = along(beyond_end(place, squared_length(push, other, a, b)), curve, heading)
        touched = known(zeros, now[7], other, a, b)
        status, lo, hi = first_touch(
            *(g, starts, ends, noise, wrong, begin, stop.hi, begun, touched, stop.lo, corner),
            room.spans,
        )
        if status == RISES:
            # From behind it meets an edge of no thickness only, whose other side falls there.
            status = NONE if other == 0 and push.links[push.links[a, 1], 1] == a else UNSURE
        if status != NONE:
            stop = sooner(stop, status, lo, hi, CROSSING, other, a, b)
            if status == FALLS:
                latest = min(latest, times_on(curve, stop.lo, stop.hi)[1])
            if math.isnan(stop.lo):
                return ProvedStop(begin, begin, TIE, -1, 0, 0)


@kernel(sample=lambda: (sample_push(), 1, 0, 2, ProvedStop(0.5, 0.5, CORNER, 0, 0, 2)))
def at_corner_of(push: ProvedPush, kind: int, a: int, b: int, stop: ProvedStop) -> bool:
    """Whether a pair is one of the four that meet where a vertex comes to a vertex."""
    if kind == 1:
        return bool(a == stop.k and (b == stop.j or b == push.wall_links[stop.j, 0]))
    return bool(b == stop.j and (a == stop.k or a == push.links[stop.k, 0]))
