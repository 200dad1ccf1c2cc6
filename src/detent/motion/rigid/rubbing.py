"""Coulomb friction in joints: a pin rubs by its radius, a slide along its line, by what each carries.

    pin     |torque| <= coefficient radius |force of the pin|
    slide   |force|  <= coefficient |force across the slide|

with equality, against the motion, where it moves: the law of a contact, but that the load is a length of a
vector. So the loads are guessed, the contact problem is solved with joints as contacts whose normal force is
the guess, and the loads follow from the accelerations by Newton and Euler, from the ends of the tree inwards.
That is repeated until they agree, which takes few rounds where friction is small beside what moves. Where it
does not agree, no answer is given. The same with impulses and changes of velocity.
"""

from __future__ import annotations

import math

import numpy as np

from detent.mechanics.closing_rows import ACROSS, ALONG_X, ALONG_Y, ANGLE, COORDINATE, POINT_X
from detent.mechanics.tree_columns import COSINE, PRODUCT_X, PRODUCT_Y, SINE, SPIN
from detent.mechanics.tree_kernels import (
    A_X,
    A_Y,
    CENTRE_X,
    CENTRE_Y,
    DAMPING,
    FREE,
    PIN,
    REST,
    STIFFNESS,
    TORQUE,
    WAY,
)
from detent.mechanics.tree_kernels import MASS as KILOGRAMS
from detent.motion.rigid.layout import (
    ACTED_AT,
    ACTS_ON,
    AFTER,
    BODIES,
    BODY_LOADS,
    CLOSING,
    COLUMNS,
    CONTACTS,
    COORDINATES,
    DRIVE,
    DRIVEN,
    FACTOR,
    FORCE,
    GRAVITY,
    GRIP,
    HELD,
    HELD_FORCE,
    INVERSE,
    JOINTS,
    LINK,
    LINKS,
    LISTED,
    LOADS,
    LOOPS,
    MASS,
    MEASURE,
    MEASURES,
    MU,
    OF_LINK,
    OF_ROW,
    ORDER,
    PAIRS,
    PROBLEM,
    RIGHT,
    ROOM,
    ROWS,
    RUBBING,
    RUBS,
    SPANS,
    STATE,
    STOP,
    STOPS,
    TOUCHING,
    floats,
    integers,
)
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import solve_contact_problem_in
from detent.numeric.dense import solve_dense, solve_factored
from detent.numeric.kernels import kernel

SOLVED_IT, NO_FORCES, NO_AGREEMENT = range(3)
# Rounds, of which the later ones take the mean of guess and answer; and when both agree, relative.
_ROUNDS, _PLAIN = 200, 30
_AGREES = 1e-11
# Of the greatest load so far: less is rounding, as what a falling part leaves to its joint.
_ROUNDING = 1e-3


@kernel(sample=lambda: (*sample_blocks(), 0, np.zeros(1), np.zeros(48), 1.0), separate=True)
def held_forces(f, i, count, change, solved, rated):  # type: ignore[no-untyped-def]
    """Fills the forces of closing joints and drives, from accelerations and contact forces.

    The mass is factored. With `rated` 0 those are changes of velocity, and impulses.
    """
    mass, rows, held, force = (
        floats(f, i, MASS),
        floats(f, i, ROWS),
        floats(f, i, HELD),
        floats(f, i, FORCE)[0],
    )
    m, freedoms = len(held), len(change)
    if m == 0:
        return
    left, across = np.zeros(freedoms), np.zeros((m, freedoms))
    for k in range(freedoms):  # L^T change, then L times it
        for j in range(k, freedoms):
            left[k] += mass[j, k] * change[j]
    for k in range(freedoms - 1, -1, -1):
        total = 0.0
        for j in range(k + 1):
            total += mass[k, j] * left[j]
        left[k] = total - rated * force[k]
    for c in range(count):
        if solved[c] != 0.0:
            for k in range(freedoms):
                left[k] -= rows[c, k] * solved[c]
    matrix, right = np.zeros((m, m)), floats(f, i, HELD_FORCE)[0]
    for r in range(m):
        for k in range(freedoms):
            across[r, k] = held[r, k]
        solve_factored(mass, across[r])
    for r in range(m):
        right[r] = 0.0
        for k in range(freedoms):
            right[r] += across[r, k] * left[k]
        for q in range(m):
            for k in range(freedoms):
                matrix[r, q] += held[r, k] * across[q, k]
    solve_dense(matrix, right, m)


@kernel(sample=lambda: (*sample_blocks(), 0, 1, 1.0, 0.5), separate=True, bare=True)
def push(f, i, a, b, fx, fy):  # type: ignore[no-untyped-def]
    """What a force on b, and against it on a, leaves to joints."""
    loads = floats(f, i, BODY_LOADS)
    loads[b, 0] -= fx
    loads[b, 1] -= fy
    loads[a, 0] += fx
    loads[a, 1] += fy


