"""Which candidates touch at an instant, and what an impact does.

At an instant at which something comes to touch, or leaves the feature that it slid on, all candidates that
are near are looked at again. One that touches locally acts, unless it is just leaving the end of its
edge. The others that touch are muted until they are apart: they would be found again at once. Features may
have been moved into each other, by as much as the accuracy of a step, with parts that were put back onto
their contacts; they touch as well.
"""

from __future__ import annotations

import numpy as np

from detent.contact.at_state import find_contacts
from detent.contact.candidate import EDGE_DISC
from detent.mechanics.tree_columns import COSINE, SINE, SPEED_X, SPEED_Y, SPIN, X, Y
from detent.motion.rigid.forces import (
    BLOCKED,
    build_problem,
    contact_rows_of,
    drive_at,
    held_rows_of,
    prepare,
    runs_into,
    unsolved,
)
from detent.motion.rigid.layout import (
    AFTER,
    ALWAYS,
    ASLEEP,
    AWAKE,
    BEGINS,
    CLOCK,
    COLUMNS,
    CONTROL,
    DATA,
    DRIVEN,
    FASTEST,
    GAUGES,
    HELD,
    IDENTITY,
    INVERSE,
    LISTED,
    LOADS,
    MOST_TOUCHING,
    MU,
    NOTCH,
    NOW,
    ORDER,
    PAIRS,
    PROBLEM,
    RIGHT,
    ROOM,
    ROWS,
    SIZE,
    STATE,
    TOUCH,
    TOUCHING,
    TRAVEL,
    VIEWS,
    floats,
    integers,
)
from detent.motion.rigid.rubbing import NO_FORCES, solve_rubbing
from detent.motion.rigid.safe_times import DEEP
from detent.motion.rigid.search import LEANING, apart, depth_of
from detent.motion.rigid.stops import add_measured, restitution_of
from detent.motion.rigid.sweeps import TOGETHER, any_within, stays_clear, view_pair
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.contact_problem import solve_contact_problem_in, strike_one
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude

# In distances at which features touch: candidates within are near, contacts within are touching.
_NEAR = 10.0
_TOUCHING = 20.0
_ACROSS = 2.0 * LEANING  # so far beyond its end a contact of an arc may be, as a sine
# Of its speed: a drive that is off by more jumps; of that jump, where more is left of it drives contradict.
_JUMPS = 1e-9
_CONTRADICTS = 1e-6


@kernel(sample=sample_blocks, separate=True, bare=True)
def near_now(f, i):  # type: ignore[no-untyped-def]
    """Lists candidates that touch now, or have sunk in, bodies as they are placed; returns how many.

    None is muted then.
    """
    listed, pairs, begins, near, data = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        integers(f, i, BEGINS)[0],
        floats(f, i, AWAKE)[0],
        floats(f, i, DATA),
    )
    asleep, travel, touch, gauges, views = (
        floats(f, i, ASLEEP),
        floats(f, i, TRAVEL)[0],
        floats(f, i, CONTROL)[0, TOUCH],
        floats(f, i, GAUGES),
        floats(f, i, VIEWS),
    )
    deep, count = DEEP * touch, 0
    for pair in range(len(pairs)):
        reached, seen = travel[pair] + deep, False
        for first in range(begins[pair], begins[pair + 1], TOGETHER):
            end = min(first + TOGETHER, begins[pair + 1])
            if not any_within(asleep[0, first:end], reached):
                continue
            for c in range(first, end):
                if asleep[0, c] > reached:
                    continue
                if not seen:
                    view_pair(f, i, pair, 0.0)
                    seen = True
                distance = stays_clear(data, gauges, listed[c], views[listed[c, 4]], 0.0, 0.0, deep)[0]
                if distance <= deep:
                    distance = apart(f, i, c)
                    if distance <= _NEAR * touch or (distance <= deep and depth_of(f, i, c) > 0.0):
                        near[count] = c
                        count += 1
                asleep[0, c], asleep[1, c] = travel[pair] + distance, 0.0
    return count


