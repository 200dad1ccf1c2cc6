"""Second derivatives of the gaps between crossing edges, at zero acceleration.

With u and v along the edges of a and b, N = u x v, and d from a point on the first to one on the second, the
gap is g = N.d / |N|: points on the lines may be any, so the closest ones are taken, where d = g n. Edges turn
with their bodies, u' = w x u and u'' = w x (w x u). With |N|' = n.N' and |N||N|'' = N'.N' + N.N'' - |N|'^2,

    |N| g'' = N''.d + 2 N'.d' + N.d'' - 2 g' |N|' - g |N|''.
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


@kernel(sample=lambda: (np.ones((2, 6)), 1, np.array([0.1, 0.3, 0.7]), np.zeros(3), np.zeros(3)))
def turning(velocities, body, vector, first, second):  # type: ignore[no-untyped-def]
    """Writes the first and second derivative of a vector that turns steadily with a body."""
    cross3(velocities[body, 3:6], vector, first)
    cross3(velocities[body, 3:6], first, second)


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
    u1, u2, v1, v2 = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    a1, a2, b1, b2 = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    n0, first, second, both = np.zeros(3), np.zeros(3), np.zeros(3), np.zeros(3)
    for i in range(len(gap)):
        along = 0.0
        for k in range(3):
            u[k], v[k] = edges[i, k], edges[i, 3 + k]
            along += abs(u[k])
        if along == 0.0:
            continue
        cross3(u, v, n0)
        if n0[0] * normal[i, 0] + n0[1] * normal[i, 1] + n0[2] * normal[i, 2] < 0.0:
            for k in range(3):
                v[k], n0[k] = -v[k], -n0[k]
        for k in range(3):
            arm_a[k] = point[i, k] - gap[i] * normal[i, k] - origins[a[i], k]
            arm_b[k] = point[i, k] - origins[b[i], k]
        turning(velocities, a[i], arm_a, a1, a2)
        turning(velocities, b[i], arm_b, b1, b2)
        turning(velocities, a[i], u, u1, u2)
        turning(velocities, b[i], v, v1, v2)
        # First and second derivative of N.
        cross3(u1, v, first)
        cross3(u, v1, both)
        for k in range(3):
            first[k] += both[k]
        cross3(u2, v, second)
        cross3(u1, v1, both)
        for k in range(3):
            second[k] += 2.0 * both[k]
        cross3(u, v2, both)
        size, size_rate, squares, bent, moved, lifted, speed = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for k in range(3):
            second[k] += both[k]
            past = velocities[b[i], k] + b1[k] - velocities[a[i], k] - a1[k]
            size += n0[k] * n0[k]
            size_rate += normal[i, k] * first[k]
            squares += first[k] * first[k]
            bent += normal[i, k] * second[k]
            moved += first[k] * past
            lifted += normal[i, k] * (b2[k] - a2[k])
            speed += normal[i, k] * past
        size = math.sqrt(size)
        size_bend = (squares - size_rate * size_rate) / size + bent
        numerator = gap[i] * bent + 2.0 * moved + size * lifted - 2.0 * speed * size_rate - gap[i] * size_bend
        rates[i, 1] = numerator / size
