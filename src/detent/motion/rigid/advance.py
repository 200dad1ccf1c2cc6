"""One call that advances a machine through steps and events until its time is over or its log is full."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from detent.mechanics.tree_dynamics import energies
from detent.mechanics.tree_kernels import place_bodies
from detent.motion.rigid.forces import accelerations, contact_rows_of
from detent.motion.rigid.samples import sample_machine
from detent.motion.rigid.search import APART, apart, bound_speeds, first_touch, hub_lengths
from detent.motion.rigid.stepping import (
    CONTACT, DONE, FULL, IMPACT, MOST_IDLE, NO_INERTIA, NO_SOLUTION, RELEASE, STUCK,
    first_change, project,
)
from detent.motion.rigid.touching import gather, strike
from detent.motion.rigid.tables import MOST_TOUCHING
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import ERRORS, STAGES, control_points, point_on_step


class Control(NamedTuple):
    """How exactly, and from where to where."""

    numbers: Any  # until, relative accuracy, touch [m], longest step, first step
    scales: Any  # (m,): of the coordinates


class Moving(NamedTuple):
    """What changes along a run."""

    clock: Any  # (4,): time, length of the next step, fastest point so far, touching contacts
    y: Any
    v: Any
    fast: Any  # (m,): the greatest speed of each coordinate so far
    touching: Any  # (C,)
    sliding: Any
    status: Any
    wake: Any  # (candidates,)
    muted: Any
    travel: Any  # (pairs,)


class Log(NamedTuple):
    """What happened; `filled` has the steps, events and steps rejected so far."""

    filled: Any
    begin: Any  # (S,)
    whole: Any  # (S,): length of the step before it was cut
    share: Any  # (S,): how much of it counts
    points: Any  # (S, 6, m)
    touching: Any  # (S, C): candidates, -1 behind the last
    sliding: Any  # (S, C)
    events: Any  # (E, 7)


def log_of(freedoms: int, steps: int, events: int) -> Log:
    return Log(
        np.zeros(3, np.int64), np.zeros(steps), np.zeros(steps), np.zeros(steps), np.zeros((steps, 6, freedoms)),
        np.full((steps, MOST_TOUCHING), -1, np.int64), np.zeros((steps, MOST_TOUCHING)), np.zeros((events, 7)),
    )  # fmt: skip


def moving_of(freedoms: int, candidates: int, pairs: int, first: float) -> Moving:
    return Moving(
        np.array([0.0, first, 0.0, 0.0]), np.zeros(freedoms), np.zeros(freedoms), np.zeros(freedoms),
        np.zeros(MOST_TOUCHING, np.int64), np.zeros(MOST_TOUCHING), np.zeros(MOST_TOUCHING, np.int64),
        np.zeros(candidates), np.zeros(candidates, np.bool_), np.zeros(pairs),
    )  # fmt: skip


def _sample() -> tuple[Any, ...]:
    tables, room = sample_machine()
    control = Control(np.array([0.2, 1e-6, 1e-9, 0.1, 0.01]), np.ones(1))
    return tables, room, control, moving_of(1, 1, 1, 0.01), log_of(1, 100, 100)


@kernel(sample=lambda: (*_sample(), 0.0, 0, 0, 0.0, 0.0, 0.0, 0.0))
def note(tables, room, control, moving, log, t, kind, candidate, normal, tangential, closing, lost):  # type: ignore[no-untyped-def]
    """Writes an event."""
    at = log.filled[1]
    row = log.events[at]
    row[0], row[1], row[2], row[3] = t, kind, candidate, normal
    row[4], row[5], row[6] = tangential, closing, lost
    log.filled[1] = at + 1


@kernel(sample=_sample)
def settle(tables, room, control, moving, log):  # type: ignore[no-untyped-def]
    """At an instant: what touches now, and jumps of velocity; False where no impulses satisfy friction."""
    t, touch, slow = moving.clock[0], control.numbers[2], 1e-8 * moving.clock[2]
    y, v = moving.y, moving.v
    place_bodies(
        tables.dynamics.tree, y, v, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )
    before = moving.touching[: int(moving.clock[3])].copy()
    n = gather(tables, room, moving.travel, moving.wake, moving.muted, touch, slow, moving.touching)
    impulses = np.zeros(2 * MOST_TOUCHING)
    closing = np.zeros(n)
    contact_rows_of(tables, room, moving.touching, n)
    for i in range(n):
        for k in range(len(v)):
            closing[i] += room.rows[i, k] * v[k]
    energy = energies(
        tables.dynamics, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )[0]
    struck = strike(tables, room, y, v, moving.touching, n, moving.sliding, slow, impulses)
    if struck == 2:
        moving.clock[3] = n
        return False
    place_bodies(
        tables.dynamics.tree, y, v, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )
    contact_rows_of(tables, room, moving.touching, n)
    lost = energy - energies(
        tables.dynamics, room.coordinates, room.poses, room.angles, room.speeds, room.spans, room.products
    )[0]
    kept = 0
    for i in range(n):
        candidate = moving.touching[i]
        leaving, along = 0.0, 0.0
        for k in range(len(v)):
            leaving += room.rows[i, k] * v[k]
            along += room.rows[n + i, k] * v[k]
        new = True
        for k in range(len(before)):
            new = new and before[k] != candidate
        if struck == 1 and impulses[i] > 0.0:
            note(tables, room, control, moving, log, t, IMPACT, candidate, impulses[i], impulses[n + i], closing[i], lost)
            lost = 0.0
        elif new and leaving <= slow:
            note(tables, room, control, moving, log, t, CONTACT, candidate, 0.0, 0.0, closing[i], 0.0)
        if leaving > slow:
            if not new or (struck == 1 and impulses[i] > 0.0):
                note(tables, room, control, moving, log, t, RELEASE, candidate, 0.0, 0.0, leaving, 0.0)
            continue
        moving.touching[kept] = candidate
        moving.sliding[kept] = 0.0
        if room.mu[i] > 0.0 and abs(along) > slow:
            moving.sliding[kept] = 1.0 if along > 0.0 else -1.0
        moving.status[kept] = 1
        kept += 1
    for k in range(len(before)):
        gone = True
        for i in range(n):
            gone = gone and room.bodies_a[i] >= 0 and moving.touching[i] != before[k]
    moving.clock[3] = kept
    return True


@kernel(sample=lambda: (*_sample(), np.zeros((7, 1)), np.zeros((7, 1)), 0.01))
def try_step(tables, room, control, moving, log, speeds, rates, h):  # type: ignore[no-untyped-def]
    """The stages of a step; returns its error over the allowed one, or a negative code. The last stage is its end."""
    n, freedoms = int(moving.clock[3]), len(moving.y)
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    for stage in range(1, 7):
        for k in range(freedoms):
            y[k], v[k] = moving.y[k], moving.v[k]
            for j in range(stage):
                y[k] += h * STAGES[stage, j] * speeds[j, k]
                v[k] += h * STAGES[stage, j] * rates[j, k]
            speeds[stage, k] = v[k]
        code = accelerations(tables, room, y, v, moving.touching, n, moving.sliding, moving.status, rates[stage])
        if code:
            return -float(code)
    worst = 0.0
    for k in range(freedoms):
        error_y, error_v = 0.0, 0.0
        for stage in range(7):
            error_y += h * ERRORS[stage] * speeds[stage, k]
            error_v += h * ERRORS[stage] * rates[stage, k]
        fast = max(moving.fast[k], abs(v[k]), control.scales[k] * control.numbers[1])
        worst = max(worst, abs(error_y) / (control.numbers[1] * control.scales[k]))
        worst = max(worst, abs(error_v) / (control.numbers[1] * fast))
    return worst


@kernel(sample=_sample)
def advance(tables, room, control, moving, log):  # type: ignore[no-untyped-def]
    """Advances; returns how it ended."""
    until, touch, longest = control.numbers[0], control.numbers[2], control.numbers[3]
    freedoms, bodies = len(moving.y), len(tables.reach)
    speeds, rates = np.zeros((7, freedoms)), np.zeros((7, freedoms))
    points = np.zeros((6, freedoms))
    lengths, fastest = np.zeros(len(tables.hub_arms)), np.zeros(len(tables.dynamics.tree.drawn))
    hub_speed, spin, bound = np.zeros(bodies), np.zeros(bodies), np.zeros(bodies)
    looked, awake = np.zeros(len(tables.listed)), np.zeros(len(tables.listed), np.int64)
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    idle = 0
    while moving.clock[0] < until:
        if log.filled[0] >= len(log.begin) or log.filled[1] + 2 * MOST_TOUCHING >= len(log.events):
            return FULL
        if idle > MOST_IDLE:
            return STUCK
        n = int(moving.clock[3])
        code = accelerations(
            tables, room, moving.y, moving.v, moving.touching, n, moving.sliding, moving.status, rates[0]
        )
        if code:
            return NO_INERTIA if code == 1 else NO_SOLUTION
        for k in range(freedoms):
            speeds[0, k] = moving.v[k]
        hub_lengths(tables, room, lengths)
        h = min(moving.clock[1], longest, until - moving.clock[0])
        while True:
            error = try_step(tables, room, control, moving, log, speeds, rates, h)
            if 0.0 <= error <= 1.0:
                break
            log.filled[2] += 1
            h *= 0.2 if error < 0.0 else max(0.2, 0.9 * error**-0.2)
            if h < 1e-13 * max(until, 1e-3):
                return NO_SOLUTION if error < 0.0 else STUCK
        following = h * min(5.0, 0.9 * max(error, 1e-10) ** -0.2)
        for k in range(freedoms):
            y[k] = moving.y[k]
            for stage in range(6):
                y[k] += h * STAGES[6, stage] * speeds[stage, k]
            v[k] = speeds[6, k]
        control_points(moving.y, moving.v, rates[0], y, v, rates[6], h, points)
        bound_speeds(tables, points, h, lengths, fastest, hub_speed, spin, bound)
        quickest = 0.0
        for body in range(bodies):
            quickest = max(quickest, bound[body])
        moving.clock[2] = max(moving.clock[2], quickest)
        slow = 1e-8 * moving.clock[2]
        s, count = first_touch(
            tables, room, points, h, bound, moving.touching, n, moving.wake, moving.muted, moving.travel, looked, awake,
            touch, y, v,
        )
        changed = first_change(
            tables, room, points, h, min(s, 1.0), moving.touching, n, moving.sliding, moving.status,
            touch, slow, y, v,
        )
        s = min(s, changed)
        event = s <= 1.0
        share = min(s, 1.0)
        at = log.filled[0]
        log.begin[at], log.whole[at], log.share[at] = moving.clock[0], h, share
        log.points[at] = points
        for i in range(MOST_TOUCHING):
            log.touching[at, i] = moving.touching[i] if i < n else -1
            log.sliding[at, i] = moving.sliding[i] if i < n else 0.0
        log.filled[0] = at + 1
        point_on_step(points, h, share, moving.y, moving.v)
        moving.clock[0] = until if share == 1.0 and moving.clock[0] + h >= until else moving.clock[0] + share * h
        moving.clock[1] = following if not event else max(min(following, h), 1e-3 * h)
        idle = idle + 1 if share * h < 1e-12 * until else 0
        for pair in range(len(tables.pairs)):
            moving.travel[pair] += share * h * (bound[tables.pairs[pair, 0]] + bound[tables.pairs[pair, 1]])
        for k in range(count):
            if looked[k] > share:
                moving.wake[awake[k]] = moving.travel[tables.listed[awake[k], 3]]
        for k in range(freedoms):
            moving.fast[k] = max(moving.fast[k], abs(moving.v[k]))
        project(tables, room, moving.y, moving.v, moving.touching, n, moving.status, moving.clock[0])
        if event:
            if not settle(tables, room, control, moving, log):
                return NO_SOLUTION
        else:
            tidy(tables, room, control, moving, log)
    return DONE


@kernel(sample=_sample)
def tidy(tables, room, control, moving, log):  # type: ignore[no-untyped-def]
    """After a step: contacts without force that part are released; muted ones that are apart are looked at again."""
    t, touch, slow = moving.clock[0], control.numbers[2], 1e-8 * moving.clock[2]
    place_bodies(
        tables.dynamics.tree, moving.y, moving.v, room.coordinates, room.poses, room.angles, room.speeds, room.spans,
        room.products,
    )  # fmt: skip
    n = int(moving.clock[3])
    contact_rows_of(tables, room, moving.touching, n)
    kept = 0
    for i in range(n):
        leaving, along = 0.0, 0.0
        for k in range(len(moving.v)):
            leaving += room.rows[i, k] * moving.v[k]
            along += room.rows[n + i, k] * moving.v[k]
        candidate = moving.touching[i]
        if moving.status[i] == 0 and (leaving > slow or room.contacts[i, 0] > 10.0 * touch):
            note(tables, room, control, moving, log, t, RELEASE, candidate, 0.0, 0.0, leaving, 0.0)
            continue
        moving.touching[kept], moving.status[kept] = candidate, moving.status[i]
        moving.sliding[kept] = 0.0
        if room.mu[i] > 0.0 and abs(along) > slow:
            moving.sliding[kept] = 1.0 if along > 0.0 else -1.0
        kept += 1
    moving.clock[3] = kept
    for i in range(len(moving.muted)):
        if moving.muted[i]:
            distance = apart(tables, room, i)
            if distance > APART * touch:
                inside = False
                for k in range(kept):
                    inside = inside or moving.touching[k] == i
                if not inside:
                    moving.muted[i] = False
                    moving.wake[i] = moving.travel[tables.listed[i, 3]] + distance