@kernel(sample=lambda: (*sample_blocks(), 1e-9), separate=True)
def gather(f, i, slow):  # type: ignore[no-untyped-def]
    """Fills the candidates that act now, bodies as they are placed; returns how many."""
    listed, pairs, data, state = (
        integers(f, i, LISTED),
        integers(f, i, PAIRS),
        floats(f, i, DATA),
        floats(f, i, STATE),
    )
    asleep, touch = floats(f, i, ASLEEP), floats(f, i, CONTROL)[0, TOUCH]
    touching, deep, notches = integers(f, i, TOUCHING)[0], DEEP * touch, integers(f, i, NOTCH)
    near, count = floats(f, i, AWAKE)[0], near_now(f, i)
    if count == 0:
        return add_measured(f, i, 0)
    close = np.zeros((count, 5), np.int64)
    for k in range(count):
        c = int(near[k])
        asleep[0, c], asleep[1, c] = ALWAYS, 1.0
        close[k] = listed[c]
    chosen, values = np.zeros(count, np.int64), np.zeros((count, 10))
    within = _TOUCHING * touch
    found = find_contacts(
        data, notches, integers(f, i, IDENTITY)[0], close, pairs, state,
        within, deep, within, LEANING,
        chosen, values,
    )  # fmt: skip
    acts = np.zeros(found, np.bool_)
    for k in range(found):
        row = close[chosen[k]]
        leaves = leaves_its_edge(data, notches[row[1]], row, pairs, state, values[k], within, slow)
        acts[k] = not leaves and not leaves_its_arc(data, row, pairs, state, values[k], within, slow)
    n, identity = 0, integers(f, i, IDENTITY)[0]
    for k in range(found):
        for j in range(found):  # what lies on an edge does not touch its end as well
            acts[k] = acts[k] and not (
                acts[j] and ends_edge(data, identity, notches, close[chosen[j]], close[chosen[k]], touch)
            )
        if n < MOST_TOUCHING and acts[k]:
            touching[n] = int(near[chosen[k]])
            n += 1
    return add_measured(f, i, n)


@kernel(
    sample=lambda: (
        np.ones((3, 9)), np.arange(3), np.full((3, 2), -1), np.array([0, 0, 1, 0, 0]),
        np.array([1, 2, 1, 0, 0]), 1e-9
    ), bare=True
)  # fmt: skip
def ends_edge(data, identity, notches, on_edge, at_end, near):  # type: ignore[no-untyped-def]
    """Whether a contact is that of the corner, or the arc, in which the edge of another contact ends.

    Where a disc lies on an edge it is no nearer to what comes next, but near the end as near as to touch;
    and still closing, though it will only pass. In a notch it lies on both.
    """
    if on_edge[0] != EDGE_DISC or at_end[0] == EDGE_DISC or on_edge[3] != at_end[3]:
        return False
    beside, disc = (at_end[1], at_end[2]) if on_edge[4] == at_end[4] else (at_end[2], at_end[1])
    before, after = notches[on_edge[1]]
    if identity[disc] != identity[on_edge[2]] or beside in (before, after):
        return False
    edge, end, meets = data[on_edge[1]], data[beside], False
    for k in (4, 6):
        x, y = end[0] + end[2] * end[k], end[1] + end[2] * end[k + 1]
        for q in (0, 2):
            meets = meets or magnitude(edge[q] - x, edge[q + 1] - y) <= near
    return meets


@kernel(
    sample=lambda: (
        np.ones((2, 9)), np.array([-1, -1]), np.array([0, 0, 1, 0, 0]), np.array([[0, 1]]),
        np.arange(20.0).reshape(2, 10), np.ones(10), 1e-9, 1e-9,
    ), bare=True
)  # fmt: skip
def leaves_its_edge(data, notch, row, pairs, state, contact, near, slow):  # type: ignore[no-untyped-def]
    """Whether a contact at the end of its edge moves beyond it, does not close there, is not in a notch."""
    if row[0] != EDGE_DISC:
        return False
    edge = data[row[1]]
    length, share = magnitude(edge[2] - edge[0], edge[3] - edge[1]), contact[7]
    at_start = share * length <= near and notch[0] < 0
    at_end = (1.0 - share) * length <= near and notch[1] < 0
    if not at_start and not at_end:
        return False
    a, b = state[pairs[row[3], 0]], state[pairs[row[3], 1]]
    opening = contact[3] * (b[SPEED_X] - a[SPEED_X]) + contact[4] * (b[SPEED_Y] - a[SPEED_Y])
    if opening + contact[6] * b[SPIN] - contact[5] * a[SPIN] < -slow:
        return False
    e, d = (a, b) if row[4] == 0 else (b, a)
    # Of a disc the centre moves along the edge, not the point that touches.
    lift = data[row[2], 2] * (1.0 if row[4] == 0 else -1.0)
    x, y = contact[1] + lift * contact[3], contact[2] + lift * contact[4]
    vx = d[SPEED_X] - d[SPIN] * (y - d[Y]) - e[SPEED_X] + e[SPIN] * (y - e[Y])
    vy = d[SPEED_Y] + d[SPIN] * (x - d[X]) - e[SPEED_Y] - e[SPIN] * (x - e[X])
    ux, uy = (edge[2] - edge[0]) / length, (edge[3] - edge[1]) / length
    along = vx * (e[COSINE] * ux - e[SINE] * uy) + vy * (e[SINE] * ux + e[COSINE] * uy)
    return (at_start and along < -slow) or (at_end and along > slow)


