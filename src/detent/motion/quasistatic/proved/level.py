"""Stops at a constant angle, at rest or on a wall parallel to the motion: all gaps are linear in t."""

from __future__ import annotations

from detent.motion.quasistatic.floats.tracker import known
from detent.motion.quasistatic.proved.stops import (
    CORNER,
    CROSSING,
    DONE,
    TIE,
    ProvedStop,
    at_corner_of,
    sooner,
)
from detent.motion.quasistatic.proved.terms import (
    FORM,
    UNIT,
    FormTerms,
    Pairs,
    ProvedPush,
    ProvedState,
    gap_form,
    sample_pairs,
    sample_push,
    sample_state,
    squared_length,
)
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.enclose import FALLS, UNSURE

Line = tuple[float, float, float, float]  # constant and slope in t, and what they may be wrong by


@kernel(sample=lambda: (FormTerms(1.0, 2.0, 3.0, 0.5, 0.25, 0.5, 10.0, 1.0), 0.1, 0.1), bare=True)
def line_at(form: FormTerms, low: float, high: float) -> Line:
    """A form at an angle between two, as a line in t."""
    c0, c1, c2, s0, s1, s2, size, speed = form
    u = (low + high) / 2
    # By the mean value theorem |c'| is at most 6 times the size.
    wide = FORM + 3 * (high - low)
    return c0 + u * (c1 + u * c2), s0 + u * (s1 + u * s2), wide * size, wide * speed


@kernel(sample=lambda: (1.0, -0.5, 1e-14, 1e-14, 0.0, 0.0), bare=True)
def sign_of_line(c: float, s: float, dc: float, ds: float, low: float, high: float) -> int:
    """The sign that a line certainly has between two times."""
    wrong = dc + max(abs(low), abs(high)) * (ds + 4 * UNIT * abs(s)) + 4 * UNIT * abs(c)
    first, last = c + low * s, c + high * s
    if min(first, last) > wrong:
        return 1
    if max(first, last) < -wrong:
        return -1
    return 0


@kernel(sample=lambda: (1.0, -0.5, 1e-14, 1e-14), bare=True)
def root_of_line(c: float, s: float, dc: float, ds: float) -> tuple[bool, float, float]:
    """Whether it certainly has one root, and where."""
    if abs(s) <= 4 * ds:
        return False, 0.0, 0.0
    t = -c / s
    wrong = 2 * (dc + abs(t) * ds) / abs(s) + 4 * UNIT * abs(t)
    return True, t - wrong, t + wrong


@kernel(sample=lambda: (sample_push(), sample_pairs(), sample_state()))
def stops_at_angle(push: ProvedPush, pairs: Pairs, state: ProvedState) -> ProvedStop:
    """The nearest time at which a pawl that keeps its angle meets something; lo and hi are times."""
    keys, spans, near, count = pairs
    where, now, zeros = state
    half, kind, k, j = now[0], now[1], now[2], now[3]
    begin, begun, low, high = where[0], where[1], where[2], where[3]
    stop = ProvedStop(push.until[0], push.until[1], DONE, -1, 0, 0)
    if kind >= 0:
        stop = _own_end(push, state, stop)
    segment = kind == 0 and push.links[push.links[k, 1], 1] == k
    i = 0
    while True:
        if i < count[0]:
            row = near[i]
        elif count[1] < len(keys) and spans[count[1], 0] <= stop.hi:
            row = count[1]
            near[count[0]] = row
            count[0] += 1
            count[1] += 1
        else:
            return stop
        i += 1
        other, a, b = keys[row, 0], keys[row, 1], keys[row, 2]
        c, s, dc, ds = line_at(gap_form(push, half, other, a, b, 0), low, high)
        if stop.hi < begin or sign_of_line(c, s, dc, ds, begin, stop.hi) != 0:
            continue
        if other == kind and b == j and (a == k or (segment and a == push.links[k, 1])):
            continue
        place = line_at(gap_form(push, half, other, a, b, 1), low, high)
        length = squared_length(push, other, a, b) * (1 + ((low + high) / 2) ** 2)
        sure, first, last = root_of_line(c, s, dc, ds)
        if not sure:
            # Nowhere near its edge in all this time, or not told.
            beyond = _off_edge(*place, length, begin, stop.hi)
            if not beyond:
                stop = sooner(stop, UNSURE, begin, begin, TIE, -1, 0, 0)
            continue
        if known(zeros, now[7], other, a, b) or last < begin:
            continue
        if stop.what == CORNER and at_corner_of(push, other, a, b, stop) and last >= stop.lo:
            continue
        if _off_edge(*place, length, first, last):
            continue
        twin = other == 0 and push.links[push.links[a, 1], 1] == a
        if s > 0 and twin and first > begun:
            continue
        status = FALLS if s < 0 and first > begun and _on_edge(*place, length, first, last) else UNSURE
        stop = sooner(stop, status, max(first, begin), last, CROSSING, other, a, b)


@kernel(sample=lambda: (0.5, 0.1, 1e-14, 1e-14, 4.0, 0.0, 1.0), bare=True)
def _off_edge(c: float, s: float, dc: float, ds: float, length: float, low: float, high: float) -> bool:
    """Whether a place along an edge is certainly beyond the same end of it between two times."""
    before = sign_of_line(c, s, dc, ds, low, high) < 0
    return bool(before or sign_of_line(length - c, -s, dc, ds, low, high) < 0)


@kernel(sample=lambda: (0.5, 0.1, 1e-14, 1e-14, 4.0, 0.0, 1.0), bare=True)
def _on_edge(c: float, s: float, dc: float, ds: float, length: float, low: float, high: float) -> bool:
    beyond_start = sign_of_line(c, s, dc, ds, low, high) > 0
    return bool(beyond_start and sign_of_line(length - c, -s, dc, ds, low, high) > 0)


@kernel(
    sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2), ProvedStop(60.0, 60.0, DONE, -1, 0, 0))
)
def _own_end(push: ProvedPush, state: ProvedState, stop: ProvedStop) -> ProvedStop:
    """When a vertex that slides along a wall at a constant angle comes to the wall's end."""
    where, now = state.where, state.now
    half, kind, k, j, at_end = now[0], now[1], now[2], now[3], now[5]
    low, high = where[2], where[3]
    c, s, dc, ds = line_at(gap_form(push, half, kind, k, j, 1), low, high)
    length = squared_length(push, kind, k, j) * (1 + ((low + high) / 2) ** 2)
    end = 1 if s > 0 else 0
    if end == 1:
        c, s = length - c, -s
    sure, first, last = root_of_line(c, s, dc, ds)
    # It must be on its way from one end to the other.
    leaving = at_end == 2 - end or (at_end == 0 and sign_of_line(c, s, dc, ds, where[0], where[1]) > 0)
    if not sure or not leaving:
        return ProvedStop(where[0], where[0], TIE, -1, 0, 0)
    vertex = push.wall_links[j, 1] if end == 1 else j
    return sooner(stop, FALLS, first, last, CORNER, end, k, vertex)  # type: ignore[no-any-return]
