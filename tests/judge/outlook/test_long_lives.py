"""Lives of machines that change much on the way, beside closed forms and simulations of all of it."""

from __future__ import annotations

import re

import numpy as np
import pytest

import detent

SLACK = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.wheel]
shape.union = [{ circle = 20 }, { outline = [[19, -1], [25, -1], [19, 6]], repeat = { count = 9 } }]
inertia = 1e-4
[parts.pawl]
shape.outline = [[-40, 26], [0, 26], [0, 28], [-40, 28]]
inertia = 2e-5
[joints.axle]
type = "revolute"
between = ["frame", "wheel"]
at = [0, 0]
damping = 0.01
spring = { stiffness = 0.002, rest = -100 }
[joints.hinge]
type = "revolute"
between = ["frame", "pawl"]
at = [-38, 27]
spring = { stiffness = 0.2, rest_deg = -25 }
damping = 1e-3
"""

SHAKEN = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.crank]
inertia = 1e-4
[parts.rod]
mass = 0.01
center = [55, 0]
inertia = 1e-6
[parts.table]
mass = 1
center = [105, 0]
inertia = 1e-6
[parts.load]
mass = 0.5
center = [205, 0]
inertia = 1e-6
[joints.axle]
type = "revolute"
between = ["frame", "crank"]
at = [0, 0]
[joints.pin]
type = "revolute"
between = ["crank", "rod"]
at = [5, 0]
[joints.wrist]
type = "revolute"
between = ["rod", "table"]
at = [105, 0]
[joints.guide]
type = "prismatic"
between = ["frame", "table"]
at = [105, 0]
along = [1, 0]
[joints.spring]
type = "prismatic"
between = ["table", "load"]
at = [205, 0]
along = [1, 0]
spring = { stiffness = 50 }
damping = 0.4
[drives.motor]
joint = "axle"
speed = 10
"""

BALL = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
[parts.floor]
fixed = true
shape.outline = [[-500, -20], [500, -20], [500, 0], [-500, 0]]
[parts.ball]
shape.circle = 10
mass = 0.1
center = [0, 0]
inertia = 4e-6
pose = { at = [0, 210] }
[joints.guide]
type = "prismatic"
between = ["floor", "ball"]
at = [0, 210]
along = [0, 1]
[touching]
restitution = 1
"""

STOPPED = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
shape.outline = [[55, 30], [65, 30], [65, 40], [55, 40]]
[parts.drum]
inertia = 1e-4
[parts.gear]
inertia = 1e-3
shape = { circle = 3, moves = [{ move = [60, -35] }] }
[joints.axle]
type = "revolute"
between = ["frame", "drum"]
at = [0, 0]
damping = 1e-3
[joints.slow]
type = "revolute"
between = ["frame", "gear"]
at = [60, 0]
[joints.mesh]
type = "gear"
between = ["drum", "gear"]
ratio = "-1/80"
[drives.motor]
joint = "axle"
torque = 0.01
"""

HELD = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.cam]
shape = { circle = 20, moves = [{ move = [5, 0] }] }
inertia = 1e-4
[parts.follower]
shape.outline = [[-30, 25], [30, 25], [30, 30], [-30, 30]]
mass = 0.2
center = [0, 27]
[joints.axle]
type = "revolute"
between = ["frame", "cam"]
at = [0, 0]
[joints.guide]
type = "prismatic"
between = ["frame", "follower"]
at = [0, 27]
along = [0, 1]
spring = { stiffness = 800, rest = -20 }
[drives.motor]
joint = "axle"
from_deg = 0
to_deg = 3600
speed_deg = 360
"""


MOTOR = """
format = "detent/1"
title = "A slider-crank with a spring, run up by a torque"
units = "mm"
gravity = [0, -9.81]
parts.frame.fixed = true
parts.crank = { mass = 1.2, center = [10, 0], inertia = 4e-3 }
parts.rod = { mass = 0.4, center = [100, 0], inertia = 1.1e-3 }
parts.piston = { mass = 0.6, center = [170, 0], inertia = 1e-3 }
joints.main = { type = "revolute", between = ["frame", "crank"], at = [0, 0], damping = 0.01 }
joints.pin = { type = "revolute", between = ["crank", "rod"], at = [40, 0] }
joints.gudgeon = { type = "revolute", between = ["rod", "piston"], at = [170, 0] }
drives.motor = { joint = "main", torque = 0.9 }
ask.run.until = 3

