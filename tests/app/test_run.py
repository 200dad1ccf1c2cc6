"""`detent run` on the command line: a weight falls onto a post, a wheel slows down, both in closed form."""

from __future__ import annotations

import csv
import json
import math
import re
from pathlib import Path
from typing import Any

import pytest

import detent
from detent.app import main, verb_for

FALLING = Path(__file__).with_name("falling.toml")
G, HEIGHT, MASS = 9.81, 0.5, 2.0
LANDS = math.sqrt(2 * HEIGHT / G)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Any:
    def ask(*argv: object) -> tuple[int, str, str]:
        code = main(["run", *map(str, argv)])
        out, err = capsys.readouterr()
        return code, out, err

    return ask


@pytest.fixture
def changed(tmp_path: Path) -> Any:
    def write(path: str, value: object) -> Path:
        data = detent.load(FALLING).to_dict()
        *tables, key = path.split(".")
        table = data
        for name in tables:
            table = table.setdefault(name, {})
        if value is None:
            del table[key]
        else:
            table[key] = value
        file = tmp_path / "changed.toml"
        detent.save(detent.from_dict(data), file)
        return file

    return write


def test_words_say_what_happened_and_how_sure_it_is(told):
    code, out, _ = told(FALLING)
    assert code == 0
    assert "ran        1 s by the rigid model" in out
    assert "stop       done" in out
    assert f"{LANDS:.6g}  impact  frame:weight" in out
    assert f"{MASS * G * HEIGHT:.6g} J lost in impacts" in out
    assert "computed" in out
    assert "friction in joints" in out


def test_json_has_the_keys_that_the_model_page_promises_and_the_closed_forms(told):
    code, out, _ = told(FALLING, "--json")
    answer = json.loads(out)
    page = (Path(__file__).parents[2] / "docs" / "model.md").read_text()
    row = next(line for line in page.splitlines() if line.startswith("| `detent run FILE`"))
    assert code == 0
    assert [key for key in answer if f"`{key}" not in row] == []
    assert len(answer["times"]) == 601
    slide, hub = answer["states"]["slide"], answer["states"]["hub"]
    for t, height, turned in zip(answer["times"], slide, hub, strict=True):
        assert height == pytest.approx(-min(HEIGHT, G * t * t / 2), abs=1e-9)
        assert turned == pytest.approx(2 * (1 - math.exp(-2 * t)), abs=1e-5)
    (impact,) = [event for event in answer["events"] if event["kind"] == "impact"]
    assert impact["time"] == pytest.approx(LANDS, rel=1e-9)
    assert impact["impulse"] == pytest.approx(MASS * G * LANDS, rel=1e-9)
    (total,) = answer["contacts"]
    assert total["count"] == 1
    assert total["peak_force"] == pytest.approx(MASS * G, rel=1e-9)
    assert answer["scope"]["left_out"]


def test_energy_balances_at_every_row(told):
    energy = json.loads(told(FALLING, "--json")[1])["energy"]
    for stored, put_in, dissipated, impact in zip(
        *(energy[name] for name in ("stored", "input", "dissipated", "impact")), strict=True
    ):
        assert stored + dissipated + impact - put_in == pytest.approx(energy["stored"][0], abs=1e-4)


def test_the_table_has_units_and_rows_every_so_many_seconds(told, tmp_path):
    path = tmp_path / "run.csv"
    assert told(FALLING, "--every", "0.25", "--csv", path)[0] == 0
    rows = list(csv.reader(path.read_text().splitlines()))
    assert rows[0][:5] == ["time [s]", "slide [m]", "hub [rad]", "slide.speed [m/s]", "hub.speed [rad/s]"]
    assert any(name.startswith("force ") and name.endswith(" [N]") for name in rows[0])
    assert "energy dissipated [J]" in rows[0]
    assert [float(row[0]) for row in rows[1:]] == [0, 0.25, 0.5, 0.75, 1]


@pytest.mark.parametrize("units", ["m", "mm", "1"])
def test_every_number_in_the_tables_of_a_report_has_its_unit(told, changed, tmp_path, units):
    page, unit = tmp_path / "run.html", "" if units == "1" else f" {units}"
    scale = 1000 if units == "mm" else 1
    assert told(changed("units", units), "--report", page, "-q")[0] == 0
    text = page.read_text()
    cells = re.findall(r"<td>([^<]*)</td>", text[text.index("Events") :])
    second, blow, force = ("", "", "") if units == "1" else (" s", " N s", " N")
    lands = math.sqrt(2 * HEIGHT / scale / G)
    assert f"{lands:.9g}{second}" in cells
    assert f"{MASS * G * lands:.6g}{blow}" in cells
    assert f"{MASS * G:.6g}{force}" in cells
    assert f"0{unit}" in cells  # how far it slid under load
    assert "forces at 6 places of steps" in text


