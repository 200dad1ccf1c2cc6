"""The PUMA 560's geometry: the poses of its links at given joint angles.

Standard Denavit-Hartenberg parameters as published by Armstrong, Khatib and
Burdick (1986); the base frame lies on the floor. Angles are the controller's (VAL),
which count joints 2, 3 and 5 in the opposite direction. The flange's frame is at the
wrist's centre with z along the tool.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

SHOULDER = 0.67183  # [m] of the second axis above the floor
# Twist [rad], length and offset [m] of each link.
LINKS = (
    (np.pi / 2, 0.0, SHOULDER),
    (0.0, 0.4318, 0.0),
    (-np.pi / 2, 0.0203, 0.15005),
    (np.pi / 2, 0.0, 0.4318),
    (-np.pi / 2, 0.0, 0.0),
    (0.0, 0.0, 0.0),
)
SENSE = (1.0, -1.0, -1.0, 1.0, -1.0, 1.0)  # of the controller's angles
READY = (0.0, -90.0, 90.0, 0.0, 0.0, 0.0)  # [deg] the arm straight up, where no working point is given


def link_frames(angles: Sequence[float]) -> list[Matrix]:
    """Frames 0 (base) to 6 (flange) in the base, 4 x 4 [m], for the controller's angles [rad]."""
    frames = [np.eye(4)]
    for angle, sense, (twist, length, offset) in zip(angles, SENSE, LINKS, strict=True):
        c, s = np.cos(sense * angle), np.sin(sense * angle)
        ct, st = np.cos(twist), np.sin(twist)
        step = np.array(
            [
                [c, -s * ct, s * st, length * c],
                [s, c * ct, -c * st, length * s],
                [0.0, st, ct, offset],
                [0.0, 0.0, 0.0, 1.0],
            ]
        )
        frames.append(frames[-1] @ step)
    return frames
