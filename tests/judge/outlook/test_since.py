"""Since when is what fades at rest? Beside closed forms, within what is said of it."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from tests.judge.outlook.test_machines import FLYWHEEL, PENDULUM

INERTIA, SPEED, REST = 0.5, 3.0, 0.5


def last_time_with_more(times, speeds):
    """Than 1e-8 of the greatest kinetic energy."""
    return times[np.flatnonzero(speeds**2 > 1e-8 * (speeds**2).max())[-1]]


def test_a_braked_flywheel_has_a_hundred_millionth_of_its_energy_when_its_exponential_has():
    answer = detent.outlook(detent.loads(FLYWHEEL).with_("joints.pin.damping", 0.05))
    exact = np.log(1e8) / (2 * 0.05 / INERTIA)
    assert abs(answer.since - exact) <= answer.since_within < 0.02 * exact


@pytest.mark.parametrize(("damping", "stiffness"), [(0.02, 3.0), (0.2, 0.5)])
def test_a_wheel_on_a_spring_fades_as_the_linear_oscillator(damping, stiffness):
    machine = detent.loads(FLYWHEEL).with_("joints.pin.damping", damping)
    answer = detent.outlook(machine.with_("joints.pin.spring", {"stiffness": stiffness, "rest": REST}))
    root = np.roots([INERTIA, damping, stiffness])[0]
    # q - rest = Re(c e^(root t)), with q = 0 and its speed at the start.
    times = np.linspace(0.0, 1.2 * answer.since, 2_000_000)
    real = -REST
    imaginary = (root.real * real - SPEED) / root.imag
    speeds = (root * (real + 1j * imaginary) * np.exp(root * times)).real
    assert speeds[0] == pytest.approx(SPEED)
    assert abs(answer.since - last_time_with_more(times, speeds)) <= answer.since_within
    assert answer.since_within < 0.01 * answer.since
    assert f"at rest since about {answer.since:.5g}" in " ".join(answer.words.split())


def test_what_friction_holds_stands_still_from_a_time_that_needs_no_estimate():
    machine = detent.loads(PENDULUM).with_("joints.pin.friction", {"coefficient": 0.2, "radius": 0.02})
    answer = detent.outlook(machine)
    assert (answer.verdict, answer.since_within) == ("at_rest", None)
    assert "stands still since" in answer.words
