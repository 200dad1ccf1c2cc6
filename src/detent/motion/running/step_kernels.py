"""Along a run's steps: states, energies, and the work of joints up to a time.

A run of S steps is an array of (when it began, its length, the share of it that counts) and its control
points (S, 6, m), as `numeric.runge_kutta` keeps a step; times are in order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.mechanics.tree_columns import SPEED_X, SPEED_Y, SPIN, TURN, X, Y
from detent.mechanics.tree_kernels import energies, place_tree, plane_state, sample_machine
from detent.numeric.kernels import kernel
from detent.numeric.runge_kutta import point_on_step

# Gauss and Legendre's four nodes and weights between 0 and 1.
NODES = np.array([0.06943184420297371, 0.33000947820757187, 0.6699905217924281, 0.9305681557970262])
WEIGHTS = np.array([0.17392742256872692, 0.3260725774312731, 0.3260725774312731, 0.17392742256872692])
# Columns of energies: kinetic, in springs, in height.
KINETIC, SPRUNG, HEIGHT = range(3)


def sample_run() -> tuple[Any, ...]:
    """Two steps of a sample machine."""
    machine = sample_machine()
    steps = np.array([[0.0, 0.1, 1.0], [0.1, 0.2, 0.5]])
    points = np.linspace(0.0, 0.2, 60).reshape(2, 6, 5) ** 2
    return machine, plane_state(machine), steps, points


@kernel(sample=lambda: (np.array([[0.0, 0.1, 1.0], [0.1, 0.2, 0.5]]), 0, 0.15), bare=True)
def step_of(steps, at, t):  # type: ignore[no-untyped-def]
    """The step that a time lies in, from step `at` on; the last one beyond its end."""
    while at + 1 < len(steps) and steps[at + 1, 0] <= t:
        at += 1
    return at


@kernel(
    sample=lambda: (
        *sample_run(), np.array([0.0, 0.05, 0.15]), np.zeros((3, 2, 6)), np.zeros((3, 5, 6)), np.zeros((3, 3))
    )
)  # fmt: skip
def fill_states(machine, state, steps, points, times, joints, bodies, energy):  # type: ignore[no-untyped-def]
    """Fills joints' coordinates and speeds, poses and velocities of bodies, and energies at times."""
    freedoms, at = machine.follow.shape[1], 0
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    for row in range(len(times)):
        at = step_of(steps, at, times[row])
        s = min((times[row] - steps[at, 0]) / steps[at, 1], steps[at, 2])
        point_on_step(points[at], steps[at, 1], s, y, v)
        place_tree(machine, y, v, state)
        for j in range(joints.shape[2]):
            joints[row, 0, j], joints[row, 1, j] = state.joints[0, j], state.joints[1, j]
        for body in range(bodies.shape[1]):
            b, out = state.bodies[body], bodies[row, body]
            out[0], out[1], out[2] = b[X], b[Y], b[TURN]
            out[3], out[4], out[5] = b[SPEED_X], b[SPEED_Y], b[SPIN]
        kinetic, sprung, height, _, _ = energies(machine, state)
        energy[row, KINETIC], energy[row, SPRUNG], energy[row, HEIGHT] = kinetic, sprung, height


@kernel(sample=lambda: (*sample_run(), np.array([0.0, 0.05, 0.15]), np.zeros((3, 2))))
def fill_joint_work(machine, state, steps, points, times, work):  # type: ignore[no-untyped-def]
    """Fills what dampers took and what torques gave up to each time."""
    freedoms, row = machine.follow.shape[1], 0
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    damped, driven = 0.0, 0.0
    for at in range(len(steps)):
        start, h, whole = steps[at, 0], steps[at, 1], steps[at, 2]
        last = at + 1 == len(steps)
        end = start + whole * h
        while True:
            asked = row < len(times) and (times[row] < end or last)
            s = min((times[row] - start) / h, whole) if asked else whole
            took, gave = 0.0, 0.0
            for g in range(4):
                point_on_step(points[at], h, s * NODES[g], y, v)
                place_tree(machine, y, v, state)
                _, _, _, power, given = energies(machine, state)
                took += WEIGHTS[g] * s * h * power
                gave += WEIGHTS[g] * s * h * given
            if not asked:
                damped, driven = damped + took, driven + gave
                break
            work[row, 0], work[row, 1] = damped + took, driven + gave
            row += 1


@kernel(sample=lambda: (*sample_run(), 4, np.zeros((20, 2))))
def sample_kinetic(machine, state, steps, points, looks, samples):  # type: ignore[no-untyped-def]
    """Fills time and kinetic energy at so many places of each step; returns how many there are."""
    freedoms, count = machine.follow.shape[1], 0
    y, v = np.zeros(freedoms), np.zeros(freedoms)
    for at in range(len(steps)):
        for look in range(looks):
            s = steps[at, 2] * look / looks
            point_on_step(points[at], steps[at, 1], s, y, v)
            place_tree(machine, y, v, state)
            samples[count, 0], samples[count, 1] = (
                steps[at, 0] + s * steps[at, 1],
                energies(machine, state)[0],
            )
            count += 1
    return count
