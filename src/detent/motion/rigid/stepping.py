"""The rigid method's loop: steps of a differential equation between events, and events.

Between events the accelerations follow from the forces, with contacts that neither pull nor yield (`forces`). A
step ends where something first comes to touch, where a contact leaves the feature it slides on, or where sliding
stops. There, contacts are gathered anew, and velocities jump where they must (`touching`).
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, faces
from detent.motion.rigid.forces import accelerations, contact_rows_of, factor, solve_factored, bilateral_rows_of
from detent.motion.rigid.samples import sample_run
from detent.motion.rigid.search import apart, bound_speeds, first_touch, hub_lengths, place_on_step
from detent.motion.rigid.touching import gather, strike
from detent.mechanics.tree_dynamics import energies, mass_and_force
from detent.mechanics.tree_kernels import place_bodies
from detent.numeric.contact_problem import OPEN, STICK
from detent.numeric.dense import solve_dense
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import ERRORS, STAGES, control_points, point_on_step

DONE, FULL, NO_INERTIA, NO_SOLUTION, STUCK = 0, 1, 2, 3, 4
IMPACT, CONTACT, RELEASE, STICKS, SLIDES = 0, 1, 2, 3, 4
# Columns of an event in the log.
TIME, KIND, CANDIDATE, NORMAL, TANGENTIAL, CLOSING, LOST = range(7)
# Steps in a row that get nowhere.
MOST_IDLE = 60


@kernel(sample=lambda: (*sample_run()[:2], np.zeros(1), np.zeros(1), np.zeros(24, np.int64), 1, np.ones(24, np.int64), 0.0))
def project(tables, room, y, v, touching, n, status, t):  # type: ignore[no-untyped-def]
    """Puts positions and velocities back onto closed contacts, closing joints and drives, by least change of energy."""
    place_bodies(
        tables.dynamics.tree, y, v, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )
    freedoms, held = len(y), len(room.bilateral)
    closed, sticks = np.zeros(n, np.int64), np.zeros(n, np.int64)
    count, stuck = 0, 0
    for i in range(n):
        if status[i] != OPEN:
            closed[count] = touching[i]
            sticks[count] = 1 if status[i] == STICK and tables.friction[tables.listed[touching[i], 3]] > 0.0 else 0
            stuck += sticks[count]
            count += 1
    if count + held == 0:
        return
    mass_and_force(
        tables.dynamics, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products,
        room.mass, room.force,
    )  # fmt: skip
    factor(room.mass)
    contact_rows_of(tables, room, closed, count)
    if held:
        bilateral_rows_of(tables, room)
    total = count + held + stuck
    rows, across = np.zeros((total, freedoms)), np.zeros((total, freedoms))
    open_by, closing = np.zeros(total), np.zeros(total)
    for r in range(count):
        rows[r] = room.rows[r]
        open_by[r] = -room.contacts[r, 0]
    for r in range(held):
        rows[count + r] = room.bilateral[r]
        drive = r - tables.loops.count
        if drive < 0:
            open_by[count + r] = -room.bilateral_values[r]
        else:
            j = int(tables.loops.driven[drive, 0])
            aim = tables.loops.driven[drive, 2] + tables.loops.driven[drive, 1] * t
            open_by[count + r] = aim - room.coordinates[0, j]
            closing[count + r] = tables.loops.driven[drive, 1]
    at = count + held
    for i in range(count):
        if sticks[i]:
            rows[at] = room.rows[count + i]
            at += 1
    for r in range(total):
        across[r] = rows[r]
        solve_factored(room.mass, across[r])
        for k in range(freedoms):
            closing[r] -= rows[r, k] * v[k]
    for target in range(2):
        m = count + held if target == 0 else total
        matrix = np.zeros((m, m))
        for r in range(m):
            for q in range(m):
                for k in range(freedoms):
                    matrix[r, q] += rows[r, k] * across[q, k]
        right = open_by if target == 0 else closing
        solve_dense(matrix, right, m)
        for r in range(m):
            for k in range(freedoms):
                if target == 0:
                    y[k] += across[r, k] * right[r]
                else:
                    v[k] += across[r, k] * right[r]


@kernel(sample=lambda: (*sample_run()[:2], 0, 1e-9))
def past_its_end(tables, room, candidate, touch):  # type: ignore[no-untyped-def]
    """Whether a contact has left its edge, or its arc, bodies as they are placed."""
    contact_of(tables.data, tables.listed, tables.pairs, room.poses, candidate, room.pose_AB, room.contacts, 0)
    row = tables.listed[candidate]
    if row[0] == EDGE_DISC:
        edge, share = tables.data[row[1]], room.contacts[0, 7]
        length = math.hypot(edge[2] - edge[0], edge[3] - edge[1])
        return share * length < -touch or (share - 1.0) * length > touch
    f, side = row[1], tables.data[row[1], 3]
    e = tables.pairs[row[3], row[4]]
    sign = side if row[4] == 0 else -side
    nx, ny, c, s = room.contacts[0, 3], room.contacts[0, 4], room.poses[e, 2], room.poses[e, 3]
    return not faces(tables.data, f, sign * (c * nx + s * ny), sign * (c * ny - s * nx), touch)


@kernel(
    sample=lambda: (
        *sample_run()[:2], np.arange(6.0).reshape(6, 1), 0.1, 1.0, np.zeros(24, np.int64), 1, np.zeros(24),
        np.zeros(24, np.int64), 1e-9, 1e-9, np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def first_change(tables, room, points, h, until, touching, n, sliding, status, touch, slow, y, v):  # type: ignore[no-untyped-def]
    """The share of a step, below `until`, at which a contact parts, leaves its feature or stops sliding; else 2."""
    changed = 2.0
    for part in range(1, 5):
        s = until * part / 4
        if not changes(tables, room, points, h, s, touching, n, sliding, status, touch, slow, y, v):
            continue
        low, high = until * (part - 1) / 4, s
        for _ in range(44):
            middle = 0.5 * (low + high)
            if changes(tables, room, points, h, middle, touching, n, sliding, status, touch, slow, y, v):
                high = middle
            else:
                low = middle
        changed = high
        break
    return changed


@kernel(
    sample=lambda: (
        *sample_run()[:2], np.arange(6.0).reshape(6, 1), 0.1, 1.0, np.zeros(24, np.int64), 1, np.zeros(24),
        np.zeros(24, np.int64), 1e-9, 1e-9, np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def changes(tables, room, points, h, s, touching, n, sliding, status, touch, slow, y, v):  # type: ignore[no-untyped-def]
    """Whether something of that kind has happened at the share s."""
    place_on_step(tables, room, points, h, s, y, v)
    for i in range(n):
        past = past_its_end(tables, room, touching[i], touch)
        if past or (status[i] == OPEN and room.contacts[0, 0] > 10.0 * touch):
            return True
    rubbing = False
    for i in range(n):
        rubbing = rubbing or sliding[i] != 0.0
    if rubbing:
        contact_rows_of(tables, room, touching, n)
        for i in range(n):
            along = 0.0
            for k in range(len(v)):
                along += room.rows[n + i, k] * v[k]
            if sliding[i] * along < -slow:
                return True
    return False
