"""Gaps of vertex-edge pairs in doubles, with bounds on what they may be wrong by.

The coefficients are those of `floats.coefficients`, about the hinge at t = 0 and from the pawl at rest
(half a rotation on in odd charts), so that none depends on where the pawl is: rounding does not gather
along a path. Rows have edges as they are, not of unit length; each number of a row is the double nearest
to an exact one.

Bounds, with U = 2^-53 and d, a, w the sums of the absolute coordinates of an edge, of the pawl's vertex
and of the obstacle's: a coefficient is a sum of at most four products of two rounded numbers, each at
most C = d (a + w + d), and so wrong by at most 32 U C; one of its slope in t by 32 U S, S = d |v|. Along
a curve, a coefficient is a sum of at most six products of two of these, none above 4 (C S' + S C').
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.motion.quasistatic.floats.coefficients import (
    edge_length,
    gap_terms,
    place_terms,
    sample_links,
    sample_shapes,
)
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.enclose import DEPTH, Quartic

UNIT = 2.0**-53
TERM = 32 * UNIT  # of a coefficient, per C or S
FORM = 4 * TERM  # of a value of a gap at |u| <= 1: three coefficients and their sums
# Of a Bernstein coefficient of a gap along a curve: 5 times 512 U, and rounding of what are at most
# five terms of 12 (C S' + S C') each.
ALONG = 2.0**-40


class ProvedPush(NamedTuple):
    """A pawl about its hinge and obstacles about where that is at t = 0, and how it moves."""

    pawl: Any  # a vertex, the edge from it, that edge's length squared
    odd: Any  # the same half a rotation on
    links: Any  # the vertex before and after, and whether it sticks out
    walls: Any  # as `pawl`, and the friction
    wall_links: Any
    level: Any  # 1 for walls that are exactly parallel to the motion
    velocity: Any
    until: Any  # an enclosure
    limits: Any  # of the angle: chart and u


class Pairs(NamedTuple):
    """The pairs that can touch, by the time from which on the hinge is near enough."""

    keys: Any  # kind, k, j
    spans: Any  # from when to when
    near: Any  # scratch: rows of those that are near now
    count: Any  # of these; and the first row that has not come near yet


class ProvedState(NamedTuple):
    """Where the pawl is and what it touches."""

    where: Any  # enclosures of t and of u
    now: Any  # chart; kind (-1 at rest), k, j; side; which end of its edge it is at (0, 1 start, 2 end);
    #           the sign of r . v to go on with where it is zero; how many of `zeros` are known
    zeros: Any  # other pairs that touch here


class ProvedRoom(NamedTuple):
    """Scratch, and room for rows of what happened."""

    spans: Any
    rows: Any


class FormTerms(NamedTuple):
    """constant(u) + t slope(u) of a pair, with the sizes that its errors are measured by."""

    c0: float
    c1: float
    c2: float
    s0: float
    s1: float
    s2: float
    size: float
    speed: float


class ArcCurve(NamedTuple):
    """t = -p/q in w = heading u, q positive; sizes as of `FormTerms`."""

    p0: float
    p1: float
    p2: float
    q0: float
    q1: float
    q2: float
    size: float
    speed: float


def sample_push() -> ProvedPush:
    """A pawl that a push lifts over a corner."""
    pawl, walls = sample_shapes()
    for rows in (pawl, walls):
        rows[:, 2:4] *= rows[:, 4:5]
        rows[:, 4] **= 2
    walls[:, :2] -= (0.0, 20.0)
    odd = pawl.copy()
    odd[:, :4] *= -1
    links = sample_links()
    level = (walls[:, 2] == 0).astype(np.int64)
    velocity, until = np.array([0.0, -1.0]), np.array([60.0, 60.0])
    return ProvedPush(pawl, odd, links, walls, links, level, velocity, until, np.zeros((0, 2)))


def sample_pairs() -> Pairs:
    keys = np.array([(kind, k, j) for kind in (0, 1) for k in range(4) for j in range(4)])
    spans = np.tile(np.array([0.0, 90.0]), (32, 1))
    return Pairs(keys, spans, np.zeros(32, dtype=np.int64), np.zeros(2, dtype=np.int64))


def sample_state(t: float = 0.0, u: float = 0.0, kind: int = -1, k: int = 0, j: int = 0) -> ProvedState:
    where, now = np.array([t, t, u, u]), np.array([0, kind, k, j, -1, 0, 0, 0])
    return ProvedState(where, now, np.zeros((8, 3), dtype=np.int64))


def sample_room() -> ProvedRoom:
    return ProvedRoom(np.zeros((DEPTH + 4, 2)), np.zeros((16, COLUMNS)))


# Of a row: what happened; enclosures of t and u; the chart; the pair that acts from then on or was met;
# its side; the heading of the arc that ended, or where a snap landed: chart and u; whether it was at a
# corner, where the arc began, or where its slip is zero (0, 1, 2); the end of the edge that was met; the
# heading of the arc that begins; the sign of r . v along the arc that ended.
COLUMNS = 17

_SAMPLE_TERMS = FormTerms(1.0, 2.0, 3.0, 0.5, 0.25, 0.5, 10.0, 1.0)
_SAMPLE_CURVE = ArcCurve(1.0, 2.0, 3.0, 1.0, 0.25, 0.5, 10.0, 1.0)


@kernel(sample=lambda: (sample_push(), 1, 0, 2, 1, 0), bare=True)
def gap_form(push: ProvedPush, half: int, kind: int, k: int, j: int, place: int) -> FormTerms:
    """The gap of a pair, or (`place` = 1) how far its vertex is along the edge times the edge's length."""
    turned = push.odd if half % 2 != 0 else push.pawl
    walls = push.walls
    vx, vy = push.velocity[0], push.velocity[1]
    if place == 1:
        c0, c1, c2, s0, s1, s2 = place_terms(kind, k, j, turned, walls, 0.0, 0.0, vx, vy)
    else:
        c0, c1, c2, s0, s1, s2 = gap_terms(kind, k, j, turned, walls, 0.0, 0.0, vx, vy)
    if kind == 1:
        edge = abs(walls[j, 2]) + abs(walls[j, 3])
        if push.level[j] == 1 and place == 0:
            s0, s1, s2 = 0.0, 0.0, 0.0
    else:
        edge = abs(turned[k, 2]) + abs(turned[k, 3])
    size = edge * (abs(turned[k, 0]) + abs(turned[k, 1]) + abs(walls[j, 0]) + abs(walls[j, 1]) + edge)
    return FormTerms(c0, c1, c2, s0, s1, s2, size, edge * (abs(vx) + abs(vy)))


