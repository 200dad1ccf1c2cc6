"""What ends a step besides a touch: a contact that parts, leaves its feature, stops or begins to slide.

And how a state that has drifted comes back onto what constrains it.
"""

from __future__ import annotations

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.contact.candidate_gap import contact_of, faces
from detent.mechanics.closing_rows import ANGLE, loop_rows
from detent.mechanics.tree_columns import COSINE, SINE
from detent.mechanics.tree_kernels import place_tree
from detent.motion.rigid.forces import accelerations, contact_rows_of, drive_at, held_rows_of, prepare
from detent.motion.rigid.layout import (
    AFTER,
    CLOSING,
    COLUMNS,
    CONTACTS,
    CONTROL,
    DATA,
    DRIVEN,
    HELD,
    LISTED,
    LOOPS,
    MASS,
    MU,
    PAIRS,
    POINTS,
    POSE_AB,
    RIGHT,
    ROWS,
    SIZE,
    SLIDING,
    SPANS,
    STATE,
    STOPS,
    TOUCH,
    TOUCHING,
    WORK,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.safe_times import DEEP
from detent.motion.rigid.search import LEANING, gap_now, place_on_step
from detent.motion.rigid.stops import friction_of, stop_now
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import FORWARD, OPEN, STICK
from detent.numeric.dense import solve_dense, solve_factored
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude
from detent.numeric.runge_kutta import point_on_step

# A contact without force has parted when its gap is this many times the distance at which features touch.
PARTED = 10.0
# So many times that past its edge's end, or by this sine past its arc's end, a contact has left it: farther
# than where contacts are still gathered.
_PAST = 40.0
# And so many times that a contact may sink, or a joint that closes a loop open, along a step.
_SUNK = 80.0
_TURNED_PAST = 2.0 * LEANING
# Of a step: so long after a contact begins to slide the step ends, so that the next knows it from sticking.
_PAST_SLIP = 1e-6
# Of the greatest acceleration at the contacts without forces: one along a contact that is less is rounding.
_SLIDES = 1e-9


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 0.0), separate=True)
def project(f, i, y, v, n, t):  # type: ignore[no-untyped-def]
    """Puts positions and velocities back onto closed contacts, closing joints and drives.

    By the least change of energy.
    """
    held, touching, sliding = floats(f, i, HELD), integers(f, i, TOUCHING), floats(f, i, SLIDING)[0]
    freedoms, closed, sticks = len(y), np.zeros(n, np.int64), np.zeros(n, np.int64)
    count, stuck = 0, 0
    for c in range(n):
        if touching[1, c] != OPEN:
            closed[count] = touching[0, c]
            rubs = sliding[c] == 0.0 and friction_of(f, i, touching[0, c]) > 0.0
            sticks[count] = rubs and touching[1, c] == STICK
            stuck += sticks[count]
            count += 1
    total = count + len(held) + stuck
    if total == 0:
        return
    prepare(f, i, y, v)
    contact_rows_of(f, i, closed, count)
    if len(held):
        held_rows_of(f, i)
    rows, open_by, closing = np.zeros((total, freedoms)), np.zeros(total), np.zeros(total)
    contacts, of_contacts, driven = floats(f, i, CONTACTS), floats(f, i, ROWS), floats(f, i, DRIVEN)
    for r in range(count):
        open_by[r] = -contacts[r, 0]
        for k in range(freedoms):
            rows[r, k] = of_contacts[r, k]
    for r in range(len(held)):
        for k in range(freedoms):
            rows[count + r, k] = held[r, k]
        open_by[count + r] = -held[r, freedoms]
        drive = r - len(integers(f, i, LOOPS))
        if drive >= 0:
            aim, closing[count + r] = drive_at(driven, drive, t)
            open_by[count + r] += aim
    at = count + len(held)
    for c in range(count):
        if sticks[c]:
            for k in range(freedoms):
                rows[at, k] = of_contacts[count + c, k]
            at += 1
    correct(floats(f, i, MASS), rows, count + len(held), open_by, closing, y, v)


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1), separate=True)
def push_apart(f, i, y, v, n):  # type: ignore[no-untyped-def]
    """Moves parts that are in each other at n contacts until they touch, by the least change of energy.

    As far as putting back onto contacts can have moved them: a start beyond a stop stays, to be refused.
    First with all contacts kept shut; where these leave no room, as of a part that lands flat while drives
    lead the other, those alone that are in each other, and the rest may open. Speeds then go with the loops
    of where parts are: near a dead point that is a change. Bodies are placed, before and after.
    """
    held, contacts, touch = floats(f, i, HELD), floats(f, i, CONTACTS), floats(f, i, CONTROL)[0, TOUCH]
    freedoms, total, moved = len(y), n + len(held), False
    for alone in range(2):
        contact_rows_of(f, i, integers(f, i, TOUCHING)[0], n)
        deepest = 0.0
        for c in range(n):
            if -contacts[c, 0] <= DEEP * touch:
                deepest = max(deepest, -contacts[c, 0])
        if deepest <= touch or not prepare(f, i, y, v):
            break
        rows, open_by, speeds = np.zeros((total, freedoms)), np.zeros(total), np.zeros(total)
        if len(held):
            held_rows_of(f, i)
        for r in range(total):
            if r < n and alone == 1 and -contacts[r, 0] <= touch:
                continue
            for k in range(freedoms):
                rows[r, k] = floats(f, i, ROWS)[r, k] if r < n else held[r - n, k]
                speeds[r] += rows[r, k] * v[k]
            if r < n and -contacts[r, 0] <= DEEP * touch:
                open_by[r] = -contacts[r, 0]
        correct(floats(f, i, MASS), rows, total, open_by, speeds, y, v)
        place_tree(machine_of(f, i), y, v, state_of(f, i))
        moved = True
    loops = len(integers(f, i, LOOPS))
    if not moved or loops == 0 or not prepare(f, i, y, v):
        return
    held_rows_of(f, i)
    rows, speeds = np.zeros((len(held), freedoms)), np.zeros(len(held))
    for r in range(len(held)):
        for k in range(freedoms):
            rows[r, k] = held[r, k]
            speeds[r] += held[r, k] * v[k] if r >= loops else 0.0
    correct(floats(f, i, MASS), rows, 0, np.zeros(len(held)), speeds, y, v)
    place_tree(machine_of(f, i), y, v, state_of(f, i))


