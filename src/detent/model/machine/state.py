"""A state of a machine: where its bodies are, and how fast they move.

A body's velocity is that of its own origin, on world axes, then its rotation: (vx, vy, w) in the plane,
(vx, vy, vz, wx, wy, wz) in space. SI throughout. This is the one convention of Detent (docs/conventions.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.geometry.pose import matrix_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class State:
    """Rows by body, in the order of the System."""

    poses: Floats  # (n, 3) x y angle [m, rad], or (n, 7) x y z w i j k
    velocities: Floats  # (n, 3) or (n, 6) [m/s, rad/s]
    time: float = 0.0  # [s]
    frames: Floats | None = None  # (n, 4, 4), where they are known more closely than through the poses

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
