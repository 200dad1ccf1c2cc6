"""Two processes on top of one pattern, beside a full simulation; one worn tooth."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.motion import Rigid
from tests.judge.outlook.full_runs import full_run, outlook

UNTIL = 900.0


def times_of(name: str, gear: str, moved: str) -> list[float]:
    """When a peg first touches what it moves, each time anew."""
    touches = [
        event.time
        for event in full_run(name, UNTIL).evidence.events
        if event.subjects == (gear, moved) and event.kind != "release"
    ]
    return [time for k, time in enumerate(touches) if k == 0 or time - touches[k - 1] > 60.0]


@pytest.mark.parametrize(
    ("gear", "moved", "patterns"), [("small_gear", "bird", 20), ("large_gear", "hammer", 30)]
)
def test_the_bird_and_the_hammer_come_as_often_as_in_a_full_simulation(gear, moved, patterns):
    """A tooth of ten is a pattern; gears of 12, 36 and 24 teeth turn once in 30 and in 20 patterns."""
    answer = outlook("cuckoo_clock")
    (process,) = [each for each in answer.superimposed if each.between == (gear, moved)]
    times = times_of("cuckoo_clock", gear, moved)
    assert process.period_patterns == patterns
    assert process.joints == (moved,)
    assert process.change[moved] == pytest.approx(0.0, abs=1e-6)
    assert process.first == pytest.approx(times[0], abs=1e-3)
    assert process.period == pytest.approx(times[1] - times[0], rel=1e-3)
    assert 1 + int((UNTIL - process.first) // process.period) == len(times)


def test_both_are_foreseen_from_what_lies_before_them():
    answer = outlook("cuckoo_clock")
    assert (answer.verdict, answer.pattern.minima, len(answer.superimposed)) == ("repeats", 2, 2)
    simulated = {each.statement: each.value for each in answer.evidence}
    assert all(each.first > simulated["simulated, from the start"] for each in answer.superimposed)


def test_the_worn_tooth_is_named_as_the_first_departure_from_the_sound_clock():
    """Where the sound clock's fifth tooth comes to rest on the pallet, the worn one does not."""
    diagnosis = detent.outlook("worn_tooth", beside="escapement").diagnosis
    locked = next(
        event
        for event in full_run("escapement", 60.0).evidence.events
        if event.kind == "impact" and "ewheel/5." in event.after[0]
    )
    assert diagnosis.departs
    assert diagnosis.between == ("lever", "ewheel")
    assert diagnosis.contact == locked.after[0]
    assert diagnosis.time == pytest.approx(locked.time, abs=1e-3)
    assert "ewheel/5." in diagnosis.faulty
    assert set(diagnosis.differ) == {"shapes.worn_tooth", "shapes.ewheel"}


def test_a_tooth_that_is_worn_a_little_runs_down_with_the_clock():
    """It locks 0.1 degrees elsewhere; the wheel goes on by two teeth each time, beside a whole life."""
    clock = detent.load("worn_tooth").with_("shapes.worn_tooth.block", [0.3, 5.38, 1])
    answer = detent.outlook(clock)
    assert (answer.verdict, answer.pattern.minima) == ("repeats", 4)
    run = detent.predict(clock, method=Rigid(accuracy=1e-7), until=2100.0).evidence
    times = np.array(run.energy_minima)[3::4]
    wheel = run.along.at(times).coordinates["ewheel"]
    odd = np.flatnonzero(np.abs(np.diff(wheel) + np.radians(72.0)) > np.radians(1.5))
    last = int(odd[0]) + 1 if len(odd) else len(times)
    low, high = answer.valid_until.interval
    assert low <= last <= high
    for number, time, *_ in answer.drift.rows[:-2]:
        assert time == pytest.approx(times[int(number) - 1], abs=0.7)
