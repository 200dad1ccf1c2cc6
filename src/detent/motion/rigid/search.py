"""The first touch along a step, with nothing stepped over: travel budgets and conservative advancement.

Two features that are a distance apart cannot touch before their bodies have travelled it together. Travel is
counted by pair, from bounds on the speeds of bodies along a step (the hull of its control points); a candidate
sleeps until its pair has used up its distance. One that is awake is advanced along the step: by as much as its distance allows
at the greatest speed, or, where its gap is open, by as much as the gap, its rate and a bound on its second rate allow, until it
touches or the step ends.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, feature_distance, relative_pose
from detent.mechanics.tree_kernels import (
    ARM,
    COSINE,
    FREE,
    HUB_X,
    HUB_Y,
    PIN,
    REACH,
    SINE,
    SPEED_X,
    SPIN,
    WELD,
    X,
    Y,
    place_bodies,
)
from detent.motion.rigid.tables import sample_rigid, sample_touching
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import point_on_step

# A candidate creeps up on contact by so many advances at most; then the step ends there, and goes on.
MOST_ADVANCES = 100
# Features are apart when farther than so many times the distance at which they touch.
APART = 20.0
# Columns of bounds on a body: its hub's speed, its spin, the speed of all its features; the same of accelerations.
HUB_SPEED, MOST_SPIN, SPEED, HUB_RATE, MOST_TURN, RATE = range(6)


def sample_step() -> tuple[np.ndarray, float]:
    """Control points of a step of the sample machine, and its length."""
    return np.array([[0.0], [-0.05], [-0.1], [-0.14], [-0.17], [-0.2]]), 0.1


@kernel(sample=lambda: (sample_rigid(), *sample_step(), np.zeros((2, 6))))
def bound_motion(rigid, points, h, bounds):  # type: ignore[no-untyped-def]
    """Fills bounds on speeds and accelerations of every point of each body along a step; the state is its beginning."""
    machine, state = rigid.machine, rigid.state
    for i in range(len(machine.links)):
        body, parent, kind, j = machine.links[i]
        b, p, reach = bounds[body], bounds[parent], machine.bodies[body, REACH]
        if kind == FREE:
            one, two = (
                coordinate_bounds(machine.follow[j], points, h),
                coordinate_bounds(machine.follow[j + 1], points, h),
            )
            b[HUB_SPEED], b[HUB_RATE] = math.hypot(one[0], two[0]), math.hypot(one[1], two[1])
            b[MOST_SPIN], b[MOST_TURN] = coordinate_bounds(machine.follow[j + 2], points, h)
        else:
            speed, rate = 0.0, 0.0
            if kind != WELD:
                speed, rate = coordinate_bounds(machine.follow[j], points, h)
            arm = (
                machine.link[i, ARM]
                if kind == PIN
                else hub_distance(machine, state, parent, body) + h * speed
            )
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


@kernel(sample=lambda: (np.ones(1), *sample_step()))
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


@kernel(sample=lambda: (sample_rigid().machine, sample_rigid().state, 0, 1))
def hub_distance(machine, state, one, other):  # type: ignore[no-untyped-def]
    """Between the hubs of two bodies, now."""
    x, y = 0.0, 0.0
    for body, sign in ((one, 1.0), (other, -1.0)):
        b, hx, hy = state.bodies[body], machine.bodies[body, HUB_X], machine.bodies[body, HUB_Y]
        x += sign * (b[X] + b[COSINE] * hx - b[SINE] * hy)
        y += sign * (b[Y] + b[SINE] * hx + b[COSINE] * hy)
    return math.hypot(x, y)


@kernel(sample=lambda: (sample_rigid(), *sample_step(), 0.5, np.zeros(1), np.zeros(1)))
def place_on_step(rigid, points, h, s, y, v):  # type: ignore[no-untyped-def]
    """Places the bodies at the share s of a step."""
    point_on_step(points, h, s, y, v)
    place_bodies(rigid.machine, y, v, rigid.state)


@kernel(sample=lambda: (sample_rigid(), 0))
def apart(rigid, candidate):  # type: ignore[no-untyped-def]
    """How far the features of a candidate are apart, bodies as they are placed."""
    touchable, poses, pose_AB = rigid.touchable, rigid.state.bodies, rigid.room.pose_AB
    pair, flipped = touchable.listed[candidate, 3], touchable.listed[candidate, 4]
    relative_pose(poses, touchable.pairs[pair, flipped], touchable.pairs[pair, 1 - flipped], pose_AB)
    return feature_distance(touchable.data, touchable.listed[candidate], pose_AB)


@kernel(sample=lambda: (sample_rigid(), 0, 0.1, np.ones((2, 6)), 0.1))
def safe_time(rigid, candidate, distance, bounds, left):  # type: ignore[no-untyped-def]
    """How long a candidate cannot touch, bodies as they are placed and bounded for the time that is left."""
    touchable, room = rigid.touchable, rigid.room
    row = touchable.listed[candidate]
    a, b = touchable.pairs[row[3], 0], touchable.pairs[row[3], 1]
    speed = bounds[a, SPEED] + bounds[b, SPEED]
    safe = distance / speed
    contact_of(
        touchable.data,
        touchable.listed,
        touchable.pairs,
        rigid.state.bodies,
        candidate,
        room.pose_AB,
        room.contacts,
        0,
    )
    contact = room.contacts[0]
    gap = contact[0]
    if gap <= 0.0:
        return safe
    va, vb = rigid.state.bodies[a], rigid.state.bodies[b]
    opening = contact[3] * (vb[SPEED_X] - va[SPEED_X]) + contact[4] * (vb[SPEED_X + 1] - va[SPEED_X + 1])
    opening += contact[6] * vb[SPIN] - contact[5] * va[SPIN]
    radius = touchable.data[row[2], 2]
    if row[0] == EDGE_DISC:
        # In the edge's frame the disc's centre moves; its gap is linear in that.
        e, d = touchable.pairs[row[3], row[4]], touchable.pairs[row[3], 1 - row[4]]
        far = rigid.machine.bodies[e, REACH] + distance + radius + speed * left
        spin = bounds[e, MOST_SPIN]
        bend = bounds[d, RATE] + bounds[e, HUB_RATE] + (bounds[e, MOST_TURN] + spin * spin) * far
        bend += 2.0 * spin * (bounds[d, SPEED] + bounds[e, HUB_SPEED] + spin * far)
    else:
        side, radii = touchable.data[row[1], 3], touchable.data[row[1], 2] + radius
        between = (gap + radii if side > 0.0 else touchable.data[row[1], 2] - radius - gap) - speed * left
        if between <= 0.0:
            return safe
        bend = bounds[a, RATE] + bounds[b, RATE] + speed * speed / between
    if bend == 0.0:
        return safe if opening < 0.0 else math.inf
    return max(safe, (opening + math.sqrt(opening * opening + 2.0 * bend * gap)) / bend)


@kernel(sample=lambda: (sample_rigid(), 0, 1e-9))
def sinks(rigid, candidate, touch):  # type: ignore[no-untyped-def]
    """Whether a candidate has gone into the other part, a little, bodies as they are placed."""
    touchable = rigid.touchable
    chosen, values = np.zeros(1, np.int64), np.zeros((1, 10))
    found = find_contacts(
        touchable.data, touchable.notch, touchable.identity, touchable.listed[candidate : candidate + 1],
        touchable.pairs, rigid.state.bodies, -2.0 * touch, 1e4 * touch, 0.0, 0.0, chosen, values,
    )  # fmt: skip
    return found == 1


@kernel(sample=lambda: (sample_rigid(), *sample_step(), 0, 0.5, 1e-9, np.zeros(1), np.zeros(1)))
def parts_at(rigid, points, h, candidate, until, touch, y, v):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate that touches without acting is apart; and whether it sinks in instead."""
    s = 1e-4
    while s < until:
        place_on_step(rigid, points, h, s, y, v)
        if apart(rigid, candidate) > APART * touch:
            return s, False
        if sinks(rigid, candidate, touch):
            return s, True
        s *= 3.0
    return until, False


