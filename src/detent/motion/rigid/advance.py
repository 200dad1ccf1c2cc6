"""The rigid method's loop: steps of a differential equation between events, and events.

Between events the accelerations follow from the forces, with contacts that neither pull nor yield (`forces`). A
step ends where something first comes to touch (`search`), where a contact parts, leaves the feature that it slides on or stops
sliding (`changes`). There, contacts are gathered anew, and velocities jump where they must (`touching`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from detent.mechanics.tree_kernels import energies, place_bodies
from detent.motion.rigid.changes import first_change, project
from detent.motion.rigid.forces import accelerations, contact_rows_of
from detent.motion.rigid.search import APART, SPEED, apart, bound_motion, first_touch
from detent.motion.rigid.tables import MOST_TOUCHING, MU, Rigid, sample_rigid
from detent.motion.rigid.touching import gather, strike
from detent.numeric.contact_problem import OPEN
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import ERRORS, STAGES, control_points, point_on_step

DONE, FULL, NO_INERTIA, NO_SOLUTION, STUCK = range(5)
IMPACT, CONTACT, RELEASE = range(3)
# Columns of an event in the log.
TIME, KIND, CANDIDATE, NORMAL, TANGENTIAL, OPENING, LOST = range(7)
# Entries of the clock: time, length of the next step, fastest point so far, touching contacts.
NOW, NEXT, FASTEST, TOUCHING = range(4)
# Entries of the control: until when, relative accuracy, distance at which features touch, longest step.
UNTIL, ACCURACY, TOUCH, LONGEST = range(4)
# Rows of the motion: coordinates, speeds, the greatest speeds so far; of touching: candidates, statuses.
AT, MOVING, FASTEST_BY = range(3)
# Steps in a row that get nowhere.
MOST_IDLE = 60
# Of the fastest point: slower than this is at rest.
SLOW = 1e-8


class Motion(NamedTuple):
    """What changes along a run."""

    control: Any  # (4,)
    scales: Any  # (m,): of the coordinates
    clock: Any  # (4,)
    motion: Any  # (3, m)
    touching: Any  # (2, C) int
    sliding: Any  # (C,)
    asleep: Any  # (2, candidates): as in `search.first_touch`
    travel: Any  # (pairs,)


class Log(NamedTuple):
    """What happened."""

    filled: Any  # (3,) int: steps, events, steps tried in vain
    steps: Any  # (S, 3): when it began, its length before it was cut, the share of that that counts
    points: Any  # (S, 6, m): control points
    touching: Any  # (S, C): candidates, -1 behind the last
    sliding: Any  # (S, C)
    events: Any  # (E, 7)


def new_motion(
    rigid: Rigid, scales: Any, *, until: float, accuracy: float, touch: float, first: float
) -> Motion:
    """At the beginning of a run, as drawn and at rest."""
    freedoms, touchable = rigid.machine.follow.shape[1], rigid.touchable
    return Motion(
        np.array([until, accuracy, touch, until / 8]), scales, np.array([0.0, first, 0.0, 0.0]), np.zeros((3, freedoms)),
        np.zeros((2, MOST_TOUCHING), np.int64), np.zeros(MOST_TOUCHING), np.zeros((2, len(touchable.listed))),
        np.zeros(len(touchable.pairs)),
    )  # fmt: skip


def new_log(freedoms: int, steps: int, events: int) -> Log:
    """Room for so many steps and events."""
    return Log(
        np.zeros(3, np.int64), np.zeros((steps, 3)), np.zeros((steps, 6, freedoms)),
        np.full((steps, MOST_TOUCHING), -1, np.int64), np.zeros((steps, MOST_TOUCHING)), np.zeros((events, 7)),
    )  # fmt: skip


def _sample() -> tuple[Rigid, Motion, Log]:
    rigid = sample_rigid()
    return (
        rigid,
        new_motion(rigid, np.ones(1), until=0.3, accuracy=1e-6, touch=1e-10, first=0.01),
        new_log(1, 99, 99),
    )


@kernel(sample=lambda: (_sample()[2], 0.5, CONTACT, 3, (1.0, 2.0, 3.0, 4.0)))
def note(log, t, kind, candidate, numbers):  # type: ignore[no-untyped-def]
    """Writes an event: its normal and tangential impulse, the gap's speed, the energy lost."""
    row = log.events[log.filled[1]]
    row[TIME], row[KIND], row[CANDIDATE] = t, kind, candidate
    for k in range(4):
        row[NORMAL + k] = numbers[k]
    log.filled[1] += 1


