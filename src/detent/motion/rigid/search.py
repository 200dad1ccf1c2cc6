"""The first touch along a step, with nothing stepped over: travel budgets and conservative advancement.

Two features that are a distance apart cannot touch before their bodies have travelled it together. Travel is
counted by pair, from bounds on the speeds of bodies along a step (`bounds`); a candidate sleeps until its
pair has used up its distance. One that is awake, and does not stay clear along the whole step (`sweeps`), is
advanced along it, each time by as long as it cannot touch (`safe_times`), until it touches or the step ends.

A candidate that touches without acting (it rebounds, or others act for it) is muted, and advanced in the same
way by what cannot take it deeper than `DEEPEST`: it is found again as soon as it sinks, however it moves.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import (
    contact_of,
    faces,
    feature_distance,
    relative_pose,
    role_gap,
    sample_features,
)
from detent.mechanics.tree_kernels import move_bodies
from detent.motion.rigid.bounds import SPEED
from detent.motion.rigid.layout import (
    ASLEEP,
    AWAKE,
    BEGINS,
    BOUNDS,
    CONTACTS,
    CONTROL,
    DATA,
    GAUGES,
    LISTED,
    PAIRS,
    POINTS,
    POSE_AB,
    STATE,
    TOUCH,
    TOUCHING,
    TRAVEL,
    VIEWS,
    WORK,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.safe_times import DEEP, safe_time
from detent.motion.rigid.sweeps import TOGETHER, any_within, stays_clear, view_pair
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
# Sine of the angle by which a part that rests on an edge may lean over it: both corners of the edge touch.
LEANING = 1e-4


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0.5), separate=True, bare=True)
def place_on_step(f, i, h, s):  # type: ignore[no-untyped-def]
    """Places the bodies at the share s of a step, without their spans; writes where that is."""
    work = floats(f, i, WORK)
    point_on_step(floats(f, i, POINTS), h, s, work[0], work[1])
    move_bodies(machine_of(f, i), work[0], work[1], state_of(f, i))


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def apart(f, i, candidate):  # type: ignore[no-untyped-def]
    """How far the features of a candidate are apart, bodies as they are placed."""
    listed, pairs, pose_AB = integers(f, i, LISTED), integers(f, i, PAIRS), floats(f, i, POSE_AB)[0]
    pair, flipped = listed[candidate, 3], listed[candidate, 4]
    relative_pose(floats(f, i, STATE), pairs[pair, flipped], pairs[pair, 1 - flipped], pose_AB)
    return feature_distance(floats(f, i, DATA), listed[candidate], pose_AB)


@kernel(
    sample=lambda: (sample_features()[0], sample_features()[1][0], np.array([0.1, 0.2, 0.8, 0.6]), -0.1),
    bare=True,
)
def around_corner(data, row, pose_AB, gap):  # type: ignore[no-untyped-def]
    """Whether what an edge meets at one of its corners is nearer to a disc that is past the edge by a gap.

    That is where the disc came from, where it touches it or is on its free side. At a sharp corner feet on
    both sides are on the edges.
    """
    edge, disc, c, s = data[row[1]], data[row[2]], pose_AB[2], pose_AB[3]
    x = pose_AB[0] + c * disc[0] - s * disc[1]
    y = pose_AB[1] + s * disc[0] + c * disc[1]
    for end in range(2):
        nx, ny = edge[4 + 2 * end], edge[5 + 2 * end]
        if nx == 0.0 and ny == 0.0:
            continue
        other = nx * (x - edge[2 * end]) + ny * (y - edge[1 + 2 * end]) - disc[2]
        if other > gap and (other >= 0.0 or faces(data, row[2], -c * nx - s * ny, s * nx - c * ny, LEANING)):
            return True
    return False


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def depth_of(f, i, candidate):  # type: ignore[no-untyped-def]
    """How deep a candidate is in the other part, bodies as they are placed; 0 where it is not local.

    And where it is behind the edge around a corner: past what the edge meets there it is less, or not at all.
    """
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
        local = local and 0.0 <= seen.share <= 1.0 and not around_corner(data, row, pose_AB, contacts[0, 0])
    else:
        side = data[row[1], 3]
        local = local and faces(data, row[1], side * seen.nx, side * seen.ny, LEANING)
    return -contacts[0, 0] if local else 0.0


@kernel(sample=lambda: (*sample_blocks(), 0, 1e-9, 1e-9), separate=True, bare=True)
def meets(f, i, candidate, distance, touch):  # type: ignore[no-untyped-def]
    """Whether a candidate touches, or has sunk in while others acted for it, bodies as they are placed."""
    if distance <= touch:
        return True
    return distance <= DEEP * touch and 0.0 < depth_of(f, i, candidate) <= DEEP * touch


@kernel(sample=lambda: (*sample_blocks(), 0, 1e-9), separate=True, bare=True)
def parted_by(f, i, candidate, touch):  # type: ignore[no-untyped-def]
    """How far a candidate is apart that touched without acting; 0 while it touches or is sunk in."""
    distance = apart(f, i, candidate)
    if distance <= APART * touch or 0.0 < depth_of(f, i, candidate) <= DEEP * touch:
        return 0.0
    return distance


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def gap_now(f, i, candidate):  # type: ignore[no-untyped-def]
    """The gap of a candidate, bodies as they are placed."""
    data, contacts, pose_AB = floats(f, i, DATA), floats(f, i, CONTACTS), floats(f, i, POSE_AB)[0]
    listed, pairs, state = integers(f, i, LISTED), integers(f, i, PAIRS), floats(f, i, STATE)
    contact_of(data, listed, pairs, state, candidate, pose_AB, contacts, 0)
    return contacts[0, 0]


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0, 0.5, 1e-9), separate=True, bare=True)
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
        if distance > APART * touch and not 0.0 < depth <= DEEP * touch:
            return s, False
        if s >= until:
            return until, False
        low, limit = s, min(limit, depth + _SUNK * touch)
        # Half of that time: a rebound is seen at its top, where it is apart.
        s = min(until, s + 0.5 * safe_time(f, i, candidate, distance, (1.0 - s) * h, deepest) / h)
    return s, True


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1e-9), separate=True, bare=True)
def sleepers_out(f, i, h, margin):  # type: ignore[no-untyped-def]
    """Lists candidates that may touch along a step: muted ones, and those that may have used up their travel.

    Returns how many, each with the share before which it cannot. Those that stay clear all along, seen from
    the beginning, the middle or both halves of the step, are left out. Bodies are placed at its beginning,
    before and after.
    """
    listed, pairs, bounds, awake, begins = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, BOUNDS),
        floats(f, i, AWAKE),
        integers(f, i, BEGINS)[0],
    )
    asleep, travel, data, gauges, views = (
        floats(f, i, ASLEEP),
        floats(f, i, TRAVEL)[0],
        floats(f, i, DATA),
        floats(f, i, GAUGES),
        floats(f, i, VIEWS),
    )
    count, searched = 0, False
    for pair in range(len(pairs)):
        speed, seen = bounds[pairs[pair, 0], SPEED] + bounds[pairs[pair, 1], SPEED], False
        if speed == 0.0:
            continue
        reached = travel[pair] + h * speed
        for first in range(begins[pair], begins[pair + 1], TOGETHER):
            end = min(first + TOGETHER, begins[pair + 1])
            if not any_within(asleep[0, first:end], reached):
                continue
            for c in range(first, end):
                if asleep[0, c] > reached:
                    continue
                if asleep[1, c] == 0.0:
                    if not seen:
                        view_pair(f, i, pair, h)
                        seen = True
                    distance, clear = stays_clear(
                        data, gauges, listed[c], views[listed[c, 4]], 0.0, h, margin
                    )
                    asleep[0, c] = max(asleep[0, c], travel[pair] + distance)
                    if clear or asleep[0, c] > reached:
                        continue
                    searched = True
                awake[0, count], awake[1, count] = c, 0.0
                count += 1
    if not searched:
        return count
    count = clear_from(f, i, h, count, 0.5, 0.5, margin)
    clear_from(f, i, h, count, 0.25, 0.25, margin)
    count = clear_from(f, i, h, count, 0.75, 0.25, margin)
    place_on_step(f, i, h, 0.0)
    return count


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0, 0.5, 0.5, 1e-9), separate=True, bare=True)
def clear_from(f, i, h, count, at, around, margin):  # type: ignore[no-untyped-def]
    """Looks at candidates listed from a share of a step: those that stay clear for a share around it.

    Their share before which they cannot touch becomes the end of that; where it is the step's, and they were
    clear up to there, they are left out. Returns how many are listed then.
    """
    listed, asleep, awake, data, gauges, views = (
        integers(f, i, LISTED),
        floats(f, i, ASLEEP),
        floats(f, i, AWAKE),
        floats(f, i, DATA),
        floats(f, i, GAUGES),
        floats(f, i, VIEWS),
    )
    left, last = 0, -1
    if count:
        place_on_step(f, i, h, at)
    for k in range(count):
        c, s = int(awake[0, k]), awake[1, k]
        pair = listed[c, 3]
        if asleep[1, c] == 0.0 and s >= at - around:
            if pair != last:
                view_pair(f, i, pair, h)
                last = pair
            time = around * h
            if stays_clear(data, gauges, listed[c], views[listed[c, 4]], time, time, margin)[1]:
                s = at + around
                if s == 1.0:
                    continue
        awake[0, left], awake[1, left] = c, s
        left += 1
    return left


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1e-9), separate=True, bare=True)
def wake(f, i, h, touch):  # type: ignore[no-untyped-def]
    """Lists candidates that may touch along a step, each with the share before which it cannot.

    Returns how many, or -1.

    Bodies are placed at the beginning of the step. -1: one touches there that should not, or has been moved
    into the other part with what was put back onto its contacts.
    """
    listed, awake, asleep, travel = (
        integers(f, i, LISTED),
        floats(f, i, AWAKE),
        floats(f, i, ASLEEP),
        floats(f, i, TRAVEL)[0],
    )
    count = 0
    # What has sunk in so deep is still found where the step begins (`meets`).
    for k in range(sleepers_out(f, i, h, 2.0 * DEEP * touch)):
        c, s = int(awake[0, k]), awake[1, k]
        if asleep[1, c] == 0.0 and s == 0.0:
            distance = apart(f, i, c)
            asleep[0, c] = max(asleep[0, c], travel[listed[c, 3]] + distance)
            if meets(f, i, c, distance, touch):
                return -1
            s = safe_time(f, i, c, distance, h, 0.0) / h
            if s >= 1.0:
                continue
        awake[0, count], awake[1, count] = c, s
        count += 1
    return count


@kernel(sample=lambda: (*sample_blocks(), 1, 1.0), inlined=True, bare=True)
def next_awake(f, i, count, until):  # type: ignore[no-untyped-def]
    """Of the candidates listed, that whose share is least and less than `until`; -1 where there is none."""
    awake, first = floats(f, i, AWAKE), -1
    for k in range(count):
        if awake[1, k] < until:
            first, until = k, awake[1, k]
    return first


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0), separate=True, bare=True)
def first_touch(f, i, h, n):  # type: ignore[no-untyped-def]
    """The share of a step at which a candidate first comes as near as to touch; 2 where none does.

    `ASLEEP` has, by candidate, the travel of its pair at which it wakes, and whether it is muted: it touches
    without acting already, and is looked for from where it is apart. Bodies are placed at the beginning of
    the step. The candidate that is safe for the shortest time is advanced first, so that none is advanced
    past where another touches.
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
        c = int(awake[0, k])
        if asleep[1, c] == 0.0:
            continue
        acts = False
        for q in range(n):
            acts = acts or touching[0, q] == c
        awake[1, k] = 2.0
        if not acts:
            s, into = parts_at(f, i, h, c, min(earliest, 1.0), touch)
            if into:
                earliest = min(earliest, s)
            else:
                awake[1, k] = s
    for _ in range(MOST_ADVANCES * count):
        k = next_awake(f, i, count, min(earliest, 1.0))
        if k < 0:
            return earliest
        c, s = int(awake[0, k]), awake[1, k]
        place_on_step(f, i, h, s)
        distance = apart(f, i, c)
        if meets(f, i, c, distance, touch):
            return s
        awake[1, k] = s + safe_time(f, i, c, distance, (1.0 - s) * h, 0.0) / h
    k = next_awake(f, i, count, min(earliest, 1.0))
    return earliest if k < 0 else awake[1, k]
