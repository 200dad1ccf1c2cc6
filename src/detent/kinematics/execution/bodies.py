"""Blocks at move time: residuals and their derivatives.

The unknowns q of a block's bodies (angle, travel, or position and angle) give each
body's origin O and direction U; equations are those of `rows.py`, restricted to
the block. The Jacobian is kept by rows: three columns for each body that a row
touches (see `block_step.py`), so that a chain of n links costs n rows.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.planning.blocks import ANGLE, FREE, GEAR, LINE, PIN, PINNED, SLIDING, WIDTH
from detent.numeric.kernels import kernel

MOST_NEWTON = 30
# A block has converged when no unknown moves more than this part of the size.
STILL = 1e-13
LONGEST_TURN = 0.5  # [rad] in one Newton step


def _chain() -> tuple[Any, ...]:
    """Two links pinned at the world's ends, sharing a pin."""
    V = np.array([[0.0, 0], [2, 0], [1, 0], [0, 0], [1, 0], [0, 0], [1, 0]])
    bodies = np.array([[PINNED, 0, 3, 4, 0, 0, 0, 0], [PINNED, 1, 5, 6, 1, 0, 0, 0]], dtype=np.int64)
    equations = np.array([[PIN, 0, 2, 0, 1, 2, 0, 0, -1]], dtype=np.int64)
    return V, bodies, equations


def _place_sample() -> tuple[Any, ...]:
    V, bodies, _ = _chain()
    return V, V * 0, V * 0, bodies, np.array([1.0, 2.0]), np.zeros(2), np.zeros(2), 2


@kernel(sample=_place_sample)
def place_bodies(V, V1, V2, bodies, q, q1, q2, order):  # type: ignore[no-untyped-def]
    """Write O and U of each body, with derivatives up to `order`."""
    for i in range(bodies.shape[0]):
        kind, f, o, U = bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3]
        a, b, c, d = bodies[i, 4], bodies[i, 5], bodies[i, 6], bodies[i, 7]
        if kind == SLIDING:
            # U = line / own direction (both of length 1), O = a + travel line - U c
            lx, ly = V[b, 0], V[b, 1]
            ox, oy = V[d, 0], -V[d, 1]
            ux, uy = lx * ox - ly * oy, lx * oy + ly * ox
            V[U, 0], V[U, 1] = ux, uy
            cx, cy = V[c, 0], V[c, 1]
            V[o, 0] = V[a, 0] + q[f] * lx - (ux * cx - uy * cy)
            V[o, 1] = V[a, 1] + q[f] * ly - (ux * cy + uy * cx)
            if order > 0:
                lx1, ly1 = V1[b, 0], V1[b, 1]
                ux1, uy1 = lx1 * ox - ly1 * oy, lx1 * oy + ly1 * ox
                V1[U, 0], V1[U, 1] = ux1, uy1
                V1[o, 0] = V1[a, 0] + q1[f] * lx + q[f] * lx1 - (ux1 * cx - uy1 * cy)
                V1[o, 1] = V1[a, 1] + q1[f] * ly + q[f] * ly1 - (ux1 * cy + uy1 * cx)
                if order > 1:
                    lx2, ly2 = V2[b, 0], V2[b, 1]
                    ux2, uy2 = lx2 * ox - ly2 * oy, lx2 * oy + ly2 * ox
                    V2[U, 0], V2[U, 1] = ux2, uy2
                    V2[o, 0] = V2[a, 0] + q2[f] * lx + 2 * q1[f] * lx1 + q[f] * lx2 - (ux2 * cx - uy2 * cy)
                    V2[o, 1] = V2[a, 1] + q2[f] * ly + 2 * q1[f] * ly1 + q[f] * ly2 - (ux2 * cy + uy2 * cx)
            continue
        t = f if kind == PINNED else f + 2
        cs, sn = math.cos(q[t]), math.sin(q[t])
        V[U, 0], V[U, 1] = cs, sn
        if order > 0:
            w = q1[t]
            V1[U, 0], V1[U, 1] = -sn * w, cs * w
            if order > 1:
                V2[U, 0], V2[U, 1] = -sn * q2[t] - cs * w * w, cs * q2[t] - sn * w * w
        if kind == FREE:
            V[o, 0], V[o, 1] = q[f], q[f + 1]
            if order > 0:
                V1[o, 0], V1[o, 1] = q1[f], q1[f + 1]
                if order > 1:
                    V2[o, 0], V2[o, 1] = q2[f], q2[f + 1]
            continue
        bx, by = V[b, 0], V[b, 1]
        V[o, 0] = V[a, 0] - (cs * bx - sn * by)
        V[o, 1] = V[a, 1] - (cs * by + sn * bx)
        if order > 0:
            bx1, by1 = V1[b, 0], V1[b, 1]
            V1[o, 0] = V1[a, 0] - (V1[U, 0] * bx - V1[U, 1] * by + cs * bx1 - sn * by1)
            V1[o, 1] = V1[a, 1] - (V1[U, 0] * by + V1[U, 1] * bx + cs * by1 + sn * bx1)
            if order > 1:
                bx2, by2 = V2[b, 0], V2[b, 1]
                V2[o, 0] = V2[a, 0] - (
                    (V2[U, 0] * bx - V2[U, 1] * by)
                    + 2 * (V1[U, 0] * bx1 - V1[U, 1] * by1)
                    + (cs * bx2 - sn * by2)
                )
                V2[o, 1] = V2[a, 1] - (
                    (V2[U, 0] * by + V2[U, 1] * bx)
                    + 2 * (V1[U, 0] * by1 + V1[U, 1] * bx1)
                    + (cs * by2 + sn * bx2)
                )


