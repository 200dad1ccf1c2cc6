"""The first touch along a step, with nothing stepped over: travel budgets and conservative advancement.

A candidate whose features are a distance d apart cannot touch before its two bodies have travelled d
together. Travel is counted by pair, from bounds on the speeds of bodies along a step (the hull of the step's
control points); a candidate sleeps until the travel of its pair has used up its distance. One that is awake is advanced
along the step by what its distance allows, until it touches or the step ends.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate_gap import feature_distance, relative_pose
from detent.mechanics.tree_kernels import FREE, PIN, place_bodies
from detent.motion.rigid.samples import sample_machine
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import point_on_step

# A body creeps up on another by so many advances at most; then what is left of the step is looked at later.
MOST_ADVANCES = 400
# Features are apart when farther than so many times the distance at which they touch.
APART = 20.0


@kernel(sample=lambda: (sample_machine()[0], np.arange(6.0).reshape(6, 1), 0.1, np.zeros(1), np.zeros(1), *_speed_room()))
def bound_speeds(tables, points, h, lengths, fastest, hub_speed, spin, bound):  # type: ignore[no-untyped-def]
    """Fills a bound on the speed of every point of each body along a step.

    `lengths` is, by link, the distance from its parent's hub to its own where that changes (slides, free bodies).
    """
    tree = tables.dynamics.tree
    freedoms = tree.follow.shape[1]
    for j in range(len(tree.drawn)):
        fastest[j] = 0.0
        for p in range(5):
            rate = 0.0
            for k in range(freedoms):
                rate += tree.follow[j, k] * (points[p + 1, k] - points[p, k])
            fastest[j] = max(fastest[j], abs(rate) * 5.0 / h)
    for i in range(len(tree.links)):
        body, parent, kind, j = tree.links[i]
        if kind == FREE:
            hub_speed[body] = math.hypot(fastest[j], fastest[j + 1])
            spin[body] = fastest[j + 2]
        elif kind == PIN:
            hub_speed[body] = hub_speed[parent] + spin[parent] * tables.hub_arms[i]
            spin[body] = spin[parent] + fastest[j]
        else:
            own = fastest[j] if kind != 3 else 0.0
            hub_speed[body] = hub_speed[parent] + own + spin[parent] * (lengths[i] + h * own)
            spin[body] = spin[parent]
        bound[body] = hub_speed[body] + spin[body] * tables.reach[body]


def _speed_room() -> tuple[np.ndarray, ...]:
    return np.zeros(1), np.zeros(2), np.zeros(2), np.zeros(2)


@kernel(sample=lambda: (sample_machine()[0], sample_machine()[1], np.zeros(1)))
def hub_lengths(tables, room, lengths):  # type: ignore[no-untyped-def]
    """By link, the distance from its parent's hub to its own, now."""
    tree = tables.dynamics.tree
    for i in range(len(tree.links)):
        body, parent = tree.links[i, 0], tree.links[i, 1]
        c, s = room.poses[parent, 2], room.poses[parent, 3]
        hx, hy = tables.hubs[parent, 0], tables.hubs[parent, 1]
        x = room.poses[parent, 0] + c * hx - s * hy
        y = room.poses[parent, 1] + s * hx + c * hy
        c, s = room.poses[body, 2], room.poses[body, 3]
        hx, hy = tables.hubs[body, 0], tables.hubs[body, 1]
        lengths[i] = math.hypot(room.poses[body, 0] + c * hx - s * hy - x, room.poses[body, 1] + s * hx + c * hy - y)


@kernel(sample=lambda: (*sample_machine(), np.arange(6.0).reshape(6, 1), 0.1, 0.5, np.zeros(1), np.zeros(1)))
def place_on_step(tables, room, points, h, s, y, v):  # type: ignore[no-untyped-def]
    """Places the bodies at the share s of a step."""
    point_on_step(points, h, s, y, v)
    place_bodies(
        tables.dynamics.tree, y, v, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )


@kernel(sample=lambda: (*sample_machine(), 0))
def apart(tables, room, candidate):  # type: ignore[no-untyped-def]
    """How far the features of a candidate are apart, bodies as they are placed."""
    pair, flipped = tables.listed[candidate, 3], tables.listed[candidate, 4]
    relative_pose(room.poses, tables.pairs[pair, flipped], tables.pairs[pair, 1 - flipped], room.pose_AB)
    return feature_distance(tables.data, tables.listed[candidate], room.pose_AB)


@kernel(sample=lambda: (*sample_machine(), 0, 1e-9))
def sinks(tables, room, candidate, touch):  # type: ignore[no-untyped-def]
    """Whether a candidate has gone into the other part, a little, bodies as they are placed."""
    one = tables.listed[candidate : candidate + 1]
    chosen, values = np.zeros(1, np.int64), np.zeros((1, 10))
    found = find_contacts(
        tables.data, tables.notch, tables.identity, one, tables.pairs, room.poses, -2.0 * touch, 1e4 * touch,
        0.0, 0.0, chosen, values,
    )  # fmt: skip
    return found == 1


@kernel(
    sample=lambda: (
        *sample_machine(), np.arange(6.0).reshape(6, 1) / 9, 0.1, 0, 0.5, 1e-9, np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def parts_at(tables, room, points, h, candidate, until, touch, y, v):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate that touches without acting is apart; and whether it sinks in instead."""
    s = 1e-4
    while s < until:
        place_on_step(tables, room, points, h, s, y, v)
        if apart(tables, room, candidate) > APART * touch:
            return s, False
        if sinks(tables, room, candidate, touch):
            return s, True
        s *= 3.0
    return until, False


@kernel(
    sample=lambda: (
        *sample_machine(), np.arange(6.0).reshape(6, 1) / 9, 0.1, np.ones(2), np.zeros(24, np.int64), 0, np.zeros(1),
        np.zeros(1, np.bool_), np.zeros(1), np.zeros(1), np.zeros(1, np.int64), 1e-9, np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def first_touch(tables, room, points, h, bound, touching, n, wake, muted, travel, looked, awake, touch, y, v):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate first comes as near as `touch` (2 where none does), and how many are awake.

    `travel` is by pair before the step. Candidates that are awake are listed, with the last share at which they were
    looked at: their `wake` holds for any motion up to there, and on this step beyond. Muted ones touch already, and
    are looked for from where they are apart.
    """
    earliest, count = 2.0, 0
    last, speed, reached = -1, 0.0, 0.0
    for i in range(len(tables.listed)):
        pair = tables.listed[i, 3]
        if pair != last:
            speed = bound[tables.pairs[pair, 0]] + bound[tables.pairs[pair, 1]]
            reached, last = travel[pair] + h * speed, pair
        if wake[i] > reached and not muted[i]:
            continue
        s = max(0.0, (wake[i] - travel[pair]) / (h * speed)) if speed > 0.0 else 2.0
        if muted[i]:
            acts = False
            for k in range(n):
                acts = acts or touching[k] == i
            if acts:
                continue
            s, into = parts_at(tables, room, points, h, i, min(earliest, 1.0), touch, y, v)
            if into:
                earliest = min(earliest, s)
                continue
        awake[count], looked[count] = i, 0.0
        for _ in range(MOST_ADVANCES):
            if s >= min(earliest, 1.0):
                break
            place_on_step(tables, room, points, h, s, y, v)
            looked[count] = s
            distance = apart(tables, room, i)
            if distance <= touch:
                earliest = s
                break
            s += distance / (h * speed)
        else:
            earliest = min(earliest, s)
        if not muted[i]:
            wake[i] = travel[pair] + s * h * speed
        count += 1
    return earliest, count
