"""What ends a step besides a touch: a contact that parts, leaves its feature or stops sliding; and back onto constraints."""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, faces
from detent.mechanics.tree_kernels import COSINE, SINE
from detent.motion.rigid.forces import contact_rows_of, held_rows_of, prepare
from detent.motion.rigid.search import place_on_step, sample_step
from detent.motion.rigid.tables import FRICTION, sample_rigid, sample_touching
from detent.numeric.contact_problem import OPEN, STICK
from detent.numeric.dense import solve_dense, solve_factored
from detent.numeric.kernels import kernel


@kernel(
    sample=lambda: (sample_rigid(), np.zeros(1), np.ones(1), sample_touching(), 1, np.ones(24, np.int64), 0.0)
)
def project(rigid, y, v, touching, n, status, t):  # type: ignore[no-untyped-def]
    """Puts positions and velocities back onto closed contacts, closing joints and drives, by the least change of energy."""
    room, freedoms, held = rigid.room, len(y), len(rigid.room.held)
    closed, sticks = np.zeros(n, np.int64), np.zeros(n, np.int64)
    count, stuck = 0, 0
    for i in range(n):
        if status[i] != OPEN:
            rubs = rigid.touchable.rub[rigid.touchable.listed[touching[i], 3], FRICTION] > 0.0
            closed[count], sticks[count] = touching[i], status[i] == STICK and rubs
            stuck += sticks[count]
            count += 1
    if count + held == 0:
        return
    prepare(rigid, y, v)
    contact_rows_of(rigid, closed, count)
    if held:
        held_rows_of(rigid)
    total = count + held + stuck
    rows, across = np.zeros((total, freedoms)), np.zeros((total, freedoms))
    open_by, closing = np.zeros(total), np.zeros(total)
    for r in range(count):
        rows[r] = room.rows[r]
        open_by[r] = -room.contacts[r, 0]
    for r in range(held):
        rows[count + r] = room.held[r, :freedoms]
        open_by[count + r] = -room.held[r, freedoms]
        drive = r - rigid.loops.rows[0]
        if drive >= 0:
            j, speed, begin = rigid.loops.driven[drive]
            open_by[count + r] = begin + speed * t - rigid.state.joints[0, int(j)]
            closing[count + r] = speed
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
    for of_speed in range(2):
        m = total if of_speed else count + held
        matrix, right = np.zeros((m, m)), closing if of_speed else open_by
        for r in range(m):
            for q in range(m):
                for k in range(freedoms):
                    matrix[r, q] += rows[r, k] * across[q, k]
        solve_dense(matrix, right, m)
        for r in range(m):
            for k in range(freedoms):
                if of_speed:
                    v[k] += across[r, k] * right[r]
                else:
                    y[k] += across[r, k] * right[r]


@kernel(sample=lambda: (sample_rigid(), 0, 1e-9))
def past_its_end(rigid, candidate, touch):  # type: ignore[no-untyped-def]
    """Whether a contact has left its edge, or its arc, bodies as they are placed; writes it as the first contact."""
    touchable, bodies, contact = rigid.touchable, rigid.state.bodies, rigid.room.contacts[0]
    contact_of(
        touchable.data,
        touchable.listed,
        touchable.pairs,
        bodies,
        candidate,
        rigid.room.pose_AB,
        rigid.room.contacts,
        0,
    )
    row = touchable.listed[candidate]
    if row[0] == EDGE_DISC:
        edge = touchable.data[row[1]]
        length = math.hypot(edge[2] - edge[0], edge[3] - edge[1])
        return contact[7] * length < -touch or (contact[7] - 1.0) * length > touch
    side = touchable.data[row[1], 3] * (1.0 if row[4] == 0 else -1.0)
    e = bodies[touchable.pairs[row[3], row[4]]]
    nx, ny, c, s = side * contact[3], side * contact[4], e[COSINE], e[SINE]
    return not faces(touchable.data, row[1], c * nx + s * ny, c * ny - s * nx, touch)


@kernel(
    sample=lambda: (
        sample_rigid(), *sample_step(), 1.0, sample_touching(), 1, np.zeros(24), np.ones(24, np.int64), 1e-9, 1e-9,
        np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def changed_by(rigid, points, h, s, touching, n, sliding, status, touch, slow, y, v):  # type: ignore[no-untyped-def]
    """Whether a contact has parted, left its feature or stopped sliding at the share s of a step."""
    place_on_step(rigid, points, h, s, y, v)
    rubbing = False
    for i in range(n):
        past = past_its_end(rigid, touching[i], touch)
        if past or (status[i] == OPEN and rigid.room.contacts[0, 0] > 10.0 * touch):
            return True
        rubbing = rubbing or sliding[i] != 0.0
    if rubbing:
        contact_rows_of(rigid, touching, n)
        for i in range(n):
            along = 0.0
            for k in range(len(v)):
                along += rigid.room.rows[n + i, k] * v[k]
            if sliding[i] * along < -slow:
                return True
    return False


@kernel(
    sample=lambda: (
        sample_rigid(), *sample_step(), 1.0, sample_touching(), 1, np.zeros(24), np.ones(24, np.int64), 1e-9, 1e-9,
        np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def first_change(rigid, points, h, until, touching, n, sliding, status, touch, slow, y, v):  # type: ignore[no-untyped-def]
    """The share of a step, up to `until`, at which that is so first, looked for in quarters; else 2."""
    if n == 0:
        return 2.0
    for part in range(1, 5):
        high = until * part / 4
        if not changed_by(rigid, points, h, high, touching, n, sliding, status, touch, slow, y, v):
            continue
        low = until * (part - 1) / 4
        for _ in range(44):
            middle = 0.5 * (low + high)
            if changed_by(rigid, points, h, middle, touching, n, sliding, status, touch, slow, y, v):
                high = middle
            else:
                low = middle
        return high
    return 2.0
