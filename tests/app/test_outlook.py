"""`detent outlook`: its words, its JSON, its keys."""

from __future__ import annotations

import csv
import html
import json
import re
from pathlib import Path

import pytest

import detent
from detent.app import main, verb_for
from detent.io import native

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_the_words_say_what_repeats_and_until_when(capsys):
    assert main(["outlook", "time_bomb"]) == 0
    words = capsys.readouterr().out
    assert "it ends: frame and ewheel meet in pattern 8" in words
    assert "change per pattern" in words
    assert "frame/6.a0:ewheel/11.a0" in words
    assert "certainty  sampled" in words


def test_json_has_the_keys_of_the_contract(capsys):
    assert main(["outlook", "ratchet", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["verdict"] == "at_rest"
    assert set(answer["state"]) == {"wheel", "pawl"}
    assert {"pattern", "drift", "superimposed", "valid_until", "since", "evidence", "refused"} <= set(answer)


def test_keys_of_the_document_are_flags_and_parameters(capsys):
    mechanism = detent.load("escapement").with_("ask.outlook.search", {"ignore": 6, "confirm": 3})
    mechanism = mechanism.with_("ask.outlook.at", [100.0])
    answer = detent.outlook(mechanism, patterns=12)
    assert answer.pattern.bound == 6 + 2 * 4
    assert answer.pattern.confirmed == 3
    assert [moment.time for moment in answer.moments] == [pytest.approx(100.0)]


def test_a_wrong_parameter_is_named():
    with pytest.raises(detent.ModelError, match="state"):
        detent.load("escapement").with_("ask.outlook.search", {"state": -1})


@pytest.mark.parametrize("key", ["energy", "time", "state"])
def test_a_share_is_at_most_one(key):
    detent.load("escapement").with_("ask.outlook.search", {key: 1})
    with pytest.raises(detent.ModelError, match=f"{key}.*at most one"):
        detent.load("escapement").with_("ask.outlook.search", {key: 1.01})


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["minima=1", "minima=2"], "minima is given twice"),
        (["ewheel=1", "ewheel=1"], "ewheel is given twice"),
        (["duration=-1"], "duration must be above zero, found -1"),
        (["patterns=0"], "patterns must be above zero, found 0"),
    ],
)
def test_what_cannot_be_expected_is_named(given, said, capsys):
    flags = [word for each in given for word in ("--expect", each)]
    assert main(["outlook", "time_bomb", *flags]) == 2
    assert said in capsys.readouterr().err


def test_a_change_is_expected_of_a_joint_also_where_no_pattern_lasts(capsys):
    assert main(["outlook", "worn_tooth", "--expect", "ewhel=1"]) == 2
    assert "is not a joint" in capsys.readouterr().err


def test_a_horizon_of_any_size_is_one_and_below_zero_none():
    wheel = detent.load("crank_engine").with_("ask.run", None)
    assert detent.outlook(wheel, until=1e300).verdict == "repeats"
    with pytest.raises(detent.ModelError, match="is not a horizon"):
        detent.outlook("time_bomb", until=-1.0)


def test_no_patterns_are_no_number(capsys):
    assert main(["outlook", "time_bomb", "--patterns", "0"]) == 2
    assert "--patterns" in capsys.readouterr().err


def test_a_document_that_asks_for_its_outlook_alone_is_asked_that():
    mechanism = detent.load("time_bomb").with_("ask.run", None)
    assert verb_for(mechanism) == "outlook"


def test_all_machines_of_gelseys_paper_that_run_ask_for_their_outlook():
    machines = [native.load(path) for path in sorted(EXAMPLES.glob("*.toml"))]
    run = [each for each in machines if "Gelsey" in each.title and each.ask is not None and each.ask.run]
    assert len(run) >= 6
    assert [each.title for each in run if each.ask.outlook is None] == []


def test_plot_csv_and_report_are_written_as_by_other_verbs(tmp_path, capsys):
    files = [tmp_path / name for name in ("a.svg", "a.csv", "a.html")]
    flags = ["--plot", str(files[0]), "--csv", str(files[1]), "--report", str(files[2])]
    assert main(["outlook", "chiming_clock", "--json", "--at", "300", *flags]) == 0
    answer = json.loads(capsys.readouterr().out)
    plot, table, report = (path.read_text() for path in files)
    assert "clapper every 120" in plot
    rows = list(csv.DictReader(table.splitlines()))
    measured = [row for row in rows if row["row"] == "pattern"]
    assert [float(row["bwheel least [rad]"]) for row in measured] == [
        row[4] for row in answer["drift"]["rows"]
    ]
    (moment,) = [row for row in rows if row["row"] == "moment"]
    assert float(moment["ewheel [rad]"]) == answer["moments"][0]["state"]["ewheel"]
    # Tables, not lines of the console: every measured pattern, contact and refusal is a row.
    cells = set(re.findall(r"<td>(.*?)</td>", report))
    assert {f"{row[1]:.6g}" for row in answer["drift"]["rows"]} <= cells
    assert {html.escape(touch["contact"]) for touch in answer["pattern"]["contacts"]} <= cells
    assert {html.escape(each["why"]) for each in answer["refused"]} <= cells
    for assumed in answer["scope"]["assumed"]:
        assert html.escape(assumed) in report


def test_what_has_no_picture_or_table_says_so(tmp_path, capsys):
    assert main(["outlook", "ratchet", "--plot", str(tmp_path / "a.png")]) == 3
    assert "no pattern" in capsys.readouterr().err
    assert main(["outlook", "ratchet", "--csv", "-", "-q"]) == 0
    assert capsys.readouterr().out.splitlines()[1].startswith("rest,")
