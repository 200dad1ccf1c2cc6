"""Forces in round cones: the law itself as oracle, its threshold, forces that statics leaves open."""

import numpy as np
import pytest

from detent.numeric import pivot_cones, room_for, solve_cone_problem

OPEN, STICK, SLIDE = range(3)
SOLVED = (0, 1, 2)  # by statuses, by pivots, by projections


def solved(K, b, mu, last=None, speed="compiled"):
    """(how, x, w, statuses), of a kernel compiled or plain."""
    n = len(mu)
    x, w = np.zeros(3 * n) if last is None else np.array(last, float), np.zeros(3 * n)
    status, way = np.ones(n, np.int64), np.zeros((n, 2))
    kernel = solve_cone_problem.compiled if speed == "compiled" else solve_cone_problem
    how = kernel(K, np.array(b, float), np.array(mu, float), n, status, way, x, w, *room_for(n))
    return how, x, w, status


def off(mu, x, w):
    """How far forces and velocities are from Coulomb's law, whatever the statuses."""
    worst = 0.0
    for i, friction in enumerate(mu):
        normal, across, gap_rate, sliding = (
            x[3 * i],
            x[3 * i + 1 : 3 * i + 3],
            w[3 * i],
            w[3 * i + 1 : 3 * i + 3],
        )
        speed = np.linalg.norm(sliding)
        worst = max(
            worst, -normal, -gap_rate, abs(normal * gap_rate), np.linalg.norm(across) - friction * normal
        )
        worst = max(worst, float(np.linalg.norm(speed * across + friction * normal * sliding)))
    return worst


def test_forces_of_random_contacts_obey_the_law():
    rng = np.random.default_rng(5)
    counts = np.zeros(5, int)
    for trial in range(1500):
        n, freedoms = int(rng.integers(1, 6)), int(rng.choice([6, 9]))
        rows = rng.normal(size=(3 * n, freedoms))
        if trial % 3 == 0 and n > 1:  # contacts that depend on each other, exactly or nearly
            rows[3:6] = rows[:3] + rng.choice([0, 1e-6]) * rng.normal(size=(3, freedoms))
        K, b = rows @ rows.T, rows @ rng.normal(size=freedoms)
        mu = rng.uniform(0, 1.0, n) * (rng.random(n) > 0.1)
        how, x, w, _ = solved(K, b, mu)
        counts[how] += 1
        if how in SOLVED:
            np.testing.assert_allclose(w, K @ x + b, atol=1e-9)
            assert off(mu, x, w) < 1e-7 * max(1.0, np.abs(x).max()) * max(1.0, np.abs(b).max())
    assert counts[0] > 0.8 * counts.sum()  # statuses mostly suffice
    assert counts[3] + counts[4] <= 0.01 * counts.sum()


@pytest.mark.parametrize(("nudge", "status"), [(-1e-6, STICK), (1e-6, SLIDE)])
@pytest.mark.parametrize("angle", [0.3, 2.0, 4.5])
def test_a_contact_slides_just_beyond_its_round_cone(nudge, status, angle):
    push = (0.4 + nudge) * np.array([np.cos(angle), np.sin(angle)])
    how, x, _, statuses = solved(np.eye(3), [-1.0, *push], [0.4])
    assert how == 0
    assert statuses[0] == status
    assert x[0] == pytest.approx(1.0)
    assert np.hypot(*x[1:]) == pytest.approx(min(0.4, 0.4 + nudge), abs=1e-9)


def test_open_forces_stay_where_they_were():
    # Four corners of a table carry its weight in many ways: the last forces, where they do.
    corners = np.array([[1, 1], [1, -1], [-1, -1], [-1, 1]], float)
    rows = np.zeros((12, 3))
    rows[::3] = np.column_stack([np.ones(4), corners])
    for last in ([1.0, 1.0, 1.0, 1.0], [1.5, 0.5, 1.5, 0.5]):
        before = np.zeros(12)
        before[::3] = last
        how, x, w, _ = solved(rows @ rows.T, rows @ [-16.0, 0, 0], np.zeros(4), last=4 * before)
        assert how == 0
        np.testing.assert_allclose(x[::3], 4 * np.array(last), rtol=1e-5)
        np.testing.assert_allclose(w[::3], 0, atol=1e-8)


def test_pivots_end_in_a_solution_wherever_the_sides_of_cones_lie():
    """A peg that meets its hole's rim at four points: twelve rows of six freedoms."""
    root = np.array([2.5, 2.5, 2.5, 0.01, 0.01, 0.006]) ** -0.5
    rows = []
    for angle in np.radians([172, 40, 90, 0]):
        out = np.array([np.cos(angle), np.sin(angle), 0.0])
        normal = -0.99 * out + np.array([0, 0, -0.141])
        first = np.cross(normal, [0, 0, 1.0])
        for way in (normal, first / np.linalg.norm(first), np.cross(normal, first) / np.linalg.norm(first)):
            rows.append(np.concatenate([way, np.cross(0.02 * out + np.array([0, 0, 0.294]), way)]) * root)
    K, rng, mu = np.array(rows) @ np.array(rows).T, np.random.default_rng(3), np.full(4, 0.1)
    speeds = np.array([0.0, 0.0, 0.045, 0.0, 0.0, 0.0]) + rng.normal(size=(100, 6)) * 0.001
    for speed in speeds:
        angles = rng.uniform(0, 2 * np.pi, 4)
        ways, x, w = np.column_stack([np.cos(angles), np.sin(angles)]), np.zeros(12), np.zeros(12)
        b = np.array(rows) @ (speed / root)
        largest = np.abs(b).max()
        assert pivot_cones.compiled(
            K, b, mu, 4, np.ones(4, np.int64), ways, x, w, np.diag(K).max(), largest, 1e-6
        )
        gap = w[::3] + 1e-6 * np.diag(K).max() * x[::3]  # normals yield
        assert min(x[::3].min() * K.max(), gap.min()) > -1e-7 * largest
        assert np.abs(x[::3] * gap).max() * K.max() < 1e-7 * largest**2
