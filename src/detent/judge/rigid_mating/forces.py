"""Forces of a rigid mating as figures are read: means over some milliseconds, impulses included.

The force of a single step is an impulse over the step: where contacts hit it has no limit as steps shrink.
Impulses are added up over time, and a mean is their difference.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.judge.rigid_mating.profile import MatingProfile
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.mating_run import RigidMatingRun


@dataclass(frozen=True)
class Reading:
    """How figures are read."""

    averaged: float = 5e-3  # [s]
    chamfer: float = 6e-3  # [m] the tip's depth up to which the chamfer's peak counts
    plateau: tuple[float, float] = (20e-3, 30e-3)  # [m]
    second: float = 20e-3  # [m] the tip's depth from which a second contact counts
    loaded: float = 1.0  # [N] what counts as a loaded contact


@dataclass(frozen=True, eq=False)
class MatingForces:
    """A run with its profile; all on the task's axes."""

    run: RigidMatingRun
    profile: MatingProfile
    reading: Reading = Reading()

    @cached_property
    def totals(self) -> tuple[Floats, Floats]:
        """Times, each twice, and the impulse up to there: before the blow at it and after [N s]."""
        return self._added(
            self.run.steps.totals[:, :3] @ self.profile.axes,
            self.run.steps.totals[:, 3:6] @ self.profile.axes,
        )

    @cached_property
    def moments(self) -> tuple[Floats, Floats]:
        """The same of the moment about the tip, on the task's axes."""
        steps = self.run.steps
        tips = self.tips
        arms = steps.contacts[:, :, 1:4] - tips[:, None, :]
        inside = np.arange(arms.shape[1])[None, :] < steps.counts[:, None]
        over = np.where(inside[:, :, None], np.cross(arms, steps.impulses[:, :, 1:]), 0.0).sum(axis=1)
        blows = np.where(inside[:, :, None], np.cross(arms, steps.blows[:, :, 1:]), 0.0).sum(axis=1)
        return self._added((over + blows) @ self.profile.axes, blows @ self.profile.axes)

    def _added(self, whole: Floats, blows: Floats) -> tuple[Floats, Floats]:
        """`whole` has impulses of rows with their blows."""
        times = self.run.steps.times
        before = np.vstack([np.zeros(whole.shape[1]), np.cumsum(whole, axis=0)[:-1]])
        both = np.stack([before, before + blows], axis=1).reshape(-1, whole.shape[1])
        return np.repeat(times, 2), both

    def mean(self, added: tuple[Floats, Floats], since: Any, until: Any) -> Floats:
        """(m, k) between times; blows at both ends count."""
        times, impulses = added
        first, last = np.atleast_1d(np.asarray(since, float)), np.atleast_1d(np.asarray(until, float))
        out = np.empty((len(first), impulses.shape[1]))
        for k in range(impulses.shape[1]):
            low = np.interp(first - 1e-12, times, impulses[:, k])
            high = np.interp(last + 1e-12, times, impulses[:, k])
            out[:, k] = (high - low) / (last - first)
        return out

    @cached_property
    def tips(self) -> Floats:
        """(k + 1, 3) of the tip's middle, in the world [m]."""
        from scipy.spatial.transform import Rotation

        leader = self.run.machine.leader
        moved, gripper = self.run.steps.states @ leader.moves.T, leader.gripper[:3, 3]
        turned = Rotation.from_rotvec(moved[:, 3:])
        return np.asarray(gripper + moved[:, :3] + turned.apply(self.profile.tip - gripper))

    @cached_property
    def depths(self) -> Floats:
        """(k + 1,) of the tip below the block's face, at ends of steps [m]."""
        return np.asarray(self.tips @ self.profile.axes[:, 0] - self.profile.face)

    def depth_at(self, times: Any) -> Floats:
        return np.asarray(np.interp(times, self.run.steps.times, self.depths), float)

    def running(self, start: float, end: float, every: float) -> tuple[Floats, Floats]:
        """Times and the means around them: windows within the run."""
        half = self.reading.averaged / 2
        first, last = max(start, half), min(end, float(self.run.steps.times[-1])) - half
        count = max(int((last - first) / every + 1e-9), 0)
        times = first + every * np.arange(count + 1)
        return np.asarray(times, float), self.mean(self.totals, times - half, times + half)

    @cached_property
    def by_candidate(self) -> dict[int, tuple[Floats, Floats]]:
        """Each candidate's normal impulse up to times, as `totals`."""
        steps = self.run.steps
        inside = np.arange(steps.candidates.shape[1])[None, :] < steps.counts[:, None]
        found = {}
        for candidate in np.unique(steps.candidates[inside]).tolist():
            mine = inside & (steps.candidates == candidate)
            pushed = np.where(mine, steps.impulses[:, :, 0], 0.0).sum(axis=1)
            blown = np.where(mine, steps.blows[:, :, 0], 0.0).sum(axis=1)
            if (pushed + blown).any():
                found[int(candidate)] = self._added((pushed + blown)[:, None], blown[:, None])
        return found

    def forces_of_steps(self) -> Floats:
        """(k, most) normal force of each contact over each step, without blows [N]."""
        steps = self.run.steps
        inside = np.arange(steps.candidates.shape[1])[None, :] < steps.counts[:-1, None]
        return np.where(inside, steps.impulses[:-1, :, 0] / steps.lasted[:, None], 0.0)
