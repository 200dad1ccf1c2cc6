"""A mass on springs and dampers, the simplest robot: six directions by themselves, in its own frame."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from detent.library.robots.linear import LinearRobot
from detent.library.robots.serial_arm import Floats, LinkBody

_NAMES = ("x", "y", "z", "angle_x", "angle_y", "angle_z")


@dataclass(frozen=True)
class SpringCarrier:
    """Its springs hold it where the document places it, weight included; rotations are small."""

    mass: float  # [kg], its centre at the origin
    principal: Floats  # [kg m²]
    stiffness: Floats  # [N/m, N m/rad]
    damping: Floats  # [N s/m, N m s/rad]
    carried: tuple[LinkBody, ...]
    gripper: float  # of its frame along z [m]
    axes: Floats  # of its frame in the world, as columns

    @cached_property
    def linear(self) -> LinearRobot:
        """Its equations of motion; nothing of it is actuated, it is held by its springs."""
        mass = np.diag([self.mass] * 3 + list(self.principal))
        for body in self.carried:
            moves = np.hstack([np.eye(3), -_crossing(body.center)])
            turns = np.hstack([np.zeros((3, 3)), np.eye(3)])
            mass = mass + body.mass * moves.T @ moves + turns.T @ body.inertia @ turns
        at_gripper = np.vstack(
            [
                np.hstack([np.eye(3), -_crossing((0.0, 0.0, self.gripper))]),
                np.hstack([np.zeros((3, 3)), np.eye(3)]),
            ]
        )
        return LinearRobot(
            _NAMES,
            mass,
            np.diag(self.damping),
            np.diag(self.stiffness),
            np.zeros((6, 0)),
            np.zeros(0),
            np.zeros(0),
            np.kron(np.eye(2), self.axes) @ at_gripper,
            np.zeros(6),
        )


def _crossing(vector: Sequence[float]) -> Floats:
    """The matrix that gives vector x w."""
    x, y, z = vector
    return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
