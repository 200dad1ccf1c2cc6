"""What the penalty method holds: joints that close loops, drives, limits of joints."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.motion import Penalty
from tests.motion.rigid.test_loops import expected, piston_at, slider_crank

SLIDE = """
format = "detent/1"
units = "{units}"
gravity = [0, -10]

[parts.frame]
fixed = true

[parts.block]
mass = 2
center = [0, 0]
inertia = 0.01

[joints.slide]
type = "prismatic"
between = ["frame", "block"]
at = [0, 0]
along = [0, 1]
limits = {{ min = {low} }}
"""


@pytest.mark.parametrize("order", [("main", "big", "small", "slide"), ("slide", "small", "big", "main")])
def test_a_loop_moves_as_its_equation_of_one_freedom(order):
    """A slider-crank with a sprung, damped slide against SciPy on the energies' equation."""
    machine = slider_crank(order, main={"at": 0.4, "speed": 12.0})
    running = detent.run(machine, until=0.15, every=0.05, method=Penalty(1e5, 0.0, accuracy=1e-6))
    angle, speed = expected(0.4, 12.0, 0.15)
    assert running.states["main"][-1] == pytest.approx(angle, abs=1e-4)
    assert running.velocities["main"][-1] == pytest.approx(speed, abs=1e-2)
    for main, slide in zip(running.states["main"], running.states["slide"], strict=True):
        assert slide == pytest.approx(piston_at(main), abs=1e-6)
    energy = running.energy
    balance = energy["stored"] + energy["dissipated"] - energy["input"]
    assert balance == pytest.approx(np.full(len(balance), energy["stored"][0]), abs=1e-5)


def test_a_driven_crank_is_given_the_energy_that_its_weight_gains():
    document = detent.loads(
        """
        format = "detent/1"
        units = "m"
        gravity = [0, -9.81]
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
        """
    )
    running = detent.run(document, until=1.0, method=Penalty(1e5, 0.0))
    assert running.states["pin"] == pytest.approx(1.5 * running.times, abs=1e-9)
    gained = 2 * 9.81 * 0.5 * np.sin(1.5 * running.times)
    assert running.energy["input"] == pytest.approx(gained, abs=1e-6)


def test_a_torque_speeds_up_a_geared_pair():
    document = detent.loads(
        """
        format = "detent/1"
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
        """
    )
    running = detent.run(document, until=2.0, method=Penalty(1e5, 0.0))
    rate = 0.13 / (0.004 + 9 * 0.001)
    assert running.states["b"] == pytest.approx(-1.5 * rate * running.times**2, abs=1e-6)
    assert running.energy["input"][-1] == pytest.approx(0.13 * 0.5 * rate * 4, rel=1e-6)


@pytest.mark.parametrize(("units", "low", "metres"), [("m", -0.2, 1.0), ("mm", -200, 1e-3)])
def test_a_block_falls_on_the_end_of_its_slide_and_swings_there(units, low, metres):
    """Free fall to the limit, then an undamped spring."""
    stiffness = 5000.0
    document = detent.loads(SLIDE.format(units=units, low=low))
    run = detent.predict(document, method=Penalty(stiffness, 0.0, accuracy=1e-8), until=0.5)
    first, second = run.trajectory.events[:2]
    touch, w = math.sqrt(2 * 0.2 / 10), math.sqrt(stiffness / 2)
    assert (first.kind, first.after) == ("limit", ("slide.min",))
    assert set(first.subjects) == {"frame", "block"}
    assert first.time == pytest.approx(touch, abs=1e-6)
    in_contact = 2 * (math.pi - math.atan2(10 * touch / w, 10 / w**2)) / w
    assert (second.kind, second.time) == ("release", pytest.approx(touch + in_contact, abs=1e-5))
    deepest = math.hypot(10 * touch / w, 10 / w**2) + 10 / w**2
    assert -run.evidence.along.at(np.linspace(0, 0.5, 4000)).coordinates["slide"].min() == pytest.approx(
        (0.2 + deepest) / metres, rel=1e-4
    )
    energy = run.trajectory.energy
    assert np.ptp(energy["stored"] + energy["dissipated"]) < 1e-5


def test_units_of_a_document_without_any_are_not_printed():
    notes = " ".join(
        detent.predict(
            detent.loads(SLIDE.format(units="1", low=-0.2)), method=Penalty(), until=0.3
        ).trajectory.notes
    )
    assert "N/m" not in notes
    named = " ".join(
        detent.predict(
            detent.loads(SLIDE.format(units="m", low=-0.2)), method=Penalty(), until=0.3
        ).trajectory.notes
    )
    assert "N/m" in named