@kernel(
    sample=lambda: (
        sample_rigid(), *sample_step(), np.ones((2, 6)), sample_touching(), 0, np.zeros((2, 1)), np.zeros(1),
        np.zeros(1, np.int64), 1e-9, np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def first_touch(rigid, points, h, bounds, touching, n, asleep, travel, awake, touch, y, v):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate first comes as near as `touch` (2 where none does), and how many are awake.

    `asleep` has, by candidate, the travel of its pair at which it wakes, and whether it is muted: it touches without acting
    already, and is looked for from where it is apart. `travel` is by pair before the step. `awake` lists the candidates that
    were looked at: what they wake at from now on holds on this step alone.
    """
    listed, pairs = rigid.touchable.listed, rigid.touchable.pairs
    earliest, count = 2.0, 0
    last, speed, reached = -1, 0.0, 0.0
    for i in range(len(listed)):
        pair = listed[i, 3]
        if pair != last:
            speed = bounds[pairs[pair, 0], SPEED] + bounds[pairs[pair, 1], SPEED]
            reached, last = travel[pair] + h * speed, pair
        muted = asleep[1, i] != 0.0
        if asleep[0, i] > reached and not muted:
            continue
        s = max(0.0, (asleep[0, i] - travel[pair]) / (h * speed)) if speed > 0.0 else 2.0
        if muted:
            acts = False
            for k in range(n):
                acts = acts or touching[k] == i
            if acts:
                continue
            s, into = parts_at(rigid, points, h, i, min(earliest, 1.0), touch, y, v)
            if into:
                earliest = min(earliest, s)
                continue
        awake[count] = i
        for _ in range(MOST_ADVANCES):
            if s >= min(earliest, 1.0):
                break
            place_on_step(rigid, points, h, s, y, v)
            distance = apart(rigid, i)
            if distance <= touch:
                earliest = s
                break
            s += safe_time(rigid, i, distance, bounds, (1.0 - s) * h) / h
        else:
            earliest = min(earliest, s)
        if not muted:
            asleep[0, i] = travel[pair] + min(s, 1.0) * h * speed
        count += 1
    return earliest, count
