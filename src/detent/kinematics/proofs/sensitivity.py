"""How an operation passes on what its operands are off, and what a guess moves.

The derivative of each operation, over all that its operands can be, is a sum of
pieces: a vector times a covector of one operand, or a rotation and scaling of it
(complex factor). Every entry is a middle and a radius. What a point may be off is
a box along a direction of its own: a point led on a circle is off along the circle
and hardly across it, and boxes along the axes would grow at every dyad of a chain.
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
    DISC,
    LINES,
    OFFSET,
    PACK,
    QUOTIENT,
    SIGN,
    SLIDE,
    SQUARE,
    TANGENT,
    TURN,
)
from detent.kinematics.proofs.taylor import ROUND, WIDER, N
from detent.numeric.kernels import kernel

# A piece: operand, 1 where it is a complex factor, covector x, y, radius; vector x, y, radius.
PIECE = 8
MOST_PIECES = 12


def _models() -> tuple[Any, ...]:
    """Two fixed points, lengths, and the point that two links make of them."""
    P, E = np.zeros((6, 2, N + 1)), np.zeros((6, 4))
    P[:, :, 0] = [(0, 0), (4, 0), (9, 9), (2, 2.23606797749979), (20, 0), (1, 0)]
    E[:, 0] = 1.0
    E[0, 2:] = 1e-9
    row = np.zeros(COLUMNS, dtype=np.int64)
    row[:5] = CIRCLES, 3, 0, 1, 2
    row[DISC], row[SIGN] = 4, 1
    return row, P, E, np.zeros((MOST_PIECES, PIECE))


@kernel(sample=lambda: (*_models()[1:3], 0, 1))
def between(P, E, a, b):  # type: ignore[no-untyped-def]
    """b - a: middle x and y, and the radius of both, over all that they can be."""
    x, y = 0.0, 0.0
    for i in range(1, N):
        x += abs(P[b, 0, i] - P[a, 0, i])
        y += abs(P[b, 1, i] - P[a, 1, i])
    off = E[a, 2] + E[a, 3] + E[b, 2] + E[b, 3]
    dx, dy = P[b, 0, 0] - P[a, 0, 0], P[b, 1, 0] - P[a, 1, 0]
    return dx, dy, (max(x, y) + off + ROUND * (abs(dx) + abs(dy))) * WIDER


@kernel(sample=lambda: (*_models()[1:3], 0))
def around(P, E, a):  # type: ignore[no-untyped-def]
    """A vector: middle x and y, and the radius of both."""
    x, y = 0.0, 0.0
    for i in range(1, N):
        x += abs(P[a, 0, i])
        y += abs(P[a, 1, i])
    return P[a, 0, 0], P[a, 1, 0], (max(x, y) + E[a, 2] + E[a, 3]) * WIDER


@kernel(sample=lambda: (1.0, 0.1, 2.0, 0.2))
def product(a, ra, b, rb):  # type: ignore[no-untyped-def]
    """Of two numbers with their radii."""
    m = a * b
    return m, (abs(a) * rb + abs(b) * ra + ra * rb + ROUND * abs(m)) * WIDER


@kernel(sample=lambda: (1.0, 2.0, 0.1, 3.0, -1.0, 0.2))
def dot(ax, ay, ra, bx, by, rb):  # type: ignore[no-untyped-def]
    m = ax * bx + ay * by
    size = (abs(ax) + abs(ay)) * rb + (abs(bx) + abs(by)) * ra + 2.0 * ra * rb
    return m, (size + ROUND * (abs(ax * bx) + abs(ay * by))) * WIDER


@kernel(sample=lambda: (1.0, 2.0, 0.1, 3.0, -1.0, 0.2))
def twisted(ax, ay, ra, bx, by, rb):  # type: ignore[no-untyped-def]
    """The complex product of two vectors with their radii."""
    x, r = dot(ax, -ay, ra, bx, by, rb)
    y, t = dot(ax, ay, ra, by, bx, rb)
    return x, y, max(r, t)


@kernel(sample=lambda: (4.0, 0.5))
def one_over(a, r):  # type: ignore[no-untyped-def]
    """1 / a with its radius; without bound where it may vanish."""
    least = abs(a) - r
    if not least > 0.0:
        return 0.0, math.inf
    m = 1.0 / a
    return m, (r * abs(m) / least + ROUND * abs(m)) * WIDER


@kernel(sample=lambda: (*_models()[1:3], 4, 1))
def root_of(P, E, disc, sign):  # type: ignore[no-untyped-def]
    """The root of a discriminant with its radius, signed; it must be positive throughout."""
    m, _, r = around(P, E, disc)
    low = m - r
    if not low > 0.0:
        return 0.0, math.inf
    lo, hi = math.sqrt(low) / WIDER, math.sqrt(m + r) * WIDER
    return 0.5 * sign * (lo + hi), 0.5 * (hi - lo) * WIDER + ROUND * hi


@kernel(sample=lambda: (_models()[3], 0, 0, 1.0, 2.0, 0.1, 0.0, 1.0, 0.2))
def put(B, n, row, cx, cy, cr, vx, vy, vr):  # type: ignore[no-untyped-def]
    B[n, 0], B[n, 1] = row, 0.0
    B[n, 2], B[n, 3], B[n, 4] = cx, cy, cr
    B[n, 5], B[n, 6], B[n, 7] = vx, vy, vr
    return n + 1


@kernel(sample=lambda: (_models()[3], 0, 0, 1.0, 2.0, 0.1))
def put_factor(B, n, row, zx, zy, zr):  # type: ignore[no-untyped-def]
    B[n, 0], B[n, 1] = row, 1.0
    B[n, 5], B[n, 6], B[n, 7] = zx, zy, zr
    return n + 1


@kernel(sample=_models)
def pieces(row, P, E, B):  # type: ignore[no-untyped-def]
    """Fill B with the derivative of an operation whose result is in P and E; how many pieces."""
    op, o, a, b, c, d, _k = row[0], row[1], row[2], row[3], row[4], row[5], row[6]
    n = 0
    if op == AFFINE:
        kx, ky, kr = around(P, E, d)
        dx, dy, dr = between(P, E, b, c)
        if a == b:
            n = put_factor(B, n, a, 1.0 - kx, -ky, kr + ROUND * (1.0 + abs(kx)))
        else:
            n = put_factor(B, n, a, 1.0, 0.0, 0.0)
            n = put_factor(B, n, b, -kx, -ky, kr)
        n = put_factor(B, n, c, kx, ky, kr)
        n = put_factor(B, n, d, dx, dy, dr)
    elif op == CIRCLES:
        px, py, pr = between(P, E, a, o)
        qx, qy, qr = between(P, E, b, o)
        w, wr = one_over(*root_of(P, E, row[7], row[8]))
        x, xr = product(qy, qr, w, wr)
        y, yr = product(-qx, qr, w, wr)
        n = put(B, n, a, px, py, pr, x, y, max(xr, yr))
        n = put(B, n, c, 0.5, 0.0, 0.0, x, y, max(xr, yr))
        x, xr = product(-py, pr, w, wr)
        y, yr = product(px, pr, w, wr)
        n = put(B, n, b, qx, qy, qr, x, y, max(xr, yr))
        n = put(B, n, c, 0.0, 0.5, 0.0, x, y, max(xr, yr))
    elif op == CIRCLE_LINE:
        n = line_pieces(row, P, E, B)
    elif op == TANGENT:
        ox, oy, r = around(P, E, o)
        w, wr = one_over(*root_of(P, E, row[7], row[8]))
        x, xr = product(-oy, r, w, wr)
        y, yr = product(ox, r, w, wr)
        vr = max(xr, yr)
        n = put(B, n, b, -oy, ox, r, x, y, vr)
        n = put(B, n, a, oy, -ox, r, x, y, vr)
        n = put(B, n, c, -1.0, 0.0, 0.0, x, y, vr)
    elif op == LINES:
        n = crossing_pieces(row, P, E, B)
    elif op == QUOTIENT:
        cx, cy, cr = around(P, E, c)
        m = cx * cx + cy * cy
        least = math.sqrt(m) - cr * 1.5
        x, y, r = cx / m, -cy / m, math.inf
        if least > 0.0:
            r = (1.5 * cr / (least * math.sqrt(m)) + ROUND / least) * WIDER
        n = put_factor(B, n, b, x, y, r)
        n = put_factor(B, n, a, -x, -y, r)
        ox, oy, q = around(P, E, o)
        x, y, r = twisted(-ox, -oy, q, x, y, r)
        n = put_factor(B, n, c, x, y, r)
    elif op == SQUARE:
        dx, dy, dr = between(P, E, a, b)
        n = put(B, n, b, 2 * dx, 2 * dy, 2 * dr, 1.0, 0.0, 0.0)
        n = put(B, n, a, -2 * dx, -2 * dy, 2 * dr, 1.0, 0.0, 0.0)
    elif op == OFFSET:
        ux, uy, ur = around(P, E, a)
        dx, dy, dr = between(P, E, b, c)
        n = put(B, n, a, dy, -dx, dr, 1.0, 0.0, 0.0)
        n = put(B, n, c, -uy, ux, ur, 1.0, 0.0, 0.0)
        n = put(B, n, b, uy, -ux, ur, 1.0, 0.0, 0.0)
    elif op == PACK:
        n = put(B, n, a, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
        n = put(B, n, b, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0)
    return n


@kernel(sample=_models)
def line_pieces(row, P, E, B):  # type: ignore[no-untyped-def]
    """CIRCLE_LINE: E = L + (w + h) U + e iU, with w = D.U, q = U x D - e and h^2 = r^2 - q^2."""
    a, b, c, d = row[2], row[3], row[4], row[5]
    ux, uy, ur = around(P, E, c)
    dx, dy, dr = between(P, E, b, a)
    e, er = P[d, 1, 0], around(P, E, d)[2]
    h, hr = root_of(P, E, row[7], row[8])
    w, wr = one_over(h, hr)
    q, qr = dot(ux, uy, ur, dy, -dx, dr)
    q, qr = q - e, qr + er + ROUND * abs(e)
    t, tr = dot(dx, dy, dr, ux, uy, ur)
    t, tr = t + h, tr + hr + ROUND * abs(t)
    g, gr = product(q, qr, w, wr)  # q / h
    x, y, r = twisted(1.0, -g, gr, ux, uy, ur)  # U - (q/h) iU
    n = put(B, 0, a, x, y, r, ux, uy, ur)
    n = put_factor(B, n, b, 1.0, 0.0, 0.0)
    n = put(B, n, b, -x, -y, r, ux, uy, ur)
    n = put(B, n, d, 0.5 * w, g, max(0.5 * wr, gr), ux, uy, ur)
    n = put(B, n, d, 0.0, 1.0, 0.0, -uy, ux, ur)
    x, y, r = twisted(1.0, g, gr, dx, dy, dr)  # D + (q/h) iD
    n = put(B, n, c, x, y, r, ux, uy, ur)
    return put_factor(B, n, c, t, e, max(tr, er))


@kernel(sample=_models)
def crossing_pieces(row, P, E, B):  # type: ignore[no-untyped-def]
    """LINES: X = L + t U + f iU with W x (X - M) = g."""
    o, a, b, c, d, k = row[1], row[2], row[3], row[4], row[5], row[6]
    ux, uy, ur = around(P, E, b)
    wx, wy, wr = around(P, E, d)
    det, detr = root_of(P, E, row[7], 1)
    if wx * uy - wy * ux < 0.0:
        det = -det
    v, vr = one_over(det, detr)
    x, xr = product(wx, wr, v, vr)
    y, yr = product(wy, wr, v, vr)
    r = max(xr, yr)
    n = put_factor(B, 0, a, 1.0, 0.0, 0.0)
    n = put(B, n, a, y, -x, r, ux, uy, ur)
    n = put(B, n, c, -y, x, r, ux, uy, ur)
    n = put(B, n, k, 0.0, v, vr, ux, uy, ur)
    n = put(B, n, k, 1.0, 0.0, 0.0, -uy, ux, ur)
    m, mr = dot(x, y, r, ux, uy, ur)  # (W x iU) / det
    n = put(B, n, k, -m, 0.0, mr, ux, uy, ur)
    sx, sy, sr = between(P, E, c, o)
    p, pr = product(-sy, sr, v, vr)
    q, qr = product(sx, sr, v, vr)
    n = put(B, n, d, p, q, max(pr, qr), ux, uy, ur)
    tx, ty, tr = between(P, E, a, o)
    zx, zy, zr = twisted(tx, ty, tr, ux, -uy, ur)  # t + i f, as U has length 1
    zr += (abs(zx) + abs(zy)) * (4.0 * ur * (1.0 + ur) + ROUND)
    n = put_factor(B, n, b, zx, zy, zr)
    mx, my, mr = twisted(x, -y, r, zx, zy, zr)
    return put(B, n, b, -my, -mx, mr, ux, uy, ur)


@kernel(sample=lambda: (_models()[2], _models()[3], 1, 3, 1e-12))
def passed_on(E, B, n, out, bound):  # type: ignore[no-untyped-def]
    """Write what the result may be off: by its pieces, and by `own` in any direction."""
    V = np.empty((2 * n + 1, 4))  # vector, radius, how much of it
    m, longest, fx, fy = 0, 0.0, 1.0, 0.0
    for i in range(n):
        row = int(B[i, 0])
        ex, ey, e, across = E[row, 0], E[row, 1], E[row, 2], E[row, 3]
        if e == 0.0 and across == 0.0:
            continue
        if B[i, 1] == 0.0:
            cx, cy = B[i, 2], B[i, 3]
            V[m, 0], V[m, 1], V[m, 2] = B[i, 5], B[i, 6], B[i, 7]
            V[m, 3] = (
                abs(cx * ex + cy * ey) * e
                + abs(cy * ex - cx * ey) * across
                + (1.5 * B[i, 4] + ROUND * (abs(cx) + abs(cy))) * (e + across)
            )
            m += 1
        else:
            zx, zy = B[i, 5], B[i, 6]
            V[m, 0], V[m, 1], V[m, 2], V[m, 3] = zx * ex - zy * ey, zx * ey + zy * ex, B[i, 7], e
            V[m + 1, 0], V[m + 1, 1], V[m + 1, 2], V[m + 1, 3] = -V[m, 1], V[m, 0], B[i, 7], across
            m += 2
    for i in range(m):
        size = math.hypot(V[i, 0], V[i, 1])
        if size * V[i, 3] > longest:
            longest, fx, fy = size * V[i, 3], V[i, 0] / size, V[i, 1] / size
    along, across = bound, bound
    for i in range(m):
        spread = 1.5 * V[i, 2] + ROUND * (abs(V[i, 0]) + abs(V[i, 1]))
        along += (abs(V[i, 0] * fx + V[i, 1] * fy) + spread) * V[i, 3]
        across += (abs(V[i, 1] * fx - V[i, 0] * fy) + spread) * V[i, 3]
    E[out, 0], E[out, 1] = fx, fy
    E[out, 2], E[out, 3] = along * WIDER, across * WIDER


def _tangent_sample() -> tuple[Any, ...]:
    row, P, E, B = _models()
    return row.reshape(1, -1), 0, 1, P, E, np.zeros((6, 3)), -1, B


@kernel(sample=_tangent_sample)
def run_tangents(ops, lo, hi, P, E, D, seed, B):  # type: ignore[no-untyped-def]
    """D: what each vector moves by input `seed`, middle x and y and radius, over all that can be."""
    for i in range(lo, hi):
        row = ops[i]
        op, o = row[0], row[1]
        x, y, r = 0.0, 0.0, 0.0
        if op == TURN:
            if row[2] == seed:
                cx, cy, cr = around(P, E, o)
                k = P[row[3], 0, 0]
                x, y, r = -k * cy, k * cx, abs(k) * (cr + ROUND)
        elif op == SLIDE:
            x = 1.0 if row[2] == seed else 0.0
            y = 1.0 if row[3] == seed else 0.0
        elif row[8] != 0 or op not in (CIRCLE_LINE, TANGENT):  # else a joint's limit
            for j in range(pieces(row, P, E, B)):
                s = int(B[j, 0])
                dx, dy, dr = D[s, 0], D[s, 1], D[s, 2]
                if dx == 0.0 and dy == 0.0 and dr == 0.0:
                    continue
                if B[j, 1] == 0.0:
                    m, mr = dot(B[j, 2], B[j, 3], B[j, 4], dx, dy, dr)
                    px, pr = product(B[j, 5], B[j, 7], m, mr)
                    py, qr = product(B[j, 6], B[j, 7], m, mr)
                    pr = max(pr, qr)
                else:
                    px, py, pr = twisted(B[j, 5], B[j, 6], B[j, 7], dx, dy, dr)
                x += px
                y += py
                r += pr + ROUND * (abs(x) + abs(y))
        D[o, 0], D[o, 1], D[o, 2] = x, y, r
