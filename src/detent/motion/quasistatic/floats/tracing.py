"""Along one curved arc to what ends it; compiled.

The second half of the simple algorithm: see `tracker`, and `corner` for vertex on
vertex. What may end an arc: another pair is entered, the vertex leaves its edge, the
curve folds back, rest, the end of the leg, a friction threshold, a reversed slip.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

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
    GOING,
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

# An arc is looked at so far beyond its end, that a root at the end itself is clear of the noise at the last.
BEYOND = 1e-4
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


class ArcEnd(NamedTuple):
    """What ends an arc first: at which u, what it is, and the u of the next after it."""

    u: float
    next_u: float
    what: int


@kernel(sample=lambda: (ArcEnd(1.0, math.inf, CHART), 0.5, FOLD))
def sooner(end: ArcEnd, u: float, what: int) -> ArcEnd:
    """The first end, of one known and another."""
    if u < end.u:
        return ArcEnd(u, end.u, what)
    if u < end.next_u:
        return ArcEnd(end.u, u, end.what)
    return end


def _sample_arc() -> tuple[Any, ...]:
    push, pairs, begun, scratch = sample(20.5, -0.1, carrying=(1, 0, 2, -1))
    terms = gap_terms(1, 0, 2, scratch.turned, push.walls, 0.0, -0.5, 0.0, -1.0)
    _, curve, heading = arc_curve(*terms[1:], 0.0, 1e-9, 1e-9)
    return push, pairs, begun, scratch, curve, heading, ArcEnd(QUARTER, math.inf, CHART)


@kernel(sample=lambda: (1.0, 2.0, -3.0, 4.0, 5.0, 0.0, 1e-9, 1e-9))
def arc_curve(
    p1: float, p2: float, q0: float, q1: float, q2: float, heading: float, margin: float, slowest: float
) -> tuple[int, FloatCurve, float]:
    """The curve that a pair stays on, counted in the direction of motion, and that direction.

    `heading` is given out of a fold, else 0. Arrays stay with the caller: handing them on costs more.
    """
    status = GOING
    if abs(q0) < slowest:
        status = DOUBT
    elif heading != 0.0:
        # Out of a fold, where the gap has no slope in the angle: down the branch that it came up.
        p1 = 0.0
        if p2 * q0 > -margin * abs(q0):
            status = DOUBT
    elif abs(p1) < margin:
        status = DOUBT
    else:
        heading = 1.0 if p1 * q0 < 0 else -1.0
    flip = 1.0 if q0 > 0 else -1.0
    return (
        status,
        FloatCurve(flip * heading * p1, flip * p2, flip * q0, flip * heading * q1, flip * q2),
        heading,
    )


@kernel(sample=lambda: (FloatCurve(-1.0, 2.0, 3.0, 4.0, 5.0), 1.0, 0.5, True))
def ends_of_curve(curve: FloatCurve, left: float, angle: float, to_rest: bool) -> ArcEnd:
    """The curve itself: fold, rest, the end of the leg after the time that is left."""
    p1, p2, q0, q1, q2 = curve
    end = ArcEnd(QUARTER, math.inf, CHART)
    end = sooner(end, first_positive_root(-p1 * q0, -2 * p2 * q0, p1 * q2 - p2 * q1), FOLD)
    if to_rest and angle < math.pi / 2:
        end = sooner(end, math.tan(angle / 2), REST)
    done = first_positive_root(left * q0, p1 + left * q1, p2 + left * q2)
    return sooner(end, done, DONE)  # type: ignore[no-any-return]


@kernel(sample=lambda: (*sample(20.5, -0.1, carrying=(1, 0, 2, -1))[::2], *_sample_arc()[3:], 0))
def ends_by_friction(
    push: Push,
    state: TrackerState,
    room: TrackerWorkspace,
    curve: FloatCurve,
    heading: float,
    end: ArcEnd,
    turning: int,
) -> tuple[int, ArcEnd, int]:
    """A threshold or a reversed slip; also the sign of r . v at the arc's start."""
    pair, met = state.pair, state.met
    margin = MARGIN * push.size
    speed = math.sqrt(push.velocity[0] * push.velocity[0] + push.velocity[1] * push.velocity[1])
    towards = friction_terms(push, state, room, curve, heading, turning)
    slide, slip = room.quartics[1], room.quartics[2]
    scale = 1.0 if pair[0] == 1 else curve.q0
    if turning != 0:
        slip[0], slip[1], slip[2] = slip[1], slip[2], 0.0
        if slip[0] <= 0:
            return DOUBT, end, towards
    elif slip[0] < margin * speed * scale:
        return DOUBT, end, towards
    if slide[0] < -margin * scale:
        met[3] = turning
        return STICK, end, towards
    if slide[0] < margin * scale:
        return DOUBT, end, towards
    for i in range(2):
        least = margin * scale * (1.0 if i == 0 else speed)
        root = first_fall(
            slide if i == 0 else slip, end.u * (1 + BEYOND) + BEYOND, room.stack, room.spans, least
        )
        if root == UNCLEAR:
            return DOUBT, end, towards
        if root > 0:
            end = sooner(end, root, STICK if i == 0 else TURNED)
    return GOING, end, towards


