"""How deep parts are in each other, as `check` prints it: never more than one must be moved to be free."""

import re

import pytest

import detent
from detent.app import main


def printed_depth(tmp_path, capsys, lines):
    """What `check` calls the depth (a bound, an estimate, or exact), and its number."""
    path = tmp_path / "overlap.toml"
    path.write_text(f'format = "detent/1"\nunits = "in"\n{lines}')
    assert main(["check", str(path)]) == 2
    said, number = re.search(r"\), (at least |about |)([\d.e-]+) in deep", capsys.readouterr().out).groups()
    return said.strip(), float(number)


@pytest.mark.parametrize("height", [1.999, 1.99, 1.9, 1.5])
def test_a_disc_in_a_groove_is_at_least_as_deep_as_said(tmp_path, capsys, height):
    """Walls of 3:4 through the origin: the disc at a height h is 1.2 - 0.6 h deep in either of them."""
    said, depth = printed_depth(
        tmp_path,
        capsys,
        f"""parts.groove = {{ fixed = true, shape.outline = [[-3, 4], [0, 0], [3, 4], [3, -1], [-3, -1]] }}
parts.disc = {{ shape.circle = 1.2, pose = {{ at = [0, {height}] }} }}
""",
    )
    truth, chord = 1.2 - 0.6 * height, 7.6e-5 * 1.2
    assert said == "at least"
    assert 0.99 * truth - chord <= depth <= truth


def test_a_bar_across_another_is_at_least_as_deep_as_it_is_wide(tmp_path, capsys):
    """It must be moved by more than the circle between them: it is 3 wide, and 5 in along its length."""
    said, depth = printed_depth(
        tmp_path,
        capsys,
        """parts.wall = { fixed = true, shape.outline = [[0, -9], [20, -9], [20, 9], [0, 9]] }
parts.bar = { shape.outline = [[-10, 0], [5, 0], [5, 3], [-10, 3]] }
""",
    )
    assert (said, depth) == ("at least", 3.0)


def test_chords_of_a_hole_do_not_make_an_overlap_deeper(tmp_path, capsys):
    """A peg of width 0.1 reaches 0.02 into the wall of a hole of radius 10, in the middle of a chord."""
    said, depth = printed_depth(
        tmp_path,
        capsys,
        """parts.plate = { fixed = true, shape.difference = [
    { outline = [[-20, -20], [20, -20], [20, 20], [-20, 20]] }, { circle = 10 }] }
[parts.peg]
shape.outline = [[9, -0.05], [10.02, -0.05], [10.02, 0.05], [9, 0.05]]
pose.turn_deg = 0.703125
""",
    )
    assert said == "at least"
    assert 0.019 < depth <= 0.02 + 0.05**2 / 2 / 10  # its corners are free once it is moved back so far


def test_other_solids_are_about_as_deep_as_a_box_around_what_they_share(tmp_path, capsys):
    said, depth = printed_depth(
        tmp_path,
        capsys,
        """dimension = 3
parts.floor = { fixed = true, shape.block = [10, 10, 1] }
parts.ball = { shape.sphere = 2, pose.at = [5, 5, 2.5] }
""",
    )
    assert said == "about"
    assert depth == pytest.approx(0.5, abs=0.01)


def test_depths_of_a_motion_are_bounds_too():
    """Two squares of side 20, 15 apart: 5 deep."""
    square = {"outline": [[-10, -10], [10, -10], [10, 10], [-10, 10]]}
    machine = detent.from_dict(
        {
            "parts": {
                "frame": {"fixed": True, "shape": square},
                "table": {"shape": square, "pose": {"at": [0, 15]}},
            },
            "joints": {
                "j": {"type": "prismatic", "between": ["frame", "table"], "at": [0, 0], "along": [1, 0]}
            },
            "drives": {"d": {"joint": "j", "from": 0, "to": 3, "steps": 2}},
        }
    )
    (pair,) = detent.move(machine).overlaps
    assert pair.depth == pytest.approx(5.0, rel=1e-3)
    assert pair.depth <= 5.0 + 1e-12
