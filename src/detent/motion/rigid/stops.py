"""Stops at the limits of joints, and the rows of all that acts on measured coordinates.

A stop is a contact of one coordinate: its gap is how far the coordinate is from its end, times a length where
it is an angle, and it does not pull. Behind the candidates, which are pairs of features, a number of
`TOUCHING` is a stop, and behind the stops a joint that rubs, which always touches.
"""

from __future__ import annotations

import math

from detent.mechanics.closing_rows import ACROSS, ANGLE, COORDINATE
from detent.mechanics.measured import measured_now, measured_rows
from detent.mechanics.tree_columns import X, Y
from detent.motion.rigid.bounds import MOST_SPIN, MOST_TURN, coordinate_bounds, point_bounds
from detent.motion.rigid.layout import (
    ACTED,
    ACTED_AT,
    ACTS_ON,
    BODIES,
    BOUNDS,
    CLOCK,
    COLUMNS,
    CONTACTS,
    CONTROL,
    END,
    FACTOR,
    FASTEST,
    FOLLOW,
    FRICTION,
    LISTED,
    MU,
    POINTS,
    RATE,
    RESTITUTION,
    ROWS,
    RUB,
    RUBBING,
    RUBS,
    STATE,
    STOP,
    STOPS,
    TOUCH,
    TOUCHING,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.safe_times import lasting
from detent.motion.rigid.search import MOST_ADVANCES, place_on_step
from detent.motion.rigid.tables import sample_blocks
from detent.numeric.kernels import kernel

# In distances at which features touch: a stop within is touching.
_NEAR = 10.0
# And so much deeper than it was a stop that only grazes has sunk.
_SUNK = 2.0


@kernel(sample=sample_blocks, separate=True, bare=True)
def measure(f, i):  # type: ignore[no-untyped-def]
    """Fills the rows of measured coordinates, bodies as they are placed, with their spans."""
    measured_rows(
        machine_of(f, i), state_of(f, i), integers(f, i, ACTS_ON), floats(f, i, ACTED_AT),
        floats(f, i, ACTED),
    )  # fmt: skip


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def friction_of(f, i, touching):  # type: ignore[no-untyped-def]
    """The coefficient of a contact; of a joint that rubs 1, its normal force is what its load allows."""
    listed = integers(f, i, LISTED)
    if touching < len(listed):
        return floats(f, i, RUB)[listed[touching, 3], FRICTION]
    return 0.0 if touching < len(listed) + len(floats(f, i, STOPS)) else 1.0


@kernel(sample=lambda: (*sample_blocks(), 1), separate=True, bare=True)
def restitution_of(f, i, touching):  # type: ignore[no-untyped-def]
    """Of a contact; a stop does not give back."""
    listed = integers(f, i, LISTED)
    return floats(f, i, RUB)[listed[touching, 3], RESTITUTION] if touching < len(listed) else 0.0


@kernel(sample=lambda: (*sample_blocks(), 1, 0), separate=True, bare=True)
def normal_row(f, i, number, c):  # type: ignore[no-untyped-def]
    """Writes the c-th normal row, of a stop, or nothing of a joint that rubs; they are measured."""
    rows, columns, measured, stops = (
        floats(f, i, ROWS),
        floats(f, i, COLUMNS),
        floats(f, i, ACTED),
        floats(f, i, STOPS),
    )
    freedoms, factor, contacts = rows.shape[1], 0.0, floats(f, i, CONTACTS)
    columns[MU, c], columns[RATE, c], contacts[c, 0] = 0.0 if number < len(stops) else 1.0, 0.0, 0.0
    q = 0
    if number < len(stops):
        q, factor = int(stops[number, STOP]), stops[number, FACTOR]
        contacts[c, 0] = factor * (measured[q, freedoms] - stops[number, END])
        columns[RATE, c] = factor * measured[q, freedoms + 1]
    for k in range(freedoms):
        rows[c, k] = factor * measured[q, k]


@kernel(sample=lambda: (*sample_blocks(), 1, 2), separate=True, bare=True)
def rubbing_row(f, i, number, r):  # type: ignore[no-untyped-def]
    """Writes row r, along which a joint rubs; zero of a stop."""
    rows, columns, measured, rubbing = (
        floats(f, i, ROWS),
        floats(f, i, COLUMNS),
        floats(f, i, ACTED),
        floats(f, i, RUBBING),
    )
    freedoms, at, factor, q = rows.shape[1], number - len(floats(f, i, STOPS)), 0.0, 0
    if at >= 0:
        q, factor = int(rubbing[at, RUBS]), rubbing[at, FACTOR]
    columns[RATE, r] = factor * measured[q, freedoms + 1]
    for k in range(freedoms):
        rows[r, k] = factor * measured[q, k]


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def stop_now(f, i, stop):  # type: ignore[no-untyped-def]
    """The gap at a stop and its speed, bodies as they are placed."""
    row = floats(f, i, STOPS)[stop]
    value, speed = measured_now(
        integers(f, i, ACTS_ON), floats(f, i, ACTED_AT), state_of(f, i), int(row[STOP])
    )
    return row[FACTOR] * (value - row[END]), row[FACTOR] * speed


@kernel(sample=lambda: (*sample_blocks(), 0, 0.1), separate=True, bare=True)
def measured_bounds(f, i, q, h):  # type: ignore[no-untyped-def]
    """The greatest speed and second rate of a measured coordinate along a step.

    Bodies are placed on it, and bounded.
    """
    measures = integers(f, i, ACTS_ON)
    one, other, kind = measures[q, 0], measures[q, 1], measures[q, 2]
    if kind == COORDINATE:
        return coordinate_bounds(floats(f, i, FOLLOW)[one], floats(f, i, POINTS), h)
    bounds, bodies, number = floats(f, i, BOUNDS), floats(f, i, BODIES), floats(f, i, ACTED_AT)[q]
    a, b = bounds[one], bounds[other]
    if kind == ANGLE:
        return a[MOST_SPIN] + b[MOST_SPIN], a[MOST_TURN] + b[MOST_TURN]
    speed, rate = 0.0, 0.0
    for end in range(2):
        body = one if end == 0 else other
        of_end = point_bounds(bodies[body], bounds[body], number[2 * end], number[2 * end + 1])
        speed, rate = speed + of_end[0], rate + of_end[1]
    if kind == ACROSS:  # its direction turns with the first body, and the other may be far along it
        state, spin = floats(f, i, STATE), a[MOST_SPIN]
        far = math.hypot(state[one, X] - state[other, X], state[one, Y] - state[other, Y]) + 2.0 * h * speed
        for k in range(2):
            far += math.hypot(number[2 * k], number[2 * k + 1])
        rate += 2.0 * spin * speed + (a[MOST_TURN] + spin * spin) * far
        speed += spin * far
    return speed, rate


@kernel(sample=lambda: (*sample_blocks(), 0.1), separate=True, bare=True)
def fastest_measured(f, i, h):  # type: ignore[no-untyped-def]
    """Counts speeds of stops and joints that rub among those of points, for what is slow."""
    clock, stops, rubbing = floats(f, i, CLOCK)[0], floats(f, i, STOPS), floats(f, i, RUBBING)
    for k in range(len(stops)):
        speed = measured_bounds(f, i, int(stops[k, STOP]), h)[0]
        clock[FASTEST] = max(clock[FASTEST], abs(stops[k, FACTOR]) * speed)
    for k in range(len(rubbing)):
        speed = measured_bounds(f, i, int(rubbing[k, RUBS]), h)[0]
        clock[FASTEST] = max(clock[FASTEST], abs(rubbing[k, FACTOR]) * speed)


@kernel(sample=lambda: (*sample_blocks(), 0.1, 0, 2.0), separate=True, bare=True)
def first_stop(f, i, h, n, earliest):  # type: ignore[no-untyped-def]
    """The share of a step, before `earliest`, at which a joint first comes to a limit; else `earliest`.

    Bodies are placed at the beginning of the step. What the gap, its speed and the bound on its second rate
    allow is never stepped over. A stop that touches and closes where the step begins, without acting, only
    grazes (`rebounds`): it counts where it sinks.
    """
    stops, touching, listed = floats(f, i, STOPS), integers(f, i, TOUCHING), integers(f, i, LISTED)
    touch = floats(f, i, CONTROL)[0, TOUCH]
    for k in range(len(stops)):
        acts = False
        for c in range(n):
            acts = acts or touching[0, c] == len(listed) + k
        if acts:
            continue
        bend, s, found = abs(stops[k, FACTOR]) * measured_bounds(f, i, int(stops[k, STOP]), h)[1], 0.0, False
        place_on_step(f, i, h, 0.0)
        gap, opening = stop_now(f, i, k)
        grazes = gap <= touch and opening <= 0.0
        sunk = min(gap, 0.0) - _SUNK * touch if grazes else 0.0
        for _ in range(MOST_ADVANCES):
            if s >= min(earliest, 1.0):
                break
            place_on_step(f, i, h, s)
            gap, opening = stop_now(f, i, k)
            found = gap <= (sunk if grazes else touch) and opening <= 0.0
            if found:
                break
            if gap > sunk:
                s += lasting(gap - sunk, opening, bend) / h
            else:  # it opens, and is shut again no sooner than this
                s += 2.0 * opening / (bend * h) if bend > 0.0 else 2.0
        else:
            found = True
        if found:
            earliest = min(earliest, s)
    place_on_step(f, i, h, 0.0)
    return earliest


@kernel(sample=lambda: (*sample_blocks(), 0), separate=True, bare=True)
def add_measured(f, i, n):  # type: ignore[no-untyped-def]
    """Writes stops that touch and joints that rub behind n contacts, bodies as they are placed.

    Returns how many there are then.
    """
    touching, first = integers(f, i, TOUCHING)[0], len(integers(f, i, LISTED))
    stops, touch = len(floats(f, i, STOPS)), floats(f, i, CONTROL)[0, TOUCH]
    for k in range(stops):
        if stop_now(f, i, k)[0] <= _NEAR * touch:
            touching[n] = first + k
            n += 1
    for k in range(len(floats(f, i, RUBBING))):
        touching[n] = first + stops + k
        n += 1
    return n
