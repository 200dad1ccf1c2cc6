"""Which parts overlap, and how hard they push each other apart.

The seed's law (Gelsey 1995, section 4.2, with the dot of its Eq. 4 on the overlap, and the force with a plus
sign): two parts that overlap by o push each other by l = o (E + D o'), never negative, along the contact's
normal. D is the product D M of the seed.
Friction opposes sliding at speed s by mu l s / sqrt(s^2 + s0^2).

Contacts are those of `contact.at_state`, among the candidates that are near: those are listed anew where
bodies have moved so far that others could touch. A set of contacts is kept through a step: contacts of the
set act by the law without its bound, others do not act, so that the equation of a step is smooth.

Of two primitives one contact acts, as the seed has it (its Algorithm 10): the deepest corner of the first
in the second, or, where there is none, of the second in the first. Where two are almost equally deep, both
act by shares, for else the force would jump to and fro between them.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, relative_pose, role_gap
from detent.mechanics.tree_columns import COSINE, SINE, TURN, X, Y
from detent.mechanics.tree_kernels import DAMPING as JOINT_DAMPING
from detent.mechanics.tree_kernels import HUB_X, HUB_Y, mass_and_force, place_tree
from detent.mechanics.tree_kernels import STIFFNESS as JOINT_STIFFNESS
from detent.motion.penalty.tables import (
    BLEND,
    DAMPING,
    DEEPENING,
    DEPTH,
    ELASTIC,
    FRICTION,
    LEANING,
    MARGIN,
    MOST_TOUCHING,
    PUSH,
    RUBBING,
    SHARE,
    SLIDING,
    SLIPPING,
    STIFFNESS,
    Overlapping,
    sample_overlapping,
)
from detent.numeric.dense import factor, solve_factored
from detent.numeric.kernels import kernel

# A contact of the set pushes, or overlaps without a push, for it parts too fast for the law.
RESTING, PUSHING = 0, 1


def _placed() -> Overlapping:
    over = sample_overlapping()
    place_tree(over.machine, np.zeros(1), np.ones(1), over.state)
    return over


def sample_touching() -> Any:
    """The sample's one candidate, pushing."""
    touching = np.zeros((2, MOST_TOUCHING), np.int64)
    touching[1, 0] = PUSHING
    return touching


@kernel(sample=lambda: (_placed(), 1))
def hub_of(over, body):  # type: ignore[no-untyped-def]
    """Where the hub of a body is."""
    b, x, y = over.state.bodies[body], over.machine.bodies[body, HUB_X], over.machine.bodies[body, HUB_Y]
    return b[X] + b[COSINE] * x - b[SINE] * y, b[Y] + b[SINE] * x + b[COSINE] * y


@kernel(
    sample=lambda: (*_placed()[2:4], _placed().listed[0], np.array([0.0, 0.0, 1.0, 0.0]), 0.1, 0.1),
    inlined=True,
)
def within(data, notch, row, pose_AB, depth, margin):  # type: ignore[no-untyped-def]
    """Whether a candidate can overlap once its bodies have moved by a margin."""
    gap = role_gap(data, row, pose_AB)
    if gap.gap > margin or gap.gap < -depth - margin:
        return False
    if row[0] == EDGE_DISC:
        edge = data[row[1]]
        length = math.hypot(edge[2] - edge[0], edge[3] - edge[1])
        before = margin + (depth if notch[row[1], 0] >= 0 else 0.0)
        after = margin + (depth if notch[row[1], 1] >= 0 else 0.0)
        return gap.share * length >= -before and (gap.share - 1.0) * length <= after
    return True


@kernel(sample=lambda: (_placed(), np.full(2, 0.1), sample_touching()[0], 0))
def reaching(over, travel, touching, n):  # type: ignore[no-untyped-def]
    """The most travel of two bodies with a near candidate beyond the n of a set that can overlap within
    their travel; else 0."""
    list_near(over)
    pose_AB, most = np.zeros(4), 0.0
    for k in range(over.count[0]):
        row = over.near_listed[k]
        a, b = over.pairs[row[3], row[4]], over.pairs[row[3], 1 - row[4]]
        both = travel[a] + travel[b]
        if both <= most:
            continue
        if both > over.limits[MARGIN]:
            return both
        acts = False
        for i in range(n):
            acts = acts or touching[i] == over.near[k]
        if not acts:
            relative_pose(over.state.bodies, a, b, pose_AB)
            if within(over.data, over.notch, row, pose_AB, over.limits[DEPTH], both):
                most = both
    return most


