"""Impacts at an instant, down to rebounds that are too low to tell from none.

Rebounds of a part that falls back follow each other in a geometric series, infinitely many of them in a
finite time, and so do those of two corners by turns. Where the next rebound would not rise higher than
`LOWEST`, its contact closes: velocities lose what opens it, by the least change of energy, which only takes
energy.

A pin that fits its slot without play touches both corners of the slot's mouth just as they let it in: the sum
of the two gaps goes with the square of how far it still has to go, so the second corner closes slower and
slower, and is never met. Where it comes as near as to touch it still closes, and no impulse between the two
corners stops that but one that stops the machine. So where contacts block each other, or would take impulses
out of proportion to how fast they close, those are left out that turn round by themselves, going by how their
gaps change and how fast that changes, before they are deeper than `_GRAZES`. The search for touches watches
them from there on: one that sinks after all is looked at again, and blocks.
"""

from __future__ import annotations

import math

import numpy as np

from detent.mechanics.tree_kernels import energies, place_tree
from detent.motion.rigid.changes import correct
from detent.motion.rigid.forces import (
    accelerations,
    build_problem,
    contact_rows_of,
    held_rows_of,
    prepare,
    tangent_row,
)
from detent.motion.rigid.layout import (
    COLUMNS,
    CONTACTS,
    CONTROL,
    DRIVEN,
    FORCE,
    GREATEST,
    HELD,
    LISTED,
    MASS,
    MOTION,
    MU,
    PAIRS,
    PROBLEM,
    RATE,
    ROWS,
    SCALES,
    SIZE,
    SLIDING,
    SPANS,
    STATE,
    STOPS,
    TOUCH,
    TOUCHING,
    UNTIL,
    floats,
    integers,
    machine_of,
    state_of,
)
from detent.motion.rigid.search import DEEPEST
from detent.motion.rigid.tables import sample_blocks
from detent.motion.rigid.touching import strike
from detent.numeric.contact_problem import STICK
from detent.numeric.dense import solve_dense, solve_factored
from detent.numeric.kernels import kernel

# In distances at which features touch: a rebound that rises less is taken as none. So high can a candidate
# that does not act be told from one that touches.
LOWEST = DEEPEST
# Of the whole time: one that lasts less is none.
_BRIEFEST = 1e-11
# Of the greatest speeds: a change that is less is next to nothing.
_NUDGE = 1e-5
# In distances at which features touch: a contact that turns round before it is so deep only grazes.
_GRAZES = 4.0
# Of the terms of how a gap's speed changes: less of their sum is rounding.
_BENDS = 1e-9
# Of the speed across contacts: a greater change of the speed along them is out of proportion.
_STEEP = 100.0


@kernel(sample=lambda: (np.ones((2, 3)), 1, np.arange(3.0)), bare=True)
def along_row(rows, row, v):  # type: ignore[no-untyped-def]
    """A row times speeds."""
    total = 0.0
    for k in range(len(v)):
        total += rows[row, k] * v[k]
    return total


@kernel(
    sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 1e-9, np.zeros(24, np.bool_)), separate=True
)
def find_low(f, i, y, v, n, slow, low):  # type: ignore[no-untyped-def]
    """Marks contacts that part, but would be back at once; returns whether there are such.

    Accelerations are those of the others, which stay. Bodies are placed, rows are filled, before and after.
    """
    touching, columns, rows = integers(f, i, TOUCHING), floats(f, i, COLUMNS), floats(f, i, ROWS)
    sliding, control = floats(f, i, SLIDING)[0], floats(f, i, CONTROL)[0]
    here, opening, kept = np.zeros(n, np.int64), np.zeros(n), 0
    for c in range(n):
        here[c], opening[c], low[c] = touching[0, c], along_row(rows, c, v), False
    for c in range(n):
        if opening[c] <= slow:
            along = along_row(rows, n + c, v) if columns[MU, c] > 0.0 else 0.0
            touching[0, kept], touching[1, kept], sliding[kept] = here[c], STICK, 0.0
            if abs(along) > slow:
                sliding[kept] = 1.0 if along > 0.0 else -1.0
            kept += 1
    if kept == n:
        return False
    acceleration, found = np.zeros(len(v)), False
    code = accelerations(f, i, y, v, kept, acceleration)
    for c in range(n):
        touching[0, c] = here[c]
    contact_rows_of(f, i, touching[0], n)
    for c in range(n):
        falls = -(columns[RATE, c] + along_row(rows, c, acceleration))
        if code == 0 and opening[c] > slow and falls > 0.0:
            low[c] = opening[c] ** 2 < 2.0 * falls * LOWEST * control[TOUCH]
            low[c] = low[c] or 2.0 * opening[c] < falls * _BRIEFEST * control[UNTIL]
            found = found or low[c]
    return found


