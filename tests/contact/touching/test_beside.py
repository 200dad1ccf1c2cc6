"""What holds or pushes parts beside the contacts: modes do not count it, and every answer says so."""

import json

import pytest

import detent
from detent.app import main
from detent.contact import contacts_of

FINGER = {"between": ["finger", "box"], "point": [50, 40], "normal": [-1, 0], "friction": 0.6}
CORNERS = [{"between": ["table", "box"], "point": [x, 0], "normal": [0, 1]} for x in (-50, 50)]


def box(contacts, *, height=0, **more):
    """A box of 1 kg that stands on a table, or so far above it, with contacts given."""
    outline = [[-50, height], [50, height], [50, 80], [-50, 80]]
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -9.81],
            "parts": {
                "table": {
                    "fixed": True,
                    "shape": {"outline": [[-200, -20], [200, -20], [200, 0], [-200, 0]]},
                },
                "finger": {"fixed": True},
                "box": {"shape": {"outline": outline}, "mass": 1, "center": [0, 40], "inertia": 1.4e-3},
            },
            "touching": {"friction": 0.2},
            "contacts": contacts,
            **more,
        }
    )


def ram(**limits):
    """A ram on a slide whose coordinate is 0 as drawn, between its limits or at one; a box before it."""
    marker = {"S": {"at": [-1000, 500], "along": [1, 0]}}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "base": {
                    "fixed": True,
                    "shape": {"outline": [[-2000, -100], [2000, -100], [2000, 0], [-2000, 0]]},
                    "markers": marker,
                },
                "ram": {
                    "shape": {"outline": [[-1500, 300], [0, 300], [0, 700], [-1500, 700]]},
                    "markers": marker,
                    "inertia": 3,
                },
                "box": {
                    "shape": {"outline": [[0, 0], [1000, 0], [1000, 1000], [0, 1000]]},
                    "mass": 2,
                    "center": [500, 500],
                    "inertia": 0.33,
                },
            },
            "joints": {"S": {"type": "prismatic", "between": ["base.S", "ram.S"], "limits": limits}},
            "touching": {"friction": 0.6},
        }
    )


def lever(turn=0, dimension=2, **limits):
    """A bar on a pin, drawn at this coordinate [deg]."""
    axis = {"at": [0] * dimension, "along": [0, 0, 1]} if dimension == 3 else [0, 0]
    return detent.from_dict(
        {
            "dimension": dimension,
            "parts": {
                "base": {"fixed": True, "markers": {"P": axis}},
                "bar": {"markers": {"P": axis}, "pose": {"at": [0] * dimension, "turn_deg": turn}},
            },
            "joints": {"pin": {"type": "revolute", "between": ["base.P", "bar.P"], "limits": limits}},
        }
    )


def answers(tmp_path, capsys, machine, *questions):
    """What the command line prints, and its scope, for each question."""
    path = tmp_path / "machine.toml"
    detent.save(machine, path)
    for flags in questions:
        assert main(["modes", str(path), *flags]) == 0
        printed = capsys.readouterr()
        assert main(["modes", str(path), *flags, "--json"]) == 0
        yield printed, json.loads(capsys.readouterr().out)["scope"]


def test_parts_that_touch_beside_the_contacts_given_are_named_in_every_answer(tmp_path, capsys):
    """A finger alone is given: without its table the box falls, and each answer says what it left out."""
    questions = (
        [],
        ["--count"],
        ["--nonlinear"],
        ["--mode", "0|0"],
        ["--load", "5,0,0"],
        ["--grasp", "5,0,0"],
    )
    for printed, scope in answers(tmp_path, capsys, box([FINGER]), *questions):
        assert "though parts touch there: table:box at (-50, 0) mm and table:box at (50, 0) mm" in printed.out
        assert "shapes that touch beside the contacts given" in scope["left_out"]


def test_where_all_contacts_are_given_the_box_stands_and_nothing_is_named():
    """5 N to the right at the table: the finger, 40 mm up, turns it by 0.2 N m, its weight back by 0.49."""
    told = detent.moved_by(box([FINGER, *CORNERS]), {"box": [5, 0, 0]})
    assert [each.acceleration_of_centre["box"].linear for each in told.consistent] == [(0, 0)]
    assert "not among the contacts" not in told.words
    assert told.scope.left_out == ("impacts",)
    alone = detent.moved_by(box([FINGER]), {"box": [0, 0, 0]})
    assert alone.consistent[0].acceleration_of_centre["box"].linear == pytest.approx((0, -9810))
    assert "not among the contacts, though parts touch there" in alone.words


@pytest.mark.parametrize(
    ("machine", "places"),
    [
        (box([FINGER]), ("table:box at (-50, 0) mm", "table:box at (50, 0) mm")),
        (box([FINGER], height=1), ()),
        (box([FINGER, CORNERS[0]]), ()),  # the pair is given, at places of the user's choice
        (box([FINGER, *({**each, "between": ["finger", "box"]} for each in CORNERS)]), ()),  # of another part
        (box([FINGER], touching={"ignore": ["table:box"]}), ()),
        (box([]), ()),
    ],
)
def test_a_pair_is_named_where_it_touches_and_nothing_of_it_is_given(machine, places):
    assert contacts_of(machine).beside.touching == places


