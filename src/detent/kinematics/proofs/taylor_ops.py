"""The operations of a plan on Taylor models: a proof that a piece of its drive path closes.

The polynomials are computed as if the operands were exact polynomials, each with
the bound of `taylor.py`; what the operands are off is passed on by the derivative
of the whole operation over all that they can be (mean value theorem, see
`sensitivity.py`). The result's own place enters that derivative: it is first
assumed larger than what comes out, and the outcome must lie inside.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.operations.ops import (
    AFFINE,
    CIRCLE_LINE,
    CIRCLES,
    COLUMNS,
    LINES,
    OFFSET,
    QUOTIENT,
    SLIDE,
    SQUARE,
    TANGENT,
    TURN,
)
from detent.kinematics.proofs.sensitivity import (
    MOST_PIECES,
    PIECE,
    around,
    between,
    passed_on,
    pieces,
)
from detent.kinematics.proofs.taylor import (
    ROUND,
    WIDER,
    N,
    cosine_and_sine,
    inverse,
    minus,
    over,
    plus,
    root,
    scaled,
    sway,
    times,
)
from detent.numeric.kernels import kernel

SCRATCH = 20
CLOSES, BREAKS, OPEN = 1, -1, 0
# A result's bound is assumed this much larger than its first estimate when its derivative is enclosed.
GROWN = 4.0


def _sample() -> tuple[Any, ...]:
    """A crank through 0.7 +- 0.1 rad, and a dyad on it."""
    P, E = np.zeros((8, 2, N + 1)), np.zeros((8, 4))
    P[:5, :, 0] = [(0, 0), (1, 0), (4, 0), (9, 9), (0.5, 0.25)]
    E[:, 0] = 1.0
    ops = np.zeros((2, COLUMNS), dtype=np.int64)
    ops[0, :4] = TURN, 5, 0, 1
    ops[1] = CIRCLES, 6, 5, 2, 3, 0, 0, 7, 1
    inputs = np.zeros((1, N + 1))
    inputs[0, :2] = 0.7, 0.1
    return ops, 0, 2, P, E, inputs, np.zeros(1), room(), np.zeros((MOST_PIECES, PIECE))


def room() -> Any:
    """Arrays to work in."""
    return np.zeros((SCRATCH, N + 1))


@kernel(sample=_sample)
def run_models(ops, lo, hi, P, E, inputs, off, S, B):  # type: ignore[no-untyped-def]
    """Rows lo..hi on models; the first that is not proved to close (-1 if none) and what is proved of it.

    `inputs` are polynomials in the piece's parameter, `off` how far each may be from its own.
    """
    for i in range(lo, hi):
        row = ops[i]
        op, o, a, b, c, d = row[0], row[1], row[2], row[3], row[4], row[5]
        x, y = P[o, 0], P[o, 1]
        if op == TURN:
            turn_model(row, P, E, inputs, off, S)
            continue
        if op == SLIDE:
            x[:] = inputs[a]
            y[:] = 0.0
            E[o, 0], E[o, 1], E[o, 2], E[o, 3] = 1.0, 0.0, off[a] + x[N], 0.0
            if b >= 0:
                y[:] = inputs[b]
                E[o, 3] = off[b] + y[N]
            x[N], y[N] = 0.0, 0.0
            continue
        disc = 0.0
        if op == AFFINE:
            minus(P[c, 0], P[b, 0], S[0])
            minus(P[c, 1], P[b, 1], S[1])
            turn_by(P[d, 0], P[d, 1], S[0], S[1], S[2], S[3], S)
            plus(P[a, 0], S[2], x)
            plus(P[a, 1], S[3], y)
        elif op == CIRCLES:
            disc = circles_model(row, P, E, S)
        elif op == CIRCLE_LINE:
            disc = circle_line_model(row, P, E, S)
        elif op == TANGENT:
            disc = tangent_model(row, P, E, S)
        elif op == LINES:
            disc = lines_model(row, P, E, S)
        elif op == QUOTIENT:
            minus(P[b, 0], P[a, 0], S[0])
            minus(P[b, 1], P[a, 1], S[1])
            divided(S[0], S[1], P[c, 0], P[c, 1], x, y, S)
        elif op == SQUARE:
            minus(P[b, 0], P[a, 0], S[0])
            minus(P[b, 1], P[a, 1], S[1])
            norm(S[0], S[1], x, S)
            y[:] = 0.0
        elif op == OFFSET:
            minus(P[c, 0], P[b, 0], S[0])
            minus(P[c, 1], P[b, 1], S[1])
            cross(P[a, 0], P[a, 1], S[0], S[1], x, S)
            y[:] = 0.0
        else:  # PACK
            x[:] = P[a, 0]
            y[:] = P[b, 0]
        bound = 1.5 * max(x[N], y[N])
        x[N], y[N] = 0.0, 0.0
        if op in (CIRCLES, CIRCLE_LINE, TANGENT, LINES):
            h = row[7]
            E[h, 0], E[h, 1], E[h, 3] = 1.0, 0.0, 0.0
            E[h, 2] = (disc + P[h, 0, N]) * WIDER
            P[h, 0, N] = 0.0
            reach = (sway(P[h, 0]) + E[h, 2]) * WIDER
            if not P[h, 0, 0] - reach > 0.0:
                return i, BREAKS if P[h, 0, 0] + reach < 0.0 else OPEN
            if row[8] == 0 and op != LINES:
                continue  # a joint's limit: it places nothing
        E[o, 0], E[o, 1], E[o, 2], E[o, 3] = 1.0, 0.0, bound, bound
        passed_on(E, B, pieces(row, P, E, B), o, bound)
        if op in (CIRCLES, TANGENT, LINES, QUOTIENT):
            assumed = GROWN * (E[o, 2] + E[o, 3])
            E[o, 0], E[o, 1], E[o, 2], E[o, 3] = 1.0, 0.0, assumed, assumed
            passed_on(E, B, pieces(row, P, E, B), o, bound)
            if not E[o, 2] + E[o, 3] <= assumed:
                return i, OPEN
        if not math.isfinite(E[o, 2] + E[o, 3]):
            return i, OPEN
    return -1, CLOSES


def _dyad_sample(code: int) -> tuple[Any, ...]:
    """Two points, two directions and their constants, over a small piece; the result is in rows 6 and 7."""
    P, E = np.zeros((8, 2, N + 1)), np.zeros((8, 4))
    P[:6, :, 0] = [(0.3, 0.1), (2.0, -0.4), (0.6, 0.8), (2.0, 1.5), (0.8, -0.6), (0.2, 0.1)]
    P[:, :, 1], E[:, 0] = 0.01, 1.0
    columns = {
        CIRCLES: (0, 1, 3, 0, 0),
        CIRCLE_LINE: (0, 1, 2, 3, 0),
        TANGENT: (0, 1, 5, 0, 0),
        LINES: (0, 2, 1, 4, 5),
    }
    return np.array([code, 6, *columns[code], 7, 1], dtype=np.int64), P, E, room()


@kernel(sample=lambda: (_sample()[0][0], *_sample()[3:7], room()))
def turn_model(row, P, E, inputs, off, S):  # type: ignore[no-untyped-def]
    """A rotation: its own bound lies along the circle."""
    o, a, b = row[1], row[2], row[3]
    x, y = P[o, 0], P[o, 1]
    scaled(inputs[a], P[b, 0, 0], S[0])
    S[0, 0] += P[b, 1, 0]
    S[0, N] += ROUND * (abs(P[b, 1, 0]) + abs(S[0, 0]))
    bound = S[0, N] + abs(P[b, 0, 0]) * off[a]
    S[0, N] = 0.0
    cosine_and_sine(S[0], x, y, S[1], S[2])
    E[o, 0], E[o, 1] = -math.sin(S[0, 0]), math.cos(S[0, 0])
    swayed = min(1.0, sway(S[0]) + bound)
    E[o, 2] = (bound + x[N] + y[N]) * WIDER
    E[o, 3] = (bound * swayed + x[N] + y[N]) * WIDER
    x[N], y[N] = 0.0, 0.0


@kernel(sample=lambda: _dyad_sample(CIRCLES))
def circles_model(row, P, E, S):  # type: ignore[no-untyped-def]
    """Two circles; how far H may be off."""
    o, a, b, c = row[1], row[2], row[3], row[4]
    x, y = P[o, 0], P[o, 1]
    minus(P[b, 0], P[a, 0], S[0])
    minus(P[b, 1], P[a, 1], S[1])
    norm(S[0], S[1], S[2], S)  # d2
    minus(P[c, 0], P[c, 1], S[3])
    plus(S[2], S[3], S[4])
    scaled(S[4], 0.5, S[4])  # s
    times(P[c, 0], S[2], S[5])
    times(S[4], S[4], S[6])
    minus(S[5], S[6], P[row[7], 0])  # H
    disc = off_circles(P, E, a, b, c, S[4, 0], sway(S[4]) + S[4, N], S[2, 0], sway(S[2]) + S[2, N])
    inverse(S[2], S[6], S[7])
    times(S[4], S[6], S[8])
    root(P[row[7], 0], S[3], S[7])
    scaled(S[3], float(row[8]), S[3])
    times(S[3], S[6], S[9])
    turn_by(S[8], S[9], S[0], S[1], S[2], S[3], S)
    plus(P[a, 0], S[2], x)
    plus(P[a, 1], S[3], y)
    return disc


@kernel(sample=lambda: _dyad_sample(CIRCLE_LINE))
def circle_line_model(row, P, E, S):  # type: ignore[no-untyped-def]
    """A circle and a line; how far H may be off."""
    o, a, b, c, d = row[1], row[2], row[3], row[4], row[5]
    x, y = P[o, 0], P[o, 1]
    minus(P[a, 0], P[b, 0], S[0])
    minus(P[a, 1], P[b, 1], S[1])
    cross(P[c, 0], P[c, 1], S[0], S[1], S[2], S)
    minus(S[2], P[d, 1], S[3])  # q
    times(S[3], S[3], S[4])
    minus(P[d, 0], S[4], P[row[7], 0])
    disc = off_line(P, E, a, b, c, d, S[3, 0], sway(S[3]) + S[3, N])
    root(P[row[7], 0], S[4], S[5])
    scaled(S[4], float(row[8]), S[4])
    inner(S[0], S[1], P[c, 0], P[c, 1], S[2], S)
    plus(S[2], S[4], S[5])  # t
    turn_by(S[5], P[d, 1], P[c, 0], P[c, 1], S[2], S[3], S)
    plus(P[b, 0], S[2], x)
    plus(P[b, 1], S[3], y)
    return disc


@kernel(sample=lambda: _dyad_sample(TANGENT))
def tangent_model(row, P, E, S):  # type: ignore[no-untyped-def]
    """A line at an offset from two points; how far H may be off."""
    o, a, b, c = row[1], row[2], row[3], row[4]
    x, y = P[o, 0], P[o, 1]
    minus(P[b, 0], P[a, 0], S[0])
    minus(P[b, 1], P[a, 1], S[1])
    norm(S[0], S[1], S[2], S)
    times(P[c, 0], P[c, 0], S[3])
    minus(S[2], S[3], P[row[7], 0])
    dx, dy, dr = between(P, E, a, b)
    e, _, er = around(P, E, c)
    worst = E[a, 2] + E[a, 3] + E[b, 2] + E[b, 3]
    disc = 2.0 * ((abs(dx) + abs(dy) + 2.0 * dr) * worst + (abs(e) + er) * (E[c, 2] + E[c, 3]))
    root(P[row[7], 0], S[3], S[4])
    scaled(S[3], float(row[8]), S[3])
    divided(S[0], S[1], S[3], P[c, 0], x, y, S)
    return disc


@kernel(sample=lambda: _dyad_sample(LINES))
def lines_model(row, P, E, S):  # type: ignore[no-untyped-def]
    """Two lines; how far H may be off."""
    o, a, b, c, d, k = row[1], row[2], row[3], row[4], row[5], row[6]
    x, y = P[o, 0], P[o, 1]
    f, g = P[k, 0], P[k, 1]
    times(f, P[b, 1], S[0])
    times(f, P[b, 0], S[1])
    minus(P[a, 0], P[c, 0], S[2])
    minus(P[a, 1], P[c, 1], S[3])
    minus(S[2], S[0], S[4])  # B
    plus(S[3], S[1], S[5])
    cross(P[d, 0], P[d, 1], P[b, 0], P[b, 1], S[6], S)  # det
    times(S[6], S[6], P[row[7], 0])
    disc = off_cross(P, E, d, b)
    disc *= 2.0 * (abs(S[6, 0]) + sway(S[6]) + S[6, N] + disc)
    cross(P[d, 0], P[d, 1], S[4], S[5], S[2], S)
    minus(g, S[2], S[3])
    over(S[3], S[6], S[7], S[8])  # t
    turn_by(S[7], f, P[b, 0], P[b, 1], S[2], S[3], S)
    plus(P[a, 0], S[2], x)
    plus(P[a, 1], S[3], y)
    return disc


def _pair() -> tuple[Any, ...]:
    x = np.zeros((6, N + 1))
    x[:4, 0] = 1.0, 2.0, 3.0, -1.0
    return x[0], x[1], x[2], x[3], x[4], x[5], room()


@kernel(sample=_pair)
def turn_by(kx, ky, x, y, ox, oy, S):  # type: ignore[no-untyped-def]
    """The complex product; the last rows of S are room."""
    times(kx, x, S[14])
    times(ky, y, S[15])
    minus(S[14], S[15], ox)
    times(kx, y, S[14])
    times(ky, x, S[15])
    plus(S[14], S[15], oy)


@kernel(sample=lambda: (*_pair()[:5], room()))
def cross(ax, ay, bx, by, o, S):  # type: ignore[no-untyped-def]
    times(ax, by, S[14])
    times(ay, bx, S[15])
    minus(S[14], S[15], o)


@kernel(sample=lambda: (*_pair()[:5], room()))
def inner(ax, ay, bx, by, o, S):  # type: ignore[no-untyped-def]
    times(ax, bx, S[14])
    times(ay, by, S[15])
    plus(S[14], S[15], o)


@kernel(sample=lambda: (*_pair()[:2], _pair()[4], room()))
def norm(x, y, o, S):  # type: ignore[no-untyped-def]
    inner(x, y, x, y, o, S)


@kernel(sample=_pair)
def divided(x, y, kx, ky, ox, oy, S):  # type: ignore[no-untyped-def]
    """The complex quotient."""
    norm(kx, ky, S[10], S)
    inverse(S[10], S[11], S[12])
    inner(kx, ky, x, y, S[12], S)
    cross(kx, ky, x, y, S[13], S)
    times(S[12], S[11], ox)
    times(S[13], S[11], oy)


def _circles_sample() -> tuple[Any, ...]:
    _, _, _, P, E, *_ = _sample()
    return P, E, 0, 2, 3, 8.0, 0.1, 16.0, 0.1


@kernel(sample=_circles_sample)
def off_circles(P, E, a, b, c, s, sr, d2, dr2):  # type: ignore[no-untyped-def]
    """How far H of CIRCLES may be off: dH = (k1 - s) d(d2) + (d2 - s) dk1 + s dk2."""
    dx, dy, dr = between(P, E, a, b)
    points, lengths = E[a, 2] + E[a, 3] + E[b, 2] + E[b, 3], E[c, 2] + E[c, 3]
    far = abs(dx) + abs(dy) + 2.0 * dr
    shift = 2.0 * far * points
    sr, dr2 = sr + 0.5 * (shift + 2.0 * lengths), dr2 + shift
    k1, _, kr = around(P, E, c)
    arm = abs(k1 - s) + kr + sr
    return (arm * shift + (abs(d2 - s) + dr2 + sr + abs(s) + sr) * lengths) * WIDER


@kernel(sample=lambda: (*_circles_sample()[:5], 4, 1.0, 0.1))
def off_line(P, E, a, b, c, d, q, qr):  # type: ignore[no-untyped-def]
    """How far H = r^2 - q^2 of CIRCLE_LINE may be off, with q = U x (A - L) - e."""
    dx, dy, dr = between(P, E, b, a)
    ux, uy, ur = around(P, E, c)
    shift = (abs(ux) + abs(uy) + 2.0 * ur) * (E[a, 2] + E[a, 3] + E[b, 2] + E[b, 3])
    shift += (abs(dx) + abs(dy) + 2.0 * dr) * (E[c, 2] + E[c, 3]) + E[d, 2] + E[d, 3]
    return (2.0 * (abs(q) + qr + shift) * shift + E[d, 2] + E[d, 3]) * WIDER


@kernel(sample=lambda: (*_circles_sample()[:2], 0, 2))
def off_cross(P, E, a, b):  # type: ignore[no-untyped-def]
    """How far the cross product of two vectors may be off."""
    ax, ay, ar = around(P, E, a)
    bx, by, br = around(P, E, b)
    return (
        (abs(ax) + abs(ay) + 2.0 * ar) * (E[b, 2] + E[b, 3])
        + (abs(bx) + abs(by) + 2.0 * br) * (E[a, 2] + E[a, 3])
    ) * WIDER
