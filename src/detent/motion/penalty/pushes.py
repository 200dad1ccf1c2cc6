"""Which parts overlap, and how hard they push each other apart.

The seed's law (Gelsey 1995, section 4.2, with the dot of its Eq. 4 on the overlap, and the force with a plus
sign): two parts that overlap by o push each other by l = o (E + D o'), never negative, along the contact's
normal. D is the product D M of the seed.
Friction opposes sliding at speed s by mu l s / sqrt(s^2 + s0^2).

Contacts are those of `contact.at_state`, among the candidates that are near: those are listed anew where
bodies have moved so far that others could touch. A set of contacts is kept through a step: contacts of the
set act by the law without its bound, others do not act, so that the equation of a step is smooth.

Of two convex primitives one contact acts, as the seed has it (its Algorithms 10 and 11). Of blocks that is
the corner within the other that is nearest to a face: overlaps are taken to be slight, and a push on the
least deep corner makes it less deep, so that it stays the one. A cylinder meets a face that its centre is in
front of, else the deepest corner.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of
from detent.mechanics.tree_columns import X, Y
from detent.mechanics.tree_kernels import mass_and_force, place_tree
from detent.motion.penalty.holding import coordinate_row, keep_held
from detent.motion.penalty.near import list_near
from detent.motion.penalty.tables import (
    DAMPING,
    DEEPENING,
    DEPTH,
    ELASTIC,
    END,
    FRICTION,
    LEANING,
    MOST_TOUCHING,
    PUSH,
    RUBBING,
    SIDE_OF,
    SLIDING,
    SLIPPING,
    STIFFNESS,
    STOP_ARM,
    STOPPED,
    sample_overlapping,
    sample_placed,
    sample_stopped,
)
from detent.numeric.dense import factor, solve_factored
from detent.numeric.kernels import kernel

# A contact of the set pushes, or overlaps without a push, for it parts too fast for the law.
RESTING, PUSHING = 0, 1


def sample_touching() -> Any:
    """The sample's one candidate, pushing."""
    touching = np.zeros((2, MOST_TOUCHING), np.int64)
    touching[1, 0] = PUSHING
    return touching


@kernel(sample=lambda: (sample_stopped(), 0), separate=True, bare=True)
def stop_gap(over, stop):  # type: ignore[no-untyped-def]
    """How far a coordinate is from its stop, times the arm; bodies as they are placed."""
    row = over.stops[stop]
    return row[SIDE_OF] * (row[END] - over.state.joints[0, int(row[STOPPED])]) * row[STOP_ARM]


@kernel(sample=lambda: (sample_stopped(), 0, 0), separate=True, bare=True)
def stop_rows(over, stop, i):  # type: ignore[no-untyped-def]
    """Fills contact i and its rows, of a stop: it pushes back along the coordinate, at its arm."""
    row, freedoms, factors = over.stops[stop], len(over.force), over.stopped
    for k in range(len(over.values[i])):
        over.values[i, k] = 0.0
    over.values[i, 0] = stop_gap(over, stop)
    coordinate_row(over, int(row[STOPPED]), factors)
    for k in range(freedoms):
        over.rows[i, k] = -row[SIDE_OF] * row[STOP_ARM] * factors[k]
        over.rows[MOST_TOUCHING + i, k] = 0.0


@kernel(sample=lambda: (sample_placed(), 0), inlined=True, bare=True)
def law_of(over, candidate):  # type: ignore[no-untyped-def]
    """Where the law of a contact stands: that of its pair, or of its stop."""
    if candidate < len(over.listed):
        return over.listed[candidate, 3]
    return len(over.pairs) + candidate - len(over.listed)


