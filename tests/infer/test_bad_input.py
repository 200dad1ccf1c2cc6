"""What the shapes do not decide is said, with what to do about it; nothing is guessed."""

from __future__ import annotations

import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.infer import infer, resolved
from detent.model import Mechanism, compile_system
from tests.infer.shapes import block, less, machine, pin, union

PLATE = block((-20, -20, 0), (20, 20, 10))
HOLED = less(PLATE, pin(5, 0, 10))
ROD = pin(5, -20, 30)
INFER = {"joints": {"j": {"type": "infer", "between": ["frame", "rod"]}}}


def questions(mechanism: Mechanism) -> dict[str, str]:
    return {question.at: str(question) for question in infer(mechanism).open}


def test_a_pin_that_is_too_loose_is_told_of_the_play_that_counts():
    """Half a millimetre in ten is 5 %: free with 2 %, as unless said, a joint with 6 %."""
    loose = {"frame": HOLED, "rod": pin(4.75, -20, 30)}
    told = questions(machine(**loose))["parts.rod"]
    assert "a play of up to 2 %" in told
    assert "infer.clearance" in told
    assert "parts.rod" not in questions(machine(more={"infer": {"clearance": 0.06}}, **loose))


def test_a_part_that_touches_nothing():
    found = questions(machine(frame=HOLED, rod=pin(5, 50, 60)))
    assert "touches nothing that would hold it" in found["parts.rod"]
    asked = questions(machine(more=INFER, frame=HOLED, rod=pin(5, 50, 60)))
    assert "no face of frame lies on a face of rod" in asked["joints.j"]
    assert "write the joint" in asked["joints.j"]


def test_a_joint_that_is_not_found_is_refused_by_the_verbs():
    document = machine(
        more={**INFER, "drives": {"d": {"joint": "j", "from": 0, "to": 1, "steps": 1}}},
        frame=HOLED,
        rod=pin(5, 50, 60),
    )
    assert resolved(document).joints["j"].type == "infer"
    with pytest.raises((ModelError, UnsupportedError), match="found from shapes"):
        detent.move(document)


def test_a_drive_of_a_joint_that_only_shapes_make_says_how_to_write_it():
    """What the remedy says is what then turns; a joint that is written already is named instead."""
    drive = {"joint": "frame:rod", "from": 0, "to": 1, "steps": 1}
    with pytest.raises(ModelError) as refused:
        machine(more={"drives": {"d": drive}}, frame=HOLED, rod=ROD)
    said = str(refused.value)
    assert 'joints.NAME with type = "infer" and between = ["frame", "rod"]' in said
    with pytest.raises(ModelError, match="name joint 'j'"):
        machine(more={**INFER, "drives": {"d": drive}}, frame=HOLED, rod=ROD)
    written = machine(more={**INFER, "drives": {"d": {**drive, "joint": "j"}}}, frame=HOLED, rod=ROD)
    assert resolved(written).joints["j"].type != "infer"


def test_a_part_without_a_shape():
    document = machine(more=INFER, frame=HOLED, rod=ROD).with_("parts.rod.shape", None)
    assert "rod has no shape" in questions(document)["joints.j"]


def test_two_frames_are_one_and_it_is_said():
    document = machine(frame=HOLED, rod=ROD, other=block((30, 0, 0), (40, 10, 10)))
    found = infer(document.with_("parts.other.fixed", True))
    assert "count as one frame" in str(found.open[0])
    assert [joint.parts for joint in found.joints] == [("frame", "rod")]


def test_a_shaft_in_two_fixed_bearings_is_one_joint():
    """Two frames hold what each alone would not: shoulders on either side."""
    left, right = less(PLATE, pin(5, 0, 10)), less(block((-20, -20, 20), (20, 20, 30)), pin(5, 20, 30))
    rod = union(pin(5, -10, 40), pin(8, 10, 20))
    gravity = {"gravity": [0, 0, -9]}
    document = machine(more=gravity, frame=left, rod=rod, other=right).with_("parts.other.fixed", True)
    assert [(joint.parts, joint.type) for joint in infer(document).joints] == [(("frame", "rod"), "revolute")]


def test_nothing_is_fixed():
    document = machine(frame=HOLED, rod=ROD).with_("parts.frame.fixed", False)
    found = infer(document)
    assert "nothing is fixed" in str(found.open[0])
    assert [joint.type for joint in found.joints] == ["revolute"]


def test_overlapping_holes_hold_as_far_as_their_wall_goes():
    """A second hole opens the bearing: by a little it still holds, by half of it the pin can leave."""
    little = less(PLATE, pin(5, 0, 10), pin(3, 0, 10, (7, 0)))
    half = less(PLATE, pin(5, 0, 10), block((-1, -6, 0), (20, 6, 10)))
    assert [joint.type for joint in infer(machine(frame=little, rod=ROD)).joints] == ["revolute"]
    asked = questions(machine(more=INFER, frame=half, rod=ROD))
    assert "none holds it from leaving" in asked["joints.j"]


def test_a_document_without_shapes_costs_and_says_nothing():
    four_bar = detent.load("four_bar")
    assert resolved(four_bar) is four_bar
    assert infer(four_bar).interactions == ()


@pytest.mark.parametrize("clearance", [-1, 2])
def test_a_clearance_is_a_share(clearance: int):
    with pytest.raises(ModelError, match=r"infer.clearance"):
        machine(more={"infer": {"clearance": clearance}}, frame=HOLED, rod=ROD)


def test_parts_that_are_pushed_are_not_joined():
    """A peg that is pushed into its hole touches it; that is what is asked about."""
    drive = {"drives": {"push": {"part": "rod", "legs": [{"velocity": [0, 0, -1], "for": 1}]}}}
    document = machine(more=drive, frame=HOLED, rod=ROD)
    assert resolved(document) is document
    assert detent.explain(document).joints == ()


def test_inertia_alone_is_about_the_one_axis():
    document = machine(frame=HOLED, rod=ROD).with_("parts.rod.inertia", 7)
    mass = compile_system(resolved(document)).bodies[1].mass
    assert mass.mass == 0
    assert mass.inertia == ((0, 0, 0), (0, 0, 0), (0, 0, 7))


def test_inertia_alone_on_a_slide_is_the_mass():
    square = less(PLATE, block((-3, -3, 0), (3, 3, 10)))
    document = machine(frame=square, rod=block((-3, -3, -9), (3, 3, 20))).with_("parts.rod.inertia", 7)
    mass = compile_system(resolved(document)).bodies[1].mass
    assert mass.mass == 7
