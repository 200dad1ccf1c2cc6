"""Habits of a command line: many files, `-` for output, -q, --force, the nearest flag, planned verbs."""

import csv
import io
import json
import math
from pathlib import Path

import pytest

from detent.app import PLANNED, VERBS, inputs, main, parser_of
from detent.io import native


def run(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "good.toml").write_text('format = "detent/1"\n[parts.a]\n')
    (tmp_path / "wrong.toml").write_text('format = "detent/1"\n[parts.a]\nfixd = true\n')
    (tmp_path / "empty.toml").write_text('format = "detent/1"\n')
    return tmp_path


@pytest.mark.parametrize(
    ("asked", "code"),
    [(["good.toml", "four_bar"], 0), (["good.toml", "wrong.toml"], 2), (["wrong.toml", "none.toml"], 2)],
)
def test_many_files_are_checked_all_and_the_worst_is_the_exit_code(capsys, files, asked, code):
    got, out, _ = run(capsys, "check", *asked)
    assert got == code
    assert len(out.splitlines()) == len(asked)
    got, out, _ = run(capsys, "check", *asked, "--json")
    data = json.loads(out)
    assert (got, data["ok"], [entry["file"] for entry in data["files"]]) == (code, code == 0, asked)
    for file, entry in zip(asked, data["files"], strict=True):
        alone = json.loads(run(capsys, "check", file, "--json")[1])
        assert entry == {"file": file, **alone}


def test_an_empty_document_is_said_to_be_empty(capsys, files):
    code, out, _ = run(capsys, "check", "empty.toml")
    assert code == 0
    assert "it is empty" in out
    assert "empty" not in run(capsys, "check", "good.toml")[1]


def test_a_table_on_the_standard_output_has_it_for_itself(capsys, files):
    code, out, err = run(capsys, "move", "four_bar", "--csv", "-")
    rows = list(csv.reader(io.StringIO(out)))
    assert code == 0
    assert len({len(row) for row in rows}) == 1
    assert "Four-bar" in err
    run(capsys, "move", "four_bar", "--csv", "four_bar.csv")
    assert (files / "four_bar.csv").read_text() == out
    assert run(capsys, "move", "four_bar", "--csv", "-", "-q") == (0, out, "")
    assert not (files / "-").exists()


@pytest.mark.parametrize("flags", [["--csv", "-", "--json"], ["--csv", "-", "--plot", "-"]])
def test_only_one_thing_goes_to_the_standard_output(capsys, files, flags):
    code, out, err = run(capsys, "move", "four_bar", *flags)
    assert code == 2
    assert "and so does" in out + err


def test_a_picture_goes_to_the_standard_output_as_to_a_file(capsys, files):
    code, out, _ = run(capsys, "draw", "four_bar", "-o", "-")
    assert code == 0
    run(capsys, "draw", "four_bar", "-o", "p.svg")
    assert (files / "p.svg").read_text() == out


def test_quiet_does_not_keep_problems_back(capsys, files):
    assert run(capsys, "check", "good.toml", "-q") == (0, "", "")
    for asked in (("wrong.toml",), ("good.toml", "wrong.toml")):
        code, out, err = run(capsys, "check", *asked, "-q")
        assert (code, err) == (2, "")
        assert out.startswith("wrong.toml:3: parts.a.fixd:")
        assert len(out.splitlines()) == 1  # and nothing of the sound one


def test_quiet_has_a_short_form_and_leaves_json_its_answer(capsys, files):
    assert run(capsys, "check", "good.toml", "-q") == (0, "", "")
    assert json.loads(run(capsys, "check", "good.toml", "-q", "--json")[1])["ok"]


def test_convert_overwrites_only_when_told_to(capsys, files):
    (files / "b.json").write_text("mine")
    code, _, err = run(capsys, "convert", "four_bar", "b.json")
    assert (code, (files / "b.json").read_text()) == (2, "mine")
    assert "--force" in err
    assert run(capsys, "convert", "four_bar", "b.json", "--force")[0] == 0
    assert native.load(files / "b.json") == inputs.load("four_bar")


