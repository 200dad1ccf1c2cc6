"""Outlooks of the seed's other machines, beside full simulations, closed forms and published answers."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

import detent
from tests.judge.outlook.full_runs import full_run, outlook

REFERENCE = Path(__file__).parents[2] / "data" / "reference" / "machines"


def expected(name: str) -> dict:
    return json.loads((REFERENCE / f"{name}.expected.json").read_text())["outlook"]


def test_the_change_of_a_pattern_by_penalty_is_that_of_the_first_minimum_kept():
    """By the seed's reading of its shapes, beside another program; the last pattern confirmed has +0.003."""
    asked = detent.load(REFERENCE / "escapement.toml").with_("ask.outlook.penalty.features", "primitives")
    answer = detent.outlook(asked, until=45.0)
    wanted, within = (
        json.loads((REFERENCE / "escapement.expected.json").read_text())[key]
        for key in ("outlook", "tolerance")
    )
    assert answer.pattern.duration == pytest.approx(wanted["pattern"]["duration"], abs=within["duration"])
    for joint in ("bwheel", "ewheel"):
        change = wanted["pattern"]["change"][joint]
        assert answer.pattern.change[joint] == pytest.approx(change, abs=within["change"][joint])
    # Its swing becomes wider in the pattern told, and narrower over ten of them.
    assert "each time" not in answer.words


def test_a_missing_tooth_gives_a_pattern_of_one_revolution():
    answer = outlook("missing_tooth")
    assert (answer.verdict, answer.pattern.minima) == ("repeats", 16)
    assert answer.pattern.change["ewheel"] == pytest.approx(-2 * math.pi, abs=1e-9)
    (two,) = [each for each in answer.refused if each.minima == 2]
    assert "not over 10 patterns" in two.why
    life = full_run("missing_tooth", 200.0)
    assert answer.pattern.duration == pytest.approx(life.times[50] - life.times[34], rel=1e-3)


