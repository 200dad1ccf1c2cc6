"""Machines that are hard to tell: an honest verdict each."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.judge import Marks, SearchSettings, search
from detent.motion import Rigid
from tests.judge.outlook.test_machines import FLYWHEEL, PENDULUM
from tests.judge.outlook.test_search import NAMES, marks_of, ranges_of, ticking
from tests.prove.escapements import random_escapement

MOTOR = """
[drives.motor]
joint = "pin"
torque = 0.4
"""


def test_a_ratchet_driven_hard_never_repeats_and_is_not_said_to():
    """By a constant torque the pawl is thrown up and flies over some teeth, others each time."""
    mechanism = detent.load("ratchet_free").with_("joints.wheel.spring", {"stiffness": 1e-9, "rest": 0})
    answer = detent.outlook(mechanism.with_("drives.motor", {"joint": "wheel", "torque": -120}))
    assert (answer.verdict, answer.pattern, answer.valid_until) == ("undecided", None, None)
    assert "no pattern was found in" in answer.reason
    assert "steps" in answer.reason  # the effort


def test_a_wheel_that_turns_ever_faster_is_not_said_to_repeat():
    """Each turn takes less time than the one before: no change per turn that stays the same can be given."""
    answer = detent.outlook(detent.loads(FLYWHEEL + MOTOR))
    assert (answer.verdict, answer.valid_until) == ("undecided", None)


def test_the_same_wheel_with_a_brake_is_not_said_to_repeat_while_it_still_runs_up():
    """Its turns come near the steady ones, torque over brake, and still change: that is what is said."""
    answer = detent.outlook(detent.loads(FLYWHEEL + MOTOR).with_("joints.pin.damping", 0.05))
    assert answer.pattern.duration == pytest.approx(2 * np.pi / (0.4 / 0.05), rel=1e-3)
    assert (answer.verdict, answer.valid_until) == ("undecided", None)
    assert "still changes" in answer.reason


def test_an_engine_repeats_once_its_long_run_up_is_over():
    """Its motor brings it to speed within inertia over damping; the first turns take longer."""
    answer = detent.outlook("crank_engine")
    run = detent.predict("crank_engine", method=Rigid(accuracy=1e-7), until=3.0).evidence
    times = np.linspace(0.0, 3.0, 30001)
    crank = next(column for column in run.along.at(times).coordinates.values() if np.ptp(column) > 4 * np.pi)
    turns = times[np.flatnonzero(np.diff(np.floor(np.abs(crank - crank[0]) / (2 * np.pi))) > 0)]
    assert turns[1] - turns[0] > 1.05 * answer.pattern.duration
    assert answer.verdict == "repeats"
    assert answer.pattern.since > turns[2]


ARM = """
format = "detent/1"
units = "mm"
gravity = [0, -2]
parts.frame.fixed = true
parts.bar = { mass = 0.5, center = [0, 0], inertia = 2e-3 }
parts.mass = { mass = 0.4, center = [60, 0], inertia = 1e-4 }
joints.axle = { type = "revolute", between = ["frame", "bar"], at = [0, 0], damping = 2e-4 }
drives.motor = { joint = "axle", torque = 0.004 }

