"""The penalty method's loop: implicit steps of a smooth equation, and changes of its contacts.

Through a step the set of contacts is kept (`pushes`). Where the set would be another one at the end of a
step, or at looks between, the step is taken again, up to where the set first changes. Then the new set
acts. So no step straddles a kink of the force. A step is kept as a polynomial (`control_points`).
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.mechanics.tree_columns import SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import place_tree
from detent.motion.penalty.holding import project
from detent.motion.penalty.linear import linearise
from detent.motion.penalty.near import hub_of, reaching
from detent.motion.penalty.pushes import (
    PUSHING,
    accelerate,
    bound_pushes,
    law_of,
    overlaps,
    push,
    sample_touching,
)
from detent.motion.penalty.tables import (
    DAMPING,
    DEEPENING,
    GRAIN,
    MOST_TOUCHING,
    STIFFNESS,
    Overlapping,
    lent,
    sample_overlapping,
)
from detent.numeric.dense import factor_general, solve_factored, solve_general
from detent.numeric.kernels import kernel
from detent.numeric.memory import borrowed
from detent.numeric.rosenbrock import ERROR, GAMMA, A, C, M
from detent.numeric.runge_kutta import control_points, point_on_step

DONE, FULL, NO_INERTIA, STUCK = range(4)
CONTACT, RELEASE = range(2)
# Entries of the control: until when, relative accuracy, longest step, the least time between changes that
# are told apart.
UNTIL, ACCURACY, LONGEST, INSTANT = range(4)
# Entries of the clock: time, length of the next step, contacts in the set, changes in a row that get
# nowhere, deepest overlap, how far joints that close loops were open at the end of a step.
NOW, NEXT, TOUCHING, IDLE, DEEPEST, OPEN = range(6)
# Rows of the motion: coordinates, speeds, the greatest speeds so far.
AT, MOVING, FASTEST_BY = range(3)
# Entries of what is counted in the log: steps, events, steps tried in vain, changes that were not told apart.
STEPS, EVENTS, REJECTED, MERGED = range(4)
# Halvings that locate a change; looks at a step more than its travel asks for, where others may touch.
HALVINGS, MORE_LOOKS = 40, 1
# Of the time of a blow: the first step of a new set of contacts.
OF_A_BLOW = 0.3
# Newton's steps that close loops at the start.
CLOSING = 8
# Bodies may have been faster through a step than at its end.
FASTER = 2.0


class OverlapMotion(NamedTuple):
    """What changes along a run."""

    control: Any  # (4,)
    scales: Any  # (m,): of the coordinates
    clock: Any  # (6,)
    motion: Any  # (3, m)
    touching: Any  # (2, C) int: candidates, and whether they push
    after: Any  # (2, C) int: the same of another state
    stages: Any  # (6, 2, m)
    work: Any  # (4, 6, m)
    travel: Any  # (bodies,)


class OverlapLog(NamedTuple):
    """What happened."""

    counted: Any  # (4,) int
    steps: Any  # (S, 3): when it began, its length, 1
    points: Any  # (S, 6, m): control points
    touching: Any  # (S, C) int: candidates, -1 behind the last
    pushing: Any  # (S, C) int
    events: Any  # (E, 4): time, kind, candidate, how fast the overlap grows


def new_motion(
    over: Overlapping,
    scales: Any,
    *,
    until: float,
    accuracy: float,
    first: float,
    y: Any = None,
    v: Any = None,
) -> OverlapMotion:
    """At the beginning of a run, as drawn and at rest unless said."""
    freedoms = over.machine.follow.shape[1]
    motion = np.zeros((3, freedoms))
    if y is not None:
        motion[AT] = y
    if v is not None:
        motion[MOVING], motion[FASTEST_BY] = v, np.abs(v)
    return OverlapMotion(
        np.array([until, accuracy, until / 20, 1e-9 * until]), scales,
        np.array([0.0, first, 0.0, 0.0, 0.0, 0.0]),
        motion, np.zeros((2, MOST_TOUCHING), np.int64), np.zeros((2, MOST_TOUCHING), np.int64),
        np.zeros((6, 2, freedoms)), np.zeros((4, 6, freedoms)), np.zeros(len(over.machine.bodies)),
    )  # fmt: skip


def new_log(freedoms: int, steps: int, events: int) -> OverlapLog:
    """Room for so many steps and events."""
    return OverlapLog(
        np.zeros(4, np.int64), np.zeros((steps, 3)), np.zeros((steps, 6, freedoms)),
        np.full((steps, MOST_TOUCHING), -1, np.int64), np.zeros((steps, MOST_TOUCHING), np.int64),
        np.zeros((events, 4)),
    )  # fmt: skip


def _sample() -> tuple[Overlapping, OverlapMotion, OverlapLog]:
    over = sample_overlapping()
    # Coarse: over many steps, whose lengths follow tiny errors, rounding grows.
    return over, new_motion(over, np.ones(1), until=0.3, accuracy=1e-3, first=0.01), new_log(1, 99, 99)


@kernel(sample=lambda: (_sample()[1],))
def moving_lent(moving):  # type: ignore[no-untyped-def]
    """The same motion as arrays that own nothing."""
    return OverlapMotion(
        borrowed(moving.control), borrowed(moving.scales), borrowed(moving.clock), borrowed(moving.motion),
        borrowed(moving.touching), borrowed(moving.after), borrowed(moving.stages), borrowed(moving.work),
        borrowed(moving.travel),
    )  # fmt: skip


@kernel(sample=lambda: (_sample()[2],))
def log_lent(log):  # type: ignore[no-untyped-def]
    """The same log as arrays that own nothing."""
    return OverlapLog(
        borrowed(log.counted), borrowed(log.steps), borrowed(log.points), borrowed(log.touching),
        borrowed(log.pushing), borrowed(log.events),
    )  # fmt: skip


@kernel(sample=lambda: (*_sample(), 0.0, sample_touching(), 1), separate=True)
def take_over(over, moving, log, t, after, n):  # type: ignore[no-untyped-def]
    """Makes another set the one that acts, and writes what begins and ends to touch."""
    before, count = np.empty_like(moving.touching[0]), int(moving.clock[TOUCHING])
    for c in range(len(before)):
        before[c] = moving.touching[0, c]
    push(over, moving.motion[MOVING], after, n)
    deepening = over.pushes[:, DEEPENING]
    for kind in range(2):
        first, many, second, few = after[0], n, before, count
        if kind == RELEASE:
            first, many, second, few = before, count, after[0], n
        for i in range(many):
            known = False
            for k in range(few):
                known = known or first[i] == second[k]
            if not known:
                row = log.events[log.counted[EVENTS]]
                row[0], row[1], row[2], row[3] = t, kind, first[i], deepening[i] if kind == CONTACT else 0.0
                log.counted[EVENTS] += 1
    for i in range(n):
        moving.touching[0, i], moving.touching[1, i] = after[0, i], after[1, i]
    moving.clock[TOUCHING] = n


@kernel(sample=lambda: (*_sample()[:2], np.zeros(1), np.ones(1), sample_touching()), separate=True, bare=True)
def set_at(over, moving, y, v, after):  # type: ignore[no-untyped-def]
    """The contacts that a state has, after the set that acts; returns how many, and whether it is the set."""
    place_tree(over.machine, y, v, over.state)
    touching, count = moving.touching, int(moving.clock[TOUCHING])
    n = overlaps(over, touching[0], count, after[0])
    bound_pushes(over, v, after, n)
    same = n == count
    for i in range(n):
        if same:
            known = False
            for k in range(count):
                known = known or (after[0, i] == touching[0, k] and after[1, i] == touching[1, k])
            same = known
    return n, same


@kernel(
    sample=lambda: (*_sample()[:2], np.zeros(1), 0.01, np.zeros((6, 2, 1)), np.zeros((3, 1))),
    separate=True, bare=True,
)  # fmt: skip
def try_step(over, moving, a0, h, u, end):  # type: ignore[no-untyped-def]
    """The stages of a step, linearised where it begins; fills its end, returns its error over the allowed
    one, negative on failure."""
    n, freedoms, accuracy = int(moving.clock[TOUCHING]), len(moving.scales), moving.control[ACCURACY]
    mass, stiffness, damping, matrix = over.matrices[0], over.matrices[1], over.matrices[2], over.matrices[3]
    for k in range(freedoms):
        for j in range(freedoms):
            matrix[k, j] = mass[k, j] / (h * GAMMA) + damping[k, j] + h * GAMMA * stiffness[k, j]
    if not factor_general(matrix, over.order):
        return -1.0
    y, v, a = end[0], end[1], end[2]
    one, two = over.room[3], over.room[4]
    for stage in range(6):
        for k in range(freedoms):
            y[k], v[k], a[k] = moving.motion[AT, k], moving.motion[MOVING, k], a0[k]
            for j in range(stage):
                y[k] += A[stage, j] * u[j, 0, k]
                v[k] += A[stage, j] * u[j, 1, k]
        if stage and not accelerate(over, y, v, moving.touching, n, a):
            return -1.0
        for k in range(freedoms):
            one[k], two[k] = v[k], a[k]
            for j in range(stage):
                one[k] += C[stage, j] / h * u[j, 0, k]
                two[k] += C[stage, j] / h * u[j, 1, k]
        for k in range(freedoms):
            u[stage, 1, k] = 0.0
            for j in range(freedoms):
                u[stage, 1, k] += mass[k, j] * two[j] - h * GAMMA * stiffness[k, j] * one[j]
        solve_general(matrix, over.order, u[stage, 1])
        for k in range(freedoms):
            u[stage, 0, k] = h * GAMMA * (one[k] + u[stage, 1, k])
    worst = 0.0
    for k in range(freedoms):
        error_y, error_v = 0.0, 0.0
        y[k], v[k] = moving.motion[AT, k], moving.motion[MOVING, k]
        for j in range(6):
            y[k] += M[j] * u[j, 0, k]
            v[k] += M[j] * u[j, 1, k]
            error_y += ERROR[j] * u[j, 0, k]
            error_v += ERROR[j] * u[j, 1, k]
        fast = max(moving.motion[FASTEST_BY, k], abs(v[k]), moving.scales[k] * accuracy)
        worst = max(worst, abs(error_y) / (accuracy * moving.scales[k]), abs(error_v) / (accuracy * fast))
    if not accelerate(over, y, v, moving.touching, n, a):
        return -1.0
    return worst if worst == worst else 1e9


@kernel(sample=lambda: (*_sample()[:2], np.zeros((3, 1)), 0.01), separate=True, bare=True)
def close_step(over, moving, end, h):  # type: ignore[no-untyped-def]
    """Puts the end of a step back onto what is held; False where a freedom has no inertia."""
    if len(over.held) == 0:
        return True
    opened = project(over, end[0], end[1], moving.clock[NOW] + h)
    moving.clock[OPEN] = max(moving.clock[OPEN], opened)
    return accelerate(over, end[0], end[1], moving.touching, int(moving.clock[TOUCHING]), end[2])


@kernel(sample=lambda: (*_sample()[:2], np.ones(1)), separate=True, bare=True)
def blow_time(over, moving, room):  # type: ignore[no-untyped-def]
    """How long the shortest blow of the set takes: of contacts that deepen, their inertia over their
    stiffness, accelerations computed. A step that is much longer goes past the blow, and its error, which
    fast parts of the motion hardly enter, does not tell."""
    shortest, freedoms = np.inf, len(room)
    for i in range(int(moving.clock[TOUCHING])):
        law, deepening = over.law[law_of(over, moving.touching[0, i])], over.pushes[i, DEEPENING]
        if moving.touching[1, i] != PUSHING or deepening <= 0.0:
            continue
        for k in range(freedoms):
            room[k] = over.rows[i, k]
        solve_factored(over.matrices[4], room)
        yielding = 0.0
        for k in range(freedoms):
            yielding += over.rows[i, k] * room[k]
        if yielding > 0.0:
            quickness = (law[STIFFNESS] + law[DAMPING] * deepening) * yielding
            shortest = min(shortest, 1.0 / math.sqrt(quickness))
    return shortest


@kernel(
    sample=lambda: (*_sample()[:2], np.zeros((6, 1)), 0.01, sample_touching(), np.zeros((2, 1))),
    separate=True, bare=True,
)  # fmt: skip
def first_change(over, moving, points, h, after, room):  # type: ignore[no-untyped-def]
    """The share of a step just past which the set of contacts first changes; 2 where it does not."""
    y, v = room[0], room[1]
    travel, n = moving.travel, int(moving.clock[TOUCHING])
    for body in range(len(travel)):
        b = over.state.bodies[body]
        x, y_ = hub_of(over, body)
        speed = abs(b[SPEED_X] - b[SPIN] * (y_ - b[Y])) + abs(b[SPEED_Y] + b[SPIN] * (x - b[X]))
        travel[body] = FASTER * h * (speed + over.reach[body] * abs(b[SPIN]))
    # Without candidates that the bodies can reach, only the set itself can change.
    most = reaching(over, travel, moving.touching[0], n)
    looks = 1 if n > 0 or len(over.stops) else 0
    if most > 0.0:
        looks = int(most / over.limits[GRAIN]) + 1 + MORE_LOOKS
    low = 0.0
    for look in range(1, looks + 1):
        high = look / looks
        point_on_step(points, h, high, y, v)
        n, same = set_at(over, moving, y, v, after)
        if not same:
            for _ in range(HALVINGS):
                if (high - low) * h < 0.25 * moving.control[INSTANT]:
                    break
                middle = 0.5 * (low + high)
                point_on_step(points, h, middle, y, v)
                n, same = set_at(over, moving, y, v, after)
                if same:
                    low = middle
                else:
                    high = middle
            return high
        low = high
    return 2.0


@kernel(sample=_sample, separate=True)
def begin(over, moving, log):  # type: ignore[no-untyped-def]
    """What touches at the beginning."""
    if len(over.held):
        for _ in range(CLOSING):
            project(over, moving.motion[AT], moving.motion[MOVING], 0.0)
    after = np.zeros((2, MOST_TOUCHING), np.int64)
    n, _ = set_at(over, moving, moving.motion[AT], moving.motion[MOVING], after)
    take_over(over, moving, log, moving.clock[NOW], after, n)


@kernel(sample=_sample, separate=True, bare=True)
def advance(over, moving, log):  # type: ignore[no-untyped-def]
    """Advances until its time is over or the log is full; returns how it ended."""
    return advance_lent(lent(over), moving_lent(moving), log_lent(log))


@kernel(sample=_sample, bare=True)
def advance_lent(over, moving, log):  # type: ignore[no-untyped-def]
    """The same with tables that own nothing."""
    until, instant, freedoms = moving.control[UNTIL], moving.control[INSTANT], len(moving.scales)
    a0, u, end, points = moving.work[0, 0], moving.stages, moving.work[1, :3], moving.work[2]
    room, scales, after = moving.work[3, :2], moving.work[3, 2:4], moving.after
    y, v = moving.motion[AT], moving.motion[MOVING]
    fresh = True
    while moving.clock[NOW] < until:
        at, n, start = log.counted[STEPS], int(moving.clock[TOUCHING]), moving.clock[NOW]
        if at >= len(log.steps) or log.counted[EVENTS] + 2 * MOST_TOUCHING >= len(log.events):
            return FULL
        if not accelerate(over, y, v, moving.touching, n, a0):
            return NO_INERTIA
        if fresh:
            moving.clock[NEXT] = min(moving.clock[NEXT], OF_A_BLOW * blow_time(over, moving, room[0]))
        for k in range(freedoms):
            scales[0, k], scales[1, k] = moving.scales[k], max(moving.scales[k], moving.motion[FASTEST_BY, k])
        if not linearise(over, y, v, a0, scales, moving.touching, n):
            return NO_INERTIA
        h, following = min(moving.clock[NEXT], moving.control[LONGEST], until - start), 0.0
        while True:
            error = try_step(over, moving, a0, h, u, end)
            if 0.0 <= error <= 1.0:
                following = h * min(5.0, 0.9 * max(error, 1e-10) ** -0.25)
                break
            log.counted[REJECTED] += 1
            h *= 0.2 if error < 0.0 else max(0.2, 0.9 * error**-0.25)
            if h < 1e-14 * until:
                return STUCK
        if not close_step(over, moving, end, h):
            return NO_INERTIA
        control_points(y, v, a0, end[0], end[1], end[2], h, points)
        place_tree(over.machine, end[0], end[1], over.state)
        share = first_change(over, moving, points, h, after, room)
        changed = share <= 1.0
        if changed:
            # Changes that follow each other without an end are told apart ever less.
            least = instant * 2.0 ** moving.clock[IDLE]
            moving.clock[IDLE] = moving.clock[IDLE] + 1.0 if share * h < 100.0 * instant else 0.0
            if share * h < least:
                log.counted[MERGED] += 1
            h = min(max(share * h, least), h)
            if try_step(over, moving, a0, h, u, end) < 0.0 or not close_step(over, moving, end, h):
                return STUCK
            control_points(y, v, a0, end[0], end[1], end[2], h, points)
        elif h > 100.0 * instant:
            moving.clock[IDLE] = 0.0
        log.steps[at, 0], log.steps[at, 1], log.steps[at, 2] = start, h, 1.0
        for p in range(6):
            for k in range(freedoms):
                log.points[at, p, k] = points[p, k]
        for i in range(n):
            log.touching[at, i], log.pushing[at, i] = moving.touching[0, i], moving.touching[1, i]
        log.counted[STEPS] = at + 1
        for k in range(freedoms):
            y[k], v[k] = end[0, k], end[1, k]
            moving.motion[FASTEST_BY, k] = max(moving.motion[FASTEST_BY, k], abs(v[k]))
        moving.clock[NOW] = until if start + h >= until else start + h
        moving.clock[NEXT] = following
        for i in range(n):
            if log.touching[at, i] < len(over.listed):
                moving.clock[DEEPEST] = max(moving.clock[DEEPEST], -over.values[i, 0])
        fresh = changed
        if changed:
            m, _ = set_at(over, moving, y, v, after)
            take_over(over, moving, log, moving.clock[NOW], after, m)
    return DONE
