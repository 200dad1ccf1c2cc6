"""Moments that are asked for, beside closed forms and finer runs; what fades, and what creeps to rest."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import detent
from detent.motion import Rigid, predict
from tests.judge.outlook.full_runs import full_run

FRAME = """
format = "detent/1"
gravity = [0, -9.81]
[parts.frame]
fixed = true
markers = { O = [0, 0], Q = [3, 0] }
"""
A = """
[joints.a]
type = "revolute"
between = ["frame.O", "a.O"]
"""
TORSION = f"""{FRAME}
[parts.a]
mass = 1
center = [0, 0]
inertia = 1
markers = {{ O = [0, 0] }}
{A}
spring = {{ stiffness = 10 }}
damping = 0.01
"""
WHEEL = """
[parts.q]
mass = 1
center = [3, 0]
inertia = 0.02
markers = { Q = [3, 0] }
[joints.q]
type = "revolute"
between = ["frame.Q", "q.Q"]
damping = 0.01
spring = { stiffness = 0.001, rest_deg = 4000 }
"""
START = "[start]\na = { at_deg = 40 }\n"
PENDULUM = f"""{FRAME}
[parts.a]
mass = 1
center = [0, -1]
inertia = 0.1
markers = {{ O = [0, 0] }}
{A}
"""
DOUBLE = f"""{FRAME}
[parts.a]
mass = 1
center = [0, -1]
inertia = 0.01
markers = {{ O = [0, 0], P = [0, -1] }}
[parts.b]
mass = 1
center = [0, -2]
inertia = 0.01
markers = {{ P = [0, -1] }}
{A}
[joints.b]
type = "revolute"
between = ["a.P", "b.P"]
[start]
a = {{ at_deg = 120 }}
b = {{ at_deg = 50 }}
"""
RUBBING = f"""{FRAME}
[parts.a]
mass = 2
center = [0, -0.5]
inertia = 0.05
markers = {{ O = [0, 0] }}
{A}
friction = {{ coefficient = 0.3, radius = 0.05 }}
[start]
a = {{ at_deg = 60 }}
"""
BALL = """
format = "detent/1"
gravity = [0, -9.81]
[parts.ball]
mass = 1
center = [0, 0]
inertia = 0.005
[start]
"ball.x" = { speed = 1.5 }
"""


def pendulum(damping: float, until: float) -> float:
    """The angle of a swinging pendulum at a time, by an integrator of its own."""

    def rates(_: float, y: np.ndarray) -> list[float]:
        return [y[1], (-9.81 * math.sin(y[0]) - damping * y[1]) / 1.1]

    start = [math.radians(40), 0.0]
    return float(solve_ivp(rates, (0, until), start, "DOP853", rtol=1e-12, atol=1e-12).y[0, -1])


@pytest.fixture(scope="module")
def torsion() -> detent.Outlook:
    return detent.outlook(
        detent.loads(TORSION + START), until=500, at=[50.0, 150.0, 1e5], pattern=[20, 40, 100]
    )


def test_moments_of_a_pattern_that_still_changes_are_those_of_its_closed_form(torsion):
    fades = 0.005
    fast = math.sqrt(10 - fades**2)
    for moment in torsion.moments:
        t = moment.time
        exact = math.cos(fast * t) + fades / fast * math.sin(fast * t)
        exact *= math.radians(40) * math.exp(-fades * t)
        assert abs(moment.state["a"] - exact) <= moment.error["a"] <= 5e-4
    assert [moment.pattern for moment in torsion.moments][-3:] == [20, 40, 100]
    assert torsion.moments[-1].time == pytest.approx(100 * 2 * math.pi / fast, rel=1e-6)


def test_a_swing_that_fades_has_its_law(torsion):
    # Amplitude exp(-0.005 t), of which 1e-8 of the energy is 1e-4; the greatest energy is that at a quarter.
    over = math.log(1e4) / 0.005 + 0.5
    assert (torsion.verdict, torsion.valid_until.cause) == ("repeats", "horizon")
    assert f"halves in {math.log(2) / 0.005:.3g} s" in torsion.drift.law
    asked = detent.outlook(detent.loads(TORSION + START))
    assert (asked.verdict, asked.valid_until) == ("at_rest", None)
    assert asked.since == pytest.approx(over, rel=2e-3)
    low, high = (float(each) for each in asked.reason.split("between ")[1].rstrip(" s)").split(" and "))
    assert low <= over <= high
    assert asked.state["a"] == pytest.approx(0.0, abs=1e-6)
    rows = {row[0]: row for row in asked.drift.rows}
    number = max(rows)
    swing = dict(zip(asked.drift.columns, rows[number], strict=True))
    period = 2 * math.pi / math.sqrt(10)
    assert swing["a greatest"] < math.radians(40) * math.exp(-0.005 * (number - 1) * period)
    assert swing["a least"] > -math.radians(40) * math.exp(-0.005 * (number - 1) * period)


@pytest.mark.parametrize(("damping", "time"), [(0.005, 100.0), (0.0005, 100.0), (0.005, 400.0)])
def test_moments_of_a_pendulum_whose_period_changes_are_those_of_another_integrator(damping, time):
    machine = detent.loads(f"{PENDULUM}damping = {damping}\n{START}")
    (moment,) = detent.outlook(machine, at=[time]).moments
    assert abs(moment.state["a"] - pendulum(damping, time)) <= moment.error["a"] <= math.radians(0.1)


def test_each_moment_that_is_not_told_has_its_reason():
    machine = detent.loads(f"{PENDULUM}damping = 0.0005\n{START}")
    answer = detent.outlook(machine, at=[100.0, 4000.0], pattern=[10**6])
    assert [moment.time for moment in answer.moments] == [100.0]
    assert [(each.time, each.pattern) for each in answer.untold] == [(4000.0, None), (None, 10**6)]
    assert all("20000 at most" in each.why for each in answer.untold)
    assert "not told" in answer.words
    assert "pattern 1000000  " in answer.words
    assert list(answer.columns()["row"]).count("moment not told") == 2


def test_nothing_is_told_of_a_chaotic_machine_beyond_what_is_known():
    answer = detent.outlook(detent.loads(DOUBLE), at=[5.0, 15.0, 100.0], until=20)
    inertia = 0.01

    def rates(_: float, y: np.ndarray) -> np.ndarray:
        a, b, va, vb = y
        between = math.cos(a - b)
        mass = [[2 + inertia, between], [between, 1 + inertia]]
        push = math.sin(a - b) * np.array([-vb * vb, va * va]) - 9.81 * np.array([2, 1]) * np.sin([a, b])
        return np.concatenate([[va, vb], np.linalg.solve(mass, push)])

    start = [math.radians(120), math.radians(170), 0.0, 0.0]
    a, b, _, _ = solve_ivp(rates, (0, 5), start, "DOP853", rtol=1e-12, atol=1e-12).y[:, -1]
    (moment,) = answer.moments
    assert abs(moment.state["a"] - a) <= moment.error["a"] <= 1e-3
    assert abs(moment.state["b"] - (b - a)) <= moment.error["b"] <= 1e-3
    assert [each.time for each in answer.untold] == [15.0, 100.0]
    for each in answer.untold:
        known = float(each.why.removeprefix("nothing is known beyond about ").split(" s")[0])
        assert 8 < known < 14


@pytest.mark.parametrize("document", [f"{PENDULUM}damping = 0.02\n{START}", RUBBING.replace("0.3,", "0.03,")])
def test_the_error_of_a_moment_that_was_simulated_covers_how_far_it_is_off(document):
    machine, times = detent.loads(document), np.array([10.0, 20.0, 30.0])
    moments = detent.outlook(machine, at=list(times), until=40).moments
    finer = predict(machine, method=Rigid(accuracy=1e-10), until=30.1).evidence.along
    exact = finer.coordinates_at(times)[0]["a"]
    for moment, angle in zip(moments, exact, strict=True):
        assert moment.time_error == 0.0
        assert abs(moment.state["a"] - angle) <= moment.error["a"] <= 1e-3


def test_what_creeps_to_rest_beside_a_pattern_does_not_end_it():
    machine = detent.loads(TORSION.replace("damping = 0.01", "") + WHEEL + START)
    answer = detent.outlook(machine, at=[1000.0])
    assert (answer.verdict, answer.valid_until) == ("repeats", None)
    assert "q comes to rest at 4000°" in answer.reason
    (moment,) = answer.moments
    exact = math.radians(40) * math.cos(math.sqrt(10) * 1000)
    assert abs(moment.state["a"] - exact) <= moment.error["a"] <= math.radians(0.1)
    assert moment.state["q"] == pytest.approx(math.radians(4000), abs=1e-6)
    assert "goes on" not in answer.words


def test_a_horizon_bounds_what_is_simulated_of_what_never_repeats():
    answer = detent.outlook(detent.loads(BALL), until=100, at=[50.0])
    assert "in 100 s" in answer.reason
    (moment,) = answer.moments
    assert moment.state["ball.y"] == pytest.approx(-9.81 / 2 * 50**2, rel=1e-9)
    assert moment.error["ball.y"] < 1e-3


def test_a_swing_that_changes_is_not_said_to_be_the_same():
    words = detent.outlook(detent.loads(RUBBING)).words
    assert "nearly the same came again" in words
    # Dry friction: an amplitude falls by 4 times the angle at which it holds, asin(0.03).
    less = float(words.split("each time ")[1].split("°")[0])
    assert less == pytest.approx(4 * math.degrees(0.3 * 0.05 / 0.5), rel=0.1)


def test_the_duration_told_is_that_of_the_steady_pattern():
    machine = detent.loads(
        """
        format = "detent/1"
        units = "mm"
        gravity = [0, -9.81]
        [parts.frame]
        fixed = true
        markers = { O = [0, 0] }
        [parts.wheel]
        mass = 0.3
        center = [20, 0]
        inertia = 4e-4
        markers = { O = [0, 0] }
        [joints.wheel]
        type = "revolute"
        between = ["frame.O", "wheel.O"]
        damping = 0.004
        [drives.motor]
        joint = "wheel"
        torque = 0.15
        """
    )
    answer = detent.outlook(machine, until=300)
    along = predict(machine, method=Rigid(accuracy=1e-9), until=6.0).evidence.along
    times = np.linspace(5.0, 6.0, 20001)
    turns = along.coordinates_at(times)[0]["wheel"] / (2 * math.pi)
    whole = np.arange(math.ceil(turns[0]), math.floor(turns[-1]) + 1)
    steady = float(np.diff(np.interp(whole, turns, times)).mean())
    assert answer.verdict == "repeats"
    assert answer.pattern.duration == pytest.approx(steady, rel=3e-5)


def test_a_machine_that_forgets_a_restart_slowly_is_within_what_is_told():
    # Of what is wrong at a restart 0.58 is left after each pattern.
    answer = detent.outlook("rotary_to_rocking", at=[30.0, 35.0, 40.0, 65.65, 850.0])
    run = full_run("rotary_to_rocking", 66.0).evidence
    full = run.along.at(np.array([moment.time for moment in answer.moments[:4]])).coordinates
    for k, moment in enumerate(answer.moments[:4]):
        for joint, told in moment.state.items():
            assert abs(told - full[joint][k]) <= moment.error[joint], (moment.time, joint)
