"""Accelerations of a machine whose parts touch: what contacts, loops and drives leave of its forces."""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate_gap import contact_of
from detent.contact.plane_rates import plane_gap_rate
from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.holding import hold
from detent.mechanics.tree_columns import PRODUCT_X, PRODUCT_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import mass_and_force, place_tree
from detent.motion.rigid.layout import (
    ACTED,
    AFTER,
    AT_SPEED,
    CLOCK,
    CLOSING,
    COLUMNS,
    CONTACTS,
    CONTROL,
    DATA,
    DRIVE,
    DRIVEN,
    FASTEST,
    FORCE,
    FRICTION,
    FROM,
    HELD,
    INVERSE,
    LISTED,
    LOOPS,
    MASS,
    MU,
    ORDER,
    PAIRS,
    PIECES,
    POSE_AB,
    PROBLEM,
    RATE,
    RIGHT,
    ROOM,
    ROWS,
    RUB,
    RUBBING,
    SINCE,
    SIZE,
    SLIDING,
    SOLVED,
    SPANS,
    SPEEDING_UP,
    STATE,
    TOUCH,
    TOUCHING,
    UNTIL,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.rubbing import NO_FORCES, solve_rubbing
from detent.motion.rigid.stops import measure, normal_row, rubbing_row
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import MOST_TRIED, solve_contact_problem, solve_contact_problem_in
from detent.numeric.dense import factor, solve_factored
from detent.numeric.kernels import kernel

# Returned where drives run parts into each other.
BLOCKED = 4
# Of the greatest acceleration that its speeds suggest: parts that drives bring together faster run into each
# other.
_HARD = 1e-6
# Of the terms of a sum: less is rounding.
_ROUNDING = 1e-14
# Of what a force does without drives: less is none.
_HELD_FAST = 1e-10


@kernel(sample=lambda: (*sample_blocks(), np.zeros(24, np.int64), 1), separate=True, bare=True)
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
    freedoms, count, measured = spans.shape[1], n, False
    for c in range(n):
        if touching[c] >= len(listed):
            if not measured:
                measure(f, i)
                measured = True
            normal_row(f, i, touching[c] - len(listed), c)
            if columns[MU, c] > 0.0:
                count = 2 * n
            continue
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
            if touching[c] >= len(listed):
                rubbing_row(f, i, touching[c] - len(listed), n + c)
                continue
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


@kernel(
    sample=lambda: (np.ones(10), np.ones((2, 10)), np.ones((6, 2)), 0, 1, np.zeros(2), np.zeros(1)), bare=True
)
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


@kernel(sample=sample_blocks, separate=True, bare=True)
def held_rows_of(f, i):  # type: ignore[no-untyped-def]
    """Rows of closing joints and of drives on the independent speeds, how far each is open, their rates."""
    joints, held, driven, measured = (
        integers(f, i, LOOPS),
        floats(f, i, HELD),
        floats(f, i, DRIVEN),
        floats(f, i, ACTED),
    )
    loop_rows(joints, floats(f, i, CLOSING), floats(f, i, STATE), floats(f, i, SPANS), held)
    if len(driven) == 0:
        return
    measure(f, i)
    freedoms = held.shape[1] - 2
    for d in range(len(driven)):
        row, q = held[len(joints) + d], int(driven[d, DRIVE])
        for k in range(freedoms + 2):
            row[k] = measured[q, k]
        row[freedoms + 1] -= driven[d, SPEEDING_UP]


@kernel(sample=lambda: (*sample_blocks(), 0.1), separate=True, bare=True)
def load_drives(f, i, t):  # type: ignore[no-untyped-def]
    """Puts drives at what they do from a time on; returns when one changes next."""
    driven, pieces, following = floats(f, i, DRIVEN), floats(f, i, PIECES), math.inf
    for p in range(len(pieces)):
        if pieces[p, 1 + SINCE] <= t:
            for column in range(5):
                driven[int(pieces[p, 0]), column] = pieces[p, 1 + column]
        else:
            following = min(following, pieces[p, 1 + SINCE])
    return following


@kernel(sample=lambda: (np.array([[0.0, 0.1, 0.3, 1.0, 2.0]]), 0, 0.4), bare=True)
def drive_at(driven, d, t):  # type: ignore[no-untyped-def]
    """Where a drive is at a time, and its speed."""
    drive, since = driven[d], t - driven[d, SINCE]
    speed = drive[AT_SPEED] + drive[SPEEDING_UP] * since
    return drive[FROM] + 0.5 * (drive[AT_SPEED] + speed) * since, speed


@kernel(sample=lambda: (*sample_blocks(), 1, np.zeros(1), 1.0), separate=True)
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
        unheld = np.zeros(count)
        for c in range(count):
            for k in range(freedoms):
                unheld[c] += rows[c, k] * inverse[c, k]
        hold(mass, held, inverse, count, free, rated)
        for c in range(count):
            left = 0.0
            for k in range(freedoms):
                left += rows[c, k] * inverse[c, k]
            if left <= _HELD_FAST * unheld[c]:  # what is left of it is rounding
                for k in range(freedoms):
                    inverse[c, k] = 0.0
    for c in range(count):
        for d in range(count):
            total = 0.0
            for k in range(freedoms):
                total += rows[c, k] * inverse[d, k]
            problem[c, d] = total


@kernel(sample=lambda: (*sample_blocks(), 1, 1e-9), separate=True, bare=True)
def runs_into(f, i, n, limit):  # type: ignore[no-untyped-def]
    """Whether a contact closes, faster than a limit, between parts that drives hold: no force keeps it."""
    columns, problem, closes = floats(f, i, COLUMNS), floats(f, i, PROBLEM), False
    for c in range(n):
        closes = closes or (problem[c, c] == 0.0 and columns[RIGHT, c] < -limit)
    return closes


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True)
def unsolved(f, i, n):  # type: ignore[no-untyped-def]
    """Why a contact problem has no solution: drives run parts into each other (`BLOCKED`), or friction (2).

    Drives are the reason where it has none without friction either.
    """
    columns = floats(f, i, COLUMNS)
    if len(floats(f, i, DRIVEN)) == 0 or n > MOST_TRIED:
        return 2
    right, status, smooth = np.zeros(n), np.ones(n, np.int64), np.zeros(n)
    for c in range(n):
        right[c] = columns[RIGHT, c]
    possible = solve_contact_problem(
        floats(f, i, PROBLEM), right, smooth, smooth, n, n, status, np.zeros(n), np.zeros(n)
    )
    return 2 if possible else BLOCKED


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1)), separate=True, bare=True)
def prepare(f, i, y, v):  # type: ignore[no-untyped-def]
    """Places the bodies and factors the mass matrix; False where a freedom has no inertia."""
    machine, state, mass = machine_of(f, i), state_of(f, i), floats(f, i, MASS)
    place_tree(machine, y, v, state)
    mass_and_force(machine, state, mass, floats(f, i, FORCE)[0])
    return factor(mass)


