"""Accelerations of a machine whose parts touch: what its contacts, closing joints and drives leave of its forces."""

from __future__ import annotations

import math

import numpy as np

from detent.contact.candidate_gap import contact_of
from detent.contact.normal_rows import gap_rates
from detent.mechanics.constraints import joint_rows
from detent.mechanics.tree_dynamics import mass_and_force
from detent.mechanics.tree_kernels import place_bodies
from detent.motion.rigid.samples import sample_touching
from detent.numeric.contact_problem import solve_contact_problem
from detent.numeric.dense import solve_dense
from detent.numeric.kernels import kernel


@kernel(sample=sample_touching)
def contact_rows_of(tables, room, touching, n):  # type: ignore[no-untyped-def]
    """Rows of the touching candidates on the independent speeds, and what their rates are without accelerations."""
    freedoms = room.spans.shape[2]
    for i in range(n):
        contact_of(tables.data, tables.listed, tables.pairs, room.poses, touching[i], room.pose_AB, room.contacts, i)
        pair = tables.listed[touching[i], 3]
        a, b = tables.pairs[pair, 0], tables.pairs[pair, 1]
        room.bodies_a[i], room.bodies_b[i] = a, b
        room.mu[i] = tables.friction[pair]
        x, y, nx, ny = room.contacts[i, 1], room.contacts[i, 2], room.contacts[i, 3], room.contacts[i, 4]
        tx, ty = ny, -nx
        gap = room.contacts[i, 0]
        arm_a, arm_b = room.contacts[i, 5], room.contacts[i, 6]
        rax, ray = x - gap * nx - room.poses[a, 0], y - gap * ny - room.poses[a, 1]
        rbx, rby = x - room.poses[b, 0], y - room.poses[b, 1]
        along_a, along_b = rax * ty - ray * tx, rbx * ty - rby * tx
        for k in range(freedoms):
            room.rows[i, k] = (
                nx * (room.spans[b, 0, k] - room.spans[a, 0, k])
                + ny * (room.spans[b, 1, k] - room.spans[a, 1, k])
                + arm_b * room.spans[b, 2, k]
                - arm_a * room.spans[a, 2, k]
            )
            room.rows[n + i, k] = (
                tx * (room.spans[b, 0, k] - room.spans[a, 0, k])
                + ty * (room.spans[b, 1, k] - room.spans[a, 1, k])
                + along_b * room.spans[b, 2, k]
                - along_a * room.spans[a, 2, k]
            )
        for k in range(2):
            room.point3[i, k], room.normal3[i, k] = room.contacts[i, 1 + k], room.contacts[i, 3 + k]
        px = room.products[b, 0] - room.products[a, 0]
        py = room.products[b, 1] - room.products[a, 1]
        wa, wb = room.speeds[a, 2], room.speeds[b, 2]
        room.rates[i] = nx * px + ny * py
        room.rates[n + i] = (
            tx * (px - wb * wb * rbx + wa * wa * rax) + ty * (py - wb * wb * rby + wa * wa * ray)
        )
    if n:
        for body in range(len(room.poses)):
            for k in range(2):
                room.origins[body, k] = room.poses[body, k]
                room.spatial[body, k] = room.speeds[body, k]
            room.spatial[body, 5] = room.speeds[body, 2]
        gap_rates(
            room.bodies_a[:n], room.bodies_b[:n], room.contacts[:n, 0], room.point3[:n], room.normal3[:n],
            room.contacts[:n, 8:], room.origins, room.spatial, room.pair_rates,
        )  # fmt: skip
        for i in range(n):
            room.rates[i] += room.pair_rates[i, 1]


@kernel(sample=lambda: sample_touching()[:2])
def bilateral_rows_of(tables, room):  # type: ignore[no-untyped-def]
    """Rows of closing joints and of drives on the independent speeds, how far each is open, their rates."""
    loops, tree = tables.loops, tables.dynamics.tree
    freedoms, bodies = room.spans.shape[2], len(room.poses)
    if loops.count:
        matrices, spatial = np.zeros((bodies, 4, 4)), np.zeros((bodies, 6))
        columns = np.zeros(bodies, np.int64)
        for body in range(bodies):
            c, s = room.poses[body, 2], room.poses[body, 3]
            matrices[body, 0, 0] = matrices[body, 1, 1] = c
            matrices[body, 1, 0], matrices[body, 0, 1] = s, -s
            matrices[body, 2, 2] = matrices[body, 3, 3] = 1.0
            for k in range(2):
                matrices[body, k, 3] = room.poses[body, k]
                spatial[body, k] = room.speeds[body, k]
            spatial[body, 5] = room.speeds[body, 2]
            columns[body] = 3 * body
        rows = np.zeros((loops.count, 3 * bodies))
        values, rates = np.zeros(loops.count), np.zeros(loops.count)
        joint_rows(
            1, loops.bodies, loops.codes, loops.frames, loops.aligned, loops.numbers, loops.drawn,
            columns, matrices, room.angles, spatial, rows, values, rates,
        )  # fmt: skip
        for r in range(loops.count):
            room.bilateral_values[r], room.bilateral_rates[r] = values[r], rates[r]
            for k in range(freedoms):
                room.bilateral[r, k] = 0.0
            for body in range(bodies):
                for e in range(3):
                    entry = rows[r, 3 * body + e]
                    if entry != 0.0:
                        for k in range(freedoms):
                            room.bilateral[r, k] += entry * room.spans[body, e, k]
                        if e < 2:
                            room.bilateral_rates[r] += entry * room.products[body, e]
    for d in range(len(loops.driven)):
        r = loops.count + d
        j = int(loops.driven[d, 0])
        room.bilateral_rates[r] = 0.0
        for k in range(freedoms):
            room.bilateral[r, k] = tree.follow[j, k]