@kernel(sample=lambda: (*sample_blocks(), np.ones(1), np.ones(1)), separate=True)
def comes_to_rest(f, i, row, v):  # type: ignore[no-untyped-def]
    """Whether what slides slowly can be stopped by next to nothing; the mass is factored.

    At a dead point a joint hardly turns however fast the machine goes: that is not rest.
    """
    motion, scales, across = floats(f, i, MOTION), floats(f, i, SCALES)[0], row.copy()
    solve_factored(floats(f, i, MASS), across)
    speed, gives, fastest, change = 0.0, 0.0, 0.0, 0.0
    for k in range(len(v)):
        speed, gives = speed + row[k] * v[k], gives + row[k] * across[k]
        fastest = max(fastest, max(abs(v[k]), motion[GREATEST, k]) / scales[k])
        change = max(change, abs(across[k]) / scales[k])
    return change * abs(speed) <= _NUDGE * fastest * gives


@kernel(
    sample=lambda: (*sample_blocks(), np.ones(1), 1, 1e-9, np.zeros(24, np.bool_)),
    separate=True,
)
def close(f, i, v, n, slow, low):  # type: ignore[no-untyped-def]
    """Takes from velocities what opens contacts marked, and what slides where sliding has ended.

    Bodies are placed and the mass is factored, rows are filled.
    """
    rows, columns, held, freedoms = floats(f, i, ROWS), floats(f, i, COLUMNS), floats(f, i, HELD), len(v)
    kept, total = np.zeros((2 * n + len(held), freedoms)), 0
    for r in range(2 * n):
        c = r % n
        if not low[c] and along_row(rows, c, v) > slow:
            continue
        if r >= n and (columns[MU, c] == 0.0 or abs(along_row(rows, r, v)) > 2.0 * slow):
            continue
        if r >= n and not comes_to_rest(f, i, rows[r], v):
            continue
        for k in range(freedoms):
            kept[total, k] = rows[r, k]
        total += 1
    of_contacts = total
    if len(held):
        held_rows_of(f, i)
    for r in range(len(held)):
        for k in range(freedoms):
            kept[total, k] = held[r, k]
        total += 1
    target = np.zeros(total)
    for r in range(of_contacts, total):
        target[r] = along_row(kept, r, v)
    correct(floats(f, i, MASS), kept[:total], 0, np.zeros(total), target, np.zeros(freedoms), v)


@kernel(sample=lambda: (*sample_blocks(), 1, np.ones(1), np.zeros(1), 1e-3), separate=True)
def stops_sliding(f, i, n, was, v, speed):  # type: ignore[no-untyped-def]
    """Whether a change of velocities changes how parts slide out of proportion to a speed across contacts.

    As where two contacts of almost one direction, or of opposite ones, are kept shut together: nothing but
    rest does that. At a stop, how anything moves: a joint at a dead point of others hardly does. Bodies are
    placed.
    """
    listed, pairs, contacts = integers(f, i, LISTED), integers(f, i, PAIRS), floats(f, i, CONTACTS)
    row, rate, touching = np.zeros(len(v)), np.zeros(1), integers(f, i, TOUCHING)[0]
    scales, size = floats(f, i, SCALES)[0], SIZE * floats(f, i, CONTROL)[0, TOUCH]
    rubs = len(listed) + len(floats(f, i, STOPS))
    for c in range(n):
        if len(listed) <= touching[c] < rubs:
            for k in range(len(v)):
                if abs(v[k] - was[k]) * size > _STEEP * speed * scales[k]:
                    return True
        if touching[c] < len(listed):
            pair = listed[touching[c], 3]
            bodies, spans = floats(f, i, STATE), floats(f, i, SPANS)
            tangent_row(contacts[c], bodies, spans, pairs[pair, 0], pairs[pair, 1], row, rate)
            change = 0.0
            for k in range(len(v)):
                change += row[k] * (v[k] - was[k])
            if abs(change) > _STEEP * speed:
                return True
    return False


