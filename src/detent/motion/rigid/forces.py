"""Accelerations of a machine whose parts touch: what contacts, loops and drives leave of its forces."""

from __future__ import annotations

import numpy as np

from detent.contact.candidate_gap import contact_of
from detent.contact.plane_rates import plane_gap_rate
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.tree_columns import PRODUCT_X, PRODUCT_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import mass_and_force, place_tree
from detent.motion.rigid.layout import (
    AFTER,
    CLOSING,
    COLUMNS,
    CONTACTS,
    DATA,
    DRIVEN,
    FOLLOW,
    FORCE,
    FRICTION,
    HELD,
    INVERSE,
    LISTED,
    LOOPS,
    MASS,
    MU,
    PAIRS,
    POSE_AB,
    PROBLEM,
    RATE,
    RIGHT,
    ROWS,
    RUB,
    SLIDING,
    SOLVED,
    SPANS,
    STATE,
    TOUCHING,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import solve_contact_problem
from detent.numeric.dense import factor, solve_dense, solve_factored
from detent.numeric.kernels import kernel


@kernel(sample=lambda: (*sample_blocks(), np.zeros(24, np.int64), 1))
def contact_rows_of(f, i, touching, n):  # type: ignore[no-untyped-def]
    """Rows of n touching candidates on the independent speeds, and the rates they have without accelerations.

    Returns how many rows there are: n normal ones, and as many tangential ones where a contact rubs.
    """
    data, listed, pairs, rub = (
        floats(f, i, DATA),
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, RUB),
    )
    bodies, spans, rows, columns = (
        floats(f, i, STATE),
        floats(f, i, SPANS),
        floats(f, i, ROWS),
        floats(f, i, COLUMNS),
    )
    contacts, pose_AB = floats(f, i, CONTACTS), floats(f, i, POSE_AB)[0]
    freedoms, count = spans.shape[1], n
    for c in range(n):
        contact_of(data, listed, pairs, bodies, touching[c], pose_AB, contacts, c)
        pair = listed[touching[c], 3]
        a, b = pairs[pair, 0], pairs[pair, 1]
        columns[MU, c] = rub[pair, FRICTION]
        if columns[MU, c] > 0.0:
            count = 2 * n
        nx, ny, arm_a, arm_b = contacts[c, 3], contacts[c, 4], contacts[c, 5], contacts[c, 6]
        for k in range(freedoms):
            dx, dy = spans[3 * b, k] - spans[3 * a, k], spans[3 * b + 1, k] - spans[3 * a + 1, k]
            rows[c, k] = nx * dx + ny * dy + arm_b * spans[3 * b + 2, k] - arm_a * spans[3 * a + 2, k]
        px, py = bodies[b, PRODUCT_X] - bodies[a, PRODUCT_X], bodies[b, PRODUCT_Y] - bodies[a, PRODUCT_Y]
        columns[RATE, c] = nx * px + ny * py + plane_gap_rate(contacts[c], bodies[a], bodies[b])
    if count > n:
        for c in range(n):
            pair = listed[touching[c], 3]
            tangent_row(
                contacts[c],
                bodies,
                spans,
                pairs[pair, 0],
                pairs[pair, 1],
                rows[n + c],
                columns[RATE, n + c : n + c + 1],
            )
    return count


@kernel(sample=lambda: (np.ones(10), np.ones((2, 10)), np.ones((6, 2)), 0, 1, np.zeros(2), np.zeros(1)))
def tangent_row(contact, bodies, spans, a, b, row, rate):  # type: ignore[no-untyped-def]
    """The row of b's material point past a's along (n_y, -n_x), and its rate without accelerations.

    While it sticks.
    """
    gap, x, y, tx, ty = contact[0], contact[1], contact[2], contact[4], -contact[3]
    rax, ray = x + gap * ty - bodies[a, X], y - gap * tx - bodies[a, Y]
    rbx, rby = x - bodies[b, X], y - bodies[b, Y]
    arm_a, arm_b = rax * ty - ray * tx, rbx * ty - rby * tx
    for k in range(len(row)):
        dx, dy = spans[3 * b, k] - spans[3 * a, k], spans[3 * b + 1, k] - spans[3 * a + 1, k]
        row[k] = tx * dx + ty * dy + arm_b * spans[3 * b + 2, k] - arm_a * spans[3 * a + 2, k]
    wa, wb = bodies[a, SPIN] ** 2, bodies[b, SPIN] ** 2
    px, py = bodies[b, PRODUCT_X] - bodies[a, PRODUCT_X], bodies[b, PRODUCT_Y] - bodies[a, PRODUCT_Y]
    rate[0] = tx * (px - wb * rbx + wa * rax) + ty * (py - wb * rby + wa * ray)