@kernel(sample=lambda: (*_chain()[:2], np.zeros(4), 0, 2, 1))
def carried(V, bodies, out, i, row, k):  # type: ignore[no-untyped-def]
    """A body's vector in the world: out = (x, y, ...); k = 1 for a point, 0 for a direction.

    out[2:4] is its arm, its derivative by the body's angle, rotated back by 90 degrees.
    """
    if i < 0:
        out[0], out[1], out[2], out[3] = V[row, 0], V[row, 1], 0.0, 0.0
        return
    o, U = bodies[i, 2], bodies[i, 3]
    x = V[U, 0] * V[row, 0] - V[U, 1] * V[row, 1]
    y = V[U, 0] * V[row, 1] + V[U, 1] * V[row, 0]
    out[0], out[1], out[2], out[3] = k * V[o, 0] + x, k * V[o, 1] + y, x, y


def _rate_sample() -> tuple[Any, ...]:
    V, bodies, _ = _chain()
    return V, V * 0, V * 0, bodies, np.zeros(2), 0, 2, 1, 2


@kernel(sample=_rate_sample)
def carried_rate(V, V1, V2, bodies, out, i, row, k, order):  # type: ignore[no-untyped-def]
    """First (order 1) or second derivative of a body's vector in the world."""
    if i < 0:
        W = V1 if order == 1 else V2
        out[0], out[1] = W[row, 0], W[row, 1]
        return
    o, U = bodies[i, 2], bodies[i, 3]
    mx, my = V[row, 0], V[row, 1]
    if order == 1:
        out[0] = k * V1[o, 0] + V1[U, 0] * mx - V1[U, 1] * my + V[U, 0] * V1[row, 0] - V[U, 1] * V1[row, 1]
        out[1] = k * V1[o, 1] + V1[U, 0] * my + V1[U, 1] * mx + V[U, 0] * V1[row, 1] + V[U, 1] * V1[row, 0]
        return
    out[0] = (
        k * V2[o, 0]
        + (V2[U, 0] * mx - V2[U, 1] * my)
        + 2 * (V1[U, 0] * V1[row, 0] - V1[U, 1] * V1[row, 1])
        + (V[U, 0] * V2[row, 0] - V[U, 1] * V2[row, 1])
    )
    out[1] = (
        k * V2[o, 1]
        + (V2[U, 0] * my + V2[U, 1] * mx)
        + 2 * (V1[U, 0] * V1[row, 1] + V1[U, 1] * V1[row, 0])
        + (V[U, 0] * V2[row, 1] + V[U, 1] * V2[row, 0])
    )