@kernel(
    sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 1e-9, np.zeros(48)),
    separate=True,
)
def impact(f, i, y, v, n, slow, impulses):  # type: ignore[no-untyped-def]
    """Changes velocities at an instant; fills impulses.

    Returns 0 nothing to do, 1 struck, or why not (`strike`); the energy that contacts take, and that which
    drives give. Bodies are then placed, rows of the contacts filled.
    """
    machine, state, touching = machine_of(f, i), state_of(f, i), integers(f, i, TOUCHING)[0]
    rows, columns = floats(f, i, ROWS), floats(f, i, COLUMNS)
    struck, lost, given, low, part = 0, 0.0, 0.0, np.zeros(n, np.bool_), np.zeros(len(impulses))
    kinetic = energies(machine, state)[0]
    for _ in range(n + 2):  # what closes can make another contact close, or open
        code, taken = strike(f, i, y, v, n, slow, part)
        if code > 1:
            return code, lost, given
        place_tree(machine, y, v, state)
        contact_rows_of(f, i, touching, n)
        lost += taken
        if code == 1:
            struck = 1
            for c in range(2 * n):
                impulses[c] += part[c]
            after = energies(machine, state)[0]
            if len(floats(f, i, DRIVEN)):
                given += after - kinetic + taken
            kinetic = after
        found = find_low(f, i, y, v, n, slow, low)
        ends = False
        for c in range(n):
            if columns[MU, c] > 0.0:
                along = abs(along_row(rows, n + c, v))
                ends = ends or 1e-3 * slow < along <= 2.0 * slow
        if found or ends:
            was, speed = v.copy(), 0.0
            for c in range(n):
                speed = max(speed, along_row(rows, c, v) if low[c] else 0.0)
            close(f, i, v, n, slow, low)
            if found and stops_sliding(f, i, n, was, v, speed):
                v[:], low[:], found = was, False, False  # it rebounds, low as it is
                if ends:
                    close(f, i, v, n, slow, low)
            place_tree(machine, y, v, state)
            contact_rows_of(f, i, touching, n)
            after = energies(machine, state)[0]
            lost, kinetic = lost + max(kinetic - after, 0.0), after
        if not found:
            break
    return struck, lost, given


@kernel(sample=lambda: (1e-10, -1e-5, 1.0), bare=True)
def used_up_in(room, rate, bend):  # type: ignore[no-untyped-def]
    """How long until a value is zero, with its rate and a second rate that stays; infinite where it turns."""
    if room <= 0.0:
        return 0.0
    square = rate * rate - 2.0 * bend * room
    if square < 0.0 or (bend >= 0.0 and rate >= 0.0):
        return math.inf
    if rate > 0.0:  # a difference of nearly equal numbers otherwise
        return (rate + math.sqrt(square)) / -bend
    return 2.0 * room / (math.sqrt(square) - rate)


