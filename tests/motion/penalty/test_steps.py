"""The penalty method's steps: their order, closed forms, invariants."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import detent
from detent.motion import Penalty
from detent.numeric import ERROR, GAMMA, A, C, M

BALL = """
format = "detent/1"
units = "m"
gravity = [0, -10]

[parts.floor]
fixed = true
shape.outline = [[-1, -1], [1, -1], [1, 0], [-1, 0]]

[parts.ball]
shape.circle = 0.1
pose.at = [0, {height}]
mass = 2
center = [0, 0]
inertia = 0.01

[joints.slide]
type = "prismatic"
between = ["floor", "ball"]
at = [0, {height}]
along = [0, 1]
{more}
"""


def _integrated(steps: int, exact: bool) -> float:
    """y' = -y^2 + sin t as an autonomous pair, to t = 1, by the tables alone; the Jacobian exact, or half
    of it."""
    z, h = np.array([1.0, 0.0]), 1.0 / steps
    for _ in range(steps):
        jacobian = np.array([[-2 * z[0], math.cos(z[1])], [0.0, 0.0]]) * (1.0 if exact else 0.5)
        matrix = np.eye(2) / (h * GAMMA) - jacobian
        u = np.zeros((4, 2))
        for stage in range(4):
            y, t = z + A[stage] @ u
            u[stage] = np.linalg.solve(matrix, np.array([-y * y + math.sin(t), 1.0]) + C[stage] @ u / h)
        z = z + M @ u
    return float(z[0])


@pytest.mark.parametrize("exact", [True, False])
def test_the_tables_have_order_three_with_any_jacobian(exact):
    fine = _integrated(3000, exact=True)
    errors = [abs(_integrated(n, exact) - fine) for n in (20, 40, 80)]
    orders = [math.log2(a / b) for a, b in itertools.pairwise(errors)]
    assert all(2.7 < order < 3.4 for order in orders), orders


def test_the_embedded_formula_has_order_two():
    assert abs(ERROR.sum()) > 0
    z, h = 1.0, 1e-2
    sizes = []
    for step in (h, h / 2):
        u = np.zeros(4)
        for stage in range(4):
            y = z + A[stage] @ u
            u[stage] = (-y * y + C[stage] @ u / step) / (1 / (step * GAMMA) + 2 * z)
        sizes.append(abs(ERROR @ u))
    assert math.log2(sizes[0] / sizes[1]) == pytest.approx(3.0, abs=0.3)


def _ball(height: float, more: str = "") -> detent.Mechanism:
    return detent.loads(BALL.format(height=height, more=more))


def test_a_ball_falls_touches_and_swings_on_its_overlap():
    """Free fall to the touch, then an undamped spring: y = (g / w^2)(cos w t - 1) - (v / w) sin w t."""
    stiffness, mass, g, drop = 2000.0, 2.0, 10.0, 0.05
    run = detent.predict(_ball(0.15), method=Penalty(stiffness, 0.0, accuracy=1e-8), until=0.3)
    touch = math.sqrt(2 * drop / g)
    first, second = run.trajectory.events[:2]
    assert (first.kind, first.time) == ("contact", pytest.approx(touch, abs=1e-6))
    w, v = math.sqrt(stiffness / mass), g * touch
    deepest = math.hypot(v / w, g / w**2) + g / w**2
    assert run.evidence.deepest == pytest.approx(deepest, rel=1e-3)
    in_contact = 2 * (math.pi - math.atan2(v / w, g / w**2)) / w
    assert (second.kind, second.time) == ("release", pytest.approx(touch + in_contact, abs=1e-5))


def test_energy_balances_with_and_without_damping():
    for damping in (0.0, 3000.0):
        run = detent.predict(_ball(0.15), method=Penalty(2000.0, damping, accuracy=1e-7), until=1.0)
        energy = run.trajectory.energy
        stored, taken = energy["stored"], energy["dissipated"]
        assert np.abs(stored - stored[0] + taken).max() < 1e-5
        assert (taken[-1] > 0.1) == (damping > 0)
        assert np.diff(taken).min() > -1e-9


def test_time_scales_with_the_root_of_stiffness_over_mass():
    """Four times the stiffness and gravity: everything twice as fast."""
    slow = detent.predict(_ball(0.15), method=Penalty(2000.0, 0.0, accuracy=1e-7), until=0.6).trajectory
    text = BALL.format(height=0.15, more="").replace("[0, -10]", "[0, -40]")
    fast = detent.predict(
        detent.loads(text), method=Penalty(8000.0, 0.0, accuracy=1e-7), until=0.3
    ).trajectory
    assert [e.kind for e in slow.events] == [e.kind for e in fast.events]
    assert [2 * e.time for e in fast.events] == pytest.approx([e.time for e in slow.events], abs=1e-5)


def test_without_a_stiffness_parts_overlap_little():
    run = detent.predict(_ball(0.15), method=Penalty(), until=1.0)
    assert run.evidence.deepest <= 1e-3 * run.evidence.tree.system.size
    assert run.evidence.choices >= 1
