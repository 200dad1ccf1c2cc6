"""Where contacts of a rigid mating lie on both parts, step after step, and what they carry."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.mating_run import ContactSteps, RigidMatingRun

_AT = 1e-12  # [s]: a blow within it of a window's end counts


@dataclass(frozen=True, eq=False)
class TracedContacts:
    """A row for every contact of every step; points in the frames of the pair's bodies [m]."""

    step: Any  # (n,) of the run's rows
    candidate: Any  # (n,)
    first: Floats  # (n, 3) on the pair's first body
    second: Floats  # (n, 3)
    status: Any  # at the end of the step
    impulses: Floats  # (n, 4) normal, then whole on what is held, over the step
    blows: Floats  # (n, 4) of the impact that the step begins with

    def of(self, rows: Any) -> TracedContacts:
        """Some of them."""
        return TracedContacts(*(getattr(self, name)[rows] for name in self.__dataclass_fields__))


def traced(run: RigidMatingRun) -> TracedContacts:
    """All contacts of a run."""
    steps, machine = run.steps, run.machine
    there = np.arange(steps.candidates.shape[1]) < steps.counts[:, None]
    step, place = np.nonzero(there)
    candidate = steps.candidates[step, place]
    listed = machine.arrays[2][1]
    pairs = machine.candidates.pairs[listed[candidate, 3]] if len(step) else np.zeros((0, 2), np.int64)
    points = steps.contacts[step, place, 1:4]
    poses = [_poses(run, body) for body in range(len(machine.names))]
    both = []
    for side in (0, 1):
        local = np.zeros((len(step), 3))
        for body in set(pairs[:, side].tolist()):
            rows = pairs[:, side] == body
            pose = poses[body][step[rows]]
            local[rows] = np.einsum("nji,nj->ni", pose[:, :, :3], points[rows] - pose[:, :, 3])
        both.append(local)
    status, impulses, blows = (each[step, place] for each in (steps.statuses, steps.impulses, steps.blows))
    return TracedContacts(step, candidate, both[0], both[1], status, impulses, blows)


def _poses(run: RigidMatingRun, body: int) -> Floats:
    """(rows, 3, 4) of a body at the beginnings of steps."""
    from scipy.spatial.transform import Rotation

    machine, states = run.machine, run.steps.states
    drawn = machine.drawn[body]
    if not machine.held[body]:
        return np.broadcast_to(drawn, (len(states), 3, 4))
    moved, gripper = states @ machine.leader.moves.T, machine.leader.gripper[:3, 3]
    turned = Rotation.from_rotvec(moved[:, 3:]).as_matrix()
    at = turned @ (drawn[:, 3] - gripper) + gripper + moved[:, :3]
    return np.concatenate([turned @ drawn[:, :3], at[:, :, None]], axis=2)


@dataclass(frozen=True, eq=False)
class SmoothedForce:
    """Means over a time about each instant of what acts over steps, blows included."""

    times: Floats  # (k + 1,)
    impulse: Floats  # (k + 1, m): up to each time, its own blow left out
    blow: Floats  # (k + 1, m)

    def mean(self, at: Any, over: float) -> Floats:
        """(n, m) means over a window about each time, or what of it the run has."""
        at = np.asarray(at, float)
        since, until = (np.clip(at + side * over / 2, self.times[0], self.times[-1]) for side in (-1, 1))
        return self.between(since, until)

    def between(self, since: Any, until: Any) -> Floats:
        """(n, m) impulses between times over what lies between them; blows at both ends count."""
        first, last = np.atleast_1d(np.asarray(since, float)), np.atleast_1d(np.asarray(until, float))
        low, high = self._until(first - _AT), self._until(last + _AT)
        return np.asarray((high - low) / (last - first)[:, None])

    def corners(self, since: float, until: float, over: float) -> tuple[Floats, Floats]:
        """Times at which means over a window turn or jump, and the means there; they are linear between.

        Windows lie within the run.
        """
        half, end = over / 2, float(self.times[-1])
        first, last = max(since, half), max(since, half, min(until, end) - half)
        middles = np.unique(np.clip(np.concatenate([self.times - half, self.times + half]), first, last))
        return middles, self.between(middles - half, middles + half)

    def _until(self, at: Floats) -> Floats:
        k = np.clip(np.searchsorted(self.times, at, "right") - 1, 0, len(self.times) - 1)
        after = np.minimum(k + 1, len(self.times) - 1)
        lasts = np.where(after > k, self.times[after] - self.times[k], 1.0)
        share = ((at - self.times[k]) / lasts)[:, None]
        over_step = np.where((after > k)[:, None], self.impulse[after] - self.impulse[k] - self.blow[k], 0.0)
        whole = self.impulse[k] + self.blow[k] + share * over_step
        return np.where((at < self.times[0])[:, None], 0.0, whole)


def smoothed(steps: ContactSteps, over_steps: Floats, blows: Floats) -> SmoothedForce:
    """Of impulses (k + 1, m) of each row's step, and of the blow that it begins with."""
    total = np.cumsum(over_steps + blows, axis=0)
    before = np.vstack([np.zeros(total.shape[1]), total[:-1]])
    return SmoothedForce(steps.times, before, blows)
