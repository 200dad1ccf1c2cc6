"""Lemke's pivots: complementarity holds, ties end, many contacts with friction are solved."""

import numpy as np
import pytest

from detent.numeric import solve_complementarity
from tests.numeric.test_contact_problem import meets, solved, starts


def complementary(M, q, z, slack=1e-8):
    w = M @ z + q
    return z.min() >= -slack and w.min() >= -slack and abs(z @ w) <= slack


@pytest.mark.parametrize("n", [1, 3, 8, 20])
def test_problems_of_positive_matrices_are_solved(n):
    generator = np.random.default_rng(n)
    for _ in range(20):
        A = generator.normal(size=(n, n))
        M, q, z = A @ A.T / n + 0.01 * np.eye(n), generator.normal(size=n), np.zeros(n)
        assert solve_complementarity(M, q, z)
        assert complementary(M, q, z)


@pytest.mark.parametrize("twins", [2, 4])
def test_rows_that_say_the_same_do_not_go_in_circles(twins):
    generator = np.random.default_rng(twins)
    for _ in range(20):
        A = np.repeat(generator.normal(size=(3, 3)), twins, axis=0)
        M, q, z = A @ A.T, -A @ generator.normal(size=3), np.zeros(3 * twins)
        assert solve_complementarity(M, q, z)
        assert complementary(M, q, z)


def test_what_has_no_solution_ends_on_a_ray():
    assert not solve_complementarity(np.array([[-1.0]]), np.array([-1.0]), np.zeros(1))


@pytest.mark.parametrize(("n", "freedoms"), [(7, 3), (9, 6), (12, 6)])
def test_many_contacts_with_friction_that_stick_or_begin_to_slide_are_solved(n, freedoms):
    """As of stacked parts: more contacts than freedoms; a solution exists, for impulses."""
    generator = np.random.default_rng([n, freedoms])
    for _ in range(15):
        A, c = generator.normal(size=(2 * n, freedoms)), generator.normal(size=freedoms)
        K, b, mu = A @ A.T, A @ c, generator.uniform(0.1, 1.5, size=n)
        there, x, w, _ = solved(K, b, mu, None, starts(generator, n))
        assert there
        assert meets(K, b, mu, np.zeros(n), x, w, slack=1e-6)
