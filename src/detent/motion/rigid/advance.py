"""The rigid method's loop: steps of a differential equation between events, and events.

Between events the accelerations follow from the forces, with contacts that neither pull nor yield
(`forces`). A step ends where something first comes to touch (`search`), where a contact parts, leaves the
feature that it slides on, stops sliding or begins to slide (`changes`). There, contacts are gathered anew
(`touching`), and velocities jump where they must (`rebounds`).
"""

from __future__ import annotations

import numpy as np

from detent.mechanics.tree_kernels import place_tree
from detent.motion.rigid.bounds import SPEED, bound_motion
from detent.motion.rigid.changes import (
    PARTED,
    begins_to_slide,
    first_change,
    first_slip,
    project,
    push_apart,
    sunk_along,
)
from detent.motion.rigid.forces import BLOCKED, accelerations, contact_rows_of, load_drives
from detent.motion.rigid.layout import (
    ACCURACY,
    ACTED,
    ALWAYS,
    ASLEEP,
    AT,
    BOUNDS,
    CANDIDATE,
    CLOCK,
    COLUMNS,
    CONTACTS,
    CONTROL,
    COUNT,
    EVENT_COUNT,
    EVENTS,
    FASTEST,
    FILLED,
    GREATEST,
    KIND,
    LISTED,
    LONGEST,
    MOTION,
    MOVING,
    MU,
    NEXT,
    NORMAL,
    NOW,
    PAIRS,
    POINTS,
    ROWS,
    SCALES,
    SLIDING,
    STAGE_RATES,
    STAGE_SPEEDS,
    STEP_COUNT,
    STEP_POINTS,
    STEP_SLIDING,
    STEP_TOUCHING,
    STEPS,
    STOPS,
    SWITCH,
    TIME,
    TOUCH,
    TOUCHING,
    TRAVEL,
    UNTIL,
    VAIN_COUNT,
    WORK,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.rebounds import along_row, impact_without_grazing
from detent.motion.rigid.safe_times import DEEP
from detent.motion.rigid.search import (
    first_touch,
    parted_by,
    place_on_step,
)
from detent.motion.rigid.stops import fastest_measured, first_stop
from detent.motion.rigid.sweeps import TOGETHER, any_within
from detent.motion.rigid.tables import sample_blocks
from detent.motion.rigid.touching import gather
from detent.numeric.contact_problem import FORWARD, OPEN, STICK
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import ERRORS, STAGES, control_points, point_on_step

# How a run ends; without inertia, without forces, with loads that do not agree or blocked as `forces` says.
DONE, NO_INERTIA, NO_SOLUTION, NO_LOADS, RUN_INTO, STUCK, FULL = range(7)
assert RUN_INTO == BLOCKED
# The last of a jump of velocity that no contact goes with: of a drive.
IMPACT, CONTACT, RELEASE, WORK_ALONE = range(4)
# Steps in a row that get nowhere.
MOST_IDLE = 60
# Of the fastest point: slower than this is at rest.
SLOW = 1e-8
# Of the greatest impulse of an instant: less is rounding, of contacts that the blow does not reach.
NOT_FELT = 1e-11
# Newton's steps that close loops at the start.
_CLOSING = 8


@kernel(sample=lambda: (*sample_blocks(), CONTACT, 3, (1.0, 2.0, 3.0, 4.0, 5.0)), separate=True, bare=True)
def note(f, i, kind, candidate, numbers):  # type: ignore[no-untyped-def]
    """Writes an event, now: its normal and tangential impulse, the gap's speed, energy lost and given."""
    filled = integers(f, i, FILLED)[0]
    row = floats(f, i, EVENTS)[filled[EVENT_COUNT]]
    row[TIME], row[KIND], row[CANDIDATE] = floats(f, i, CLOCK)[0, NOW], kind, candidate
    for k in range(5):
        row[NORMAL + k] = numbers[k]
    filled[EVENT_COUNT] += 1


@kernel(sample=lambda: (*sample_blocks(), 0, 0, 1, 0.0, 0.2, 1e-9), separate=True, bare=True)
def keep_touching(f, i, at, candidate, status, along, mu, slow):  # type: ignore[no-untyped-def]
    """Writes a contact that acts; its sliding goes on in its direction."""
    touching, sliding = integers(f, i, TOUCHING), floats(f, i, SLIDING)[0]
    touching[0, at], touching[1, at], sliding[at] = candidate, status, 0.0
    if mu > 0.0 and abs(along) > 2.0 * slow:  # a step that ends where sliding ends is just beyond it
        sliding[at] = 1.0 if along > 0.0 else -1.0


@kernel(sample=sample_blocks, separate=True)
def settle(f, i):  # type: ignore[no-untyped-def]
    """At an instant: what touches now, and jumps of velocity; returns how it went."""
    clock, motion, touching = floats(f, i, CLOCK)[0], floats(f, i, MOTION), integers(f, i, TOUCHING)[0]
    machine, state, rows, columns = (
        machine_of(f, i),
        state_of(f, i),
        floats(f, i, ROWS),
        floats(f, i, COLUMNS),
    )
    y, v, slow = motion[AT], motion[MOVING], SLOW * clock[FASTEST]
    before = np.zeros(int(clock[COUNT]), np.int64)
    for c in range(len(before)):
        before[c] = touching[c]
    place_tree(machine, y, v, state)
    n = gather(f, i, slow)
    push_apart(f, i, y, v, n)
    contact_rows_of(f, i, touching, n)
    impulses, was = np.zeros(2 * len(touching)), v.copy()
    rubs = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS))
    struck, lost, given, n = impact_without_grazing(f, i, y, v, n, slow, impulses)
    if struck > 1:
        clock[COUNT] = n
        return struck
    kept, felt = 0, NOT_FELT * impulses[:n].max() if n else 0.0
    for c in range(n):
        candidate, leaving, opening = touching[c], along_row(rows, c, v), along_row(rows, c, was)
        new = True
        for k in range(len(before)):
            new = new and before[k] != candidate
        if candidate >= rubs:
            new = False
        elif struck == 1 and impulses[c] > felt:
            note(f, i, IMPACT, candidate, (impulses[c], impulses[n + c], opening, lost, given))
            lost, given = 0.0, 0.0
            if new and leaving > slow:  # it rebounds
                note(f, i, RELEASE, candidate, (0.0, 0.0, leaving, 0.0, 0.0))
            new = False
        if new and leaving <= slow:
            note(f, i, CONTACT, candidate, (0.0, 0.0, opening, 0.0, 0.0))
        if leaving <= slow:
            along = along_row(rows, n + c, v) if columns[MU, c] > 0.0 else 0.0
            keep_touching(f, i, kept, candidate, STICK, along, columns[MU, c], slow)
            kept += 1
    clock[COUNT] = kept
    if given != 0.0 or lost != 0.0:
        note(f, i, WORK_ALONE, -1, (0.0, 0.0, 0.0, lost, given))
    for k in range(len(before)):
        gone = True
        for c in range(kept):
            gone = gone and touching[c] != before[k]
        if gone:
            note(f, i, RELEASE, before[k], (0.0, 0.0, 0.0, 0.0, 0.0))
    return DONE


