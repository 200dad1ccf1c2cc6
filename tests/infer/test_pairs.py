"""Lower pairs from shapes: every match of two parts counts, and only where both faces bound material."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

from detent.foundation import UnsupportedError
from detent.infer import infer, resolved
from detent.model import compile_system, plane_view
from tests.infer.shapes import block, kinds, less, machine, moved, pin, pin_x, union

PLATE = block((-20, -20, 0), (20, 20, 10))
FRAME_ROD = ("frame", "rod")
ROUND_ROD = pin(5, -20, 30)
HEAVY = {"gravity": [0, 0, "-9.81"]}  # a force along z, so that no travel along it is dropped


def test_a_pin_in_a_hole_turns_and_slides():
    joint = infer(machine(more=HEAVY, frame=less(PLATE, pin(5, 0, 10)), rod=pin(5, -20, 30))).joints[0]
    assert joint.type == "cylindrical"
    assert joint.point == (0, 0, 0)
    assert joint.direction == (0, 0, 1)
    assert joint.low is None
    assert joint.high is None
    assert "gravity" in joint.why


def test_travel_that_no_force_uses_is_dropped_and_said():
    found = infer(machine(frame=less(PLATE, pin(5, 0, 10)), rod=pin(5, -20, 30)))
    assert found.joints[0].type == "revolute"
    assert [drop.joint for drop in found.dropped] == ["frame_rod"]
    assert "no force acts along z" in found.dropped[0].why


def test_shoulders_at_both_ends_leave_the_rotation():
    rod = union(pin(5, -5, 15), pin(9, -5, 0), pin(9, 10, 15))
    joint = infer(machine(more=HEAVY, frame=less(PLATE, pin(5, 0, 10)), rod=rod)).joints[0]
    assert joint.type == "revolute"
    assert "shoulders" in joint.why


@pytest.mark.parametrize(("gap", "kind"), [(0, "cylindrical"), ("0.5", "cylindrical")])
def test_a_shoulder_at_one_end_is_a_stop(gap: object, kind: str):
    rod = union(pin(5, -5, 15), pin(9, 10 + float(gap), 15))
    joint = infer(machine(more=HEAVY, frame=less(PLATE, pin(5, 0, 10)), rod=rod)).joints[0]
    assert joint.type == kind
    assert joint.low == -Fraction(gap)
    assert joint.high is None


def test_travel_between_shoulders_becomes_limits():
    rod = union(pin(5, -30, 30), pin(9, -30, -7), pin(9, 12, 30))
    joint = infer(machine(more=HEAVY, frame=less(PLATE, pin(5, 0, 10)), rod=rod)).joints[0]
    assert (joint.low, joint.high) == (-2, 7)


def test_two_parallel_pins_slide():
    holes = less(PLATE, pin(4, 0, 10, (-10, 0)), pin(4, 0, 10, (10, 0)))
    rod = union(pin(4, -10, 20, (-10, 0)), pin(4, -10, 20, (10, 0)))
    joint = infer(machine(frame=holes, rod=rod)).joints[0]
    assert joint.type == "prismatic"
    assert joint.direction == (0, 0, 1)
    assert joint.why.startswith("2 pins")


def test_two_parallel_pins_hold_fast_in_the_plane_and_that_is_why():
    pins = union({"circle": 2}, moved({"circle": 2}, {"move": [30, 0]}))
    bar = {"outline": [[-10, -5], [40, -5], [40, 5], [-10, 5]]}
    holes = less(bar, {"circle": 2.01}, moved({"circle": 2.01}, {"move": [30, 0]}))
    joint = infer(machine(dimension=2, frame=pins, rod=holes)).joints[0]
    assert joint.type == "fixed"
    assert joint.why.endswith("parallel axes leave no motion in the plane")


def test_two_pins_that_are_not_parallel_hold_fast():
    holes = less(PLATE, pin(3, 0, 10, (-10, 0)), pin_x(3, 0, 20, (10, 5)))
    rod = union(pin(3, -10, 20, (-10, 0)), pin_x(3, 0, 30, (10, 5)))
    assert kinds(machine(frame=holes, rod=rod)) == {FRAME_ROD: "fixed"}


def test_a_flat_keeps_a_shaft_from_turning():
    cut = block((3, -9, -20), (9, 9, 30))
    hole = less(pin(5, 0, 10), cut)
    assert kinds(machine(frame=less(PLATE, hole), rod=less(pin(5, -20, 30), cut))) == {FRAME_ROD: "prismatic"}


SQUARE_BAR = block((-3, -3, -20), (3, 3, 30))
SQUARE_HOLES = {
    "one block cut out": less(PLATE, block((-3, -3, 0), (3, 3, 10))),
    "four blocks around it": union(
        block((-20, 3, 0), (20, 20, 10)),
        block((-20, -20, 0), (20, -3, 10)),
        block((3, -3, 0), (20, 3, 10)),
        block((-20, -3, 0), (-3, 3, 10)),
    ),
    "an outline cut out": less(
        {"prism": {"outline": [[-20, -20], [20, -20], [0, 30]], "height": 10}},
        {"prism": {"outline": [[3, 3], [-3, 3], [-3, -3], [3, -3]], "height": 10}},
    ),
    "a hole wider than the block it lies in": {
        "intersection": [
            union(
                block((-20, 3, 0), (20, 20, 10)),
                block((-20, -20, 0), (20, -3, 10)),
                block((3, -20, 0), (20, 20, 10)),
                block((-20, -20, 0), (-3, 20, 10)),
            ),
            PLATE,
        ]
    },
}


@pytest.mark.parametrize("hole", SQUARE_HOLES)
def test_a_square_hole_is_found_however_it_is_made(hole: str):
    joint = infer(machine(frame=SQUARE_HOLES[hole], rod=SQUARE_BAR)).joints[0]
    assert joint.type == "prismatic"
    assert joint.direction == (0, 0, 1)


def test_a_bar_in_a_round_hole_makes_nothing():
    found = infer(machine(frame=less(PLATE, pin(6, 0, 10)), rod=SQUARE_BAR))
    assert found.joints == ()
    assert [question.at for question in found.open] == ["parts.rod"]


def test_an_open_groove_holds_nothing():
    groove = less(PLATE, block((-3, -20, 4), (3, 20, 10)))
    assert kinds(machine(frame=groove, rod=block((-3, -40, 4), (3, 40, 8)))) == {}


def test_a_dovetail_holds_though_it_is_open():
    prism = {"prism": {"outline": [[-6, 4], [6, 4], [3, 10], [-3, 10]], "height": 80}}
    tail = moved(prism, {"turn_deg": 90, "about": "x"}, {"move": [0, 40, 0]})
    joint = infer(machine(frame=less(PLATE, tail), rod=tail)).joints[0]
    assert joint.type == "prismatic"
    x, y, z = joint.direction
    assert (x, z) == (0, 0)
    assert y > 0


def test_a_shaft_in_half_a_bearing_can_leave():
    half = less(PLATE, pin_x(5, -20, 20, (0, 10)))
    assert kinds(machine(frame=half, rod=pin_x(5, -40, 40, (0, 10)))) == {}


def test_more_than_half_a_bearing_holds_it():
    half = less(PLATE, pin_x(5, -20, 20, (0, 6)))
    rod = pin_x(5, -40, 40, (0, 6))
    assert kinds(machine(more={"gravity": [9, 0, 0]}, frame=half, rod=rod)) == {FRAME_ROD: "cylindrical"}
    assert kinds(machine(more=HEAVY, frame=half, rod=rod)) == {FRAME_ROD: "revolute"}  # blocks lie in layers


@pytest.mark.parametrize("share", ["0.019", "0.021"])
def test_a_pin_with_play_makes_the_joint_up_to_two_per_cent(share: str):
    radius = 5 * (1 - Fraction(share))
    found = infer(machine(frame=less(PLATE, pin(5, 0, 10)), rod=pin(str(radius), -20, 30)))
    if share == "0.021":
        assert found.joints == ()
        return
    assert found.joints[0].type == "revolute"
    assert found.joints[0].play == pytest.approx(10 * 0.019)
    assert "diameter 9.81 mm, in a hole of frame with 0.19 mm of play" in found.joints[0].why


@pytest.mark.parametrize(("units", "unit"), [("in", " in"), ("1", "")])
def test_reasons_tell_lengths_with_their_unit_and_the_play_of_a_joint_not_found_as_a_share(units, unit):
    shapes = {"frame": less(PLATE, pin(5, 0, 10)), "rod": pin("4.95", -20, 30)}
    why = infer(machine(more={"units": units}, **shapes)).joints[0].why
    assert f"diameter 9.9{unit}, in a hole of frame with 0.1{unit} of play" in why
    asked = {"units": units, "joints": {"a": {"type": "infer", "between": ["frame", "rod"]}}}
    (question,) = infer(machine(more=asked, frame=PLATE, rod=pin(5, 40, 50))).open
    assert question.problem.endswith("with a play of up to 2 % of a hole or slot")


def test_the_clearance_can_be_set():
    shapes = {"frame": less(PLATE, pin(5, 0, 10)), "rod": pin("4.8", -20, 30)}
    assert kinds(machine(**shapes)) == {}
    assert kinds(machine(more={"infer": {"clearance": "0.041"}}, **shapes)) == {FRAME_ROD: "revolute"}
    assert kinds(machine(more={"infer": {"clearance": "0.039"}}, **shapes)) == {}


@pytest.mark.parametrize(("width", "joined"), [("5.886", True), ("5.874", False)])
def test_a_bar_with_play_slides_up_to_two_per_cent(width: str, joined: bool):
    half = float(width) / 2
    bar = block((-3, -half, -20), (3, half, 30))
    found = infer(machine(frame=SQUARE_HOLES["one block cut out"], rod=bar))
    assert bool(found.joints) == joined
    if joined:
        assert found.joints[0].play == pytest.approx(6 - float(width))


def test_a_face_cut_from_nothing_makes_no_joint():
    """The frame subtracts the whole rod, which reaches out of it: only the hole in the plate is a face."""
    rod = union(pin(5, -20, 30), block((-2, 5, 15), (2, 30, 20)))
    frame = less(PLATE, rod)
    assert kinds(machine(frame=frame, rod=rod)) == {FRAME_ROD: "revolute"}


def test_a_face_that_touches_a_round_one_in_a_line_does_not_stop_it():
    """A block of the ring is tangent to the bore, as in the published lever: that is not a flat."""
    ring = less(union(pin(9, 0, 10), block((-2, 5, 0), (2, 20, 10))), pin(5, 0, 10))
    assert kinds(machine(frame=less(pin(5, -5, 15), ring), ring=ring)) == {("frame", "ring"): "revolute"}


def test_a_buried_hole_makes_no_joint():
    """The hole is filled again, and a pin stands on it."""
    frame = union(less(PLATE, pin(5, 0, 10)), pin(6, 0, 10))
    assert kinds(machine(frame=frame, rod=pin(5, 10, 30))) == {}


def test_a_pin_elsewhere_on_the_axis_makes_no_joint():
    assert kinds(machine(frame=less(PLATE, pin(5, 0, 10)), rod=pin(5, 11, 30))) == {}


def test_two_clamped_plates_are_not_a_hinge():
    one, other = block((-20, -20, 0), (20, 20, 5)), block((-20, -20, 5), (20, 20, 10))
    bolt = union(pin(3, -3, 13), pin(5, -3, 0), pin(5, 10, 13))
    found = infer(machine(frame=less(one, pin(3, 0, 5)), plate=less(other, pin(3, 5, 10)), bolt=bolt))
    assert {joint.parts: joint.type for joint in found.joints} == {
        ("frame", "bolt"): "fixed",
        ("frame", "plate"): "fixed",
    }
    assert "fastener, not a hinge" in " ".join(joint.why for joint in found.joints)


def test_two_bolts_fasten_and_say_so():
    one, other = block((-20, -20, 0), (20, 20, 5)), block((-20, -20, 5), (20, 20, 10))
    places = ((-10, 0), (10, 0))
    bolts = [union(pin(3, -3, 13, at), pin(5, -3, 0, at), pin(5, 10, 13, at)) for at in places]
    frame, plate = (less(b, *(pin(3, *h, at) for at in places)) for b, h in ((one, (0, 5)), (other, (5, 10))))
    found = infer(machine(frame=frame, plate=plate, left=bolts[0], right=bolts[1]))
    assert {joint.type for joint in found.joints} == {"fixed"}
    assert (
        "2 pins of frame, diameter 6 mm, in holes of plate and shoulders at both ends" in found.joints[2].why
    )


def test_a_loose_pin_is_a_hinge_of_what_it_joins():
    one, other = block((-20, -5, 0), (5, 5, 5)), block((-5, -5, 5), (20, 5, 10))
    found = infer(machine(frame=less(one, pin(3, 0, 5)), arm=less(other, pin(3, 5, 10)), pin=pin(3, -3, 13)))
    assert {joint.parts: joint.type for joint in found.joints} == {
        ("frame", "pin"): "fixed",
        ("frame", "arm"): "revolute",
    }


def test_joints_given_by_hand_win_and_are_compared():
    shapes = {"frame": less(PLATE, pin(5, 0, 10)), "rod": pin(5, -20, 30)}
    hand = {"type": "revolute", "between": ["frame", "rod"], "at": [0, 0, 0]}
    assert infer(machine(more={"joints": {"a": hand}}, **shapes)).joints[0].compared == "agrees"
    away = infer(machine(more={"joints": {"a": {**hand, "at": [1, 0, 0]}}}, **shapes)).joints[0]
    assert away.point == (1, 0, 0)
    assert away.compared == "the shapes place its axis 1 mm off"
    slide = {**hand, "type": "prismatic", "along": [1, 0, 0]}
    assert "90 deg" in infer(machine(more={"joints": {"a": slide}}, **shapes)).joints[0].compared


@pytest.mark.parametrize("up", [1, -1])
def test_the_axis_of_an_inferred_joint_points_as_the_document_says(up: int):
    """The sign of its coordinate follows, and with it what a spring's rest means."""
    joint = {"type": "infer", "between": ["frame", "rod"], "along": [0, 0, up]}
    shapes = {"frame": less(PLATE, pin(5, 0, 10)), "rod": pin(5, -20, 30)}
    assert infer(machine(more={"joints": {"a": joint}}, **shapes)).joints[0].direction == (0, 0, up)