@kernel(
    sample=lambda: (*sample_blocks(), np.zeros((0, 3), np.int64), np.zeros((0, 7)), 0, 0.0),
    separate=True,
    bare=True,
)
def push_along(f, i, joints, numbers, r, force):  # type: ignore[no-untyped-def]
    """The same of a force along a row of closing joints, or of measured coordinates."""
    if r >= len(joints) or force == 0.0 or joints[r, 2] == ANGLE or joints[r, 2] == COORDINATE:
        return
    dx, dy = (1.0, 0.0) if joints[r, 2] == POINT_X else (0.0, 1.0)
    if joints[r, 2] == ACROSS:
        a = floats(f, i, STATE)[joints[r, 0]]
        dx = a[COSINE] * numbers[r, ALONG_X] - a[SINE] * numbers[r, ALONG_Y]
        dy = a[SINE] * numbers[r, ALONG_X] + a[COSINE] * numbers[r, ALONG_Y]
    push(f, i, joints[r, 0], joints[r, 1], force * dx, force * dy)


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), 1.0), separate=True, bare=True)
def inertial_loads(f, i, change, rated):  # type: ignore[no-untyped-def]
    """Fills what moves each body as it moves, weight taken off: mass times acceleration of its centre."""
    loads, links, bodies, state = (
        floats(f, i, BODY_LOADS),
        integers(f, i, LINKS),
        floats(f, i, BODIES),
        floats(f, i, STATE),
    )
    spans, gravity = floats(f, i, SPANS), floats(f, i, GRAVITY)[0]
    for body in range(len(loads)):
        loads[body, 0], loads[body, 1] = 0.0, 0.0
    for row in range(len(links)):
        body = links[row, 0]
        b, kilograms = state[body], bodies[body, KILOGRAMS]
        x = b[COSINE] * bodies[body, CENTRE_X] - b[SINE] * bodies[body, CENTRE_Y]
        y = b[SINE] * bodies[body, CENTRE_X] + b[COSINE] * bodies[body, CENTRE_Y]
        ax = rated * (b[PRODUCT_X] - b[SPIN] * b[SPIN] * x - gravity[0])
        ay = rated * (b[PRODUCT_Y] - b[SPIN] * b[SPIN] * y - gravity[1])
        for k in range(len(change)):
            turn = spans[3 * body + 2, k]
            ax += (spans[3 * body, k] - y * turn) * change[k]
            ay += (spans[3 * body + 1, k] + x * turn) * change[k]
        loads[body, 0], loads[body, 1] = kilograms * ax, kilograms * ay


@kernel(sample=lambda: (*sample_blocks(), 1.0), separate=True, bare=True)
def spring_loads(f, i, rated):  # type: ignore[no-untyped-def]
    """What springs, dampers and torques of joints that close loops leave to others."""
    measures, measure, joints = integers(f, i, MEASURES), floats(f, i, MEASURE), floats(f, i, JOINTS)
    coordinates = floats(f, i, COORDINATES)
    for s in range(len(measures)):
        k = len(joints) - len(measures) + s
        pull = (
            joints[k, TORQUE]
            - joints[k, DAMPING] * coordinates[1, k]
            - joints[k, STIFFNESS] * (coordinates[0, k] - joints[k, REST])
        )
        push_along(f, i, measures, measure, s, rated * measure[s, WAY] * pull)


