"""Where joints are placed as drawn, against positions worked by hand."""

import math

import pytest

from detent.io import native
from detent.model.machine import place
from detent.model.machine.drawn import joint_gaps
from detent.model.reading import Builder
from tests.conftest import REFERENCE


def bar(pose, second):
    return (
        Builder()
        .part("ground", fixed=True, markers={"A": [3, 4]})
        .part("bar", pose=pose, markers={"A": second})
        .joint("A", "revolute", "ground.A", "bar.A")
        .build()
    )


def test_a_pin_drawn_in_place_closes():
    assert joint_gaps.gaps(bar({"at": [3, 3], "turn_deg": 90}, [1, 0])) == []


@pytest.mark.parametrize("off", [1e-6, 0.5])
def test_a_pin_drawn_beside_its_hole_is_named_with_its_distance(off):
    (gap,) = joint_gaps.gaps(bar({"at": [3, 4]}, [off, 0]))
    assert gap.joint == "A"
    assert gap.distance == pytest.approx(off, rel=1e-12)


def test_a_slide_off_its_line_is_named_with_its_distance_and_angle():
    mechanism = (
        Builder()
        .part("ground", fixed=True, markers={"G": {"at": [0, 0], "along": [1, 0]}, "far": [100, 0]})
        .part("slide", markers={"Q": {"at": [5, 2], "turn_deg": 3}})
        .joint("GQ", "prismatic", "ground.G", "slide.Q")
        .build()
    )
    (gap,) = joint_gaps.gaps(mechanism)
    assert gap.distance == pytest.approx(2.0)
    assert gap.angle == pytest.approx(math.radians(3))


def test_the_published_break_linkage_is_drawn_to_three_digits():
    """Fig. 22's document draws its links to three digits, and says so."""
    distances = {
        gap.joint: gap.distance
        for gap in joint_gaps.gaps(native.load(REFERENCE / "linkages/fig22-break.toml"))
    }
    assert set(distances) <= {"B", "C"}
    assert all(0 < distance < 0.01 for distance in distances.values())


def test_a_joints_axis_follows_the_pose_of_its_part():
    mechanism = bar({"at": [3, 3], "turn_deg": 90}, [1, 0])
    joint = place(mechanism).joints["A"]
    assert joint.points_in_world == ((3, 4, 0), (3, 4, 0))
    assert joint.axis_in_world == (0, 0, 1)
