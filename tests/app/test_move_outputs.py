"""What `detent move` writes beside its answer: the table, the chart, the film, the report."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.app import main
from detent.draw.chart import motion as chart
from detent.draw.film import film
from detent.library import linkages

TWO_DRIVES = {
    "units": "in",
    "parts": {
        "ground": {"fixed": True, "markers": {"S": {"at": [0, 3], "along": [1, 0]}}},
        "car": {"markers": {"S": {"at": [1, 3], "along": [1, 0]}, "H": [1, 3]}},
        "arm": {"markers": {"H": [1, 3], "T": [4, 3]}},
    },
    "joints": {
        "S": {"type": "prismatic", "between": ["ground.S", "car.S"]},
        "H": {"type": "revolute", "between": ["car.H", "arm.H"]},
    },
    "drives": {
        "run": {"joint": "S", "from": 1, "to": 5, "steps": 8},
        "swing": {"joint": "H", "from_deg": 0, "to_deg": 90, "steps": 8},
    },
}


def table(path: Path) -> dict[str, list[float]]:
    with path.open() as file:
        rows = list(csv.DictReader(file))
    return {name: [float(row[name]) for row in rows] for name in rows[0]}


def test_the_table_s_velocities_are_the_slopes_of_its_places(tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    argv = ["move", "four_bar", "--drive", "A", "--to", "60", "--steps", "600", "--csv", str(out), "--quiet"]
    assert main(argv) == 0
    columns = table(out)
    step = np.radians(60 / 600)
    for axis in "xy":
        place = np.array(columns[f"II.C.{axis}"])
        speed = np.array(columns[f"II.C.v{axis}"])
        bend = np.array(columns[f"II.C.a{axis}"])
        slope = (place[2:] - place[:-2]) / (2 * step)
        curving = (place[2:] - 2 * place[1:-1] + place[:-2]) / step**2
        assert np.abs(slope - speed[1:-1]).max() < 10 * step**2
        assert np.abs(curving - bend[1:-1]).max() < 50 * step**2


def test_the_drive_s_torque_does_the_work_of_the_load(tmp_path: Path) -> None:
    out = tmp_path / "t.csv"
    argv = ["move", "four_bar", "--drive", "A", "--to", "60", "--steps", "60", "--load", "II.C=10,0"]
    assert main([*argv, "--csv", str(out), "--quiet"]) == 0
    columns = table(out)
    # A load of 10 N along x: the drive gives what the load takes, at every position.
    absorbed = -10 * np.array(columns["II.C.vx"])
    delivered = np.array(columns["force drive A torque on I"])
    assert np.abs(delivered - absorbed).max() < 1e-9


@pytest.mark.parametrize("more", [[], ["--load", "coupler.C=1,2"]])
def test_a_drive_whose_first_position_is_out_of_reach_has_a_table_without_rows(
    more: list[str], tmp_path: Path
) -> None:
    double_rocker = linkages.four_bar(4, 3, 3.5, 3, drive={"from_deg": 150, "to_deg": 170, "steps": 4})
    detent.save(double_rocker, tmp_path / "far.toml")
    out = tmp_path / "t.csv"
    assert main(["move", str(tmp_path / "far.toml"), "--csv", str(out), "--quiet", *more]) == 0
    header, *rows = out.read_text().splitlines()
    assert header.split(",")[0].endswith(" [rad]")
    assert rows == []
    motion = detent.move(double_rocker)
    assert motion.certified == motion.run.trajectory.certified == ""
    assert (
        motion.run.trajectory.stop.time == pytest.approx(motion.stopped_at) == pytest.approx(np.radians(150))
    )


def test_a_first_position_out_of_reach_does_not_speak_of_the_others():
    """The drawing, at 0°, is one of the drive's positions."""
    data = linkages.four_bar(4, 3, 3.5, 3, drive={"from_deg": 150, "to_deg": 0, "steps": 15}).to_dict()
    motion = detent.move(detent.from_dict(data))
    assert len(motion.inputs) == 0
    assert motion.range["from"] <= 0 <= motion.range["to"]
    assert "  moved      nowhere: the first position of crank cannot be reached\n" in motion.words
    assert (
        motion.scope.words == "computed: the first position cannot be reached; those after it are not tried"
    )
    assert "no position" not in motion.words


