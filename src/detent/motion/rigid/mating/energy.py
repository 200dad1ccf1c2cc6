"""The energy of a rigid mating: what came in, is stored, dampers, contacts and impacts took, is missing."""

from __future__ import annotations

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.leading.energy import EnergyAccount, points_in, powers, stored, summed
from detent.motion.leading.leader import Leader
from detent.motion.rigid.mating.mating_run import ContactSteps, RigidMatingRun


def wrenches_of(steps: ContactSteps, leader: Leader) -> tuple[Floats, Floats]:
    """(k, 6) impulses at the gripper's frame, of the blow that each step begins with, and over it."""
    gripper = leader.gripper[:3, 3] + (steps.states @ leader.moves.T)[:, :3]
    arms = steps.contacts[:, :, 1:4] - gripper[:, None, :]
    inside = (np.arange(arms.shape[1])[None, :] < steps.counts[:, None])[:, :, None]

    def wrench(impulses: Floats) -> Floats:
        forces = np.where(inside, impulses[:, :, 1:], 0.0)
        moments = np.where(inside, np.cross(arms, impulses[:, :, 1:]), 0.0)
        return np.hstack([forces.sum(axis=1), moments.sum(axis=1)])

    return wrench(steps.blows), wrench(steps.impulses)


def taken_by_contacts(steps: ContactSteps, leader: Leader) -> tuple[Floats, Floats]:
    """What they take up to the ends of steps [J], in all, and of it in impacts.

    The wrench of each step goes along the gripper's way in it, an impact's along the mean of its velocities.
    """
    blows, over = wrenches_of(steps, leader)
    way = np.diff(steps.states, axis=0) @ leader.moves.T / steps.lasted[:, None]
    met = (steps.speeds + steps.closing) @ leader.moves.T / 2
    impacts = -np.cumsum(np.sum(blows * met, axis=1))
    taken = impacts.copy()
    taken[1:] -= np.cumsum(np.sum(over[:-1] * way, axis=1))
    return taken, impacts


def energy_of_mating(run: RigidMatingRun) -> EnergyAccount:
    """Of a run, at the ends of its steps."""
    steps, leader, course = run.steps, run.machine.leader, run.machine.course
    times = points_in(steps.times)
    put, lost = powers(leader, course, *steps.at(times), times)
    kept = stored(leader, course, steps.states, steps.speeds, steps.times)
    taken, impacts = taken_by_contacts(steps, leader)
    return EnergyAccount(
        steps.times,
        summed(steps.times, put),
        kept - kept[0],
        summed(steps.times, lost),
        taken,
        float(impacts[-1]),
    )