@kernel(sample=lambda: (_placed(),))
def list_near(over):  # type: ignore[no-untyped-def]
    """Lists the candidates that can touch before bodies have moved by the margin, where they may have."""
    bodies, at, margin, depth = over.state.bodies, over.near_at, over.limits[MARGIN], over.limits[DEPTH]
    most, second = 0.0, 0.0
    for body in range(len(bodies)):
        x, y = hub_of(over, body)
        moved = math.hypot(x - at[body, 0], y - at[body, 1])
        moved += over.reach[body] * abs(bodies[body, TURN] - at[body, 2])
        if moved > most:
            most, second = moved, most
        elif moved > second:
            second = moved
    if over.count[1] > 0 and most + second <= margin:
        return
    for body in range(len(bodies)):
        at[body, 0], at[body, 1] = hub_of(over, body)
        at[body, 2] = bodies[body, TURN]
    pose_AB, last_a, last_b, count = np.zeros(4), -1, -1, 0
    for i in range(len(over.listed)):
        row = over.listed[i]
        a, b = over.pairs[row[3], row[4]], over.pairs[row[3], 1 - row[4]]
        if a != last_a or b != last_b:
            relative_pose(bodies, a, b, pose_AB)
            last_a, last_b = a, b
        if not within(over.data, over.notch, row, pose_AB, depth, margin):
            continue
        over.near[count] = i
        for k in range(5):
            over.near_listed[count, k] = row[k]
        count += 1
    over.count[0] = count
    over.count[1] += 1


@kernel(sample=lambda: (_placed(), np.zeros(MOST_TOUCHING, np.int64), 0, np.zeros(MOST_TOUCHING, np.int64)))
def overlaps(over, before, n, touching):  # type: ignore[no-untyped-def]
    """Fills the candidates that overlap, bodies as they are placed; returns how many.

    A contact of the set before (n of them) that has gone
    deep stays, on the feature that it came through, so that nothing passes through: other contacts of
    what it pushes against do not replace it.
    """
    list_near(over)
    count, depth = over.count[0], over.limits[DEPTH]
    found = find_contacts(
        over.data, over.notch, over.identity, over.near_listed[:count], over.pairs, over.state.bodies,
        0.0, depth, 0.0, over.limits[LEANING], over.chosen, over.values,
    )  # fmt: skip
    kept = 0
    pose_AB = np.zeros(4)
    for k in range(n):
        i = before[k]
        row = over.listed[i]
        contact_of(
            over.data, over.listed, over.pairs, over.state.bodies, i, pose_AB, over.values, len(over.chosen)
        )
        contact = over.values[len(over.chosen)]
        on_edge = row[0] != EDGE_DISC or (contact[7] >= 0.0 and contact[7] <= 1.0)
        if on_edge and contact[0] < -0.5 * depth and kept < MOST_TOUCHING:
            touching[kept] = i
            kept += 1
    deep = kept
    for k in range(found):
        i = over.near[over.chosen[k]]
        row = over.listed[i]
        acts = True
        for j in range(deep):
            other = over.listed[touching[j]]
            if other[3] == row[3] and (other[2] == row[2] or touching[j] == i):
                acts = False
        if acts and kept < MOST_TOUCHING:
            touching[kept] = i
            kept += 1
    return kept


@kernel(sample=lambda: (_placed(), sample_touching()[0], 1))
def rows_of(over, touching, n):  # type: ignore[no-untyped-def]
    """Fills contacts, their rows on the independent speeds and sliding rows, bodies as they are placed."""
    state, spans, rows = over.state, over.state.spans, over.rows
    pose_AB = np.zeros(4)
    for i in range(n):
        contact_of(over.data, over.listed, over.pairs, state.bodies, touching[i], pose_AB, over.values, i)
        pair = over.listed[touching[i], 3]
        a, b = over.pairs[pair, 0], over.pairs[pair, 1]
        contact = over.values[i]
        nx, ny = contact[3], contact[4]
        tx, ty = ny, -nx
        along_a = (contact[1] - state.bodies[a, X]) * ty - (contact[2] - state.bodies[a, Y]) * tx
        along_b = (contact[1] - state.bodies[b, X]) * ty - (contact[2] - state.bodies[b, Y]) * tx
        for k in range(spans.shape[1]):
            dx, dy = spans[3 * b, k] - spans[3 * a, k], spans[3 * b + 1, k] - spans[3 * a + 1, k]
            turn_a, turn_b = spans[3 * a + 2, k], spans[3 * b + 2, k]
            rows[i, k] = nx * dx + ny * dy + contact[6] * turn_b - contact[5] * turn_a
            rows[MOST_TOUCHING + i, k] = tx * dx + ty * dy + along_b * turn_b - along_a * turn_a


@kernel(sample=lambda: (_placed(), np.ones(1), sample_touching(), 1))
def push(over, v, touching, n):  # type: ignore[no-untyped-def]
    """Fills the rows and pushes of n contacts, bodies as they are placed: by the law, without its bound
    where it pushes."""
    rows_of(over, touching[0], n)
    for i in range(n):
        law, out = over.law[over.listed[touching[0, i], 3]], over.pushes[i]
        deepening, sliding = 0.0, 0.0
        for k in range(len(v)):
            deepening -= over.rows[i, k] * v[k]
            sliding += over.rows[MOST_TOUCHING + i, k] * v[k]
        overlap = -over.values[i, 0]
        out[ELASTIC], out[DEEPENING], out[SLIDING] = law[STIFFNESS] * overlap, deepening, sliding
        out[PUSH], out[RUBBING] = 0.0, 0.0
        if touching[1, i] == PUSHING:
            out[PUSH] = overlap * (law[STIFFNESS] + law[DAMPING] * deepening)
            if law[FRICTION] > 0.0:
                out[RUBBING] = -law[FRICTION] * out[PUSH] * sliding / math.hypot(sliding, law[SLIPPING])
    for i in range(n):
        row, total = over.listed[touching[0, i]], 1.0
        if over.limits[BLEND] > 0.0:
            for j in range(n):
                other = over.listed[touching[0, j]]
                if j == i or other[3] != row[3]:
                    continue
                if other[4] == row[4]:
                    total += math.exp(
                        min((over.values[i, 0] - over.values[j, 0]) / over.limits[BLEND], 500.0)
                    )
                elif row[4] == 0:
                    total = math.inf
        over.pushes[i, SHARE] = 1.0 / total