@kernel(sample=lambda: (sample_placed(), 1), inlined=True, bare=True)
def keep_single(over, found):  # type: ignore[no-untyped-def]
    """Of the contacts found, drops those of two convex primitives that another one represents: `chosen` is
    then -1."""
    for k in range(found):
        row, gap = over.near_listed[over.chosen[k]], over.values[k, 0]
        if over.single[row[3]] == 0:
            continue
        on_edge = row[0] == EDGE_DISC
        for j in range(found):
            if over.chosen[j] < 0 or j == k:
                continue
            other = over.near_listed[over.chosen[j]]
            if other[3] != row[3]:
                continue
            if (other[0] == EDGE_DISC) != on_edge:
                better = not on_edge
            elif on_edge:
                better = over.values[j, 0] > gap or (over.values[j, 0] == gap and j < k)
            else:
                better = over.values[j, 0] < gap or (over.values[j, 0] == gap and j < k)
            if better:
                over.chosen[k] = -1
                break


@kernel(
    sample=lambda: (sample_placed(), np.zeros(MOST_TOUCHING, np.int64), 0, np.zeros(MOST_TOUCHING, np.int64)),
    separate=True,
    bare=True,
)
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
    keep_single(over, found)
    kept, pose_AB = 0, over.pose
    for k in range(n):
        i = before[k]
        if i >= len(over.listed):
            continue
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
        if over.chosen[k] < 0:
            continue
        i = over.near[over.chosen[k]]
        row = over.listed[i]
        acts = True
        for j in range(deep):
            other = over.listed[touching[j]]
            if other[3] == row[3] and (other[2] == row[2] or touching[j] == i or over.single[row[3]] == 1):
                acts = False
        if acts and kept < MOST_TOUCHING:
            touching[kept] = i
            kept += 1
    for stop in range(len(over.stops)):
        if stop_gap(over, stop) < 0.0 and kept < MOST_TOUCHING:
            touching[kept] = len(over.listed) + stop
            kept += 1
    return kept


@kernel(sample=lambda: (sample_placed(), sample_touching()[0], 1), inlined=True, bare=True)
def rows_of(over, touching, n):  # type: ignore[no-untyped-def]
    """Fills contacts, their rows on the independent speeds and sliding rows, bodies as they are placed."""
    state, spans, rows = over.state, over.state.spans, over.rows
    pose_AB = over.pose
    for i in range(n):
        if touching[i] >= len(over.listed):
            stop_rows(over, touching[i] - len(over.listed), i)
            continue
        contact_of(over.data, over.listed, over.pairs, state.bodies, touching[i], pose_AB, over.values, i)
        pair = over.listed[touching[i], 3]
        a, b = over.pairs[pair, 0], over.pairs[pair, 1]
        over.ends[i, 0], over.ends[i, 1] = a, b
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


@kernel(sample=lambda: (sample_placed(), np.ones(1), sample_touching(), 1), inlined=True, bare=True)
def push(over, v, touching, n):  # type: ignore[no-untyped-def]
    """Fills the rows and pushes of n contacts, bodies as they are placed: by the law, without its bound
    where it pushes."""
    rows_of(over, touching[0], n)
    for i in range(n):
        law, out = over.law[law_of(over, touching[0, i])], over.pushes[i]
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


@kernel(sample=lambda: (sample_placed(), np.ones(1), sample_touching(), 1), inlined=True, bare=True)
def bound_pushes(over, v, touching, n):  # type: ignore[no-untyped-def]
    """Says which of n contacts push and which rest, at these speeds."""
    rows_of(over, touching[0], n)
    for i in range(n):
        law, deepening = over.law[law_of(over, touching[0, i])], 0.0
        for k in range(len(v)):
            deepening -= over.rows[i, k] * v[k]
        touching[1, i] = PUSHING if law[STIFFNESS] + law[DAMPING] * deepening > 0.0 else RESTING


@kernel(
    sample=lambda: (sample_overlapping(), np.zeros(1), np.ones(1), sample_touching(), 1, np.zeros(1)),
    separate=True,
    bare=True,
)
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
            acceleration[k] += along * out[PUSH] + across * out[RUBBING]
    if not factor(mass):
        return False
    solve_factored(mass, acceleration)
    keep_held(over, mass, acceleration)
    return True


@kernel(sample=lambda: (sample_overlapping(), np.zeros(2), np.zeros(2)), separate=True)
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
