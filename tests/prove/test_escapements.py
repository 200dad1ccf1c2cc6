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


# Durations that jump where a contact comes to be another (9, 12), a transient to and fro (6), regimes after
# the first one (12, 14, 18), a moment just after what was simulated (48).
MOMENTS = sorted({6, 9, 12, 14, 18, 48, *range(campaign(0, 60))})


@pytest.mark.parametrize("seed", MOMENTS)
def test_moments_at_random_are_within_their_stated_errors(seed):
    """In the pattern and after it, beside a run that is a hundred times as accurate; nearly all are told."""
    machine, rng = random_escapement(seed), np.random.default_rng(1000 + seed)
    answer = detent.outlook(machine)
    if answer.pattern is None or answer.valid_until is None:
        return
    end = max([answer.valid_until.time, *(regime.end for regime in answer.regimes if regime.end is not None)])
    times = np.sort(rng.uniform(0.02, 1.02, 30) * end)
    numbers = [int(number) for number in rng.integers(1, max(answer.valid_until.patterns, 2), 4)]
    asked = detent.outlook(machine, at=[float(time) for time in times], pattern=numbers)
    run = detent.predict(machine, method=Rigid(accuracy=1e-9), until=1.03 * end + 5.0).evidence
    off = {}
    for moment in asked.moments:
        states = run.along.at(np.array([moment.time])).coordinates
        for joint, value in moment.state.items():
            off[moment.time, joint] = abs(value - states[joint][0]) / moment.error[joint]
    assert {at: share for at, share in off.items() if share > 1.0} == {}
    assert len(asked.moments) >= 0.9 * (len(times) + len(numbers))
    apart = [moment.time_error / asked.pattern.duration for moment in asked.moments if moment.regime == 0]
    assert np.median(apart) < 0.02  # and they are not wide


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
