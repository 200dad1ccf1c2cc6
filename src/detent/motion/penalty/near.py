"""Candidates that are near: those that can overlap before bodies have moved by a margin, listed anew where
they have."""

from __future__ import annotations

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import relative_pose, role_gap
from detent.mechanics.tree_columns import COSINE, SINE, TURN, X, Y
from detent.mechanics.tree_kernels import HUB_X, HUB_Y
from detent.motion.penalty.tables import DEPTH, MARGIN, MOST_TOUCHING, sample_placed
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude


@kernel(sample=lambda: (sample_placed(), 1), inlined=True, bare=True)
def hub_of(over, body):  # type: ignore[no-untyped-def]
    """Where the hub of a body is."""
    b, x, y = over.state.bodies[body], over.machine.bodies[body, HUB_X], over.machine.bodies[body, HUB_Y]
    return b[X] + b[COSINE] * x - b[SINE] * y, b[Y] + b[SINE] * x + b[COSINE] * y


@kernel(
    sample=lambda: (
        *sample_placed()[2:4],
        sample_placed().listed[0],
        np.array([0.0, 0.0, 1.0, 0.0]),
        0.1,
        0.1,
    ),
    inlined=True,
    bare=True,
)
def within(data, notch, row, pose_AB, depth, margin):  # type: ignore[no-untyped-def]
    """Whether a candidate can overlap once its bodies have moved by a margin."""
    gap = role_gap(data, row, pose_AB)
    if gap.gap > margin or gap.gap < -depth - margin:
        return False
    if row[0] == EDGE_DISC:
        edge = data[row[1]]
        length = magnitude(edge[2] - edge[0], edge[3] - edge[1])
        before = margin + (depth if notch[row[1], 0] >= 0 else 0.0)
        after = margin + (depth if notch[row[1], 1] >= 0 else 0.0)
        return gap.share * length >= -before and (gap.share - 1.0) * length <= after
    return True


@kernel(
    sample=lambda: (sample_placed(), np.full(2, 0.1), np.zeros(MOST_TOUCHING, np.int64), 0),
    separate=True,
    bare=True,
)
def reaching(over, travel, touching, n):  # type: ignore[no-untyped-def]
    """The most travel of two bodies with a candidate beyond the n of a set that can overlap within their
    travel; else 0.

    Candidates are the near ones where no body travels farther than they were listed for, else all.
    """
    farthest, next_one = 0.0, 0.0
    for body in range(len(travel)):
        if travel[body] > farthest:
            farthest, next_one = travel[body], farthest
        elif travel[body] > next_one:
            next_one = travel[body]
    every = farthest + next_one > over.limits[MARGIN]
    if not every:
        list_near(over)
    pose_AB, most, last_a, last_b = over.pose, 0.0, -1, -1
    for k in range(len(over.listed) if every else over.count[0]):
        i = k if every else over.near[k]
        row = over.listed[i]
        a, b = over.pairs[row[3], row[4]], over.pairs[row[3], 1 - row[4]]
        both = travel[a] + travel[b]
        if both <= most:
            continue
        acts = False
        for j in range(n):
            acts = acts or touching[j] == i
        if not acts:
            if a != last_a or b != last_b:
                relative_pose(over.state.bodies, a, b, pose_AB)
                last_a, last_b = a, b
            if within(over.data, over.notch, row, pose_AB, over.limits[DEPTH], both):
                most = both
    return most


@kernel(sample=lambda: (sample_placed(),), separate=True, bare=True)
def list_near(over):  # type: ignore[no-untyped-def]
    """Lists the candidates that can touch before bodies have moved by the margin, where they may have."""
    bodies, at, margin, depth = over.state.bodies, over.near_at, over.limits[MARGIN], over.limits[DEPTH]
    most, second = 0.0, 0.0
    for body in range(len(bodies)):
        x, y = hub_of(over, body)
        moved = magnitude(x - at[body, 0], y - at[body, 1])
        moved += over.reach[body] * abs(bodies[body, TURN] - at[body, 2])
        if moved > most:
            most, second = moved, most
        elif moved > second:
            second = moved
    if over.count[1] > 0 and most + second <= margin:
        return
    for body in range(len(bodies)):
        at[body, 0], at[body, 1] = hub_of(over, body)
        at[body, 2] = bodies[body, TURN]
    pose_AB, last_a, last_b, count = over.pose, -1, -1, 0
    for i in range(len(over.listed)):
        row = over.listed[i]
        a, b = over.pairs[row[3], row[4]], over.pairs[row[3], 1 - row[4]]
        if a != last_a or b != last_b:
            relative_pose(bodies, a, b, pose_AB)
            last_a, last_b = a, b
        if not within(over.data, over.notch, row, pose_AB, depth, margin):
            continue
        over.near[count] = i
        for k in range(5):
            over.near_listed[count, k] = row[k]
        count += 1
    over.count[0] = count
    over.count[1] += 1