@kernel(sample=lambda: (np.eye(2), np.ones((1, 2)), 1, np.full(1, 0.1), np.zeros(1), np.zeros(2), np.ones(2)))
def correct(mass, rows, of_position, open_by, closing, y, v):  # type: ignore[no-untyped-def]
    """Moves by the least change of energy until rows are met: the first `of_position` in place, all in
    speed.
    """
    total, freedoms = rows.shape
    across = np.zeros((total, freedoms))
    for r in range(total):
        for k in range(freedoms):
            across[r, k] = rows[r, k]
            closing[r] -= rows[r, k] * v[k]
        solve_factored(mass, across[r])
    for of_speed in range(2):
        m = total if of_speed else of_position
        matrix, right = np.zeros((m, m)), closing if of_speed else open_by
        for r in range(m):
            for q in range(m):
                for k in range(freedoms):
                    matrix[r, q] += rows[r, k] * across[q, k]
        solve_dense(matrix, right, m)
        for r in range(m):
            for k in range(freedoms):
                if of_speed:
                    v[k] += across[r, k] * right[r]
                else:
                    y[k] += across[r, k] * right[r]


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1), separate=True, bare=True)
def sunk_along(f, i, h, n):  # type: ignore[no-untyped-def]
    """How deep contacts that act sink along a step, and how far joints that close loops open, over the
    allowed: in its middle and at its end.
    """
    touching, deepest, listed = integers(f, i, TOUCHING), 0.0, len(integers(f, i, LISTED))
    for part in range(1, 3):
        placed = False
        for c in range(n):
            if touching[0, c] >= listed:
                continue
            if not placed:
                place_on_step(f, i, h, 0.5 * part)
                placed = True
            deepest = max(deepest, -gap_now(f, i, touching[0, c]))
        if len(integers(f, i, LOOPS)):
            deepest = max(deepest, opened_by(f, i, h, 0.5 * part))
    return deepest / (_SUNK * floats(f, i, CONTROL)[0, TOUCH])


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0.5), separate=True, bare=True)
def opened_by(f, i, h, s):  # type: ignore[no-untyped-def]
    """How far joints that close loops are open at a share of a step, an angle at the machine's size."""
    loops, held, work = integers(f, i, LOOPS), floats(f, i, HELD), floats(f, i, WORK)
    point_on_step(floats(f, i, POINTS), h, s, work[0], work[1])
    place_tree(machine_of(f, i), work[0], work[1], state_of(f, i))
    loop_rows(loops, floats(f, i, CLOSING), floats(f, i, STATE), floats(f, i, SPANS), held)
    most, size = 0.0, SIZE * floats(f, i, CONTROL)[0, TOUCH]
    for r in range(len(loops)):
        arm = size if loops[r, 2] == ANGLE else 1.0
        most = max(most, arm * abs(held[r, held.shape[1] - 2]))
    return most


