"""The published escapement: its outlook beside a simulation of its whole life."""

from __future__ import annotations

import math
import re
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.motion import Rigid
from tests.judge.outlook.full_runs import TOOTH, full_run, machine, outlook

LIFE = 2300.0


@pytest.fixture(scope="module")
def life():
    return full_run("escapement", LIFE)


def test_it_repeats_two_minima_in_the_duration_of_a_run(life):
    answer = outlook("escapement")
    assert answer.verdict == "repeats"
    assert answer.pattern.minima == 2
    assert answer.pattern.duration == pytest.approx(7.3857, abs=1e-4)  # by two unrelated programs
    assert answer.pattern.duration == pytest.approx(life.times[9] - life.times[7], abs=1e-6)
    assert answer.pattern.change["ewheel"] == pytest.approx(-TOOTH, abs=1e-9)
    assert [each.minima for each in answer.refused] == [1]
    assert re.search(r"lever +0° +±5.2", answer.words)  # it is where it was, but for rounding


def test_half_of_the_energy_is_gone_when_the_spring_as_drawn_has_lost_half():
    """It is drawn 10000 degrees from its rest, and loses 36 in each pattern."""
    answer = outlook("escapement")
    (half,) = [e.value for e in answer.evidence if e.statement.startswith("half of the energy is gone after")]
    assert half == math.floor(10000 / 36 * (1 - math.sqrt(0.5))) == 81


def test_the_pattern_contracts_what_is_wrong_by_a_fiftieth():
    """Beside the run: the first pattern begins far from the others, the second is nearly like them."""
    (left,) = outlook("escapement").pattern.multipliers.values()
    assert left == pytest.approx(0.02, abs=0.005)


def test_contacts_of_the_pattern_are_those_of_the_run(life):
    answer = outlook("escapement")
    begin = life.times[7]
    wanted = {
        (event.subjects, round(event.time - begin, 4))
        for event in life.evidence.events
        if event.kind == "impact" and begin < event.time < life.times[9]
    }
    told = {(touch.parts, round(touch.from_, 4)) for touch in answer.pattern.contacts}
    assert len(told & wanted) >= len(told) - 2  # those that act at the begin, or slide from another


def test_the_last_pattern_is_that_of_the_whole_life_from_fifty_patterns(life):
    answer = outlook("escapement")
    end = answer.valid_until
    assert abs(end.patterns - life.last_regular) <= 1
    assert end.interval[0] <= life.last_regular <= end.interval[1]
    assert end.cause == "slack"
    simulated = next(each.value for each in answer.evidence if each.statement == "patterns simulated")
    assert simulated <= 50


def test_twenty_patterns_give_an_interval_that_contains_it(life):
    answer = outlook("escapement", patterns=20)
    low, high = answer.valid_until.interval
    assert low <= life.last_regular <= high
    assert high - low < 40
    simulated = next(each.value for each in answer.evidence if each.statement == "patterns simulated")
    assert simulated <= 20


@pytest.mark.parametrize("share", [0.25, 0.5, 0.75, 1.0])
def test_time_period_and_amplitude_along_its_life(life, share):
    number = int(share * life.last_regular)
    (moment,) = detent.outlook("escapement", pattern=[number]).moments
    assert moment.time == pytest.approx(life.times[2 * number - 1], rel=1e-3)
    for joint in ("bwheel", "lever"):
        assert moment.state[joint] == pytest.approx(
            life.pattern_ends(joint)[number - 1], abs=math.radians(0.01)
        )
    rows = np.array(outlook("escapement").drift.rows)
    period = np.interp(number, rows[:, 0], rows[:, 2])
    assert period == pytest.approx(life.times[2 * number - 1] - life.times[2 * number - 3], rel=2e-3)


def test_the_square_of_the_amplitude_is_linear_in_the_tension(life):
    """Fitted to two patterns, the law has the lowest balance angle of every pattern up to 200."""
    drift = outlook("escapement").drift
    assert "square" in drift.law
    offset, slope = drift.numbers["bwheel least"]
    first = drift.rows[0]
    for number in range(10, 201, 10):
        tension = first[3] - (number - first[0]) * 20.0 * TOOTH
        lowest = math.radians(90.0) - math.sqrt(offset + slope * tension)
        assert lowest == pytest.approx(life.pattern_ends("bwheel")[number - 1], abs=math.radians(0.5))


def test_states_at_random_times_are_within_their_stated_errors():
    """Beside a run that is a hundred times as accurate: no error is told as less than it is."""
    rng = np.random.default_rng(3)
    times = np.sort(np.concatenate([rng.uniform(1.0, 40.0, 6), rng.uniform(40.0, 700.0, 12)]))
    run = detent.predict("escapement", method=Rigid(accuracy=1e-9), until=705.0).evidence
    moments = detent.outlook("escapement", at=[float(time) for time in times]).moments
    columns = run.along.at(times).coordinates
    assert len(moments) == len(times)
    for k, moment in enumerate(moments):
        assert moment.time == pytest.approx(times[k], abs=1e-9)
        for joint, value in moment.state.items():
            assert abs(value - columns[joint][k]) <= moment.error[joint]
            assert 1e-9 < moment.error[joint] < math.radians(10.0)


def test_moments_beyond_the_last_pattern_are_told_where_they_were_simulated_or_it_is_at_rest():
    answer, times = detent.outlook("escapement", at=[2050.0, 2080.0, 5000.0]), np.array([2050.0, 2080.0])
    assert [(moment.time, moment.regime) for moment in answer.moments] == [
        (2050.0, 1),
        (2080.0, 1),
        (5000.0, 1),
    ]
    assert answer.moments[2].state == pytest.approx(answer.regimes[-1].state, abs=1e-9)
    columns = full_run("escapement", LIFE).evidence.along.at(times).coordinates
    for k, moment in enumerate(answer.moments[:2]):
        for joint, column in columns.items():
            assert abs(moment.state[joint] - column[k]) <= moment.error[joint] <= 0.2