def test_the_large_tooth_ends_it_and_is_named():
    answer = outlook("large_tooth")
    assert answer.verdict == "ends"
    assert answer.valid_until.between == ("lever", "ewheel")
    assert "ewheel/11." in answer.valid_until.what  # leaf 11 is the long tooth
    assert answer.pattern is None
    # Two minima a pattern, counted from the start.
    over = int((full_run("large_tooth", 60.0).times <= answer.valid_until.time + 1e-3).sum())
    assert (answer.valid_until.patterns, answer.valid_until.interval[0]) == (over // 2, over // 2)


def test_a_ratchet_against_its_pawl_is_at_rest_and_shows_no_pattern():
    answer = outlook("ratchet")
    assert (answer.verdict, answer.pattern) == ("at_rest", None)
    assert answer.state["wheel"] == pytest.approx(expected("ratchet_ccw")["state"]["wheel"], abs=1.75e-3)


def test_a_ratchet_with_its_pawl_runs_until_the_spring_is_slack():
    answer = outlook("ratchet_free")
    assert answer.verdict == "at_rest"
    assert answer.state["wheel"] == pytest.approx(-1000.0, rel=0.02)  # where the spring is relaxed
    assert answer.since > 300.0
    # Slack: less than a tenth of the tension that it had as drawn, 1000 rad from its rest.
    (left,) = [e.value for e in answer.evidence if e.statement == "of the tension of wheel at first is left"]
    assert left == pytest.approx((1000.0 + answer.state["wheel"]) / 1000.0, rel=1e-9)
    assert left < 0.1
    assert (
        "it ran on until the spring of wheel is slack, with 1.11 % of the first tension left" in answer.words
    )
    assert "the spring" not in outlook("ratchet").reason  # it still drives there


def test_rotary_to_rocking_is_found_by_a_section_and_rocks_as_the_pin_lets_it():
    answer = outlook("rotary_to_rocking")
    assert answer.verdict == "repeats"
    assert "passing the middle" in answer.pattern.marks
    assert answer.pattern.change["wheel"] == pytest.approx(2 * math.pi, abs=1e-6)
    ideal = math.asin(2 / 6)
    assert ideal <= answer.amplitude["arm"] <= ideal + math.radians(0.5)  # with the play of the slot
    assert answer.amplitude["arm"] == pytest.approx(
        expected("rotary_to_rocking")["amplitude"]["arm"], abs=1.75e-3
    )


def test_two_balances_swing_together():
    answer = outlook("double_escapement")
    assert (answer.verdict, answer.pattern.minima) == ("repeats", 2)
    assert answer.synchronous == (("upper", "left"),)


def test_the_crank_engine_repeats_each_turn_at_the_motors_steady_speed():
    answer = outlook("crank_engine")
    assert (answer.verdict, answer.valid_until) == ("repeats", None)
    # Torque over damping is its mean speed, but for what uneven inertia does.
    assert answer.pattern.duration == pytest.approx(2 * math.pi / (0.006 / 2e-4), rel=2e-3)
    assert answer.amplitude["frame_piston"] == pytest.approx(20.0, rel=1e-3)  # the crank's radius


def test_the_time_bomb_ends_at_its_pegs():
    answer, life = outlook("time_bomb"), full_run("time_bomb", 70.0)
    assert answer.verdict == "ends"
    end = answer.valid_until
    hit = next(event for event in life.evidence.events if event.subjects == ("frame", "ewheel"))
    assert end.between == ("frame", "ewheel")
    assert end.patterns == int((life.times < hit.time).sum()) // 2
    assert end.time == pytest.approx(hit.time, rel=1e-4)
    angle = life.evidence.along.at(np.array([hit.time])).coordinates["ewheel"][0]
    assert end.state["ewheel"] == pytest.approx(angle, abs=math.radians(0.01))
    assert "at rest" in end.then
    simulated = next(each.value for each in answer.evidence if each.statement == "patterns simulated")
    assert simulated <= 10


def test_a_chime_geared_one_to_twelve_is_foreseen_from_ten_patterns_and_one_chime():
    """Its first strike comes after the patterns that were simulated from the start."""
    answer, life = outlook("chiming_clock"), full_run("chiming_clock", 1900.0)
    (chime,) = answer.superimposed
    strikes = strikes_of(life.evidence, 200.0)
    assert chime.period_patterns == 120  # ten teeth, and twelve turns of the pinion
    assert chime.first == pytest.approx(strikes[0], abs=1e-3)
    assert chime.period == pytest.approx(strikes[1] - strikes[0], rel=1e-3)
    assert 1 + int((1900.0 - chime.first) // chime.period) == len(strikes) == 3
    assert chime.joints == ("clapper",)
    assert chime.change["clapper"] == pytest.approx(0.0, abs=1e-6)
    simulated = {each.statement: each.value for each in answer.evidence}
    assert simulated["simulated, from the start"] < min(chime.first, 10 * answer.pattern.duration)
    # One restart shows the chime: from two patterns before it until it is over, and the pattern as it was.
    assert simulated["simulated, a new contact"] < chime.duration + 6 * answer.pattern.duration


def strikes_of(life, apart):
    touches = [
        event.time
        for event in life.events
        if event.subjects == ("gear", "clapper") and event.kind != "release"
    ]
    return [time for k, time in enumerate(touches) if k == 0 or time - touches[k - 1] > apart]


PENDULUM = """
format = "detent/1"
units = "m"
gravity = [0, -9.81]
[parts.base]
fixed = true
markers.o = [0, 0]
[parts.bob]
mass = 1
inertia = 0.01
center = [0, -1]
markers.o = [0, 0]
[joints.pin]
type = "revolute"
between = ["base.o", "bob.o"]
damping = 0.0
[start.pin]
at_deg = 30
"""
FLYWHEEL = """
format = "detent/1"
units = "m"
[parts.base]
fixed = true
markers.o = [0, 0]
[parts.wheel]
mass = 1
inertia = 0.5
center = [0, 0]
markers.o = [0, 0]
[joints.pin]
type = "revolute"
between = ["base.o", "wheel.o"]
damping = 0.0
[start.pin]
speed = 3
"""


def test_an_undamped_pendulum_repeats_and_forgets_nothing():
    answer = detent.outlook(detent.loads(PENDULUM))
    assert answer.verdict == "repeats"
    # The period of a compound pendulum at 30°: elliptic integral by the arithmetic-geometric mean.
    a, b = 1.0, math.cos(math.radians(15.0))
    while abs(a - b) > 1e-15:
        a, b = (a + b) / 2, math.sqrt(a * b)
    period = 2 * math.pi * math.sqrt(1.01 / 9.81) / a
    assert answer.pattern.duration == pytest.approx(period, rel=1e-6)
    assert answer.pattern.multipliers["pin"] == pytest.approx(1.0, abs=1e-4)


def test_a_damped_pendulum_does_not_repeat_for_ever():
    answer = detent.outlook(detent.loads(PENDULUM).with_("joints.pin.damping", 0.05))
    assert answer.verdict == "at_rest"
    assert answer.state["pin"] == pytest.approx(0.0, abs=1e-4)


def test_a_flywheel_of_constant_energy_repeats_each_turn():
    answer = detent.outlook(detent.loads(FLYWHEEL))
    assert (answer.verdict, answer.pattern.marks) == ("repeats", "turns of pin")
    assert answer.pattern.duration == pytest.approx(2 * math.pi / 3, rel=1e-9)


def test_a_flywheel_that_is_braked_comes_to_rest_where_its_momentum_is_spent():
    answer = detent.outlook(detent.loads(FLYWHEEL).with_("joints.pin.damping", 0.05))
    assert answer.verdict == "at_rest"
    assert answer.state["pin"] == pytest.approx(0.5 * 3 / 0.05, rel=1e-6)


def test_a_double_pendulum_never_repeats_and_is_not_said_to():
    second = """
[parts.second]
mass = 1
inertia = 0.01
center = [0, -1]
pose = { at = [0, -1] }
markers.o = [0, 0]
[joints.elbow]
type = "revolute"
between = ["bob.e", "second.o"]
"""
    text = PENDULUM.replace("at_deg = 30", "at_deg = 120")
    text = text.replace("center = [0, -1]\n", "center = [0, -1]\nmarkers.e = [0, -1]\n") + second
    answer = detent.outlook(detent.loads(text))
    assert (answer.verdict, answer.pattern) == ("undecided", None)
    assert "no pattern was found" in answer.reason
