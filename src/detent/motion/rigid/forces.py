"""Accelerations of a machine whose parts touch: what its contacts, closing joints and drives leave of its forces."""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate_gap import contact_of
from detent.contact.normal_rows import gap_rates
from detent.mechanics.constraints import joint_rows
from detent.mechanics.tree_kernels import (
    COSINE,
    PRODUCT_X,
    PRODUCT_Y,
    SINE,
    SPEED_X,
    SPEED_Y,
    SPIN,
    TURN,
    X,
    Y,
    mass_and_force,
    place_bodies,
)
from detent.motion.rigid.tables import (
    AFTER,
    FORCES,
    FRICTION,
    MU,
    RATES,
    RIGHT,
    SLIDING,
    sample_rigid,
    sample_touching,
)
from detent.numeric.contact_problem import solve_contact_problem
from detent.numeric.dense import factor, solve_dense, solve_factored
from detent.numeric.kernels import kernel


@kernel(sample=lambda: (sample_rigid(), sample_touching(), 1))
def contact_rows_of(rigid, touching, n):  # type: ignore[no-untyped-def]
    """Rows of n touching candidates on the independent speeds, and the rates they have without accelerations."""
    room, state, touchable = rigid.room, rigid.state, rigid.touchable
    freedoms, spans = state.spans.shape[2], state.spans
    for i in range(n):
        candidate = touching[i]
        contact_of(
            touchable.data,
            touchable.listed,
            touchable.pairs,
            state.bodies,
            candidate,
            room.pose_AB,
            room.contacts,
            i,
        )
        pair = touchable.listed[candidate, 3]
        a, b = touchable.pairs[pair, 0], touchable.pairs[pair, 1]
        room.bodies[0, i], room.bodies[1, i] = a, b
        room.columns[MU, i] = touchable.rub[pair, FRICTION]
        contact = room.contacts[i]
        gap, x, y, nx, ny, arm_a, arm_b = (
            contact[0], contact[1], contact[2], contact[3], contact[4], contact[5], contact[6],
        )  # fmt: skip
        tx, ty = ny, -nx
        rax, ray = x - gap * nx - state.bodies[a, X], y - gap * ny - state.bodies[a, Y]
        rbx, rby = x - state.bodies[b, X], y - state.bodies[b, Y]
        along_a, along_b = rax * ty - ray * tx, rbx * ty - rby * tx
        for k in range(freedoms):
            dx, dy = spans[b, 0, k] - spans[a, 0, k], spans[b, 1, k] - spans[a, 1, k]
            room.rows[i, k] = nx * dx + ny * dy + arm_b * spans[b, 2, k] - arm_a * spans[a, 2, k]
            room.rows[n + i, k] = tx * dx + ty * dy + along_b * spans[b, 2, k] - along_a * spans[a, 2, k]
        px = state.bodies[b, PRODUCT_X] - state.bodies[a, PRODUCT_X]
        py = state.bodies[b, PRODUCT_Y] - state.bodies[a, PRODUCT_Y]
        wa, wb = state.bodies[a, SPIN] ** 2, state.bodies[b, SPIN] ** 2
        room.columns[RATES, i] = nx * px + ny * py
        room.columns[RATES, n + i] = tx * (px - wb * rbx + wa * rax) + ty * (py - wb * rby + wa * ray)
        for k in range(2):
            room.solid[0, i, k], room.solid[1, i, k] = contact[1 + k], contact[3 + k]
    if n:
        for body in range(len(state.bodies)):
            for k in range(2):
                room.origins[body, k] = state.bodies[body, X + k]
                room.spatial[body, k] = state.bodies[body, SPEED_X + k]
            room.spatial[body, 5] = state.bodies[body, SPIN]
        gap_rates(
            room.bodies[0, :n], room.bodies[1, :n], room.contacts[:n, 0], room.solid[0, :n], room.solid[1, :n],
            room.contacts[:n, 8:], room.origins, room.spatial, room.rates,
        )  # fmt: skip
        for i in range(n):
            room.columns[RATES, i] += room.rates[i, 1]