def _add_sample() -> tuple[Any, ...]:
    V, bodies, _ = _chain()
    return np.zeros((2, 6)), V, bodies, 0, 0, 0, 1.0, 0.0, 0.3, 1.0


@kernel(sample=_add_sample)
def add_row(J, V, bodies, i, slot, row, gx, gy, gt, scale):  # type: ignore[no-untyped-def]
    """Add the derivative (gx, gy by O, gt by the angle) of a row to body i's columns, which lie in a slot."""
    if i < 0:
        return
    kind, f = bodies[i, 0], WIDTH * slot
    if kind == FREE:
        J[row, f] += gx
        J[row, f + 1] += gy
        J[row, f + 2] += gt * scale
    elif kind == SLIDING:
        b = bodies[i, 5]
        J[row, f] += gx * V[b, 0] + gy * V[b, 1]
    else:
        U, b = bodies[i, 3], bodies[i, 5]
        x = V[U, 0] * V[b, 0] - V[U, 1] * V[b, 1]
        y = V[U, 0] * V[b, 1] + V[U, 1] * V[b, 0]
        J[row, f] += (gt + gx * y - gy * x) * scale


def _residual_sample() -> tuple[Any, ...]:
    V, bodies, equations = _chain()
    q, r, J = np.array([1.0, 2.0]), np.zeros(2), np.zeros((2, 6))
    return V, bodies, equations, np.zeros((1, 2)), np.ones(2), q, 1.0, r, J


@kernel(sample=_residual_sample)
def block_rows(V, bodies, equations, ratios, reach, q, size, r, J):  # type: ignore[no-untyped-def]
    """Residuals and Jacobian of a block whose bodies are placed; columns of angles are scaled by 1/reach.

    A row's first slot of columns is its body A's, then B's, then a gear's carrier's.
    """
    J[:] = 0.0
    pa, da, pb, db = np.empty(4), np.empty(4), np.empty(4), np.empty(4)
    for e in range(equations.shape[0]):
        kind, A, B, row = equations[e, 0], equations[e, 1], equations[e, 4], equations[e, 7]
        sa = 1.0 / reach[A] if A >= 0 else 1.0
        sb = 1.0 / reach[B] if B >= 0 else 1.0
        if kind == PIN:  # written out: chains spend their time here
            gx, gy = 0.0, 0.0
            for side in range(2):
                i = B if side == 0 else A
                point = equations[e, 5] if side == 0 else equations[e, 2]
                sign = 1.0 if side == 0 else -1.0
                if i < 0:
                    gx += sign * V[point, 0]
                    gy += sign * V[point, 1]
                    continue
                o, U, f = bodies[i, 2], bodies[i, 3], WIDTH - WIDTH * side
                ux, uy, mx, my = V[U, 0], V[U, 1], V[point, 0], V[point, 1]
                x, y = ux * mx - uy * my, ux * my + uy * mx
                gx += sign * (V[o, 0] + x)
                gy += sign * (V[o, 1] + y)
                if bodies[i, 0] == FREE:
                    J[row, f] = sign
                    J[row + 1, f + 1] = sign
                    J[row, f + 2] = -sign * y / reach[i]
                    J[row + 1, f + 2] = sign * x / reach[i]
                elif bodies[i, 0] == SLIDING:
                    b = bodies[i, 5]
                    J[row, f] = sign * V[b, 0]
                    J[row + 1, f] = sign * V[b, 1]
                else:  # the arm from its pin: its origin moves the other way
                    b = bodies[i, 5]
                    x -= ux * V[b, 0] - uy * V[b, 1]
                    y -= ux * V[b, 1] + uy * V[b, 0]
                    J[row, f] = -sign * y / reach[i]
                    J[row + 1, f] = sign * x / reach[i]
            r[row], r[row + 1] = gx, gy
        elif kind == LINE:
            carried(V, bodies, pa, A, equations[e, 2], 1)
            carried(V, bodies, da, A, equations[e, 3], 0)
            carried(V, bodies, pb, B, equations[e, 5], 1)
            dx, dy = pb[0] - pa[0], pb[1] - pa[1]
            ux, uy = da[0], da[1]
            r[row] = ux * dy - uy * dx
            add_row(J, V, bodies, B, 1, row, -uy, ux, ux * pb[2] + uy * pb[3], sb)
            add_row(J, V, bodies, A, 0, row, uy, -ux, -(ux * (pa[2] + dx) + uy * (pa[3] + dy)), sa)
        elif kind == ANGLE:
            carried(V, bodies, da, A, equations[e, 3], 0)
            carried(V, bodies, db, B, equations[e, 6], 0)
            r[row] = size * (da[0] * db[1] - da[1] * db[0])
            dot = size * (da[0] * db[0] + da[1] * db[1])
            add_row(J, V, bodies, B, 1, row, 0.0, 0.0, dot, sb)
            add_row(J, V, bodies, A, 0, row, 0.0, 0.0, -dot, sa)
        else:
            C = equations[e, 8]
            total = -ratios[e, 1]
            for j in range(3):
                body = B if j == 0 else (A if j == 1 else C)
                weight = 1.0 if j == 0 else (-ratios[e, 0] if j == 1 else ratios[e, 0] - 1.0)
                if body >= 0:
                    t = 2 if bodies[body, 0] == FREE else 0
                    slot = 0 if body == A else (1 if body == B else 2)
                    total += weight * q[bodies[body, 1] + t]
                    J[row, WIDTH * slot + t] += size * weight / reach[body]
            r[row] = size * total


