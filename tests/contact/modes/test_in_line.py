"""Scenes that were rotated and rounded: the modes of the scene as meant, or the answer says why not."""

import math

import pytest

import detent
from detent.contact.modes import signs_in_line
from detent.numeric.arrangement import IN_LINE
from tests.contact.oracle import modes_by_programs

POINTS = {
    "corner": [((0, 0), (0, 1)), ((60, 0), (0, 1)), ((0, 0), (1, 0)), ((0, 40), (1, 0))],
    "grasp": [((-20, 10), (1, 0)), ((20, 10), (-1, 0)), ((0, 0), (0, 1))],
    "peg": [((-1, 0), (1, 0)), ((-1, 5), (1, 0)), ((1, 0), (-1, 0)), ((1, 5), (-1, 0))],
}
SHAPES = {
    "table": ([(-100, -10), (200, -10), (200, 0), (-100, 0)], [(0, 0), (60, 0), (60, 40), (0, 40)]),
    "peg": (
        [(-50, 0), (-10, 0), (-10, -60), (10, -60), (10, 0), (50, 0), (50, -80), (-50, -80)],
        [(-10, -30), (10, -30), (10, 40), (-10, 40)],
    ),
}


def rotated(vector, degrees, digits, shift=(0, 0)):
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = vector
    return [round(c * x - s * y + shift[0], digits), round(s * x + c * y + shift[1], digits)]


def contacts(scene, degrees, digits, shift=(0, 0)):
    return detent.Contacts.from_points(
        [rotated(point, degrees, digits, shift) for point, _ in POINTS[scene]],
        [rotated(normal, degrees, digits) for _, normal in POINTS[scene]],
        friction=0.3,
    )


def drawn(scene, degrees, digits):
    outlines = [[rotated(point, degrees, digits) for point in outline] for outline in SHAPES[scene]]
    center = [sum(axis) / 4 for axis in zip(*outlines[1], strict=True)]
    box = {"shape": {"outline": outlines[1]}, "mass": 1, "center": center, "inertia": 0.001}
    return detent.from_dict(
        {
            "format": "detent/1",
            "units": "mm",
            "gravity": [0, -9.81],
            "parts": {"g": {"fixed": True, "shape": {"outline": outlines[0]}}, "b": box},
            "touching": {"friction": 0.3},
        }
    )


@pytest.mark.parametrize("scene", POINTS)
@pytest.mark.parametrize("degrees", [0.3, 37.7, 71.123])
@pytest.mark.parametrize("digits", [6, 8, 10, 12])
def test_in_line_to_their_digits_contacts_have_the_modes_of_the_scene_that_was_rotated(
    scene, degrees, digits
):
    meant = set(modes_by_programs(contacts(scene, 0, 6)))
    modes = detent.modes(contacts(scene, degrees, digits, (1234.5, -987.6)))
    in_line = modes.written(signs_in_line(modes.contacts, "all", IN_LINE))
    assert set(in_line) == meant
    said = "exactly as written" in modes.answer().scope.covers
    assert said == (set(modes.texts) != meant)
    if said and len(modes) != len(meant):
        assert f"there would be {len(meant)} modes, not {len(modes)}" in modes.words


def test_a_rounded_peg_is_said_to_be_stuck_by_its_last_digits():
    machine = drawn("peg", 71.123, 9)
    modes = detent.modes(machine)
    assert list(modes.texts) == ["0000|0000"]
    assert "there would be 3 modes, not 1" in modes.words
    assert "there would be 3 modes, not 1" in detent.moved_by(machine, {"b": [0, 0, 0]}).scope.covers
    assert "there would be 3 modes, not 1" in detent.grasp(modes, [0, 0, 0]).scope.covers
    one = detent.modes(machine, touching="0000")
    assert "there would be 3 modes, not 1" in one.words


def test_numbers_that_are_in_line_as_written_say_nothing_of_it():
    for scene in POINTS:
        assert "as written" not in detent.modes(contacts(scene, 0, 6)).words
    for scene in SHAPES:
        words = detent.modes(drawn(scene, 0, 6)).words
        assert "as written" not in words
        assert "all but touch" not in words


@pytest.mark.parametrize(("lift", "said"), [("0", False), ("1e-6", True), ("1e-3", True), ("1e-2", False)])
def test_a_corner_parted_by_rounding_is_named_where_the_other_corner_touches(lift, said):
    """A box 60 mm long on a table of 300: 1e-5 of the drawing is 0.003 mm."""
    machine = drawn("table", 0, 6).with_("parts.b.shape.outline.0", [0, lift])
    modes = detent.modes(machine)
    assert len(modes.contacts) == (2 if lift == "0" else 1)
    for words in (modes.words, detent.moved_by(machine, {"b": [0, 0, 0]}).scope.covers):
        assert ("all but touch there: g:b at (0, " in words) is said


def test_a_box_on_a_rounded_incline_names_the_corner_that_its_motion_leaves_out():
    machine = drawn("table", 37.7, 6)
    answer = detent.moved_by(machine, {"b": [0, 0, 0]})
    assert answer.consistent[0].acceleration_of_centre["b"].angular[0] == pytest.approx(134.3, abs=0.1)
    assert "parts all but touch there: g:b at (0, 0)" in answer.words