def test_a_document_with_joints_by_hand_comes_back_itself():
    shapes = {"frame": less(PLATE, pin(5, 0, 10)), "rod": pin(5, -20, 30)}
    hand = {"type": "revolute", "between": ["frame", "rod"], "at": [0, 0, 0]}
    written = machine(more={"joints": {"a": hand}}, **shapes)
    assert resolved(written) is written


def test_in_the_plane():
    plate = {"outline": [[-20, -20], [20, -20], [20, 20], [-20, 20]]}
    disc = {"circle": 5}
    joint = infer(machine(2, frame=less(plate, disc), wheel=disc)).joints[0]
    assert joint.type == "revolute"
    slot = {"outline": [[-30, -2], [30, -2], [30, 2], [-30, 2]]}
    slide = infer(machine(2, frame=less(plate, slot), bar=slot)).joints[0]
    assert slide.type == "prismatic"
    assert resolved(machine(2, frame=less(plate, slot), bar=slot)).joints["frame_bar"].along == (1, 0)


def polygon(radius: float, sides: int) -> list[list[float]]:
    return [
        [round(radius * math.cos(k * math.tau / sides), 9), round(radius * math.sin(k * math.tau / sides), 9)]
        for k in range(sides)
    ]


@pytest.mark.parametrize(
    ("sides", "kind"), [(6, "prismatic"), (12, "prismatic"), (24, "revolute"), (96, "revolute")]
)
def test_an_outline_of_many_chords_is_round(sides: int, kind: str):
    """As drawings and imported solids write arcs; a hexagon in a hexagon slides."""
    bore = {"prism": {"outline": polygon(5, sides), "height": 10}}
    shaft = moved({"prism": {"outline": polygon(5, sides), "height": 50}}, {"move": [0, 0, -20]})
    joint = infer(machine(frame=less(PLATE, bore), rod=shaft)).joints[0]
    assert joint.type == kind
    if kind == "revolute":
        assert [float(c) for c in joint.point] == pytest.approx([0, 0, 0], abs=1e-6)


