"""What `detent modes` and `check` say of parts that almost touch, of centres, of units without names."""

import json
import math
import re

import pytest

import detent
from detent.app import main

BALL = """
format = "detent/1"
{units}
[parts.table]
fixed = true
shape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]
[parts.ball]
shape = {{ circle = 1 }}
pose = {{ at = [0.1, {height}] }}
"""


@pytest.fixture
def ball(tmp_path):
    def written(height, units=""):
        path = tmp_path / "ball.toml"
        path.write_text(BALL.format(height=height, units=units))
        return str(path)

    return written


@pytest.mark.parametrize("depth", [1e-7, 1e-6, 1e-5, 1e-4, 1e-3])
def test_a_disc_sunk_into_a_table_overlaps_it_by_its_depth(ball, depth, capsys):
    for verb in ("check", "modes"):
        assert main([verb, ball(f"{1 - depth:.9f}")]) == 2
        printed = capsys.readouterr()
        said, number = re.search(r"\), (at least )?([\d.e-]+) m deep", printed.out + printed.err).groups()
        if said:  # seen by its chords, which leave the arc by 7.5e-5
            assert depth - 7.6e-5 <= float(number) <= depth
        else:
            assert number == f"{depth:.3g}"


@pytest.mark.parametrize("depth", [1e-6, 1e-5, 1e-4])
@pytest.mark.parametrize("side", [1, -1])
def test_a_pin_sunk_into_one_side_of_its_slot_is_not_called_apart(tmp_path, depth, side, capsys):
    path = tmp_path / "slot.toml"
    path.write_text(f"""format = "detent/1"
units = "mm"
[parts.body]
fixed = true
shape.difference = [
  {{ outline = [[0, 0], [100, 0], [100, 40], [0, 40]] }},
  {{ outline = [[20, 15], [80, 15], [80, 25], [20, 25]] }},
]
[parts.pin]
shape = {{ circle = 5, moves = [{{ move = [50, {20 + side * depth:.9f}] }}] }}
""")
    for verb in ("check", "modes"):
        assert main([verb, str(path)]) == 2
        printed = capsys.readouterr()
        assert f"{depth:.3g} mm deep" in printed.out + printed.err


@pytest.mark.parametrize("gap", [1e-7, 1e-6, 1e-4, 1e-3])
def test_a_gap_is_named_with_its_size(ball, gap, capsys):
    path = ball(f"{1 + gap:.9f}")
    assert main(["check", path]) == 0
    assert f"table and ball, {gap:.3g} m apart: they do not touch" in capsys.readouterr().out
    assert main(["modes", path]) == 0
    assert f"nothing touches; nearest: table and ball, {gap:.3g} m apart" in capsys.readouterr().out
    assert main(["modes", path, "--json"]) == 0
    (near,) = json.loads(capsys.readouterr().out)["nearest"]
    assert near["gap"] == pytest.approx(gap, abs=1e-12)


def test_a_touching_disc_is_a_contact_and_no_near_miss(ball, capsys):
    assert main(["modes", ball("1"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["contacts"], answer["nearest"]) == (["table:ball"], [])
    assert main(["check", ball("1")]) == 0
    assert "apart" not in capsys.readouterr().out


TIPPING = """
format = "detent/1"
units = "{units}"
gravity = [0, -9.81]
[parts.table]
fixed = true
shape.outline = [[0, -1], [5, -1], [5, 0], [0, 0]]
[parts.box]
shape.outline = [[3, 0], [8, 0], [8, 1], [3, 1]]
mass = 1
center = [5.5, 0.5]
inertia = 1
[touching]
friction = 0.5
"""


def test_the_centre_of_a_box_over_the_edge_goes_down(tmp_path, capsys):
    """About the edge, at (5, 0): moment 9.81 x 0.5, inertia 1 + 0.25 + 0.25."""
    path = tmp_path / "box.toml"
    path.write_text(TIPPING.format(units="m"))
    assert main(["modes", str(path), "--load", "0,0,0", "--json"]) == 0
    (motion,) = json.loads(capsys.readouterr().out)["consistent"]
    centre, spin = motion["acceleration_of_centre"]["box"].values()
    wanted = -9.81 * 0.5 / 1.5
    assert spin == pytest.approx([wanted])
    assert centre == pytest.approx([-wanted * 0.5, wanted * 0.5])
    assert main(["modes", str(path), "--load", "0,0,0"]) == 0
    assert "box: its centre accelerates by (1.635, -1.635) m/s², its rotation by -3.27 rad/s²" in (
        capsys.readouterr().out
    )


def test_units_without_a_name_are_not_called_newtons(tmp_path, capsys):
    path = tmp_path / "box.toml"
    path.write_text(TIPPING.format(units="1"))
    assert main(["modes", str(path), "--load", "0,0,0"]) == 0
    printed = capsys.readouterr().out
    assert " N" not in printed
    assert "m/s²" not in printed
    path.write_text(TIPPING.format(units="m"))
    assert main(["modes", str(path), "--load", "0,0,0"]) == 0
    assert " N" in capsys.readouterr().out


def test_tangents_are_of_length_one_and_answers_have_a_scope():
    answer = json.loads(detent.modes("box_in_corner").to_json())
    assert all(math.hypot(*t) == pytest.approx(1) for tangents in answer["tangents"] for t in tangents)
    assert answer["scope"]["certainty"] in ("proved", "computed")
    with pytest.raises(KeyError):
        detent.modes("box_in_corner")["00|+-"]


LADDER = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
touching.friction = 0.2
contacts = [
  { between = ["room", "ladder"], point = [150, 0], normal = [0, 1] },
  { between = ["room", "ladder"], point = [0, 400], normal = [1, 0] },
]
[parts.room]
fixed = true
[parts.ladder]
mass = 10
center = [75, 200]
inertia = 15
"""


def test_printed_ranges_hold_the_computed_ones(tmp_path, capsys):
    """Moments about the ladder's foot, with friction at the wall up or down: closed forms of the ends."""
    path = tmp_path / "ladder.toml"
    path.write_text(LADDER)
    assert main(["modes", str(path), "--load", "0,0,0"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "normal force" in line]
    weight = 98.1
    walls = [0.075 * weight / (0.4 + sign * 0.2 * 0.15) for sign in (1, -1)]
    floors = [weight - 0.2 * walls[0], weight + 0.2 * walls[1]]
    for line, (least, most) in zip(lines, (floors, walls), strict=True):
        low, high = (float(line.split(word)[1].split()[0]) for word in ("between ", " and "))
        assert low <= least < low + 0.011
        assert high - 0.11 < most <= high


def test_places_of_contacts_have_the_unit_of_the_document(tmp_path, capsys):
    """The same box on a table in millimetres and in metres: each number stands before its unit."""
    for units, of_a_metre in (("mm", 1000), ("m", 1), ("1", 1)):
        side = of_a_metre
        document = {
            "format": "detent/1",
            "units": units,
            "parts": {
                "table": {
                    "fixed": True,
                    "shape": {"outline": [[-side, -side], [side, -side], [side, 0], [-side, 0]]},
                },
                "box": {
                    "shape": {"outline": [[0, 0], [side // 2 or 0.5, 0], [side // 2 or 0.5, side], [0, side]]}
                },
            },
        }
        file = tmp_path / "box.json"
        file.write_text(json.dumps(document))
        assert main(["modes", str(file)]) == 0
        unit = "" if units == "1" else f" {units}"
        assert f"table:box  at ({0.5 * of_a_metre:g}, 0){unit}, normal (0, 1)" in capsys.readouterr().out
