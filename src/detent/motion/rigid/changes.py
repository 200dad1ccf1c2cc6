"""What ends a step besides a touch: a contact that parts, leaves its feature or stops sliding.

And how a state that has drifted comes back onto what constrains it.
"""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, faces
from detent.mechanics.tree_columns import COSINE, SINE
from detent.mechanics.tree_kernels import place_tree
from detent.motion.rigid.forces import contact_rows_of, held_rows_of, prepare
from detent.motion.rigid.layout import (
    CONTACTS,
    CONTROL,
    COORDINATES,
    DATA,
    DRIVEN,
    FRICTION,
    HELD,
    LISTED,
    LOOPS,
    MASS,
    PAIRS,
    POSE_AB,
    ROWS,
    RUB,
    SLIDING,
    STATE,
    TOUCH,
    TOUCHING,
    WORK,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.search import place_on_step
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import OPEN, STICK
from detent.numeric.dense import solve_dense, solve_factored
from detent.numeric.kernels import kernel

# A contact without force has parted when its gap is this many times the distance at which features touch.
PARTED = 10.0


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 0.0))
def project(f, i, y, v, n, t):  # type: ignore[no-untyped-def]
    """Puts positions and velocities back onto closed contacts, closing joints and drives.

    By the least change of energy.
    """
    held, touching, listed, rub = (
        floats(f, i, HELD),
        integers(f, i, TOUCHING),
        integers(f, i, LISTED),
        floats(f, i, RUB),
    )
    freedoms, closed, sticks = len(y), np.zeros(n, np.int64), np.zeros(n, np.int64)
    count, stuck = 0, 0
    for c in range(n):
        if touching[1, c] != OPEN:
            closed[count] = touching[0, c]
            sticks[count] = touching[1, c] == STICK and rub[listed[touching[0, c], 3], FRICTION] > 0.0
            stuck += sticks[count]
            count += 1
    total = count + len(held) + stuck
    if total == 0:
        return
    prepare(f, i, y, v)
    contact_rows_of(f, i, closed, count)
    if len(held):
        held_rows_of(f, i)
    rows, open_by, closing = np.zeros((total, freedoms)), np.zeros(total), np.zeros(total)
    contacts, of_contacts, driven = floats(f, i, CONTACTS), floats(f, i, ROWS), floats(f, i, DRIVEN)
    for r in range(count):
        open_by[r] = -contacts[r, 0]
        for k in range(freedoms):
            rows[r, k] = of_contacts[r, k]
    for r in range(len(held)):
        for k in range(freedoms):
            rows[count + r, k] = held[r, k]
        open_by[count + r] = -held[r, freedoms]
        drive = r - len(integers(f, i, LOOPS))
        if drive >= 0:
            aim = driven[drive, 2] + driven[drive, 1] * t
            open_by[count + r] = aim - floats(f, i, COORDINATES)[0, int(driven[drive, 0])]
            closing[count + r] = driven[drive, 1]
    at = count + len(held)
    for c in range(count):
        if sticks[c]:
            for k in range(freedoms):
                rows[at, k] = of_contacts[count + c, k]
            at += 1
    correct(floats(f, i, MASS), rows, count + len(held), open_by, closing, y, v)


@kernel(sample=lambda: (np.eye(2), np.ones((1, 2)), 1, np.full(1, 0.1), np.zeros(1), np.zeros(2), np.ones(2)))
def correct(mass, rows, of_position, open_by, closing, y, v):  # type: ignore[no-untyped-def]
    """Moves by the least change of energy until rows are met: the first `of_position` in place, all in
    speed.
    """
    total, freedoms = rows.shape
    across = np.zeros((total, freedoms))
    for r in range(total):
        for k in range(freedoms):
            across[r, k] = rows[r, k]
            closing[r] -= rows[r, k] * v[k]
        solve_factored(mass, across[r])
    for of_speed in range(2):
        m = total if of_speed else of_position
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


@kernel(sample=lambda: (*sample_blocks(), 0, 1e-9))
def past_its_end(f, i, candidate, touch):  # type: ignore[no-untyped-def]
    """Whether a contact has left its edge, or its arc, bodies as they are placed; and its gap."""
    data, listed, pairs, state = (
        floats(f, i, DATA),
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, STATE),
    )
    contacts = floats(f, i, CONTACTS)
    contact_of(data, listed, pairs, state, candidate, floats(f, i, POSE_AB)[0], contacts, 0)
    row, contact = listed[candidate], contacts[0]
    if row[0] == EDGE_DISC:
        edge = data[row[1]]
        length = math.hypot(edge[2] - edge[0], edge[3] - edge[1])
        return contact[7] * length < -touch or (contact[7] - 1.0) * length > touch, contact[0]
    side = data[row[1], 3] * (1.0 if row[4] == 0 else -1.0)
    e = state[pairs[row[3], row[4]]]
    nx, ny, c, s = side * contact[3], side * contact[4], e[COSINE], e[SINE]
    return not faces(data, row[1], c * nx + s * ny, c * ny - s * nx, touch), contact[0]


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1.0, 1, 1e-9))
def changed_by(f, i, h, s, n, slow):  # type: ignore[no-untyped-def]
    """Whether a contact has parted, left its feature or stopped sliding at the share s of a step."""
    touching, sliding, work = integers(f, i, TOUCHING), floats(f, i, SLIDING)[0], floats(f, i, WORK)
    touch = floats(f, i, CONTROL)[0, TOUCH]
    place_on_step(f, i, h, s)
    rubbing = False
    for c in range(n):
        past, gap = past_its_end(f, i, touching[0, c], touch)
        if past or (touching[1, c] == OPEN and gap > PARTED * touch):
            return True
        rubbing = rubbing or sliding[c] != 0.0
    if rubbing:
        place_tree(machine_of(f, i), work[0], work[1], state_of(f, i))
        contact_rows_of(f, i, touching[0], n)
        rows = floats(f, i, ROWS)
        for c in range(n):
            along = 0.0
            for k in range(rows.shape[1]):
                along += rows[n + c, k] * work[1, k]
            if sliding[c] * along < -slow:
                return True
    return False


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1.0, 1, 1e-9))
def first_change(f, i, h, until, n, slow):  # type: ignore[no-untyped-def]
    """The share of a step, up to `until`, at which that is so first, looked for in quarters; else 2."""
    if n == 0:
        return 2.0
    for part in range(1, 5):
        high = until * part / 4
        if not changed_by(f, i, h, high, n, slow):
            continue
        low = until * (part - 1) / 4
        while high - low > 1e-12 * until:
            middle = 0.5 * (low + high)
            if changed_by(f, i, h, middle, n, slow):
                high = middle
            else:
                low = middle
        return high
    return 2.0
