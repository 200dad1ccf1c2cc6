"""Along one curved arc to what ends it, and what follows at a corner; compiled.

The second half of the simple algorithm: see `tracker`. What may end an arc:
another pair is entered, the vertex leaves its edge, the curve folds back, rest,
the end of the leg, a friction threshold, a reversal of the slip.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.coefficients import (
    edge_length,
    first_positive_root,
    gap_coefficients,
    place_along,
    product_difference,
    turn,
)
from detent.motion.quasistatic.tracker import (
    DONE,
    DOUBT,
    GOING,
    JAM,
    MARGIN,
    QUARTER,
    SCRATCH,
    STICK,
    TIE,
    around,
    at_corner,
    fixture,
    known,
    sliding,
)
from detent.numeric.kernel import kernel
from detent.numeric.quartic import DOUBT as UNCLEAR
from detent.numeric.quartic import first_fall

# What ended an arc, beside the outcomes of a whole run.
CHART, FOLD, REST, CROSSING, CORNER, TURNED = 10, 11, 12, 13, 14, 15


@kernel(sample=lambda: (np.zeros(12), -1.0))
def mirror(c: Any, heading: float) -> None:
    """The same coefficients for u counted in the direction of motion."""
    c[1] *= heading
    c[4] *= heading
    c[7] *= heading
    c[10] *= heading


@kernel(
    sample=lambda: (
        *(np.zeros(5), np.zeros(5), 1, 0, 0, *fixture()[:2]),
        *(np.zeros(2), np.ones(2), np.ones(12), -1, 1.0, 0.25, 0),
    )
)
def friction_coefficients(
    slide: Any,
    slip: Any,
    kind: int,
    k: int,
    j: int,
    turned: Any,
    walls: Any,
    here: Any,
    velocity: Any,
    own: Any,
    side: int,
    heading: float,
    mu: float,
    turning: int,
) -> int:
    """Positive while it slides, and r . v, along the arc; returns the sign of r . v at its start.

    `own` holds the arc's P and Q with Q positive, counted in the direction of motion;
    `turning` gives that sign where the slip has just reversed, and is else 0.
    """
    vx, vy = velocity[0], velocity[1]
    if kind == 1:
        nx, ny = walls[j, 3], -walls[j, 2]
        ax, ay = turned[k, 0], turned[k, 1]
    else:
        nx, ny = turned[k, 3], -turned[k, 2]
        ax, ay = walls[j, 0] - here[0], walls[j, 1] - here[1]
    dot, cross = ax * nx + ay * ny, ax * ny - ay * nx
    start = ax * vx + ay * vy
    towards = 1 if start > 0 else -1
    if turning != 0:
        towards = turning
    pull = mu * towards
    if kind == 1:
        slide[0] = side * cross + pull * dot
        slide[1] = heading * (-2 * side * dot + 2 * pull * cross)
        slide[2] = -side * cross - pull * dot
        slide[3], slide[4] = 0.0, 0.0
        slip[0] = towards * start
        slip[1] = towards * heading * 2 * (ax * vy - ay * vx)
        slip[2] = -towards * start
        slip[3], slip[4] = 0.0, 0.0
        return towards
    d = nx * turned[k, 0] + ny * turned[k, 1]
    v_cross, v_dot = vx * ny - vy * nx, vx * nx + vy * ny
    constant = np.array([-side * cross - pull * d, -2 * side * dot * heading, side * cross - pull * d])
    slope = np.array([side * v_cross, 2 * side * v_dot * heading, -side * v_cross])
    product_difference(slide, constant, own[3:6], slope, own[0:3])
    square = vx * vx + vy * vy
    for i in range(3):
        slip[i] = towards * (start * own[3 + i] + square * own[i])
    slip[3], slip[4] = 0.0, 0.0
    return towards


@kernel(sample=lambda: (*sliding(), 0.1, 30.0, 20.0, np.zeros(4, dtype=np.int64), *around()))
def trace(
    pawl: Any,
    walls: Any,
    pairs: Any,
    hinge: Any,
    velocity: Any,
    now: Any,
    pair: Any,
    zeros: Any,
    mu: float,
    until: float,
    size: float,
    met: Any,
    before: Any,
    after: Any,
) -> int:
    """Follow the arc to what ends it; `met` gets the pair, or the corner's pawl and wall vertices."""
    margin = MARGIN * size
    speed = math.hypot(velocity[0], velocity[1])
    kind, k, j, side = pair[0], pair[1], pair[2], pair[3]
    turned = np.empty_like(pawl)
    turn(turned, pawl, now[1])
    here = np.array([hinge[0] + now[0] * velocity[0], hinge[1] + now[0] * velocity[1]])
    own = np.empty(12)
    gap_coefficients(own, kind, k, j, turned, walls, here, velocity)
    own[0] = 0.0
    if abs(own[3]) < MARGIN * speed or abs(own[1]) < margin:
        return DOUBT
    heading = 1.0 if -own[1] / own[3] > 0 else -1.0
    mirror(own, heading)
    opening = own[3] > 0
    if not opening:
        for i in range(6):
            own[i] = -own[i]
    p, q = own[0:3], own[3:6]
    stack, spans = np.empty((SCRATCH, 5)), np.empty((SCRATCH, 2))
    g, c = np.empty(5), np.empty(12)
    best, what = QUARTER, CHART
    second = math.inf
    towards = 0

    # The curve itself: fold, rest, the end of the leg.
    left = until - now[0]
    candidates = np.array(
        [
            first_positive_root(-p[1] * q[0], -2 * p[2] * q[0], p[1] * q[2] - p[2] * q[1]),
            math.tan(abs(now[1]) / 2) if heading * side < 0 and abs(now[1]) < math.pi / 2 else math.inf,
            first_positive_root(left * q[0], p[1] + left * q[1], p[2] + left * q[2]),
        ]
    )
    if heading * side < 0 and abs(now[1]) < MARGIN:
        return DOUBT
    codes = np.array([FOLD, REST, DONE])
    for i in range(3):
        if candidates[i] < best:
            second, best, what = best, candidates[i], codes[i]
        elif candidates[i] < second:
            second = candidates[i]

    # Friction.
    if mu > 0:
        slide, slip = np.empty(5), np.empty(5)
        turning = met[3]
        met[3] = 0
        towards = friction_coefficients(
            slide, slip, kind, k, j, turned, walls, here, velocity, own, side, heading, mu, turning
        )
        scale = 1.0 if kind == 1 else q[0]
        if slide[0] < -margin * scale:
            return STICK
        if slide[0] < margin * scale:
            return DOUBT
        if turning != 0:
            for i in range(4):
                slip[i] = slip[i + 1]
            slip[4] = 0.0
            if slip[0] <= 0:
                return DOUBT
        elif slip[0] < margin * speed * scale:
            return DOUBT
        for i in range(2):
            root = first_fall(slide if i == 0 else slip, best * (1 + TIE), stack, spans)
            if root == UNCLEAR:
                return DOUBT
            if 0 < root < best:
                second, best, what = best, root, STICK if i == 0 else TURNED
            elif 0 < root < second:
                second = root

    # The ends of its edge.
    corner = math.inf
    length = edge_length(kind, k, j, turned, walls)
    full = np.array([length, 0.0, length])
    for end in range(2):
        product_difference(g, own[6:9], q, own[9:12], p)
        if end == 1:
            product_difference(c[0:5], full, q, np.zeros(3), p)
            for i in range(5):
                g[i] = c[i] - g[i]
        if g[0] < margin * q[0]:
            # It begins at this end, and must move away from it.
            for i in range(4):
                g[i] = g[i + 1]
            g[4] = 0.0
            if g[0] <= 0:
                return DOUBT
        root = first_fall(g, best * (1 + TIE), stack, spans)
        if root == UNCLEAR:
            return DOUBT
        if 0 < root < best:
            second, best, what, corner = best, root, CORNER, root
            if kind == 1:
                met[0], met[1] = k, (after[j] if end == 1 else j)
            else:
                met[0], met[1] = ((k + 1) % len(pawl) if end == 1 else k), j
            met[2], met[3] = end, 0
        elif 0 < root < second:
            second = root

    # Every other pair.
    for row in range(len(pairs)):
        other, a, b = pairs[row, 0], pairs[row, 1], pairs[row, 2]
        if other == kind and b == j and (a == k or (kind == 0 and len(pawl) == 2)):
            continue
        gap_coefficients(c, other, a, b, turned, walls, here, velocity)
        mirror(c, heading)
        product_difference(g, c[0:3], q, p, c[3:6])
        close = known(zeros, pair[4], other, a, b)
        reach = edge_length(other, a, b, turned, walls)
        if close or abs(g[0]) < margin * q[0]:
            along = place_along(c, 0.0, 0.0)
            if not close and -margin <= along <= reach + margin:
                return DOUBT
            for i in range(4):
                g[i] = g[i + 1]
            g[4] = 0.0
            if close and pair[4] == 1 and g[0] <= 0:
                return DOUBT
        passed = 0.0
        top = best * (1 + TIE) + TIE
        while passed < top:
            root = first_fall(g, top - passed, stack, spans)
            if root == UNCLEAR:
                return DOUBT
            if root <= 0:
                break
            u = passed + root
            time = -(u * (p[1] + u * p[2])) / (q[0] + u * (q[1] + u * q[2]))
            along = place_along(c, u, time)
            if along < -margin or along > reach + margin:
                _shift(g, root)
                passed = u
                continue
            corners = what == CORNER and abs(u - corner) < TIE
            if corners and at_corner(other, a, b, met, len(pawl), before):
                break
            if along < margin or along > reach - margin:
                return DOUBT
            if u < best:
                second, best, what = best, u, CROSSING
                met[0], met[1], met[2] = other, a, b
            elif u < second:
                second = u
            break
    if second - best < TIE:
        return DOUBT
    now[0] += -(best * (p[1] + best * p[2])) / (q[0] + best * (q[1] + best * q[2]))
    now[1] += heading * 2 * math.atan(best)
    if what == FOLD and not opening:
        return JAM
    if what == TURNED:
        met[3] = -towards
    return what


