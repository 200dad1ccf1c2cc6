"""Small dense systems: against numpy, singular ones included."""

import numpy as np
import pytest

from detent.numeric import factor, solve_dense, solve_factored


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_a_regular_system_is_solved(n, scale):
    generator = np.random.default_rng(n)
    for _ in range(20):
        matrix, right = scale * generator.normal(size=(n, n)), generator.normal(size=n)
        room = np.full((n + 2, n + 2), np.nan)  # only the leading part counts
        room[:n, :n] = matrix
        solution = np.r_[right, 7.0]
        assert solve_dense(room, solution, n) == n
        expected = np.linalg.solve(matrix, right)
        assert solution[:n] == pytest.approx(
            expected,
            rel=1e-13 * np.linalg.cond(matrix),
            abs=1e-13 * np.abs(expected).max() * np.linalg.cond(matrix),
        )
        assert solution[n] == 7.0


@pytest.mark.parametrize(("n", "rank"), [(1, 0), (3, 1), (4, 3), (6, 4)])
def test_equations_that_repeat_others_leave_unknowns_at_zero(n, rank):
    generator = np.random.default_rng(10 * n + rank)
    for _ in range(20):
        left, right = generator.normal(size=(n, rank)), generator.normal(size=(rank, n))
        matrix = left @ right
        load = matrix @ generator.normal(size=n)
        solution = load.copy()
        assert solve_dense(matrix.copy(), solution, n) == rank
        assert matrix @ solution == pytest.approx(load, abs=1e-9)
        assert np.count_nonzero(solution) <= rank


@pytest.mark.parametrize("n", [1, 2, 4, 7])
def test_a_positive_definite_matrix_is_factored(n):
    generator = np.random.default_rng(n)
    for _ in range(20):
        half = generator.normal(size=(n, n))
        mass = half @ half.T + 0.1 * np.eye(n)
        lower = mass.copy()
        assert factor(lower)
        assert np.tril(lower) == pytest.approx(np.linalg.cholesky(mass))
        right = generator.normal(size=n)
        solution = right.copy()
        solve_factored(lower, solution)
        assert mass @ solution == pytest.approx(right, abs=1e-9)


def test_what_is_not_positive_definite_is_refused_and_what_barely_is_is_not():
    assert not factor(np.array([[1.0, 1.0], [1.0, 1.0 - 1e-9]]))
    assert not factor(np.array([[1.0, 1.0], [1.0, 1.0]]))
    assert not factor(np.zeros((1, 1)))
    # On both sides of what counts as rounding.
    assert not factor(np.array([[1.0, 1.0], [1.0, 1.0 + 1e-12]]))
    assert factor(np.array([[1.0, 1.0], [1.0, 1.0 + 1e-10]]))