@kernel(sample=lambda: (np.array([[4.0, 1.0], [1.0, 3.0]]),))
def factor(mass):  # type: ignore[no-untyped-def]
    """Cholesky's factor in place, lower; False where a freedom has no inertia."""
    n = len(mass)
    for k in range(n):
        for j in range(k):
            mass[k, k] -= mass[k, j] * mass[k, j]
        if mass[k, k] <= 0.0:
            return False
        mass[k, k] = math.sqrt(mass[k, k])
        for i in range(k + 1, n):
            for j in range(k):
                mass[i, k] -= mass[i, j] * mass[k, j]
            mass[i, k] /= mass[k, k]
    return True


@kernel(sample=lambda: (np.array([[2.0, 0.0], [0.5, 1.5]]), np.ones(2)))
def solve_factored(lower, right):  # type: ignore[no-untyped-def]
    """Solves with Cholesky's factor, in place."""
    n = len(lower)
    for k in range(n):
        for j in range(k):
            right[k] -= lower[k, j] * right[j]
        right[k] /= lower[k, k]
    for k in range(n - 1, -1, -1):
        for j in range(k + 1, n):
            right[k] -= lower[j, k] * right[j]
        right[k] /= lower[k, k]


@kernel(sample=lambda: (*sample_touching(), np.zeros(1)))
def build_problem(tables, room, touching, n, free):  # type: ignore[no-untyped-def]
    """mass^-1 of contact rows, held by closing joints and drives, and the matrix of the contact problem.

    `free` (a force on entry) becomes the acceleration, or change of velocity, that it causes without contacts; `factor` has been called.
    """
    freedoms = len(free)
    solve_factored(room.mass, free)
    for i in range(2 * n):
        for k in range(freedoms):
            room.inverse[i, k] = room.rows[i, k]
        solve_factored(room.mass, room.inverse[i])
    held = len(room.bilateral)
    if held:
        across = np.zeros((held, freedoms))
        for r in range(held):
            for k in range(freedoms):
                across[r, k] = room.bilateral[r, k]
            solve_factored(room.mass, across[r])
        matrix, right = np.zeros((held, held)), np.zeros(held)
        for i in range(-1, 2 * n):
            target = free if i < 0 else room.inverse[i]
            for r in range(held):
                right[r] = -room.bilateral_rates[r] if i < 0 else 0.0
                for k in range(freedoms):
                    right[r] -= room.bilateral[r, k] * target[k]
                for q in range(held):
                    matrix[r, q] = 0.0
                    for k in range(freedoms):
                        matrix[r, q] += room.bilateral[r, k] * across[q, k]
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


@kernel(sample=lambda: (*sample_touching()[:2], np.zeros(1), np.zeros(1), *sample_touching()[2:], np.zeros(24), np.zeros(24, np.int64), np.zeros(1)))
def accelerations(tables, room, y, v, touching, n, sliding, status, acceleration):  # type: ignore[no-untyped-def]
    """Fills the accelerations at a state, and contact forces; returns 0, 1 without inertia, 2 without solution."""
    place_bodies(
        tables.dynamics.tree, y, v, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )
    mass_and_force(
        tables.dynamics, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products,
        room.mass, room.force,
    )  # fmt: skip
    if not factor(room.mass):
        return 1
    contact_rows_of(tables, room, touching, n)
    if len(room.bilateral):
        bilateral_rows_of(tables, room)
    freedoms = len(y)
    for k in range(freedoms):
        acceleration[k] = room.force[k]
    build_problem(tables, room, touching, n, acceleration)
    if n == 0:
        return 0
    for i in range(2 * n):
        room.right[i] = room.rates[i]
        for k in range(freedoms):
            room.right[i] += room.rows[i, k] * acceleration[k]
    if not solve_contact_problem(room.problem, room.right, room.mu, sliding, n, status, room.forces, room.after):
        return 2
    for i in range(2 * n):
        if room.forces[i] != 0.0:
            for k in range(freedoms):
                acceleration[k] += room.inverse[i, k] * room.forces[i]
    return 0
