"""Where contacts that push come to pull: the step is taken with all contacts as they are, and cut there.

A step in which a contact stops pushing has a kink in its forces, which its polynomial smooths over: where
parts are a little apart on that says nothing of when the force was zero. So such a step is taken again in
its *mode*: what is shut at its beginning is kept shut along it, with pulls where needed, what sticks is kept
sticking. Forces along it are smooth then, and the instant at which the mode fails first is a root of theirs.
"""

from __future__ import annotations

import numpy as np

from detent.mechanics.tree_kernels import place_tree
from detent.motion.rigid.changes import PARTED, project
from detent.motion.rigid.forces import accelerations, contact_rows_of
from detent.motion.rigid.layout import (
    ACCURACY,
    AFTER,
    ALWAYS,
    ASLEEP,
    AT,
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
    IN_MODE,
    KIND,
    LISTED,
    MASS,
    MOTION,
    MOVING,
    MU,
    NORMAL,
    NOW,
    POINTS,
    PROBLEM,
    RIGHT,
    ROWS,
    SLIDING,
    SOLVED,
    STOPS,
    TIME,
    TOUCH,
    TOUCHING,
    TRAVEL,
    WORK,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.rebounds import along_row
from detent.motion.rigid.search import parted_by
from detent.motion.rigid.sweeps import TOGETHER, any_within
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import OPEN
from detent.numeric.dense import solve_factored
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import NODES, point_on_step

# The last of a jump of velocity that no contact goes with: of a drive.
IMPACT, CONTACT, RELEASE, WORK_ALONE, NOTHING = range(5)
# Of the fastest point: slower than this is at rest.
SLOW = 1e-8
# Of the greatest acceleration at the contacts without forces: a contact that parts slower touches on.
_PARTS = 1e-9
# The same of forces: a pull that is less is rounding.
_PULLS = 1e-11
# Times the accuracy of steps, of the greatest speeds: a change that is more is none of rounding.
_FAR = 1e2
# Of a step: so near the instant is located, and so often it is looked for.
_LOCATED, _LOOKS = 1e-12, 60


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


@kernel(sample=lambda: (*sample_blocks(), np.ones(1), 0, 1e-9, 1e-9), separate=True)
def is_felt(f, i, v, c, impulse, slow):  # type: ignore[no-untyped-def]
    """Whether an impulse could change the speed across a contact by more than rounding; the mass is factored.

    Loops and drives, which only make a contact harder to move, are not asked. Where a run begins nothing is
    known to be slow yet: there the terms of the speed say what rounding is.
    """
    rows, gives, terms = floats(f, i, ROWS), 0.0, 0.0
    across = rows[c].copy()
    solve_factored(floats(f, i, MASS), across)
    for k in range(len(across)):
        gives += rows[c, k] * across[k]
        terms += abs(rows[c, k] * v[k])
    return impulse * gives > max(slow, _PULLS * terms)


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def greatest_right(f, i, n):  # type: ignore[no-untyped-def]
    """The greatest acceleration at n contacts without their forces."""
    columns, greatest = floats(f, i, COLUMNS), 0.0
    for r in range(2 * n):
        greatest = max(greatest, abs(columns[RIGHT, r]))
    return greatest


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def comes_open(f, i, n):  # type: ignore[no-untyped-def]
    """Whether a contact that was shut where the step begins parts, by the forces solved for last."""
    touching, columns = integers(f, i, TOUCHING), floats(f, i, COLUMNS)
    rubs = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS))
    for c in range(n):
        comes = touching[0, c] < rubs and touching[1, c] == OPEN and touching[2, c] != OPEN
        if comes and columns[AFTER, c] > _PARTS * greatest_right(f, i, n):
            return True
    return False


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def drop_parting(f, i, n):  # type: ignore[no-untyped-def]
    """Releases contacts that part where a step begins, by the forces that were solved for last.

    What has only just come to touch, without an impulse, has not touched.
    """
    touching, columns, sliding = integers(f, i, TOUCHING), floats(f, i, COLUMNS), floats(f, i, SLIDING)[0]
    rubs, kept = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS)), 0
    least = _PARTS * greatest_right(f, i, n)
    for c in range(n):
        candidate = touching[0, c]
        if candidate < rubs and touching[1, c] == OPEN and columns[AFTER, c] > least:
            if not unsaid(f, i, candidate):
                note(f, i, RELEASE, candidate, (0.0, 0.0, 0.0, 0.0, 0.0))
            continue
        touching[0, kept], touching[1, kept], sliding[kept] = candidate, touching[1, c], sliding[c]
        touching[2, kept] = touching[2, c]
        kept += 1
    floats(f, i, CLOCK)[0, COUNT] = kept


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def unsaid(f, i, candidate):  # type: ignore[no-untyped-def]
    """Takes back that a candidate has come to touch now, where that was written; returns whether."""
    events, now = floats(f, i, EVENTS), floats(f, i, CLOCK)[0, NOW]
    for k in range(integers(f, i, FILLED)[0, EVENT_COUNT] - 1, -1, -1):
        if events[k, TIME] < now:
            return False
        if events[k, CANDIDATE] == candidate and events[k, KIND] == CONTACT:
            events[k, KIND] = NOTHING
            return True
    return False


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0.5, 1), separate=True, bare=True)
def margin_at(f, i, h, s, n):  # type: ignore[no-untyped-def]
    """By how much the mode of a step holds at a share of it: below zero a contact pulls, or one closes.

    Relative to the greatest acceleration that contacts must prevent there. Friction is not asked: see
    `first_slip`.
    """
    touching, work, columns = integers(f, i, TOUCHING), floats(f, i, WORK), floats(f, i, COLUMNS)
    clock, problem = floats(f, i, CLOCK)[0], floats(f, i, PROBLEM)
    point_on_step(floats(f, i, POINTS), h, s, work[2], work[3])
    clock[IN_MODE] = 1.0
    code = accelerations(f, i, work[2], work[3], n, work[0])
    clock[IN_MODE] = 0.0
    size, gives, least = greatest_right(f, i, n), 0.0, 1.0
    for c in range(n):
        gives = max(gives, problem[c, c])
    if code or size == 0.0 or gives == 0.0:
        return least
    rubs = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS))
    for c in range(n):
        if touching[0, c] >= rubs:
            continue
        if touching[2, c] == OPEN:
            least = min(least, columns[AFTER, c] / size + _PARTS)
        else:
            least = min(least, columns[SOLVED, c] * gives / size + _PULLS)
    return least


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1), separate=True, bare=True)
def first_pull(f, i, h, n):  # type: ignore[no-untyped-def]
    """The share of a step, taken in its mode, at which that fails first; 2 where it holds.

    Looked for between the stages of a step, where forces are solved for; located as a root of the margin.
    Forces are then those just behind it.
    """
    low, at_low, high, at_high = 0.0, -1.0, 2.0, 0.0
    for stage in range(1, 6):
        margin = margin_at(f, i, h, NODES[stage], n)
        if margin < 0.0:
            high, at_high = NODES[stage], margin
            break
        low, at_low = NODES[stage], margin
    if high > 1.0:
        return 2.0
    if low == 0.0:
        at_low = margin_at(f, i, h, 0.0, n)
        if at_low < 0.0:  # by rounding: it held where the step begins
            return 0.0
    side = 0
    for look in range(_LOOKS):  # the Illinois variant of regula falsi, halved at times
        if high - low <= _LOCATED:
            break
        s = 0.5 * (low + high)
        if look % 4 < 3 and at_low > at_high:
            s = low + (high - low) * at_low / (at_low - at_high)
            s = min(max(s, low + 0.25 * _LOCATED), high - 0.25 * _LOCATED)
        margin = margin_at(f, i, h, s, n)
        if margin < 0.0:
            high, at_high = s, margin
            at_low, side = (0.5 * at_low if side == 1 else at_low), 1
        else:
            low, at_low = s, margin
            at_high, side = (0.5 * at_high if side == -1 else at_high), -1
    margin_at(f, i, h, high, n)
    return high


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def let_go(f, i, n):  # type: ignore[no-untyped-def]
    """Releases contacts that pull, by the forces in the mode of the step that were solved for last."""
    touching, columns = integers(f, i, TOUCHING), floats(f, i, COLUMNS)
    rubs, kept = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS)), 0
    sliding = floats(f, i, SLIDING)[0]
    for c in range(n):
        candidate = touching[0, c]
        if candidate < rubs and touching[2, c] != OPEN and columns[SOLVED, c] < 0.0:
            note(f, i, RELEASE, candidate, (0.0, 0.0, 0.0, 0.0, 0.0))
            continue
        touching[0, kept], touching[1, kept], sliding[kept] = candidate, touching[2, c], sliding[c]
        kept += 1
    floats(f, i, CLOCK)[0, COUNT] = kept


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True)
def put_back_and_let_go(f, i, n):  # type: ignore[no-untyped-def]
    """Puts the state back onto contacts where some come to pull, and releases these.

    They are shut there still, unless that takes more than steps are off by: at a dead point of other joints a
    contact that is kept shut takes all speed.
    """
    motion, clock = floats(f, i, MOTION), floats(f, i, CLOCK)[0]
    y, v, far = motion[AT], motion[MOVING], _FAR * floats(f, i, CONTROL)[0, ACCURACY]
    was_y, was_v, changes = y.copy(), v.copy(), False
    project(f, i, y, v, n, clock[NOW])
    for k in range(len(v)):
        changes = changes or abs(v[k] - was_v[k]) > far * motion[GREATEST, k]
    if changes:
        y[:], v[:] = was_y, was_v
    let_go(f, i, n)
    if changes:
        project(f, i, y, v, int(clock[COUNT]), clock[NOW])


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
