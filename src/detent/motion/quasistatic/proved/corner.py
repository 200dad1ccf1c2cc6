"""What follows where a vertex of the pawl comes to a vertex of an obstacle, proved.

To first order the pawl's vertex moves by d from the obstacle's, and the parts overlap exactly where d
points into the cone of the obstacle's corner less the pawl's. Where all rays of that cone but the
present contact's lie on one side of it, the cone is convex, and its other outer ray is the only
contact that can follow.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.motion.quasistatic.proved.terms import (
    ProvedPush,
    ProvedState,
    gap_form,
    sample_push,
    sample_state,
)
from detent.numeric.kernels import kernel

# Of the product of two rays' lengths: their directions are known to 2^-48, and as well as the angle is.
RAY = 2.0**-46


@kernel(sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2), 0, 2, np.zeros((4, 2))))
def next_ray(push: ProvedPush, state: ProvedState, k: int, j: int, rays: Any) -> int:
    """Which of the four contacts at pawl vertex k and wall vertex j follows: see `around`; -1 not told."""
    where, now = state.where, state.now
    half, kind, own_k, own_j = now[0], now[1], now[2], now[3]
    links, wall_links, walls = push.links, push.wall_links, push.walls
    turned = push.odd if half % 2 != 0 else push.pawl
    back, behind = links[k, 0], wall_links[j, 0]
    u, wide = (where[2] + where[3]) / 2, where[3] - where[2]
    cosine, sine = 1 - u * u, 2 * u
    rays[0, 0], rays[0, 1] = -walls[behind, 2], -walls[behind, 3]
    rays[1, 0], rays[1, 1] = walls[j, 2], walls[j, 3]
    for i in range(2):
        row, sign = (back, 1.0) if i == 0 else (k, -1.0)
        x, y = turned[row, 2], turned[row, 3]
        rays[2 + i, 0] = sign * (cosine * x - sine * y)
        rays[2 + i, 1] = sign * (sine * x + cosine * y)
    own = -1
    for i in range(4):
        other, a, b = around(push, k, j, i)
        if other == kind and a == own_k and b == own_j:
            own = i
    segment = links[links[k, 1], 1] == k
    if own < 0:
        return -1
    side = 0
    farthest = -1
    for i in range(4):
        # Of a segment's two sides, which are one ray, one is looked at.
        if i == own or (segment and ((own >= 2 and i >= 2) or (own < 2 and i == 3))):
            continue
        turn = _turn(rays, own, i, wide)
        if turn == 0 or turn * side < 0:
            return -1
        side = turn
        if farthest < 0:
            farthest = i
            continue
        beyond = _turn(rays, farthest, i, wide) * side
        if beyond == 0:
            return -1
        if beyond > 0:
            farthest = i
    if segment and farthest == 2:
        # The side of it that faces the present contact.
        facing = _turn(rays, 2, own, wide)
        return 3 if facing > 0 else (2 if facing < 0 else -1)
    return farthest


@kernel(sample=lambda: (np.ones((4, 2)), 0, 1, 1e-16), bare=True)
def _turn(rays: Any, i: int, j: int, wide: float) -> int:
    """The sign of the cross product of two rays, which the angle has known to a width."""
    cross = rays[i, 0] * rays[j, 1] - rays[i, 1] * rays[j, 0]
    size = (abs(rays[i, 0]) + abs(rays[i, 1])) * (abs(rays[j, 0]) + abs(rays[j, 1]))
    wrong = (RAY + 16 * wide) * size
    return 1 if cross > wrong else (-1 if cross < -wrong else 0)


@kernel(sample=lambda: (sample_push(), 0, 2, 1), bare=True)
def around(push: ProvedPush, k: int, j: int, i: int) -> tuple[int, int, int]:
    """The four contacts of pawl vertex k and wall vertex j: its two edges, then the pawl's two."""
    if i == 0:
        return 1, k, push.wall_links[j, 0]
    if i == 1:
        return 1, k, j
    return 0, push.links[k, 0] if i == 2 else k, j


@kernel(sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2), 1, 0, 2), bare=True)
def lift(push: ProvedPush, state: ProvedState, kind: int, k: int, j: int) -> int:
    """The sign of d gap / d angle of a pair that touches here."""
    where = state.where
    _, c1, c2, _, s1, s2, size, speed = gap_form(push, state.now[0], kind, k, j, 0)
    u, t = (where[2] + where[3]) / 2, (where[0] + where[1]) / 2
    slope = c1 + t * s1 + 2 * u * (c2 + t * s2)
    latest = max(abs(where[0]), abs(where[1]))
    wrong = 2.0**-44 * (size + latest * speed)
    wrong += 6 * (where[3] - where[2]) * (size + latest * speed) + 6 * (where[1] - where[0]) * speed
    return 1 if slope > wrong else (-1 if slope < -wrong else 0)


@kernel(sample=lambda: (sample_push(), sample_state(20.5, -0.1, 1, 0, 2)), bare=True)
def heading_of(push: ProvedPush, state: ProvedState) -> tuple[int, int]:
    """Signs of du/dt and of q along the contact's curve from here; 0 where they are not told."""
    where, now = state.where, state.now
    c0, c1, c2, s0, s1, s2, size, speed = gap_form(push, now[0], now[1], now[2], now[3], 0)
    u, wide = (where[2] + where[3]) / 2, where[3] - where[2]
    q = s0 + u * (s1 + u * s2)
    fold = c0 * s1 - c1 * s0 + u * (2 * (c0 * s2 - c2 * s0) + u * (c1 * s2 - c2 * s1))
    wrong_q = (2.0**-45 + 6 * wide) * speed
    wrong = (2.0**-42 + 64 * wide) * size * speed
    heading = 1 if fold > wrong else (-1 if fold < -wrong else 0)
    return heading, 1 if q > wrong_q else (-1 if q < -wrong_q else 0)
