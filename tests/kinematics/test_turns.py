"""Rotations of parts: gear ratios, few steps, many revolutions, against a march in steps of a degree."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

import detent
from detent.library import linkages
from detent.model.document import Drive
from detent.model.reading import convert
from detent.motion import Kinematic


def moved(machine, start_deg, end_deg, steps):
    (name,) = machine.drives
    drive = Drive(joint=machine.drives[name].joint, from_deg=start_deg, to_deg=end_deg, steps=steps)
    return detent.predict(machine, drives={name: drive}).trajectory


def marched(machine, start_deg, end_deg):
    """How far each part rotates, summed over steps of about a degree: no step goes half a rotation."""
    poses = moved(machine, start_deg, end_deg, int(abs(end_deg - start_deg))).poses
    turns = {part: np.exp(1j * rows[:, 2]) for part, rows in poses.items()}
    return {part: float(np.angle(u[1:] / u[:-1]).sum()) for part, u in turns.items()}


def train(*ratios):
    """Wheels on the ground, each geared to the one before."""
    wheels = range(len(ratios) + 1)
    joints = {f"J{k}": {"type": "revolute", "between": [f"ground.P{k}", f"w{k}.P{k}"]} for k in wheels}
    joints |= {
        f"G{k}": {"type": "gear", "between": [f"w{k}", f"w{k + 1}"], "ratio": ratio}
        for k, ratio in enumerate(ratios)
    }
    parts = {f"w{k}": {"markers": {f"P{k}": [3 * k, 0], f"T{k}": [3 * k + 1, 0]}} for k in wheels}
    parts["ground"] = {"fixed": True, "markers": {f"P{k}": [3 * k, 0] for k in wheels}}
    drives = {"d": {"joint": "J0", "from_deg": 0, "to_deg": 360, "steps": 36}}
    return {"parts": parts, "joints": joints, "drives": drives}


@pytest.mark.parametrize("steps", [1, 3, 36, 720])
@pytest.mark.parametrize("ratio", [-20.0, 20.0, -0.05, 7.5, -1000.0])
def test_a_gear_turns_by_its_ratio_whatever_the_steps(ratio, steps):
    machine = convert.mechanism(train(ratio, -3.0))
    poses = moved(machine, 0, 720, steps).poses
    for part, times in (("w0", 1.0), ("w1", ratio), ("w2", -3.0 * ratio)):
        rotated = poses[part][:, 2] - poses[part][0, 2]
        assert rotated == pytest.approx(times * np.linspace(0, 4 * math.pi, steps + 1), rel=1e-12)


@pytest.mark.parametrize(
    ("start", "end", "steps"), [(0, 720, 3), (0, 360, 1), (360, -1080, 2), (700, 3600, 4)]
)
@pytest.mark.parametrize(
    "machine",
    [
        linkages.four_bar(4, 1, 3.5, 3),  # crank and rocker
        linkages.four_bar(1, 3, 3.2, 3),  # drag link: both go round
        linkages.jansen_leg(),
    ],
    ids=["crank_rocker", "drag_link", "jansen"],
)
def test_few_steps_count_as_many_do(machine, start, end, steps):
    story = moved(machine, start, end, steps)
    assert story.stop.cause == "done"
    rotated = {part: rows[-1, 2] - rows[0, 2] for part, rows in story.poses.items()}
    assert rotated == pytest.approx(marched(machine, start, end), abs=1e-9)


def test_the_driven_part_has_the_angle_of_its_drive():
    machine = linkages.four_bar(4, 1, 3.5, 3)
    for start, end in ((0, 36000), (36000, 0), (-725, 725)):
        crank = moved(machine, start, end, 7).poses["crank"][:, 2]
        drawn = moved(machine, 0, 1, 1).poses["crank"][0, 2]
        assert crank - drawn == pytest.approx(np.radians(np.linspace(start, end, 8)), abs=1e-9)


def test_a_drive_of_ten_thousand_revolutions_is_answered_from_one():
    machine = linkages.four_bar(4, 1, 3.5, 3)
    story = moved(machine, 0, 3.6e6, 5)
    assert story.stop.cause == "done"
    assert story.certified.startswith("proved")
    assert story.poses["crank"][-1, 2] - story.poses["crank"][0, 2] == pytest.approx(2e4 * math.pi)
    assert np.ptp(story.poses["rocker"][:, 2]) < math.pi


def test_a_gap_is_not_leapt_by_one_step_of_a_followed_linkage():
    # The 6-bar (b) cannot turn once round; one step from 0 to 360 degrees begins and ends in the same pose.
    machine = detent.load("six_bar_b")
    fine, coarse = moved(machine, 0, 360, 360), moved(machine, 0, 360, 1)
    assert fine.stop.cause == coarse.stop.cause == "limit"
    assert coarse.stop.coordinates == pytest.approx(fine.stop.coordinates, abs=1e-9)


def test_a_limit_of_a_followed_linkage_is_counted_from_the_drive():
    # The same range begun a rotation later: the limit lies a rotation later, too.
    machine = detent.load("six_bar_b")
    here, later = moved(machine, 0, 360, 36), moved(machine, 360, 720, 36)
    (joint,) = here.stop.coordinates
    assert later.stop.coordinates[joint] - here.stop.coordinates[joint] == pytest.approx(
        2 * math.pi, abs=1e-9
    )


def test_stretching_holds_the_drive_and_leaves_least_gaps():
    # Beyond its limit of 48 degrees the 6-bar (b) cannot close: the drive stands where it is told to stand.
    machine = detent.load("six_bar_b")
    (name,) = machine.drives
    drive = Drive(joint=machine.drives[name].joint, from_deg=0, to_deg=90, steps=18)
    motion = detent.move(replace(machine, drives={name: drive}), method=Kinematic(breaking="stretching"))
    assert motion.limits == pytest.approx([math.radians(47.966167)], abs=1e-7)
    assert np.degrees(motion.poses["V"][:, 2]) == pytest.approx(np.linspace(0, 90, 19), abs=1e-5)
    worst = [max(gaps.values(), default=0.0) for gaps in motion.gaps]
    assert worst[:10] == [0.0] * 10
    assert np.all(np.diff(worst[9:]) > 0)
    # Gaps balance as forces of equal springs would: on every free part they add up to nothing.
    assert motion.gaps[12]["A"] == pytest.approx(motion.gaps[12]["E"], rel=1e-5)
    assert max(motion.gaps[12].values()) < 0.11


@pytest.mark.parametrize("followed", [False, True], ids=["in closed form", "in small steps"])
def test_a_way_that_goes_round_too_often_is_refused_before_it_fills_the_memory(
    monkeypatch: pytest.MonkeyPatch, followed: bool
) -> None:
    from detent.kinematics.turning import count

    drives = {"go": {"joint": "A", "from_deg": 0, "to_deg": 36_000, "steps": 2}}
    machine = detent.load("four_bar").with_("drives", drives)
    if followed:  # a freedom is left
        machine = detent.edit(machine, detent.RemoveJoint("D")).mechanism
    assert detent.move(machine).stop == "done"
    monkeypatch.setattr(count, "MOST_NUMBERS", 1_000)
    with pytest.raises(detent.UnsupportedError, match="drives: it goes so far"):
        detent.move(machine)


def test_a_six_bar_that_goes_round_too_often_is_refused_before_it_fills_the_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One rotation is followed and stands for the others; each takes its place in the tables all the same."""
    from detent.kinematics.turning import count

    drives = {"crank": {"joint": "A", "from_deg": 0, "to_deg": 360_000, "steps": 2}}
    machine = detent.load("six_bar_a").with_("drives", drives)
    assert detent.move(machine).stop == "done"
    monkeypatch.setattr(count, "MOST_NUMBERS", 15_000)
    with pytest.raises(detent.UnsupportedError, match="drives: it goes so far"):
        detent.move(machine)