@kernel(sample=lambda: (np.ones((2, 3)), 1, np.arange(3.0)))
def along_row(rows, i, v):  # type: ignore[no-untyped-def]
    """A row times speeds."""
    total = 0.0
    for k in range(len(v)):
        total += rows[i, k] * v[k]
    return total


@kernel(sample=lambda: (_sample()[1], 0, 0, 1, 0.0, 0.2, 1e-9))
def keep_touching(moving, at, candidate, status, along, mu, slow):  # type: ignore[no-untyped-def]
    """Writes a contact that acts; its sliding goes on in its direction."""
    moving.touching[0, at], moving.touching[1, at] = candidate, status
    moving.sliding[at] = 0.0
    if mu > 0.0 and abs(along) > slow:
        moving.sliding[at] = 1.0 if along > 0.0 else -1.0


@kernel(sample=_sample)
def settle(rigid, moving, log):  # type: ignore[no-untyped-def]
    """At an instant: what touches now, and jumps of velocity; False where no impulses satisfy friction."""
    t, touch, slow = moving.clock[NOW], moving.control[TOUCH], SLOW * moving.clock[FASTEST]
    y, v, touching, room = moving.motion[AT], moving.motion[MOVING], moving.touching[0], rigid.room
    before = touching[: int(moving.clock[TOUCHING])].copy()
    place_bodies(rigid.machine, y, v, rigid.state)
    n = gather(rigid, moving.travel, moving.asleep, touch, slow, touching)
    contact_rows_of(rigid, touching, n)
    opening, impulses = np.zeros(n), np.zeros(2 * MOST_TOUCHING)
    for i in range(n):
        opening[i] = along_row(room.rows, i, v)
    lost = energies(rigid.machine, rigid.state)[0]
    struck = strike(rigid, y, v, touching, n, slow, impulses)
    if struck == 2:
        moving.clock[TOUCHING] = n
        return False
    place_bodies(rigid.machine, y, v, rigid.state)
    contact_rows_of(rigid, touching, n)
    lost -= energies(rigid.machine, rigid.state)[0]
    kept = 0
    for i in range(n):
        candidate, leaving = touching[i], along_row(room.rows, i, v)
        new = True
        for k in range(len(before)):
            new = new and before[k] != candidate
        hit = struck == 1 and impulses[i] > 0.0
        if hit:
            note(log, t, IMPACT, candidate, (impulses[i], impulses[n + i], opening[i], lost))
            lost = 0.0
        elif new and leaving <= slow:
            note(log, t, CONTACT, candidate, (0.0, 0.0, opening[i], 0.0))
        if leaving <= slow:
            keep_touching(
                moving, kept, candidate, 1, along_row(room.rows, n + i, v), room.columns[MU, i], slow
            )
            kept += 1
    moving.clock[TOUCHING] = kept
    for k in range(len(before)):
        gone = True
        for i in range(kept):
            gone = gone and touching[i] != before[k]
        if gone:
            note(log, t, RELEASE, before[k], (0.0, 0.0, 0.0, 0.0))
    return True


