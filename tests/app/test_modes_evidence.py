"""What `detent modes` says of one mode, a grasp, a load: numbers with their scope, the question asked."""

import json

import numpy as np
import pytest

import detent
from detent.app import main

FINGERS = """
format = "detent/1"
units = "mm"
[touching]
friction = 0.4
[parts.hand]
fixed = true
[parts.plate]
mass = 0.2
center = [30, 20]
inertia = 1e-4
[[contacts]]
between = ["hand", "plate"]
point = [0, 20]
normal = [1, 0]
[[contacts]]
between = ["hand", "plate"]
point = [60, 20]
normal = [-1, 0]
"""

WEDGE = """
format = "detent/1"
units = "in"
dimension = 3
gravity = [0, 0, -9.81]
[touching]
friction = 0.2
[parts.table]
fixed = true
shape = { block = [20, 20, 1], moves = [{ move = [-10, -10, -1] }] }
[parts.wedge]
shape.prism = { outline = [[0, 0], [4, 0], [0, 3]], height = 2 }
pose = { at = [0, 0, 0], turn_deg = 90, about = "x" }
density = 2700
[parts.cube]
shape.block = [1, 1, 1]
mass = 0.5
center = [0.5, 0.5, 0.5]
principal = [5e-5, 5e-5, 5e-5]
pose = { at = [1.6, -1.5, 1.8], along = [4, 0, -3] }
[ask.modes]
load = { wedge = [0.5, 0, 0, 0, 0, 0] }
"""


@pytest.fixture
def fingers(tmp_path):
    path = tmp_path / "fingers.toml"
    path.write_text(FINGERS)
    return str(path)


def test_forces_that_statics_leaves_open_are_not_added_up_as_evidence(fingers):
    modes = detent.modes(detent.Contacts.from_points([[0, 20], [60, 20]], [[1, 0], [-1, 0]], friction=0.4))
    pinched = detent.grasp(modes, [0, -2, -60])
    assert pinched.answer == "not stable"
    assert all(each.value is None for each in pinched.evidence)
    assert "statics leaves open" in pinched.evidence[0].statement
    floor = detent.Contacts.from_points([[0, 0], [60, 0]], [[0, 1], [0, 1]], friction=0.4)
    assert detent.grasp(detent.modes(floor), [0, -2, -60]).evidence[0].value == pytest.approx(2)


def test_a_goal_is_told_with_how_its_distance_is_measured(fingers, capsys):
    goal = np.array([0.1, -4, 0.5])
    flags = ["modes", fingers, "--mode", "00|+-", "--goal", ",".join(map(str, goal))]
    # Both fingers at a height of 20: the plate rotates about that line, and slides down it.
    about = np.array([20, 0, 1]) / np.sqrt(401)
    wanted = (goal @ about) * about + [0, -4, 0]
    assert main([*flags, "--json"]) == 0
    nearest = json.loads(capsys.readouterr().out)["nearest"]
    assert nearest["velocity"] == pytest.approx(wanted)
    assert nearest["distance"] == pytest.approx(np.linalg.norm(goal - wanted))
    assert main(flags) == 0
    words = f"mm/s and rad/s, {nearest['distance']:.6g} away, {nearest['metric']}"
    assert words in capsys.readouterr().out
    assert nearest["metric"] == "lengths and rotations alike, as numbers"


@pytest.mark.parametrize(("along", "inside"), [(-4, True), (1e-3, False), (4, False)])
def test_a_nearest_velocity_on_the_boundary_of_its_mode_is_said_to_be_there(fingers, capsys, along, inside):
    """Both slide down in this mode; the nearest to going up is to stand, which is mode 00|00."""
    flags = ["modes", fingers, "--mode", "00|+-", "--goal", f"0,{along},0"]
    assert main([*flags, "--json"]) == 0
    nearest = json.loads(capsys.readouterr().out)["nearest"]
    assert nearest["velocity"] == pytest.approx([0, min(along, 0), 0], abs=1e-12)
    assert nearest["of_the_mode"] is inside
    assert main(flags) == 0
    assert ("on the mode's boundary" in capsys.readouterr().out) is not inside


