"""A machine with its parts placed elsewhere is the same machine: joints hold, or open, as geometry says."""

import math

import pytest

from detent.foundation import ModelError, UnsupportedError
from detent.io import native
from detent.model.editing import with_markers, with_poses
from detent.model.machine import place
from detent.model.machine.drawn import joint_gaps
from detent.model.reading import Builder, convert
from tests.conftest import REFERENCE


def linkage():
    """A crank and a slider, joined at points of the world, one part turned from the start."""
    return convert.mechanism(
        {
            "parts": {
                "ground": {"fixed": True},
                "crank": {"pose": {"at": [1, 2], "turn_deg": 30}},
                "rod": {"markers": {"tip": [5, 0]}},
                "block": {"pose": {"on": "rod.tip"}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["ground", "crank"], "at": [1, 2]},
                "B": {"type": "revolute", "between": ["crank", "rod"], "at": [2, 3]},
                "C": {"type": "revolute", "between": ["rod.tip", "block"], "at": [5, 0]},
                "D": {"type": "prismatic", "between": ["ground", "block"], "at": [5, 0], "along": [3, 4]},
            },
        }
    )


def pose_of(frame):
    x, y, _ = map(float, frame.origin)
    return [x, y, math.atan2(float(frame.rows[1][0]), float(frame.rows[0][0]))]


def turned_about_the_origin(pose, angle):
    x, y, angle_of_part = pose
    cos, sin = math.cos(angle), math.sin(angle)
    return [cos * x - sin * y + 7, sin * x + cos * y - 3, angle_of_part + angle]


def test_where_it_was_drawn_it_closes():
    machine = linkage()
    poses = {name: pose_of(frame) for name, frame in place(machine).known.items()}
    assert joint_gaps.gaps(with_poses(machine, poses)) == []


@pytest.mark.parametrize("angle", [0.3, 2.0, -3.1])
def test_carried_as_a_whole_every_joint_stays_closed(angle):
    """All parts by one rigid motion, the ground too: no joint can tell."""
    machine = linkage()
    poses = {name: pose_of(frame) for name, frame in place(machine).known.items()}
    carried = {name: turned_about_the_origin(pose, angle) for name, pose in poses.items()}
    assert joint_gaps.gaps(with_poses(machine, carried)) == []


def test_one_part_carried_away_opens_its_joints_by_as_much():
    machine = linkage()
    gaps = {gap.joint: gap.distance for gap in joint_gaps.gaps(with_poses(machine, {"rod": [0.3, 0.4, 0]}))}
    assert gaps == {"B": pytest.approx(0.5), "C": pytest.approx(0.5)}


def test_a_part_that_hangs_on_a_moved_one_stays_where_it_was_drawn():
    machine = linkage()
    moved = place(with_poses(machine, {"rod": [10, 10, 1]})).known
    assert pose_of(moved["block"]) == pytest.approx(pose_of(place(machine).known["block"]))


@pytest.mark.parametrize("path", sorted((REFERENCE / "linkages").glob("*.toml")), ids=lambda p: p.stem)
def test_markers_for_points_leave_a_drawing_as_it_is(path):
    machine = native.load(path)
    marked = with_markers(machine)
    assert all(joint.at is None for joint in marked.joints.values())
    assert joint_gaps.gaps(marked) == joint_gaps.gaps(machine)
    assert convert.table(convert.plain(marked), type(marked)) == marked


@pytest.mark.parametrize("wrong", [{"none": [0, 0, 0]}, {"rod": [0, 0]}, {"rod": "x"}, {"rod": [0, 0, "x"]}])
def test_a_pose_is_three_numbers_of_a_part_that_is_there(wrong):
    with pytest.raises(ModelError, match="poses"):
        with_poses(linkage(), wrong)


def test_in_space_it_is_refused():
    with pytest.raises(UnsupportedError):
        with_poses(Builder(dimension=3).part("a").build(), {})
