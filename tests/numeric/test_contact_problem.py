"""Contact forces by statuses: against least squares, all combinations, closed forms, Painleve's rod."""

import itertools
import math

import numpy as np
import pytest
from scipy.optimize import nnls

from detent.numeric import solve_contact_problem

OPEN, STICK, FORWARD, BACKWARD = range(4)


def solved(K, b, mu=None, sliding=None, status=None):
    """(whether there is a solution, x, w, statuses); without friction K has normal rows alone."""
    rows = len(b)
    n = rows if mu is None else rows // 2
    x, w = np.full(rows, np.nan), np.full(rows, np.nan)
    status = np.zeros(n, np.int64) if status is None else np.array(status)
    mu = np.zeros(n) if mu is None else np.array(mu, float)
    sliding = np.zeros(n) if sliding is None else np.array(sliding, float)
    there = solve_contact_problem(K, np.array(b, float), mu, sliding, n, rows, status, x, w)
    return there, x, w, status


def meets(K, b, mu, sliding, x, w, slack=1e-8):
    """Coulomb's conditions themselves, whatever the statuses."""
    n = len(mu)
    fits = np.allclose(K @ x + b, w, atol=slack)
    for i in range(n):
        xn, xt, wn, wt = x[i], x[n + i], w[i], w[n + i]
        fits &= xn >= -slack and wn >= -slack and abs(xn * wn) <= slack
        if sliding[i]:
            fits &= abs(xt + sliding[i] * mu[i] * xn) <= slack
        else:
            fits &= abs(xt) <= mu[i] * xn + slack
            # Where it begins to slide, friction is whole and against it.
            fits &= xn <= slack or abs(wt) <= slack or abs(xt + math.copysign(mu[i] * xn, wt)) <= slack
    return bool(fits)


def any_solution(K, b, mu, sliding):
    """A solution by all combinations: open, held, sliding forwards or backwards."""
    n = len(mu)
    for kinds in itertools.product((0, 1, 2, 3), repeat=n):
        equations, right = np.zeros((2 * n, 2 * n)), np.zeros(2 * n)
        for i, kind in enumerate(kinds):
            if kind == 0:
                equations[i, i] = equations[n + i, n + i] = 1.0
                continue
            equations[i], right[i] = K[i], -b[i]
            if kind == 1:
                equations[n + i], right[n + i] = K[n + i], -b[n + i]
            else:
                equations[n + i, n + i] = 1.0
                equations[n + i, i] = mu[i] if kind == 2 else -mu[i]
        x = np.linalg.lstsq(equations, right, rcond=None)[0]
        if meets(K, b, mu, sliding, x, K @ x + b):
            return True
    return False


def starts(generator, n):
    return generator.integers(0, 4, size=n)


@pytest.mark.parametrize("n", [1, 2, 3, 5, 8])
def test_without_friction_forces_are_those_of_least_squares(n):
    """x = argmin |A'x - c|, x >= 0, with K = A A' and b = -A c."""
    generator = np.random.default_rng(n)
    for _ in range(40):
        A, c = generator.normal(size=(n, n + 1)), generator.normal(size=n + 1)
        K, b = A @ A.T, -A @ c
        there, x, w, status = solved(K, b, status=generator.integers(0, 2, size=n))
        assert there
        expected = nnls(A.T, c)[0]
        assert x == pytest.approx(expected, abs=1e-8)
        assert w == pytest.approx(K @ expected + b, abs=1e-8)
        assert set(status) <= {OPEN, STICK}
        assert x[status == OPEN] == pytest.approx(0)


@pytest.mark.parametrize(("n", "freedoms"), [(3, 1), (4, 3), (6, 3)])
def test_more_contacts_than_freedoms_leave_their_accelerations_alone(n, freedoms):
    """Forces may be shared in many ways; accelerations are those of least squares."""
    generator = np.random.default_rng(10 * n + freedoms)
    for _ in range(40):
        A, c = generator.normal(size=(n, freedoms)), generator.normal(size=freedoms)
        K, b = A @ A.T, -A @ c
        there, x, w, _ = solved(K, b)
        assert there
        assert w == pytest.approx(A @ (A.T @ nnls(A.T, c)[0] - c), abs=1e-8)
        assert x.min() >= -1e-9
        assert w.min() >= -1e-8
        assert x @ w == pytest.approx(0, abs=1e-8)