@pytest.mark.parametrize(
    ("flags", "certainty"),
    [
        (["--mode", "00|+-"], "computed"),
        (["--mode", "00|+-", "--exact"], "proved"),
        (["--mode", "00|+-", "--exact", "--wrench", "0,1,30"], "computed"),
        (["--nonlinear"], "computed"),
    ],
)
def test_one_mode_and_round_modes_have_a_scope(fingers, flags, certainty, capsys):
    assert main(["modes", fingers, *flags, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["scope"]["certainty"] == certainty
    assert main(["modes", fingers, *flags]) == 0
    printed = capsys.readouterr().out
    assert f"{certainty}: {answer['scope']['covers']}" in printed
    assert "contacts, in the order of signs:" in printed


@pytest.mark.parametrize(
    ("flags", "question"),
    [
        (["--grasp", "0,-2,-60"], "Does the grasp hold this load?"),
        (
            ["--load", "0,-2,-60"],
            "Which contact modes go with the load (0, -2, -60) [N, N mm], weights included?",
        ),
        (["--mode", "00|+-"], "What can mode 00|+- do?"),
        ([], "Which contact modes are possible?"),
    ],
)
def test_a_report_asks_what_was_asked(fingers, flags, question, tmp_path):
    report = tmp_path / "report.html"
    assert main(["modes", fingers, *flags, "-q", "--report", str(report)]) == 0
    assert f"<td>{question}</td>" in report.read_text()
    assert "certainty" in report.read_text()


def test_friction_of_a_sector_is_said_to_be_its_chord(tmp_path, capsys):
    flags = ["modes", "box_in_corner", "--mode", "0000++++|+-+-+-+-........", "--friction", "0.5"]
    assert main([*flags, "--wrench", "0.4,0.4,-1,0,0,0"]) == 0
    assert "chord" in capsys.readouterr().err
    assert main([*flags[:3], "00000000|0000000000000000", *flags[4:], "--wrench", "0.4,0.4,-1,0,0,0"]) == 0
    assert "chord" not in capsys.readouterr().err


def test_a_cube_that_slides_down_a_wedge_does_not_rotate_by_rounding(tmp_path, capsys):
    path = tmp_path / "wedge.toml"
    path.write_text(WEDGE)
    assert main(["modes", str(path)]) == 0
    down = 9.81 * (0.6 - 0.2 * 0.8) / 0.0254
    wanted = f"cube: its centre accelerates by ({0.8 * down:.4g}, 0, {-0.6 * down:.4g}) in/s²"
    printed = capsys.readouterr().out
    assert f"{wanted}, its rotation by (0, 0, 0) rad/s²" in printed
    assert "wedge: no acceleration" in printed


@pytest.mark.parametrize("count", [1, 2])
def test_bounds_over_cones_of_rows_are_said_to_be_too_wide(count, tmp_path, capsys):
    """Two plates pinch with N, friction 1/2: 1 N along needs N = 1. Round cones are bounded from outside."""
    tangents = [[1, 0, 0], [0, 1, 0]][:count]
    rows = f"[rows]\nnormal = [[0, 0, 1], [0, 0, -1]]\ntangent = {[tangents, tangents]}\n"
    path = tmp_path / "rows.toml"
    path.write_text(f'format = "detent/1"\n{rows}held = {[[0, 1, 0]][: 2 - count]}\n')
    mode = f"00|{'0' * 2 * count}"
    flags = ["modes", str(path), "--mode", mode, "--friction", "0.5", "--wrench", "1,0,0", "--json"]
    assert main(flags) == 0
    answer = json.loads(capsys.readouterr().out)
    (least, _), _ = answer["balance"]["normal_range"]
    assert np.cos(np.pi / 64) - 1e-9 < least < 1 + 1e-9
    assumed = " ".join(answer["scope"]["assumed"])
    assert ("may be too wide" in assumed) == ("right angles" in assumed) == (count == 2)
    assert (least < 1 - 1e-9) == (count == 2)
