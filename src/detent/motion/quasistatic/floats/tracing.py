"""Along one curved arc to what ends it; compiled.

The second half of the simple algorithm: see `tracker`, and `corner` for vertex on
vertex. What may end an arc: another pair is entered, the vertex leaves its edge, the
curve folds back, rest, the end of the leg, a friction threshold, a reversed slip.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.motion.quasistatic.floats.coefficients import (
    FloatCurve,
    along_curve,
    edge_length,
    first_positive_root,
    gap_terms,
    place_along,
    place_terms,
)
from detent.motion.quasistatic.floats.tracker import (
    DONE,
    DOUBT,
    JAM,
    MARGIN,
    QUARTER,
    STICK,
    TIE,
    Push,
    TrackerState,
    TrackerWorkspace,
    at_corner,
    known,
    sample,
)
from detent.numeric.kernels import kernel
from detent.numeric.polynomial.quartic import DOUBT as UNCLEAR
from detent.numeric.polynomial.quartic import first_fall, keeps_sign

# What ended an arc, beside the outcomes of a whole run.
CHART, FOLD, REST, CROSSING, CORNER, TURNED = 10, 11, 12, 13, 14, 15


def _sample_friction() -> tuple[Any, ...]:
    push, _, begun, scratch = sample(carrying=(1, 0, 0, -1))
    return push, begun, scratch, FloatCurve(0.0, 1.0, 1.0, 0.0, 1.0), 1.0, 0


@kernel(sample=_sample_friction)
def friction_terms(
    push: Push, state: TrackerState, room: TrackerWorkspace, curve: FloatCurve, heading: float, turning: int
) -> int:
    """Positive while it slides, and r . v, along the arc; returns the sign of r . v at its start.

    The two quartics are left in the room. Q of the curve is positive, counted in the direction
    of motion; `turning` gives that sign where the slip has just reversed, and is else 0.
    """
    walls, turned = push.walls, room.turned
    slide, slip = room.quartics[1], room.quartics[2]
    kind, k, j, side = state.pair[0], state.pair[1], state.pair[2], state.pair[3]
    vx, vy = push.velocity[0], push.velocity[1]
    hx, hy = push.hinge[0] + state.now[0] * vx, push.hinge[1] + state.now[0] * vy
    mu = walls[j, 5]
    if kind == 1:
        nx, ny = walls[j, 3], -walls[j, 2]
        ax, ay = turned[k, 0], turned[k, 1]
    else:
        nx, ny = turned[k, 3], -turned[k, 2]
        ax, ay = walls[j, 0] - hx, walls[j, 1] - hy
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
    slide[0], slide[1], slide[2], slide[3], slide[4] = along_curve(
        -side * cross - pull * d,
        -2 * side * dot * heading,
        side * cross - pull * d,
        side * v_cross,
        2 * side * v_dot * heading,
        -side * v_cross,
        curve,
    )
    square = vx * vx + vy * vy
    slip[0] = towards * start * curve.q0
    slip[1] = towards * (start * curve.q1 + square * curve.p1)
    slip[2] = towards * (start * curve.q2 + square * curve.p2)
    slip[3], slip[4] = 0.0, 0.0
    return towards


@kernel(sample=lambda: sample(20.5, -0.1, carrying=(1, 0, 2, -1)))
def trace(push: Push, pairs: Any, state: TrackerState, room: TrackerWorkspace) -> int:
    """Follow the arc to what ends it; `met` gets the pair, or the corner's pawl and wall vertices.

    The room has the pawl as it lies now.
    """
    walls, links, wall_links, turned = push.walls, push.links, push.wall_links, room.turned
    stack, spans = room.stack, room.spans
    now, pair, zeros, met = state
    margin = MARGIN * push.size
    vx, vy = push.velocity[0], push.velocity[1]
    speed = math.sqrt(vx * vx + vy * vy)
    kind, k, j, side = pair[0], pair[1], pair[2], pair[3]
    hx, hy = push.hinge[0] + now[0] * vx, push.hinge[1] + now[0] * vy
    _, p1, p2, q0, q1, q2 = gap_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
    turning, heading = met[3], float(met[4])
    met[3], met[4] = 0, 0
    if abs(q0) < MARGIN * speed:
        return DOUBT
    if heading != 0.0:
        # Out of a fold, where the gap has no slope in the angle: down the branch that it came up.
        p1 = 0.0
        if p2 * q0 > -margin * abs(q0):
            return DOUBT
    elif abs(p1) < margin:
        return DOUBT
    else:
        heading = 1.0 if p1 * q0 < 0 else -1.0
    opening = q0 > 0
    flip = 1.0 if opening else -1.0
    p1, p2, q0, q1, q2 = flip * heading * p1, flip * p2, flip * q0, flip * heading * q1, flip * q2
    curve = FloatCurve(p1, p2, q0, q1, q2)
    g = room.quartics[0]
    best, what = QUARTER, CHART
    second = math.inf
    towards = 0

    # The curve itself: fold, rest, the end of the leg.
    left = push.until - now[0]
    if heading * side < 0 and abs(now[1]) < MARGIN:
        return DOUBT
    for i in range(3):
        if i == 0:
            candidate, code = first_positive_root(-p1 * q0, -2 * p2 * q0, p1 * q2 - p2 * q1), FOLD
        elif i == 1:
            towards_rest = heading * side < 0 and abs(now[1]) < math.pi / 2
            candidate, code = math.tan(abs(now[1]) / 2) if towards_rest else math.inf, REST
        else:
            candidate, code = first_positive_root(left * q0, p1 + left * q1, p2 + left * q2), DONE
        if candidate < best:
            second, best, what = best, candidate, code
        elif candidate < second:
            second = candidate

    # Friction.
    if walls[j, 5] > 0:
        towards = friction_terms(push, state, room, curve, heading, turning)
        slide, slip = room.quartics[1], room.quartics[2]
        scale = 1.0 if kind == 1 else q0
        if turning != 0:
            slip[0], slip[1], slip[2] = slip[1], slip[2], 0.0
            if slip[0] <= 0:
                return DOUBT
        elif slip[0] < margin * speed * scale:
            return DOUBT
        if slide[0] < -margin * scale:
            met[3] = turning
            return STICK
        if slide[0] < margin * scale:
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
    c0, c1, c2, s0, s1, s2 = place_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
    e0, e1, e2, e3, e4 = along_curve(c0, heading * c1, c2, s0, heading * s1, s2, curve)
    for end in range(2):
        if end == 0:
            g[0], g[1], g[2], g[3], g[4] = e0, e1, e2, e3, e4
        else:
            g[0], g[1], g[2] = length * q0 - e0, length * q1 - e1, length * (q0 + q2) - e2
            g[3], g[4] = length * q1 - e3, length * q2 - e4
        if g[0] < margin * q0:
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
                met[0], met[1] = k, (wall_links[j, 1] if end == 1 else j)
            else:
                met[0], met[1] = (links[k, 1] if end == 1 else k), j
            met[2] = end
        elif 0 < root < second:
            second = root

    # Every other pair.
    segment = kind == 0 and links[links[k, 1], 1] == k
    for row in range(len(pairs)):
        other, a, b = pairs[row, 0], pairs[row, 1], pairs[row, 2]
        c0, c1, c2, s0, s1, s2 = gap_terms(other, a, b, turned, walls, hx, hy, vx, vy)
        g0, g1, g2, g3, g4 = along_curve(c0, heading * c1, c2, s0, heading * s1, s2, curve)
        top = best * (1 + TIE) + TIE
        if abs(g0) > margin * q0 and keeps_sign(g0, g1, g2, g3, g4, top):
            continue
        if other == kind and b == j and (a == k or (segment and a == links[k, 1])):
            continue
        close = known(zeros, pair[4], other, a, b)
        reach = edge_length(other, a, b, turned, walls)
        if close or abs(g0) < margin * q0:
            along = place_along(other, a, b, turned, walls, hx, hy, vx, vy, 0.0, 0.0)
            if not close and -margin <= along <= reach + margin:
                return DOUBT
            if abs(g1) + abs(g2) + abs(g3) + abs(g4) < margin * q0:
                # The same curve all along: an edge that goes on in another piece.
                return DOUBT
            g0, g1, g2, g3, g4 = g1, g2, g3, g4, 0.0
            if close and pair[4] == 1 and g0 <= 0:
                return DOUBT
        g[0], g[1], g[2], g[3], g[4] = g0, g1, g2, g3, g4
        passed = 0.0
        while passed < top:
            root = first_fall(g, top - passed, stack, spans)
            if root == UNCLEAR:
                return DOUBT
            if root <= 0:
                break
            u = passed + root
            time = -(u * (p1 + u * p2)) / (q0 + u * (q1 + u * q2))
            along = place_along(other, a, b, turned, walls, hx, hy, vx, vy, heading * u, time)
            if along < -margin or along > reach + margin:
                _shift(g, root)
                passed = u
                continue
            corners = what == CORNER and abs(u - corner) < TIE
            if corners and at_corner(other, a, b, met, links, wall_links):
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
    elapsed = -(best * (p1 + best * p2)) / (q0 + best * (q1 + best * q2))
    if what != DONE and (left - elapsed) * speed < margin:
        # At a fold u moves far while time stands: the leg's end is told apart by time alone.
        return DOUBT
    now[0] += elapsed
    now[1] += heading * 2 * math.atan(best)
    if what == FOLD and not opening:
        met[4] = -int(heading)
        pair[4] = 0
        return JAM
    if what == TURNED:
        met[3] = -towards
    if what in (STICK, DONE):
        pair[4] = 0
    return what


@kernel(sample=lambda: (np.ones(5), 0.5))
def _shift(g: Any, by: float) -> None:
    """g(u + by), its value there taken as zero: the root just passed."""
    for i in range(4):
        for k in range(3, i - 1, -1):
            g[k] += by * g[k + 1]
    g[0] = 0.0
