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


def _integrated(steps: int) -> tuple[float, float]:
    """y' = -y^2 + sin t as an autonomous pair, to t = 1, by the tables alone; its end and first error."""
    z, h, first = np.array([1.0, 0.0]), 1.0 / steps, 0.0
    for _ in range(steps):
        jacobian = np.array([[-2 * z[0], math.cos(z[1])], [0.0, 0.0]])
        matrix = np.eye(2) / (h * GAMMA) - jacobian
        u = np.zeros((len(M), 2))
        for stage in range(len(M)):
            y, t = z + A[stage] @ u
            u[stage] = np.linalg.solve(matrix, np.array([-y * y + math.sin(t), 1.0]) + C[stage] @ u / h)
        z = z + M @ u
        first = first or abs((ERROR @ u)[0])
    return float(z[0]), first


def test_the_tables_have_order_four_and_an_error_of_order_three():
    fine = _integrated(3000)[0]
    errors = [abs(_integrated(n)[0] - fine) for n in (10, 20, 40)]
    orders = [math.log2(a / b) for a, b in itertools.pairwise(errors)]
    assert all(3.7 < order < 4.5 for order in orders), orders
    assert math.log2(_integrated(50)[1] / _integrated(100)[1]) == pytest.approx(4.0, abs=0.4)


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


@pytest.mark.parametrize("speed", [5.0, 50.0, 400.0])
def test_nothing_passes_through_a_thin_wall(speed):
    """A ball at a wall a fifth of its size thick, too soft to stop it within: it comes back all the same, as
    a spring sends it, from v sqrt(m / k) deep."""
    document = detent.loads(
        f"""
        format = "detent/1"
        units = "m"
        [parts.wall]
        fixed = true
        shape.outline = [[1, -1], [1.02, -1], [1.02, 1], [1, 1]]
        [parts.ball]
        shape.circle = 0.05
        mass = 2
        center = [0, 0]
        inertia = 0.01
        [joints.slide]
        type = "prismatic"
        between = ["wall", "ball"]
        at = [0, 0]
        along = [1, 0]
        [start]
        slide = {{ speed = {speed} }}
        """
    )
    run = detent.predict(document, method=Penalty(1e6, 0.0), until=8 / speed)
    swing = math.sqrt(2 / 1e6)
    assert run.evidence.deepest == pytest.approx(speed * swing, rel=1e-2)
    end = 0.95 - speed * (8 / speed - 0.95 / speed - math.pi * swing)
    assert run.trajectory.coordinates["slide"][-1] == pytest.approx(end, rel=1e-3)


@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_a_blow_is_not_stepped_over(stiffness):
    """However short it is: m x'' = -x (E + D x') gives m u du = -x (E + D u) dx, and from there the deepest
    overlap, m (v / D - E / D^2 ln(1 + D v / E)) = x^2 / 2, and the speed u at which x is 0 again."""
    mass, speed, damping = 2.0, 3.0, 10 * stiffness
    text = BALL.replace("gravity = [0, -10]", "").format(height=0.4, more="[start]\nslide = { speed = -3 }")
    run = detent.predict(detent.loads(text), method=Penalty(stiffness, damping), until=3.0)
    limit = stiffness / damping
    deepest = math.sqrt(2 * mass / damping * (speed - limit * math.log1p(speed / limit)))

    def left(u: float) -> float:
        return speed - u + limit * math.log((limit + u) / (limit + speed))

    low, high = -limit, 0.0
    for _ in range(60):
        low, high = ((low + high) / 2, high) if left((low + high) / 2) < 0 else (low, (low + high) / 2)
    assert run.evidence.deepest == pytest.approx(deepest, rel=0.02)
    assert run.trajectory.speeds["slide"][-1] == pytest.approx(-low, rel=1e-3)
    energy = run.trajectory.energy
    assert np.abs(energy["stored"] - energy["stored"][0] + energy["dissipated"]).max() < 1e-3 * 9
