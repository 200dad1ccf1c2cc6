"""Which candidates touch at an instant, and what an impact does.

At an instant at which something comes to touch, or leaves the feature that it slid on, all candidates that
are near are looked at again. One that touches locally constrains the motion, unless it is just leaving the end of its
edge. The others that touch are muted until they are apart: they would be found again at once.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.motion.rigid.forces import build_problem, contact_rows_of, factor, bilateral_rows_of
from detent.motion.rigid.samples import sample_machine, sample_touching
from detent.motion.rigid.search import apart
from detent.mechanics.tree_dynamics import mass_and_force
from detent.mechanics.tree_kernels import place_bodies
from detent.numeric.contact_problem import solve_contact_problem
from detent.numeric.kernels import kernel


@kernel(
    sample=lambda: (
        *sample_machine(), np.zeros(1), np.zeros(1), np.zeros(1, np.bool_), 1e-9, 1e-9, np.zeros(24, np.int64),
    )
)  # fmt: skip
def gather(tables, room, travel, wake, muted, touch, slow, touching):  # type: ignore[no-untyped-def]
    """Fills the candidates that touch now, bodies as they are placed; returns how many."""
    near = np.zeros(len(tables.listed), np.int64)
    count = 0
    for i in range(len(tables.listed)):
        pair = tables.listed[i, 3]
        if muted[i] or wake[i] <= travel[pair] + 10.0 * touch:
            distance = apart(tables, room, i)
            muted[i] = False
            wake[i] = travel[pair] + distance
            if distance <= 10.0 * touch:
                near[count] = i
                count += 1
    if count == 0:
        return 0
    listed = np.zeros((count, 5), np.int64)
    for k in range(count):
        for c in range(5):
            listed[k, c] = tables.listed[near[k], c]
        muted[near[k]] = True
    chosen, values = np.zeros(count, np.int64), np.zeros((count, 10))
    found = find_contacts(
        tables.data, tables.notch, tables.identity, listed, tables.pairs, room.poses,
        20.0 * touch, 20.0 * touch, 20.0 * touch, 0.0, chosen, values,
    )  # fmt: skip
    n = 0
    for k in range(found):
        i = near[chosen[k]]
        if leaves_its_edge(tables, room, i, values[k], 20.0 * touch, slow):
            continue
        if n < len(touching):
            touching[n] = i
            n += 1
    return n


@kernel(sample=lambda: (*sample_machine(), 0, np.ones(10), 1e-9, 1e-9))
def leaves_its_edge(tables, room, candidate, contact, near, slow):  # type: ignore[no-untyped-def]
    """Whether a contact at the end of its edge moves beyond it."""
    row = tables.listed[candidate]
    if row[0] != EDGE_DISC:
        return False
    edge, pair = tables.data[row[1]], row[3]
    length = math.hypot(edge[2] - edge[0], edge[3] - edge[1])
    share = contact[7]
    at_start, at_end = share * length <= near, (1.0 - share) * length <= near
    if not at_start and not at_end:
        return False
    e, d = tables.pairs[pair, row[4]], tables.pairs[pair, 1 - row[4]]
    x, y = contact[1], contact[2]
    ve_x = room.speeds[e, 0] - room.speeds[e, 2] * (y - room.poses[e, 1])
    ve_y = room.speeds[e, 1] + room.speeds[e, 2] * (x - room.poses[e, 0])
    # Of a disc the centre moves along the edge, not the point that touches.
    radius = tables.data[row[2], 2]
    side = 1.0 if row[4] == 0 else -1.0
    cx, cy = x + side * radius * contact[3] - room.poses[d, 0], y + side * radius * contact[4] - room.poses[d, 1]
    vd_x, vd_y = room.speeds[d, 0] - room.speeds[d, 2] * cy, room.speeds[d, 1] + room.speeds[d, 2] * cx
    c, s = room.poses[e, 2], room.poses[e, 3]
    ux, uy = (edge[2] - edge[0]) / length, (edge[3] - edge[1]) / length
    along = (vd_x - ve_x) * (c * ux - s * uy) + (vd_y - ve_y) * (s * ux + c * uy)
    return (at_start and along < -slow) or (at_end and along > slow)


@kernel(sample=lambda: (*sample_touching()[:2], np.zeros(1), np.ones(1), *sample_touching()[2:], np.zeros(24), 1e-9, np.zeros(48)))
def strike(tables, room, y, v, touching, n, sliding, slow, impulses):  # type: ignore[no-untyped-def]
    """Changes velocities so that no touching contact closes; fills impulses. Returns 0 nothing, 1 struck, 2 no solution.

    Normal speeds after are at least -restitution times those before; friction acts on impulses as on forces.
    """
    place_bodies(
        tables.dynamics.tree, y, v, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )
    mass_and_force(
        tables.dynamics, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products,
        room.mass, room.force,
    )  # fmt: skip
    if not factor(room.mass):
        return 2
    contact_rows_of(tables, room, touching, n)
    freedoms = len(v)
    closing = 0.0
    for i in range(2 * n):
        room.right[i] = 0.0
        impulses[i] = 0.0
        for k in range(freedoms):
            room.right[i] += room.rows[i, k] * v[k]
        if i < n:
            closing = min(closing, room.right[i])
    if closing > -slow:
        return 0
    for i in range(n):
        if room.right[i] < -slow:
            room.right[i] *= 1.0 + tables.restitution[tables.listed[touching[i], 3]]
    if len(room.bilateral):
        bilateral_rows_of(tables, room)
        for r in range(len(room.bilateral_rates)):
            room.bilateral_rates[r] = 0.0
    still = np.zeros(freedoms)
    build_problem(tables, room, touching, n, still)
    status = np.ones(n, np.int64)
    for i in range(n):
        sliding[i] = 0.0
    if not solve_contact_problem(room.problem, room.right, room.mu, sliding, n, status, impulses, room.after):
        return 2
    for i in range(2 * n):
        for k in range(freedoms):
            v[k] += room.inverse[i, k] * impulses[i]
    return 1
