"""What follows a pattern: a clock whose wheel comes to push a part that can move, beside full simulations."""

from __future__ import annotations

import math
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.motion import Rigid
from tests.judge.outlook.full_runs import TOOTH

EXAMPLES = Path(__file__).parents[3] / "examples"
FRAME_PEG = "  { cylinder = { radius = 0.4, height = 2 }, moves = [{ move = [4.2, -1, -2] }] },\n"
DOG = """[parts.dog]
shape.difference = [
  { union = [
    { cylinder = { radius = 1, height = 1 }, moves = [{ move = [0, 0, -1] }] },
    { block = [4.6, 0.6, 1], moves = [{ move = [0, -0.3, -1] }, { turn_deg = 70 }] },
  ] },
  { cylinder = { radius = 0.5, height = 1 }, moves = [{ move = [0, 0, -1] }] },
]
inertia = 5

[joints.dog]
type = "infer"
between = ["frame", "dog"]
damping = DAMPING

[parts.lever]"""


@cache
def clock_with_a_dog(damping):
    """The time bomb without the frame's peg: an arm on the wheel's axis lies in the way of its peg."""
    text = (EXAMPLES / "time_bomb.toml").read_text()
    assert FRAME_PEG in text
    text = text.replace(FRAME_PEG, "")
    return detent.loads(text.replace("[parts.lever]", DOG.replace("DAMPING", str(damping)), 1))


@cache
def asked(damping):
    return detent.outlook(clock_with_a_dog(damping))


@cache
def life(damping, until):
    return detent.predict(clock_with_a_dog(damping), method=Rigid(accuracy=1e-7), until=until).evidence


def first_touches(run, apart):
    times = [event.time for event in run.events if event.subjects == ("dog", "ewheel")]
    times = [time for k, time in enumerate(times) if k == 0 or time - times[k - 1] > apart]
    return np.array(times)


@pytest.mark.parametrize("until", [2300.0])
def test_a_part_that_is_carried_along_makes_another_pattern_that_lasts_until_the_spring_is_slack(until):
    answer, run = asked(40), life(40, until)
    one, other, rest = answer.regimes
    touch = first_touches(run, 1.0)[0]
    assert (answer.verdict, one.verdict, other.verdict, rest.verdict) == (
        "ends",
        "ends",
        "repeats",
        "at_rest",
    )
    assert one.end == other.start == pytest.approx(touch, rel=1e-4)
    assert one.pattern.change["dog"] == 0.0
    assert other.pattern.change["dog"] == pytest.approx(-TOOTH, rel=0.01)
    minima = np.array(run.energy_minima)
    assert answer.valid_until.patterns == int((minima < touch).sum()) // 2
    wheel = run.along.at(minima).coordinates["ewheel"]
    steps = np.diff(wheel[minima >= touch][1::2])
    odd = np.flatnonzero(np.abs(steps + TOOTH) > 0.02 * TOOTH)
    last = int(odd[0]) + 1
    low, high = other.valid_until.interval
    assert low <= last <= high
    assert other.end == pytest.approx(minima[minima >= touch][2 * last - 1], rel=0.01)
    since = float(rest.reason.partition("since about ")[2].split()[0])
    end = run.along.at(np.array([since, until])).coordinates
    assert end["ewheel"][0] == pytest.approx(end["ewheel"][1], abs=1e-3)
    assert rest.state["ewheel"] == pytest.approx(end["ewheel"][1], abs=2 * TOOTH)
    assert "regime" in answer.words


def test_a_part_that_is_flung_elsewhere_is_met_again_where_it_then_lies():
    """Not a period of wheels: each time the dog comes to rest somewhere else, and is met there.

    From when a pattern is said to repeat up to its end, the run has no touch of the two.
    """
    answer = asked(4)
    touches = first_touches(life(4, 240.0), 14.0)
    assert answer.superimposed == ()
    assert len(answer.regimes) == 4
    for regime in answer.regimes:
        later = touches[touches > regime.pattern.since]
        assert regime.end == pytest.approx(later[0], rel=1e-4)
    assert any("follows the regime" in words for words in answer.scope.left_out)


def test_moments_of_a_later_regime_are_states_of_the_run():
    times = [300.0, 555.5, 1234.5]
    answer = detent.outlook(clock_with_a_dog(40), at=times)
    columns = life(40, 2300.0).along.at(np.array(times)).coordinates
    for k, moment in enumerate(answer.moments):
        assert moment.regime == 1
        for joint in ("ewheel", "bwheel"):
            assert abs(moment.state[joint] - columns[joint][k]) <= moment.error[joint] + math.radians(0.01)


def test_a_clock_that_meets_a_fixed_peg_is_then_at_rest():
    one, rest = detent.outlook("time_bomb").regimes
    assert (one.verdict, rest.verdict) == ("ends", "at_rest")
    assert rest.start == one.end


def test_moments_after_the_time_bomb_has_met_its_peg_are_within_their_stated_errors():
    """Beside a run that is a hundred times as accurate, which the blow throws apart."""
    times = [57.0, 58.8413, 60.3197]
    answer = detent.outlook("time_bomb", at=times)
    run = detent.predict("time_bomb", method=Rigid(accuracy=1e-9), until=60.4).evidence
    columns = run.along.at(np.array([moment.time for moment in answer.moments])).coordinates
    assert [moment.regime for moment in answer.moments][-2:] == [1, 1]
    for k, moment in enumerate(answer.moments):
        for joint, value in moment.state.items():
            assert abs(value - columns[joint][k]) <= moment.error[joint] < 1e-2
