"""One step of a led part in contact, and an impact.

    M v' + C v + K q = P d + R d' + F(q, v) + sum of rows' forces,   q' = v

A step is the two-stage, L-stable diagonally implicit method of order two (Alexander 1977): each stage is a
backward step of GAMMA h with contacts on top. There the velocities at the stage's end obey the contact law
(no closing, Coulomb's friction), with rows at the place predicted for it; the forces are constant over the
stage. Force laws of what gives way, F(q, v), stand on the right side as they are at the stage's end: they are
made linear there again and again, contacts with them, until velocities stay (Newton). So stiff directions
settle instead of shaking, contacts that act keep their gaps to third order in h, and forces have no noise. An
impact obeys the same law with impulses: Moreau's, of the mean of velocities before and after, weighed by
restitution, in normal directions.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.rounds.at_pose import follow_round, room_for_rounds, sample_tables
from detent.contact.rounds.candidates import ROUND
from detent.contact.space_near import follow_in_space, sample_features
from detent.library.mating.known_laws import add_law_rates, add_laws, law_room
from detent.motion.leading.on_course import course_at, sample_course
from detent.motion.rigid.mating.moving import contact_rows, frame_of, place_held, sample_leader
from detent.numeric.cone_problem import UNSOLVED, solve_cone_problem
from detent.numeric.dense import factor_general, solve_general
from detent.numeric.kernels import kernel

GAMMA = 1.0 - math.sqrt(0.5)
# Contacts that act at once, at most.
MOST = 24
# Force laws: rounds of Newton at most; velocities that change by less than a share of them, or of the slowest
# that counts as a motion [m/s, rad/s], have settled.
_MOST_SETTLING, _SETTLED, _SLOWEST = 30, 1e-8, 1e-3
UNSETTLED = -1
# Columns of what an active contact carries: gap, point, normal, its friction, its restitution.
GAP, POINT, NORMAL, FRICTION, RESTITUTION, CARRIED = 0, 1, 4, 7, 8, 9


def room_of(n: int) -> tuple[Any, ...]:
    """Room to step n coordinates in."""
    columns = 3 * MOST
    return (
        np.zeros((columns, n)),  # rows of contacts
        np.zeros((columns, n)),  # what they do to velocities
        np.zeros((columns, columns)),  # K
        np.zeros((4, columns)),  # b, forces, velocities
        np.zeros((columns + 3, columns)),
        np.zeros((2, columns), np.int64),
        np.zeros((n, n)),
        np.zeros(n, np.int64),
        np.zeros((8, n)),
        np.zeros((3, 3)),  # a contact's frame
        np.zeros((3, 3)),
        np.zeros((4, 3)),  # of the path
        np.zeros(6),  # the gripper's motion
        np.zeros((3, 3)),
        np.zeros((3, 4)),
        np.zeros((7, 3)),
        np.zeros(MOST),
        np.zeros(MOST, np.int64),
        np.zeros((n, n)),  # of force laws: their derivatives by place and by speed, room for them
        np.zeros((n, n)),
        *law_room(n),
        np.zeros((n, n)),  # the matrix without laws
    )


def sample_contacts() -> tuple[Any, ...]:
    """Tables of features, of candidates, and which bodies are held where."""
    corners, faces, edges, listed, pairs, matrices = sample_features()
    return (
        (corners, faces, edges, sample_tables()[0], room_for_rounds()),
        listed,
        pairs,
        matrices,
        np.array([False, True]),
        np.zeros((2, 3, 4)),
    )


def sample_active() -> tuple[Any, ...]:
    """One contact: how many, rows of the list, statuses, directions, what they carry."""
    carried = np.zeros((MOST, CARRIED))
    carried[0] = 0.0, 0.1, 0.2, 0.0, 0.0, 0.0, 1.0, 0.3, 0.0
    return 1, np.zeros(MOST, np.int64), np.ones(MOST, np.int64), np.zeros((MOST, 5)), carried


@kernel(
    sample=lambda: (
        sample_contacts()[0], sample_contacts()[1][0], sample_contacts()[2][0], sample_contacts()[3],
        np.zeros((3, 4)), np.zeros((7, 3)), np.array([0.0, 0.1, 0.2, 0.0, 0.0, 0.0, 1.0, 0.3, 0.0]),
    ), bare=True
)  # fmt: skip
def follow(features, row, pair, matrices, pose, vectors, found):  # type: ignore[no-untyped-def]
    """Gap, point and normal of one candidate, of flat faces or of round bodies; `found` has those before."""
    corners, faces, edges, rounds, room = features
    if row[0] == ROUND:
        follow_round(rounds, row, matrices, room, found)
    else:
        follow_in_space(corners, faces, edges, row, pair, matrices, pose, vectors, found)


@kernel(
    sample=lambda: (
        sample_leader(), *sample_contacts(), np.zeros(6), *sample_active()[:2], sample_active()[4],
        room_of(6),
    ), separate=True, bare=True
)  # fmt: skip
def rows_at(leader, features, listed, pairs, drawn, held, matrices, q, n, chosen, carried, room):  # type: ignore[no-untyped-def]
    """Follows the contacts to a place, and writes their rows there."""
    rows, frame, some, moved, rotation, pose, vectors = (
        room[0], room[9], room[10], room[12], room[13], room[14], room[15]
    )  # fmt: skip
    place_held(leader, drawn, held, q, moved, rotation, matrices)
    for i in range(n):
        row = listed[chosen[i]]
        follow(features, row, pairs[row[3]], matrices, pose, vectors, carried[i])
        contact_rows(leader, moved, carried[i, 1:4], carried[i, 4:7], frame, rows[3 * i : 3 * i + 3], some)


@kernel(
    sample=lambda: (
        *sample_active()[:1],
        *(sample_active()[k] for k in (2, 3, 4)),
        np.ones(6),
        1e-3,
        room_of(6),
    ),
    separate=True,
    bare=True,
)
def obey(n, status, way, carried, velocity, per_force, room):  # type: ignore[no-untyped-def]
    """Adds what contacts do to velocities without them; `room` has rows and the factors of the matrix.

    Columns 2 to 4 of `way` are the last forces, impulses over `per_force`; zero of an impact.
    Returns how the law was solved. Forces stand in the second row of `room[3]`, by contact: along its frame.
    """
    rows, moves, K, vectors, factors, order = room[0], room[1], room[2], room[3], room[6], room[7]
    b, x, w = vectors[0], vectors[1], vectors[2]
    freedoms = len(velocity)
    mu = room[16]
    for i in range(3 * n):
        b[i] = 0.0
        for j in range(freedoms):
            moves[i, j] = rows[i, j]
            b[i] += rows[i, j] * velocity[j]
        solve_general(factors, order, moves[i])
    for i in range(3 * n):
        for k in range(3 * n):
            K[i, k] = 0.0
            for j in range(freedoms):
                K[i, k] += rows[i, j] * moves[k, j]
    for i in range(n):
        mu[i] = carried[i, 7]
        for k in range(3):
            x[3 * i + k] = way[i, 2 + k] * per_force
    how = solve_cone_problem(K, b, mu, n, status, way, x, w, room[4], room[5])
    for i in range(n):
        for k in range(3):
            if per_force > 0.0:
                way[i, 2 + k] = x[3 * i + k] / per_force
    for i in range(3 * n):
        for j in range(freedoms):
            velocity[j] += moves[i, j] * x[i]
    return how


@kernel(
    sample=lambda: (
        sample_leader(), 1e-3, *sample_active()[:1], *(sample_active()[k] for k in (2, 3, 4)), room_of(6),
    ), separate=True, bare=True
)  # fmt: skip
def settle(leader, scaled, n, status, way, carried, room):  # type: ignore[no-untyped-def]
    """Velocities at a stage's end, from momenta in their place: with force laws and contacts. How it went."""
    own, matrix, order, by_place, by_speed = room[8], room[6], room[7], room[18], room[19]
    base_q, guess, velocity, momenta, last, load = own[0], own[2], own[3], own[5], own[6], own[7]
    laws, of_laws = (leader[8], leader[9], leader[10]), (room[20], room[21], room[22])
    freedoms, worst, some = len(velocity), 0, len(leader[8]) > 0
    for i in range(freedoms):
        momenta[i], last[i] = velocity[i], guess[i]
    for _ in range(_MOST_SETTLING):
        if some:
            for i in range(freedoms):
                own[4, i] = base_q[i] + scaled * last[i]
                load[i] = 0.0
                for j in range(freedoms):
                    by_place[i, j], by_speed[i, j] = 0.0, 0.0
            add_laws(laws, own[4], last, load, of_laws)
            add_law_rates(laws, own[4], last, by_place, by_speed, of_laws)
            for i in range(freedoms):
                velocity[i] = momenta[i] + scaled * load[i]
                for j in range(freedoms):
                    rate = scaled * (by_speed[i, j] + scaled * by_place[i, j])
                    matrix[i, j] = room[23][i, j] - rate
                    velocity[i] -= rate * last[j]
            if not factor_general(matrix, order):
                return UNSETTLED
        solve_general(matrix, order, velocity)
        if n > 0:
            worst = max(worst, obey(n, status, way, carried, velocity, scaled, room))
        if not some:
            return worst
        change, size = 0.0, 0.0
        for i in range(freedoms):
            change, size = max(change, abs(velocity[i] - last[i])), max(size, abs(velocity[i]))
            last[i] = velocity[i]
            if not abs(velocity[i]) < 1e300:  # also where it is no number: friction locks
                return UNSETTLED
        if change <= _SETTLED * (size + _SLOWEST):
            return worst
    return UNSETTLED


