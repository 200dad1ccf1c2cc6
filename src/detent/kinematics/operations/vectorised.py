"""The operations of a plan on many frames at once: each operation runs through all lanes before the next.

A vector of the plan is here a row of 2 LANES numbers, its x in every lane and then its y, so that the
inner loops are straight arithmetic, which a compiler turns into vector instructions; it is that of
`ops.run_ops`, operation by operation. Constants are in their rows from the start. `G` holds
derivatives by one guessed angle, for a cut (`order` 1). Every operation returns whether some lane
cannot close.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.operations import ops as plain
from detent.kinematics.operations.dyads import ROUNDING
from detent.kinematics.operations.ops import (
    AFFINE,
    CIRCLE_LINE,
    CIRCLES,
    LINES,
    OFFSET,
    QUOTIENT,
    SLIDE,
    SQUARE,
    TANGENT,
    TURN,
)
from detent.numeric.kernels import kernel

# Rows of a large plan stay in the second cache (50 links: 150 rows, 300 kB), and a loop's own cost is small.
LANES = 128

# pi/2 in two parts, to 86 bits; a whole multiple of the first, below 2^20, is exact.
HALF_PI = 1.57079632673412561417
HALF_PI_REST = 6.0771005065061922e-11
TWO_BY_PI = 2 / math.pi
# Taylor's series about zero: at pi/4 the first term left out is below 5e-17.
S1, S2, S3, S4, S5, S6, S7, S8 = ((-1) ** k / math.factorial(2 * k + 1) for k in range(1, 9))
C1, C2, C3, C4, C5, C6, C7, C8 = ((-1) ** k / math.factorial(2 * k) for k in range(1, 9))


def _sample(op: int = TURN) -> tuple[Any, ...]:
    """Rows with different, harmless numbers, and an operation on the first five into the last."""
    k = np.arange(8.0)[:, None]
    F = np.hstack([np.linspace(k, k + 0.5, LANES, axis=1)[..., 0], np.full((8, LANES), 0.3) + 0.1 * k])
    G = 0.01 * F[::-1].copy()
    return F, G, np.array([op, 7, 0, 1, 2, 3, 4, 6, 1], dtype=np.int64), 1


def _turn_sample() -> tuple[Any, ...]:
    F, G, row, _ = _sample()
    return F, G, row, 1, np.linspace(-9.0, 9.0, 2 * LANES).reshape(2, LANES), 0


@kernel(sample=_turn_sample)
def turn(F, G, row, order, inputs, guessed):  # type: ignore[no-untyped-def]
    """Cosine and sine within 2e-16, by reduction to 45 degrees: no call inside the loop."""
    o, o1, value = F[row[1]], G[row[1]], inputs[row[2]]
    k, offset = F[row[3], 0], F[row[3], LANES]
    for f in range(LANES):
        x = k * value[f] + offset
        n = math.floor(x * TWO_BY_PI + 0.5)
        r = (x - n * HALF_PI) - n * HALF_PI_REST
        z = r * r
        s = r + r * z * (S1 + z * (S2 + z * (S3 + z * (S4 + z * (S5 + z * (S6 + z * (S7 + z * S8)))))))
        c = 1.0 + z * (C1 + z * (C2 + z * (C3 + z * (C4 + z * (C5 + z * (C6 + z * (C7 + z * C8)))))))
        quarter = n - 4.0 * math.floor(0.25 * n)
        odd = quarter == 1.0 or quarter == 3.0
        cs = s if odd else c
        sn = c if odd else s
        o[f] = -cs if quarter == 1.0 or quarter == 2.0 else cs
        o[LANES + f] = -sn if quarter >= 2.0 else sn
    if order > 0:
        w = k if row[2] == guessed else 0.0
        for f in range(LANES):
            o1[f] = -w * o[LANES + f]
            o1[LANES + f] = w * o[f]
    return False


@kernel(sample=_turn_sample)
def slide(F, G, row, order, inputs, guessed):  # type: ignore[no-untyped-def]
    o, o1 = F[row[1]], G[row[1]]
    for f in range(LANES):
        o[f] = inputs[row[2], f]
        o[LANES + f] = inputs[row[3], f] if row[3] >= 0 else 0.0
    if order > 0:
        o1[:LANES] = 1.0 if row[2] == guessed else 0.0
        o1[LANES:] = 1.0 if row[3] == guessed else 0.0
    return False


@kernel(sample=lambda: _sample(AFFINE))
def affine(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c, d = F[row[1]], F[row[2]], F[row[3]], F[row[4]], F[row[5]]
    for f in range(LANES):
        dx, dy = c[f] - b[f], c[LANES + f] - b[LANES + f]
        o[f] = a[f] + d[f] * dx - d[LANES + f] * dy
        o[LANES + f] = a[LANES + f] + d[f] * dy + d[LANES + f] * dx
    if order > 0:
        o1, a1, b1, c1, d1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]], G[row[5]]
        for f in range(LANES):
            dx, dy = c[f] - b[f], c[LANES + f] - b[LANES + f]
            ex, ey = c1[f] - b1[f], c1[LANES + f] - b1[LANES + f]
            kx, ky, wx, wy = d[f], d[LANES + f], d1[f], d1[LANES + f]
            o1[f] = a1[f] + kx * ex - ky * ey + wx * dx - wy * dy
            o1[LANES + f] = a1[LANES + f] + kx * ey + ky * ex + wx * dy + wy * dx
    return False


@kernel(sample=lambda: _sample(QUOTIENT))
def quotient(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c = F[row[1]], F[row[2]], F[row[3]], F[row[4]]
    for f in range(LANES):
        kx, ky = c[f], c[LANES + f]
        m = 1.0 / (kx * kx + ky * ky)
        rx, ry = b[f] - a[f], b[LANES + f] - a[LANES + f]
        o[f] = (rx * kx + ry * ky) * m
        o[LANES + f] = (ry * kx - rx * ky) * m
    if order > 0:
        o1, a1, b1, c1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]]
        for f in range(LANES):
            kx, ky = c[f], c[LANES + f]
            m = 1.0 / (kx * kx + ky * ky)
            wx, wy = c1[f], c1[LANES + f]
            rx = b1[f] - a1[f] - (o[f] * wx - o[LANES + f] * wy)
            ry = b1[LANES + f] - a1[LANES + f] - (o[f] * wy + o[LANES + f] * wx)
            o1[f] = (rx * kx + ry * ky) * m
            o1[LANES + f] = (ry * kx - rx * ky) * m
    return False


@kernel(sample=lambda: _sample(SQUARE))
def square(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b = F[row[1]], F[row[2]], F[row[3]]
    for f in range(LANES):
        dx, dy = b[f] - a[f], b[LANES + f] - a[LANES + f]
        o[f] = dx * dx + dy * dy
    if order > 0:
        o1, a1, b1 = G[row[1]], G[row[2]], G[row[3]]
        for f in range(LANES):
            dx, dy = b[f] - a[f], b[LANES + f] - a[LANES + f]
            o1[f] = 2 * (dx * (b1[f] - a1[f]) + dy * (b1[LANES + f] - a1[LANES + f]))
    return False


@kernel(sample=lambda: _sample(OFFSET))
def offset(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c = F[row[1]], F[row[2]], F[row[3]], F[row[4]]
    for f in range(LANES):
        o[f] = a[f] * (c[LANES + f] - b[LANES + f]) - a[LANES + f] * (c[f] - b[f])
    if order > 0:
        o1, a1, b1, c1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]]
        for f in range(LANES):
            dx, dy = c[f] - b[f], c[LANES + f] - b[LANES + f]
            ex, ey = c1[f] - b1[f], c1[LANES + f] - b1[LANES + f]
            o1[f] = a1[f] * dy - a1[LANES + f] * dx + a[f] * ey - a[LANES + f] * ex
    return False


@kernel(sample=lambda: _sample(plain.PACK))
def pack(F, G, row, order):  # type: ignore[no-untyped-def]
    F[row[1], :LANES] = F[row[2], :LANES]
    F[row[1], LANES:] = F[row[3], :LANES]
    if order > 0:
        G[row[1], :LANES] = G[row[2], :LANES]
        G[row[1], LANES:] = G[row[3], :LANES]
    return False


@kernel(sample=lambda: _sample(CIRCLES))
def circles(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c = F[row[1]], F[row[2]], F[row[3]], F[row[4]]
    sign = float(row[8])
    bad = False
    for f in range(LANES):
        k1 = c[f]
        dx, dy = b[f] - a[f], b[LANES + f] - a[LANES + f]
        d2 = dx * dx + dy * dy
        s = 0.5 * (d2 + k1 - c[LANES + f])
        t = k1 * d2
        H = t - s * s
        bad |= not (-ROUNDING * (t + s * s) <= H and d2 > 0.0)
        h = sign * math.sqrt(max(H, 0.0))
        m = 1.0 / d2
        zx, zy = s * m, h * m
        o[f] = a[f] + zx * dx - zy * dy
        o[LANES + f] = a[LANES + f] + zx * dy + zy * dx
    if order > 0:
        o1, a1, b1, c1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]]
        for f in range(LANES):
            k1 = c[f]
            dx, dy = b[f] - a[f], b[LANES + f] - a[LANES + f]
            d2 = dx * dx + dy * dy
            s = 0.5 * (d2 + k1 - c[LANES + f])
            h = sign * math.sqrt(max(k1 * d2 - s * s, 0.0))
            m = 1.0 / d2
            zx, zy = s * m, h * m
            k11 = c1[f]
            ex, ey = b1[f] - a1[f], b1[LANES + f] - a1[LANES + f]
            d21 = 2 * (dx * ex + dy * ey)
            s1 = 0.5 * (d21 + k11 - c1[LANES + f])
            h1 = 0.5 * (k11 * d2 + k1 * d21 - 2 * s * s1) / h
            wx, wy = (s1 - zx * d21) * m, (h1 - zy * d21) * m
            o1[f] = a1[f] + wx * dx - wy * dy + zx * ex - zy * ey
            o1[LANES + f] = a1[LANES + f] + wx * dy + wy * dx + zx * ey + zy * ex
    return bad


@kernel(sample=lambda: _sample(CIRCLE_LINE))
def circle_line(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c, k = F[row[1]], F[row[2]], F[row[3]], F[row[4]], F[row[5]]
    sign = float(row[8])
    bad = False
    for f in range(LANES):
        e, ux, uy = k[LANES + f], c[f], c[LANES + f]
        dx, dy = a[f] - b[f], a[LANES + f] - b[LANES + f]
        q = ux * dy - uy * dx - e
        H = k[f] - q * q
        bad |= not (-ROUNDING * k[f] <= H)
        t = dx * ux + dy * uy + sign * math.sqrt(max(H, 0.0))
        o[f] = b[f] + t * ux - e * uy
        o[LANES + f] = b[LANES + f] + t * uy + e * ux
    if order > 0:
        o1, a1, b1, c1, k1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]], G[row[5]]
        for f in range(LANES):
            e, ux, uy = k[LANES + f], c[f], c[LANES + f]
            e1, vx, vy = k1[LANES + f], c1[f], c1[LANES + f]
            dx, dy = a[f] - b[f], a[LANES + f] - b[LANES + f]
            ex, ey = a1[f] - b1[f], a1[LANES + f] - b1[LANES + f]
            q = ux * dy - uy * dx - e
            h = sign * math.sqrt(max(k[f] - q * q, 0.0))
            t = dx * ux + dy * uy + h
            q1 = vx * dy - vy * dx + ux * ey - uy * ex - e1
            t1 = ex * ux + ey * uy + dx * vx + dy * vy + 0.5 * (k1[f] - 2 * q * q1) / h
            o1[f] = b1[f] + t1 * ux + t * vx - e1 * uy - e * vy
            o1[LANES + f] = b1[LANES + f] + t1 * uy + t * vy + e1 * ux + e * vx
    return bad


@kernel(sample=lambda: _sample(TANGENT))
def tangent(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c = F[row[1]], F[row[2]], F[row[3]], F[row[4]]
    sign = float(row[8])
    bad = False
    for f in range(LANES):
        e = c[f]
        dx, dy = b[f] - a[f], b[LANES + f] - a[LANES + f]
        H = dx * dx + dy * dy - e * e
        bad |= not (-ROUNDING * e * e <= H)
        H = max(H, 0.0)
        t = sign * math.sqrt(H)
        m = 1.0 / (H + e * e)
        o[f] = (t * dx + e * dy) * m
        o[LANES + f] = (t * dy - e * dx) * m
    if order > 0:
        o1, a1, b1, c1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]]
        for f in range(LANES):
            e, e1 = c[f], c1[f]
            dx, dy = b[f] - a[f], b[LANES + f] - a[LANES + f]
            ex, ey = b1[f] - a1[f], b1[LANES + f] - a1[LANES + f]
            H = max(dx * dx + dy * dy - e * e, 0.0)
            t = sign * math.sqrt(H)
            m = 1.0 / (H + e * e)
            t1 = (dx * ex + dy * ey - e * e1) / t
            rx = ex - (o[f] * t1 - o[LANES + f] * e1)
            ry = ey - (o[f] * e1 + o[LANES + f] * t1)
            o1[f] = (t * rx + e * ry) * m
            o1[LANES + f] = (t * ry - e * rx) * m
    return bad


@kernel(sample=lambda: _sample(LINES))
def lines(F, G, row, order):  # type: ignore[no-untyped-def]
    o, a, b, c, d, k = F[row[1]], F[row[2]], F[row[3]], F[row[4]], F[row[5]], F[row[6]]
    bad = False
    for f in range(LANES):
        e, ux, uy, vx, vy = k[f], b[f], b[LANES + f], d[f], d[LANES + f]
        bx, by = a[f] - c[f] - e * uy, a[LANES + f] - c[LANES + f] + e * ux
        det = vx * uy - vy * ux
        bad |= det == 0.0
        t = (k[LANES + f] - (vx * by - vy * bx)) / det
        o[f] = a[f] + t * ux - e * uy
        o[LANES + f] = a[LANES + f] + t * uy + e * ux
    if order > 0:
        o1, a1, b1, c1, d1, k1 = G[row[1]], G[row[2]], G[row[3]], G[row[4]], G[row[5]], G[row[6]]
        for f in range(LANES):
            e, ux, uy, vx, vy = k[f], b[f], b[LANES + f], d[f], d[LANES + f]
            e1, ux1, uy1, vx1, vy1 = k1[f], b1[f], b1[LANES + f], d1[f], d1[LANES + f]
            bx, by = a[f] - c[f] - e * uy, a[LANES + f] - c[LANES + f] + e * ux
            bx1 = a1[f] - c1[f] - e1 * uy - e * uy1
            by1 = a1[LANES + f] - c1[LANES + f] + e1 * ux + e * ux1
            det = vx * uy - vy * ux
            t = (k[LANES + f] - (vx * by - vy * bx)) / det
            det1 = vx1 * uy + vx * uy1 - vy1 * ux - vy * ux1
            t1 = (k1[LANES + f] - (vx1 * by + vx * by1 - vy1 * bx - vy * bx1) - t * det1) / det
            o1[f] = a1[f] + t1 * ux + t * ux1 - e1 * uy - e * uy1
            o1[LANES + f] = a1[LANES + f] + t1 * uy + t * uy1 + e1 * ux + e * ux1
    return bad


def _run_sample() -> tuple[Any, ...]:
    F, G, row, order, inputs, guessed = _turn_sample()
    return row.reshape(1, -1), 0, 1, F, G, inputs, order, guessed


@kernel(sample=_run_sample)
def run_lanes(ops, lo, hi, F, G, inputs, order, guessed):  # type: ignore[no-untyped-def]
    """Rows lo..hi of a plan in all lanes; whether some lane cannot close."""
    bad = False
    for i in range(lo, hi):
        op, row = ops[i, 0], ops[i]
        if op == CIRCLES:
            bad |= circles(F, G, row, order)
        elif op == AFFINE:
            affine(F, G, row, order)
        elif op == TURN:
            turn(F, G, row, order, inputs, guessed)
        elif op == SQUARE:
            square(F, G, row, order)
        elif op == CIRCLE_LINE:
            bad |= circle_line(F, G, row, order)
        elif op == TANGENT:
            bad |= tangent(F, G, row, order)
        elif op == LINES:
            bad |= lines(F, G, row, order)
        elif op == QUOTIENT:
            quotient(F, G, row, order)
        elif op == OFFSET:
            offset(F, G, row, order)
        elif op == SLIDE:
            slide(F, G, row, order, inputs, guessed)
        else:
            pack(F, G, row, order)
    return bad
