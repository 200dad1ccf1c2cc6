"""An arm whose first joints have elastic gears, under position control: Meitinger & Pfeiffer's robot.

Coordinates are (motors of the first joints, all joints), motors per radian of their joint: nine of a PUMA.
A motor's shaft turns by itself; what its rotor's axis does as the arm moves (a gyroscope's moments) is left
out, as usual. Of joints without an elastic gear the motor's inertia is added to the joint's.

    mass(q) q'' + resisting(q, q') = B u + J' w

(5) of the paper; of its gears (2) the stiffness goes with the angles, the damping with their rates (they are
printed the other way round).
The controller gives what holds the weight at the working point, and acts on deviations from there; the gears
are wound up by the weight, so that the arm, not the motors, is at the working point.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.library.robots.linear import LinearRobot
from detent.library.robots.serial_arm import Floats, SerialArm
from detent.library.robots.urdf_arm import UrdfArm


@dataclass(frozen=True)
class ElasticArm:
    """The robot at its working point; all in the base's frame, angles as the arm's parameters count them."""

    bare: SerialArm | UrdfArm  # without payload
    arm: SerialArm | UrdfArm  # with it
    angles: Floats  # of the joints at the working point [rad]
    reflected: Floats  # inertia of each motor, per radian of its joint [kg m²]
    gravity: Floats  # [m/s²]
    gear_stiffness: Floats  # of the first joints [N m/rad]
    gear_damping_ratio: float
    gains: Floats  # of motors of the first joints and of the other joints [N m/rad]
    gain_damping_ratio: float
    gripper: float  # of its frame along the last link's z [m]
    task_axes: Floats  # columns, in the last link's frame

    @property
    def geared(self) -> int:
        """How many joints have an elastic gear."""
        return len(self.gear_stiffness)

    @property
    def names(self) -> tuple[str, ...]:
        motors = [f"motor {k + 1}" for k in range(self.geared)]
        return (*motors, *(f"joint {k + 1}" for k in range(self.arm.freedoms)))

    @cached_property
    def gripper_at(self) -> tuple[float, float, float]:
        return (0.0, 0.0, self.gripper)

    @cached_property
    def inertia_diagonal(self) -> Floats:
        """Of the arm with payload at the working point, without motors: what damping ratios refer to."""
        return np.diag(self.arm.mass_matrix(self.angles)).copy()

    @cached_property
    def gear_damping(self) -> Floats:
        """[N m s/rad] 2 zeta sqrt(k J)."""
        inertia = self.inertia_diagonal[: self.geared]
        return np.asarray(2 * self.gear_damping_ratio * np.sqrt(self.gear_stiffness * inertia))

    @cached_property
    def gain_damping(self) -> Floats:
        """[N m s/rad] 2 zeta sqrt(K_P (J + J_motor))."""
        inertia = self.inertia_diagonal + self.reflected
        return np.asarray(2 * self.gain_damping_ratio * np.sqrt(self.gains * inertia))

    @cached_property
    def compensation(self) -> Floats:
        """What the controller gives at the working point to hold the weight, payload included [N m]."""
        return self.arm.gravity_torque(self.angles, self.gravity)

    @cached_property
    def rest(self) -> Floats:
        """The coordinates at the working point; gears are wound up by what they carry."""
        wound = self.angles[: self.geared] + self.compensation[: self.geared] / self.gear_stiffness
        return np.concatenate([wound, self.angles])

    @cached_property
    def actuated(self) -> Floats:
        """B: a column per actuator, motors of geared joints, then the other joints."""
        rows = [*range(self.geared), *range(2 * self.geared, self.geared + self.arm.freedoms)]
        matrix = np.zeros((self.geared + self.arm.freedoms, self.arm.freedoms))
        matrix[rows, range(self.arm.freedoms)] = 1.0
        return matrix

    @cached_property
    def bare_mass_matrix(self) -> Floats:
        """Of the joints without payload at the working point, every motor rigidly geared."""
        return self.bare.mass_matrix(self.angles) + np.diag(self.reflected)

    @cached_property
    def bare_gravity_torque(self) -> Floats:
        """What holds the arm without payload at the working point [N m]."""
        return self.bare.gravity_torque(self.angles, self.gravity)

    def mass(self, coordinates: Any) -> Floats:
        """M of (5)."""
        geared, joints = self.geared, np.asarray(coordinates, float)[self.geared :]
        matrix = np.zeros((geared + len(joints),) * 2)
        matrix[:geared, :geared] = np.diag(self.reflected[:geared])
        direct = np.concatenate([np.zeros(geared), self.reflected[geared:]])
        matrix[geared:, geared:] = self.arm.mass_matrix(joints) + np.diag(direct)
        return matrix

    def resisting(self, coordinates: Any, rates: Any) -> Floats:
        """What motors and joints must give where nothing accelerates: gears, Coriolis, weight."""
        geared = self.geared
        q, v = np.asarray(coordinates, float), np.asarray(rates, float)
        twist, twisting = (x[:geared] - x[geared : 2 * geared] for x in (q, v))
        torque = self.gear_stiffness * twist + self.gear_damping * twisting
        joints = self.arm.bias(q[geared:], v[geared:], self.gravity)
        joints[:geared] -= torque
        return np.concatenate([torque, joints])

    def control(
        self, coordinates: Any, rates: Any, wanted: Floats | None = None, wanted_rates: Floats | None = None
    ) -> Floats:
        """What the six actuators give: the weight at the working point, and (8).

        `wanted` are deviations of what each actuator moves from the working point.
        """
        off = self.actuated.T @ (np.asarray(coordinates, float) - self.rest)
        off_rates = self.actuated.T @ np.asarray(rates, float)
        if wanted is not None:
            off = off - wanted
        if wanted_rates is not None:
            off_rates = off_rates - wanted_rates
        return np.asarray(self.compensation - self.gains * off - self.gain_damping * off_rates)

    def acceleration(self, coordinates: Any, rates: Any, torques: Floats, wrench: Any = None) -> Floats:
        """Of the coordinates, under the torques and a wrench on the gripper (in the base's axes)."""
        load = self.actuated @ torques - self.resisting(coordinates, rates)
        if wrench is not None:
            load = load + self.gripper_jacobian(coordinates).T @ np.asarray(wrench, float)
        return np.asarray(np.linalg.solve(self.mass(coordinates), load))

    def gripper_jacobian(self, coordinates: Any) -> Floats:
        """Velocity and rotation of the gripper's frame per rate of the coordinates, in the base's axes."""
        joints = self.arm.jacobian(np.asarray(coordinates, float)[self.geared :], self.gripper_at)
        return np.hstack([np.zeros((6, self.geared)), joints])

    def gripper_frame(self, coordinates: Any) -> Floats:
        """Where the gripper's frame is in the base, 4 x 4."""
        frame = self.arm.frames(np.asarray(coordinates, float)[self.geared :])[-1].copy()
        frame[:3, 3] += self.gripper * frame[:3, 2]
        return frame

    @cached_property
    def task_frame(self) -> Floats:
        """The task's axes at the working point, as columns in the base."""
        return np.asarray(self.arm.frames(self.angles)[-1][:3, :3] @ self.task_axes)

    @cached_property
    def linear(self) -> LinearRobot:
        """(7) about the working point."""
        geared, count = self.geared, self.geared + self.arm.freedoms
        damping, stiffness = np.zeros((count, count)), np.zeros((count, count))
        for matrix, values in ((damping, self.gear_damping), (stiffness, self.gear_stiffness)):
            block = np.diag(values)
            matrix[: 2 * geared, : 2 * geared] = np.block([[block, -block], [-block, block]])
        stiffness[geared:, geared:] += self.arm.gravity_gradient(self.angles, self.gravity)
        along = np.kron(np.eye(2), self.task_frame.T)
        return LinearRobot(
            self.names,
            self.mass(self.rest),
            damping,
            stiffness,
            self.actuated,
            self.gains,
            self.gain_damping,
            along @ self.gripper_jacobian(self.rest),
            np.zeros(count),
        )

    def gear_compliance(self, tool: float, compliances: Sequence[float]) -> Floats:
        """How far a point of the tool gives way to a force where the geared joints alone do, 3 x 3.

        `compliances` [rad/(N m)] are those of the geared joints; along the task's axes.
        """
        moves = self.arm.jacobian(self.angles, (0.0, 0.0, tool))[:3, : self.geared]
        moves = self.task_frame.T @ moves
        return np.asarray(moves @ np.diag(np.asarray(compliances, float)) @ moves.T)