@pytest.mark.parametrize(("text", "lost"), [("# one\n", 1), ("", 0), ('title = "# none"\n', 0)])
def test_convert_says_that_comments_are_lost(capsys, files, text, lost):
    (files / "c.toml").write_text('format = "detent/1"\n' + text)
    _, _, err = run(capsys, "convert", "c.toml", "c.json")
    assert ("comment" in err) == bool(lost)
    assert json.loads(run(capsys, "convert", "c.toml", "d.json", "--json")[1])["comments_lost"] == lost


@pytest.mark.parametrize(
    ("units", "header", "warns"),
    [
        ("in", "inches", True),
        ("mm", "millimetres", False),
        ("m", "metres", True),
        ("1", "without a unit", True),
    ],
)
def test_convert_says_the_unit_of_lengths_that_stl_does_not_tell(capsys, files, units, header, warns):
    (files / "c.toml").write_text(
        f'format = "detent/1"\nunits = "{units}"\ndimension = 3\nparts.b.shape.block = [1, 2, 3]\n'
    )
    _, out, err = run(capsys, "convert", "c.toml", "c.stl", "--json")
    assert json.loads(out)["units"] == units
    assert ("most programs take them to be in millimetres" in err) == warns
    assert not warns or header in err
    assert header.encode() in (files / "c.stl").read_bytes()[:80]


@pytest.mark.parametrize("kind", ["toml", "json"])
def test_convert_writes_to_the_standard_output(capsys, files, kind):
    code, out, _ = run(capsys, "convert", "four_bar", "-", "--to", kind)
    assert code == 0
    assert native.loads(out) == inputs.load("four_bar")


@pytest.mark.parametrize(
    ("argv", "meant"),
    [
        (["move", "four_bar", "--frm", "3"], "--from"),
        (["draw", "four_bar", "--outptu=x.svg"], "--output"),
        (["move", "four_bar", "--breaking", "limitting"], "limiting"),
        (["completion", "bsh"], "bash"),
    ],
)
def test_a_misspelt_flag_or_choice_is_an_error_with_the_nearest(capsys, argv, meant):
    code, _, err = run(capsys, *argv)
    assert code == 2
    assert f"did you mean '{meant}'" in err


@pytest.mark.parametrize("verb", PLANNED)
def test_a_planned_verb_is_called_planned(capsys, verb):
    code, _, err = run(capsys, verb, "four_bar")
    assert code == 3
    assert "is planned" in err
    assert "is planned" in json.loads(run(capsys, verb, "four_bar", "--json")[1])["problems"][0]["problem"]


def test_a_folder_is_called_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(tmp_path)]) == 2
    out, err = capsys.readouterr()
    assert "is a folder; name a file" in out + err


@pytest.mark.parametrize(
    ("argv", "said"),
    [
        (("move", "four_bar", "--load", "II.C=1,2", "--load", "II.C=3,4"), "II.C is given two forces"),
        (("move", "four_bar", "--load", "II.C=1,2,3"), "'II.C=1,2,3' is not a load"),
        (("move", "four_bar", "--of", "II.C"), "means nothing without --chart or --report"),
        (("draw", "."), "is a folder"),
    ],
)
def test_what_would_be_left_out_without_a_word_is_refused(capsys, files, argv, said):
    assert main(list(argv)) == 2
    assert said in capsys.readouterr().err


def test_a_load_near_the_smallest_double_is_answered_as_any_other(capsys, files):
    answers = []
    for size in ("1", "1e-320"):
        assert main(["modes", "planar_grasp", "--load", f"{size},0,0"]) == 0
        answers.append(capsys.readouterr().out.splitlines()[0])
    assert answers[0] == answers[1]


