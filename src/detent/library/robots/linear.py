"""A controlled robot for small motions about its working point: M q'' + P q' + Q q = B u + J' w.

Meitinger & Pfeiffer's equation (7), with their controller (8): u = -K_P (B' q - q_D) - K_D (B' q' - q_D').
P and Q are those of the robot by itself: gears, dampers, and how its weight changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.linalg import LinAlgError

from detent.library.robots.serial_arm import Floats

# Of the largest compliance along or about any axis: what is less gives way to rounding alone.
_RIGID = 1e-12


@dataclass(frozen=True)
class Vibration:
    """A natural vibration of the controlled robot."""

    frequency: float | None  # undamped [Hz]; None where nothing drives it back
    damping_ratio: float | None  # of this shape, as if the dampers left it alone
    shape: Floats  # of the coordinates, its largest entry 1


@dataclass(frozen=True)
class LinearRobot:
    """The matrices of (7) and (8), and what the gripper's frame does per coordinate."""

    names: tuple[str, ...]  # of the coordinates
    mass: Floats  # M
    damping: Floats  # P
    stiffness: Floats  # Q
    actuated: Floats  # B, a column per actuator
    gains: Floats  # K_P, of each actuator
    gain_damping: Floats  # K_D
    jacobian: Floats  # of the gripper's frame along the task's axes: its velocity, then its rotation
    static_load: Floats  # h, what is left of the weight at the working point

    @cached_property
    def controlled_stiffness(self) -> Floats:
        """Q + B K_P B'."""
        return self.stiffness + self.actuated @ np.diag(self.gains) @ self.actuated.T

    @cached_property
    def controlled_damping(self) -> Floats:
        """P + B K_D B'."""
        return self.damping + self.actuated @ np.diag(self.gain_damping) @ self.actuated.T

    @cached_property
    def vibrations(self) -> tuple[Vibration, ...]:
        """Natural vibrations, undamped, from the slowest; a damping ratio is that of each shape alone."""
        from scipy.linalg import eigh

        squares, shapes = eigh(self.controlled_stiffness, self.mass)
        found = []
        for square, shape in zip(squares, shapes.T, strict=True):
            largest = shape[np.argmax(np.abs(shape))]
            if square <= 0:
                found.append(Vibration(None, None, shape / largest))
                continue
            # Shapes are scaled to a modal mass of one.
            ratio = float(shape @ self.controlled_damping @ shape) / (2 * np.sqrt(square))
            found.append(Vibration(float(np.sqrt(square)) / (2 * np.pi), ratio, shape / largest))
        return tuple(found)

    @cached_property
    def poles(self) -> Floats:
        """Eigenvalues of the damped robot [1/s], complex, sorted by size."""
        n = len(self.mass)
        free = np.linalg.solve(self.mass, np.hstack([-self.controlled_stiffness, -self.controlled_damping]))
        values = np.linalg.eigvals(np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), free]))
        order = np.lexsort((values.imag, values.real, np.round(np.abs(values), 9)))
        return np.asarray(values[order])

    @property
    def stable(self) -> bool:
        """Whether every motion about the working point dies away."""
        return bool(np.all(self.poles.real < 0))

    @cached_property
    def compliance(self) -> Floats:
        """How far the gripper gives way to a force [m/N], a moment [rad/(N m)], at rest, 6 x 6."""
        matrix = self.jacobian @ np.linalg.solve(self.controlled_stiffness, self.jacobian.T)
        return np.asarray((matrix + matrix.T) / 2)

    @cached_property
    def gripper_stiffness(self) -> Floats | None:
        """Its inverse [N/m, N m/rad]; None where a direction gives way to no load, at a singular point."""
        values = np.linalg.eigvalsh(self.compliance)
        if values[0] <= _RIGID * values[-1]:
            return None
        try:
            return np.asarray(np.linalg.inv(self.compliance))
        except LinAlgError:
            return None
