"""Poses as rows of doubles: (x, y, angle) in the plane, (x, y, z, w, i, j, k) in space, real part first.

The one place where rows, rotation matrices and quaternions are converted.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


def matrix_of(row: Any) -> Floats:
    """The 4 x 4 matrix of a pose."""
    matrix = np.eye(4)
    if len(row) == 3:
        x, y, angle = map(float, row)
        c, s = np.cos(angle), np.sin(angle)
        matrix[:2, :2] = [[c, -s], [s, c]]
        matrix[:2, 3] = x, y
        return matrix
    x, y, z, w, i, j, k = map(float, row)
    matrix[:3, :3] = [
        [1 - 2 * (j * j + k * k), 2 * (i * j - k * w), 2 * (i * k + j * w)],
        [2 * (i * j + k * w), 1 - 2 * (i * i + k * k), 2 * (j * k - i * w)],
        [2 * (i * k - j * w), 2 * (j * k + i * w), 1 - 2 * (i * i + j * j)],
    ]
    matrix[:3, 3] = x, y, z
    return matrix


def in_metres(frame: Any, metres: float) -> Floats:
    """The 4 x 4 matrix of a frame whose lengths count so many metres."""
    matrix = np.vstack([np.asarray(frame.matrix, float), [0.0, 0.0, 0.0, 1.0]])
    matrix[:3, 3] *= metres
    return matrix


def quaternion_of(rotation: Any) -> tuple[float, float, float, float]:
    """The unit quaternion (w, i, j, k) of a rotation matrix; its real part is not negative."""
    (a, b, c), (d, e, f), (g, h, i) = (tuple(map(float, row)) for row in rotation)
    # From the largest of the four squares, so that nothing is divided by rounding.
    squares = (1 + a + e + i, 1 + a - e - i, 1 - a + e - i, 1 - a - e + i)
    largest = max(range(4), key=squares.__getitem__)
    root = 2 * math.sqrt(squares[largest])
    quaternion = (
        (root / 4, (h - f) / root, (c - g) / root, (d - b) / root),
        ((h - f) / root, root / 4, (b + d) / root, (c + g) / root),
        ((c - g) / root, (b + d) / root, root / 4, (f + h) / root),
        ((d - b) / root, (c + g) / root, (f + h) / root, root / 4),
    )[largest]
    sign = -1.0 if quaternion[0] < 0 else 1.0
    w, x, y, z = (sign * q for q in quaternion)
    return w, x, y, z


def rows_of(frames: Any, *, dimension: int) -> Floats:
    """A row per (4, 4) of a path: angles go on over half a turn."""
    frames = np.asarray(frames, float)
    if dimension == 2:
        angles = np.unwrap(np.arctan2(frames[:, 1, 0], frames[:, 0, 0]))
        return np.column_stack([frames[:, :2, 3], angles])
    from scipy.spatial.transform import Rotation

    quaternions = Rotation.from_matrix(frames[:, :3, :3]).as_quat(scalar_first=True)
    return np.column_stack([frames[:, :3, 3], quaternions])


def rotation_of(vector: Any) -> Floats:
    """The rotation matrix about a vector, by its length [rad]."""
    angle = math.hypot(*map(float, vector))
    half = math.sin(angle / 2) / angle if angle else 0.5
    imaginary = [half * float(x) for x in vector]
    return matrix_of((0.0, 0.0, 0.0, math.cos(angle / 2), *imaginary))[:3, :3]


def rotation_vector_of(rotation: Any) -> Floats:
    """The vector about which a matrix rotates, as long as the angle [rad], which is at most half a turn."""
    w, *imaginary = quaternion_of(rotation)
    sine = math.hypot(*imaginary)
    # Twice the imaginary part is the vector itself, to the last digit, where the angle is small.
    return np.array(imaginary) * (2 * math.atan2(sine, w) / sine if sine > 1e-9 else 2.0)