@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize("moving", [False, True])
def test_with_friction_a_solution_is_one_and_none_means_none(n, moving):
    generator = np.random.default_rng([n, moving])
    counts = [0, 0]
    for _ in range(60):
        A, c = generator.normal(size=(2 * n, 2 * n)), generator.normal(size=2 * n)
        K, b, mu = A @ A.T, -A @ c, generator.uniform(0.1, 3.0, size=n)
        sliding = generator.choice([-1.0, 0.0, 1.0], size=n) if moving else np.zeros(n)
        there, x, w, _ = solved(K, b, mu, sliding, starts(generator, n))
        counts[there] += 1
        assert meets(K, b, mu, sliding, x, w) if there else not any_solution(K, b, mu, sliding)
    assert counts[True] > 20
    assert not moving or counts[False], "nothing here jams: the other side is not tried"


@pytest.mark.parametrize("begin", [OPEN, STICK, FORWARD, BACKWARD])
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_block_slides_just_beyond_friction(side, begin):
    mass, weight, mu = 2.0, 2.0 * 9.81, 0.3
    K = np.eye(2) / mass
    for share, slides in ((1 - 1e-6, False), (1 + 1e-6, True)):
        pull = side * share * mu * weight
        there, x, w, status = solved(K, [-weight / mass, pull / mass], [mu], status=[begin])
        assert there
        assert x == pytest.approx([weight, -pull if not slides else -side * mu * weight], rel=1e-12)
        assert status[0] == ((FORWARD if side > 0 else BACKWARD) if slides else STICK)
        assert w[1] == pytest.approx((pull + x[1]) / mass, abs=1e-12)
        assert (abs(w[1]) > 1e-7) == slides


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_a_block_that_slides_already_is_braked_even_where_it_would_stick(side):
    there, x, w, _ = solved(np.eye(2), [-10.0, 0.0], [0.3], sliding=[side], status=[STICK])
    assert there
    assert x == pytest.approx([10.0, -3.0 * side])
    assert w == pytest.approx([0.0, -3.0 * side])


def test_a_contact_opens_where_it_is_pulled_apart_and_holds_where_it_is_pushed():
    for push, opens in ((-1e-6, True), (1e-6, False)):
        there, x, w, status = solved(np.eye(2), [-push, 0.5], [0.4])
        assert there
        assert (status[0] == OPEN) == opens
        assert (w[0] > 0, x[0] > 0) == (opens, not opens)


def rod(angle):
    """A rod of unit mass, 2 m long, that leans at an angle with its lower end on the floor."""
    x, y = -math.cos(angle), -math.sin(angle)  # from its centre to that end
    rows = np.array([[0.0, 1.0, x], [1.0, 0.0, -y]])
    return rows @ np.diag([1.0, 1.0, 3.0]) @ rows.T


def test_a_sliding_rod_has_no_solution_beyond_the_friction_of_painleve():
    """Least at tan(angle) = 2, where it is 4/3 (Painleve 1895)."""
    angle = math.atan(2)
    K = rod(angle)
    for mu, there in ((4 / 3 - 1e-6, True), (4 / 3 + 1e-6, False)):
        answer, x, w, _ = solved(K, [-9.81, 0.0], [mu], sliding=[-1.0], status=[BACKWARD])
        assert answer == there
        if there:
            assert x[0] > 1e4
            assert w[0] == pytest.approx(0, abs=1e-6)
    for other in (angle - 0.2, angle + 0.2):
        assert solved(rod(other), [-9.81, 0.0], [4 / 3 + 1e-6], sliding=[-1.0])[0]
    assert solved(K, [-9.81, 0.0], [4.0], sliding=[1.0])[0], "the other way it trails"
    assert solved(K, [-9.81, 0.0], [4.0])[0], "at rest it sticks"


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_units_do_not_matter(scale):
    generator = np.random.default_rng(3)
    for _ in range(20):
        A, c, mu = generator.normal(size=(4, 4)), generator.normal(size=4), np.array([0.2, 0.5])
        K, b = A @ A.T, -A @ c
        one, x, w, status = solved(K, b, mu)
        other, y, u, same = solved(scale * K, b, mu)
        assert one == other
        if one:
            assert status.tolist() == same.tolist()
            assert y * scale == pytest.approx(x, rel=1e-6, abs=1e-9)
            assert u == pytest.approx(w, abs=1e-8)
