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

from detent.mechanics.joint_kernels import cross3, dot3, minus3, plus3
from detent.numeric.kernels import kernel


def _sample() -> tuple[Any, ...]:
    edges = np.array([[1.0, 0.0, 0.0, 0.6, 0.8, 0.0], np.zeros(6)])
    normal, point = np.tile([0.0, 0.0, 1.0], (2, 1)), np.full((2, 3), 0.3)
    velocities = np.arange(12.0).reshape(2, 6) / 7
    bodies = np.array([0, 0]), np.array([1, 1])
    return *bodies, np.array([0.1, 0.2]), point, normal, edges, np.zeros((2, 3)), velocities, np.zeros((2, 2))


@kernel(sample=_sample)
def edge_gap_rates(a, b, gap, point, normal, edges, origins, velocities, rates):  # type: ignore[no-untyped-def]
    """Writes the second derivative of each gap between edges; where `edges` is zero there is none."""
    for i in range(len(gap)):
        u = edges[i, 0], edges[i, 1], edges[i, 2]
        v = edges[i, 3], edges[i, 4], edges[i, 5]
        if abs(u[0]) + abs(u[1]) + abs(u[2]) == 0.0:
            continue
        n = normal[i, 0], normal[i, 1], normal[i, 2]
        across = cross3(u, v)
        if dot3(across, n) < 0.0:
            v = -v[0], -v[1], -v[2]
            across = -across[0], -across[1], -across[2]
        at_b = point[i, 0], point[i, 1], point[i, 2]
        at_a = minus3(at_b, (gap[i] * n[0], gap[i] * n[1], gap[i] * n[2]))
        arm_a, v_a, spin_a = minus3(at_a, origins[a[i]]), velocities[a[i], :3], velocities[a[i], 3:]
        arm_b, v_b, spin_b = minus3(at_b, origins[b[i]]), velocities[b[i], :3], velocities[b[i], 3:]
        past_a, past_b = cross3(spin_a, arm_a), cross3(spin_b, arm_b)
        past = minus3(minus3(plus3(v_b, past_b), v_a), past_a)
        rate = plus3(cross3(cross3(spin_a, u), v), cross3(u, cross3(spin_b, v)))
        size, size_rate = math.sqrt(dot3(across, across)), dot3(n, rate)
        bending = dot3(n, minus3(cross3(spin_b, past_b), cross3(spin_a, past_a)))
        turning = gap[i] * (dot3(rate, rate) - size_rate * size_rate) / size
        rates[i, 1] = bending + (2.0 * dot3(rate, past) - 2.0 * dot3(n, past) * size_rate - turning) / size
