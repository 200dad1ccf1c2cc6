"""Where everything is placed as drawn, worked by hand and by every room that asks."""

from fractions import Fraction

import pytest

import detent
from detent import Builder, ModelError
from detent.kinematics.equations import close, drawn_poses, rows_of
from detent.mechanics import Bodies, held_rows
from detent.model.machine import place


def planetary(ratio=-2, *, at=False):
    """Sun and arm on one pin of the ground, a planet on the arm; the sun is driven, or held."""
    ends = {
        "S": ("ground", "sun", [0, 0]),
        "R": ("ground", "arm", [0, 0]),
        "P": ("arm", "planet", [3, 0]),
    }
    machine = Builder().part("ground", fixed=True, markers={"O": [0, 0]})
    machine = machine.part("sun", markers={"O": [0, 0]})
    machine = machine.part("arm", markers={"O": [0, 0], "P": [3, 0]}).part("planet", markers={"P": [3, 0]})
    for name, (first, second, point) in ends.items():
        key = "O" if point == [0, 0] else "P"
        pair = (first, second) if at else (f"{first}.{key}", f"{second}.{key}")
        machine = machine.joint(name, "revolute", *pair, **({"at": point} if at else {}))
    return machine.joint("mesh", "gear", "sun", "planet", ratio=ratio).build()


@pytest.mark.parametrize("at", [False, True])
def test_the_arm_carries_both_wheels_of_a_planetary_gear(at):
    assert place(planetary(at=at)).joints["mesh"].carrier == "arm"


def test_a_fixed_frame_that_bears_both_wheels_carries_them():
    machine = (
        Builder()
        .part("ground", fixed=True, markers={"A": [0, 0], "B": [3, 0]})
        .part("one", markers={"A": [0, 0]})
        .part("two", markers={"B": [3, 0]})
        .joint("A", "revolute", "ground.A", "one.A")
        .joint("B", "revolute", "ground.B", "two.B")
        .joint("mesh", "gear", "one", "two", ratio=-1)
        .build()
    )
    assert place(machine).joints["mesh"].carrier is None


@pytest.mark.parametrize("ratio", [-2, -1, Fraction(3, 2)])
def test_a_planet_turns_against_its_arm_in_the_rows_of_contacts_too(ratio):
    """With the sun held: planet / arm = 1 - ratio, worked by hand."""
    bodies = Bodies.of(planetary(ratio))
    gear = held_rows(bodies)[-1]
    sun, arm, planet = (gear[3 * bodies.number(name) + 2] for name in ("sun", "arm", "planet"))
    assert Fraction(-arm) / planet == 1 - ratio
    assert Fraction(-sun) / planet == ratio


def slide(along=None, **markers):
    directions = {name: {"at": [0, 0], **direction} for name, direction in markers.items()}
    machine = Builder().part("rail", fixed=True, markers={"A": directions.get("rail", [0, 0])})
    machine = machine.part("block", markers={"A": directions.get("block", [0, 0])})
    more = {} if along is None else {"along": along}
    return machine.joint("A", "prismatic", "rail.A", "block.A", **more).build()


def test_a_direction_beside_two_markers_is_refused():
    with pytest.raises(ModelError, match=r"joints\.A\.along: its direction is given twice"):
        slide([0, 1])


def test_a_slide_runs_along_its_first_marker_for_every_room():
    """Contacts, closure equations, explanation and placement: one direction."""
    machine = slide(rail={"along": [3, 4]}, block={"along": [3, 4]})
    assert place(machine).joints["A"].axis_in_world == (Fraction(3, 5), Fraction(4, 5), 0)
    along = detent.explain(machine).joints[0].axis["along"]
    assert along == pytest.approx((0.6, 0.8, 0))
    across = held_rows(Bodies.of(machine))[0]
    assert across[0] * Fraction(3, 5) + across[1] * Fraction(4, 5) == 0
    system = detent.model.plane_linkage_of(machine)
    poses = drawn_poses(system)
    poses[1, :2] += [0.6, 0.8]
    assert close(rows_of(system), poses).poses[1, :2] == pytest.approx([0.6, 0.8])


def test_a_joint_given_at_a_point_of_the_world_stands_there_on_both_parts():
    machine = (
        Builder()
        .part("rail", fixed=True)
        .part("block", pose={"at": [1, 2], "turn_deg": 90})
        .joint("A", "prismatic", "rail", "block", at=[3, 3], along=[1, 1])
        .build()
    )
    joint = place(machine).joints["A"]
    assert joint.points_in_world == ((3, 3, 0), (3, 3, 0))
    assert joint.axis_in_world == (1, 1, 0)
    assert joint.ends[1].frame.origin == (1, -2, 0)
    assert joint.ends[1].angle == pytest.approx(-0.7853981633974483)


def test_whole_turns_of_a_drawing_are_kept_beside_its_exact_frame():
    machine = Builder().part("a", pose={"turn_deg": 450}, markers={"M": {"at": [1, 0], "turn_deg": 720}})
    machine = machine.part("b", pose={"on": "a.M", "turn_deg": -90}).build()
    placed = place(machine)
    assert placed.angles["a"] == pytest.approx(7.853981633974483)
    assert placed.angles["b"] == pytest.approx(7.853981633974483 + 12.566370614359172 - 1.5707963267948966)
    assert placed.frame("b").origin == (0, 1, 0)
