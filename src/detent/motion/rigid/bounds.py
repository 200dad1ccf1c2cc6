"""Bounds on how fast bodies move along a step, from the hull of its control points."""

from __future__ import annotations

import numpy as np

from detent.mechanics.tree_columns import COSINE, SINE, X, Y
from detent.mechanics.tree_kernels import ARM, FREE, HUB_X, HUB_Y, PIN, REACH, WELD
from detent.motion.rigid.layout import BODIES, BOUNDS, FOLLOW, LINK, LINKS, POINTS, STATE, floats, integers
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude

# Columns of bounds on a body: its hub's speed, its spin, the speed of all its features; accelerations of its
# hub and of its spin.
HUB_SPEED, MOST_SPIN, SPEED, HUB_RATE, MOST_TURN = range(5)


@kernel(sample=lambda: (*sample_blocks(), 0.1), separate=True, bare=True)
def bound_motion(f, i, h):  # type: ignore[no-untyped-def]
    """Fills bounds on speeds and accelerations of every point of each body along a step.

    Bodies are placed at its beginning.
    """
    links, link, bodies, bounds = (
        integers(f, i, LINKS),
        floats(f, i, LINK),
        floats(f, i, BODIES),
        floats(f, i, BOUNDS),
    )
    state, points, follow = floats(f, i, STATE), floats(f, i, POINTS), floats(f, i, FOLLOW)
    for row in range(len(links)):
        body, parent, kind, j = links[row, 0], links[row, 1], links[row, 2], links[row, 3]
        b, p, reach = bounds[body], bounds[parent], bodies[body, REACH]
        if kind == FREE:
            one, two = coordinate_bounds(follow[j], points, h), coordinate_bounds(follow[j + 1], points, h)
            b[HUB_SPEED], b[HUB_RATE] = magnitude(one[0], two[0]), magnitude(one[1], two[1])
            b[MOST_SPIN], b[MOST_TURN] = coordinate_bounds(follow[j + 2], points, h)
        else:
            speed, rate = 0.0, 0.0
            if kind != WELD:
                speed, rate = coordinate_bounds(follow[j], points, h)
            arm = link[row, ARM] if kind == PIN else hub_distance(bodies, state, parent, body) + h * speed
            b[HUB_SPEED] = p[HUB_SPEED] + p[MOST_SPIN] * arm
            b[HUB_RATE] = p[HUB_RATE] + (p[MOST_TURN] + p[MOST_SPIN] ** 2) * arm
            b[MOST_SPIN], b[MOST_TURN] = p[MOST_SPIN], p[MOST_TURN]
            if kind == PIN:
                b[MOST_SPIN] += speed
                b[MOST_TURN] += rate
            else:
                b[HUB_SPEED] += speed
                b[HUB_RATE] += rate + 2.0 * p[MOST_SPIN] * speed
        b[SPEED] = b[HUB_SPEED] + b[MOST_SPIN] * reach


@kernel(
    sample=lambda: (np.ones(1), np.array([[0.0], [-0.05], [-0.1], [-0.14], [-0.17], [-0.2]]), 0.1), bare=True
)
def coordinate_bounds(follow, points, h):  # type: ignore[no-untyped-def]
    """The greatest speed and second rate of a coordinate along a step."""
    speed, rate, before = 0.0, 0.0, 0.0
    for p in range(5):
        change = 0.0
        for k in range(len(follow)):
            change += follow[k] * (points[p + 1, k] - points[p, k])
        speed = max(speed, abs(change))
        if p:
            rate = max(rate, abs(change - before))
        before = change
    return 5.0 * speed / h, 20.0 * rate / (h * h)


@kernel(sample=lambda: (np.ones(12), np.arange(5.0), 0.1, 0.2), bare=True)
def point_bounds(body, bound, x, y):  # type: ignore[no-untyped-def]
    """The greatest speed and acceleration of a point of a body, given in its frame."""
    arm = magnitude(x - body[HUB_X], y - body[HUB_Y])
    speed = bound[HUB_SPEED] + bound[MOST_SPIN] * arm
    return speed, bound[HUB_RATE] + (bound[MOST_TURN] + bound[MOST_SPIN] ** 2) * arm


@kernel(sample=lambda: (np.ones((2, 12)), np.ones((2, 10)), 0, 1), bare=True)
def hub_distance(bodies, state, one, other):  # type: ignore[no-untyped-def]
    """Between the hubs of two bodies, now."""
    x, y = 0.0, 0.0
    for body, sign in ((one, 1.0), (other, -1.0)):
        b, hx, hy = state[body], bodies[body, HUB_X], bodies[body, HUB_Y]
        x += sign * (b[X] + b[COSINE] * hx - b[SINE] * hy)
        y += sign * (b[Y] + b[SINE] * hx + b[COSINE] * hy)
    return magnitude(x, y)