@kernel(sample=lambda: (np.ones(5), 0.5))
def _shift(g: Any, by: float) -> None:
    """g(u + by), its value there taken as zero: the root just passed."""
    for i in range(4):
        for k in range(3, i - 1, -1):
            g[k] += by * g[k + 1]
    g[0] = 0.0


@kernel(
    sample=lambda: (
        *(*sliding(), 20.0, np.array([0, 2, 0, 0])),
        *(np.ones(4, dtype=np.bool_), np.ones(4, dtype=np.bool_), *around()),
    )
)
def pass_corner(
    pawl: Any,
    walls: Any,
    pairs: Any,
    hinge: Any,
    velocity: Any,
    now: Any,
    pair: Any,
    zeros: Any,
    size: float,
    met: Any,
    sharp: Any,
    pointed: Any,
    before: Any,
    after: Any,
) -> int:
    """A vertex of the pawl has come to a vertex of an obstacle: CROSSING, REST for a snap, or DOUBT.

    To first order the pawl's corner moves by d = v dt + dtheta z x r, and enters
    exactly where d points into the cone of the obstacle's corner less the pawl's.
    The cone's outer rays are the contacts that can follow.
    """
    a, w, end = met[0], met[1], met[2]
    count = len(pawl)
    kind, side = pair[0], pair[3]
    if (kind == 1 and not pointed[w]) or (kind == 0 and not sharp[a]):
        # An inner corner: the next edge is simply met.
        if kind == 1:
            met[0], met[1], met[2] = 1, a, (w if end == 1 else before[w])
        else:
            met[0], met[1], met[2] = 0, (a if end == 1 else (a - 1) % count), w
        return CROSSING
    turned = np.empty_like(pawl)
    turn(turned, pawl, now[1])
    back = (a - 1) % count
    rx, ry = turned[a, 0], turned[a, 1]
    rays = np.empty((4, 2))
    rays[0] = -walls[before[w], 2:4]
    rays[1] = walls[w, 2:4]
    rays[2] = turned[back, 2:4]
    rays[3] = -turned[a, 2:4]
    middle = math.atan2(rays[0, 1] + rays[1, 1], rays[0, 0] + rays[1, 0])
    angles = np.empty(4)
    for i in range(4):
        angles[i] = _wrapped(math.atan2(rays[i, 1], rays[i, 0]) - middle)
    low, high = angles.min(), angles.max()
    if high - low > math.pi - TIE:
        return DOUBT
    mx, my = side * ry, -side * rx  # towards rest: -side (z x r)
    towards = _wrapped(math.atan2(my, mx) - middle)
    if abs(towards - low) < TIE or abs(towards - high) < TIE:
        return DOUBT
    around = np.array([[1, a, before[w]], [1, a, w], [0, back, w], [0, a, w]])
    if towards < low or towards > high:
        zeros[:4] = around
        pair[4] = 4
        return REST
    turning = mx * velocity[1] - my * velocity[0]
    if abs(turning) < MARGIN * size * math.hypot(velocity[0], velocity[1]):
        return DOUBT
    chosen = 0
    for i in range(4):
        if (turning > 0 and angles[i] > angles[chosen]) or (turning < 0 and angles[i] < angles[chosen]):
            chosen = i
    for i in range(4):
        # The two sides of a segment are one ray.
        if i != chosen and abs(angles[i] - angles[chosen]) < TIE and not (count == 2 and i + chosen == 5):
            return DOUBT
    if count == 2 and chosen >= 2:
        # Of a segment's sides the one that faces the obstacle: its gap grows away from rest.
        facing = turned[around[chosen, 1], 2] * rx + turned[around[chosen, 1], 3] * ry
        chosen = chosen if facing * side > 0 else 5 - chosen
    if around[chosen, 0] == kind and around[chosen, 1] == pair[1] and around[chosen, 2] == pair[2]:
        return DOUBT
    filled = 0
    for i in range(4):
        if i != chosen:
            zeros[filled] = around[i]
            filled += 1
    pair[0], pair[1], pair[2], pair[4] = around[chosen, 0], around[chosen, 1], around[chosen, 2], 3
    return GOING


@kernel(sample=lambda: (4.0,))
def _wrapped(angle: float) -> float:
    return angle - math.tau * math.floor((angle + math.pi) / math.tau)
