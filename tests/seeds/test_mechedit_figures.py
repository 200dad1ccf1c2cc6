"""Brunkhart 1994 (MechEdit): what its figures of non-generic and breaking linkages show."""

from __future__ import annotations

import numpy as np
import pytest

from detent.foundation import number
from detent.judge import explain
from detent.library import linkages, mechedit
from detent.model.document import Drive
from detent.motion import Kinematic, move
from tests.kinematics.closed_forms import four_bar_limits


def full_turn(joint: str, steps: int = 36) -> dict[str, Drive]:
    return {"turn": Drive(joint=joint, from_deg=number(0), to_deg=number(360), steps=steps)}


@pytest.mark.parametrize("figure", [mechedit.fig13, mechedit.fig14b])
def test_a_redundant_linkage_moves_though_grueblers_count_is_zero(figure):
    found = explain(figure())
    assert (found.mobility.gruebler, found.mobility.actual) == (0, 1)
    assert len(found.redundant) == 1
    assert len(found.redundant[0]["joints"]) >= 2
    assert found.redundant[0]["everywhere"]


def test_the_table_on_three_legs_turns_fully_through_both_change_points():
    motion = move(mechedit.fig14b(), drives=full_turn("P", 72))
    assert motion.stop == "done"
    assert len(motion.inputs) == 73
    assert sum(p.kind == "change" for p in motion.limit_points) == 2
    turns = motion.poses["II"][:, 2]
    np.testing.assert_allclose(turns, turns[0], atol=1e-9)  # the table top stays level


def test_the_kite_folds_up_and_goes_on():
    motion = move(mechedit.fig14a())
    assert motion.stop == "done"
    assert [p.kind for p in motion.limit_points] == ["change"]
    steps = np.abs(np.diff(motion.poses["rocker"][:, 2]))
    assert steps.max() < 3 * np.median(steps)


def test_the_double_rocker_has_four_limits_in_two_ranges():
    motion = move(mechedit.fig15(), drives=full_turn("A"))
    drawn = np.radians(40)
    expected = sorted((x - drawn) % (2 * np.pi) for x in _both_ways(four_bar_limits(3, 2.5, 1, 2)))
    np.testing.assert_allclose(sorted(motion.limits), expected, atol=np.radians(1e-9))
    assert motion.stop == "limit"
    assert motion.certified.startswith("proved")


def _both_ways(limits):
    whole = {round(float(x), 13) for x in limits} | {round(-float(x), 13) for x in limits}
    return sorted(whole)


def test_a_linkage_drawn_at_its_limit_says_which_branch_it_takes():
    motion = move(mechedit.fig16())
    assert motion.stop == "done"
    assert any("dead point" in note for note in motion.notes)


@pytest.mark.parametrize(("policy", "stop"), [("limiting", "limit"), ("searching", "limit")])
def test_limiting_ends_on_a_sample_and_searching_on_the_limit(policy, stop):
    motion = move(mechedit.fig22(), method=Kinematic(breaking=policy))
    assert motion.stop == stop
    first = motion.limits[0]
    if policy == "searching":
        assert motion.inputs[-1] == pytest.approx(first, abs=1e-12)
    else:
        assert motion.inputs[-1] < first - 1e-6


def test_stretching_shows_the_gap_and_changes_no_length():
    mechanism = mechedit.fig22(half_gap_deg=20)
    motion = move(mechanism, method=Kinematic(breaking="stretching"))
    assert motion.stop == "done"
    assert any(motion.gaps)
    for part, (a, b) in {"crank": "AB", "coupler": "BC", "rocker": "DC"}.items():
        bar = motion.markers[f"{part}.{a}"] - motion.markers[f"{part}.{b}"]
        lengths = np.hypot(bar[:, 0], bar[:, 1])
        np.testing.assert_allclose(lengths, lengths[0], atol=1e-12)
    for i, gap in enumerate(motion.gaps):
        apart = np.hypot(*(motion.markers["coupler.C"][i] - motion.markers["rocker.C"][i]))
        assert apart == pytest.approx(sum(gap.values()), abs=1e-9)


def test_a_parallelogram_stays_one_through_a_full_turn():
    motion = move(linkages.four_bar(4, 1, 4, 1))
    turns = motion.poses["coupler"][:, 2]
    np.testing.assert_allclose(turns, turns[0], atol=1e-9)