@kernel(sample=lambda: (*sample_blocks(), 0, 0, np.zeros(1), np.zeros(48), 1.0), separate=True, bare=True)
def joint_loads(f, i, n, count, change, solved, rated):  # type: ignore[no-untyped-def]
    """Fills what joints of the tree must do to a body and all that hangs on it (`BODY_LOADS`).

    From accelerations and forces of contacts, or changes of velocity and impulses with `rated` 0.
    """
    listed, pairs, touching, contacts = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        integers(f, i, TOUCHING)[0],
        floats(f, i, CONTACTS),
    )
    stops, rubbing, links, loads = (
        floats(f, i, STOPS),
        floats(f, i, RUBBING),
        integers(f, i, LINKS),
        floats(f, i, BODY_LOADS),
    )
    measures, numbers = integers(f, i, ACTS_ON), floats(f, i, ACTED_AT)
    inertial_loads(f, i, change, rated)
    for c in range(n):
        number = touching[c] - len(listed)
        if number < 0:
            pair, nx, ny = listed[touching[c], 3], contacts[c, 3], contacts[c, 4]
            across = solved[n + c] if count > n else 0.0
            fx, fy = solved[c] * nx + across * ny, solved[c] * ny - across * nx
            push(f, i, pairs[pair, 0], pairs[pair, 1], fx, fy)
        elif number < len(stops):
            push_along(f, i, measures, numbers, int(stops[number, STOP]), stops[number, FACTOR] * solved[c])
        else:
            row = rubbing[number - len(stops)]
            push_along(f, i, measures, numbers, int(row[RUBS]), row[FACTOR] * solved[n + c])
    held_forces(f, i, count, change, solved, rated)
    closing, forces = integers(f, i, LOOPS), floats(f, i, HELD_FORCE)[0]
    for r in range(len(closing)):
        push_along(f, i, closing, floats(f, i, CLOSING), r, forces[r])
    spring_loads(f, i, rated)
    driven = floats(f, i, DRIVEN)
    for d in range(len(driven)):
        push_along(f, i, measures, numbers, int(driven[d, DRIVE]), forces[len(closing) + d])
    for row in range(len(links) - 1, -1, -1):
        body, parent = links[row, 0], links[row, 1]
        if links[row, 2] != FREE:
            loads[parent, 0] += loads[body, 0]
            loads[parent, 1] += loads[body, 1]


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def grip_of(f, i, r):  # type: ignore[no-untyped-def]
    """The greatest friction of a joint that rubs, by the loads of bodies and the forces of closing joints."""
    row, loads, forces = floats(f, i, RUBBING)[r], floats(f, i, BODY_LOADS), floats(f, i, HELD_FORCE)[0]
    links, at = integers(f, i, LINKS), int(row[OF_LINK])
    if at >= 0:
        body, parent = links[at, 0], links[at, 1]
        if links[at, 2] == PIN:
            return row[GRIP] * math.hypot(loads[body, 0], loads[body, 1])
        p, link = floats(f, i, STATE)[parent], floats(f, i, LINK)[at]
        along_x = p[COSINE] * link[A_X] - p[SINE] * link[A_Y]
        along_y = p[SINE] * link[A_X] + p[COSINE] * link[A_Y]
        return row[GRIP] * abs(along_x * loads[body, 1] - along_y * loads[body, 0])
    at = int(row[OF_ROW])
    if integers(f, i, LOOPS)[at, 2] == POINT_X:
        return row[GRIP] * math.hypot(forces[at], forces[at + 1])
    return row[GRIP] * abs(forces[at])


@kernel(
    sample=lambda: (
        *sample_blocks(), 0, 0, np.ones(1), 1.0, np.zeros(26), np.ones(26, np.int64), np.zeros(52),
        np.zeros(1),
    ), bare=True
)  # fmt: skip
def solve_rubbing(f, i, n, count, free, rated, sliding, status, solved, change):  # type: ignore[no-untyped-def]
    """Solves the contact problem with joints that rub; fills forces and accelerations.

    `free` are the accelerations without contacts; the problem's matrix and right side are built. Returns how
    it went.
    """
    columns, problem, inverse = floats(f, i, COLUMNS), floats(f, i, PROBLEM), floats(f, i, INVERSE)
    touching, rubbing = integers(f, i, TOUCHING)[0], floats(f, i, RUBBING)
    grips, most = floats(f, i, LOADS)[0], floats(f, i, LOADS)[1]
    first = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS))
    largest = 0.0
    for c in range(count):
        largest = max(largest, problem[c, c])
    unit = largest if largest > 0.0 else 1.0
    for trial in range(_ROUNDS):
        for c in range(n):
            if touching[c] >= first:
                problem[c, c], columns[RIGHT, c] = unit, -unit * grips[touching[c] - first]
        if not solve_contact_problem_in(
            problem, columns[RIGHT], columns[MU], sliding, n, count, status, solved, columns[AFTER],
            floats(f, i, ROOM), integers(f, i, ORDER),
        ):  # fmt: skip
            return NO_FORCES
        for k in range(len(change)):
            change[k] = free[k]
            for c in range(count):
                change[k] += inverse[c, k] * solved[c]
        joint_loads(f, i, n, count, change, solved, rated)
        largest, worst = 0.0, 0.0
        for r in range(len(rubbing)):
            grip = grip_of(f, i, r)
            if not math.isfinite(grip):  # the rounds raise it without bound: not a number agrees with any
                return NO_AGREEMENT
            most[r] = max(most[r], rated * grip)
            largest, worst = max(largest, grip, _ROUNDING * most[r]), max(worst, abs(grip - grips[r]))
            grips[r] = grip if trial < _PLAIN else 0.5 * (grip + grips[r])
        if worst <= _AGREES * largest:
            for c in range(n):
                if touching[c] >= first:
                    problem[c, c] = 0.0
            return SOLVED_IT
    return NO_AGREEMENT