@kernel(sample=sample_blocks, separate=True, bare=True)
def tidy(f, i):  # type: ignore[no-untyped-def]
    """After a step: contacts without force that part are released; muted ones that are apart wake again."""
    clock, motion, touching = floats(f, i, CLOCK)[0], floats(f, i, MOTION), integers(f, i, TOUCHING)
    touch, slow, n, v = (
        floats(f, i, CONTROL)[0, TOUCH],
        SLOW * clock[FASTEST],
        int(clock[COUNT]),
        motion[MOVING],
    )
    rows, columns, contacts = floats(f, i, ROWS), floats(f, i, COLUMNS), floats(f, i, CONTACTS)
    asleep, travel, listed = floats(f, i, ASLEEP), floats(f, i, TRAVEL)[0], integers(f, i, LISTED)
    place_tree(machine_of(f, i), motion[AT], v, state_of(f, i))
    contact_rows_of(f, i, touching[0], n)
    kept = 0
    for c in range(n):
        candidate, status, leaving = touching[0, c], touching[1, c], along_row(rows, c, v)
        if status == OPEN and (leaving > slow or contacts[c, 0] > PARTED * touch):
            note(f, i, RELEASE, candidate, (0.0, 0.0, leaving, 0.0, 0.0))
        else:
            along = along_row(rows, n + c, v) if columns[MU, c] > 0.0 else 0.0
            keep_touching(f, i, kept, candidate, status, along, columns[MU, c], slow)
            kept += 1
    clock[COUNT] = kept
    for first in range(0, len(listed), TOGETHER):
        end = min(first + TOGETHER, len(listed))
        if not any_within(asleep[0, first:end], ALWAYS):
            continue
        for c in range(first, end):
            acts = asleep[1, c] == 0.0
            for k in range(kept):
                acts = acts or touching[0, k] == c
            distance = 0.0 if acts else parted_by(f, i, c, touch)
            if distance > 0.0:
                asleep[0, c], asleep[1, c] = travel[listed[c, 3]] + distance, 0.0