def test_corners_that_meet_are_named_unless_their_contact_is_given_and_hide_no_other_pair():
    """Corner on corner no normal can be found, which is why it is given: then it is not named."""
    square = {"outline": [[0, 0], [2, 0], [2, 2], [0, 2]]}
    parts = {
        "floor": {"fixed": True, "shape": {"outline": [[-9, -1], [9, -1], [9, 0], [-9, 0]]}},
        "post": {"fixed": True, "shape": {"outline": [[2, 2], [4, 2], [4, 4], [2, 4]]}},
        "box": {"shape": square},
    }
    corner = {"between": ["post", "box"], "point": [2, 2], "normal": [-1, 0]}
    other = {"between": ["post", "box"], "point": [2, 3], "normal": [-1, 0]}
    stands = ("floor:box at (0, 0) m", "floor:box at (2, 0) m")
    for given in (corner, other):
        assert contacts_of(detent.from_dict({"parts": parts, "contacts": [given]})).beside.touching == stands
    parts["tip"] = {"fixed": True}
    given = {"between": ["tip", "box"], "point": [0, 1], "normal": [1, 0]}
    named = contacts_of(detent.from_dict({"parts": parts, "contacts": [given]})).beside.touching
    assert named == ("post:box corner on corner at (2, 2) m", *stands)


def test_shapes_that_cannot_be_read_do_not_keep_others_from_being_named():
    """A sphere has no contacts of its own finding; the block beside it stands on the same table."""
    block = {"block": [10, 10, 10]}
    machine = detent.from_dict(
        {
            "dimension": 3,
            "parts": {
                "table": {"fixed": True, "shape": {"block": [90, 90, 5], "moves": [{"move": [-9, -9, -5]}]}},
                "ball": {"shape": {"sphere": 4}, "pose": {"at": [40, 40, 4]}},
                "block": {"shape": block},
            },
            "contacts": [{"between": ["table", "ball"], "point": [40, 40, 0], "normal": [0, 0, 1]}],
        }
    )
    found = contacts_of(machine).beside.touching
    assert set(found) == {f"table:block at ({x}, {y}, 0) m" for x in (0, 10) for y in (0, 10)}


@pytest.mark.parametrize(
    ("limits", "reached"),
    [
        ({"min": -1000, "max": 0}, True),
        ({"min": 0}, True),
        ({"max": 1e-3}, True),  # a last digit of a rounded drawing, some metres across
        ({"min": -1000, "max": 1}, False),
        ({"min": -1, "max": 1000}, False),
        ({"max": -1}, True),  # beyond it
    ],
)
def test_a_slide_at_its_stop_is_named_and_one_before_it_is_not(limits, reached, tmp_path, capsys):
    """Pushed towards a stop that it is at, a ram cannot move; modes let it, and say that they do."""
    questions = ([], ["--count"], ["--load", "20,0,0,0,0,0"], ["--grasp", "20,0,0,0,-20,0"])
    for printed, scope in answers(tmp_path, capsys, ram(**limits), *questions):
        assert ("though at a stop as drawn: joint S" in printed.out) is reached
        assert ("limits of joints" in scope["left_out"]) is reached


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize(
    ("turn", "limits", "reached"),
    [
        (0, {"min_deg": 0, "max_deg": 90}, True),
        (30, {"min_deg": 0, "max_deg": 30}, True),
        (30, {"min_deg": 0, "max_deg": 30.01}, False),
        (-90, {"min_deg": 200, "max_deg": 270}, True),  # -90 is 270, a rotation further
        (-90, {"min_deg": 200, "max_deg": 280}, False),
        (10, {"min_deg": -400}, False),
    ],
)
def test_a_pin_at_its_stop_is_named_whichever_rotation_its_limits_count(turn, limits, reached, dimension):
    assert contacts_of(lever(turn, dimension, **limits)).beside.stops == (("joint pin",) if reached else ())


def test_a_start_that_is_not_the_drawing_is_named_as_left_out(tmp_path, capsys):
    drawn = ram(max=100)
    started = drawn.with_("start", {"S": {"at": -50, "speed": 10}})
    for machine, named in ((drawn, False), (started, True)):
        for _, scope in answers(tmp_path, capsys, machine, [], ["--load", "20,0,0,0,0,0"]):
            assert any(each.startswith("start") for each in scope["left_out"]) is named


SPRUNG = {"type": "revolute", "between": ["table", "box"], "at": [0, 40]}


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        ({}, "the document's gravity is not added"),
        ({"spring": {"stiffness": 20, "rest_deg": 30}}, "the document's gravity and springs are not added"),
        (
            {"damping": 1, "friction": {"coefficient": 0.2, "radius": 5}},
            "the document's gravity, dampers and friction in joints are not added",
        ),
    ],
)
def test_a_whole_load_names_what_else_the_document_would_push_with(joint, said, tmp_path, capsys):
    machine = box([], joints={"pin": {**SPRUNG, **joint}})
    questions = (["--grasp", "0,-9,0"], ["--mode", "00|00", "--wrench", "0,-9,0"])
    for printed, scope in answers(tmp_path, capsys, machine, *questions):
        assert f"assumed: the load is all there is: {said} to it" in printed.err
        assert any(said in each for each in scope["assumed"])


def test_a_grasp_in_python_names_the_springs_of_the_document_its_modes_are_of():
    spring = {"stiffness": 20, "rest_deg": 30}
    sprung = box([], gravity=[0, 0], joints={"pin": {**SPRUNG, "spring": spring}})
    verdict = detent.grasp(detent.modes(sprung), [0, -9, 0])
    assert verdict.assumptions[-1].endswith("the document's springs are not added to it")
    plain = box([], gravity=[0, 0], joints={"pin": SPRUNG})
    assert "all there is" not in " ".join(detent.grasp(detent.modes(plain), [0, -9, 0]).assumptions)
