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
from detent.mechanics.tree_columns import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, X, Y
from detent.motion.rigid.forces import build_problem, contact_rows_of, held_rows_of, prepare
from detent.motion.rigid.layout import (
    AFTER,
    ASLEEP,
    COLUMNS,
    CONTROL,
    DATA,
    HELD,
    IDENTITY,
    INVERSE,
    LISTED,
    MU,
    NOTCH,
    PAIRS,
    PROBLEM,
    RESTITUTION,
    RIGHT,
    ROWS,
    RUB,
    STATE,
    TOUCH,
    TOUCHING,
    TRAVEL,
    floats,
    integers,
)
from detent.motion.rigid.search import apart
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import solve_contact_problem
from detent.numeric.kernels import kernel

# In distances at which features touch: candidates within are near, contacts within are touching.
_NEAR = 10.0
_TOUCHING = 20.0


@kernel(sample=lambda: (*sample_blocks(), 1e-9))
def gather(f, i, slow):  # type: ignore[no-untyped-def]
    """Fills the candidates that act now, bodies as they are placed; returns how many."""
    listed, pairs, data, state = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, DATA),
        floats(f, i, STATE),
    )
    asleep, travel, touch = floats(f, i, ASLEEP), floats(f, i, TRAVEL)[0], floats(f, i, CONTROL)[0, TOUCH]
    touching = integers(f, i, TOUCHING)[0]
    near, count = np.zeros(len(listed), np.int64), 0
    for c in range(len(listed)):
        pair = listed[c, 3]
        if asleep[1, c] != 0.0 or asleep[0, c] <= travel[pair] + _NEAR * touch:
            distance = apart(f, i, c)
            asleep[0, c], asleep[1, c] = travel[pair] + distance, 0.0
            if distance <= _NEAR * touch:
                near[count] = c
                count += 1
    if count == 0:
        return 0
    close = np.zeros((count, 5), np.int64)
    for k in range(count):
        asleep[1, near[k]] = 1.0
        for column in range(5):
            close[k, column] = listed[near[k], column]
    chosen, values = np.zeros(count, np.int64), np.zeros((count, 10))
    within = _TOUCHING * touch
    found = find_contacts(
        data, integers(f, i, NOTCH), integers(f, i, IDENTITY)[0], close, pairs, state,
        within, within, within, 0.0,
        chosen, values,
    )  # fmt: skip
    n = 0
    for k in range(found):
        c = near[chosen[k]]
        if n < len(touching) and not leaves_its_edge(data, listed[c], pairs, state, values[k], within, slow):
            touching[n] = c
            n += 1
    return n


@kernel(
    sample=lambda: (
        np.ones((2, 9)), np.array([0, 0, 1, 0, 0]), np.array([[0, 1]]),
        np.arange(20.0).reshape(2, 10), np.ones(10), 1e-9,
        1e-9,
    )
)  # fmt: skip
def leaves_its_edge(data, row, pairs, state, contact, near, slow):  # type: ignore[no-untyped-def]
    """Whether a contact at the end of its edge moves beyond it."""
    if row[0] != EDGE_DISC:
        return False
    edge = data[row[1]]
    length, share = math.hypot(edge[2] - edge[0], edge[3] - edge[1]), contact[7]
    at_start, at_end = share * length <= near, (1.0 - share) * length <= near
    if not at_start and not at_end:
        return False
    e, d = state[pairs[row[3], row[4]]], state[pairs[row[3], 1 - row[4]]]
    # Of a disc the centre moves along the edge, not the point that touches.
    lift = data[row[2], 2] * (1.0 if row[4] == 0 else -1.0)
    x, y = contact[1] + lift * contact[3], contact[2] + lift * contact[4]
    vx = d[SPEED_X] - d[SPIN] * (y - d[Y]) - e[SPEED_X] + e[SPIN] * (y - e[Y])
    vy = d[SPEED_Y] + d[SPIN] * (x - d[X]) - e[SPEED_Y] - e[SPIN] * (x - e[X])
    ux, uy = (edge[2] - edge[0]) / length, (edge[3] - edge[1]) / length
    along = vx * (e[COSINE] * ux - e[SINE] * uy) + vy * (e[SINE] * ux + e[COSINE] * uy)
    return (at_start and along < -slow) or (at_end and along > slow)


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 1e-9, np.zeros(48)))
def strike(f, i, y, v, n, slow, impulses):  # type: ignore[no-untyped-def]
    """Changes velocities so that no contact closes, and fills impulses.

    Returns 0 nothing to do, 1 struck, 2 no solution.

    Normal speeds after are at least -restitution times those before; friction bounds impulses as it does
    forces.
    """
    if not prepare(f, i, y, v):
        return 2
    touching, columns, freedoms = integers(f, i, TOUCHING)[0], floats(f, i, COLUMNS), len(v)
    rows, inverse, right = floats(f, i, ROWS), floats(f, i, INVERSE), columns[RIGHT]
    count, closing = contact_rows_of(f, i, touching, n), 0.0
    for c in range(count):
        right[c], impulses[c] = 0.0, 0.0
        for k in range(freedoms):
            right[c] += rows[c, k] * v[k]
        if c < n:
            closing = min(closing, right[c])
    if closing > -slow:
        return 0
    for c in range(n):
        if right[c] < -slow:
            right[c] *= 1.0 + floats(f, i, RUB)[integers(f, i, LISTED)[touching[c], 3], RESTITUTION]
    if len(floats(f, i, HELD)):
        held_rows_of(f, i)
    build_problem(f, i, count, np.zeros(freedoms), 0.0)
    sliding, status = np.zeros(n), np.ones(n, np.int64)
    if not solve_contact_problem(
        floats(f, i, PROBLEM), right, columns[MU], sliding, n, count, status, impulses, columns[AFTER]
    ):
        return 2
    for c in range(count):
        for k in range(freedoms):
            v[k] += inverse[c, k] * impulses[c]
    return 1