@kernel(sample=lambda: (*sample_blocks(), 0.01), separate=True, bare=True)
def try_step(f, i, h):  # type: ignore[no-untyped-def]
    """The stages of a step, the last at its end; returns its error over the allowed, or a negative code."""
    motion, speeds, rates, work = (
        floats(f, i, MOTION),
        floats(f, i, STAGE_SPEEDS),
        floats(f, i, STAGE_RATES),
        floats(f, i, WORK),
    )
    n, accuracy, scales = (
        int(floats(f, i, CLOCK)[0, COUNT]),
        floats(f, i, CONTROL)[0, ACCURACY],
        floats(f, i, SCALES)[0],
    )
    y, v, freedoms = work[2], work[3], len(scales)
    for stage in range(1, 7):
        for k in range(freedoms):
            y[k], v[k] = motion[AT, k], motion[MOVING, k]
            for j in range(stage):
                y[k] += h * STAGES[stage, j] * speeds[j, k]
                v[k] += h * STAGES[stage, j] * rates[j, k]
            speeds[stage, k] = v[k]
        code = accelerations(f, i, y, v, n, rates[stage])
        if code:
            return -float(code)
    worst = 0.0
    for k in range(freedoms):
        error_y, error_v = 0.0, 0.0
        for stage in range(7):
            error_y += h * ERRORS[stage] * speeds[stage, k]
            error_v += h * ERRORS[stage] * rates[stage, k]
        fast = max(motion[GREATEST, k], abs(v[k]), scales[k] * accuracy)
        worst = max(worst, abs(error_y) / (accuracy * scales[k]), abs(error_v) / (accuracy * fast))
    return worst


@kernel(sample=sample_blocks, separate=True)
def take_step(f, i):  # type: ignore[no-untyped-def]
    """A step as long as its error allows, as control points; how it went, and its length.

    Bodies are placed at its beginning.
    """
    clock, control, motion = floats(f, i, CLOCK)[0], floats(f, i, CONTROL)[0], floats(f, i, MOTION)
    speeds, rates, end = floats(f, i, STAGE_SPEEDS), floats(f, i, STAGE_RATES), floats(f, i, WORK)[0]
    code = accelerations(f, i, motion[AT], motion[MOVING], int(clock[COUNT]), rates[0])
    if code:
        return code, 0.0
    freedoms, touching, sliding = len(end), integers(f, i, TOUCHING), floats(f, i, SLIDING)[0]
    for c in range(int(clock[COUNT])):
        touching[2, c] = touching[1, c]
        if sliding[c] == 0.0 and touching[1, c] >= FORWARD:
            if begins_to_slide(f, i, c, int(clock[COUNT])):
                sliding[c] = 1.0 if touching[1, c] == FORWARD else -1.0
            else:
                touching[2, c] = STICK
    speeds[0] = motion[MOVING]
    h = min(clock[NEXT], control[LONGEST], control[UNTIL] - clock[NOW])
    least, points = 0.0, floats(f, i, POINTS)  # least: of the next step
    if clock[SWITCH] - clock[NOW] < h:
        least, h = h, clock[SWITCH] - clock[NOW]
    while True:
        error = try_step(f, i, h)
        if 0.0 <= error <= 1.0:
            for k in range(freedoms):
                end[k] = motion[AT, k]
                for stage in range(6):
                    end[k] += h * STAGES[6, stage] * speeds[stage, k]
            control_points(motion[AT], motion[MOVING], rates[0], end, speeds[6], rates[6], h, points)
            error = max(error, sunk_along(f, i, h, int(clock[COUNT])))
            if error <= 1.0:
                break
        integers(f, i, FILLED)[0, VAIN_COUNT] += 1
        h, least = h * (0.2 if error < 0.0 else max(0.2, 0.9 * error**-0.2)), 0.0
        if h < 1e-13 * control[UNTIL]:
            return (int(-error) if error < 0.0 else STUCK), h
    clock[NEXT] = max(least, h * min(5.0, 0.9 * max(error, 1e-10) ** -0.2))
    place_tree(machine_of(f, i), motion[AT], motion[MOVING], state_of(f, i))
    return DONE, h


