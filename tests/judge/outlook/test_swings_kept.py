"""Swings that nothing damps, and turns that are many, beside closed forms."""

from __future__ import annotations

import math

import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipk

import detent
from detent.motion import Following

PENDULUM = """
format = "detent/1"
gravity = [0, -9.81]
[parts.frame]
fixed = true
markers = { O = [0, 0] }
[parts.rod]
mass = 1
center = [0, -0.4]
inertia = 0.02
markers = { O = [0, 0] }
[joints.pin]
type = "revolute"
between = ["frame.O", "rod.O"]
[start]
pin = { at_deg = 150 }
"""
# A flywheel on gears that are left out: it runs up to 72 rad/s, and has turned 3319 times by 300 s.
MOTOR = """
format = "detent/1"
[parts.frame]
fixed = true
markers = { O = [0, 0] }
[parts.wheel]
inertia = 1.4e-4
markers = { O = [0, 0] }
[joints.pin]
type = "revolute"
between = ["frame.O", "wheel.O"]
damping = 1.4e-5
[drives.motor]
joint = "pin"
torque = 1e-3
"""
# A slide that a crank moves to and fro about its outer dead point; its own damper takes the swing away.
DEAD_POINT = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
[parts.frame]
fixed = true
[parts.crank]
mass = 0.5
center = [0, 0]
inertia = 3e-4
[parts.rod]
mass = 0.1
center = [60, 0]
inertia = 6e-5
[parts.piston]
mass = 0.2
center = [100, 0]
[joints.crank]
type = "revolute"
between = ["frame", "crank"]
at = [0, 0]
[joints.big_end]
type = "revolute"
between = ["crank", "rod"]
at = [20, 0]
[joints.small_end]
type = "revolute"
between = ["rod", "piston"]
at = [100, 0]
[joints.slide]
type = "prismatic"
between = ["frame", "piston"]
at = [100, 0]
along = [1, 0]
spring = { stiffness = 200, rest = 10 }
damping = 0.3
[start]
crank = { at_deg = 60 }
"""


def test_far_moments_of_a_swing_that_nothing_damps_are_within_their_errors():
    """What steps change of its energy stays, and its period changes with that by more than their accuracy."""
    times = [55.5, 1000.3, 20000.7]
    answer = detent.outlook(detent.loads(PENDULUM), at=times)
    square = 0.4 * 9.81 / (0.02 + 0.4**2)
    period = 4 / math.sqrt(square) * ellipk(math.sin(math.radians(75)) ** 2)
    for moment, time in zip(answer.moments, times, strict=True):
        begin, lasts = [math.radians(150), 0], (0, time % period)
        swung = solve_ivp(lambda _, y: [y[1], -square * math.sin(y[0])], lasts, begin, rtol=1e-11, atol=1e-11)
        assert abs(moment.state["pin"] - swung.y[0, -1]) <= moment.error["pin"]
        assert moment.error["pin"] < 0.2


def test_patterns_are_counted_beyond_a_thousand_turns():
    machine = detent.loads(MOTOR)
    answer = detent.outlook(machine, at=[20.0, 300.0], pattern=[500, 2500])

    def turns(time):
        return 1e-3 / 1.4e-5 * (time - 10 * (1 - math.exp(-time / 10))) / (2 * math.pi)

    assert answer.pattern.marks == "turns of pin"
    assert [moment.pattern for moment in answer.moments] == [int(turns(20)), int(turns(300)), 500, 2500]
    assert [turns(moment.time) for moment in answer.moments[2:]] == pytest.approx([500, 2500], abs=1e-6)


def test_a_slide_that_swings_about_a_dead_point_goes_nowhere():
    """Its marks are all at the inner end of its way, which comes nearer to the dead point."""
    answer = detent.outlook(detent.loads(DEAD_POINT), until=12)
    assert answer.pattern.change["slide"] > 0.05 * answer.amplitude["slide"]
    first = dict(zip(answer.drift.columns, answer.drift.rows[0], strict=True))
    half = {joint: 0.5 * (first[f"{joint} greatest"] - first[f"{joint} least"]) for joint in answer.amplitude}
    assert half == pytest.approx(answer.amplitude, rel=0.05)  # two patterns before
    said = answer.words.split("verdict")[0]
    assert "slide swings by" in said
    assert "goes on by" not in said


def test_what_still_moves_at_the_horizon_is_not_said_never_to_rest():
    """A wheel with a brake has 1e-9 of its first energy by then; asked further ahead, it is at rest."""
    wheel = detent.loads(MOTOR.split("[drives")[0] + "[start]\npin = { speed = 60 }\n")
    answer = detent.outlook(wheel, until=104)
    assert (answer.verdict, answer.reason.split("), and ")[1]) == ("undecided", "it is not at rest by then")
    assert detent.outlook(wheel).verdict == "at_rest"


def test_a_flat_part_with_a_density_is_said_to_count_as_thick():
    masses = "mass = 1\ncenter = [0, -0.4]\ninertia = 0.02"
    assert masses in PENDULUM
    outline = "density = 2\nshape = { outline = [[-0.1, -0.9], [0.1, -0.9], [0, 0]] }"
    flat = detent.loads(PENDULUM.replace(masses, outline))
    hand = {"joint": "pin", "from_deg": 0, "to_deg": 20, "steps": 2}
    led = detent.loads(PENDULUM.split("[start]")[0].replace(masses, outline)).with_("drives.hand", hand)
    for answer in (detent.outlook(flat), detent.move(led, method=Following())):
        assert "rod 1 m thick" in " ".join(answer.scope.assumed)