@kernel(sample=_sample)
def tidy(rigid, moving, log):  # type: ignore[no-untyped-def]
    """After a step: contacts without force that part are released; muted ones that are apart are looked for again."""
    t, touch, slow = moving.clock[NOW], moving.control[TOUCH], SLOW * moving.clock[FASTEST]
    v, touching, room, n = moving.motion[MOVING], moving.touching[0], rigid.room, int(moving.clock[TOUCHING])
    place_bodies(rigid.machine, moving.motion[AT], v, rigid.state)
    contact_rows_of(rigid, touching, n)
    kept = 0
    for i in range(n):
        candidate, status, leaving = touching[i], moving.touching[1, i], along_row(room.rows, i, v)
        if status == OPEN and (leaving > slow or room.contacts[i, 0] > 10.0 * touch):
            note(log, t, RELEASE, candidate, (0.0, 0.0, leaving, 0.0))
        else:
            keep_touching(
                moving, kept, candidate, status, along_row(room.rows, n + i, v), room.columns[MU, i], slow
            )
            kept += 1
    moving.clock[TOUCHING] = kept
    for i in range(len(moving.asleep[1])):
        if moving.asleep[1, i] == 0.0:
            continue
        acts = False
        for k in range(kept):
            acts = acts or touching[k] == i
        distance = 0.0 if acts else apart(rigid, i)
        if distance > APART * touch:
            moving.asleep[1, i] = 0.0
            moving.asleep[0, i] = moving.travel[rigid.touchable.listed[i, 3]] + distance


@kernel(sample=lambda: (*_sample()[:2], np.zeros((7, 1)), np.zeros((7, 1)), 0.01))
def try_step(rigid, moving, speeds, rates, h):  # type: ignore[no-untyped-def]
    """The stages of a step; returns its error over the allowed one, or a negative code. The last stage is its end."""
    n, freedoms, accuracy = int(moving.clock[TOUCHING]), len(moving.scales), moving.control[ACCURACY]
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    for stage in range(1, 7):
        for k in range(freedoms):
            y[k], v[k] = moving.motion[AT, k], moving.motion[MOVING, k]
            for j in range(stage):
                y[k] += h * STAGES[stage, j] * speeds[j, k]
                v[k] += h * STAGES[stage, j] * rates[j, k]
            speeds[stage, k] = v[k]
        code = accelerations(
            rigid, y, v, moving.touching[0], n, moving.sliding, moving.touching[1], rates[stage]
        )
        if code:
            return -float(code)
    worst = 0.0
    for k in range(freedoms):
        error_y, error_v = 0.0, 0.0
        for stage in range(7):
            error_y += h * ERRORS[stage] * speeds[stage, k]
            error_v += h * ERRORS[stage] * rates[stage, k]
        fast = max(moving.motion[FASTEST_BY, k], abs(v[k]), moving.scales[k] * accuracy)
        worst = max(worst, abs(error_y) / (accuracy * moving.scales[k]), abs(error_v) / (accuracy * fast))
    return worst


@kernel(sample=lambda: (*_sample()[:2], np.zeros((7, 1)), np.zeros((7, 1)), np.zeros((6, 1)), np.zeros(3)))
def take_step(rigid, moving, speeds, rates, points, taken):  # type: ignore[no-untyped-def]
    """A step as long as its error allows, as control points; `taken` gets its length and that of the next, and how many were in vain."""
    n, until = int(moving.clock[TOUCHING]), moving.control[UNTIL]
    y, v = moving.motion[AT], moving.motion[MOVING]
    code = accelerations(rigid, y, v, moving.touching[0], n, moving.sliding, moving.touching[1], rates[0])
    if code:
        return NO_INERTIA if code == 1 else NO_SOLUTION
    freedoms = len(y)
    for k in range(freedoms):
        speeds[0, k] = v[k]
    h, error = min(moving.clock[NEXT], moving.control[LONGEST], until - moving.clock[NOW]), 0.0
    while True:
        error = try_step(rigid, moving, speeds, rates, h)
        if 0.0 <= error <= 1.0:
            break
        taken[2] += 1
        h *= 0.2 if error < 0.0 else max(0.2, 0.9 * error**-0.2)
        if h < 1e-13 * until:
            return NO_SOLUTION if error < 0.0 else STUCK
    taken[0], taken[1] = h, h * min(5.0, 0.9 * max(error, 1e-10) ** -0.2)
    end = np.zeros(freedoms)
    for k in range(freedoms):
        end[k] = y[k]
        for stage in range(6):
            end[k] += h * STAGES[6, stage] * speeds[stage, k]
    control_points(y, v, rates[0], end, speeds[6], rates[6], h, points)
    place_bodies(rigid.machine, y, v, rigid.state)
    return DONE


