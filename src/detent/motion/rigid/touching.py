"""Which candidates touch at an instant, and what an impact does.

At an instant at which something comes to touch, or leaves the feature that it slid on, all candidates that
are near are looked at again. One that touches locally acts, unless it is just leaving the end of its
edge. The others that touch are muted until they are apart: they would be found again at once.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.mechanics.tree_kernels import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, X, Y
from detent.motion.rigid.forces import build_problem, contact_rows_of, held_rows_of, prepare
from detent.motion.rigid.search import apart
from detent.motion.rigid.tables import AFTER, MU, RESTITUTION, RIGHT, sample_rigid, sample_touching
from detent.numeric.contact_problem import solve_contact_problem
from detent.numeric.kernels import kernel


@kernel(sample=lambda: (sample_rigid(), np.zeros(1), np.zeros((2, 1)), 1e-9, 1e-9, sample_touching()))
def gather(rigid, travel, asleep, touch, slow, touching):  # type: ignore[no-untyped-def]
    """Fills the candidates that act now, bodies as they are placed; returns how many."""
    touchable = rigid.touchable
    near, count = np.zeros(len(touchable.listed), np.int64), 0
    for i in range(len(touchable.listed)):
        pair = touchable.listed[i, 3]
        if asleep[1, i] != 0.0 or asleep[0, i] <= travel[pair] + 10.0 * touch:
            distance = apart(rigid, i)
            asleep[0, i], asleep[1, i] = travel[pair] + distance, 0.0
            if distance <= 10.0 * touch:
                near[count] = i
                count += 1
    if count == 0:
        return 0
    listed = np.zeros((count, 5), np.int64)
    for k in range(count):
        asleep[1, near[k]] = 1.0
        for c in range(5):
            listed[k, c] = touchable.listed[near[k], c]
    chosen, values = np.zeros(count, np.int64), np.zeros((count, 10))
    found = find_contacts(
        touchable.data, touchable.notch, touchable.identity, listed, touchable.pairs, rigid.state.bodies,
        20.0 * touch, 20.0 * touch, 20.0 * touch, 0.0, chosen, values,
    )  # fmt: skip
    n = 0
    for k in range(found):
        i = near[chosen[k]]
        if n < len(touching) and not leaves_its_edge(rigid, i, values[k], 20.0 * touch, slow):
            touching[n] = i
            n += 1
    return n


@kernel(sample=lambda: (sample_rigid(), 0, np.ones(10), 1e-9, 1e-9))
def leaves_its_edge(rigid, candidate, contact, near, slow):  # type: ignore[no-untyped-def]
    """Whether a contact at the end of its edge moves beyond it."""
    touchable, bodies = rigid.touchable, rigid.state.bodies
    row = touchable.listed[candidate]
    if row[0] != EDGE_DISC:
        return False
    edge = touchable.data[row[1]]
    length, share = math.hypot(edge[2] - edge[0], edge[3] - edge[1]), contact[7]
    at_start, at_end = share * length <= near, (1.0 - share) * length <= near
    if not at_start and not at_end:
        return False
    e, d = bodies[touchable.pairs[row[3], row[4]]], bodies[touchable.pairs[row[3], 1 - row[4]]]
    # Of a disc the centre moves along the edge, not the point that touches.
    lift = touchable.data[row[2], 2] * (1.0 if row[4] == 0 else -1.0)
    x, y = contact[1] + lift * contact[3], contact[2] + lift * contact[4]
    vx = d[SPEED_X] - d[SPIN] * (y - d[Y]) - e[SPEED_X] + e[SPIN] * (y - e[Y])
    vy = d[SPEED_Y] + d[SPIN] * (x - d[X]) - e[SPEED_Y] - e[SPIN] * (x - e[X])
    ux, uy = (edge[2] - edge[0]) / length, (edge[3] - edge[1]) / length
    along = vx * (e[COSINE] * ux - e[SINE] * uy) + vy * (e[SINE] * ux + e[COSINE] * uy)
    return (at_start and along < -slow) or (at_end and along > slow)


@kernel(sample=lambda: (sample_rigid(), np.zeros(1), np.ones(1), sample_touching(), 1, 1e-9, np.zeros(48)))
def strike(rigid, y, v, touching, n, slow, impulses):  # type: ignore[no-untyped-def]
    """Changes velocities so that no contact closes; returns 0 nothing to do, 1 struck, 2 no solution; fills impulses.

    Normal speeds after are at least -restitution times those before; friction bounds impulses as it does forces.
    """
    room, freedoms = rigid.room, len(v)
    if not prepare(rigid, y, v):
        return 2
    contact_rows_of(rigid, touching, n)
    right, closing = room.columns[RIGHT], 0.0
    for i in range(2 * n):
        right[i], impulses[i] = 0.0, 0.0
        for k in range(freedoms):
            right[i] += room.rows[i, k] * v[k]
        if i < n:
            closing = min(closing, right[i])
    if closing > -slow:
        return 0
    for i in range(n):
        if right[i] < -slow:
            right[i] *= 1.0 + rigid.touchable.rub[rigid.touchable.listed[touching[i], 3], RESTITUTION]
    if len(room.held):
        held_rows_of(rigid)
    build_problem(rigid, n, np.zeros(freedoms), 0.0)
    sliding, status = np.zeros(n), np.ones(n, np.int64)
    if not solve_contact_problem(
        room.problem, right, room.columns[MU], sliding, n, status, impulses, room.columns[AFTER]
    ):
        return 2
    for i in range(2 * n):
        for k in range(freedoms):
            v[k] += room.inverse[i, k] * impulses[i]
    return 1
