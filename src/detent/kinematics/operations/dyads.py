"""The dyads of Brunkhart 1994, section 3.3, each with two derivatives: operations that may not close.

A dyad writes its discriminant H, then its point or direction; it answers whether it does not close. Where
`relaxed`, one that does not close puts its point as near as it can come without changing a length.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

# A discriminant that rounding makes negative, of its terms: at a change point it is
# zero, and the linkage goes on. A limit moves by as much, 1e-14 rad.
ROUNDING = 1e-14


def dyad_sample(name: str) -> tuple[Any, ...]:
    """Two points, two directions and their constants, all moving; the operation writes rows 6 and 7."""
    V = np.array([[0.3, 0.1], [2.0, -0.4], [0.6, 0.8], [2.0, 1.5], [0.8, -0.6], [0.2, 0.1], [0, 0], [0, 0]])
    V1, V2 = 0.1 * V[::-1].copy(), 0.01 * V.copy()
    columns = {
        "CIRCLES": (0, 1, 3, 0, 0),
        "CIRCLE_LINE": (0, 1, 2, 3, 0),
        "TANGENT": (0, 1, 5, 0, 0),
        "LINES": (0, 2, 1, 4, 5),
    }
    ops = np.array([[0, 6, *columns[name], 7, -1]], dtype=np.int64)
    return ops, 0, V, V1, V2, 2, False


@kernel(sample=lambda: dyad_sample("CIRCLES"), inlined=True)
def circles(ops, i, V, V1, V2, order, relaxed):  # type: ignore[no-untyped-def]
    """|out - a|^2 = cx, |out - b|^2 = cy: two links that share a pin."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
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
        if not relaxed:
            return True
        reach = math.sqrt(k1)
        if d2 > 0.0:
            reach = math.copysign(reach / math.sqrt(d2), s)
            V[o, 0] = V[a, 0] + reach * dx
            V[o, 1] = V[a, 1] + reach * dy
        else:
            V[o, 0] = V[a, 0] + reach
            V[o, 1] = V[a, 1]
        return True
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
            V2[o, 0] = V2[a, 0] + (zx2 * dx - zy2 * dy) + 2 * (zx1 * dx1 - zy1 * dy1) + (zx * dx2 - zy * dy2)
            V2[o, 1] = V2[a, 1] + (zx2 * dy + zy2 * dx) + 2 * (zx1 * dy1 + zy1 * dx1) + (zx * dy2 + zy * dx2)
    return False


@kernel(sample=lambda: dyad_sample("CIRCLE_LINE"), inlined=True)
def circle_line(ops, i, V, V1, V2, order, relaxed):  # type: ignore[no-untyped-def]
    """|out - a|^2 = dx, c x (out - b) = dy: a link and a slide that share a pin."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
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
        if not relaxed:
            return True
        V[o, 0] = V[b, 0] + w * ux - e * uy
        V[o, 1] = V[b, 1] + w * uy + e * ux
        return True
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
    return False


@kernel(sample=lambda: dyad_sample("TANGENT"), inlined=True)
def tangent(ops, i, V, V1, V2, order, relaxed):  # type: ignore[no-untyped-def]
    """out = u with u x (b - a) = cx: the direction of a slide between two pins."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
    e = V[c, 0]
    dx, dy = V[b, 0] - V[a, 0], V[b, 1] - V[a, 1]
    H = dx * dx + dy * dy - e * e
    sg = float(ops[i, 8])
    V[ops[i, 7], 0] = H
    if H < 0.0 and -ROUNDING * e * e < H:
        H = 0.0
    if H < 0.0:
        if not relaxed:
            return True
        reach = math.copysign(1.0 / math.sqrt(max(dx * dx + dy * dy, 1e-300)), e)
        V[o, 0] = reach * dy
        V[o, 1] = -reach * dx
        return True
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
    return False


@kernel(sample=lambda: dyad_sample("LINES"), inlined=True)
def lines(ops, i, V, V1, V2, order, relaxed):  # type: ignore[no-untyped-def]
    """b x (out - a) = ex, d x (out - c) = ey: where two slides meet."""
    o, a, b, c = ops[i, 1], ops[i, 2], ops[i, 3], ops[i, 4]
    d = ops[i, 5]
    k = ops[i, 6]
    f, g = V[k, 0], V[k, 1]
    ux, uy = V[b, 0], V[b, 1]
    vx, vy = V[d, 0], V[d, 1]
    bx, by = V[a, 0] - V[c, 0] - f * uy, V[a, 1] - V[c, 1] + f * ux
    det = vx * uy - vy * ux
    V[ops[i, 7], 0] = det * det
    if det == 0.0:
        if not relaxed:
            return True
        V[o, 0] = V[a, 0] - f * uy
        V[o, 1] = V[a, 1] + f * ux
        return True
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
    return False
