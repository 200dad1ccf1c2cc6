"""Second derivatives of the gaps between crossing edges, at zero acceleration.

With u and v along the edges of a and b, N = u x v, and d from a point on the first to one on the second, the
gap is g = N.d / |N|: points on the lines may be any, so the closest ones are taken, where d = g n. Edges turn
with their bodies, u' = w x u. With |N|' = n.N' and |N||N|'' = N'.N' + N.N'' - |N|'^2 the second derivative of
N drops out:

    |N| g'' = 2 N'.d' + N.d'' - 2 g' |N|' - g (N'.N' - |N|'^2) / |N|.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel


@kernel(sample=lambda: (np.array([1.0, 0.5, 0.2]), np.array([0.1, 0.3, 0.7]), np.zeros(3)))
def cross3(one, other, product):  # type: ignore[no-untyped-def]
    """Writes the cross product of two vectors."""
    product[0] = one[1] * other[2] - one[2] * other[1]
    product[1] = one[2] * other[0] - one[0] * other[2]
    product[2] = one[0] * other[1] - one[1] * other[0]


def _sample() -> tuple[Any, ...]:
    edges = np.array([[1.0, 0.0, 0.0, 0.6, 0.8, 0.0], np.zeros(6)])
    normal, point = np.tile([0.0, 0.0, 1.0], (2, 1)), np.full((2, 3), 0.3)
    velocities = np.arange(12.0).reshape(2, 6) / 7
    bodies = np.array([0, 0]), np.array([1, 1])
    return *bodies, np.array([0.1, 0.2]), point, normal, edges, np.zeros((2, 3)), velocities, np.zeros((2, 2))


@kernel(sample=_sample)
def edge_gap_rates(a, b, gap, point, normal, edges, origins, velocities, rates):  # type: ignore[no-untyped-def]
    """Writes the second derivative of each gap between edges; where `edges` is zero there is none."""
    u, v, arm_a, arm_b = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    past_a, past_b, bend_a, bend_b = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    turned, across, first, both = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for i in range(len(gap)):
        along = 0.0
        for k in range(3):
            u[k], v[k] = edges[i, k], edges[i, 3 + k]
            along += abs(u[k])
        if along == 0.0:
            continue
        cross3(u, v, across)
        if across[0] * normal[i, 0] + across[1] * normal[i, 1] + across[2] * normal[i, 2] < 0.0:
            for k in range(3):
                v[k], across[k] = -v[k], -across[k]
        for k in range(3):
            arm_a[k] = point[i, k] - gap[i] * normal[i, k] - origins[a[i], k]
            arm_b[k] = point[i, k] - origins[b[i], k]
        spin_a, spin_b = velocities[a[i], 3:6], velocities[b[i], 3:6]
        cross3(spin_a, arm_a, past_a)
        cross3(spin_a, past_a, bend_a)
        cross3(spin_b, arm_b, past_b)
        cross3(spin_b, past_b, bend_b)
        cross3(spin_a, u, turned)
        cross3(turned, v, first)
        cross3(spin_b, v, turned)
        cross3(u, turned, both)
        size, size_rate, squares, carried, bending, speed = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            rate = first[k] + both[k]
            past = velocities[b[i], k] + past_b[k] - velocities[a[i], k] - past_a[k]
            size += across[k] * across[k]
            size_rate += normal[i, k] * rate
            squares += rate * rate
            carried += rate * past
            bending += normal[i, k] * (bend_b[k] - bend_a[k])
            speed += normal[i, k] * past
        size = math.sqrt(size)
        turning = gap[i] * (squares - size_rate * size_rate) / size
        rates[i, 1] = bending + (2.0 * carried - 2.0 * speed * size_rate - turning) / size
