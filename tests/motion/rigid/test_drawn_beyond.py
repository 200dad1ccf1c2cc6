"""Slow drives through contacts from a drawing beyond a limit, or whose way ends before it."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from tests.app.test_check_notes import crank, four_bar


def positions(motion):
    return np.degrees(np.asarray(motion.inputs, float))


def test_limits_hold_from_where_a_crank_comes_within_them():
    """Drawn at 0°, limits 10° to 100°, driven from 20° to 60° or past 100°."""
    through = detent.move(crank(20, 60), contact=True)
    assert through.stop == "done"
    assert positions(through) == pytest.approx([20, 30, 40, 50, 60])
    assert np.degrees(through.poses["c"][:, 2]) == pytest.approx(positions(through))
    assert any("A is drawn beyond its limits" in note for note in through.notes)
    stopped = detent.move(crank(20, 120), contact=True)
    assert stopped.stop == "limit"
    assert math.degrees(stopped.stopped_at) == pytest.approx(100)


@pytest.mark.parametrize(
    ("first", "named"), [(5, "beyond its limits"), (-20, "beyond"), (120, "ends before")]
)
def test_a_first_position_beyond_the_limits_is_not_reached(first, named):
    """The drawing is no position of the drive, nor is where the way from it ends."""
    motion = detent.move(crank(first, 60), contact=True)
    assert motion.stop == "limit"
    assert len(motion.inputs) == 0
    assert all(len(pose) == 0 for pose in motion.poses.values())
    assert any("the first position cannot be reached" in note and named in note for note in motion.notes)
    assert not any("first went" in note for note in motion.notes)
    assert "moved      nowhere" in motion.words
    motion.to_json()


def test_a_limit_of_a_joint_that_is_not_driven_is_met_where_move_meets_it():
    """The rocker is drawn at 0°, limits 10° to 40°: the crank begins at 40°, within, and stops at 100.32°."""
    document = four_bar({"from_deg": 40, "to_deg": 150, "steps": 36})
    document["joints"]["D"]["limits"] = {"min_deg": 10, "max_deg": 40}
    plain, through = (detent.move(detent.from_dict(document), contact=way) for way in (False, True))
    assert (plain.stop, through.stop) == ("limit", "limit")
    assert through.stopped_at == pytest.approx(plain.stopped_at, abs=1e-7)
    assert np.allclose(plain.poses["rocker"][:-1], through.poses["rocker"][:-1], atol=1e-8)
    document["drives"]["turn"]["from_deg"] = 0
    away = detent.move(detent.from_dict(document), contact=True)
    assert (away.stop, len(away.inputs)) == ("limit", 0)
    assert "D is beyond its limits there" in away.stop_detail


def test_limits_less_than_a_rotation_apart_mean_a_direction():
    """350° to 370° holds the drawing at 0°, as it does without contact."""
    document = crank(0, 30).with_("joints.A.limits", {"min_deg": 350, "max_deg": 370})
    for contact in (False, True):
        motion = detent.move(document, contact=contact)
        assert motion.stop == "limit"
        assert math.degrees(motion.stopped_at) == pytest.approx(10)


def test_where_the_way_to_the_first_position_is_blocked_there_is_none():
    data = crank(60, 90).to_dict()
    del data["joints"]["A"]["limits"]
    data["parts"]["g"]["shape"] = {"circle": 0.2, "moves": [{"move": [0.7, 0.7]}]}
    data["parts"]["c"]["shape"] = {"outline": [[0, -0.05], [1, -0.05], [1, 0.05], [0, 0.05]]}
    motion = detent.move(detent.from_dict(data), contact=True)
    assert (motion.stop, len(motion.inputs)) == ("blocked", 0)
    # The disc at distance sqrt(0.98) under 45°, its edge 0.05 from the middle line of the bar.
    touches = 45 - math.degrees(math.asin(0.25 / math.sqrt(0.98)))
    assert math.degrees(motion.stopped_at) == pytest.approx(touches, abs=1e-6)
    assert any("ends before it" in note for note in motion.notes)