@kernel(sample=lambda: (*sample_blocks(), 0, 0, np.ones(1)), separate=True, bare=True)
def rounding_at(f, i, candidate, c, acceleration):  # type: ignore[no-untyped-def]
    """What rounding leaves of an acceleration across the c-th contact, by its terms and how parts turn."""
    listed, pairs, state, rows = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, STATE),
        floats(f, i, ROWS),
    )
    total = 0.0
    for k in range(len(acceleration)):
        total += abs(rows[c, k] * acceleration[k])
    if candidate < len(listed):
        size = SIZE * floats(f, i, CONTROL)[0, TOUCH]
        for body in pairs[listed[candidate, 3]]:
            total += size * state[body, SPIN] ** 2
    return _ROUNDING * total


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, np.zeros(1)), separate=True)
def accelerations(f, i, y, v, n, acceleration):  # type: ignore[no-untyped-def]
    """Fills accelerations and contact forces at a state.

    Returns 0, 1 without inertia, 2 without solution, 3 where loads of joints that rub do not agree, or
    `BLOCKED`.
    """
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
    rows, inverse, sliding = floats(f, i, ROWS), floats(f, i, INVERSE), floats(f, i, SLIDING)[0]
    for c in range(count):
        columns[RIGHT, c] = columns[RATE, c]
        for k in range(freedoms):
            columns[RIGHT, c] += rows[c, k] * acceleration[k]
        if c < n and abs(columns[RIGHT, c]) <= rounding_at(f, i, touching[0, c], c, acceleration):
            columns[RIGHT, c] = 0.0  # of contacts that oppose each other, a contradiction otherwise
    if len(floats(f, i, DRIVEN)):
        fastest, control = floats(f, i, CLOCK)[0, FASTEST], floats(f, i, CONTROL)[0]
        if runs_into(f, i, n, _HARD * fastest * (fastest / (SIZE * control[TOUCH]) + 1.0 / control[UNTIL])):
            return BLOCKED
    if len(floats(f, i, RUBBING)):
        code = solve_rubbing(
            f, i, n, count, acceleration.copy(), 1.0, sliding, touching[1], columns[SOLVED], acceleration
        )
        return unsolved(f, i, n) if code == NO_FORCES else (3 if code else 0)
    if not solve_contact_problem_in(
        floats(f, i, PROBLEM), columns[RIGHT], columns[MU], sliding, n, count,
        touching[1], columns[SOLVED],
        columns[AFTER], floats(f, i, ROOM), integers(f, i, ORDER),
    ):  # fmt: skip
        return unsolved(f, i, n)
    for c in range(count):
        if columns[SOLVED, c] != 0.0:
            for k in range(freedoms):
                acceleration[k] += inverse[c, k] * columns[SOLVED, c]
    return 0