@kernel(
    sample=lambda: (
        sample_leader(), sample_course(), *sample_contacts(), 0.01, 0, 1e-3, np.zeros(6), np.zeros(6),
        *sample_active(), np.zeros(6), np.zeros(6), np.zeros((MOST, 4)), room_of(6),
    ), separate=True, bare=True
)  # fmt: skip
def step_in_contact(  # type: ignore[no-untyped-def]
    leader, course, features, listed, pairs, drawn, held, matrices, now, piece, step, q, v,
    n, chosen, status, way, carried, new_q, new_v, impulses, room,
):  # fmt: skip
    """Fills the state after a step, and of each contact its normal impulse and its whole one in the world.

    Contacts are followed to the second stage's predicted place. Returns the worst way of solving them, and
    UNSETTLED where force laws let velocities find no rest.
    """
    mass, damping, stiffness, push, push_rate = leader[0], leader[1], leader[2], leader[3], leader[4]
    matrix, order, own, path, frame, force = room[6], room[7], room[8], room[11], room[9], room[3]
    freedoms, scaled, worst = len(q), GAMMA * step, 0
    base_q, base_v, guess, velocity = own[0], own[1], own[2], own[3]
    for i in range(freedoms):
        base_q[i], base_v[i], guess[i] = q[i], v[i], v[i]
        for j in range(freedoms):
            matrix[i, j] = mass[i, j] + scaled * (damping[i, j] + scaled * stiffness[i, j])
            room[23][i, j] = matrix[i, j]
    if not factor_general(matrix, order):
        return UNSOLVED
    for i in range(n):
        for k in range(4):
            impulses[i, k] = 0.0
    for stage in range(2):
        course_at(course, now + (scaled if stage == 0 else step), piece, path[0], path[1])
        for i in range(freedoms):
            velocity[i] = 0.0
            for j in range(freedoms):
                velocity[i] += mass[i, j] * base_v[j] - scaled * stiffness[i, j] * base_q[j]
            for k in range(3):
                velocity[i] += scaled * (push[i, k] * path[0, k] + push_rate[i, k] * path[1, k])
        if n > 0:
            for i in range(freedoms):
                new_q[i] = base_q[i] + scaled * guess[i]
            rows_at(leader, features, listed, pairs, drawn, held, matrices, new_q, n, chosen, carried, room)
        how = settle(leader, scaled, n, status, way, carried, room)
        if how == UNSETTLED:
            return UNSETTLED
        worst = max(worst, how)
        if n > 0:
            weight = (1.0 - GAMMA) / GAMMA if stage == 0 else 1.0
            for i in range(n):
                frame_of(carried[i, 4:7], leader[7], frame)
                impulses[i, 0] += weight * force[1, 3 * i]
                for r in range(3):
                    for k in range(3):
                        impulses[i, 1 + k] += weight * force[1, 3 * i + r] * frame[r, k]
        for i in range(freedoms):
            if stage == 0:
                rate = (velocity[i] - base_v[i]) / scaled
                base_q[i] = q[i] + (1.0 - GAMMA) * step * velocity[i]
                base_v[i] = v[i] + (1.0 - GAMMA) * step * rate
                guess[i] = velocity[i]
            else:
                new_v[i], new_q[i] = velocity[i], base_q[i] + scaled * velocity[i]
    return worst