def test_a_pin_in_a_bore_of_chords():
    bore = {"prism": {"outline": polygon(5, 64), "height": 10}}
    joint = infer(machine(frame=less(PLATE, bore), rod=ROUND_ROD)).joints[0]
    assert joint.type == "revolute"


def test_a_slotted_bearing_of_chords_in_one_outline():
    """A fork, as one outline: an arc of 270 degrees and an open mouth."""
    arc = [[5 * math.cos(math.radians(a)), 5 * math.sin(math.radians(a))] for a in range(-135, 136, 5)]
    mouth = 3.535533906
    around = [[-10, mouth], [-10, 10], [10, 10], [10, -10], [-10, -10], [-10, -mouth]]
    points = [[round(c, 9) for c in p] for p in arc] + around
    fork = {"prism": {"outline": points, "height": 10}}
    assert kinds(machine(more=HEAVY, frame=fork, rod=ROUND_ROD)) == {FRAME_ROD: "cylindrical"}


@pytest.mark.parametrize(("sides", "digits"), [(48, 6), (24, 4), (60, 5)])
def test_a_circle_of_rounded_chords_is_one_hole(sides: int, digits: int):
    """Coordinates rounded as drawings round them: one pin in one hole, about its centre."""
    radius, (x, y) = 5, (3, -2)
    corners = [
        (radius * math.cos(k * math.tau / sides), radius * math.sin(k * math.tau / sides))
        for k in range(sides)
    ]
    outline = [[round(x + a, digits), round(y + b, digits)] for a, b in corners]
    hole = {"prism": {"outline": outline, "height": 10}}
    joint = infer(machine(frame=less(PLATE, hole), rod=pin(4.95, -20, 30, (x, y)))).joints[0]
    assert joint.type == "revolute"
    assert joint.why.count("a pin of rod") == 1
    assert [float(c) for c in joint.point[:2]] == pytest.approx([x, y], abs=2 * 10**-digits)
    assert joint.play == pytest.approx(0.1, abs=0.01)