def _rates_sample() -> tuple[Any, ...]:
    V, bodies, equations = _chain()
    return V, V * 0, V * 0, bodies, equations, 1.0, np.zeros(2), 2


@kernel(sample=_rates_sample)
def block_rates(V, V1, V2, bodies, equations, size, r, order):  # type: ignore[no-untyped-def]
    """First or second derivative of a block's residuals, its bodies' derivatives as they are."""
    a, b, u, v = np.empty(2), np.empty(2), np.empty(2), np.empty(2)
    a1, b1, u1 = np.empty(2), np.empty(2), np.empty(2)
    p, s = np.empty(4), np.empty(4)
    for e in range(equations.shape[0]):
        kind, A, B, row = equations[e, 0], equations[e, 1], equations[e, 4], equations[e, 7]
        if kind == PIN:
            carried_rate(V, V1, V2, bodies, a, A, equations[e, 2], 1, order)
            carried_rate(V, V1, V2, bodies, b, B, equations[e, 5], 1, order)
            r[row], r[row + 1] = b[0] - a[0], b[1] - a[1]
            continue
        if kind == GEAR:
            r[row] = 0.0  # linear in the unknowns: what moves it is theirs
            continue
        point = 1 if kind == LINE else 0
        scale = 1.0 if kind == LINE else size
        rb = equations[e, 5] if kind == LINE else equations[e, 6]
        carried(V, bodies, s, A, equations[e, 3], 0)
        ux, uy = s[0], s[1]
        carried(V, bodies, p, B, rb, point)
        dx, dy = p[0], p[1]
        carried_rate(V, V1, V2, bodies, u1, A, equations[e, 3], 0, 1)
        carried_rate(V, V1, V2, bodies, b1, B, rb, point, 1)
        a1[0], a1[1] = 0.0, 0.0
        if kind == LINE:
            carried(V, bodies, p, A, equations[e, 2], 1)
            dx, dy = dx - p[0], dy - p[1]
            carried_rate(V, V1, V2, bodies, a1, A, equations[e, 2], 1, 1)
        ex1, ey1 = b1[0] - a1[0], b1[1] - a1[1]
        if order == 1:
            r[row] = scale * (u1[0] * dy - u1[1] * dx + ux * ey1 - uy * ex1)
            continue
        carried_rate(V, V1, V2, bodies, u, A, equations[e, 3], 0, 2)
        carried_rate(V, V1, V2, bodies, b, B, rb, point, 2)
        v[0], v[1] = 0.0, 0.0
        if kind == LINE:
            carried_rate(V, V1, V2, bodies, v, A, equations[e, 2], 1, 2)
        ex2, ey2 = b[0] - v[0], b[1] - v[1]
        r[row] = scale * ((u[0] * dy - u[1] * dx) + 2 * (u1[0] * ey1 - u1[1] * ex1) + (ux * ey2 - uy * ex2))