@kernel(
    sample=lambda: (
        sample_leader(), *sample_contacts(), np.zeros(6), np.array([0.0, 0.0, -1.0, 0.0, 0.0, 0.0]),
        *sample_active(), 0.0, np.zeros((MOST, 4)), room_of(6),
    ), separate=True, bare=True
)  # fmt: skip
def impact(  # type: ignore[no-untyped-def]
    leader, features, listed, pairs, drawn, held, matrices, q, v, n, chosen, status, way, carried, rests,
    impulses, room,
):  # fmt: skip
    """Velocities after contacts that close have met, in place; their impulses. Returns how it was solved.

    Speeds of closing up to `rests` do not rebound; nor does an impact whose rebound would win energy, as of
    friction at several contacts (Kane's paradox).
    """
    mass, matrix, order, own, vectors = leader[0], room[6], room[7], room[8], room[3]
    freedoms, frame, before = len(v), room[9], own[4]
    rows_at(leader, features, listed, pairs, drawn, held, matrices, q, n, chosen, carried, room)
    for i in range(freedoms):
        before[i] = v[i]
        for j in range(freedoms):
            matrix[i, j] = mass[i, j]
    if not factor_general(matrix, order):
        return UNSOLVED
    how = obey(n, status, way, carried, v, 0.0, room)
    rebounds = False
    for i in range(n):
        rebounds = rebounds or (carried[i, 8] > 0.0 and vectors[0, 3 * i] < -rests)
    if rebounds and how != UNSOLVED:
        how = rebound(n, status, way, carried, before, v, rests, mass, room)
    x = vectors[1]
    for i in range(n):
        frame_of(carried[i, 4:7], leader[7], frame)
        impulses[i, 0] = x[3 * i]
        for k in range(3):
            impulses[i, 1 + k] = 0.0
            for r in range(3):
                impulses[i, 1 + k] += x[3 * i + r] * frame[r, k]
    return how