def test_a_cylindrical_pair_has_two_coordinates():
    found = infer(machine(more=HEAVY, frame=less(PLATE, pin(5, 0, 10)), rod=pin(5, -20, 30)))
    assert found.mobility == 2
    assert {(each.joint, each.kind) for each in found.coordinates} == {
        ("frame_rod", "angle"),
        ("frame_rod", "length"),
    }
    assert len(set(found.state_variables)) == 4


@pytest.mark.parametrize(
    ("radius", "found"), [("5", True), ("4.95", True), ("5.000001", True), ("5.01", False)]
)
def test_a_pin_that_is_too_thick_for_its_hole_is_no_hinge(radius: str, found: bool):
    rod = pin(Fraction(radius), -20, 30)
    inferred = infer(machine(frame=less(PLATE, pin(5, 0, 10)), rod=rod))
    assert [joint.point for joint in inferred.joints] == ([(0, 0, 0)] if found else [])


def test_a_written_joint_says_that_its_pin_is_too_thick():
    shapes = {"frame": less(PLATE, pin(5, 0, 10)), "rod": pin(Fraction("5.05"), -20, 30)}
    written = {"joints": {"hinge": {"type": "infer", "between": ["frame", "rod"]}}}
    (question,) = [q for q in infer(machine(more=written, **shapes)).open if q.at == "joints.hinge"]
    assert "a pin of rod, diameter 10.1 mm, is too thick for its hole in frame, 10 mm" in question.problem
    assert '"fixed" if pressed in' in question.remedy
    with pytest.raises(UnsupportedError, match="`detent explain` says what they lack") as refused:
        plane_view(compile_system(resolved(machine(more=written, **shapes))))
    assert "joints.hinge" in str(refused.value)