@kernel(sample=lambda: (_SAMPLE_TERMS, 4.0), bare=True)
def beyond_end(form: FormTerms, length: float) -> FormTerms:
    """Of a place along an edge: how far the edge's end is from there."""
    c0, c1, c2, s0, s1, s2, size, speed = form
    return FormTerms(length - c0, -c1, length - c2, -s0, -s1, -s2, size, speed)


@kernel(sample=lambda: (sample_push(), 1, 0, 2), bare=True)
def squared_length(push: ProvedPush, kind: int, k: int, j: int) -> float:
    length: float = edge_length(kind, k, j, push.pawl, push.walls)
    return length


@kernel(sample=lambda: (_SAMPLE_TERMS, -1.0, 1.0), bare=True)
def curve_of(form: FormTerms, heading: float, sign: float) -> ArcCurve:
    """The curve of a gap, in w = heading u, with q of the sign given made positive."""
    c0, c1, c2, s0, s1, s2, size, speed = form
    odd = sign * heading
    return ArcCurve(sign * c0, odd * c1, sign * c2, sign * s0, odd * s1, sign * s2, size, speed)


@kernel(sample=lambda: (_SAMPLE_TERMS, _SAMPLE_CURVE, -1.0), bare=True)
def along(form: FormTerms, curve: ArcCurve, heading: float) -> Quartic:
    """A form times q along a curve t = -p/q: a quartic in w = heading u."""
    c0, c1, c2, s0, s1, s2, _, _ = form
    p0, p1, p2, q0, q1, q2, _, _ = curve
    c1, s1 = heading * c1, heading * s1
    return (
        c0 * q0 - s0 * p0,
        (c0 * q1 + c1 * q0) - (s0 * p1 + s1 * p0),
        (c0 * q2 + c1 * q1 + c2 * q0) - (s0 * p2 + s1 * p1 + s2 * p0),
        (c1 * q2 + c2 * q1) - (s1 * p2 + s2 * p1),
        c2 * q2 - s2 * p2,
    )


@kernel(sample=lambda: (_SAMPLE_TERMS, _SAMPLE_CURVE), bare=True)
def noise_along(form: FormTerms, curve: ArcCurve) -> float:
    return ALONG * (form.size * curve.speed + form.speed * curve.size)


@kernel(sample=lambda: (_SAMPLE_CURVE,), bare=True)
def fold_form(curve: ArcCurve) -> Quartic:
    """p q' - p' q: of the sign of dt/dw."""
    p0, p1, p2, q0, q1, q2, _, _ = curve
    return p0 * q1 - p1 * q0, 2 * (p0 * q2 - p2 * q0), p1 * q2 - p2 * q1, 0.0, 0.0


@kernel(sample=lambda: (_SAMPLE_CURVE, 60.0, 60.0), bare=True)
def ahead_form(curve: ArcCurve, low: float, high: float) -> tuple[Quartic, float]:
    """p + until q: positive before the end of the leg; and what it may be wrong by."""
    p0, p1, p2, q0, q1, q2, size, speed = curve
    t = (low + high) / 2
    noise = FORM * 4 * (size + abs(t) * speed) + 6 * (high - low + UNIT * abs(t)) * speed
    return (p0 + t * q0, p1 + t * q1, p2 + t * q2, 0.0, 0.0), noise


@kernel(sample=lambda: (_SAMPLE_CURVE, 0.1, 0.2), bare=True)
def times_on(curve: ArcCurve, low: float, high: float) -> tuple[float, float]:
    """An enclosure of the times on a short piece of a curve on which q stays positive."""
    p0, p1, p2, q0, q1, q2, size, speed = curve
    least, most = math.inf, -math.inf
    for w in (low, high):
        p, q = p0 + w * (p1 + w * p2), q0 + w * (q1 + w * q2)
        if q <= 2 * speed * (2 * FORM + 12 * (high - low)):
            return -math.inf, math.inf
        t = -p / q
        wrong = 2 * FORM * (size + abs(t) * speed) / q + 4 * UNIT * abs(t)
        # How far it is from either end, by the mean value theorem: |p'|, |q'| <= 6 times their sizes.
        slope = 6 * (size + (abs(t) + wrong) * speed) / q
        wrong += (high - low) * slope * 2
        least, most = min(least, t - wrong), max(most, t + wrong)
    return least, most