@kernel(
    sample=lambda: (
        1, *(sample_active()[k] for k in (2, 3, 4)), -np.ones(6), np.zeros(6), 0.0, np.eye(6), room_of(6),
    ), separate=True, bare=True
)  # fmt: skip
def rebound(n, status, way, carried, before, after, rests, mass, room):  # type: ignore[no-untyped-def]
    """The same impact with restitution: the law holds for (u+ + e u-) / (1 + e) in normal directions.

    `after` has the velocities without rebound, and keeps them where the rebound would win energy.
    """
    K, vectors, moves = room[2], room[3], room[1]
    b, x, w, kept, mu = vectors[0], vectors[1], vectors[2], vectors[3], room[16]
    freedoms = len(after)
    for i in range(3 * n):
        kept[i] = x[i]
    for i in range(n):
        share = carried[i, 8] if b[3 * i] < -rests else 0.0
        for k in range(3 * n):
            K[3 * i, k] /= 1.0 + share
        for k in range(3):
            x[3 * i + k] = 0.0
    how = solve_cone_problem(K, b, mu, n, status, way, x, w, room[4], room[5])
    won = 0.0
    rebounded = room[8][5]
    for j in range(freedoms):
        rebounded[j] = before[j]
        for i in range(3 * n):
            rebounded[j] += moves[i, j] * x[i]
    for i in range(freedoms):
        for j in range(freedoms):
            won += mass[i, j] * (rebounded[i] * rebounded[j] - before[i] * before[j]) / 2
    if how == UNSOLVED or won > 0.0:
        for i in range(3 * n):
            x[i] = kept[i]
        return 0
    for j in range(freedoms):
        after[j] = rebounded[j]
    return how
