"""The energy of a led run: what came in, is stored, was taken by dampers and mating parts, and is missing."""

from __future__ import annotations

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.led.full import CoupledFully
from detent.motion.compliant.led.led_run import CoupledRun
from detent.motion.leading.energy import EnergyAccount, points_in, powers, stored, summed


def energy_of(run: CoupledRun) -> EnergyAccount:
    """Of a run, by (7) or in full."""
    steps = run.steps
    times = points_in(steps.times)
    history = run.history(times)
    taken = -np.sum(history.laws * history.velocity, axis=1)
    if isinstance(run.system, CoupledFully):
        put, lost = _powers_in_full(run.system, history.q, history.v, times)
        kept = _stored_in_full(run.system, steps.coordinates, steps.speeds)
    else:
        leader, course = run.leader, run.system.course
        put, lost = powers(leader, course, history.q, history.v, times)
        kept = stored(leader, course, steps.coordinates, steps.speeds, steps.times)
    mating, impacts = summed(steps.times, taken), 0.0
    if run.contact_work is not None:
        work, in_impacts = run.contact_work
        mating, impacts = mating + work, float(in_impacts[-1])
    given, damped = summed(steps.times, put), summed(steps.times, lost)
    return EnergyAccount(steps.times, given, kept - kept[0], damped, mating, impacts)


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
