"""Chains at move time: least motion of links joined by pins, each to the next (Brunkhart 1994, Fig. 28).

The normal matrix J J^T of such a block is block tridiagonal, one block of 2 by 2 for each pin, and is
eliminated pin by pin in closed form: the cost is linear in the links. A body's columns at a pin are
(f I, c): f is 1 where its position is unknown, and c is what one metre of its angle's arc, or of its
travel, moves the pin. Newton goes on until its steps, each about the square of the one before, show
that the next is rounding; the last is made with the elimination of the one before.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.execution.bodies import LONGEST_TURN, MOST_NEWTON, STILL, place_bodies
from detent.kinematics.planning.blocks import FREE, PIN, PINNED, SLIDING
from detent.numeric.kernels import kernel

CLOSED, OPEN, RANK_DROPS = 0, 1, 2
# Steps that shrink by less are not yet those of a nearby root: nothing is concluded from them.
PLAINLY = 0.1
# What is left is foretold from the last two steps, and the law behind it may change by as much as this.
WARY = 100.0
# A pivot below this part of the largest is left to `bodies.shortest_step`, which can leave out a row.
SMALL_PIVOT = 1e-12
# Up to this angle [rad] the series of `turned_by`, to the seventh power, is exact to rounding.
SHORT_TURN = 0.03
ROWS_A_PIN = 2

# What is kept for each pin: residual, both bodies' c, coupling to the pin before, that times the
# inverse pivot before, inverse pivot (symmetric), multipliers, and the f of both bodies.
RX, RY, CAX, CAY, CBX, CBY, K00, K01, K10, K11, M00, M01, M10, M11, P00, P01, P11, YX, YY, FA, FB = range(21)
KEPT = 21


@kernel(sample=lambda: (5, 4, 2, 3))
def is_chain(unknowns, rows, equations, band):  # type: ignore[no-untyped-def]
    """Whether each pin shares bodies with its two neighbours only, and a degree of freedom is left."""
    return rows == ROWS_A_PIN * equations and band < 2 * ROWS_A_PIN and 0 < rows < unknowns


def _chain_sample() -> tuple[Any, ...]:
    """Three links between two pins of the world, of which the first has moved a little."""
    V = np.zeros((12, 2))
    V[:5] = [(0, 0.05), (3, 0), (0, 0), (1.25, 0), (1, 0)]
    bodies = np.array(
        [[PINNED, 0, 5, 6, 0, 2, 0, 0], [FREE, 1, 7, 8, 0, 0, 0, 0], [PINNED, 4, 9, 10, 1, 2, 0, 0]],
        dtype=np.int64,
    )
    equations = np.array([[PIN, 0, 3, 0, 1, 2, 0, 0, -1], [PIN, 1, 3, 0, 2, 4, 0, 2, -1]], dtype=np.int64)
    q = np.array([0.6435, 1.0, 0.75, -0.25, 2.5])
    return V, bodies, equations, np.ones(3), q, 3.0


@kernel(sample=_chain_sample)
def close_chain(V, bodies, equations, reach, q, size):  # type: ignore[no-untyped-def]
    """Newton from q to a closed chain, by shortest steps; CLOSED, OPEN or RANK_DROPS."""
    W = np.empty((equations.shape[0], KEPT))
    x = np.empty(q.shape[0])
    place_bodies(V, V, V, bodies, q, q, q, 0)
    enough, before, last = STILL * size, 1e300, 0.0
    again = True  # whether to eliminate again, or keep the pivots of the step before
    for _ in range(MOST_NEWTON):
        gap = chain_gaps(V, bodies, equations, reach, W)
        if gap <= enough or (gap <= 1e3 * enough and gap >= 0.5 * before):
            return CLOSED
        before = gap
        if again and not eliminate(equations, W):
            return RANK_DROPS
        step = chain_step(bodies, equations, W, x)
        move_bodies(V, bodies, reach, q, x)
        share = step / last if last > 0.0 else 1.0
        if share > PLAINLY:
            again = True
        elif not again:  # the old pivots leave as much of this step as they left of the one before
            if WARY * share * step <= enough:
                return CLOSED
            again = True
        else:
            rest = WARY * share * share * step
            if rest <= enough:
                return CLOSED
            again = rest * share * share > enough
        last = step
    return OPEN


@kernel(sample=lambda: (*_chain_sample()[:4], np.zeros((2, KEPT))))
def chain_gaps(V, bodies, equations, reach, W):  # type: ignore[no-untyped-def]
    """Residuals and bodies' columns at every pin; the largest residual."""
    gap = 0.0
    for e in range(equations.shape[0]):
        gx, gy = 0.0, 0.0
        for side in range(2):
            i = equations[e, 1 + 3 * side]
            point = equations[e, 2 + 3 * side]
            sign = 2.0 * side - 1.0
            px, py, cx, cy, free = V[point, 0], V[point, 1], 0.0, 0.0, 0.0
            if i >= 0:
                o, U = bodies[i, 2], bodies[i, 3]
                ux, uy = V[U, 0], V[U, 1]
                ax, ay = ux * px - uy * py, ux * py + uy * px
                px, py = V[o, 0] + ax, V[o, 1] + ay
                if bodies[i, 0] == SLIDING:
                    line = bodies[i, 5]
                    cx, cy = V[line, 0], V[line, 1]
                else:
                    free = 1.0
                    if bodies[i, 0] == PINNED:  # the arm is from its pin
                        free = 0.0
                        pin = bodies[i, 4]
                        ax, ay = px - V[pin, 0], py - V[pin, 1]
                    cx, cy = -ay / reach[i], ax / reach[i]
            gx += sign * px
            gy += sign * py
            W[e, CAX + 2 * side], W[e, CAY + 2 * side] = cx, cy
            W[e, FA + side] = free
        W[e, RX], W[e, RY] = gx, gy
        gap = max(gap, abs(gx), abs(gy))
    return gap


