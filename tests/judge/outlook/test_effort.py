"""How much may be simulated, and up to when is asked: what an outlook keeps to."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import detent
from tests.judge.outlook.full_runs import full_run, outlook


def simulated(answer):
    return next(each.value for each in answer.evidence if each.statement == "patterns simulated")


@pytest.mark.parametrize("patterns", [7, 8, 10, 13, 17, 26, 40])
def test_no_more_patterns_are_simulated_than_may_be(patterns):
    """The life simulated in full lies in the interval, whatever is spent, or nothing is claimed."""
    answer, life = outlook("escapement", patterns=patterns), full_run("escapement", 2300.0)
    assert simulated(answer) <= patterns
    low, high = answer.valid_until.interval
    assert low <= life.last_regular <= high
    if answer.verdict == "undecided":
        assert "spent" in answer.reason


def test_more_patterns_never_make_the_interval_wider():
    widths = [np.ptp(outlook("escapement", patterns=n).valid_until.interval) for n in (8, 13, 20, 40)]
    assert all(later <= before for before, later in pairwise(widths))
    assert widths[-1] < widths[0]


def test_a_chime_far_ahead_is_left_open_where_no_patterns_are_left_for_it():
    """Those that show the pattern are simulated in any case."""
    answer = detent.outlook("chiming_clock", patterns=12)
    assert simulated(answer) <= 12
    assert (answer.verdict, answer.superimposed) == ("undecided", ())
    assert "spent" in answer.reason


@pytest.mark.parametrize("until", [200.0, 701.0, 1500.0])
def test_up_to_a_horizon_only_that_is_asked(until):
    answer, life = detent.outlook("escapement", until=until), full_run("escapement", 2300.0)
    end = answer.valid_until
    assert (answer.verdict, end.cause, end.time) == ("repeats", "horizon", until)
    assert abs(end.patterns - int((life.times <= until).sum()) // 2) <= 1
    assert simulated(answer) < simulated(outlook("escapement"))
    assert all(regime.start < until for regime in answer.regimes)


def test_a_horizon_beyond_the_end_changes_nothing():
    far, without = detent.outlook("escapement", until=5000.0), outlook("escapement")
    assert far.valid_until.interval == without.valid_until.interval
    assert far.valid_until.cause == "slack"


@pytest.mark.parametrize(("share", "verdict"), [(0.9, "repeats"), (1.1, "ends")])
def test_the_time_bomb_ticks_up_to_a_horizon_before_its_pegs_meet(share, verdict):
    hit = outlook("time_bomb").valid_until.time
    answer = detent.outlook("time_bomb", until=share * hit)
    assert answer.verdict == verdict
    assert answer.valid_until.cause == ("horizon" if verdict == "repeats" else "contact")
