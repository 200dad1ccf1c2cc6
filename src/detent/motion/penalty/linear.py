"""A step's equation linearised: mass, stiffness and damping of the independent coordinates.

Where axes are fixed, inertia is the same everywhere, and what contacts add follows from their rows: with
l = o (E + D o'), rows g, and H = dg/dy,

    stiffness   g (E + D o') g^T + D o g (H v)^T - l H        damping   D o g g^T

H is read from the second rate of the gap, a quadratic form of speeds (`contact.plane_rates`). Otherwise
accelerations are compared with those nearby.
"""

from __future__ import annotations

import numpy as np

from detent.contact.plane_rates import plane_gap_rate
from detent.mechanics.tree_columns import SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import DAMPING as JOINT_DAMPING
from detent.mechanics.tree_kernels import STIFFNESS as JOINT_STIFFNESS
from detent.mechanics.tree_kernels import mass_and_force
from detent.motion.penalty.pushes import PUSHING, accelerate, law_of, sample_touching
from detent.motion.penalty.tables import (
    DAMPING,
    DEEPENING,
    PUSH,
    STIFFNESS,
    sample_overlapping,
    sample_placed,
)
from detent.numeric.kernels import kernel

# Of a scale: how far nearby is.
_NEARBY = 1e-7


@kernel(sample=lambda: (sample_placed(), 0, 0, 0), inlined=True, bare=True)
def second_rate(over, i, k, j):  # type: ignore[no-untyped-def]
    """The second rate of the gap of contact i of the set (as `push` left it), where coordinates k and j have
    unit speed, without accelerations."""
    contact, products = over.values[i], 0.0
    for end in range(2):
        body = over.ends[i, end]
        moved, at, spans = over.moved[end], over.state.bodies[body], over.state.spans
        moved[X], moved[Y] = at[X], at[Y]
        moved[SPEED_X], moved[SPEED_Y], moved[SPIN] = (
            spans[3 * body, k], spans[3 * body + 1, k], spans[3 * body + 2, k],
        )  # fmt: skip
        if j != k:
            moved[SPEED_X] += spans[3 * body, j]
            moved[SPEED_Y] += spans[3 * body + 1, j]
            moved[SPIN] += spans[3 * body + 2, j]
        if over.turns[body] == 1:
            # About a fixed axis the origin's acceleration is square to its velocity.
            product = contact[4] * moved[SPEED_X] - contact[3] * moved[SPEED_Y]
            products += (2.0 * end - 1.0) * moved[SPIN] * product
    return products + plane_gap_rate(contact, over.moved[0], over.moved[1])


@kernel(sample=lambda: (sample_placed(), np.ones(1), sample_touching(), 1), separate=True, bare=True)
def linearise_rows(over, v, touching, n):  # type: ignore[no-untyped-def]
    """Fills stiffness and damping from springs, dampers and rows, where `accelerate` was called last."""
    machine, stiffness, damping = over.machine, over.matrices[1], over.matrices[2]
    freedoms, bent = len(over.force), over.bent
    for k in range(freedoms):
        for j in range(freedoms):
            stiffness[k, j], damping[k, j] = 0.0, 0.0
            for q in range(len(machine.joints)):
                both = machine.follow[q, k] * machine.follow[q, j]
                if both != 0.0:
                    stiffness[k, j] += machine.joints[q, JOINT_STIFFNESS] * both
                    damping[k, j] += machine.joints[q, JOINT_DAMPING] * both
    for i in range(n):
        if touching[1, i] != PUSHING:
            continue
        law, out, row = over.law[law_of(over, touching[0, i])], over.pushes[i], over.rows[i]
        stiff, damp = law[STIFFNESS] + law[DAMPING] * out[DEEPENING], -law[DAMPING] * over.values[i, 0]
        stops = touching[0, i] >= len(over.listed)
        for k in range(freedoms):
            bent[k, k] = 0.0 if stops else second_rate(over, i, k, k)
        for k in range(freedoms):
            for j in range(k):
                bent[k, j] = 0.0 if stops else 0.5 * (second_rate(over, i, k, j) - bent[k, k] - bent[j, j])
                bent[j, k] = bent[k, j]
        for j in range(freedoms):
            turned = 0.0
            for k in range(freedoms):
                turned += bent[j, k] * v[k]
            for k in range(freedoms):
                stiffness[k, j] += row[k] * (stiff * row[j] + damp * turned) - out[PUSH] * bent[k, j]
                damping[k, j] += damp * row[k] * row[j]


@kernel(
    sample=lambda: (
        sample_overlapping(), np.zeros(1), np.ones(1), np.zeros(1), np.ones((2, 1)), sample_touching(), 1
    ),
    separate=True, bare=True,
)  # fmt: skip
def linearise_nearby(over, y, v, a0, scales, touching, n):  # type: ignore[no-untyped-def]
    """Fills stiffness and damping from accelerations nearby; scales of coordinates and of speeds."""
    mass, freedoms, at, a = over.matrices[0], len(over.force), over.room[:2], over.room[2]
    for column in range(2 * freedoms):
        j, speeds = column % freedoms, column // freedoms
        for k in range(freedoms):
            at[0, k], at[1, k] = y[k], v[k]
        nearby = _NEARBY * scales[speeds, j]
        at[speeds, j] += nearby
        if not accelerate(over, at[0], at[1], touching, n, a):
            return False
        for k in range(freedoms):
            total = 0.0
            for i in range(freedoms):
                total += mass[k, i] * (a0[i] - a[i])
            over.matrices[1 + speeds, k, j] = total / nearby
    return True


@kernel(
    sample=lambda: (
        sample_overlapping(), np.zeros(1), np.ones(1), np.zeros(1), np.ones((2, 1)), sample_touching(), 1
    ),
    separate=True, bare=True,
)  # fmt: skip
def linearise(over, y, v, a0, scales, touching, n):  # type: ignore[no-untyped-def]
    """Fills mass, stiffness and damping at a state whose accelerations with n contacts are given, where
    `accelerate` was called last; False where a freedom has no inertia."""
    mass_and_force(over.machine, over.state, over.matrices[0], over.force)
    if over.count[2] == 1:
        linearise_rows(over, v, touching, n)
        return True
    return linearise_nearby(over, y, v, a0, scales, touching, n)
