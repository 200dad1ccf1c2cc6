"""Candidates that stay clear along a whole step, told by a few products each.

Seen from the body of one feature, a point of the other has a place and a velocity at an instant of a step,
and an acceleration that is bounded along all of it. So how far it is past a line changes by its speed across
the line, and by no more than that bound allows: where a disc stays past an edge's line or past its ends, or
outside or inside a circle, for longer than the step, the two features do not meet in it. Discs count as
whole, which arcs and corners are part of.

All that is the same for all candidates of a pair is computed once, as a view that each body has of the other.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import sample_features
from detent.mechanics.tree_columns import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, X, Y
from detent.motion.rigid.bounds import HUB_RATE, HUB_SPEED, MOST_SPIN, MOST_TURN, hub_distance
from detent.motion.rigid.layout import BODIES, BOUNDS, PAIRS, STATE, VIEWS, floats, integers
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.kernels import kernel

# Candidates that are looked at together for one that wakes.
TOGETHER = 64
# Columns of a view: the other body's pose, the velocity of its origin and its rotation; a bound on the
# acceleration of its points, at its hub and per distance from it.
FROM_X, FROM_Y, TURNED_COSINE, TURNED_SINE, GOES_X, GOES_Y, TURNS, BEND, BEND_PER_ARM = range(9)
# Columns of a gauge: how far a disc's centre is from the hub of its body; the length of an edge, and one over
# it.
ARM, LONG, PER_LONG = range(3)


@kernel(sample=lambda: (*sample_blocks(), 0, 0.1), separate=True, bare=True)
def view_pair(f, i, pair, h):  # type: ignore[no-untyped-def]
    """Fills how the bodies of a pair see each other, as they are placed: first what the first one sees.

    Bounds hold along a step of length h.
    """
    pairs, state, bodies, bounds, views = (
        integers(f, i, PAIRS),
        floats(f, i, STATE),
        floats(f, i, BODIES),
        floats(f, i, BOUNDS),
        floats(f, i, VIEWS),
    )
    far = hub_distance(bodies, state, pairs[pair, 0], pairs[pair, 1])
    for flipped in range(2):
        on, of = pairs[pair, flipped], pairs[pair, 1 - flipped]
        one, other, view, near, away = state[on], state[of], views[flipped], bounds[on], bounds[of]
        c, s, spin = one[COSINE], one[SINE], one[SPIN]
        x, y = other[X] - one[X], other[Y] - one[Y]
        vx = other[SPEED_X] - one[SPEED_X] + spin * y
        vy = other[SPEED_Y] - one[SPEED_Y] - spin * x
        view[FROM_X], view[FROM_Y] = c * x + s * y, c * y - s * x
        view[TURNED_COSINE] = c * other[COSINE] + s * other[SINE]
        view[TURNED_SINE] = c * other[SINE] - s * other[COSINE]
        view[GOES_X], view[GOES_Y], view[TURNS] = c * vx + s * vy, c * vy - s * vx, other[SPIN] - spin
        # As in `safe_times`: what the body that sees turns away from, and Coriolis.
        fast, turning = near[HUB_SPEED] + away[HUB_SPEED], near[MOST_TURN] + near[MOST_SPIN] ** 2
        bend = near[HUB_RATE] + away[HUB_RATE] + turning * (far + fast * h)
        view[BEND] = bend + 2.0 * near[MOST_SPIN] * fast
        view[BEND_PER_ARM] = away[MOST_TURN] + (near[MOST_SPIN] + away[MOST_SPIN]) ** 2 + near[MOST_TURN]


@kernel(sample=lambda: (0.3, 0.1, 0.2), inlined=True, bare=True)
def drop(rate, before, after):  # type: ignore[no-untyped-def]
    """How much less a value is, at most, that changes evenly from some time before now to some after."""
    return max(rate * before, -rate * after)


@kernel(
    sample=lambda: (
        sample_features()[0],
        np.ones((4, 3)),
        sample_features()[1][0],
        np.linspace(0.1, 0.9, 9),
        0.0,
        0.1,
        1e-6,
    ),
    inlined=True,
    bare=True,
)
def stays_clear(data, gauges, row, view, before, after, margin):  # type: ignore[no-untyped-def]
    """How far two features are apart now, at least; and whether they stay so by more than a margin.

    From some time before now to some after, seen by the body of the first.
    """
    first, disc, c, s = data[row[1]], data[row[2]], view[TURNED_COSINE], view[TURNED_SINE]
    rx, ry, radius = c * disc[0] - s * disc[1], s * disc[0] + c * disc[1], disc[2]
    x, y = view[FROM_X] + rx - first[0], view[FROM_Y] + ry - first[1]
    vx, vy = view[GOES_X] - view[TURNS] * ry, view[GOES_Y] + view[TURNS] * rx
    longer = max(before, after)
    bend = view[BEND] + view[BEND_PER_ARM] * gauges[row[2], ARM]
    most = 0.5 * bend * longer * longer + margin  # of what is not even, and to be clear by
    if row[0] == EDGE_DISC:
        ux, uy = first[2] - first[0], first[3] - first[1]
        whole = gauges[row[1], LONG]
        square = whole * whole
        past, rate = uy * x - ux * y, uy * vx - ux * vy
        if past < 0.0:
            past, rate = -past, -rate
        along, speed = ux * x + uy * y, ux * vx + uy * vy
        beyond = along - square
        if along < 0.5 * square:
            beyond, speed = -along, -speed
        reach = (radius + most) * whole
        clear = past - drop(rate, before, after) > reach or beyond - drop(speed, before, after) > reach
        return max(past, beyond) * gauges[row[1], PER_LONG] - radius, clear
    away, room = math.sqrt(x * x + y * y), first[2]
    if away > room:
        lowest = away - drop((x * vx + y * vy) / away, before, after)
        return away - room - radius, lowest > room + radius + most
    return room - away - radius, away + math.sqrt(vx * vx + vy * vy) * longer + most < room - radius


@kernel(sample=lambda: (np.array([0.3, 0.2, 0.5]), 0.2), inlined=True, bare=True)
def any_within(values, limit):  # type: ignore[no-untyped-def]
    """Whether one of some values is not above a limit; without a way out, which is faster for few."""
    count = 0
    for k in range(len(values)):
        count += values[k] <= limit
    return count > 0