@kernel(sample=lambda: (_placed(), np.ones(1), sample_touching(), 1))
def bound_pushes(over, v, touching, n):  # type: ignore[no-untyped-def]
    """Says which of n contacts push and which rest, at these speeds."""
    rows_of(over, touching[0], n)
    for i in range(n):
        law, deepening = over.law[over.listed[touching[0, i], 3]], 0.0
        for k in range(len(v)):
            deepening -= over.rows[i, k] * v[k]
        touching[1, i] = PUSHING if law[STIFFNESS] + law[DAMPING] * deepening > 0.0 else RESTING


@kernel(sample=lambda: (sample_overlapping(), np.zeros(1), np.ones(1), sample_touching(), 1, np.zeros(1)))
def accelerate(over, y, v, touching, n, acceleration):  # type: ignore[no-untyped-def]
    """Fills the accelerations with a set of contacts; False where a freedom has no inertia."""
    place_tree(over.machine, y, v, over.state)
    mass = over.matrices[4]
    mass_and_force(over.machine, over.state, mass, over.force)
    push(over, v, touching, n)
    for k in range(len(v)):
        acceleration[k] = over.force[k]
        for i in range(n):
            out = over.pushes[i]
            along, across = over.rows[i, k], over.rows[MOST_TOUCHING + i, k]
            acceleration[k] += out[SHARE] * (along * out[PUSH] + across * out[RUBBING])
    if not factor(mass):
        return False
    solve_factored(mass, acceleration)
    return True


@kernel(sample=lambda: (_placed(), sample_touching(), 1))
def linearise(over, touching, n):  # type: ignore[no-untyped-def]
    """Fills mass, stiffness and damping of the independent coordinates, where `accelerate` was called last.

    Springs, dampers and contacts along their rows; what the rows' own changes add is left out.
    """
    machine, mass, stiffness, damping = over.machine, over.matrices[0], over.matrices[1], over.matrices[2]
    freedoms = len(over.force)
    mass_and_force(machine, over.state, mass, over.force)
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
        law, out = over.law[over.listed[touching[0, i], 3]], over.pushes[i]
        share = out[SHARE]
        stiff = share * max(law[STIFFNESS] + law[DAMPING] * out[DEEPENING], 0.0)
        damp = share * max(-law[DAMPING] * over.values[i, 0], 0.0)
        rub = 0.0
        if law[FRICTION] > 0.0:
            rub = (
                share
                * law[FRICTION]
                * max(out[PUSH], 0.0)
                * law[SLIPPING] ** 2
                / math.hypot(out[SLIDING], law[SLIPPING]) ** 3
            )
        for k in range(freedoms):
            along, across = over.rows[i, k], over.rows[MOST_TOUCHING + i, k]
            for j in range(freedoms):
                stiffness[k, j] += stiff * along * over.rows[i, j]
                damping[k, j] += (
                    damp * along * over.rows[i, j] + rub * across * over.rows[MOST_TOUCHING + i, j]
                )
        for e in range(i):
            # Shares change with overlaps, which is stiff across two rows.
            if share == 1.0 or over.listed[touching[0, e], 3] != over.listed[touching[0, i], 3]:
                continue
            both = (
                share * over.pushes[e, SHARE] * 0.5 * (out[PUSH] + over.pushes[e, PUSH]) / over.limits[BLEND]
            )
            if both <= 0.0:
                continue
            for k in range(freedoms):
                for j in range(freedoms):
                    between = (over.rows[i, k] - over.rows[e, k]) * (over.rows[i, j] - over.rows[e, j])
                    stiffness[k, j] += both * between


@kernel(sample=lambda: (sample_overlapping(), np.zeros(2), np.zeros(2)))
def rates_at(over, z, rates):  # type: ignore[no-untyped-def]
    """The whole force function: rates of (coordinates, speeds) at any state, contacts looked for; the law
    with its bound."""
    freedoms = len(z) // 2
    y, v = z[:freedoms], z[freedoms:]
    touching = np.zeros((2, MOST_TOUCHING), np.int64)
    place_tree(over.machine, y, v, over.state)
    n = overlaps(over, touching[1], 0, touching[0])
    bound_pushes(over, v, touching, n)
    for k in range(freedoms):
        rates[k] = v[k]
    return accelerate(over, y, v, touching, n, rates[freedoms:])
