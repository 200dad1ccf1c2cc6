"""The rigid method beside closed forms: pendulum, bouncing weight, friction on a slope, impacts, gears."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import detent
from detent.motion import Rigid

G = 9.81


def ran(text: str, until: float, **more):
    return detent.run(
        detent.loads('format = "detent/1"\n' + text), until=until, method=Rigid(accuracy=1e-8), **more
    )


def test_a_pendulum_swings_as_elliptic_functions_say():
    amplitude, length, mass, inertia = 2.4, 0.3, 1.7, 0.02
    running = ran(
        f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.ground]
        fixed = true
        [parts.bob]
        mass = {mass}
        center = [0, -{length}]
        inertia = {inertia}
        [joints.pin]
        type = "revolute"
        between = ["ground", "bob"]
        at = [0, 0]
        [start]
        pin = {{ at = {amplitude} }}
        """,
        5.0,
    )
    rate = math.sqrt(mass * G * length / (inertia + mass * length**2))
    k = math.sin(amplitude / 2)
    sn, *_ = ellipj(ellipk(k * k) - rate * running.times, k * k)
    assert running.states["pin"] == pytest.approx(2 * np.arcsin(k * sn), abs=2e-6)
    total = running.energy["stored"]
    assert np.ptp(total) < 1e-6 * mass * G * length


@pytest.mark.parametrize("restitution", [0.0, 0.5, 0.9])
def test_a_weight_on_a_slide_bounces_as_often_and_as_high_as_it_should(restitution):
    running = ran(
        f"""
        units = "mm"
        gravity = [0, -{G}]
        [parts.floor]
        fixed = true
        shape = {{ outline = [[-50, -10], [50, -10], [50, 0], [-50, 0]] }}
        [parts.weight]
        shape = {{ circle = 5 }}
        pose = {{ at = [0, 105] }}
        mass = 0.2
        center = [0, 0]
        inertia = 1e-6
        [joints.guide]
        type = "prismatic"
        between = ["floor", "weight"]
        at = [0, 105]
        along = [0, 1]
        [touching]
        restitution = {restitution}
        """,
        0.9,
    )
    fall = math.sqrt(2 * 0.1 / G)
    bounces, t, flight = [], fall, 2 * fall * restitution
    while t < 0.9 and len(bounces) < 6:
        bounces.append(t)
        if restitution == 0:
            break
        t, flight = t + flight, flight * restitution
    impacts = [event for event in running.events if event.kind == "impact"]
    assert [event.time for event in impacts[: len(bounces)]] == pytest.approx(bounces, abs=1e-9)
    speed = G * fall
    assert impacts[0].impulse == pytest.approx(0.2 * speed * (1 + restitution), rel=1e-9)
    if restitution == 0:
        assert len(impacts) == 1
        assert running.states["guide"][-1] == pytest.approx(-100, abs=1e-7)
        force = next(iter(running.forces.values()))
        assert force[-1] == pytest.approx(0.2 * G, rel=1e-9)


@pytest.mark.parametrize(
    ("friction", "slides"), [(0.0, True), (0.3, True), (0.57, True), (0.58, False), (1.5, False)]
)
def test_a_box_on_a_slope_of_thirty_degrees_slides_below_the_friction_that_holds_it(friction, slides):
    c, s = math.cos(math.pi / 6), math.sin(math.pi / 6)

    def at(x, y):
        return [c * x + s * y, -s * x + c * y]

    running = ran(
        f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.slope]
        fixed = true
        shape = {{ outline = [{at(-20, -1)}, {at(20, -1)}, {at(20, 0)}, {at(-20, 0)}] }}
        [parts.box]
        shape = {{ outline = [{at(-1, 0)}, {at(1, 0)}, {at(1, 0.5)}, {at(-1, 0.5)}] }}
        density = 10
        [touching]
        friction = {friction}
        """,
        1.0,
    )
    moved = math.hypot(running.states["box.x"][-1], running.states["box.y"][-1])
    expected = 0.5 * G * (s - friction * c) if slides else 0.0
    assert moved == pytest.approx(expected, abs=1e-6)
    assert abs(running.states["box.angle"][-1]) < 1e-7
    assert running.energy["dissipated"][-1] == pytest.approx(friction * c * 10 * G * moved, abs=1e-5)


@pytest.mark.parametrize("restitution", [0.0, 0.4, 1.0])
def test_two_weights_on_a_rail_hit_each_other_as_newton_says(restitution):
    one, two, u = 0.3, 0.5, 2.0
    running = ran(
        f"""
        units = "m"
        [parts.rail]
        fixed = true
        [parts.a]
        shape = {{ circle = 0.1 }}
        mass = {one}
        center = [0, 0]
        inertia = 1
        [parts.b]
        shape = {{ circle = 0.1 }}
        pose = {{ at = [1, 0] }}
        mass = {two}
        center = [0, 0]
        inertia = 1
        [joints.a]
        type = "prismatic"
        between = ["rail", "a"]
        at = [0, 0]
        along = [1, 0]
        [joints.b]
        type = "prismatic"
        between = ["rail", "b"]
        at = [1, 0]
        along = [1, 0]
        [start]
        a = {{ speed = {u} }}
        [touching]
        restitution = {restitution}
        """,
        1.0,
    )
    (impact,) = [event for event in running.events if event.kind == "impact"]
    assert impact.time == pytest.approx(0.8 / u, rel=1e-9)
    after_a = (one - restitution * two) / (one + two) * u
    after_b = (1 + restitution) * one / (one + two) * u
    assert running.velocities["a"][-1] == pytest.approx(after_a, abs=1e-9)
    assert running.velocities["b"][-1] == pytest.approx(after_b, abs=1e-9)
    lost = 0.5 * one * two / (one + two) * u**2 * (1 - restitution**2)
    assert running.energy["impact"][-1] == pytest.approx(lost, abs=1e-9)


def test_a_geared_pair_speeds_up_by_its_inertia_at_the_torque():
    running = ran(
        """
        units = "mm"
        [parts.frame]
        fixed = true
        [parts.wheel]
        inertia = 0.004
        [parts.pinion]
        inertia = 0.001
        [joints.a]
        type = "revolute"
        between = ["frame", "wheel"]
        at = [0, 0]
        [joints.b]
        type = "revolute"
        between = ["frame", "pinion"]
        at = [40, 0]
        [joints.mesh]
        type = "gear"
        between = ["wheel", "pinion"]
        ratio = -3
        [drives.spin]
        joint = "a"
        torque = 0.13
        """,
        2.0,
    )
    rate = 0.13 / (0.004 + 9 * 0.001)
    assert running.states["a"] == pytest.approx(0.5 * rate * running.times**2, abs=1e-9)
    assert running.states["b"] == pytest.approx(-1.5 * rate * running.times**2, abs=1e-9)
    assert running.energy["input"][-1] == pytest.approx(0.13 * 0.5 * rate * 4, rel=1e-9)


def test_a_driven_crank_is_given_the_energy_that_its_weight_gains():
    running = ran(
        f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.ground]
        fixed = true
        [parts.crank]
        mass = 2
        center = [0.5, 0]
        inertia = 0.1
        [joints.pin]
        type = "revolute"
        between = ["ground", "crank"]
        at = [0, 0]
        [drives.turn]
        joint = "pin"
        speed = 1.5
        """,
        1.0,
    )
    assert running.states["pin"] == pytest.approx(1.5 * running.times, abs=1e-9)
    assert running.energy["input"] == pytest.approx(2 * G * 0.5 * np.sin(1.5 * running.times), abs=1e-7)
