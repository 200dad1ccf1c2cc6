"""How long a candidate cannot touch, from where it is along a step and from bounds on what follows.

Two features touch only where the gap is closed and the contact is local: on the edge between its ends, in the
directions that arcs and corners have. Seen from the body of one feature, a point of the other has a place and
a velocity now, and an acceleration that is bounded. So each of these lasts for a time of its own, whatever
the others do: the distance of the features; a gap that is open; a foot beyond an end of the edge; a direction
beyond an end of an arc, or of a corner. The longest of them counts.

Of features that are apart it is asked when they meet: a disc beyond the end of an edge, or of an arc, must
not reach that end either.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.mechanics.tree_columns import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import HUB_X, HUB_Y
from detent.motion.rigid.bounds import HUB_RATE, HUB_SPEED, MOST_SPIN, MOST_TURN, SPEED, point_bounds
from detent.motion.rigid.layout import (
    BODIES,
    BOUNDS,
    CONTROL,
    DATA,
    LISTED,
    PAIRS,
    SIZE,
    STATE,
    TOUCH,
    floats,
    integers,
)
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude

# In distances at which features touch: contacts that begin may be so deep, as parts are put back onto those
# that act, and moved into others. So a contact counts as not local where it is farther beyond an end.
DEEP = 1e4
# The same as a sine.
_TURNED = DEEP / SIZE


@kernel(sample=lambda: (0.2, -0.1, 3.0), bare=True)
def lasting(value, rate, bend):  # type: ignore[no-untyped-def]
    """How long a value stays above zero, whose second rate is -bend at least."""
    if value <= 0.0:
        return 0.0
    root = math.sqrt(rate * rate + 2.0 * bend * value)
    # Roots without differences: of a bend that is rounding, a difference would be a time that is none.
    if rate > 0.0:
        return (rate + root) / bend if bend > 0.0 else math.inf
    return 2.0 * value / (root - rate) if root - rate > 0.0 else math.inf


@kernel(
    sample=lambda: (np.array([0.0, 0.0, 0.1, 1.0, 0.6, 0.8, -0.6, 0.8, 0.0]), 0.8, -0.6, 0.1, 0.3, 2.0, 1e-9),
    bare=True,
)
def turned_away(disc, x, y, vx, vy, bend, slack):  # type: ignore[no-untyped-def]
    """How long a point stays beyond the directions that a disc has, by more than some slack."""
    if disc[8] == 2.0:
        return 0.0
    fx, fy, lx, ly = disc[4], disc[5], disc[6], disc[7]
    before_first = lasting(fy * x - fx * y - slack, fy * vx - fx * vy, bend)
    after_last = lasting(lx * y - ly * x - slack, lx * vy - ly * vx, bend)
    if disc[8] == 1.0:
        return min(before_first, after_last)
    if fx * lx + fy * ly <= 0.0:  # as in `faces`
        return max(before_first, after_last)
    mx, my = 0.5 * (fx + lx), 0.5 * (fy + ly)
    return max(before_first, after_last, lasting(-mx * x - my * y - slack, -mx * vx - my * vy, bend))


@kernel(sample=lambda: (0.3, 0.4, -0.1, 0.2, 0.1, 2.0), bare=True)
def clear_of(x, y, vx, vy, radius, bend):  # type: ignore[no-untyped-def]
    """How long a point is farther away than a radius: its distance grows at least as it does now."""
    away = magnitude(x, y)
    if away <= max(radius, 0.0):
        return 0.0
    return lasting(away - radius, (x * vx + y * vy) / away, bend)


@kernel(
    sample=lambda: (np.array([0.0, 0.0, 0.1, 1.0, 0.6, 0.8, -0.6, 0.8, 0.0]), 0.3, 0.4, -0.1, 0.2, 0.1, 2.0),
    bare=True,
)
def clear_of_ends(disc, x, y, vx, vy, radius, bend):  # type: ignore[no-untyped-def]
    """The same, for both ends of an arc; from its centre."""
    arm = disc[2]
    first = clear_of(x - arm * disc[4], y - arm * disc[5], vx, vy, radius, bend)
    return min(first, clear_of(x - arm * disc[6], y - arm * disc[7], vx, vy, radius, bend))


@kernel(sample=lambda: (*sample_blocks(), 0, 1, 0.1, 0.2, 0.1), separate=True, bare=True)
def seen_from(f, i, on, of, px, py, left):  # type: ignore[no-untyped-def]
    """A point of a body seen from another: its place, its velocity, a bound on its acceleration.

    The bound holds for the time that is left.
    """
    bodies, bounds, state = floats(f, i, BODIES), floats(f, i, BOUNDS), floats(f, i, STATE)
    one, other, bound = state[on], state[of], bounds[on]
    c, s, hx, hy = one[COSINE], one[SINE], bodies[on, HUB_X], bodies[on, HUB_Y]
    x = other[COSINE] * px - other[SINE] * py
    y = other[SINE] * px + other[COSINE] * py
    across, up = other[X] + x - one[X], other[Y] + y - one[Y]
    vx = other[SPEED_X] - other[SPIN] * y - one[SPEED_X] + one[SPIN] * up
    vy = other[SPEED_Y] + other[SPIN] * x - one[SPEED_Y] - one[SPIN] * across
    fast, bend = point_bounds(bodies[of], bounds[of], px, py)
    fast, bend, spin = fast + bound[HUB_SPEED], bend + bound[HUB_RATE], bound[MOST_SPIN]
    far = magnitude(across - c * hx + s * hy, up - s * hx - c * hy) + fast * left
    bend += (bound[MOST_TURN] + spin * spin) * far + 2.0 * spin * fast
    return c * across + s * up, c * up - s * across, c * vx + s * vy, c * vy - s * vx, bend


@kernel(sample=lambda: (*sample_blocks(), 0, 0.1, 0.1, 0.0), separate=True, bare=True)
def safe_time(f, i, candidate, distance, left, depth):  # type: ignore[no-untyped-def]
    """How long a candidate cannot be so deep, bodies as they are placed, for at most the time left.

    Without depth: how long its features do not meet, be the contact local or not.
    """
    data, listed, pairs, state = (
        floats(f, i, DATA),
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, STATE),
    )
    row, bounds, slack = listed[candidate], floats(f, i, BOUNDS), DEEP * floats(f, i, CONTROL)[0, TOUCH]
    e, d = pairs[row[3], row[4]], pairs[row[3], 1 - row[4]]
    first, disc, radius, most = (
        data[row[1]],
        data[row[2]],
        data[row[2], 2],
        bounds[e, SPEED] + bounds[d, SPEED],
    )
    x, y, vx, vy, bend = seen_from(f, i, e, d, disc[0], disc[1], left)
    turning, turn = state[e, SPIN] - state[d, SPIN], bounds[e, MOST_TURN] + bounds[d, MOST_TURN]
    turn += (bounds[e, MOST_SPIN] + bounds[d, MOST_SPIN]) ** 2
    # The ends of an arc go round its centre.
    arm = radius if disc[8] != 2.0 else 0.0
    safe = lasting(distance + depth, -magnitude(vx, vy) - arm * abs(turning), bend + arm * turn)
    safe = max(safe, lasting(distance + depth, -most, 0.0))
    x, y = x - first[0], y - first[1]
    if row[0] == EDGE_DISC:
        ux, uy = first[2] - first[0], first[3] - first[1]
        length = magnitude(ux, uy)
        ux, uy = ux / length, uy / length
        along, speed = ux * x + uy * y, ux * vx + uy * vy
        before = lasting(-along - slack, -speed, bend)
        after = lasting(along - length - slack, speed, bend)
        if depth == 0.0:
            before = min(before, clear_of(x, y, vx, vy, radius, bend))
            after = min(after, clear_of(x - length * ux, y - length * uy, vx, vy, radius, bend))
        safe = max(safe, before, after, lasting(uy * x - ux * y - radius + depth, uy * vx - ux * vy, bend))
        if safe >= left or (depth == 0.0 and (radius == 0.0 or disc[8] != 0.0)):
            return safe
        # The direction from the disc to the edge, seen from the disc's body, turns with the edge.
        c = state[e, COSINE] * state[d, COSINE] + state[e, SINE] * state[d, SINE]
        s = state[e, SINE] * state[d, COSINE] - state[e, COSINE] * state[d, SINE]
        nx, ny = -c * uy - s * ux, c * ux - s * uy
        away = turned_away(disc, nx, ny, -turning * ny, turning * nx, turn, _TURNED if depth > 0.0 else 0.0)
        if depth == 0.0 and away > safe:  # then an end of the arc is nearest to the edge's line
            for end in range(2):
                px, py = disc[0] + radius * disc[4 + 2 * end], disc[1] + radius * disc[5 + 2 * end]
                x, y, vx, vy, bend = seen_from(f, i, e, d, px, py, left)
                away = min(away, lasting(uy * (x - first[0]) - ux * (y - first[1]), uy * vx - ux * vy, bend))
        return max(safe, away)
    side = first[3]
    qx, qy, ox, oy, away = seen_from(f, i, d, e, first[0], first[1], left)
    qx, qy = side * (qx - disc[0]), side * (qy - disc[1])
    one = turned_away(first, x, y, vx, vy, bend, slack)
    other = turned_away(disc, qx, qy, side * ox, side * oy, away, slack)
    if depth == 0.0:
        one = min(one, clear_of_ends(first, x, y, vx, vy, radius, bend))
        other = min(other, clear_of_ends(disc, qx, qy, ox, oy, first[2], away)) if side > 0.0 else 0.0
    safe = max(safe, one, other)
    if side > 0.0:
        return max(safe, clear_of(x, y, vx, vy, first[2] + radius - depth, bend))
    # In a hole: of the square of the distance, against that of the room.
    room, between = first[2] - radius + depth, magnitude(x, y)
    if room <= between:
        return safe
    bend += (magnitude(vx, vy) + bend * left) ** 2 / room
    value = (room - between) * (room + between) / (2.0 * room)
    return max(safe, lasting(value, -(x * vx + y * vy) / room, bend))