@kernel(sample=lambda: (*sample_blocks(), 0, 1e-9), separate=True, bare=True)
def past_its_end(f, i, candidate, touch):  # type: ignore[no-untyped-def]
    """Whether a contact has left its edge, or its arc, bodies as they are placed; and its gap."""
    data, listed, pairs, state = (
        floats(f, i, DATA),
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, STATE),
    )
    contacts = floats(f, i, CONTACTS)
    contact_of(data, listed, pairs, state, candidate, floats(f, i, POSE_AB)[0], contacts, 0)
    row, contact = listed[candidate], contacts[0]
    sign = 1.0 if row[4] == 0 else -1.0
    nx, ny, other = sign * contact[3], sign * contact[4], data[row[2]]  # from the first feature to the second
    if other[2] > 0.0 and other[8] != 2.0:
        d = state[pairs[row[3], 1 - row[4]]]
        c, s = d[COSINE], d[SINE]
        if not faces(data, row[2], -c * nx - s * ny, s * nx - c * ny, _TURNED_PAST):
            return True, contact[0]
    if row[0] == EDGE_DISC:
        edge = data[row[1]]
        length, past = magnitude(edge[2] - edge[0], edge[3] - edge[1]), _PAST * touch
        return contact[7] * length < -past or (contact[7] - 1.0) * length > past, contact[0]
    side, e = data[row[1], 3], state[pairs[row[3], row[4]]]
    c, s = side * e[COSINE], side * e[SINE]
    return not faces(data, row[1], c * nx + s * ny, c * ny - s * nx, _TURNED_PAST), contact[0]


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1.0, 1, 1e-9), separate=True, bare=True)
def changed_by(f, i, h, s, n, slow):  # type: ignore[no-untyped-def]
    """Whether a contact has parted, left its feature or stopped sliding at the share s of a step."""
    touching, sliding, work = integers(f, i, TOUCHING), floats(f, i, SLIDING)[0], floats(f, i, WORK)
    touch = floats(f, i, CONTROL)[0, TOUCH]
    place_on_step(f, i, h, s)
    rubbing = False
    stops = len(integers(f, i, LISTED))
    for c in range(n):
        if touching[0, c] < stops:
            past, gap = past_its_end(f, i, touching[0, c], touch)
        elif touching[0, c] < stops + len(floats(f, i, STOPS)):
            past, gap = False, stop_now(f, i, touching[0, c] - stops)[0]
        else:
            past, gap = False, 0.0
        # One that carries force at the end of the step may have parted in between, and come near again:
        # putting it back would put other parts into each other.
        if past or gap > (PARTED if touching[1, c] == OPEN else DEEP) * touch:
            return True
        rubbing = rubbing or sliding[c] != 0.0
    if rubbing:
        place_tree(machine_of(f, i), work[0], work[1], state_of(f, i))
        contact_rows_of(f, i, touching[0], n)
        rows = floats(f, i, ROWS)
        for c in range(n):
            along = 0.0
            for k in range(rows.shape[1]):
                along += rows[n + c, k] * work[1, k]
            if sliding[c] * along < -slow:
                return True
    return False


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1.0, 1, 1e-9), separate=True, bare=True)
def first_change(f, i, h, until, n, slow):  # type: ignore[no-untyped-def]
    """The share of a step, up to `until`, at which that is so first, looked for in quarters; else 2."""
    if n == 0:
        return 2.0
    for part in range(1, 5):
        high = until * part / 4
        if not changed_by(f, i, h, high, n, slow):
            continue
        low = until * (part - 1) / 4
        while high - low > 1e-12 * until:
            middle = 0.5 * (low + high)
            if changed_by(f, i, h, middle, n, slow):
                high = middle
            else:
                low = middle
        return high
    return 2.0


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1.0, 1), separate=True, bare=True)
def slips_by(f, i, h, s, n):  # type: ignore[no-untyped-def]
    """Whether a contact that stuck at the beginning of a step slides at a share of it."""
    touching, work = integers(f, i, TOUCHING), floats(f, i, WORK)
    point_on_step(floats(f, i, POINTS), h, s, work[2], work[3])
    for c in range(n):
        touching[1, c] = touching[2, c]
    if accelerations(f, i, work[2], work[3], n, work[0]):
        return False
    return slides_now(f, i, n)