@pytest.mark.parametrize("flag", ["--chart", "--film"])
def test_a_picture_of_a_drive_out_of_reach_is_refused_with_what_move_says(flag, tmp_path, capsys):
    double_rocker = linkages.four_bar(4, 3, 3.5, 3, drive={"from_deg": 150, "to_deg": 170, "steps": 4})
    detent.save(double_rocker, tmp_path / "far.toml")
    out = tmp_path / ("f.gif" if flag == "--film" else "c.svg")
    assert main(["move", str(tmp_path / "far.toml"), flag, str(out)]) == 3
    assert (
        f"{flag}: the first position of crank cannot be reached, so nothing moves" in capsys.readouterr().err
    )
    assert not out.exists()


def test_a_film_of_several_drives_names_their_coordinates_and_counts_positions_of_the_document():
    """Filled-in frames lie between the positions that `move` counts, and end at the last of them."""
    two = detent.from_dict(TWO_DRIVES)
    run = detent.move(two).run
    fine = run.finer(72)
    assert len(fine.times) == 73
    assert fine.times[-1] == run.trajectory.times[-1] == 8
    assert np.allclose(fine.coordinates["S"], np.interp(fine.times, np.arange(9), np.linspace(1, 5, 9)))
    shown = film(two, fine)
    assert shown.words(0) == "S = 1.000 in, H = 0.0°"
    assert shown.words(72) == "S = 5.000 in, H = 90.0°"


def test_limits_in_a_report_are_in_degrees(tmp_path):
    """Where coupler and rocker lie in line, by the cosine rule; the crank is drawn at 40°."""
    machine = linkages.four_bar(4, 3, 1.6, 2, drive={"from_deg": 0, "to_deg": 170, "steps": 4})
    detent.save(machine, tmp_path / "m.toml")
    assert main(["move", str(tmp_path / "m.toml"), "-q", "--report", str(tmp_path / "r.html")]) == 0
    limits = (tmp_path / "r.html").read_text().split("<h2>Limits</h2>")[1]
    end = math.degrees(math.acos((4**2 + 3**2 - (1.6 + 2) ** 2) / (2 * 4 * 3))) - 40
    assert f"{end:.9g}" in limits
    assert "rad" not in limits.split("<h2>")[0]


@pytest.mark.parametrize("example", ["four_bar", "slider_crank", "five_bar", "chain"])
def test_chart_and_report_are_written(example: str, tmp_path: Path) -> None:
    chart, report = tmp_path / "c.svg", tmp_path / "r.html"
    assert main(["move", example, "--chart", str(chart), "--report", str(report), "--quiet"]) == 0
    assert "speed" in chart.read_text()
    assert "<h2>Charts</h2>" in report.read_text()


def test_a_film_shows_the_motion(tmp_path: Path) -> None:
    film = tmp_path / "f.gif"
    assert main(["move", "four_bar", "--film", str(film), "--quiet"]) == 0
    assert film.read_bytes().startswith(b"GIF8")


def test_a_chart_of_a_marker_that_is_not_there_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", "four_bar", "--of", "II.Q", "--chart", str(tmp_path / "chart.svg")]) == 2
    assert "there is no marker 'II.Q'" in capsys.readouterr().err


def test_each_of_several_drives_is_told_in_its_own_unit():
    """A crank and a slide: a torque and a force; the limit says whose coordinate it is of."""
    import detent
    from detent.draw.words import words
    from detent.motion import move

    whole = (
        detent.Builder(format="detent/1", units="mm")
        .part("ground", fixed=True, markers={"A": [0, 0], "s": {"at": [4, 0], "turn_deg": 90}})
        .part("crank", markers={"A": [0, 0], "B": [-0.3, 0.9]})
        .part("one", markers={"B": [-0.3, 0.9], "C": [2.1, 2.7]})
        .part("two", markers={"C": [2.1, 2.7], "E": [4, 0.5]})
        .part("car", markers={"E": {"at": [4, 0.5], "turn_deg": 90}})
        .joint("A", "revolute", "ground.A", "crank.A")
        .joint("B", "revolute", "crank.B", "one.B")
        .joint("C", "revolute", "one.C", "two.C")
        .joint("E", "revolute", "two.E", "car.E")
        .joint("S", "prismatic", "ground.s", "car.E")
        .drive("turn", joint="A", from_deg=0, to_deg=90, steps=4)
        .drive("push", joint="S", **{"from": 0.5, "to": 3.5}, steps=4)
        .build()
    )
    text = words(move(whole, loads={"one.C": (0.0, -10.0)}), whole)
    assert "° of turn (" in text
    assert all("unbounded at" in line for line in text.splitlines() if line.startswith("  drive "))
    half = whole.with_("drives.turn.to_deg", 20).with_("drives.push.to", 1)
    text = words(move(half, loads={"one.C": (0.0, -10.0)}), half)
    torque, force = (line for line in text.splitlines() if line.startswith("  drive "))
    assert torque.endswith(" N m")
    assert force.endswith(" N")