@kernel(
    sample=lambda: (
        np.ones((2, 9)), np.array([1, 0, 1, 0, 0]), np.array([[0, 1]]),
        np.arange(20.0).reshape(2, 10), np.ones(10), 1e-9, 1e-9,
    ), bare=True
)  # fmt: skip
def leaves_its_arc(data, row, pairs, state, contact, near, slow):  # type: ignore[no-untyped-def]
    """Whether a contact at an end of an arc, or of the directions of a corner on an arc, moves beyond it."""
    one, other, on_edge = data[row[1]], data[row[2]], row[0] == EDGE_DISC
    e, d = state[pairs[row[3], row[4]]], state[pairs[row[3], 1 - row[4]]]
    sign = 1.0 if row[4] == 0 else -1.0
    nx, ny, turning = sign * contact[3], sign * contact[4], e[SPIN]  # from the first feature to the second
    if not on_edge:  # the normal goes round with the centres
        ax, ay = e[COSINE] * one[0] - e[SINE] * one[1], e[SINE] * one[0] + e[COSINE] * one[1]
        bx, by = d[COSINE] * other[0] - d[SINE] * other[1], d[SINE] * other[0] + d[COSINE] * other[1]
        x, y = d[X] + bx - e[X] - ax, d[Y] + by - e[Y] - ay
        vx = d[SPEED_X] - d[SPIN] * by - e[SPEED_X] + e[SPIN] * ay
        vy = d[SPEED_Y] + d[SPIN] * bx - e[SPEED_Y] - e[SPIN] * ax
        if x == 0.0 and y == 0.0:
            return False
        turning = (x * vy - y * vx) / (x * x + y * y)
        arm, side = max(one[2], other[2]), one[3]
        if passes_end(one, e, side * nx, side * ny, turning - e[SPIN], arm, near, slow):
            return True
    return other[2] > 0.0 and passes_end(other, d, -nx, -ny, turning - d[SPIN], other[2], near, slow)


@kernel(sample=lambda: (np.ones(9), np.ones(10), 0.6, 0.8, 0.1, 2.0, 1e-9, 1e-9), bare=True)
def passes_end(disc, body, x, y, rate, arm, near, slow):  # type: ignore[no-untyped-def]
    """Whether a direction from a disc's centre, at its arc's end, not across its mouth, turns beyond it."""
    if disc[8] == 2.0:
        return False
    c, s = body[COSINE], body[SINE]
    u, w = c * x + s * y, c * y - s * x
    after_first, before_last = disc[4] * w - disc[5] * u, u * disc[7] - w * disc[6]
    at_first = -_ACROSS < after_first <= near / arm and disc[4] * u + disc[5] * w > 0.0
    at_last = -_ACROSS < before_last <= near / arm and disc[6] * u + disc[7] * w > 0.0
    return (at_first and rate * arm < -slow) or (at_last and rate * arm > slow)


@kernel(sample=lambda: (*sample_blocks(), np.ones(1)), separate=True, bare=True)
def drives_jump(f, i, v):  # type: ignore[no-untyped-def]
    """Puts into the rates of held rows how far speeds are from what they must be; whether a drive jumps."""
    held, driven, clock = floats(f, i, HELD), floats(f, i, DRIVEN), floats(f, i, CLOCK)[0]
    freedoms, jumps, size = len(v), False, SIZE * floats(f, i, CONTROL)[0, TOUCH]
    # What a drive holds at rest is off by rounding: of the fastest point, be it a length or an angle.
    least = _JUMPS * clock[FASTEST] / max(1.0, size)
    for r in range(len(held)):
        speed, aim, d = 0.0, 0.0, r - (len(held) - len(driven))
        for k in range(freedoms):
            speed += held[r, k] * v[k]
        if d >= 0:
            aim = drive_at(driven, d, clock[NOW])[1]
            jumps = jumps or abs(speed - aim) > max(_JUMPS * max(abs(speed), abs(aim)), least)
        held[r, freedoms + 1] = speed - aim
    return jumps


@kernel(sample=lambda: (np.eye(2), np.array([-1.0, 0.5]), np.zeros(2), np.array([1.0, -0.2]), 2), bare=True)
def loss_of(problem, before, jump, impulses, count):  # type: ignore[no-untyped-def]
    """What impulses take: against half the sum of the speeds before and after, that of each on its row.

    `jump` is what drives do to those speeds.
    """
    lost = 0.0
    for c in range(count):
        after = before[c] + jump[c]
        for d in range(count):
            after += problem[c, d] * impulses[d]
        lost -= 0.5 * impulses[c] * (before[c] + after)
    return lost