[joints.bore]
type = "prismatic"
between = ["frame", "piston"]
at = [170, 0]
along = [1, 0]
spring = { stiffness = 300, rest = -40 }
"""


@pytest.fixture(scope="module")
def slack():
    return detent.outlook(detent.loads(SLACK))


def test_times_of_a_life_that_slows_down_tenfold_are_those_of_a_full_run(slack):
    life = detent.run(detent.loads(SLACK), until=12.0, every=0.0005)
    times, hinge = np.array(life.times), np.array(life.states["hinge"])
    middle = slack.pattern.phases[0].state["hinge"]
    passed = times[1:][(hinge[:-1] < middle) & (hinge[1:] >= middle)]
    for number, time, *_ in slack.drift.rows:
        assert time == pytest.approx(passed[int(number) - 1], rel=0.01)
    (within,) = [each.value for each in slack.evidence if "the end is known within" in each.statement]
    assert abs(slack.valid_until.time - passed[slack.valid_until.patterns - 1]) <= within
    assert within < 0.15 * slack.valid_until.time


def test_no_extremes_are_told_where_nothing_turns_round_at_a_mark(slack):
    assert "passing the middle" in slack.pattern.marks
    assert slack.drift.columns == ("pattern", "time", "duration", "tension axle")


def test_a_moment_after_the_last_pattern_is_told_where_the_machine_is_at_rest():
    answer = detent.outlook(detent.loads(STOPPED), at=[25.0])
    (moment,) = answer.moments
    # The pin's centre, 35 mm from the axle, is 3 mm from the edge at x = -5 mm.
    assert moment.state["slow"] == pytest.approx(-(np.pi - np.arcsin(8 / 35)), abs=1e-9)
    assert (moment.time, moment.regime) == (25.0, 1)


def test_the_pattern_told_is_the_steady_one_where_it_becomes_another():
    answer = detent.outlook(detent.loads(SHAKEN))
    assert answer.verdict == "repeats"
    found = re.search(r"at first spring swung ([\d.]+) times as wide", answer.reason)
    assert found is not None
    # In resonance m w^2 A = c w Z, but for the rod's slant.
    steady = 0.5 * 10.0**2 * 5.0 / (0.4 * 10.0)
    assert answer.amplitude["spring"] == pytest.approx(steady, rel=2e-3)
    run = detent.run(detent.loads(SHAKEN), until=4.0)
    least, greatest = run.ranges["spring"]
    assert float(found[1]) < 1.0 < answer.amplitude["spring"] / (0.5 * (greatest - least))


def test_moments_after_a_motor_has_run_up_are_those_of_a_full_run():
    """Its turns take longer at first: those that it lags behind by then are counted."""
    answer = detent.outlook(detent.loads(MOTOR), at=[20.0, 29.0])
    life = detent.run(
        detent.loads(MOTOR), until=29.0, times=[0.0, 20.0, 29.0], method=detent.Rigid(accuracy=1e-9)
    )
    for moment, true in zip(answer.moments, life.states["main"][1:], strict=True):
        assert abs(moment.state["main"] - true) <= moment.error["main"] < 2e-3
    # Once steady it turns as fast as a whole run does at last.
    last = detent.run(detent.loads(MOTOR), until=29.0, every=0.001)
    turned, times = np.array(last.states["main"]), np.array(last.times)
    began = np.interp(turned[-1] - 80 * np.pi, turned, times)
    assert answer.pattern.duration == pytest.approx((times[-1] - began) / 40, rel=3e-5)


def test_a_moment_of_a_machine_that_a_drive_leads_keeps_step_with_it():
    """Patterns take longer at first, while the drive does not wait."""
    times = [9.3318, 29.303]
    answer = detent.outlook(detent.loads(SHAKEN), at=times)
    life = detent.run(
        detent.loads(SHAKEN), until=29.4, times=[0.0, *times], method=detent.Rigid(accuracy=1e-9)
    )
    for k, moment in enumerate(answer.moments, start=1):
        assert moment.state["axle"] == pytest.approx(10.0 * moment.time, abs=1e-9)
        for joint in ("spring", "guide"):
            assert abs(moment.state[joint] - life.states[joint][k]) <= moment.error[joint] < 0.05


def test_a_swing_goes_from_turning_point_to_turning_point():
    answer = detent.outlook(detent.loads(BALL))
    assert answer.amplitude["guide"] == pytest.approx(100.0, rel=1e-6)


def test_moments_farther_ahead_than_patterns_can_be_counted_one_by_one():
    answer = detent.outlook(detent.loads(BALL), at=[1e8, 1e300], pattern=[10**20])
    (moment,) = answer.moments
    fall = np.sqrt(2 * 0.2 / 9.81)
    assert moment.pattern == pytest.approx(1e8 / (2 * fall), rel=1e-6)
    assert "moments beyond the last pattern" in answer.scope.left_out


def test_a_machine_whose_drive_ends_is_looked_at_until_it_rests():
    answer = detent.outlook(detent.loads(HELD))
    assert answer.verdict == "at_rest"
    # Held after ten turns, the follower rises at 10 pi mm/s, against a spring of 12 N, and falls back.
    thrown = 2 * 0.01 * np.pi / (800 * 0.015 / 0.2)
    assert answer.since == pytest.approx(10.0 + thrown, abs=0.02)
    assert answer.state["guide"] == pytest.approx(-5.0, abs=1e-6)


def test_a_joint_that_its_limit_holds_is_named():
    machine = detent.loads(
        """
        format = "detent/1"
        [parts.frame]
        fixed = true
        [parts.wheel]
        inertia = 1e-3
        [joints.axle]
        type = "revolute"
        between = ["frame", "wheel"]
        at = [0, 0]
        damping = 2e-3
        spring = { stiffness = 1e-4, rest = 400 }
        limits = { min = -1, max = 188.5 }
        """
    )
    answer = detent.outlook(machine)
    assert answer.verdict == "at_rest"
    assert "at its limit: axle" in [each.statement for each in answer.evidence]
    free = detent.outlook(machine.with_("joints.axle.limits.max", 500))
    assert "at its limit: axle" not in [each.statement for each in free.evidence]


def test_the_error_of_what_goes_on_is_its_way_in_the_error_of_the_time():
    machine = detent.loads(
        """
        format = "detent/1"
        [parts.frame]
        fixed = true
        [parts.wheel]
        inertia = 1e-3
        [joints.axle]
        type = "revolute"
        between = ["frame", "wheel"]
        at = [0, 0]
        [start]
        axle = { speed = 10 }
        """
    )
    (moment,) = detent.outlook(machine, at=[1e8]).moments
    assert moment.time_error > 5.0  # many turns
    assert moment.error["axle"] >= 0.99 * 10.0 * moment.time_error
    assert moment.error["axle"] <= 30.0 * moment.time_error
    assert abs(moment.state["axle"] - 1e9) <= moment.error["axle"]