def _asked(capsys, *flags):
    code = main(["move", *map(str, flags), "--json"])
    return code, json.loads(capsys.readouterr().out)


def test_a_range_alone_is_of_the_documents_one_drive(capsys):
    """The drive with other steps, or another end; elsewhere as it was written."""
    _, written = _asked(capsys, "four_bar")
    _, fewer = _asked(capsys, "four_bar", "--steps", 5)
    assert len(fewer["inputs"]) == 6
    assert fewer["inputs"][-1] == pytest.approx(written["inputs"][-1], abs=1e-12)
    _, shorter = _asked(capsys, "four_bar", "--to", 90)
    assert shorter["inputs"][0] == written["inputs"][0]
    assert shorter["inputs"][-1] == pytest.approx(math.pi / 2, abs=1e-12)


@pytest.mark.parametrize(
    ("asked", "at", "remedy"),
    [
        (["five_bar", "--steps", 5], "--steps", "--drive JOINT: A, B"),
        (["five_bar", "--to", 5], "--to", "--drive JOINT"),
        (["four_bar", "--steps", 0], "--steps", "at least 1"),
        (["slider_crank", "--drive", "slide", "--from", 0], "--to", "add it"),
    ],
)
def test_a_range_without_its_joint_names_the_flag_that_was_given(capsys, asked, at, remedy):
    code, answer = _asked(capsys, *asked)
    (problem,) = answer["problems"]
    assert (code, problem["at"]) == (2, at)
    assert remedy in problem["remedy"]


def test_a_drive_that_goes_nowhere_is_one_position(capsys):
    assert main(["move", "four_bar", "--drive", "A", "--from", "20", "--to", "20"]) == 0
    said = capsys.readouterr().out
    assert "1 position of A, at 20°" in said
    assert "first and last position are the same" in said


def pump(drives: dict[str, object]) -> dict[str, object]:
    """An offset slider-crank in inches."""
    return {
        "format": "detent/1",
        "units": "in",
        "parts": {
            "base": {"fixed": True, "markers": {"O": [0, 0], "G": {"at": [2, -1], "turn_deg": 20}}},
            "crank": {"markers": {"O": [0, 0], "B": [0, 2]}},
            "rod": {"markers": {"B": [0, 2], "W": [6, 0.455881]}},
            "ram": {"markers": {"W": [6, 0.455881], "Q": {"at": [6, 0.455881], "turn_deg": 20}}},
        },
        "joints": {
            "O": {"type": "revolute", "between": ["base.O", "crank.O"]},
            "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
            "W": {"type": "revolute", "between": ["rod.W", "ram.W"]},
            "S": {"type": "prismatic", "between": ["base.G", "ram.Q"]},
        },
        "drives": drives,
    }


@pytest.mark.parametrize(
    ("force", "motion", "said"),
    [
        ({"joint": "S", "torque": 12}, {"joint": "O", "from_deg": 0, "to_deg": 400}, "0° to 400°"),
        ({"joint": "O", "torque": 3}, {"joint": "S", "from": 3.5, "to": 5.5}, "3.5 in to 5.5 in"),
    ],
)
def test_a_coordinate_is_told_in_the_unit_of_what_is_moved_whatever_comes_first(
    force, motion, said, tmp_path, capsys
):
    file = tmp_path / "pump.json"
    for drives in ({"force": force, "motion": motion}, {"motion": motion, "force": force}):
        file.write_text(json.dumps(pump(drives)))
        assert main(["move", str(file)]) == 0
        assert f"positions of motion, {said}" in capsys.readouterr().out


