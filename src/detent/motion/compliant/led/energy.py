"""The energy of a led run: what came in, is stored, was taken by dampers and mating parts, and is missing.

Powers are integrated by three points of Gauss in each step, which is of higher order than the step itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.led.full import CoupledFully
from detent.motion.compliant.led.led_run import CoupledRun

_POINTS = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)])
_WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18


@dataclass(frozen=True, eq=False)
class EnergyAccount:
    """At the ends of steps, from the start on [J]."""

    times: Floats
    input: Floats
    stored: Floats
    dissipated: Floats
    mating: Floats

    @property
    def unbalanced(self) -> Floats:
        return np.asarray(self.stored - self.input + self.dissipated + self.mating)


def energy_of(run: CoupledRun) -> EnergyAccount:
    """Of a run, by (7) or in full."""
    steps = run.steps
    lasts = np.diff(steps.times)
    times = (steps.times[:-1, None] + lasts[:, None] * _POINTS).ravel()
    history = run.history(times)
    taken = -np.sum(history.laws * history.velocity, axis=1)
    if isinstance(run.system, CoupledFully):
        put, lost = _powers_in_full(run.system, history.q, history.v, times)
        stored = _stored_in_full(run.system, steps.coordinates, steps.speeds)
    else:
        put, lost = _powers(run, history.q, history.v, times)
        stored = _stored(run, steps.coordinates, steps.speeds, steps.times)

    def summed(power: Floats) -> Floats:
        each = lasts * (power.reshape(-1, 3) @ _WEIGHTS)
        return np.concatenate([[0.0], np.cumsum(each)])

    mating = summed(taken)
    if run.contact_work is not None:
        mating = mating + run.contact_work
    return EnergyAccount(steps.times, summed(put), stored - stored[0], summed(lost), mating)


def _powers(run: CoupledRun, q: Floats, v: Floats, times: Floats) -> tuple[Floats, Floats]:
    """What the actuators, or the feet of the springs, give; what dampers take."""
    leader = run.leader
    way, speed = run.system.course.asked(times)
    if leader.arm is not None:
        linear = leader.arm.linear
        joints = leader.joints_per_metre
        off, off_rates = q @ linear.actuated - way @ joints.T, v @ linear.actuated - speed @ joints.T
        given = -linear.gains * off - linear.gain_damping * off_rates
        return np.sum(given * (v @ linear.actuated), axis=1), np.sum(v @ linear.damping * v, axis=1)
    feet, moving = way @ run.leader.feet.T, speed @ run.leader.feet.T
    force = (feet - q) @ leader.stiffness + (moving - v) @ leader.damping
    return np.sum(force * moving, axis=1), np.sum((moving - v) @ leader.damping * (moving - v), axis=1)


def _stored(run: CoupledRun, q: Floats, v: Floats, times: Floats) -> Floats:
    leader = run.leader
    off, stiffness = q, leader.stiffness
    if leader.arm is not None:
        stiffness = leader.arm.linear.stiffness
    else:
        off = q - run.system.course.asked(times)[0] @ leader.feet.T
    return np.asarray(np.sum(v @ leader.mass * v + off @ stiffness * off, axis=1) / 2)


def _powers_in_full(system: CoupledFully, q: Floats, v: Floats, times: Floats) -> tuple[Floats, Floats]:
    arm, geared = system.arm, system.arm.geared
    torques = system.torques(q, v, times)
    motors = np.column_stack([torques[f"motor {k + 1}"] for k in range(arm.actuated.shape[1])])
    twisting = v[:, :geared] - v[:, geared : 2 * geared]
    return np.sum(motors * (v @ arm.actuated), axis=1), np.sum(arm.gear_damping * twisting**2, axis=1)


def _stored_in_full(system: CoupledFully, q: Floats, v: Floats) -> Floats:
    arm, geared = system.arm, system.arm.geared
    found = []
    for row_q, row_v in zip(arm.rest + q, v, strict=True):
        twist = row_q[:geared] - row_q[geared : 2 * geared]
        kinetic = row_v @ arm.mass(row_q) @ row_v / 2
        found.append(
            kinetic
            + np.sum(arm.gear_stiffness * twist**2) / 2
            + arm.arm.potential(row_q[geared:], arm.gravity)
        )
    return np.array(found)
