"""What a run holds without yielding: joints that close loops, and coordinates that drives move.

Accelerations keep their rows (`mechanics.holding`); after each step positions and speeds are put back onto
them, by the least change of energy.
"""

from __future__ import annotations

import math

import numpy as np

from detent.mechanics.closing_rows import loop_rows
from detent.mechanics.holding import hold
from detent.mechanics.tree_kernels import mass_and_force, place_tree
from detent.motion.penalty.tables import sample_overlapping, sample_placed
from detent.numeric.dense import factor
from detent.numeric.kernels import kernel

# Columns of a drive: the coordinate, its speed, its value at the start.
DRIVEN, AT_SPEED, FROM = range(3)


@kernel(sample=lambda: (sample_placed(), 0, np.zeros(3)), separate=True, bare=True)
def coordinate_row(over, j, row):  # type: ignore[no-untyped-def]
    """Writes factors of the independent speeds, the value, and the rate without accelerations, of a
    coordinate, bodies as they are placed."""
    freedoms, tree = over.machine.follow.shape[1], len(over.machine.follow)
    row[freedoms], row[freedoms + 1] = over.state.joints[0, j], 0.0
    for k in range(freedoms):
        row[k] = over.machine.follow[j, k] if j < tree else over.state.measured[j - tree, k]
    if j >= tree:
        row[freedoms + 1] = over.state.measured[j - tree, freedoms + 1]


@kernel(sample=lambda: (sample_placed(),), separate=True, bare=True)
def held_rows_of(over):  # type: ignore[no-untyped-def]
    """Fills the rows of closing joints and of drives."""
    loop_rows(over.loops, over.closing, over.state.bodies, over.state.spans, over.held)
    for d in range(len(over.drives)):
        coordinate_row(over, int(over.drives[d, DRIVEN]), over.held[len(over.loops) + d])


@kernel(sample=lambda: (sample_placed(), np.eye(1), np.ones(1)), separate=True, bare=True)
def keep_held(over, mass, acceleration):  # type: ignore[no-untyped-def]
    """Adds to accelerations what keeps the held rows, with the mass factored and bodies as placed."""
    if len(over.held):
        held_rows_of(over)
        hold(mass, over.held, over.rows, 0, acceleration, 1.0)


@kernel(sample=lambda: (sample_overlapping(), np.zeros(1), np.ones(1), 0.0), separate=True, bare=True)
def project(over, y, v, t):  # type: ignore[no-untyped-def]
    """Puts positions and speeds back onto what is held; returns how far the joints were open at most."""
    rows, freedoms, mass, change = len(over.loops), len(y), over.matrices[4], over.room[5]
    place_tree(over.machine, y, v, over.state)
    mass_and_force(over.machine, over.state, mass, over.force)
    if not factor(mass):
        return 0.0
    held_rows_of(over)
    most = 0.0
    for r in range(len(over.held)):
        row = over.held[r]
        row[freedoms + 1] = row[freedoms]
        if r >= rows:
            drive = over.drives[r - rows]
            row[freedoms + 1] -= drive[FROM] + drive[AT_SPEED] * t
        else:
            most = max(most, abs(row[freedoms]))
    for k in range(freedoms):
        change[k] = 0.0
    hold(mass, over.held, over.rows, 0, change, 1.0)
    for k in range(freedoms):
        y[k] += change[k]
    place_tree(over.machine, y, v, over.state)
    mass_and_force(over.machine, over.state, mass, over.force)
    if not factor(mass):
        return most
    held_rows_of(over)
    for r in range(len(over.held)):
        over.held[r, freedoms + 1] = -over.drives[r - rows, AT_SPEED] if r >= rows else 0.0
    hold(mass, over.held, over.rows, 0, v, 1.0)
    return most if math.isfinite(most) else math.inf
