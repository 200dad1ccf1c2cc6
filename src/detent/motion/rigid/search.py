"""The first touch along a step, with nothing stepped over: travel budgets and conservative advancement.

Two features that are a distance apart cannot touch before their bodies have travelled it together. Travel is
counted by pair, from bounds on the speeds of bodies along a step (the hull of its control points); a
candidate sleeps until its pair has used up its distance. One that is awake is advanced along the step: by as
much as its distance allows at the greatest speed, or, where its gap is open, by as much as the gap, its rate
and a bound on its second rate allow, until it touches or the step ends.

A candidate that touches without acting (it rebounds, or others act for it) is muted, and advanced in the same
way by what cannot take it deeper than `DEEPEST`: it is found again as soon as it sinks, however it moves.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, faces, feature_distance, relative_pose, role_gap
from detent.mechanics.tree_columns import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import ARM, FREE, HUB_X, HUB_Y, PIN, REACH, WELD, move_bodies
from detent.motion.rigid.layout import (
    ASLEEP,
    AWAKE,
    BODIES,
    BOUNDS,
    CONTACTS,
    CONTROL,
    DATA,
    FOLLOW,
    LINK,
    LINKS,
    LISTED,
    PAIRS,
    POINTS,
    POSE_AB,
    STATE,
    TOUCH,
    TOUCHING,
    TRAVEL,
    WORK,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import point_on_step

# A candidate creeps up on contact by so many advances at most; then the step ends there, and goes on.
MOST_ADVANCES = 100
# Features are apart when farther than so many times the distance at which they touch.
APART = 20.0
# In the same distances: a candidate that does not act has sunk when so deep, or so much deeper than before.
_SUNK = 2.0
# And so deep it may sink unseen.
DEEPEST = 100.0
# Contacts that begin may be so deep: parts are put back onto those that act, and moved into others.
DEEP = 1e4
# Sine of the angle by which a part that rests on an edge may lean over it: both corners of the edge touch.
LEANING = 1e-4
# Columns of bounds on a body: its hub's speed, its spin, the speed of all its features; so of accelerations.
HUB_SPEED, MOST_SPIN, SPEED, HUB_RATE, MOST_TURN, RATE = range(6)


@kernel(sample=lambda: (*sample_blocks(), 0.1), separate=True)
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
            b[HUB_SPEED], b[HUB_RATE] = math.hypot(one[0], two[0]), math.hypot(one[1], two[1])
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
        b[RATE] = b[HUB_RATE] + (b[MOST_TURN] + b[MOST_SPIN] ** 2) * reach


@kernel(sample=lambda: (np.ones(1), np.array([[0.0], [-0.05], [-0.1], [-0.14], [-0.17], [-0.2]]), 0.1))
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


@kernel(sample=lambda: (np.ones((2, 12)), np.ones((2, 10)), 0, 1))
def hub_distance(bodies, state, one, other):  # type: ignore[no-untyped-def]
    """Between the hubs of two bodies, now."""
    x, y = 0.0, 0.0
    for body, sign in ((one, 1.0), (other, -1.0)):
        b, hx, hy = state[body], bodies[body, HUB_X], bodies[body, HUB_Y]
        x += sign * (b[X] + b[COSINE] * hx - b[SINE] * hy)
        y += sign * (b[Y] + b[SINE] * hx + b[COSINE] * hy)
    return math.hypot(x, y)


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0.5), separate=True)
def place_on_step(f, i, h, s):  # type: ignore[no-untyped-def]
    """Places the bodies at the share s of a step, without their spans; writes where that is."""
    work = floats(f, i, WORK)
    point_on_step(floats(f, i, POINTS), h, s, work[0], work[1])
    move_bodies(machine_of(f, i), work[0], work[1], state_of(f, i))


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True)
def apart(f, i, candidate):  # type: ignore[no-untyped-def]
    """How far the features of a candidate are apart, bodies as they are placed."""
    listed, pairs, pose_AB = integers(f, i, LISTED), integers(f, i, PAIRS), floats(f, i, POSE_AB)[0]
    pair, flipped = listed[candidate, 3], listed[candidate, 4]
    relative_pose(floats(f, i, STATE), pairs[pair, flipped], pairs[pair, 1 - flipped], pose_AB)
    return feature_distance(floats(f, i, DATA), listed[candidate], pose_AB)


@kernel(sample=lambda: (*sample_blocks(), 0, 0.1, 0.1, 0.0), separate=True)
def safe_time(f, i, candidate, distance, left, depth):  # type: ignore[no-untyped-def]
    """How long a candidate cannot be so deep, bodies as they are placed, bounded for the time that is left.

    Seen from the body of the first feature, the disc's centre has a speed now, and an acceleration that is
    bounded. So the distance lasts for a time, and so does a gap that is open, of an edge or of two discs,
    with its own rate.
    """
    data, listed, pairs, state = (
        floats(f, i, DATA),
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, STATE),
    )
    bounds, contacts = floats(f, i, BOUNDS), floats(f, i, CONTACTS)
    row = listed[candidate]
    e, d = pairs[row[3], row[4]], pairs[row[3], 1 - row[4]]
    disc, radius, one, other = data[row[2]], data[row[2], 2], state[e], state[d]
    x = other[COSINE] * disc[0] - other[SINE] * disc[1]
    y = other[SINE] * disc[0] + other[COSINE] * disc[1]
    across, up = other[X] + x - one[X], other[Y] + y - one[Y]
    vx = other[SPEED_X] - other[SPIN] * y - one[SPEED_X] + one[SPIN] * up
    vy = other[SPEED_Y] + other[SPIN] * x - one[SPEED_Y] - one[SPIN] * across
    speed, spin = math.hypot(vx, vy), bounds[e, MOST_SPIN]
    most = bounds[e, SPEED] + bounds[d, SPEED]
    far = floats(f, i, BODIES)[e, REACH] + distance + radius + most * left
    bend = bounds[d, RATE] + bounds[e, HUB_RATE] + (bounds[e, MOST_TURN] + spin * spin) * far
    bend += 2.0 * spin * (bounds[d, SPEED] + bounds[e, HUB_SPEED] + spin * far)
    if radius > 0.0 and disc[8] != 2.0:  # the ends of an arc go round its centre
        speed += radius * abs(other[SPIN] - one[SPIN])
        bend += radius * (bounds[e, MOST_TURN] + bounds[d, MOST_TURN] + (spin + bounds[d, MOST_SPIN]) ** 2)
    room = distance + depth
    if bend == 0.0:
        return room / speed if speed > 0.0 else math.inf
    # Roots without differences: of a bend that is rounding, a difference would be a time that is none.
    safe = max(room / most, 2.0 * room / (speed + math.sqrt(speed * speed + 2.0 * bend * room)))
    contact_of(data, listed, pairs, state, candidate, floats(f, i, POSE_AB)[0], contacts, 0)
    contact = contacts[0]
    gap = contact[0] + depth
    if gap <= 0.0:
        return safe
    if row[0] != EDGE_DISC:
        first = data[row[1]]
        cx, cy = one[COSINE] * first[0] - one[SINE] * first[1], one[SINE] * first[0] + one[COSINE] * first[1]
        between = math.hypot(across - cx, up - cy) - most * left
        if between <= 0.0:
            return safe
        bend += most * most / between
    va, vb = state[pairs[row[3], 0]], state[pairs[row[3], 1]]
    opening = contact[3] * (vb[SPEED_X] - va[SPEED_X]) + contact[4] * (vb[SPEED_Y] - va[SPEED_Y])
    opening += contact[6] * vb[SPIN] - contact[5] * va[SPIN]
    root = math.sqrt(opening * opening + 2.0 * bend * gap)
    return max(safe, (opening + root) / bend if opening > 0.0 else 2.0 * gap / (root - opening))


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True)
def depth_of(f, i, candidate):  # type: ignore[no-untyped-def]
    """How deep a candidate is in the other part, bodies as they are placed; 0 where it is not local."""
    data, listed, pairs = floats(f, i, DATA), integers(f, i, LISTED), integers(f, i, PAIRS)
    contacts, pose_AB = floats(f, i, CONTACTS), floats(f, i, POSE_AB)[0]
    contact_of(data, listed, pairs, floats(f, i, STATE), candidate, pose_AB, contacts, 0)
    if contacts[0, 0] >= 0.0:
        return 0.0
    row = listed[candidate]
    seen = role_gap(data, row, pose_AB)
    c, s = pose_AB[2], pose_AB[3]
    local = faces(data, row[2], -c * seen.nx - s * seen.ny, s * seen.nx - c * seen.ny, LEANING)
    if row[0] == EDGE_DISC:
        local = local and 0.0 <= seen.share <= 1.0
    else:
        side = data[row[1], 3]
        local = local and faces(data, row[1], side * seen.nx, side * seen.ny, LEANING)
    return -contacts[0, 0] if local else 0.0


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True)
def gap_now(f, i, candidate):  # type: ignore[no-untyped-def]
    """The gap of a candidate, bodies as they are placed."""
    data, contacts, pose_AB = floats(f, i, DATA), floats(f, i, CONTACTS), floats(f, i, POSE_AB)[0]
    listed, pairs, state = integers(f, i, LISTED), integers(f, i, PAIRS), floats(f, i, STATE)
    contact_of(data, listed, pairs, state, candidate, pose_AB, contacts, 0)
    return contacts[0, 0]


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0, 0.5, 1e-9), separate=True)
def parts_at(f, i, h, candidate, until, touch):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate that touches without acting is apart, or at which it sinks.

    It sinks where it goes deeper than it was along the step: others may act for one that is deep already.
    """
    s, low, limit, deepest = 0.0, 0.0, math.inf, DEEPEST * touch
    for _ in range(MOST_ADVANCES):
        place_on_step(f, i, h, s)
        distance, depth = apart(f, i, candidate), depth_of(f, i, candidate)
        if limit < depth <= limit + 2.0 * deepest:
            while s - low > 1e-12:
                middle = 0.5 * (low + s)
                place_on_step(f, i, h, middle)
                if depth_of(f, i, candidate) > limit:
                    s = middle
                else:
                    low = middle
            return s, True
        if distance > APART * touch:
            return s, False
        if s >= until:
            return until, False
        low, limit = s, min(limit, depth + _SUNK * touch)
        # Half of that time: a rebound is seen at its top, where it is apart.
        s = min(until, s + 0.5 * safe_time(f, i, candidate, distance, (1.0 - s) * h, deepest) / h)
    return s, True


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1e-9), separate=True)
def wake(f, i, h, touch):  # type: ignore[no-untyped-def]
    """Lists candidates that may touch along a step, each with the share before which it cannot.

    Returns how many, or -1.

    Bodies are placed at the beginning of the step. -1: one touches there that should not, or has been moved
    into the other part with what was put back onto its contacts.
    """
    listed, pairs, bounds, awake = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, BOUNDS),
        floats(f, i, AWAKE),
    )
    asleep, travel, deep = floats(f, i, ASLEEP), floats(f, i, TRAVEL)[0], DEEP * touch
    count, last, speed, reached = 0, -1, 0.0, 0.0
    for c in range(len(listed)):
        pair = listed[c, 3]
        if pair != last:
            speed = bounds[pairs[pair, 0], SPEED] + bounds[pairs[pair, 1], SPEED]
            reached, last = travel[pair] + h * speed, pair
        muted = asleep[1, c] != 0.0
        if speed == 0.0 or (asleep[0, c] > reached and not muted):
            continue
        awake[0, count], awake[1, count] = c, 0.0
        if not muted:
            distance = apart(f, i, c)
            asleep[0, c] = travel[pair] + distance
            if asleep[0, c] > reached:
                continue
            if distance <= touch or (distance <= deep and 0.0 < depth_of(f, i, c) <= deep):
                return -1
            awake[1, count] = safe_time(f, i, c, distance, h, 0.0) / h
        count += 1
    return count


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0), separate=True)
def first_touch(f, i, h, n):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate first comes as near as to touch; 2 where none does.

    `ASLEEP` has, by candidate, the travel of its pair at which it wakes, and whether it is muted: it touches
    without acting already, and is looked for from where it is apart. Bodies are placed at the beginning of
    the step.
    """
    touch, awake, asleep, touching = (
        floats(f, i, CONTROL)[0, TOUCH],
        floats(f, i, AWAKE),
        floats(f, i, ASLEEP),
        integers(f, i, TOUCHING),
    )
    earliest, count = 2.0, wake(f, i, h, touch)
    if count < 0:
        return 0.0
    for k in range(count):
        c, s = int(awake[0, k]), awake[1, k]
        if s >= min(earliest, 1.0):
            continue
        if asleep[1, c] != 0.0:
            acts = False
            for q in range(n):
                acts = acts or touching[0, q] == c
            if acts:
                continue
            s, into = parts_at(f, i, h, c, min(earliest, 1.0), touch)
            if into:
                earliest = min(earliest, s)
                continue
        for _ in range(MOST_ADVANCES):
            if s >= min(earliest, 1.0):
                break
            place_on_step(f, i, h, s)
            distance = apart(f, i, c)
            if distance <= touch:
                earliest = s
                break
            s += safe_time(f, i, c, distance, (1.0 - s) * h, 0.0) / h
        else:
            earliest = min(earliest, s)
    return earliest