@kernel(
    sample=lambda: (*sample_blocks(), 1, 1, np.array([-1.0]), np.zeros(1), np.zeros(52)),
    separate=True,
)
def solve_impact(f, i, n, count, right, free, impulses):  # type: ignore[no-untyped-def]
    """Fills impulses after which no contact closes, by speeds without them; returns how it went.

    `free` are changes of velocity by drives alone. The problem is built.
    """
    columns, status, grips = floats(f, i, COLUMNS), np.ones(n, np.int64), floats(f, i, LOADS)
    sliding = np.zeros(n)
    for c in range(count):
        columns[RIGHT, c] = right[c]
    if grips.shape[1] == 0:
        one = n < count == 2 and strike_one(floats(f, i, PROBLEM), right, columns[MU, 0], impulses)
        solved = one or solve_contact_problem_in(
            floats(f, i, PROBLEM), columns[RIGHT], columns[MU], sliding, n, count, status, impulses,
            columns[AFTER], floats(f, i, ROOM), integers(f, i, ORDER),
        )  # fmt: skip
        return 0 if solved else unsolved(f, i, n)
    for r in range(grips.shape[1]):
        grips[0, r] = 0.0
    code = solve_rubbing(f, i, n, count, free, 0.0, sliding, status, impulses, np.zeros(len(free)))
    return unsolved(f, i, n) if code == NO_FORCES else (3 if code else 0)


@kernel(
    sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 1e-9, np.zeros(52)),
    separate=True,
)
def strike(f, i, y, v, n, slow, impulses):  # type: ignore[no-untyped-def]
    """Changes velocities so that no contact closes and drives have their speeds, and fills impulses.

    Returns 0 nothing to do, 1 struck, 2 no solution, 3 loads of joints that rub do not agree, 4 blocked; and
    the energy that the impulses of contacts take.

    Normal speeds after are at least -restitution times those before; friction bounds impulses as it does
    forces. Where contacts of one impact are such that this would make energy (Kane's paradox), rebounds of
    all are lower, by the share at which it makes none; without rebound it never does. Where rebounds cannot
    be, as between walls that a part fits without play, there are none.
    """
    if not prepare(f, i, y, v):
        return 2, 0.0
    touching, freedoms, held = integers(f, i, TOUCHING)[0], len(v), floats(f, i, HELD)
    rows, inverse, problem = floats(f, i, ROWS), floats(f, i, INVERSE), floats(f, i, PROBLEM)
    count, closing, jumps = contact_rows_of(f, i, touching, n), 0.0, False
    if len(held):
        held_rows_of(f, i)
        jumps = drives_jump(f, i, v)
    before, jump, right, rebounds = np.zeros(count), np.zeros(count), np.zeros(count), False
    for c in range(count):
        impulses[c] = 0.0
        for k in range(freedoms):
            before[c] += rows[c, k] * v[k]
        if c < n:
            closing = min(closing, before[c])
    if closing > -slow and not jumps:
        return 0, 0.0
    free = np.zeros(freedoms)
    build_problem(f, i, count, free, 1.0)
    for c in range(count):
        for k in range(freedoms):
            jump[c] += rows[c, k] * free[k]
        right[c] = before[c] + jump[c]
        if c < n and before[c] < -slow and restitution_of(f, i, touching[c]) > 0.0:
            right[c] += restitution_of(f, i, touching[c]) * before[c]
            rebounds = True
        floats(f, i, COLUMNS)[RIGHT, c] = right[c]
    if len(floats(f, i, DRIVEN)) and runs_into(f, i, n, slow):
        return BLOCKED, 0.0
    code = solve_impact(f, i, n, count, right, free, impulses)
    if code and rebounds:  # of a part between others that leave it no room
        rebounds = False
        for c in range(count):
            right[c] = before[c] + jump[c]
        code = solve_impact(f, i, n, count, right, free, impulses)
    if code:
        return code, 0.0
    lost = loss_of(problem, before, jump, impulses, count)
    if lost < 0.0 and rebounds:
        full, plain = impulses[:count].copy(), np.zeros(len(impulses))
        for c in range(count):
            right[c] = before[c] + jump[c]
        if solve_impact(f, i, n, count, right, free, plain) == 0:
            low, high = 0.0, 1.0
            for _ in range(50):
                share = 0.5 * (low + high)
                for c in range(count):
                    impulses[c] = plain[c] + share * (full[c] - plain[c])
                lost = loss_of(problem, before, jump, impulses, count)
                if lost < 0.0:
                    high = share
                else:
                    low = share
    for k in range(freedoms):
        v[k] += free[k]
        for c in range(count):
            v[k] += inverse[c, k] * impulses[c]
    off = np.abs(held[:, freedoms + 1]).max() if jumps else 0.0
    if jumps and drives_jump(f, i, v) and np.abs(held[:, freedoms + 1]).max() > _CONTRADICTS * off:
        return BLOCKED, 0.0  # joints do not allow these speeds together
    return 1, max(lost, 0.0)