def test_rates_of_several_drives_without_a_speed_are_by_their_whole_course(tmp_path):
    """Each crank's pin goes radius times what its drive goes from first to last."""
    arms = {
        "format": "detent/1",
        "units": "mm",
        "parts": {
            "frame": {"fixed": True, "markers": {"A": [0, 0], "E": [60, 0]}},
            "left": {"markers": {"A": [0, 0], "B": [-20, 40]}},
            "right": {"markers": {"E": [60, 0], "D": [80, 45]}},
            "rod": {"markers": {"B": [-20, 40], "C": [25, 80]}},
            "bar": {"markers": {"D": [80, 45], "C": [25, 80]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["frame.A", "left.A"]},
            "B": {"type": "revolute", "between": ["left.B", "rod.B"]},
            "C": {"type": "revolute", "between": ["rod.C", "bar.C"]},
            "D": {"type": "revolute", "between": ["bar.D", "right.D"]},
            "E": {"type": "revolute", "between": ["frame.E", "right.E"]},
        },
        "drives": {
            "one": {"joint": "A", "from_deg": 0, "to_deg": 60, "steps": 6},
            "two": {"joint": "E", "from_deg": 0, "to_deg": -90, "steps": 6},
        },
    }
    file, out, chart = tmp_path / "arms.json", tmp_path / "t.csv", tmp_path / "c.svg"
    file.write_text(json.dumps(arms))
    assert main(["move", str(file), "--csv", str(out), "--chart", str(chart), "--quiet"]) == 0
    with out.open() as text:
        first = next(csv.DictReader(text))
    speed = math.hypot(*(float(first[f"left.B.v{axis} [mm/course]"]) for axis in "xy"))
    assert speed == pytest.approx(math.hypot(20, 40) * math.radians(60))
    assert "mm/course" in chart.read_text()
    assert "mm/rad" not in chart.read_text()


def test_a_document_without_named_units_has_no_seconds(tmp_path: Path) -> None:
    timed = detent.from_dict(TWO_DRIVES).with_("drives.run.speed", 1)
    for units, name, axis in (("in", "time [s]", "speed [in/s]"), ("1", "time", "speed [unit/time]")):
        motion = detent.move(timed.with_("units", units))
        assert motion.columns()[name] == pytest.approx(motion.times)
        chart = tmp_path / f"{units}.svg"
        detent.save(timed.with_("units", units), tmp_path / "m.toml")
        assert main(["move", str(tmp_path / "m.toml"), "-q", "--chart", str(chart)]) == 0
        labels = chart.read_text()
        assert f'aria-label="{name}"' in labels
        assert f'aria-label="{axis}"' in labels


def test_jolts_of_parts_with_mass_are_left_out_by_name() -> None:
    machine = detent.from_dict(TWO_DRIVES).with_("parts.arm.mass", 2).with_("parts.arm.center", [3, 3])
    machine = machine.with_("parts.arm.inertia", 1)
    jolts = "jolts where a drive starts, stops or changes its speed"
    assert jolts not in detent.move(machine).words
    timed = machine.with_("drives.run.speed", 1)
    assert jolts in detent.move(timed).scope.left_out


def test_the_chart_of_a_driven_marker_has_its_force_by_length(monkeypatch):
    """A bar of 2 kg with its centre at half its length, hauled at its end: half its weight at rest."""
    bar = {
        "format": "detent/1",
        "gravity": [0, -9.81],
        "parts": {
            "ground": {"fixed": True, "markers": {"S": {"at": [0, 0], "along": [1, 0]}}},
            "block": {"markers": {"S": {"at": [0, 0], "along": [1, 0]}, "P": [0, 0]}},
            "bar": {"markers": {"P": [0, 0], "T": [2, 0]}, "mass": 2, "center": [1, 0], "inertia": 1},
        },
        "joints": {
            "S": {"type": "prismatic", "between": ["ground.S", "block.S"]},
            "P": {"type": "revolute", "between": ["block.P", "bar.P"]},
        },
        "drives": {"haul": {"marker": "bar.T", "path": [[2, 0], [2.5, 0], [3, 0]]}},
    }
    drawn = []
    monkeypatch.setattr(chart, "plot_scene", lambda panels, *_, **__: drawn.extend(panels))
    mechanism = detent.from_dict(bar)
    chart.chart_of_motion(mechanism, detent.move(mechanism))
    (panel,) = [panel for panel in drawn if panel.y.name == "drive"]
    (series,) = panel.series
    assert (panel.y.unit, series.name) == ("N", "haul, length")
    assert series.y == pytest.approx([9.81] * 3)