@pytest.mark.parametrize(
    ("joint", "stiffness", "until"), [("ewheel", 4, 2300), ("ewheel", 0.5, 1900), ("bwheel", 60, 1100)]
)
def test_early_stops_lie_in_the_stated_interval(joint, stiffness, until):
    change = (f"joints.{joint}.spring.stiffness", stiffness)
    answer, life = outlook("escapement", change), full_run("escapement", float(until), change)
    low, high = answer.valid_until.interval
    assert low <= life.last_regular <= high or answer.verdict == "undecided"
    assert high - low <= max(2, 0.15 * high)


def test_teeth_that_come_after_the_pattern_is_over_are_those_of_the_whole_life():
    """The lever does not reach its stop any more, and lets the wheel on all the same: by its swings."""
    change = ("joints.ewheel.spring.stiffness", 4)
    answer, life = outlook("escapement", change), full_run("escapement", 2300.0, change)
    (further,) = (
        regime for regime in answer.regimes if "carries ewheel on by -36° each time" in regime.reason
    )
    assert answer.regimes[0].end == further.start
    assert further.reason in answer.valid_until.then
    times = np.linspace(1950.0, 2300.0, 35001)
    columns = life.evidence.along.at(times).coordinates
    lever, wheel = columns["lever"], columns["ewheel"]
    over = np.flatnonzero((lever[:-1] < np.radians(-5.0)) & (lever[1:] >= np.radians(-5.0)))
    ticks = times[over[:-1][np.abs(np.diff(wheel[over]) + TOOTH) < 0.25 * TOOTH]]
    told = int(further.reason.rpartition(", ")[2].split()[0])
    assert abs(((ticks > further.start) & (ticks < further.end)).sum() - told) <= 1
    assert ticks[-1] == pytest.approx(further.end, abs=15.0)  # two of the last, slow ones
    assert told >= 5


def test_a_hard_hairspring_has_a_pattern_of_four_minima_that_ends_early():
    """Every other tooth is alike: by swings of the lever in the full run, between which the wheel goes on by
    more and by less in turn, then each time by as much, then no more."""
    change = ("joints.bwheel.spring.stiffness", 150)
    answer = outlook("escapement", change)
    run = detent.predict(machine("escapement", change), method=Rigid(accuracy=1e-8), until=700.0).evidence
    times = np.linspace(0.0, 700.0, 140_001)
    columns = run.along.at(times).coordinates
    lever, wheel = columns["lever"], columns["ewheel"]
    over = np.flatnonzero((lever[:-1] < np.radians(-5.0)) & (lever[1:] >= np.radians(-5.0)))
    turned = np.diff(wheel[over])
    last = 20 + int(np.flatnonzero(np.abs(np.diff(turned[20:])) < 0.05 * TOOTH)[0])
    low, high = answer.valid_until.interval
    assert answer.pattern.minima == 4
    assert 2 * low <= last <= 2 * high + 1
    assert high - low <= 0.05 * high
    assert "of the tension of ewheel at its begin left" in answer.regimes[1].reason
    ticks = np.flatnonzero(np.abs(turned + TOOTH) < 0.25 * TOOTH)
    assert answer.regimes[-2].end == pytest.approx(times[over[ticks[-1]]], abs=5.0)  # its last swing


def test_a_weak_mainspring_ends_while_it_still_drives_and_a_strong_one_runs_down():
    weak = outlook("escapement", ("joints.ewheel.spring.stiffness", 0.5))
    assert (weak.verdict, weak.valid_until.cause) == ("ends", "contact")
    assert (outlook("escapement").verdict, outlook("escapement").valid_until.cause) == ("repeats", "slack")


def test_by_penalty_the_pattern_is_that_of_parts_that_yield_and_the_long_run_the_rigid_one(life):
    asked = {"method": "penalty", "penalty": {"stiffness": 100000, "damping": 1000000}}
    answer = detent.outlook(detent.load("escapement").with_("ask.outlook", asked))
    method = detent.Penalty(stiffness=1e5, damping=1e6)
    minima = detent.predict("escapement", method=method, until=50.0).evidence.energy_minima
    assert answer.pattern.minima == 2
    assert answer.pattern.duration == pytest.approx(minima[11] - minima[9], abs=2e-4)
    assert answer.pattern.duration != pytest.approx(outlook("escapement").pattern.duration, abs=1e-5)
    assert answer.valid_until == outlook("escapement").valid_until
    assert any("rigid model" in note for note in answer.notes)


def test_times_up_to_a_limit_count_how_the_pattern_drifts():
    text = (Path(__file__).parents[3] / "examples" / "escapement.toml").read_text()
    spring = "spring = { stiffness = 20, rest_deg = -10000 }"
    assert spring in text
    text = text.replace(
        spring, "spring = { stiffness = 30, rest_deg = -8000 }\nlimits = { min = -60, max = 1 }"
    )
    machine = detent.loads(text)
    times = [100.0, 200.0, 300.0, 400.0, 600.0]
    run = detent.predict(machine, method=Rigid(accuracy=1e-9), until=600.0).evidence
    columns = run.along.at(np.array(times)).coordinates
    for k, moment in enumerate(detent.outlook(machine, at=times).moments):
        assert moment.time == pytest.approx(times[k])
        for joint, value in moment.state.items():
            assert abs(value - columns[joint][k]) <= moment.error[joint]
        assert moment.error["bwheel"] < 0.05
