"""The operations of a plan: closed forms on points and directions, with two derivatives.

A plan is a table of integers; each row is an operation on rows of a table of
vectors, [op, out, a, b, c, d, e, disc, sign]. A point and a direction are both
vectors, and so is a constant, whose derivatives are zero; a product of two is
the complex one, a turn and a scale. One interpreter serves every mechanism.

The dyads are those of Brunkhart 1994, section 3.3: RRR is CIRCLES, RRP is
CIRCLE_LINE, RPR is TANGENT, RPP and PRP are LINES (PPP has rank 5 of 6 and no
solution). Each but the last has a discriminant H, kept in row `disc`; H < 0
breaks the linkage, and the root's sign is the branch, stored, never guessed.
Derivatives are by whatever moves the inputs: `order` 0, 1 or 2 of them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

TURN = 0  # out = exp(i (Kx input_a + Ky)), K = b
SLIDE = 1  # out = (input_a, input_b); b < 0: (input_a, 0)
AFFINE = 2  # out = a + d (c - b)
QUOTIENT = 3  # out = (b - a) / c
SQUARE = 4  # out = (|b - a|^2, 0)
OFFSET = 5  # out = (a x (c - b), 0)
PACK = 6  # out = (ax, bx)
CIRCLES = 7  # |out - a|^2 = cx, |out - b|^2 = cy
CIRCLE_LINE = 8  # |out - a|^2 = dx, c x (out - b) = dy
TANGENT = 9  # out = u with u x (b - a) = cx
LINES = 10  # b x (out - a) = ex, d x (out - c) = ey
PULL = 11  # out = a + sqrt(K) (b - a) / |b - a|, K = cx, or cy where d = 1

COLUMNS = 9
DISC, SIGN = 7, 8
DYADS = (CIRCLES, CIRCLE_LINE, TANGENT, LINES)
ALL_WELL = -1
# A discriminant that rounding makes negative, of its terms: at a change point it is
# zero, and the linkage goes on. A limit moves by as much of a turn, 1e-14.
ROUNDING = 1e-14


def _sample() -> tuple[Any, ...]:
    """A crank at 0.7 rad, a dyad on it, and a coupler point."""
    values = np.zeros((8, 2))
    values[:5] = [(0, 0), (1, 0), (4, 0), (9, 9), (0.5, 0.25)]
    ops = np.array(
        [
            [TURN, 5, 0, 1, 0, 0, 0, 0, 0],
            [CIRCLES, 6, 5, 2, 3, 0, 0, 7, 1],
            [AFFINE, 4, 5, 5, 6, 1, 0, 0, 0],
        ],
        dtype=np.int64,
    )
    inputs = np.array([[0.7], [1.0], [0.0]])
    return ops, 0, 3, values, np.zeros((8, 2)), np.zeros((8, 2)), inputs, 2, False


@kernel(sample=_sample)
def run_ops(ops, lo, hi, V, V1, V2, inputs, order, relaxed):  # type: ignore[no-untyped-def]
    """Run rows lo..hi; returns the first row that cannot close (ALL_WELL if none).

    `relaxed` goes on past a break: each such dyad puts its point as near as it
    can come without changing a length.
    """
    broken = -1
    for i in range(lo, hi):
        op = ops[i, 0]
        o = ops[i, 1]
        a = ops[i, 2]
        b = ops[i, 3]
        c = ops[i, 4]
        if op == AFFINE:
            k = ops[i, 5]
            kx, ky = V[k, 0], V[k, 1]
            dx, dy = V[c, 0] - V[b, 0], V[c, 1] - V[b, 1]
            V[o, 0] = V[a, 0] + kx * dx - ky * dy
            V[o, 1] = V[a, 1] + kx * dy + ky * dx
            if order > 0:
                kx1, ky1 = V1[k, 0], V1[k, 1]
                dx1, dy1 = V1[c, 0] - V1[b, 0], V1[c, 1] - V1[b, 1]
                V1[o, 0] = V1[a, 0] + kx * dx1 - ky * dy1 + kx1 * dx - ky1 * dy
                V1[o, 1] = V1[a, 1] + kx * dy1 + ky * dx1 + kx1 * dy + ky1 * dx
                if order > 1:
                    kx2, ky2 = V2[k, 0], V2[k, 1]
                    dx2, dy2 = V2[c, 0] - V2[b, 0], V2[c, 1] - V2[b, 1]
                    V2[o, 0] = (
                        V2[a, 0] + (kx * dx2 - ky * dy2) + 2 * (kx1 * dx1 - ky1 * dy1) + (kx2 * dx - ky2 * dy)
                    )
                    V2[o, 1] = (
                        V2[a, 1] + (kx * dy2 + ky * dx2) + 2 * (kx1 * dy1 + ky1 * dx1) + (kx2 * dy + ky2 * dx)
                    )
        elif op == CIRCLES:
            k1, k2 = V[c, 0], V[c, 1]
            dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
            d2 = dx * dx + dy * dy
            s = 0.5 * (d2 + k1 - k2)
            H = k1 * d2 - s * s
            sg = float(ops[i, 8])
            V[ops[i, 7], 0] = H
            if H < 0.0 and -ROUNDING * (k1 * d2 + s * s) < H:
                H = 0.0
            if H < 0.0 or d2 == 0.0:
                if broken < 0:
                    broken = i
                if not relaxed:
                    return i
                reach = math.sqrt(k1)
                if d2 > 0.0:
                    reach = math.copysign(reach / math.sqrt(d2), s)
                    V[o, 0] = V[a, 0] + reach * dx
                    V[o, 1] = V[a, 1] + reach * dy
                else:
                    V[o, 0] = V[a, 0] + reach
                    V[o, 1] = V[a, 1]
                continue
            h = sg * math.sqrt(H)
            zx, zy = s / d2, h / d2
            V[o, 0] = V[a, 0] + zx * dx - zy * dy
            V[o, 1] = V[a, 1] + zx * dy + zy * dx
            if order > 0:
                k11, k21 = V1[c, 0], V1[c, 1]
                dx1, dy1 = V1[b, 0] - V1[a, 0], V1[b, 1] - V1[a, 1]
                d21 = 2 * (dx * dx1 + dy * dy1)
                s1 = 0.5 * (d21 + k11 - k21)
                H1 = k11 * d2 + k1 * d21 - 2 * s * s1
                V1[ops[i, 7], 0] = H1
                h1 = H1 / (2 * h)
                zx1, zy1 = (s1 - zx * d21) / d2, (h1 - zy * d21) / d2
                V1[o, 0] = V1[a, 0] + zx1 * dx - zy1 * dy + zx * dx1 - zy * dy1
                V1[o, 1] = V1[a, 1] + zx1 * dy + zy1 * dx + zx * dy1 + zy * dx1
                if order > 1:
                    k12, k22 = V2[c, 0], V2[c, 1]
                    dx2, dy2 = V2[b, 0] - V2[a, 0], V2[b, 1] - V2[a, 1]
                    d22 = 2 * (dx1 * dx1 + dy1 * dy1 + dx * dx2 + dy * dy2)
                    s2 = 0.5 * (d22 + k12 - k22)
                    H2 = k12 * d2 + 2 * k11 * d21 + k1 * d22 - 2 * s1 * s1 - 2 * s * s2
                    V2[ops[i, 7], 0] = H2
                    h2 = (0.5 * H2 - h1 * h1) / h
                    zx2 = (s2 - 2 * zx1 * d21 - zx * d22) / d2
                    zy2 = (h2 - 2 * zy1 * d21 - zy * d22) / d2
                    V2[o, 0] = (
                        V2[a, 0] + (zx2 * dx - zy2 * dy) + 2 * (zx1 * dx1 - zy1 * dy1) + (zx * dx2 - zy * dy2)
                    )
                    V2[o, 1] = (
                        V2[a, 1] + (zx2 * dy + zy2 * dx) + 2 * (zx1 * dy1 + zy1 * dx1) + (zx * dy2 + zy * dx2)
                    )
        elif op == TURN:
            kx = V[b, 0]
            angle = kx * inputs[0, a] + V[b, 1]
            cs, sn = math.cos(angle), math.sin(angle)
            V[o, 0] = cs
            V[o, 1] = sn
            if order > 0:
                w = kx * inputs[1, a]
                V1[o, 0] = -sn * w
                V1[o, 1] = cs * w
                if order > 1:
                    w2 = kx * inputs[2, a]
                    V2[o, 0] = -sn * w2 - cs * w * w
                    V2[o, 1] = cs * w2 - sn * w * w
        elif op == CIRCLE_LINE:
            k = ops[i, 5]
            e = V[k, 1]
            ux, uy = V[c, 0], V[c, 1]
            dx, dy = V[a, 0] - V[b, 0], V[a, 1] - V[b, 1]
            w = dx * ux + dy * uy
            q = ux * dy - uy * dx - e
            H = V[k, 0] - q * q
            sg = float(ops[i, 8])
            V[ops[i, 7], 0] = H
            if H < 0.0 and -ROUNDING * V[k, 0] < H:
                H = 0.0
            if H < 0.0:
                if broken < 0:
                    broken = i
                if not relaxed:
                    return i
                V[o, 0] = V[b, 0] + w * ux - e * uy
                V[o, 1] = V[b, 1] + w * uy + e * ux
                continue
            h = sg * math.sqrt(H)
            t = w + h
            V[o, 0] = V[b, 0] + t * ux - e * uy
            V[o, 1] = V[b, 1] + t * uy + e * ux
            if order > 0:
                e1 = V1[k, 1]
                ux1, uy1 = V1[c, 0], V1[c, 1]
                dx1, dy1 = V1[a, 0] - V1[b, 0], V1[a, 1] - V1[b, 1]
                w1 = dx1 * ux + dy1 * uy + dx * ux1 + dy * uy1
                q1 = ux1 * dy - uy1 * dx + ux * dy1 - uy * dx1 - e1
                H1 = V1[k, 0] - 2 * q * q1
                V1[ops[i, 7], 0] = H1
                h1 = H1 / (2 * h)
                t1 = w1 + h1
                V1[o, 0] = V1[b, 0] + t1 * ux + t * ux1 - e1 * uy - e * uy1
                V1[o, 1] = V1[b, 1] + t1 * uy + t * uy1 + e1 * ux + e * ux1
                if order > 1:
                    e2 = V2[k, 1]
                    ux2, uy2 = V2[c, 0], V2[c, 1]
                    dx2, dy2 = V2[a, 0] - V2[b, 0], V2[a, 1] - V2[b, 1]
                    w2 = dx2 * ux + dy2 * uy + 2 * (dx1 * ux1 + dy1 * uy1) + dx * ux2 + dy * uy2
                    q2 = (ux2 * dy - uy2 * dx) + 2 * (ux1 * dy1 - uy1 * dx1) + (ux * dy2 - uy * dx2) - e2
                    H2 = V2[k, 0] - 2 * (q1 * q1 + q * q2)
                    V2[ops[i, 7], 0] = H2
                    t2 = w2 + (0.5 * H2 - h1 * h1) / h
                    V2[o, 0] = V2[b, 0] + t2 * ux + 2 * t1 * ux1 + t * ux2 - e2 * uy - 2 * e1 * uy1 - e * uy2
                    V2[o, 1] = V2[b, 1] + t2 * uy + 2 * t1 * uy1 + t * uy2 + e2 * ux + 2 * e1 * ux1 + e * ux2
        elif op == TANGENT:
            e = V[c, 0]
            dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
            H = dx * dx + dy * dy - e * e
            sg = float(ops[i, 8])
            V[ops[i, 7], 0] = H
            if H < 0.0 and -ROUNDING * e * e < H:
                H = 0.0
            if H < 0.0:
                if broken < 0:
                    broken = i
                if not relaxed:
                    return i
                reach = math.copysign(1.0 / math.sqrt(max(dx * dx + dy * dy, 1e-300)), e)
                V[o, 0] = reach * dy
                V[o, 1] = -reach * dx
                continue
            t = sg * math.sqrt(H)
            m = t * t + e * e
            V[o, 0] = (t * dx + e * dy) / m
            V[o, 1] = (t * dy - e * dx) / m
            if order > 0:
                e1 = V1[c, 0]
                dx1, dy1 = V1[b, 0] - V1[a, 0], V1[b, 1] - V1[a, 1]
                H1 = 2 * (dx * dx1 + dy * dy1 - e * e1)
                V1[ops[i, 7], 0] = H1
                t1 = H1 / (2 * t)
                rx = dx1 - (V[o, 0] * t1 - V[o, 1] * e1)
                ry = dy1 - (V[o, 0] * e1 + V[o, 1] * t1)
                V1[o, 0] = (t * rx + e * ry) / m
                V1[o, 1] = (t * ry - e * rx) / m
                if order > 1:
                    e2 = V2[c, 0]
                    dx2, dy2 = V2[b, 0] - V2[a, 0], V2[b, 1] - V2[a, 1]
                    H2 = 2 * (dx1 * dx1 + dy1 * dy1 + dx * dx2 + dy * dy2 - e1 * e1 - e * e2)
                    V2[ops[i, 7], 0] = H2
                    t2 = (0.5 * H2 - t1 * t1) / t
                    rx = dx2 - 2 * (V1[o, 0] * t1 - V1[o, 1] * e1) - (V[o, 0] * t2 - V[o, 1] * e2)
                    ry = dy2 - 2 * (V1[o, 0] * e1 + V1[o, 1] * t1) - (V[o, 0] * e2 + V[o, 1] * t2)
                    V2[o, 0] = (t * rx + e * ry) / m
                    V2[o, 1] = (t * ry - e * rx) / m
        elif op == LINES:
            d = ops[i, 5]
            k = ops[i, 6]
            f, g = V[k, 0], V[k, 1]
            ux, uy = V[b, 0], V[b, 1]
            vx, vy = V[d, 0], V[d, 1]
            bx, by = V[a, 0] - V[c, 0] - f * uy, V[a, 1] - V[c, 1] + f * ux
            det = vx * uy - vy * ux
            V[ops[i, 7], 0] = det * det
            if det == 0.0:
                if broken < 0:
                    broken = i
                if not relaxed:
                    return i
                V[o, 0] = V[a, 0] - f * uy
                V[o, 1] = V[a, 1] + f * ux
                continue
            t = (g - (vx * by - vy * bx)) / det
            V[o, 0] = V[a, 0] + t * ux - f * uy
            V[o, 1] = V[a, 1] + t * uy + f * ux
            if order > 0:
                f1, g1 = V1[k, 0], V1[k, 1]
                ux1, uy1 = V1[b, 0], V1[b, 1]
                vx1, vy1 = V1[d, 0], V1[d, 1]
                bx1 = V1[a, 0] - V1[c, 0] - f1 * uy - f * uy1
                by1 = V1[a, 1] - V1[c, 1] + f1 * ux + f * ux1
                det1 = vx1 * uy - vy1 * ux + vx * uy1 - vy * ux1
                V1[ops[i, 7], 0] = 2 * det * det1
                n1 = g1 - (vx1 * by - vy1 * bx + vx * by1 - vy * bx1)
                t1 = (n1 - t * det1) / det
                V1[o, 0] = V1[a, 0] + t1 * ux + t * ux1 - f1 * uy - f * uy1
                V1[o, 1] = V1[a, 1] + t1 * uy + t * uy1 + f1 * ux + f * ux1
                if order > 1:
                    f2, g2 = V2[k, 0], V2[k, 1]
                    ux2, uy2 = V2[b, 0], V2[b, 1]
                    vx2, vy2 = V2[d, 0], V2[d, 1]
                    bx2 = V2[a, 0] - V2[c, 0] - f2 * uy - 2 * f1 * uy1 - f * uy2
                    by2 = V2[a, 1] - V2[c, 1] + f2 * ux + 2 * f1 * ux1 + f * ux2
                    det2 = (vx2 * uy - vy2 * ux) + 2 * (vx1 * uy1 - vy1 * ux1) + (vx * uy2 - vy * ux2)
                    V2[ops[i, 7], 0] = 2 * (det1 * det1 + det * det2)
                    n2 = g2 - ((vx2 * by - vy2 * bx) + 2 * (vx1 * by1 - vy1 * bx1) + (vx * by2 - vy * bx2))
                    t2 = (n2 - 2 * t1 * det1 - t * det2) / det
                    V2[o, 0] = V2[a, 0] + t2 * ux + 2 * t1 * ux1 + t * ux2 - f2 * uy - 2 * f1 * uy1 - f * uy2
                    V2[o, 1] = V2[a, 1] + t2 * uy + 2 * t1 * uy1 + t * uy2 + f2 * ux + 2 * f1 * ux1 + f * ux2
        elif op == SLIDE:
            V[o, 0] = inputs[0, a]
            V[o, 1] = inputs[0, b] if b >= 0 else 0.0
            if order > 0:
                V1[o, 0] = inputs[1, a]
                V1[o, 1] = inputs[1, b] if b >= 0 else 0.0
                if order > 1:
                    V2[o, 0] = inputs[2, a]
                    V2[o, 1] = inputs[2, b] if b >= 0 else 0.0
        elif op == QUOTIENT:
            kx, ky = V[c, 0], V[c, 1]
            m = kx * kx + ky * ky
            rx, ry = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
            V[o, 0] = (rx * kx + ry * ky) / m
            V[o, 1] = (ry * kx - rx * ky) / m
            if order > 0:
                kx1, ky1 = V1[c, 0], V1[c, 1]
                rx = V1[b, 0] - V1[a, 0] - (V[o, 0] * kx1 - V[o, 1] * ky1)
                ry = V1[b, 1] - V1[a, 1] - (V[o, 0] * ky1 + V[o, 1] * kx1)
                V1[o, 0] = (rx * kx + ry * ky) / m
                V1[o, 1] = (ry * kx - rx * ky) / m
                if order > 1:
                    kx2, ky2 = V2[c, 0], V2[c, 1]
                    rx = (
                        V2[b, 0]
                        - V2[a, 0]
                        - 2 * (V1[o, 0] * kx1 - V1[o, 1] * ky1)
                        - (V[o, 0] * kx2 - V[o, 1] * ky2)
                    )
                    ry = (
                        V2[b, 1]
                        - V2[a, 1]
                        - 2 * (V1[o, 0] * ky1 + V1[o, 1] * kx1)
                        - (V[o, 0] * ky2 + V[o, 1] * kx2)
                    )
                    V2[o, 0] = (rx * kx + ry * ky) / m
                    V2[o, 1] = (ry * kx - rx * ky) / m
        elif op == SQUARE:
            dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
            V[o, 0] = dx * dx + dy * dy
            if order > 0:
                dx1, dy1 = V1[b, 0] - V1[a, 0], V1[b, 1] - V1[a, 1]
                V1[o, 0] = 2 * (dx * dx1 + dy * dy1)
                if order > 1:
                    dx2, dy2 = V2[b, 0] - V2[a, 0], V2[b, 1] - V2[a, 1]
                    V2[o, 0] = 2 * (dx1 * dx1 + dy1 * dy1 + dx * dx2 + dy * dy2)
        elif op == OFFSET:
            ux, uy = V[a, 0], V[a, 1]
            dx, dy = V[c, 0] - V[b, 0], V[c, 1] - V[b, 1]
            V[o, 0] = ux * dy - uy * dx
            if order > 0:
                ux1, uy1 = V1[a, 0], V1[a, 1]
                dx1, dy1 = V1[c, 0] - V1[b, 0], V1[c, 1] - V1[b, 1]
                V1[o, 0] = ux1 * dy - uy1 * dx + ux * dy1 - uy * dx1
                if order > 1:
                    ux2, uy2 = V2[a, 0], V2[a, 1]
                    dx2, dy2 = V2[c, 0] - V2[b, 0], V2[c, 1] - V2[b, 1]
                    V2[o, 0] = (ux2 * dy - uy2 * dx) + 2 * (ux1 * dy1 - uy1 * dx1) + (ux * dy2 - uy * dx2)
        elif op == PACK:
            V[o, 0] = V[a, 0]
            V[o, 1] = V[b, 0]
            if order > 0:
                V1[o, 0] = V1[a, 0]
                V1[o, 1] = V1[b, 0]
                if order > 1:
                    V2[o, 0] = V2[a, 0]
                    V2[o, 1] = V2[b, 0]
        else:  # PULL, met only where a plan may stretch; it has no derivatives
            dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
            m = dx * dx + dy * dy
            reach = math.sqrt(V[c, ops[i, 5]] / m) if m > 0.0 else 0.0
            V[o, 0] = V[a, 0] + reach * dx
            V[o, 1] = V[a, 1] + reach * dy
    return broken
