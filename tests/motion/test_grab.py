"""Pulling a linkage: what a point may do, the plan that follows it, and least motion without one."""

from __future__ import annotations

import math

import pytest

from detent.app import source
from detent.model import convert
from detent.motion.grab import grab, pull
from tests.app.server.running import FOUR_BAR


def test_a_crank_can_be_pulled_along_its_circle_by_the_joint_it_turns_in():
    made = grab(source.load("four_bar"), None, "I", [0.766044443118978, 0.642787609686539])
    assert made.kind == "curve"
    assert made.plan is not None
    assert made.plan.closed_form


def test_the_middle_of_a_five_bar_goes_anywhere_and_its_plan_takes_the_place():
    made = grab(source.load("five_bar"), None, "left_coupler", _far_point("five_bar", "left_coupler"))
    assert made.kind == "free"
    assert made.plan is not None
    assert len(made.plan.inputs) == 2


def test_the_ground_is_held_and_says_so():
    made = grab(source.load("four_bar"), None, "ground", [0, 0])
    assert made.kind == "held"
    assert "ground" in made.why


def test_a_pull_keeps_every_joint_closed_and_comes_as_near_as_the_circle_allows():
    poses, reached = pull(source.load("four_bar"), {}, "I", [1, 0], [0, 5])
    x, y, turn = poses["I"]
    tip = (x + math.cos(turn), y + math.sin(turn))
    assert not reached
    assert tip == pytest.approx((0, 1), abs=1e-6)


def test_a_pull_within_reach_arrives():
    angle = 1.1
    poses, reached = pull(source.load("four_bar"), {}, "I", [1, 0], [math.cos(angle), math.sin(angle)])
    assert reached
    assert poses["I"][2] == pytest.approx(angle, abs=1e-8)


def test_a_hand_that_follows_the_circle_arrives_at_every_place_of_it():
    """From each place to the next, wherever the last step happens to end."""
    machine, poses = convert.mechanism(FOUR_BAR), {}
    for k in range(240):
        angle = 2 * math.pi * (50 * k + 49) / 12000
        poses, reached = pull(machine, poses, "crank", [0, 1], [math.sin(angle), math.cos(angle)])
        assert reached, angle


def _far_point(example: str, part: str) -> list[float]:
    marker = list(source.load(example).parts[part].markers.values())[-1]
    return [float(v) for v in marker[:2]]