@kernel(sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 0, 1, 1e-9), separate=True)
def first_to_sink(f, i, y, v, n, total, slow):  # type: ignore[no-untyped-def]
    """Of contacts behind the first n, which act: that which sinks first if it does not; -1 where none does.

    Of each gap that is taken which those of contacts that act leave of it: a sum of gaps that no force of
    theirs changes. Where two contacts oppose each other, that is how much room there is between them. Rows of
    all contacts are filled then.
    """
    columns, rows, contacts = floats(f, i, COLUMNS), floats(f, i, ROWS), floats(f, i, CONTACTS)
    problem, deepest, free = (
        floats(f, i, PROBLEM),
        _GRAZES * floats(f, i, CONTROL)[0, TOUCH],
        np.zeros(len(v)),
    )
    prepare(f, i, y, v)
    contact_rows_of(f, i, integers(f, i, TOUCHING)[0], total)
    if len(floats(f, i, HELD)):
        held_rows_of(f, i)
    for k in range(len(v)):
        free[k] = floats(f, i, FORCE)[0, k]
    build_problem(f, i, total, free, 1.0)
    first, at, matrix, shares = math.inf, -1, np.zeros((n, n)), np.zeros(n)
    for c in range(n, total):
        for r in range(n):
            shares[r] = problem[r, c]
            for q in range(n):
                matrix[r, q] = problem[r, q]
        solve_dense(matrix, shares, n)
        gap, rate, bend = contacts[c, 0], along_row(rows, c, v), columns[RATE, c] + along_row(rows, c, free)
        closes, size = rate <= slow, abs(columns[RATE, c])
        for k in range(len(v)):
            size += abs(rows[c, k] * free[k])
        if abs(bend) <= _BENDS * size:  # what a drive leads at a speed
            bend = 0.0
        for r in range(n):
            gap -= shares[r] * contacts[r, 0]
            rate -= shares[r] * along_row(rows, r, v)
            bend -= shares[r] * (columns[RATE, r] + along_row(rows, r, free))
        lasts = used_up_in(gap + deepest, rate, bend)
        if closes and lasts < first:
            first, at = lasts, c
    return at


@kernel(sample=lambda: (np.zeros(3, np.int64), np.arange(3), np.array([False, True]), 2), bare=True)
def put_first(touching, here, acts, n):  # type: ignore[no-untyped-def]
    """Writes n contacts, those that act before the others, each in their order; returns how many act."""
    kept = 0
    for c in range(n):
        kept += acts[c]
    at, behind = 0, kept
    for c in range(n):
        if acts[c]:
            touching[at] = here[c]
            at += 1
        else:
            touching[behind] = here[c]
            behind += 1
    return kept


@kernel(
    sample=lambda: (*sample_blocks(), np.zeros(1), np.ones(1), 1, 1e-9, np.zeros(48)),
    separate=True,
)
def impact_without_grazing(f, i, y, v, n, slow, impulses):  # type: ignore[no-untyped-def]
    """As `impact`, less contacts that only graze; returns besides how many are left: they come first."""
    machine, state, touching = machine_of(f, i), state_of(f, i), integers(f, i, TOUCHING)[0]
    rows, before, here, closing = floats(f, i, ROWS), v.copy(), touching[:n].copy(), 0.0
    for c in range(n):
        closing = max(closing, -along_row(rows, c, v))
    struck, lost, given = impact(f, i, y, v, n, slow, impulses)
    if struck == 0 or (struck == 1 and not stops_sliding(f, i, n, before, v, closing)):
        return struck, lost, given, n
    acts, pushes = np.zeros(n, np.bool_), np.zeros((n, 2))
    rubs = len(integers(f, i, LISTED)) + len(floats(f, i, STOPS))
    for c in range(n):
        acts[c] = here[c] >= rubs  # a joint that rubs does not sink
    while True:  # of those that would sink the first acts too, until none would
        kept = put_first(touching, here, acts, n)
        v[:], impulses[:] = before, 0.0
        place_tree(machine, y, v, state)
        contact_rows_of(f, i, touching, kept)
        struck, lost, given = impact(f, i, y, v, kept, slow, impulses)
        if kept == n:
            return struck, lost, given, n
        at = first_to_sink(f, i, y, v, kept, n, slow) if struck <= 1 else kept
        if at < 0:
            break
        for c in range(n):
            acts[c] = acts[c] or here[c] == touching[at]
    at = 0
    for c in range(n):
        if acts[c]:
            pushes[c, 0], pushes[c, 1] = impulses[at], impulses[kept + at]
            at += 1
    for c in range(kept, n):
        for k in range(n):  # one that does not close may act as well, without an impulse
            acts[k] = acts[k] or (here[k] == touching[c] and along_row(rows, c, v) >= -slow)
    kept, at = put_first(touching, here, acts, n), 0
    for c in range(n):
        if acts[c]:
            impulses[at], impulses[kept + at] = pushes[c, 0], pushes[c, 1]
            at += 1
    contact_rows_of(f, i, touching, kept)
    return struck, lost, given, kept
