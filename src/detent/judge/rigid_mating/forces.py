"""Forces of a rigid mating as figures are read: means over some milliseconds, impulses included.

The force of a single step is an impulse over the step: where contacts hit it has no limit as steps shrink.
Impulses are added up over time, and a mean is their difference.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.foundation.units import unit_names
from detent.judge.rigid_mating.profile import MatingProfile
from detent.library.robots.serial_arm import Floats
from detent.motion.rigid.mating.mating_run import RigidMatingRun
from detent.motion.rigid.mating.traces import SmoothedForce, smoothed
from detent.record.compliant_mating import CompliantSeries
from detent.record.led.rigid import RigidForce


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
    def totals(self) -> SmoothedForce:
        """The whole contact force."""
        steps, axes = self.run.steps, self.profile.axes
        blows = steps.totals[:, 3:6]
        return smoothed(steps, (steps.totals[:, :3] - blows) @ axes, blows @ axes)

    @cached_property
    def moments(self) -> SmoothedForce:
        """Its moment about the tip."""
        steps = self.run.steps
        arms = steps.contacts[:, :, 1:4] - self.tips[:, None, :]
        inside = (np.arange(arms.shape[1])[None, :] < steps.counts[:, None])[:, :, None]
        over, blows = (
            np.where(inside, np.cross(arms, impulses[:, :, 1:]), 0.0).sum(axis=1) @ self.profile.axes
            for impulses in (steps.impulses, steps.blows)
        )
        return smoothed(steps, over, blows)

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

    def running(self, start: float, end: float, every: float) -> Floats:
        """Times of means over windows within the run."""
        half = self.reading.averaged / 2
        first, last = max(start, half), min(end, float(self.run.steps.times[-1])) - half
        count = max(int((last - first) / every + 1e-9), 0)
        return np.asarray(first + every * np.arange(count + 1), float)

    @cached_property
    def by_candidate(self) -> dict[int, SmoothedForce]:
        """Each candidate's normal force."""
        steps = self.run.steps
        inside = np.arange(steps.candidates.shape[1])[None, :] < steps.counts[:, None]
        found = {}
        for candidate in np.unique(steps.candidates[inside]).tolist():
            mine = inside & (steps.candidates == candidate)
            pushed = np.where(mine, steps.impulses[:, :, 0], 0.0).sum(axis=1)
            blown = np.where(mine, steps.blows[:, :, 0], 0.0).sum(axis=1)
            if (pushed + blown).any():
                found[int(candidate)] = smoothed(steps, pushed[:, None], blown[:, None])
        return found

    @property
    def larger(self) -> str:
        """By how much the peg is larger than its hole; nothing where it is not."""
        scale, unit = 1 / self.run.machine.plan.metres, unit_names(self.run.mechanism.units).length
        return ", ".join(
            f"by {-play * scale:.4g}{unit} along {axis}"
            for axis, play in self.profile.clearance.items()
            if play < 0
        )

    @property
    def not_followed(self) -> str:
        """What of the run is not to be believed; nothing: all contacts are looked for."""
        return ""

    @property
    def touching_at_end(self) -> tuple[str, ...]:
        steps = self.run.steps
        return tuple(self.run.machine.name_of(int(c)) for c in steps.candidates[-1, : steps.counts[-1]])

    def forces_of_steps(self) -> Floats:
        """(k, most) normal force of each contact over each step, without blows [N]."""
        steps = self.run.steps
        inside = np.arange(steps.candidates.shape[1])[None, :] < steps.counts[:-1, None]
        return np.where(inside, steps.impulses[:-1, :, 0] / steps.lasted[:, None], 0.0)


def rigid_force(
    reading: Reading,
    whole: SmoothedForce,
    depth_at: Callable[[Any], Floats],
    since: float,
    until: float,
    series: CompliantSeries,
) -> RigidForce:
    """Of a leg between times: extremes of the running mean, its plateau, its end; x is the way in."""
    times, means = whole.corners(since, until, reading.averaged)
    shallow = (depth_at(times) < reading.chamfer) & (np.abs(means[:, 0]) > 0)
    peak = None
    if shallow.any():
        on = means[shallow, 0]
        peak = float(on[np.argmax(np.abs(on))])
    rows = whole.times[(whole.times >= since) & (whole.times <= until)]
    depths = depth_at(rows)
    inside = rows[(depths >= reading.plateau[0]) & (depths <= reading.plateau[1])]
    plateau = None
    if len(inside) > 1 and inside[-1] > inside[0]:
        plateau = three(whole.between(inside[0], inside[-1])[0])
    return RigidForce(
        peak_chamfer=peak,
        plateau=plateau,
        end=three(means[-1]),
        extreme=float(means[np.argmax(np.abs(means[:, 0])), 0]),
        series=series,
        averaged_s=reading.averaged,
    )


def three(vector: Any) -> tuple[float, float, float]:
    x, y, z = (float(c) for c in vector)
    return x, y, z
