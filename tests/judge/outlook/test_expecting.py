"""What is expected, and where a faulty machine first departs from a sound one."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from tests.judge.outlook.full_runs import TOOTH, full_run, machine


def expected(name, **numbers):
    return detent.outlook(machine(name).with_("ask.outlook.expect", numbers), patterns=12).expectation


@pytest.mark.parametrize(("duration", "met"), [(7.3857, True), (7.45, True), (7.47, False), (7.29, False)])
def test_a_duration_is_met_within_a_hundredth(duration, met):
    expectation = expected("escapement", minima=2, duration=duration, change={"ewheel": -0.62832})
    assert expectation.met is met
    assert [other.what for other in expectation.other] == ([] if met else ["duration"])


def test_a_clock_that_is_to_run_long_and_meets_a_peg_says_so():
    expectation = expected("time_bomb", verdict="repeats", patterns=200)
    assert not expectation.met
    assert {other.what for other in expectation.other} == {"verdict", "patterns"}
    assert all("frame and ewheel meet" in other.cause for other in expectation.other)


def test_a_joint_that_is_not_there_is_named():
    with pytest.raises(detent.ModelError, match="give one of"):
        expected("escapement", change={"wheel": 1.0})


def test_the_large_tooth_is_the_first_departure_from_the_sound_clock():
    diagnosis = detent.outlook("large_tooth", beside="escapement").diagnosis
    assert diagnosis.departs
    assert diagnosis.between == ("lever", "ewheel")
    assert "ewheel/11." in diagnosis.contact
    assert "shapes.ewheel" in diagnosis.differ
    touch = next(
        event
        for event in full_run("large_tooth", 60.0).evidence.events
        if event.after and "ewheel/11." in event.after[0]
    )
    assert diagnosis.time == pytest.approx(touch.time, abs=1e-3)


def test_the_missing_tooth_departs_where_the_wheel_first_falls_through():
    """There, the wheel of the full run has gone on by more than a tooth since the pattern before."""
    diagnosis = detent.outlook("missing_tooth", beside="escapement").diagnosis
    assert diagnosis.departs
    assert diagnosis.between == ("lever", "ewheel")
    minima = full_run("missing_tooth", 60.0)
    steps = np.diff(minima.pattern_ends("ewheel"))
    skip = int(np.argmax(np.abs(steps) > 1.5 * TOOTH))
    begin, end = minima.times[1::2][skip : skip + 2]
    assert begin < diagnosis.time < end


def test_what_is_other_has_its_unit():
    (other,) = expected("crank_engine", duration=1.0).other
    assert other.expected == "1 s"
    assert other.found.endswith(" s")
    (other,) = expected("escapement", change={"ewheel": 1.0}).other
    assert (other.expected, other.found) == ("57.2958°", "-36°")


def test_machines_with_no_moving_part_in_common_are_not_compared():
    with pytest.raises(detent.ModelError, match="none of the parts that move here"):
        detent.outlook("escapement", beside="crank_engine")


def test_a_machine_does_not_depart_from_itself():
    diagnosis = detent.outlook("escapement", beside="escapement").diagnosis
    assert not diagnosis.departs
    assert diagnosis.differ == ()