@kernel(sample=lambda: (sample_rigid(),))
def held_rows_of(rigid):  # type: ignore[no-untyped-def]
    """Rows of closing joints and of drives on the independent speeds, how far each is open, their rates."""
    loops, state, held = rigid.loops, rigid.state, rigid.room.held
    freedoms, bodies, count = state.spans.shape[2], len(state.bodies), loops.rows[0]
    if count:
        matrices, spatial = np.zeros((bodies, 4, 4)), np.zeros((bodies, 6))
        columns, angles = np.zeros(bodies, np.int64), np.zeros(bodies)
        for body in range(bodies):
            b = state.bodies[body]
            matrices[body, 0, 0], matrices[body, 1, 1] = b[COSINE], b[COSINE]
            matrices[body, 1, 0], matrices[body, 0, 1] = b[SINE], -b[SINE]
            matrices[body, 2, 2], matrices[body, 3, 3] = 1.0, 1.0
            matrices[body, 0, 3], matrices[body, 1, 3] = b[X], b[Y]
            spatial[body, 0], spatial[body, 1], spatial[body, 5] = b[SPEED_X], b[SPEED_Y], b[SPIN]
            columns[body], angles[body] = 3 * body, b[TURN]
        rows = np.zeros((count, 3 * bodies))
        values, rates = np.zeros(count), np.zeros(count)
        joint_rows(
            1, loops.joints[:, :3], loops.joints[:, 3:], loops.frames, loops.frames[:, 0], loops.angles, matrices,
            columns, matrices, angles, spatial, rows, values, rates,
        )  # fmt: skip
        for r in range(count):
            held[r, freedoms], held[r, freedoms + 1] = values[r], rates[r]
            for k in range(freedoms):
                held[r, k] = 0.0
            for body in range(bodies):
                for e in range(3):
                    entry = rows[r, 3 * body + e]
                    if entry != 0.0:
                        for k in range(freedoms):
                            held[r, k] += entry * state.spans[body, e, k]
                        if e < 2:
                            held[r, freedoms + 1] += entry * state.bodies[body, PRODUCT_X + e]
    for d in range(len(loops.driven)):
        for k in range(freedoms):
            held[count + d, k] = rigid.machine.follow[int(loops.driven[d, 0]), k]


@kernel(sample=lambda: (sample_rigid(), 1, np.zeros(1), 1.0))
def build_problem(rigid, n, free, rated):  # type: ignore[no-untyped-def]
    """What unit forces of contacts do, with closing joints and drives held, and the matrix of the contact problem.

    `free`, a force on entry, becomes the acceleration that it causes without contacts (the mass is factored). With
    `rated` 0 the held rows are kept at rest, for changes of velocity; else at their rates, for accelerations.
    """
    room = rigid.room
    freedoms, held = len(free), len(room.held)
    solve_factored(room.mass, free)
    for i in range(2 * n):
        for k in range(freedoms):
            room.inverse[i, k] = room.rows[i, k]
        solve_factored(room.mass, room.inverse[i])
    if held:
        across, matrix, right = np.zeros((held, freedoms)), np.zeros((held, held)), np.zeros(held)
        for r in range(held):
            for k in range(freedoms):
                across[r, k] = room.held[r, k]
            solve_factored(room.mass, across[r])
        for i in range(-1, 2 * n):
            target = free if i < 0 else room.inverse[i]
            for r in range(held):
                right[r] = -rated * room.held[r, freedoms + 1] if i < 0 else 0.0
                for k in range(freedoms):
                    right[r] -= room.held[r, k] * target[k]
                for q in range(held):
                    matrix[r, q] = 0.0
                    for k in range(freedoms):
                        matrix[r, q] += room.held[r, k] * across[q, k]
            solve_dense(matrix, right, held)
            for r in range(held):
                for k in range(freedoms):
                    target[k] += across[r, k] * right[r]
    for i in range(2 * n):
        for j in range(2 * n):
            total = 0.0
            for k in range(freedoms):
                total += room.rows[i, k] * room.inverse[j, k]
            room.problem[i, j] = total


@kernel(sample=lambda: (sample_rigid(), np.zeros(1), np.ones(1)))
def prepare(rigid, y, v):  # type: ignore[no-untyped-def]
    """Places the bodies and factors the mass matrix; False where a freedom has no inertia."""
    place_bodies(rigid.machine, y, v, rigid.state)
    mass_and_force(rigid.machine, rigid.state, rigid.room.mass, rigid.room.force)
    return factor(rigid.room.mass)


@kernel(
    sample=lambda: (
        sample_rigid(), np.zeros(1), np.ones(1), sample_touching(), 1, np.zeros(24), np.ones(24, np.int64), np.zeros(1),
    )
)  # fmt: skip
def accelerations(rigid, y, v, touching, n, sliding, status, acceleration):  # type: ignore[no-untyped-def]
    """Fills the accelerations at a state, and contact forces; returns 0, 1 without inertia, 2 without solution."""
    room = rigid.room
    if not prepare(rigid, y, v):
        return 1
    contact_rows_of(rigid, touching, n)
    if len(room.held):
        held_rows_of(rigid)
    freedoms = len(y)
    for k in range(freedoms):
        acceleration[k] = room.force[k]
    build_problem(rigid, n, acceleration, 1.0)
    if n == 0:
        return 0
    right = room.columns[RIGHT]
    for i in range(2 * n):
        right[i] = room.columns[RATES, i]
        for k in range(freedoms):
            right[i] += room.rows[i, k] * acceleration[k]
    if not solve_contact_problem(
        room.problem, right, room.columns[MU], sliding, n, status, room.columns[FORCES], room.columns[AFTER]
    ):
        return 2
    for i in range(2 * n):
        force = room.columns[FORCES, i]
        if force != 0.0:
            for k in range(freedoms):
                acceleration[k] += room.inverse[i, k] * force
    return 0
