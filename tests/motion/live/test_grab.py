"""Pulling a linkage: what a point may do, the plan that follows it, and least motion without one."""

from __future__ import annotations

import math

import numpy as np
import pytest

from detent.app import inputs
from detent.kinematics.equations import column_scale, residual_and_jacobian, rows_of
from detent.kinematics.execution import ALL_CLOSED, Stepper
from detent.kinematics.planning import CUT, part_poses
from detent.model.reading import convert
from detent.motion.live import grab, pull
from detent.motion.live import grabbing as room
from tests.app.server.running import FOUR_BAR
from tests.kinematics.random_linkages import DYADS, random_linkage


def test_a_crank_can_be_pulled_along_its_circle_by_the_joint_it_turns_in():
    grabbed = grab(inputs.load("four_bar"), None, "I", [0.766044443118978, 0.642787609686539])
    assert grabbed.kind == "curve"
    assert grabbed.plan is not None
    assert grabbed.plan.closed_form


def test_the_middle_of_a_five_bar_goes_anywhere_and_its_plan_takes_the_place():
    grabbed = grab(inputs.load("five_bar"), None, "left_coupler", _far_point("five_bar", "left_coupler"))
    assert grabbed.kind == "free"
    assert grabbed.plan is not None
    assert len(grabbed.plan.inputs) == 2


def test_the_ground_is_held_and_says_so():
    grabbed = grab(inputs.load("four_bar"), None, "ground", [0, 0])
    assert grabbed.kind == "held"
    assert "ground" in grabbed.why


def test_a_pull_keeps_every_joint_closed_and_comes_as_near_as_the_circle_allows():
    poses, reached = pulled(inputs.load("four_bar"), {}, "I", [1, 0], [0, 5])
    x, y, turn = poses["I"]
    tip = (x + math.cos(turn), y + math.sin(turn))
    assert not reached
    assert tip == pytest.approx((0, 1), abs=1e-6)


def test_a_pull_within_reach_arrives():
    angle = 1.1
    poses, reached = pulled(inputs.load("four_bar"), {}, "I", [1, 0], [math.cos(angle), math.sin(angle)])
    assert reached
    assert poses["I"][2] == pytest.approx(angle, abs=1e-8)


def test_a_hand_that_follows_the_circle_arrives_at_every_place_of_it():
    """From each place to the next, wherever the last step happens to end."""
    machine, poses = convert.mechanism(FOUR_BAR), {}
    for k in range(240):
        angle = 2 * math.pi * (50 * k + 49) / 12000
        poses, reached = pulled(machine, poses, "crank", [0, 1], [math.sin(angle), math.cos(angle)])
        assert reached, angle


@pytest.mark.parametrize("part", ["L1", "C1", "R24"])
def test_a_pull_of_fifty_links_beyond_their_reach_is_answered_in_shares(part, monkeypatch):
    """However far the hand goes, an answer closes the linkage a few times; asked on, it comes to rest."""
    machine = inputs.load("stress_50")
    closings, close = [], room.close
    monkeypatch.setattr(room, "close", lambda *given: closings.append(0) or close(*given))
    point, poses, gaps = _far_point("stress_50", part), {}, []
    for _ in range(12):
        closings.clear()
        result = pull(machine, poses, part, point, [400.0, 300.0])
        # One closing at the start, and the halvings of the step under way when the share was spent.
        assert len(closings) <= 2 * room.MOST_CLOSINGS + 5
        poses = result.poses
        x, y, turn = poses[part]
        at = (math.cos(turn) * point[0] - math.sin(turn) * point[1] + x,
              math.sin(turn) * point[0] + math.cos(turn) * point[1] + y)  # fmt: skip
        gaps.append(math.dist(at, (400.0, 300.0)))
        if not result.going:
            break
    assert not result.going
    assert not result.reached
    assert gaps == sorted(gaps, reverse=True)


def pulled(machine, poses, part, point, target):
    """Asked on until the pull has come to an end."""
    result = pull(machine, poses, part, point, target)
    while result.going:
        result = pull(machine, result.poses, part, point, target)
    return result.poses, result.reached


def _far_point(example: str, part: str) -> list[float]:
    marker = list(inputs.load(example).parts[part].markers.values())[-1]
    return [float(v) for v in marker[:2]]


def test_without_cuts_a_pull_passes_the_dead_points_of_a_dyad_that_a_cut_is_made_of():
    """Where the cut stops the linkage itself does not: the pose is regular, its block goes on both ways."""
    machine = random_linkage(15, groups=4, kinds=(*DYADS, "triad"))
    point = [float(v) for v in machine.parts["crank"].markers["m1"]]
    grabbed = grab(machine, None, "crank", point)
    assert grabbed.plan is not None
    assert CUT in grabbed.plan.segments[:, 0]
    here, values = grabbed.plan.drawn[0], grabbed.plan.vectors
    runner, way = Stepper(grabbed.plan, np.arange(len(values))), 0.0
    while runner.failed == ALL_CLOSED and way < math.pi:
        way += 0.05
        runner.to(here - way)
    assert runner.failed != ALL_CLOSED
    stood = {name: pose[0] for name, pose in part_poses(grabbed.plan, runner.values[None]).items()}
    assert np.linalg.svd(_rates(grabbed, stood), compute_uv=False)[-1] > 0.01
    for cuts, passes in ((True, False), (False, True)):
        again = grab(machine, stood, "crank", point, cuts=cuts).plan
        assert again is not None
        assert (CUT in again.segments[:, 0]) is cuts
        runner = Stepper(again, np.arange(len(again.vectors)))
        gone = []
        for goal in (again.drawn[0] - 0.02, again.drawn[0] + 0.02):
            runner.to(goal)
            gone.append(runner.failed == ALL_CLOSED)
        assert all(gone) is passes


def _rates(made: room.Grab, stood: dict[str, np.ndarray]) -> np.ndarray:
    """Derivatives of all joints and of the drive, turns as arcs."""
    assert made.plan is not None
    rows = rows_of(made.system, [item.held for item in made.plan.inputs])
    return residual_and_jacobian(rows, np.array(list(stood.values())), [0j])[1] * column_scale(rows)


def test_a_pin_that_is_limited_on_one_side_is_pulled_by_least_motion_and_halts_there():
    """Its turns must be counted, which no plan does."""
    plain_document = convert.plain(inputs.load("four_bar"))
    plain_document["joints"]["A"]["limits"] = {"max_deg": 60}
    machine = convert.mechanism(plain_document)
    point = [0.766044443118978, 0.642787609686539]
    assert grab(machine, None, "I", point).plan is None
    poses, reached = pulled(machine, {}, "I", point, [-1, 0.5])
    assert not reached
    assert poses["I"][2] == pytest.approx(math.radians(60), abs=1e-6)