@kernel(sample=sample_blocks)
def held_rows_of(f, i):  # type: ignore[no-untyped-def]
    """Rows of closing joints and of drives on the independent speeds, how far each is open, their rates."""
    joints, held, driven, follow = (
        integers(f, i, LOOPS),
        floats(f, i, HELD),
        floats(f, i, DRIVEN),
        floats(f, i, FOLLOW),
    )
    loop_rows(joints, floats(f, i, CLOSING), floats(f, i, STATE), floats(f, i, SPANS), held)
    for d in range(len(driven)):
        for k in range(follow.shape[1]):
            held[len(joints) + d, k] = follow[int(driven[d, 0]), k]


@kernel(sample=lambda: (*sample_blocks(), 1, np.zeros(1), 1.0))
def build_problem(f, i, count, free, rated):  # type: ignore[no-untyped-def]
    """What unit forces of contacts do, with closing joints and drives held; the contact problem's matrix.

    `free`, a force on entry, becomes the acceleration that it causes without contacts (the mass is
    factored). With `rated` 0 the held rows are kept at rest, for changes of velocity; else at their rates,
    for accelerations.
    """
    mass, rows, inverse, held = (
        floats(f, i, MASS),
        floats(f, i, ROWS),
        floats(f, i, INVERSE),
        floats(f, i, HELD),
    )
    problem, freedoms = floats(f, i, PROBLEM), len(free)
    solve_factored(mass, free)
    for c in range(count):
        for k in range(freedoms):
            inverse[c, k] = rows[c, k]
        solve_factored(mass, inverse[c])
    if len(held):
        hold(mass, held, inverse, count, free, rated)
    for c in range(count):
        for d in range(count):
            total = 0.0
            for k in range(freedoms):
                total += rows[c, k] * inverse[d, k]
            problem[c, d] = total


@kernel(sample=lambda: (np.eye(2), np.array([[1.0, 0.5, 0.1, 0.2]]), np.ones((2, 2)), 1, np.ones(2), 1.0))
def hold(mass, held, inverse, rows, free, rated):  # type: ignore[no-untyped-def]
    """Adds to accelerations, and to those of unit forces, what keeps the held rows."""
    count, freedoms = len(held), len(free)
    across, matrix, right = np.zeros((count, freedoms)), np.zeros((count, count)), np.zeros(count)
    for r in range(count):
        for k in range(freedoms):
            across[r, k] = held[r, k]
        solve_factored(mass, across[r])
    for c in range(-1, rows):
        target = free if c < 0 else inverse[c]
        for r in range(count):
            right[r] = -rated * held[r, freedoms + 1] if c < 0 else 0.0
            for k in range(freedoms):
                right[r] -= held[r, k] * target[k]
            for q in range(count):
                matrix[r, q] = 0.0
                for k in range(freedoms):
                    matrix[r, q] += held[r, k] * across[q, k]
        solve_dense(matrix, right, count)
        for r in range(count):
            for k in range(freedoms):
                target[k] += across[r, k] * right[r]


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1)))
def prepare(f, i, y, v):  # type: ignore[no-untyped-def]
    """Places the bodies and factors the mass matrix; False where a freedom has no inertia."""
    machine, state, mass = machine_of(f, i), state_of(f, i), floats(f, i, MASS)
    place_tree(machine, y, v, state)
    mass_and_force(machine, state, mass, floats(f, i, FORCE)[0])
    return factor(mass)


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, np.zeros(1)))
def accelerations(f, i, y, v, n, acceleration):  # type: ignore[no-untyped-def]
    """Fills accelerations and contact forces at a state; returns 0, 1 without inertia, 2 without solution."""
    if not prepare(f, i, y, v):
        return 1
    touching, columns, force = integers(f, i, TOUCHING), floats(f, i, COLUMNS), floats(f, i, FORCE)[0]
    count = contact_rows_of(f, i, touching[0], n)
    if len(floats(f, i, HELD)):
        held_rows_of(f, i)
    freedoms = len(y)
    for k in range(freedoms):
        acceleration[k] = force[k]
    build_problem(f, i, count, acceleration, 1.0)
    if n == 0:
        return 0
    rows, inverse = floats(f, i, ROWS), floats(f, i, INVERSE)
    for c in range(count):
        columns[RIGHT, c] = columns[RATE, c]
        for k in range(freedoms):
            columns[RIGHT, c] += rows[c, k] * acceleration[k]
    if not solve_contact_problem(
        floats(f, i, PROBLEM), columns[RIGHT], columns[MU], floats(f, i, SLIDING)[0], n, count,
        touching[1], columns[SOLVED],
        columns[AFTER],
    ):  # fmt: skip
        return 2
    for c in range(count):
        if columns[SOLVED, c] != 0.0:
            for k in range(freedoms):
                acceleration[k] += inverse[c, k] * columns[SOLVED, c]
    return 0