@kernel(sample=lambda: (*sample_blocks(), 0, 1), separate=True, bare=True)
def begins_to_slide(f, i, c, n):  # type: ignore[no-untyped-def]
    """Whether a contact slides by the forces that were solved for last: with an acceleration along it.

    Of contacts that hold a part together one can be at its limit of friction, while the others hold it.
    """
    columns, greatest = floats(f, i, COLUMNS), 0.0
    if columns[MU, c] == 0.0 or integers(f, i, TOUCHING)[1, c] < FORWARD:
        return False
    for r in range(2 * n):
        greatest = max(greatest, abs(columns[RIGHT, r]))
    return abs(columns[AFTER, n + c]) > _SLIDES * greatest


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def slides_now(f, i, n):  # type: ignore[no-untyped-def]
    """Whether a contact that stuck at the beginning of the step begins to slide."""
    touching, slides = integers(f, i, TOUCHING), False
    for c in range(n):
        slides = slides or (touching[2, c] == STICK and begins_to_slide(f, i, c, n))
    return slides


@kernel(sample=lambda: (*sample_blocks(), 0.1, 1.0, 1), separate=True)
def first_slip(f, i, h, until, n):  # type: ignore[no-untyped-def]
    """The share of a step, up to `until`, at which a contact that stuck begins to slide; 2 where none does.

    Statuses are those of the end of the step. One that slides from the beginning on has been found before.
    """
    touching, sticks = integers(f, i, TOUCHING), False
    for c in range(n):
        sticks = sticks or touching[2, c] == STICK
    if not sticks or until < 1e-3 or (until == 1.0 and not slides_now(f, i, n)):
        return 2.0
    ends = np.zeros(n, np.int64)
    for c in range(n):
        ends[c] = touching[1, c]
    low, high = 0.0, until
    if slips_by(f, i, h, until, n):
        while high - low > 1e-10:
            middle = 0.5 * (low + high)
            if slips_by(f, i, h, middle, n):
                high = middle
            else:
                low = middle
    else:
        low = until
    slipped = low < until and high > 1e-3
    for c in range(n):
        touching[1, c] = touching[2, c] if slipped else ends[c]
    return min(high + _PAST_SLIP, until) if slipped else 2.0
