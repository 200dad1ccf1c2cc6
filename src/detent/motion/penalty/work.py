"""What contacts store and take along a run: elastic energy of overlaps, what their damping and friction
turn into heat.

Where the set of contacts changes, elastic energy that is no longer there has been taken too: a corner
that slides off the end of an edge, or on to another.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.mechanics.tree_kernels import mass_and_force, place_tree
from detent.motion.penalty.pushes import accelerate, push, sample_touching
from detent.motion.penalty.stepping import _sample
from detent.motion.penalty.tables import DEEPENING, ELASTIC, MOST_TOUCHING, PUSH, RUBBING, SLIDING
from detent.motion.running.step_kernels import NODES, WEIGHTS
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import point_on_step


@kernel(
    sample=lambda: (_sample()[0], np.zeros((6, 1)), 0.1, 0.5, sample_touching(), 1, np.zeros(1), np.zeros(1)),
    separate=True,
    bare=True,
)
def contacts_on_step(over, points, h, s, touching, n, y, v):  # type: ignore[no-untyped-def]
    """Elastic energy of the set's contacts at the share of a step, the power that they take, and the power
    that drives give."""
    point_on_step(points, h, s, y, v)
    place_tree(over.machine, y, v, over.state)
    push(over, v, touching, n)
    stored, power = 0.0, 0.0
    for i in range(n):
        out, overlap = over.pushes[i], -over.values[i, 0]
        stored += 0.5 * out[ELASTIC] * overlap
        power += (out[PUSH] - out[ELASTIC]) * out[DEEPENING] - out[RUBBING] * out[SLIDING]
    return stored, power, drive_power(over, y, v, touching, n) if len(over.drives) else 0.0


@kernel(
    sample=lambda: (_sample()[0], np.zeros(1), np.ones(1), sample_touching(), 1), separate=True, bare=True
)
def drive_power(over, y, v, touching, n):  # type: ignore[no-untyped-def]
    """What drives give, at a state: inertia and all other forces together leave theirs along the speeds."""
    a, mass, power = over.room[2], over.matrices[0], 0.0
    if not accelerate(over, y, v, touching, n, a):
        return 0.0
    mass_and_force(over.machine, over.state, mass, over.force)
    for k in range(len(v)):
        left = -over.force[k]
        for j in range(len(v)):
            left += mass[k, j] * a[j]
        for i in range(n):
            out = over.pushes[i]
            left -= over.rows[i, k] * out[PUSH] + over.rows[MOST_TOUCHING + i, k] * out[RUBBING]
        power += left * v[k]
    return power


def _steps() -> tuple[Any, ...]:
    over, _, log = _sample()
    log.steps[0], log.steps[1] = (0.0, 0.1, 1.0), (0.1, 0.1, 1.0)
    return (
        over,
        log.steps[:2],
        log.points[:2],
        log.touching[:2],
        log.pushing[:2],
        np.array([0.0, 0.15]),
        np.zeros((2, 3)),
    )


@kernel(sample=_steps, separate=True)
def fill_contact_work(over, steps, points, touching, pushing, times, work):  # type: ignore[no-untyped-def]
    """Fills what contacts store at each time, what they took and what drives gave up to it."""
    freedoms, row, taken, given, before = over.machine.follow.shape[1], 0, 0.0, 0.0, 0.0
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    kept = np.zeros((2, touching.shape[1]), np.int64)
    for at in range(len(steps)):
        start, h, n = steps[at, 0], steps[at, 1], 0
        while n < touching.shape[1] and touching[at, n] >= 0:
            kept[0, n], kept[1, n] = touching[at, n], pushing[at, n]
            n += 1
        stored, _, _ = contacts_on_step(over, points[at], h, 0.0, kept, n, y, v)
        taken += before - stored
        last = at + 1 == len(steps)
        while True:
            asked = row < len(times) and (times[row] < start + h or last)
            s = min((times[row] - start) / h, 1.0) if asked else 1.0
            took, gave = 0.0, 0.0
            for g in range(4):
                _, power, driven = contacts_on_step(over, points[at], h, s * NODES[g], kept, n, y, v)
                took += WEIGHTS[g] * s * h * power
                gave += WEIGHTS[g] * s * h * driven
            stored, _, _ = contacts_on_step(over, points[at], h, s, kept, n, y, v)
            if not asked:
                taken, given, before = taken + took, given + gave, stored
                break
            work[row, 0], work[row, 1], work[row, 2] = stored, taken + took, given + gave
            row += 1
