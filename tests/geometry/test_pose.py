"""Rotations as matrices, quaternions and vectors, against SciPy's."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from detent.geometry import quaternion_of, rotation_of, rotation_vector_of

generator = np.random.default_rng(5)
ANGLES = [0.0, 1e-12, 1e-9, 1e-4, 1.0, 3.0, np.pi - 1e-4, np.pi - 1e-9]


@pytest.mark.parametrize("angle", ANGLES)
def test_vectors_matrices_and_quaternions_are_one_rotation(angle):
    for axis in [*generator.normal(size=(20, 3)), *np.eye(3), *-np.eye(3)]:
        vector = angle * axis / np.linalg.norm(axis)
        expected = Rotation.from_rotvec(vector)
        matrix = rotation_of(vector)
        assert matrix == pytest.approx(expected.as_matrix(), abs=1e-14)
        assert quaternion_of(matrix) == pytest.approx(
            expected.as_quat(canonical=True, scalar_first=True), abs=1e-14
        )
        assert rotation_vector_of(matrix) == pytest.approx(vector, abs=1e-14)


def test_half_a_turn_has_its_whole_angle():
    for axis in np.eye(3):
        vector = rotation_vector_of(rotation_of(np.pi * axis))
        assert np.abs(vector) == pytest.approx(np.pi * axis, abs=1e-12)