def test_pictures_are_written_where_asked(told, tmp_path):
    files = {flag: tmp_path / f"run{end}" for flag, end in PICTURES.items()}
    flags = [word for pair in files.items() for word in pair]
    assert told(FALLING, "--until", "0.4", "--at", "0.2", "--forces", *flags)[0] == 0
    assert all(path.stat().st_size > 1000 for path in files.values())


PICTURES = {
    "--plot": ".svg", "--strip": "_strip.png", "--film": ".gif", "--report": ".html", "--phase": "_phase.svg",
    "--free-body": "_forces.png",
}  # fmt: skip


def test_the_penalty_method_comes_to_the_same_place(told):
    code, out, _ = told(FALLING, "--method", "penalty", "--json")
    answer = json.loads(out)
    assert code == 0
    assert answer["method"].startswith("penalty")
    assert answer["states"]["slide"][-1] == pytest.approx(-HEIGHT, abs=2e-3)
    assert "by the penalty model" in told(FALLING, "--method", "penalty")[1]


def test_both_models_are_laid_side_by_side(told, changed, tmp_path):
    """By a damping of its own the weight stays down; given less, it bounces, but not as high as 2 %."""
    assert "touches    the only one in the same order of pairs" in told(FALLING, "--method", "both")[1]
    bouncing = changed("ask.run.penalty", {"stiffness": 5e5, "damping": 3e6})
    code, out, _ = told(bouncing, "--method", "both")
    assert code == 0
    assert "touches    the first in the same order of pairs; then rigid none, penalty frame:weight" in out
    assert "never apart by more than 2 % of their ranges" in out
    table = tmp_path / "both.csv"
    assert told(bouncing, "--method", "both", "--csv", table, "--plot", tmp_path / "both.svg")[0] == 0
    rows = list(csv.reader(table.read_text().splitlines()))
    at = [rows[0].index(f"{model} slide [m]") for model in ("rigid", "penalty")]
    assert all(float(row[at[0]]) == pytest.approx(float(row[at[1]]), abs=2e-3) for row in rows[1:])
    answer = json.loads(told(bouncing, "--method", "both", "--json")[1])
    assert answer["alike"] == 1
    assert answer["touch_apart"][0] is None
    assert LANDS < answer["touch_apart"][1]["time"] < 1
    assert answer["penalty"]["method"].startswith("penalty")


def test_how_long_is_asked_of_the_document_or_of_the_flag(told, changed):
    file = changed("ask.run.until", None)
    code, _, err = told(file)
    assert code == 2
    assert "ask.run.until: is missing" in err
    assert "give --until" in err
    assert "ran        0.1 s" in told(file, "--until", "0.1")[1]


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("--of", "hub"), "add --plot FILE"),
        (("--free-body", "a.png"), "add --at T"),
        (("--part", "wheel"), "add --free-body FILE"),
        (("--free-body", "a.png", "--at", "0.1", "--part", "whel"), "did you mean 'wheel'"),
        (("--forces",), "add --film FILE or --strip FILE"),
        (("--at", "99"), "is not a time of the run"),
        (("--at", "0.1", "--method", "both"), "asks for one model"),
        (("--of", "hib", "--plot", "-"), "did you mean 'hub'"),
        (("--every", "0"), "does not give rows"),
        (("--every", "1e-9"), "does not give rows"),
        (("--until", "-1"), "until"),
        (("--until", "nan"), "until"),
        (("--until", "1e308"), "longer than a run"),
        (("--accuracy", "2"), "is not an accuracy"),
        (("--strip", "strip.txt"), "--strip"),
    ],
)
def test_flags_that_mean_nothing_are_refused_with_a_remedy(told, argv, said):
    code, _, err = told(FALLING, *argv)
    assert code == 2
    assert said in err


def test_a_name_that_cannot_be_written_is_refused_before_anything_is(told, tmp_path):
    film = tmp_path / "film.gif"
    code, _, err = told(FALLING, "--film", str(film), "--strip", str(tmp_path / "strip.txt"))
    assert (code, "--strip" in err, film.exists()) == (2, True, False)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        ("drives", {"push": {"joint": "hub", "from": 0, "to": 1}}, ("drives.push", "add `speed`")),
        (
            "drives",
            {"push": {"marker": "wheel.hub", "path": [[0, 0], [1, 0]]}},
            ("drives.push", "add `speed`"),
        ),
    ],
)
def test_what_a_run_cannot_do_is_refused_by_name(told, changed, path, value, said):
    code, _, err = told(changed(path, value))
    assert code == 3
    assert all(words in err for words in said)


def test_both_methods_follow_a_torque_and_penalty_stops_at_limits(told, changed):
    file = changed("drives", {"push": {"joint": "hub", "torque": 1}})
    assert told(file)[0] == 0
    assert told(file, "--method", "penalty")[0] == 0
    assert told(changed("joints.slide.limits", {"min": -0.3}), "--method", "penalty")[0] == 0


def test_the_verb_of_a_document_that_asks_for_a_run():
    assert verb_for(detent.load(FALLING)) == "run"