@kernel(sample=_sample_arc)
def ends_at_others(
    push: Push,
    pairs: Any,
    state: TrackerState,
    room: TrackerWorkspace,
    curve: FloatCurve,
    heading: float,
    end: ArcEnd,
) -> tuple[int, ArcEnd]:
    """Every other pair that would be entered; `met` gets the pair."""
    walls, links, turned = push.walls, push.links, room.turned
    stack, spans, g = room.stack, room.spans, room.quartics[0]
    now, pair, zeros, met = state
    margin = MARGIN * push.size
    vx, vy = push.velocity[0], push.velocity[1]
    kind, k, j = pair[0], pair[1], pair[2]
    hx, hy = push.hinge[0] + now[0] * vx, push.hinge[1] + now[0] * vy
    p1, p2, q0, q1, q2 = curve
    corner = end.u if end.what == CORNER else math.inf
    segment = kind == 0 and links[links[k, 1], 1] == k
    for row in range(len(pairs)):
        other, a, b = pairs[row, 0], pairs[row, 1], pairs[row, 2]
        c0, c1, c2, s0, s1, s2 = gap_terms(other, a, b, turned, walls, hx, hy, vx, vy)
        g0, g1, g2, g3, g4 = along_curve(c0, heading * c1, c2, s0, heading * s1, s2, curve)
        top = end.u * (1 + BEYOND) + BEYOND
        if abs(g0) > margin * q0 and keeps_sign(g0, g1, g2, g3, g4, top):
            continue
        if other == kind and b == j and (a == k or (segment and a == links[k, 1])):
            continue
        close = known(zeros, pair[4], other, a, b)
        reach = edge_length(other, a, b, turned, walls)
        if close or abs(g0) < margin * q0:
            along = place_along(other, a, b, turned, walls, hx, hy, vx, vy, 0.0, 0.0)
            if not close and -margin <= along <= reach + margin:
                return DOUBT, end
            if abs(g1) + abs(g2) + abs(g3) + abs(g4) < margin * q0:
                # The same curve all along: an edge that goes on in another piece.
                return DOUBT, end
            g0, g1, g2, g3, g4 = g1, g2, g3, g4, 0.0
            if close and pair[4] == 1 and g0 <= 0:
                return DOUBT, end
        g[0], g[1], g[2], g[3], g[4] = g0, g1, g2, g3, g4
        passed = 0.0
        while passed < top:
            root = first_fall(g, top - passed, stack, spans, margin * q0)
            if root == UNCLEAR:
                return DOUBT, end
            if root <= 0:
                break
            u = passed + root
            time = -(u * (p1 + u * p2)) / (q0 + u * (q1 + u * q2))
            along = place_along(other, a, b, turned, walls, hx, hy, vx, vy, heading * u, time)
            if along < -margin or along > reach + margin:
                _shift(g, root)
                passed = u
                continue
            corners = end.what == CORNER and abs(u - corner) < TIE
            if corners and at_corner(other, a, b, met, links, push.wall_links):
                break
            if along < margin or along > reach - margin:
                return DOUBT, end
            if u < end.u:
                met[0], met[1], met[2] = other, a, b
            end = sooner(end, u, CROSSING)
            break
    return GOING, end


