"""The shortest step: whatever way it is computed, it is the pseudoinverse's."""

from __future__ import annotations

import numpy as np
import pytest

from detent.kinematics.equations import RANK, shortest


@pytest.mark.parametrize("lost", [0, 1, 3], ids=["independent", "one row repeated", "three rows repeated"])
@pytest.mark.parametrize("shape", [(1, 3), (8, 9), (40, 60), (9, 6)])
def test_it_is_the_pseudoinverse_of_rows_that_may_repeat(shape: tuple[int, int], lost: int) -> None:
    chance = np.random.default_rng([*shape, lost])
    matrix = chance.normal(size=shape)
    matrix[: min(lost, shape[0] - 1)] = matrix[-1]
    right = matrix @ chance.normal(size=shape[1])
    expected = np.linalg.pinv(matrix, rcond=RANK) @ right
    assert shortest(matrix, right) == pytest.approx(expected, rel=1e-9, abs=1e-10)


@pytest.mark.parametrize("angle", [1e-2, 1e-4, 1e-6, 1e-8])
def test_rows_that_are_nearly_one_are_still_two(angle: float) -> None:
    """Two rows a small angle apart: the step that fulfils both is long, and known in closed form."""
    matrix = np.array([[1.0, 0.0, 0.0], [np.cos(angle), np.sin(angle), 0.0]])
    step = shortest(matrix, np.array([0.0, np.sin(angle)]))
    assert step == pytest.approx([0.0, 1.0, 0.0], rel=1e-6, abs=1e-6)


def test_a_column_that_no_row_asks_for_stays() -> None:
    matrix = np.array([[3.0, 0.0, 4.0, 0.0]])
    assert shortest(matrix, np.array([5.0])) == pytest.approx([0.6, 0.0, 0.8, 0.0], rel=1e-14)
