"""Contacts that are given where the shapes are not: told by every answer, on both sides of the threshold."""

import math

import pytest

import detent
from detent.app import main
from detent.contact import contacts_of
from detent.contact.touching import given_off_shapes

FLOOR = {"fixed": True, "shape": {"outline": [[-50, -10], [50, -10], [50, 0], [-50, 0]]}}


def box(*contacts, height=0.0, **more):
    """A box on a floor, or so far above it; contacts of points and normals."""
    outline = [[-10, height], [10, height], [10, 20], [-10, 20]]
    given = [{"between": ["floor", "box"], "point": p, "normal": n} for p, n in contacts]
    body = {"shape": {"outline": outline}, "mass": 1, "center": [0, 10], "inertia": 1e-4}
    machine = {"units": "mm", "gravity": [0, -10], "parts": {"floor": FLOOR, "box": body}, "contacts": given}
    return detent.from_dict({**machine, "touching": {"friction": 0.3}, **more})


UP = [0, 1]


def test_a_contact_in_the_air_is_told_with_its_distance():
    away = box(([-10, 0], UP), ([15, 0], UP))
    (words,) = given_off_shapes(away)
    assert words == "contact 1 (floor:box) is at least 5 mm from box"
    motion = detent.moved_by(away, {"box": [0, 0, 0]})
    assert words in motion.scope.covers
    assert "rows exactly as given" in motion.scope.covers
    assert words in detent.modes(away).words
    assert given_off_shapes(box(([-10, 0], UP), ([10, 0], UP))) == ()


@pytest.mark.parametrize(("share", "told"), [(0.9e-3, 0), (1.1e-3, 1)])
def test_what_a_drawing_leaves_open_is_not_told(share, told):
    """The scene is 100 by 30: a gap of a thousandth of its diagonal counts as rounding."""
    height = share * math.hypot(100, 30)
    assert len(given_off_shapes(box(([0, 0], UP), height=height))) == told


def test_normals_the_wrong_way_are_told():
    (words,) = given_off_shapes(box(([0, 0], [0, -1])))
    assert words == "contact 0 (floor:box) has a normal that points into floor"
    slanted = box(([0, 0], [0.5, 1]))  # as surfaces are that are rough
    assert given_off_shapes(slanted) == ()


def test_arcs_are_measured_as_arcs():
    """A point on a disc in the middle of one of its chords, 4e-5 of its radius outside it."""
    angle = 0.0123
    disc = {"shape": {"circle": 2}, "pose": {"at": [5, 2]}}
    for radius, told in ((2.0, 0), (2.3, 1)):
        point = [5 + radius * math.sin(angle), 2 - radius * math.cos(angle)]
        given = [{"between": ["floor", "disc"], "point": point, "normal": [0, 1]}]
        floor = {"fixed": True}  # without a shape it is not looked at
        machine = detent.from_dict({"parts": {"floor": floor, "disc": disc}, "contacts": given})
        assert len(given_off_shapes(machine)) == told


def test_in_space_balls_and_blocks_are_measured():
    table = {"fixed": True, "shape": {"block": [100, 100, 10], "moves": [{"move": [-50, -50, -10]}]}}
    ball = {"shape": {"sphere": 10}, "pose": {"at": [0, 0, 13]}}
    given = [{"between": ["table", "ball"], "point": [0, 0, 0], "normal": [0, 0, 1]}]
    machine = {"dimension": 3, "parts": {"table": table, "ball": ball}, "contacts": given}
    assert given_off_shapes(detent.from_dict(machine)) == (
        "contact 0 (table:ball) is at least 3 m from ball",
    )
    machine["contacts"] = [{**given[0], "normal": [0, 0, -1]}]
    assert given_off_shapes(detent.from_dict(machine))[0].endswith("a normal that points into table")


def test_check_tells_it(tmp_path, capsys):
    detent.save(box(([15, 0], UP)), tmp_path / "box.toml")
    assert main(["check", str(tmp_path / "box.toml")]) == 0
    assert "contact 0 (floor:box) is at least 5 mm from box as drawn" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["hand_with_ball", "planar_grasp", "box_in_corner", "peg_in_hole", "box_on_box"]
)
def test_examples_give_contacts_where_they_are_drawn(name):
    machine = detent.load(name)
    assert given_off_shapes(machine) == ()
    assert contacts_of(machine).beside.off == ()
