"""Parts that meet more than once before they stand as at first, beside full simulations."""

from __future__ import annotations

import pytest

import detent
from tests.prove.chimes import chime, strokes_of


def test_a_peg_that_is_back_after_three_turns_strikes_three_times_on_the_way():
    """18 teeth drive 138: after 230 patterns and three turns all stands as before."""
    machine = detent.loads(chime(18, 138, [(-24, 9.8)]))
    answer = detent.outlook(machine)
    came = strokes_of(machine, 2000.0, answer.pattern.duration)
    assert [each.period_patterns for each in answer.superimposed] == [230, 230, 230]
    assert [each.first for each in answer.superimposed] == pytest.approx(came[:3], abs=0.1)
    first, *others = answer.superimposed
    assert first.period == pytest.approx(came[3] - came[0], rel=1e-3)  # it was seen from the start
    assert [each.period for each in others] == [None, None]  # the spring is slack before
    assert len(came) == 4
    assert "3 times every 230 patterns" in " ".join(answer.words.split())


def test_each_of_two_pegs_on_a_wheel_has_its_strokes():
    machine = detent.loads(chime(12, 60, [(-24, 9.8), (-111, 9.8)], rest_deg=-4000))
    answer = detent.outlook(machine)
    end = answer.valid_until.time
    came = strokes_of(machine, end, answer.pattern.duration)
    one, other = answer.superimposed
    assert (one.period_patterns, other.period_patterns) == (50, 50)
    assert (one.first, other.first) == pytest.approx(came[:2], abs=0.1)
    assert one.period == pytest.approx(came[2] - came[0], rel=1e-3)
    assert sum(1 + int((end - each.first) // each.period) for each in (one, other)) == len(came) == 5


def test_a_peg_whose_stroke_was_seen_at_first_and_never_comes_again_is_told():
    """Ten teeth drive 137: back after 137 patterns, and the spring gives 110."""
    machine = detent.loads(chime(10, 137, [(-17, 9.8)], rest_deg=-4000))
    answer = detent.outlook(machine)
    came = strokes_of(machine, answer.valid_until.time, answer.pattern.duration)
    (process,) = answer.superimposed
    assert (process.period_patterns, process.period) == (137, None)
    assert [process.first] == pytest.approx(came, abs=0.1)
    assert process.first < answer.pattern.since
    assert "On top of it, once, gear meets clapper" in " ".join(answer.words.split())
