"""Random escapements: what is said of their last pattern is never confidently wrong, beside full runs."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.motion import Rigid
from tests.conftest import campaign
from tests.prove.escapements import random_escapement, wrong

# Minima that become shallower (17, 62), deeper (100), a pattern of two teeth that becomes one of one (68),
# one that is over long before the last tooth (114).
NAMED = (17, 62, 68, 100, 114)
SEEDS = sorted({*NAMED, *range(campaign(3, 120))})


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_pattern_is_that_of_the_full_run_or_undecided(seed):
    what, said = wrong(seed)
    assert not what, said


def test_a_pattern_goes_on_where_only_one_of_its_marks_is_lost():
    """The wheel still moves where the balance turns round, from pattern 64 on; swings go on evenly to 68."""
    machine = random_escapement(147)
    answer = detent.outlook(machine)
    end = answer.valid_until
    run = detent.predict(machine, method=Rigid(accuracy=1e-7), until=end.time + 60.0).evidence
    times = np.linspace(100.0, end.time + 60.0, 50_000)
    balance = run.along.at(times).coordinates["bwheel"]
    turns = times[1:-1][(balance[1:-1] > balance[:-2]) & (balance[1:-1] >= balance[2:])]
    lasts = np.diff(turns)
    uneven = np.flatnonzero(np.abs(lasts[1:] / lasts[:-1] - 1.0) > 0.03)
    each = (end.time - answer.pattern.since) / (end.patterns - 2)
    low, high = (end.time + (number - end.patterns) * each for number in end.interval)
    assert low <= turns[uneven[0] + 1] <= high + each
