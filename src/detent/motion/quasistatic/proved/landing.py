"""Where a snap lands, proved: rotation towards rest at a time that is enclosed, to the first pair entered."""

from __future__ import annotations

from detent.motion.quasistatic.floats.tracker import known
from detent.motion.quasistatic.proved.stops import CROSSING, REST, TIE, ProvedStop, sooner
from detent.motion.quasistatic.proved.terms import (
    FORM,
    UNIT,
    FormTerms,
    Pairs,
    ProvedPush,
    ProvedRoom,
    ProvedState,
    beyond_end,
    gap_form,
    sample_pairs,
    sample_push,
    sample_room,
    sample_state,
    squared_length,
)
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.enclose import NONE, RISES, UNSURE, Quartic, first_touch, sign_on

CHARTS = 6  # half rotations that are followed; springs wound up farther are left to algebra


@kernel(sample=lambda: (FormTerms(1.0, 2.0, 3.0, 0.5, 0.25, 0.5, 10.0, 1.0), 20.0, 20.0, -1.0), bare=True)
def frozen(form: FormTerms, low: float, high: float, heading: float) -> tuple[Quartic, float]:
    """A form at a time between two, in w = heading u, and what it may be wrong by."""
    c0, c1, c2, s0, s1, s2, size, speed = form
    t = (low + high) / 2
    noise = 2 * FORM * (size + abs(t) * speed) + 4 * (high - low + 4 * UNIT * abs(t)) * speed
    return (c0 + t * s0, heading * (c1 + t * s1), c2 + t * s2, 0.0, 0.0), noise


@kernel(
    sample=lambda: (
        *(sample_push(), sample_pairs(), sample_state(30.0, -0.1, 1, 0, 2)),
        *(sample_room(), False),
    )
)
def lands(
    push: ProvedPush, pairs: Pairs, state: ProvedState, room: ProvedRoom, folded: bool
) -> tuple[int, ProvedStop]:
    """The chart and the w = -side u at which a pawl that lets go is stopped: CROSSING, REST or TIE.

    `state` has the place at which it lets go and the contact that it leaves, which at a fold
    (`folded`) it touches nowhere else: a quadratic has no third root.
    """
    keys, spans, near, count = pairs
    where, now, zeros = state
    kind, k, j, side = now[1], now[2], now[3], now[4]
    low, high = where[0], where[1]
    heading = -1.0 * side
    while count[1] < len(keys) and spans[count[1], 0] <= high:
        near[count[0]] = count[1]
        count[0] += 1
        count[1] += 1
    half = now[0]
    begin, begun = (where[2], where[3]) if heading > 0 else (-where[3], -where[2])
    for chart in range(CHARTS):
        if chart > 0:
            half -= side
            begin, begun = -1.0, -1.0
        stop = ProvedStop(1.0, 1.0, -1, -1, 0, 0)
        if half == 0:
            stop = ProvedStop(0.0, 0.0, REST, -1, 0, 0)
            if begun >= 0.0:
                return half, ProvedStop(begin, begin, TIE, -1, 0, 0)
        for i in range(count[0]):
            other, a, b = keys[near[i], 0], keys[near[i], 1], keys[near[i], 2]
            g, noise = frozen(gap_form(push, half, other, a, b, 0), low, high, heading)
            if sign_on(g, begin, stop.hi, noise) != 0:
                continue
            twin = other == 0 and push.links[push.links[a, 1], 1] == a
            if folded and other == kind and b == j and (a == k or (twin and a == push.links[k, 1])):
                continue
            place = gap_form(push, half, other, a, b, 1)
            starts, wrong = frozen(place, low, high, heading)
            ends, _ = frozen(beyond_end(place, squared_length(push, other, a, b)), low, high, heading)
            touched = chart == 0 and not folded and known(zeros, now[7], other, a, b)
            status, lo, hi = first_touch(
                *(g, starts, ends, noise, wrong, begin, stop.hi, begun, touched, stop.hi, False),
                room.spans,
            )
            if status == RISES:
                status = NONE if twin else UNSURE
            if status != NONE:
                stop = sooner(stop, status, lo, hi, CROSSING, other, a, b)
        if stop.what >= 0:
            return half, stop
    return half, ProvedStop(begin, begin, TIE, -1, 0, 0)
