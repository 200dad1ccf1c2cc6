"""A report opens with the answer as a table: all that its words say, what it rests on, what it leaves out."""

import html
import re

import pytest

import detent
from detent.app import main
from detent.draw.paper import ReportSummary, Section, render
from detent.draw.words import labelled, table_lines
from detent.record import Scope

ASKED = [
    ("explain", "four_bar"),
    ("move", "slider_crank"),
    ("mate", "snap_t"),
    ("modes", "planar_grasp"),
    ("outlook", "time_bomb"),
]


def rows_of(page):
    found = re.search(r'<table class="answer">(.*?)</table>', page, flags=re.S)
    cells = re.findall(r"<tr><th>(.*?)</th><td>(.*?)</td></tr>", found[1], flags=re.S)
    return {label: [html.unescape(line) for line in value.split("<br>")] for label, value in cells}


@pytest.mark.parametrize(("verb", "name"), ASKED)
def test_every_labelled_line_of_an_answer_is_a_row_of_its_report(verb, name, tmp_path, capsys):
    page = tmp_path / "r.html"
    assert main([verb, name, "--report", str(page)]) == 0
    rows = rows_of(page.read_text())
    assert rows["question"][0].endswith("?")
    said = capsys.readouterr().out
    for label, value in re.findall(r"^  ([a-z]+(?: [a-z]+)*) +(?<=^.{13})(\S.*)$", said, flags=re.M):
        if label not in ("certainty", "peak force"):
            several = [", ".join(rows[label]), "; ".join(rows[label])]  # a line each in the report
            assert value in [*rows[label], *several]
    assert html.escape(said.strip()) in page.read_text()  # nothing is lost


def test_the_force_of_a_drive_of_any_name_is_a_row_of_its_report(tmp_path):
    """Arms of 1 m that hold 2, 3 and 5 kg out level: each drive gives what is beyond it, by g."""
    names = ("x", "motor", "Lift-2_b")
    parts = {"ground": {"fixed": True, "markers": {"J0": [0, 0]}}}
    for k, mass in enumerate((2, 3, 5)):
        markers = {f"J{k}": [k, 0], f"J{k + 1}": [k + 1, 0]}
        parts[f"arm{k}"] = {"markers": markers, "mass": mass, "center": [k + 1, 0], "inertia": 0}
    ends = ["ground", "arm0", "arm1", "arm2"]
    joints = {
        f"J{k}": {"type": "revolute", "between": [f"{ends[k]}.J{k}", f"{ends[k + 1]}.J{k}"]} for k in range(3)
    }
    drives = {name: {"joint": f"J{k}", "inputs": [0, 0]} for k, name in enumerate(names)}
    machine = {"gravity": [0, -10], "parts": parts, "joints": joints, "drives": drives}
    detent.save(detent.from_dict(machine), tmp_path / "arms.toml")
    assert main(["move", str(tmp_path / "arms.toml"), "-q", "--report", str(tmp_path / "r.html")]) == 0
    page = (tmp_path / "r.html").read_text()
    rows = rows_of(page)
    for name, torque in zip(names, (2 * 10 + 3 * 20 + 5 * 30, 3 * 10 + 5 * 20, 5 * 10), strict=True):
        assert rows[f"drive {name}"] == [f"{torque} N m throughout"]
    table = re.search(r'<table class="answer">(.*?)</table>', page, flags=re.S)[1]
    labels = re.findall(r"<th>(.*?)</th>", table)
    assert len(labels) == len(set(labels))  # nothing is told twice


def test_a_report_asks_what_holds_only_what_is_in(tmp_path):
    """As the words do: a push that ends on the way in holds nothing."""
    snap = detent.load("snap_holds")
    for travel, told in ((200, True), (35, False)):
        path, page = tmp_path / "s.toml", tmp_path / "r.html"
        legs = [{"velocity": [0, -1], "for": travel}, {"back": True}]
        detent.save(snap.with_("drives.push.legs", legs), path)
        assert main(["mate", str(path), "-q", "--report", str(page)]) == 0
        assert ("<h2>Does it hold?</h2>" in page.read_text()) == told
        assert ("holds" in rows_of(page.read_text())) == told


@pytest.mark.parametrize("verb", ["move", "explain"])
def test_that_a_document_has_no_title_is_not_an_answer(verb, tmp_path):
    path, page = tmp_path / "mine.toml", tmp_path / "r.html"
    detent.save(detent.load("four_bar").with_("title", ""), path)
    assert main([verb, str(path), "-q", "--report", str(page)]) == 0
    assert "answer" not in rows_of(page.read_text())


def test_the_scope_of_an_answer_is_in_its_table():
    scope = Scope(certainty="sampled", covers="37 positions", left_out=("gravity",), assumed=("rigid parts",))
    assumptions = Section("Assumptions", rows=[("dry friction",)], head=("taken as given",))
    page = render("T", ReportSummary("Q?", [("certainty", "sure")], "T", scope, ["a note"]), [assumptions])
    rows = rows_of(page)
    assert rows["certainty"] == ["sampled: 37 positions"]
    assert rows["assumed"] == ["rigid parts", "dry friction"]
    assert rows["left out"] == ["gravity"]
    assert rows["notes"] == ["a note"]
    assert page.count("dry friction") == 1


def test_what_is_not_said_is_no_row():
    assert set(rows_of(render("T", ReportSummary("Q?", [], "T"), []))) == {"question"}


def test_labelled_lines_are_read_and_tables_are_not():
    head = "T: 3 modes\n  moved      a\n             b\n  00+|++.   2  slides\n  name  x    y\n"
    text = head + "leg 1\n  force      c"
    assert labelled(text, "T") == [("answer", "3 modes"), ("moved", "a\nb")]


def test_a_printed_table_is_aligned_under_its_header():
    lines = table_lines(("name", "with", "type"), [("A", "", "pin"), ("long_one", "", "slide")])
    assert lines == ["    name      type", "    A         pin", "    long_one  slide"]