def _pins_sample() -> tuple[Any, ...]:
    V, bodies, equations, reach, q, _ = _chain_sample()
    W = np.zeros((2, KEPT))
    place_bodies(V, V, V, bodies, q, q, q, 0)
    chain_gaps(V, bodies, equations, reach, W)
    return bodies, equations, W


@kernel(sample=lambda: _pins_sample()[1:])
def eliminate(equations, W):  # type: ignore[no-untyped-def]
    """Pivots of the normal matrix, pin by pin; False where one is too small."""
    top = 0.0
    for e in range(equations.shape[0]):
        ax, ay, bx, by = W[e, CAX], W[e, CAY], W[e, CBX], W[e, CBY]
        free = W[e, FA] + W[e, FB]
        d00, d01, d11 = free + ax * ax + bx * bx, ax * ay + bx * by, free + ay * ay + by * by
        if e > 0:
            k00, k01, k10, k11 = 0.0, 0.0, 0.0, 0.0
            for side in range(2):
                i = equations[e, 1 + 3 * side]
                for other in range(2):
                    if i < 0 or equations[e - 1, 1 + 3 * other] != i:
                        continue
                    sign = 1.0 if side == other else -1.0
                    free = sign * W[e, FA + side]
                    ux, uy = sign * W[e, CAX + 2 * side], sign * W[e, CAY + 2 * side]
                    vx, vy = W[e - 1, CAX + 2 * other], W[e - 1, CAY + 2 * other]
                    k00 += free + ux * vx
                    k01 += ux * vy
                    k10 += uy * vx
                    k11 += free + uy * vy
            p00, p01, p11 = W[e - 1, P00], W[e - 1, P01], W[e - 1, P11]
            m00, m01 = k00 * p00 + k01 * p01, k00 * p01 + k01 * p11
            m10, m11 = k10 * p00 + k11 * p01, k10 * p01 + k11 * p11
            d00 -= m00 * k00 + m01 * k01
            d01 -= m00 * k10 + m01 * k11
            d11 -= m10 * k10 + m11 * k11
            W[e, K00], W[e, K01], W[e, K10], W[e, K11] = k00, k01, k10, k11
            W[e, M00], W[e, M01], W[e, M10], W[e, M11] = m00, m01, m10, m11
        top = max(top, d00, d11)
        det = d00 * d11 - d01 * d01
        if not det > SMALL_PIVOT * top * (d00 + d11):
            return False
        W[e, P00], W[e, P01], W[e, P11] = d11 / det, -d01 / det, d00 / det
    return True


