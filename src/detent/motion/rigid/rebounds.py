"""Impacts at an instant, down to rebounds that are too low to tell from none.

Rebounds of a part that falls back follow each other in a geometric series, infinitely many of them in a
finite time, and so do those of two corners by turns. Where the next rebound would not rise higher than
`LOWEST`, its contact closes: velocities lose what opens it, by the least change of energy, which only takes
energy.
"""

from __future__ import annotations

import numpy as np

from detent.mechanics.tree_kernels import energies, place_tree
from detent.motion.rigid.changes import correct
from detent.motion.rigid.forces import accelerations, contact_rows_of, held_rows_of
from detent.motion.rigid.layout import (
    COLUMNS,
    CONTROL,
    DRIVEN,
    GREATEST,
    HELD,
    MASS,
    MOTION,
    MU,
    RATE,
    ROWS,
    SCALES,
    SLIDING,
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
from detent.numeric.dense import solve_factored
from detent.numeric.kernels import kernel

# In distances at which features touch: a rebound that rises less is taken as none. So high can a candidate
# that does not act be told from one that touches.
LOWEST = DEEPEST
# Of the whole time: one that lasts less is none.
_BRIEFEST = 1e-11
# Of the greatest speeds: a change that is less is next to nothing.
_NUDGE = 1e-5


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
            close(f, i, v, n, slow, low)
            place_tree(machine, y, v, state)
            contact_rows_of(f, i, touching, n)
            after = energies(machine, state)[0]
            lost, kinetic = lost + max(kinetic - after, 0.0), after
        if not found:
            break
    return struck, lost, given
