"""Algorithm 12 on marks that are made by hand: what is found, what falls, and after how many marks."""

from __future__ import annotations

import numpy as np
import pytest

from detent.judge import Marks, Ranges, SearchSettings, search

NAMES = ("wheel", "balance")


def marks_of(times, wheel, balance):
    at = np.column_stack([wheel, balance]).astype(float)
    return Marks(np.asarray(times, float), at, np.zeros_like(at))


def ranges_of(marks, swing=1.0):
    """As if the balance had gone from one end of its swing to the other between marks."""
    times = np.repeat(marks.times, 2)[1:]
    at = np.repeat(marks.at, 2, axis=0)[1:]
    return Ranges(times, at, np.zeros_like(at), np.ones(2))


def ticking(count, *, teeth=0.6, fall=0.0, period=3.7):
    """A clock: the wheel advances in two unequal steps, the balance is at its one end, then at the other."""
    k = np.arange(count)
    wheel = -teeth * (k // 2) - 0.2 * (k % 2)
    balance = np.where(k % 2 == 0, 5.0 - fall * k, -5.0 + fall * k)
    return marks_of(period * k, wheel, balance)


def test_a_clock_has_two_marks_found_within_the_papers_bound():
    settings = SearchSettings()
    bound = settings.bound(2)
    assert bound == 10
    enough, fewer = ticking(bound), ticking(bound - 1)
    assert search(enough, ranges_of(enough), NAMES, settings).found.minima == 2
    assert search(fewer, ranges_of(fewer), NAMES, settings).found is None


def test_one_mark_falls_for_the_balance_swings_back():
    marks = ticking(12)
    fallen = search(marks, ranges_of(marks), NAMES, SearchSettings()).fallen
    assert [each.minima for each in fallen] == [1]
    assert "balance" in fallen[0].why


def test_amplitudes_that_fall_change_the_two_ends_in_opposite_ways_and_are_one_pattern():
    marks = ticking(12, fall=0.1)  # 0.2 per pattern at each end, of opposite sign
    pattern = search(marks, ranges_of(marks), NAMES, SearchSettings()).found
    assert pattern.minima == 2
    assert pattern.changes()[:, 1] == pytest.approx([-0.2, 0.2])


@pytest.mark.parametrize(("lifted", "found"), [(5e-7, 10), (0.1, 13)])
def test_a_stroke_in_one_pattern_alone_is_none_of_what_repeats(lifted, found):
    """A hammer that is back at the marks: the last three patterns agree once it has rested in all of them."""
    marks = ticking(14)
    at = np.column_stack([marks.at, np.zeros(14)])
    marks = Marks(marks.times, at, np.zeros_like(at))
    times, at = np.repeat(marks.times, 2)[1:], np.repeat(at, 2, axis=0)[1:]
    struck = 2 * 5 + 1  # between marks 5 and 6
    times, at = np.insert(times, struck, times[struck] - 1.0), np.insert(at, struck, at[struck - 1], axis=0)
    at[struck, 2] = lifted
    ranges = Ranges(times, at, np.zeros_like(at), np.ones(3))
    result = search(marks, ranges, (*NAMES, "hammer"), SearchSettings())
    assert result.found.minima == 2
    assert SearchSettings().ignore + result.found.last == found


@pytest.mark.parametrize(("off", "found"), [(0.019, True), (0.021, False)])
def test_changes_agree_within_a_share_of_the_range(off, found):
    marks = ticking(10)
    at = marks.at.copy()
    at[-1, 1] -= off * 10.0  # the balance swings over ten
    moved = Marks(marks.times, at, marks.speeds)
    assert (search(moved, ranges_of(marks), NAMES, SearchSettings()).found is not None) is found


@pytest.mark.parametrize(("off", "found"), [(0.009, True), (0.011, False)])
def test_durations_agree_within_a_share_of_the_pattern(off, found):
    marks = ticking(10)
    times = marks.times.copy()
    times[-1] += off * 7.4 / (1 - off)
    late = Marks(times, marks.at, marks.speeds)
    assert (search(late, ranges_of(late), NAMES, SearchSettings()).found is not None) is found


def test_a_wide_time_finds_like_patterns_of_unequal_duration():
    marks = ticking(10)
    times = np.cumsum(np.where(np.arange(10) < 6, 3.0, 4.0))
    slower = Marks(times, marks.at, marks.speeds)
    assert search(slower, ranges_of(slower), NAMES, SearchSettings()).found is None
    assert search(slower, ranges_of(slower), NAMES, SearchSettings(time=0.5)).found.minima == 2


@pytest.mark.parametrize("minima", [1, 3, 5, 8])
def test_a_pattern_of_any_length_is_found_at_the_bound(minima):
    rng = np.random.default_rng(minima)
    phases, k = rng.uniform(-3, 3, minima), np.arange(200)
    marks = marks_of(2.0 * k, -0.5 * (k // minima), phases[k % minima])
    settings = SearchSettings()
    kept = Marks(*(column[: settings.bound(minima)] for column in (marks.times, marks.at, marks.speeds)))
    assert search(kept, ranges_of(kept), NAMES, settings).found.minima == minima


def test_marks_that_never_repeat_give_no_pattern():
    k = np.arange(60)
    marks = marks_of(k + 0.3 * np.sin(k * k), -np.sqrt(k), np.sin(k * k))
    result = search(marks, ranges_of(marks), NAMES, SearchSettings())
    assert result.found is None
    assert [each.minima for each in result.fallen] == list(range(1, 19))