def _solve_sample() -> tuple[Any, ...]:
    bodies, equations, W = _pins_sample()
    eliminate(equations, W)
    return bodies, equations, W, np.zeros(5)


@kernel(sample=_solve_sample)
def chain_step(bodies, equations, W, x):  # type: ignore[no-untyped-def]
    """The shortest x with J x = -r, angles as arcs; its largest part."""
    last = equations.shape[0] - 1
    zx, zy = 0.0, 0.0
    for e in range(last + 1):
        wx, wy = W[e, RX], W[e, RY]
        if e > 0:
            wx, wy = wx - W[e, M00] * zx - W[e, M01] * zy, wy - W[e, M10] * zx - W[e, M11] * zy
        zx, zy = wx, wy
        W[e, YX], W[e, YY] = zx, zy
    for j in range(x.shape[0]):
        x[j] = 0.0
    for e in range(last, -1, -1):
        zx, zy = W[e, YX], W[e, YY]
        if e < last:
            yx, yy = W[e + 1, YX], W[e + 1, YY]
            zx -= W[e + 1, K00] * yx + W[e + 1, K10] * yy
            zy -= W[e + 1, K01] * yx + W[e + 1, K11] * yy
        yx = W[e, P00] * zx + W[e, P01] * zy
        yy = W[e, P01] * zx + W[e, P11] * zy
        W[e, YX], W[e, YY] = yx, yy
        for side in range(2):
            i = equations[e, 1 + 3 * side]
            if i < 0:
                continue
            sign, f = 1.0 - 2.0 * side, bodies[i, 1]
            along = sign * (W[e, CAX + 2 * side] * yx + W[e, CAY + 2 * side] * yy)
            if bodies[i, 0] == FREE:
                x[f] += sign * yx
                x[f + 1] += sign * yy
                x[f + 2] += along
            else:
                x[f] += along
    longest = 0.0
    for j in range(x.shape[0]):
        longest = max(longest, abs(x[j]))
    return longest


def _move_sample() -> tuple[Any, ...]:
    V, bodies, _, reach, q, _ = _chain_sample()
    return V, bodies, reach, q, np.array([0.01, 0.02, -0.03, 0.04, 0.05])


@kernel(sample=_move_sample)
def move_bodies(V, bodies, reach, q, x):  # type: ignore[no-untyped-def]
    """Add the step to q and place the bodies anew."""
    for i in range(bodies.shape[0]):
        kind, f, o, U = bodies[i, 0], bodies[i, 1], bodies[i, 2], bodies[i, 3]
        if kind == SLIDING:
            line = bodies[i, 5]
            q[f] += x[f]
            V[o, 0] += x[f] * V[line, 0]
            V[o, 1] += x[f] * V[line, 1]
            continue
        t = f if kind == PINNED else f + 2
        angle = min(max(x[t] / reach[i], -LONGEST_TURN), LONGEST_TURN)
        q[t] += angle
        if abs(angle) > SHORT_TURN:
            ux, uy = math.cos(q[t]), math.sin(q[t])
        else:
            z = angle * angle
            c = 1.0 - z * (1.0 / 2 - z * (1.0 / 24 - z * (1.0 / 720)))
            s = angle * (1.0 - z * (1.0 / 6 - z * (1.0 / 120 - z * (1.0 / 5040))))
            ux, uy = V[U, 0] * c - V[U, 1] * s, V[U, 0] * s + V[U, 1] * c
        V[U, 0], V[U, 1] = ux, uy
        if kind == FREE:
            q[f] += x[f]
            q[f + 1] += x[f + 1]
            V[o, 0], V[o, 1] = q[f], q[f + 1]
        else:
            pin, b = bodies[i, 4], bodies[i, 5]
            V[o, 0] = V[pin, 0] - (ux * V[b, 0] - uy * V[b, 1])
            V[o, 1] = V[pin, 1] - (ux * V[b, 1] + uy * V[b, 0])