def test_check_takes_no_travel_of_a_slide_that_shapes_make_for_an_angle(tmp_path, capsys):
    # A tongue in a closed groove: it slides, so that its spring's rest is a length.
    document = """
format = "detent/1"
units = "mm"
dimension = 3
[parts.base]
fixed = true
shape.difference = [{ block = [30, 80, 20] }, { block = [10, 80, 10], moves = [{ move = [10, 0, 5] }] }]
[parts.tongue]
shape.block = [10, 60, 10]
pose = { at = [10, 10, 5] }
[joints.guide]
type = "infer"
between = ["base", "tongue"]
spring = { stiffness = 400, rest = -10 }
"""
    (tmp_path / "slide.toml").write_text(document)
    code, out, _ = run(capsys, "check", tmp_path / "slide.toml")
    assert (code, "rad" in out) == (0, False)
    # The same number at a pin is still worth a note.
    pin = document.replace(
        "block = [10, 80, 10], moves = [{ move = [10, 0, 5] }]",
        "cylinder = { radius = 5, height = 20 }, moves = [{ move = [15, 40, 0] }]",
    )
    pin = pin.replace("shape.block = [10, 60, 10]", "shape.cylinder = { radius = 5, height = 20 }")
    (tmp_path / "pin.toml").write_text(pin.replace("at = [10, 10, 5]", "at = [15, 40, 0]"))
    code, out, _ = run(capsys, "check", tmp_path / "pin.toml")
    assert (code, "did you mean rest_deg" in out) == (0, True)


FITTED = """
format = "detent/1"
units = "mm"
dimension = 3
[parts.base]
fixed = true
shape.union = [
  {{ block = [20, 20, 2], moves = [{{ move = [-10, -10, -2] }}] }},
  {{ cylinder = {{ radius = 3, height = 4 }} }},
]
[parts.wheel]
shape.difference = [{{ cylinder = {{ radius = 8, height = 4 }} }}, {{ {hole} }}]
{joint}
"""
CHORDS = [
    [round(3 * math.cos(math.tau * k / 48), 9), round(3 * math.sin(math.tau * k / 48), 9)] for k in range(48)
]
HOLES = {
    "as wide": ("cylinder = { radius = 3, height = 4 }", 0),
    "of chords": (f"prism = {{ outline = {CHORDS}, height = 4 }}", 0),  # within the pin by 0.0064 mm
    "too narrow": ("cylinder = { radius = 2.95, height = 4 }", 2),
}


@pytest.mark.parametrize("written", [True, False])
@pytest.mark.parametrize("hole", HOLES)
def test_check_names_an_overlap_where_no_pin_is_found_alone(tmp_path, capsys, hole, written):
    file, (shape, code) = tmp_path / "fit.toml", HOLES[hole]
    joint = '[joints.p]\ntype = "infer"\nbetween = ["base", "wheel"]' if written else ""
    file.write_text(FITTED.format(hole=shape, joint=joint))
    assert main(["check", str(file)]) == code
    said = capsys.readouterr()
    assert ("overlaps part 'base' as drawn" in said.out + said.err) is (code == 2)


def once() -> list[tuple[str, str, str]]:
    """Every flag of every verb that has one value, with a value that it takes."""
    return [
        (verb, action.option_strings[-1], str(next(iter(action.choices)) if action.choices else 1))
        for verb in VERBS
        for action in parser_of(verb)._actions
        if action.option_strings and action.nargs is None and "append" not in type(action).__name__.lower()
    ]


@pytest.mark.parametrize(("verb", "flag", "value"), once())
def test_a_flag_of_one_value_that_is_given_twice_is_refused_by_name(capsys, verb, flag, value):
    file = ["four_bar"] if any(a.dest in ("file", "files") for a in parser_of(verb)._actions) else []
    code, out, err = run(capsys, verb, *file, flag, value, flag, value)
    assert (code, out) == (2, "")
    assert f"{flag}: is given twice" in err


@pytest.mark.parametrize("key", ["duration", "minima", "ewheel"])
def test_what_is_expected_twice_is_refused_by_name(capsys, key):
    code, _, err = run(capsys, "outlook", "escapement", "--expect", f"{key}=2", "--expect", f"{key}=3")
    assert code == 2
    assert f"--expect: {key} is given twice" in err


def test_flags_that_may_be_repeated_keep_all_their_values():
    parse = parser_of("run").parse_args
    for _ in range(2):  # what was given to one command is not given to the next
        args = parse(["escapement", "--at", "1", "--at", "2", "--until", "3"])
        assert (args.at, args.until) == ([1.0, 2.0], 3.0)
