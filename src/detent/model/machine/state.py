"""A state of a machine: where its bodies are, and how fast they move.

A body's velocity is that of its own origin, on world axes, then its rotation: (vx, vy, w) in the plane,
(vx, vy, vz, wx, wy, wz) in space. SI throughout. This is the one convention of Detent (docs/conventions.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError
from detent.geometry.pose import matrix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


# How far a quaternion may be from length one: rounding gathered along a run, not another quaternion.
_UNIT = 1e-6


@dataclass(frozen=True, eq=False)
class State:
    """Rows by body, in the order of the System."""

    poses: Floats  # (n, 3) x y angle [m, rad], or (n, 7) x y z w i j k
    velocities: Floats  # (n, 3) or (n, 6) [m/s, rad/s]
    time: float = 0.0  # [s]
    frames: Floats | None = None  # (n, 4, 4), where they are known more closely than through the poses

    def __post_init__(self) -> None:
        """Refuse rows that are not those of bodies, or not numbers."""
        poses, velocities = (np.asarray(rows, float) for rows in (self.poses, self.velocities))
        object.__setattr__(self, "poses", poses)
        object.__setattr__(self, "velocities", velocities)
        if poses.ndim != 2 or poses.shape[1] not in (3, 7):
            remedy = "give one row per body: x, y, angle, or x, y, z and a quaternion"
            raise ModelError.at("state.poses", f"has the shape {poses.shape}", remedy)
        width = 3 if poses.shape[1] == 3 else 6
        if velocities.shape != (len(poses), width):
            remedy = f"give {len(poses)} rows of {width} numbers"
            raise ModelError.at("state.velocities", f"has the shape {velocities.shape}", remedy)
        if not (np.isfinite(poses).all() and np.isfinite(velocities).all()):
            raise ModelError.at("state", "holds what is not a finite number", "give numbers")
        if width == 6 and (np.abs(np.linalg.norm(poses[:, 3:], axis=1) - 1) > _UNIT).any():
            raise ModelError.at("state.poses", "a quaternion is not of length one", "divide it by its length")

    @property
    def dimension(self) -> int:
        return 2 if self.poses.shape[1] == 3 else 3

    @cached_property
    def matrices(self) -> Floats:
        """(n, 4, 4): each body's frame in the world."""
        if self.frames is not None:
            return self.frames
        return np.array([matrix_of(row) for row in self.poses]).reshape(-1, 4, 4)

    @cached_property
    def spatial(self) -> Floats:
        """(n, 6): the velocities as those of bodies in space, in the plane too."""
        if self.velocities.shape[1] == 6:
            return self.velocities
        spatial = np.zeros((len(self.velocities), 6))
        spatial[:, [0, 1, 5]] = self.velocities
        return spatial

    def with_velocities(self, velocities: Floats) -> State:
        """The same positions, moving otherwise."""
        rows = np.asarray(velocities, float).reshape(self.velocities.shape)
        return State(self.poses, rows, self.time, self.matrices)
