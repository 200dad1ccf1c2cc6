"""What follows where a vertex of the pawl comes to a vertex of an obstacle; compiled. See `tracker`."""

from __future__ import annotations

import math
from typing import Any

from detent.motion.quasistatic.floats.coefficients import rotate
from detent.motion.quasistatic.floats.tracing import CROSSING, REST
from detent.motion.quasistatic.floats.tracker import (
    DOUBT,
    GOING,
    MARGIN,
    TIE,
    Push,
    TrackerState,
    TrackerWorkspace,
    sample,
)
from detent.numeric.kernels import kernel


def _sample() -> tuple[Any, ...]:
    push, _, begun, scratch = sample(20.5, -0.1, carrying=(1, 0, 2, -1))
    begun.met[:2] = 0, 2
    return push, begun, scratch


@kernel(sample=_sample)
def pass_corner(push: Push, state: TrackerState, room: TrackerWorkspace) -> int:
    """A vertex of the pawl has come to a vertex of an obstacle: CROSSING, REST for a snap, or DOUBT.

    To first order the pawl's corner moves by d = v dt + dtheta z x r, and enters
    exactly where d points into the cone of the obstacle's corner less the pawl's.
    The cone's outer rays are the contacts that can follow.
    """
    walls, links, wall_links, turned = push.walls, push.links, push.wall_links, room.turned
    velocity = push.velocity
    now, pair, zeros, met = state
    a, w, end = met[0], met[1], met[2]
    back, behind = links[a, 0], wall_links[w, 0]
    segment = links[links[a, 1], 1] == a
    kind, side = pair[0], pair[3]
    if (kind == 1 and wall_links[w, 2] == 0) or (kind == 0 and links[a, 2] == 0):
        # An inner corner: the next edge is simply met.
        if kind == 1:
            met[0], met[1], met[2] = 1, a, (w if end == 1 else behind)
        else:
            met[0], met[1], met[2] = 0, (a if end == 1 else back), w
        return CROSSING
    rotate(turned, push.pawl, now[1])
    rx, ry = turned[a, 0], turned[a, 1]
    # The rays of the cone, and whose contact each of them is.
    middle = math.atan2(walls[w, 3] - walls[behind, 3], walls[w, 2] - walls[behind, 2])
    angles = (
        _wrapped(math.atan2(-walls[behind, 3], -walls[behind, 2]) - middle),
        _wrapped(math.atan2(walls[w, 3], walls[w, 2]) - middle),
        _wrapped(math.atan2(turned[back, 3], turned[back, 2]) - middle),
        _wrapped(math.atan2(-turned[a, 3], -turned[a, 2]) - middle),
    )
    around = ((1, a, behind), (1, a, w), (0, back, w), (0, a, w))
    low, high = min(angles), max(angles)
    if high - low > math.pi - TIE:
        return DOUBT
    mx, my = side * ry, -side * rx  # towards rest: -side (z x r)
    towards = _wrapped(math.atan2(my, mx) - middle)
    if abs(towards - low) < TIE or abs(towards - high) < TIE:
        return DOUBT
    if towards < low or towards > high:
        for i in range(4):
            zeros[i, 0], zeros[i, 1], zeros[i, 2] = around[i]
        pair[4] = 4
        return REST
    turning = mx * velocity[1] - my * velocity[0]
    if abs(turning) < MARGIN * push.size * math.sqrt(velocity[0] ** 2 + velocity[1] ** 2):
        return DOUBT
    chosen = 0
    for i in range(4):
        if (turning > 0 and angles[i] > angles[chosen]) or (turning < 0 and angles[i] < angles[chosen]):
            chosen = i
    for i in range(4):
        # The two sides of a segment are one ray.
        if i != chosen and abs(angles[i] - angles[chosen]) < TIE and not (segment and i + chosen == 5):
            return DOUBT
    if segment and chosen >= 2:
        # Of a segment's sides the one that faces the obstacle: its gap grows away from rest.
        facing = turned[around[chosen][1], 2] * rx + turned[around[chosen][1], 3] * ry
        chosen = chosen if facing * side > 0 else 5 - chosen
    next_kind, next_k, next_j = around[chosen]
    if next_kind == kind and next_k == pair[1] and next_j == pair[2]:
        return DOUBT
    filled = 0
    for i in range(4):
        if i != chosen:
            zeros[filled, 0], zeros[filled, 1], zeros[filled, 2] = around[i]
            filled += 1
    pair[0], pair[1], pair[2], pair[4] = next_kind, next_k, next_j, 3
    return GOING


@kernel(sample=lambda: (4.0,))
def _wrapped(angle: float) -> float:
    return angle - math.tau * math.floor((angle + math.pi) / math.tau)
