"""Parts that overlap, put back onto each other."""

from __future__ import annotations

import numpy as np

from detent.motion.rigid.mating.moving import sample_leader
from detent.motion.rigid.mating.stages import room_of, rows_at, sample_active, sample_contacts
from detent.numeric.cone_problem import UNSOLVED, solve_cone_problem
from detent.numeric.dense import factor_general, solve_general
from detent.numeric.kernels import kernel


@kernel(
    sample=lambda: (
        sample_leader(), *sample_contacts(), np.zeros(6), *sample_active(), 1e-9, room_of(6),
    ), separate=True, bare=True
)  # fmt: skip
def push_apart(  # type: ignore[no-untyped-def]
    leader, features, listed, pairs, drawn, held, matrices, q, n, chosen, status, way, carried, slack, room
):  # fmt: skip
    """Moves coordinates the least way, by mass, that leaves no overlap of contacts deeper than `slack`."""
    mass, matrix, order, rows, moves, K, vectors = (
        leader[0], room[6], room[7], room[0], room[1], room[2], room[3],
    )  # fmt: skip
    freedoms, deep = len(q), False
    rows_at(leader, features, listed, pairs, drawn, held, matrices, q, n, chosen, carried, room)
    for i in range(n):
        deep = deep or carried[i, 0] < -slack
    if not deep:
        return
    for i in range(freedoms):
        for j in range(freedoms):
            matrix[i, j] = mass[i, j]
    if not factor_general(matrix, order):
        return
    b, x, w, mu = vectors[0], vectors[1], vectors[2], room[16]
    old = room[17]
    for i in range(3 * n):
        b[i], x[i] = carried[i // 3, 0] if i % 3 == 0 else 0.0, 0.0
        for j in range(freedoms):
            moves[i, j] = rows[i, j]
        solve_general(matrix, order, moves[i])
    for i in range(n):
        mu[i], old[i], status[i] = 0.0, status[i], 1 if b[3 * i] < 0.0 else 0
    for i in range(3 * n):
        for k in range(3 * n):
            K[i, k] = 0.0
            for j in range(freedoms):
                K[i, k] += rows[i, j] * moves[k, j]
    how = solve_cone_problem(K, b, mu, n, status, way, x, w, room[4], room[5])
    for i in range(n):
        status[i] = old[i]
    if how == UNSOLVED:
        return
    for i in range(n):
        for j in range(freedoms):
            q[j] += moves[3 * i, j] * x[3 * i]