@kernel(sample=_sample)
def advance(rigid, moving, log):  # type: ignore[no-untyped-def]
    """Advances until its time is over or the log is full; returns how it ended."""
    until, touch, touchable = moving.control[UNTIL], moving.control[TOUCH], rigid.touchable
    freedoms, bodies = len(moving.scales), len(rigid.machine.bodies)
    speeds, rates, points = np.zeros((7, freedoms)), np.zeros((7, freedoms)), np.zeros((6, freedoms))
    bounds, awake, taken = np.zeros((bodies, 6)), np.zeros(len(touchable.listed), np.int64), np.zeros(3)
    y, v, idle = np.zeros(freedoms), np.zeros(freedoms), 0
    while moving.clock[NOW] < until:
        at, n, begin = log.filled[0], int(moving.clock[TOUCHING]), moving.clock[NOW]
        if at >= len(log.steps) or log.filled[1] + 4 * MOST_TOUCHING >= len(log.events):
            return FULL
        code = take_step(rigid, moving, speeds, rates, points, taken)
        log.filled[2] = int(taken[2])
        if code or idle > MOST_IDLE:
            return code if code else STUCK
        h = taken[0]
        bound_motion(rigid, points, h, bounds)
        for body in range(bodies):
            moving.clock[FASTEST] = max(moving.clock[FASTEST], bounds[body, SPEED])
        s, count = first_touch(
            rigid, points, h, bounds, moving.touching[0], n, moving.asleep, moving.travel, awake, touch, y, v
        )
        slow = SLOW * moving.clock[FASTEST]
        changed = first_change(
            rigid,
            points,
            h,
            min(s, 1.0),
            moving.touching[0],
            n,
            moving.sliding,
            moving.touching[1],
            touch,
            slow,
            y,
            v,
        )
        event, share = min(s, changed) <= 1.0, min(s, changed, 1.0)
        log.steps[at, 0], log.steps[at, 1], log.steps[at, 2] = begin, h, share
        log.points[at] = points
        for i in range(n):
            log.touching[at, i], log.sliding[at, i] = moving.touching[0, i], moving.sliding[i]
        log.filled[0] = at + 1
        point_on_step(points, h, share, moving.motion[AT], moving.motion[MOVING])
        moving.clock[NOW] = until if share == 1.0 and begin + h >= until else begin + share * h
        moving.clock[NEXT] = taken[1]
        idle = idle + 1 if share * h < 1e-12 * until else 0
        for pair in range(len(touchable.pairs)):
            a, b = touchable.pairs[pair]
            moving.travel[pair] += share * h * (bounds[a, SPEED] + bounds[b, SPEED])
        for k in range(count):  # what was found out of this step does not hold beyond a cut
            i = awake[k]
            moving.asleep[0, i] = min(moving.asleep[0, i], moving.travel[touchable.listed[i, 3]])
        for k in range(freedoms):
            moving.motion[FASTEST_BY, k] = max(moving.motion[FASTEST_BY, k], abs(moving.motion[MOVING, k]))
        project(
            rigid,
            moving.motion[AT],
            moving.motion[MOVING],
            moving.touching[0],
            n,
            moving.touching[1],
            moving.clock[NOW],
        )
        if not event:
            tidy(rigid, moving, log)
        elif not settle(rigid, moving, log):
            return NO_SOLUTION
    return DONE