[joints.guide]
type = "prismatic"
between = ["bar", "mass"]
at = [60, 0]
along = [1, 0]
damping = 0.3
spring = { stiffness = 40, rest = 0 }
"""


def test_a_swing_that_fades_does_not_unwind_the_spring_it_stretches():
    """Where the arm passes, the spring is stretched a little less each time; it hangs still in the end."""
    answer = detent.outlook(detent.loads(ARM))
    weight, stiffness, torque = 0.4 * 2.0, 40.0, 0.004
    angle = -0.5 * np.pi
    for _ in range(50):  # torque = weight (0.06 + stretch) cos, stretch = -weight sin / stiffness
        stretch = -weight * np.sin(angle) / stiffness
        angle = -np.arccos(torque / (weight * (0.06 + stretch)))
    assert (answer.verdict, answer.valid_until) == ("at_rest", None)
    assert answer.state["axle"] == pytest.approx(angle, abs=1e-3)
    assert answer.state["guide"] == pytest.approx(1e3 * stretch, abs=0.01)


def test_marks_that_repeat_only_after_a_long_transient_are_found_when_they_do():
    k = np.arange(90)
    clock = ticking(90)
    at = clock.at.copy()
    rough = k < 60
    at[rough, 1] += 4.0 * np.sin(k * k)[rough]
    marks = Marks(clock.times, at, clock.speeds)
    settings = SearchSettings()
    found = search(marks, ranges_of(marks), NAMES, settings).found
    assert found.minima == 2
    assert found.since >= clock.times[58]
    early = Marks(marks.times[:60], marks.at[:60], marks.speeds[:60])
    assert search(early, ranges_of(early), NAMES, settings).found is None


@pytest.mark.parametrize(("off", "minima"), [(0.5, 4), (0.0, 2)])
def test_two_patterns_that_alternate_are_one_of_both(off, minima):
    """Every other swing goes farther: four marks repeat, two do not."""
    k = np.arange(40)
    wheel = -0.6 * (k // 2) - 0.2 * (k % 2)
    balance = np.where(k % 2 == 0, 5.0, -5.0) + off * (k % 4 == 0)
    marks = marks_of(3.7 * k, wheel, balance)
    result = search(marks, ranges_of(marks), NAMES, SearchSettings())
    assert result.found.minima == minima
    assert [each.minima for each in result.fallen] == list(range(1, minima))


def alternation(answer: detent.Outlook) -> list[str]:
    return [fact.statement for fact in answer.evidence if "alternate" in fact.statement]


def clock_with_teeth_of_two_lengths(shorter: float) -> detent.Mechanism:
    """Every other tooth of the published wheel is shorter."""
    text = (Path(__file__).parents[3] / "examples" / "escapement.toml").read_text()
    teeth = '{ use = "tooth", repeat = { count = 10, about = "z" } },'
    assert teeth in text
    each = '{ use = "%s", repeat = { count = 5, about = "z" } },'
    text = text.replace(teeth, each % "tooth" + each % "short")
    turned = "moves = [{ move = [-3.2, 0, 0] }, { turn_deg = 36 }]"
    return detent.loads(f"{text}\n[shapes.short]\nblock = [0.3, {shorter}, 1]\n{turned}\n")


def test_teeth_of_two_lengths_alternate_in_one_pattern_and_each_takes_what_it_does_in_a_run():
    machine = clock_with_teeth_of_two_lengths(5.35)
    answer = detent.outlook(machine)
    minima = np.array(detent.predict(machine, method=Rigid(accuracy=1e-8), until=70.0).evidence.energy_minima)
    (said,) = alternation(answer)
    lasts = [float(each.split()[0]) for each in said.split(" in ")[2:]]
    since = int(np.argmin(np.abs(minima - answer.pattern.since)))
    wanted = np.diff(minima[since + 4 * answer.pattern.confirmed :][:5:2])
    assert (answer.verdict, answer.pattern.minima) == ("repeats", 4)
    assert "two patterns of 2 marks alternate" in said
    assert lasts == pytest.approx(wanted, abs=2e-4)
    assert abs(lasts[0] - lasts[1]) > 0.01


def test_patterns_that_alternate_only_at_first_are_said_to():
    machine = random_escapement(6)
    answer = detent.outlook(machine)
    minima = np.array(detent.predict(machine, method=Rigid(accuracy=1e-7), until=60.0).evidence.energy_minima)
    (said,) = alternation(answer)
    until = float(said.split("up to ")[1].split()[0])
    lasts = np.diff(minima[minima <= until + 1e-3])
    assert answer.pattern.minima == 1
    assert (np.diff(lasts)[1:] * np.diff(lasts)[:-1] < 0.0)[3:].all()
    assert until < answer.pattern.since


@pytest.mark.parametrize("name", ["escapement", "missing_tooth"])
def test_tick_and_tock_are_not_said_to_alternate(name):
    assert alternation(detent.outlook(name, patterns=1)) == []


def test_an_undamped_pendulum_is_as_it_was_after_a_thousand_swings_within_what_is_stated():
    """It forgets nothing: what steps leave open adds up, and is told."""
    answer = detent.outlook(detent.loads(PENDULUM), pattern=[1000])
    (moment,) = answer.moments
    begin = answer.pattern.phases[-1].state["pin"]
    assert abs(moment.state["pin"] - begin) <= moment.error["pin"] + 1e-9
    assert moment.time_error > 0.0
