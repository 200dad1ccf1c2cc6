"""The first lines of an answer say what the person asked."""

from __future__ import annotations

import json

import pytest

from detent.app import main


def test_a_move_says_how_far_each_part_turns_in_degrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "four_bar"]) == 0
    shown = capsys.readouterr().out
    assert "37 positions of crank, 0° to 360°" in shown
    assert "I once round" in shown  # the crank


def test_rotations_have_the_digits_of_the_drive_that_makes_them(capsys: pytest.CaptureFixture[str]) -> None:
    """A driven crank turns by what its drive moved, in the same digits."""
    assert main(["move", "four_bar", "--to", "50.1004", "--steps", "4"]) == 0
    shown = capsys.readouterr().out
    assert "0° to 50.1004°" in shown
    assert "I 50.1004° counterclockwise," in shown


@pytest.mark.parametrize("to", ["300", "-300"])
def test_a_part_that_turns_one_way_says_which_and_one_that_rocks_does_not(
    capsys: pytest.CaptureFixture[str], to: str
) -> None:
    """Against the side on which the crank's end passes its hinge, from the points of the table."""
    assert main(["move", "four_bar", "--to", to, "--steps", "12", "--json"]) == 0
    markers = json.loads(capsys.readouterr().out)["markers"]
    (x, y), *_ = hinge = markers["I.A"]
    (ax, ay), (bx, by) = markers["I.B"][:2]
    assert hinge[0] == hinge[1]
    left = (ax - x) * (by - y) - (ay - y) * (bx - x) > 0
    assert main(["move", "four_bar", "--to", to, "--steps", "12"]) == 0
    (turns,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("  turns ")]
    assert f"I 300° {'counterclockwise' if left else 'clockwise'}, II 34.0608°, III" in turns


def test_a_little_more_than_a_rotation_is_not_once_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "four_bar", "--to", "360.018", "--steps", "8"]) == 0
    assert "I 1.00005 times round" in capsys.readouterr().out


def test_a_slide_is_told_in_units_not_in_degrees(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["move", "slider_crank", "--drive", "slide", "--to", "1", "--steps", "4"]) == 0
    moved = next(line for line in capsys.readouterr().out.splitlines() if "moved" in line)
    assert "°" not in moved


@pytest.mark.parametrize(
    ("example", "inside", "held"),
    [("snap_t", "yes", "no"), ("snap_holds", "yes", "yes"), ("motion_diode", "yes", "yes")],
)
def test_a_mating_answers_whether_it_goes_in_and_holds_before_the_story(
    example: str, inside: str, held: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mate", example]) == 0
    title, goes_in, force, holds, *_ = capsys.readouterr().out.splitlines()
    assert title
    assert goes_in.split()[2].startswith(inside)
    assert "at travel" in force  # in units of its own: no N, no s
    assert holds.split()[:2] == ["holds", f"{held},"]