@kernel(sample=lambda: sample(20.5, -0.1, carrying=(1, 0, 2, -1)))
def trace(push: Push, pairs: Any, state: TrackerState, room: TrackerWorkspace) -> int:
    """Follow the arc to what ends it; `met` gets the pair, or the corner's pawl and wall vertices.

    The room has the pawl as it lies now.
    """
    walls, turned, g = push.walls, room.turned, room.quartics[0]
    now, pair, _, met = state
    kind, k, j = pair[0], pair[1], pair[2]
    margin = MARGIN * push.size
    vx, vy = push.velocity[0], push.velocity[1]
    speed = math.sqrt(vx * vx + vy * vy)
    hx, hy = push.hinge[0] + now[0] * vx, push.hinge[1] + now[0] * vy
    turning, heading = met[3], float(met[4])
    met[3], met[4] = 0, 0
    _, c1, c2, s0, s1, s2 = gap_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
    opening = s0 > 0
    status, curve, heading = arc_curve(c1, c2, s0, s1, s2, heading, margin, MARGIN * speed)
    if status == DOUBT:
        return DOUBT
    p1, p2, q0, q1, q2 = curve
    to_rest = heading * pair[3] < 0
    if to_rest and abs(now[1]) < MARGIN:
        return DOUBT
    left = push.until - now[0]
    end = ends_of_curve(curve, left, abs(now[1]), to_rest)
    towards = 0
    if walls[j, 5] > 0:
        status, end, towards = ends_by_friction(push, state, room, curve, heading, end, turning)
        if status != GOING:
            return status  # type: ignore[no-any-return]

    # The ends of its edge.
    length = edge_length(kind, k, j, turned, walls)
    c0, c1, c2, s0, s1, s2 = place_terms(kind, k, j, turned, walls, hx, hy, vx, vy)
    e0, e1, e2, e3, e4 = along_curve(c0, heading * c1, c2, s0, heading * s1, s2, curve)
    for side in range(2):
        if side == 0:
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
        root = first_fall(g, end.u * (1 + BEYOND) + BEYOND, room.stack, room.spans, margin * q0)
        if root == UNCLEAR:
            return DOUBT
        if 0 < root < end.u:
            if kind == 1:
                met[0], met[1] = k, (push.wall_links[j, 1] if side == 1 else j)
            else:
                met[0], met[1] = (push.links[k, 1] if side == 1 else k), j
            met[2] = side
        if root > 0:
            end = sooner(end, root, CORNER)

    status, end = ends_at_others(push, pairs, state, room, curve, heading, end)
    if status == DOUBT or end.next_u - end.u < TIE:
        return DOUBT
    u, what = end.u, end.what
    elapsed = -(u * (p1 + u * p2)) / (q0 + u * (q1 + u * q2))
    if what != DONE and (left - elapsed) * speed < margin:
        # At a fold u moves far while time stands: the leg's end is told apart by time alone.
        return DOUBT
    now[0] += elapsed
    now[1] += heading * 2 * math.atan(u)
    if what == FOLD and not opening:
        met[4] = -int(heading)
        pair[4] = 0
        return JAM
    if what == TURNED:
        met[3] = -towards
    if what in (STICK, DONE):
        pair[4] = 0
    return what  # type: ignore[no-any-return]


@kernel(sample=lambda: (np.ones(5), 0.5))
def _shift(g: Any, by: float) -> None:
    """g(u + by), its value there taken as zero: the root just passed."""
    for i in range(4):
        for k in range(3, i - 1, -1):
            g[k] += by * g[k + 1]
    g[0] = 0.0