@kernel(sample=lambda: (*sample_blocks(), 0.01, 0.5), separate=True, bare=True)
def write_step(f, i, h, share):  # type: ignore[no-untyped-def]
    """Writes the step into the log, and goes on to its end, or to where it is cut."""
    clock, motion, points, until = (
        floats(f, i, CLOCK)[0],
        floats(f, i, MOTION),
        floats(f, i, POINTS),
        floats(f, i, CONTROL)[0, UNTIL],
    )
    filled, pairs, bounds, travel = (
        integers(f, i, FILLED)[0],
        integers(f, i, PAIRS),
        floats(f, i, BOUNDS),
        floats(f, i, TRAVEL)[0],
    )
    at = filled[STEP_COUNT]
    step, of_steps = floats(f, i, STEPS)[at], floats(f, i, STEP_POINTS)
    step[0], step[1], step[2] = clock[NOW], h, share
    for p in range(6):
        for k in range(points.shape[1]):
            of_steps[6 * at + p, k] = points[p, k]
    for c in range(floats(f, i, SLIDING).shape[1]):
        acts = c < clock[COUNT]
        integers(f, i, STEP_TOUCHING)[at, c] = integers(f, i, TOUCHING)[0, c] if acts else -1
        floats(f, i, STEP_SLIDING)[at, c] = floats(f, i, SLIDING)[0, c] if acts else 0.0
    filled[STEP_COUNT] = at + 1
    point_on_step(points, h, share, motion[AT], motion[MOVING])
    clock[NOW] += share * h
    for end in (until, clock[SWITCH]):  # what rounding leaves would be a step of its own
        if share == 1.0 and abs(clock[NOW] - end) <= 1e-14 * until:
            clock[NOW] = end
    for pair in range(len(pairs)):  # and what putting back onto contacts may move it
        travel[pair] += share * h * (bounds[pairs[pair, 0], SPEED] + bounds[pairs[pair, 1], SPEED])
        travel[pair] += DEEP * floats(f, i, CONTROL)[0, TOUCH]
    for k in range(motion.shape[1]):
        motion[GREATEST, k] = max(motion[GREATEST, k], abs(motion[MOVING, k]))


@kernel(sample=sample_blocks, separate=True, bare=True)
def begin(f, i):  # type: ignore[no-untyped-def]
    """Puts the start onto closing joints and drives, and finds what touches there; returns how it went."""
    motion = floats(f, i, MOTION)
    floats(f, i, CLOCK)[0, SWITCH] = load_drives(f, i, 0.0)
    for _ in range(_CLOSING):
        project(f, i, motion[AT], motion[MOVING], 0, 0.0)
    return settle(f, i)


@kernel(sample=sample_blocks, separate=True, bare=True)
def advance(f, i):  # type: ignore[no-untyped-def]
    """Advances until its time is over or the log is full; returns how it ended."""
    clock, motion, bounds = floats(f, i, CLOCK)[0], floats(f, i, MOTION), floats(f, i, BOUNDS)
    until, filled, idle = floats(f, i, CONTROL)[0, UNTIL], integers(f, i, FILLED)[0], 0
    measured, room = len(floats(f, i, ACTED)), 4 * floats(f, i, SLIDING).shape[1] + 4
    while clock[NOW] < until:
        steps, events = len(floats(f, i, STEPS)), len(floats(f, i, EVENTS))
        if filled[STEP_COUNT] >= steps or filled[EVENT_COUNT] + room >= events:
            return FULL
        n, begin = int(clock[COUNT]), clock[NOW]
        code, h = take_step(f, i)
        if code or idle > MOST_IDLE:
            return code if code else STUCK
        bound_motion(f, i, h)
        for body in range(len(bounds)):
            clock[FASTEST] = max(clock[FASTEST], bounds[body, SPEED])
        if measured:
            fastest_measured(f, i, h)
        touched = first_touch(f, i, h, n)
        if measured:
            place_on_step(f, i, h, 0.0)
            touched = first_stop(f, i, h, n, touched)
        changed = first_change(f, i, h, min(touched, 1.0), n, SLOW * clock[FASTEST])
        slipped = first_slip(f, i, h, min(touched, changed, 1.0), n)
        share = min(touched, changed, slipped, 1.0)
        write_step(f, i, h, share)
        idle = idle + 1 if clock[NOW] - begin < 1e-12 * until else 0
        project(f, i, motion[AT], motion[MOVING], n, clock[NOW])
        switches = clock[NOW] >= clock[SWITCH]
        if switches:
            clock[SWITCH] = load_drives(f, i, clock[NOW])
        if min(touched, changed, slipped) > 1.0 and not switches:
            tidy(f, i)
            continue
        code = settle(f, i)
        if code:
            return code
    return DONE
