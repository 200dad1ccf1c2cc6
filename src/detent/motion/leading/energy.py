"""The energy of what is led by the equations about the drawing: what came in, is stored, dampers took.

Powers are integrated by three points of Gauss in each step, which is of higher order than the step itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.leading.course import LedPath
from detent.motion.leading.leader import Leader

_POINTS = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15)])
_WEIGHTS = np.array([5.0, 8.0, 5.0]) / 18


@dataclass(frozen=True, eq=False)
class EnergyAccount:
    """At the ends of steps, from the start on [J]."""

    times: Floats
    input: Floats
    stored: Floats
    dissipated: Floats
    mating: Floats  # what mating parts took
    impacts: float = 0.0  # of it, at the end, what their impacts took

    @property
    def unbalanced(self) -> Floats:
        return np.asarray(self.stored - self.input + self.dissipated + self.mating)


def points_in(times: Floats) -> Floats:
    """Where powers are looked at, between the ends of steps."""
    return np.asarray((times[:-1, None] + np.diff(times)[:, None] * _POINTS).ravel())


def summed(times: Floats, power: Floats) -> Floats:
    """The energy up to each end of a step, of a power at `points_in`."""
    each = np.diff(times) * (power.reshape(-1, 3) @ _WEIGHTS)
    return np.concatenate([[0.0], np.cumsum(each)])


def powers(leader: Leader, course: LedPath, q: Floats, v: Floats, times: Floats) -> tuple[Floats, Floats]:
    """What the actuators, or the feet of the springs, give; what dampers take."""
    way, speed = course.asked(times)
    if leader.arm is not None:
        linear = leader.arm.linear
        joints = leader.joints_per_metre
        off, off_rates = q @ linear.actuated - way @ joints.T, v @ linear.actuated - speed @ joints.T
        given = -linear.gains * off - linear.gain_damping * off_rates
        return np.sum(given * (v @ linear.actuated), axis=1), np.sum(v @ linear.damping * v, axis=1)
    feet, moving = way @ leader.feet.T, speed @ leader.feet.T
    force = (feet - q) @ leader.stiffness + (moving - v) @ leader.damping
    return np.sum(force * moving, axis=1), np.sum((moving - v) @ leader.damping * (moving - v), axis=1)


def stored(leader: Leader, course: LedPath, q: Floats, v: Floats, times: Floats) -> Floats:
    """In motion and in springs."""
    off, stiffness = q, leader.stiffness
    if leader.arm is not None:
        stiffness = leader.arm.linear.stiffness
    else:
        off = q - course.asked(times)[0] @ leader.feet.T
    return np.asarray(np.sum(v @ leader.mass * v + off @ stiffness * off, axis=1) / 2)
