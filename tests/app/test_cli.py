"""The command line: what it prints, what it exits with, and what it does not import."""

import json
import os
import subprocess
import sys

import pytest

from detent.app import VERBS, inputs, main
from detent.io import native


def run(capsys, *argv):
    code = main([str(a) for a in argv])
    out, err = capsys.readouterr()
    return code, out, err


@pytest.fixture
def crank(tmp_path):
    path = tmp_path / "crank.toml"
    path.write_text(
        'format = "detent/1"\n[parts.ground]\nfixed = true\n[parts.crank]\n'
        '[joints.A]\ntype = "revolute"\nbetween = ["ground", "crank"]\nat = [0, 0]\n'
    )
    return path


def test_help_lists_every_verb_and_a_first_step(capsys):
    code, out, _ = run(capsys, "--help")
    assert code == 0
    assert all(verb in out for verb in VERBS)
    assert "first steps" in out


@pytest.mark.parametrize("verb", VERBS)
def test_every_verb_explains_itself(capsys, verb):
    code, out, _ = run(capsys, verb, "--help")
    assert code == 0
    assert "--json" in out
    assert len(out.splitlines()) > 8


def test_no_command_at_all_shows_the_help(capsys):
    code, out, _ = run(capsys)
    assert code == 0
    assert "verbs" in out


def test_a_misspelt_verb_is_an_error_with_the_nearest(capsys):
    code, _, err = run(capsys, "chekc")
    assert code == 2
    assert "did you mean 'check'" in err


def test_a_sound_document_is_sound(capsys, crank):
    code, out, _ = run(capsys, "check", crank)
    assert (code, "sound" in out) == (0, True)
    code, out, _ = run(capsys, "check", crank, "--json")
    assert json.loads(out) == {"ok": True, "problems": [], "gaps": [], "notes": [], "refused": {}}


def test_a_wrong_document_is_exit_2_with_place_problem_and_remedy(capsys, crank):
    crank.write_text(crank.read_text().replace("fixed", "fixd"))
    code, out, _ = run(capsys, "check", crank, "--json")
    assert code == 2
    (problem,) = json.loads(out)["problems"]
    assert problem["at"] == "parts.ground.fixd"
    assert problem["line"] == 3
    assert "did you mean 'fixed'" in problem["remedy"]
    code, _, err = run(capsys, "explain", crank)
    assert code == 2
    assert "parts.ground.fixd" in err


def test_a_missing_file_is_exit_2(capsys):
    code, out, _ = run(capsys, "check", "no.toml")
    assert code == 2
    assert "no such file" in out
    code, _, err = run(capsys, "explain", "four_baar")
    assert code == 2
    assert "did you mean 'four_bar'" in err


def test_quiet_prints_nothing(capsys, crank):
    assert run(capsys, "explain", crank, "--quiet") == (0, "", "")


def test_explain_counts_mobility_as_a_sum(capsys):
    code, out, _ = run(capsys, "explain", "four_bar")
    assert code == 0
    assert "3 × 3 moving parts − 2 × 4 joints = 1" in out


def test_explain_as_json_has_the_keys_of_the_contract(capsys):
    _, out, _ = run(capsys, "explain", "four_bar", "--json")
    data = json.loads(out)
    assert {
        "joints",
        "mobility",
        "redundant",
        "subsystems",
        "interactions",
        "plan",
        "elastic",
        "robots",
    } <= set(data)
    assert data["mobility"]["gruebler"] == 1
    assert data["joints"][0]["parts"] == ["ground", "I"]


def test_a_report_is_one_page_with_everything_in_it(capsys, crank, tmp_path):
    page = tmp_path / "r.html"
    assert run(capsys, "explain", crank, "--report", page)[0] == 0
    text = page.read_text()
    assert "Gruebler" in text
    assert "Versions" in text
    assert "http" not in text.replace("http-equiv", "").replace("http://www.w3.org", "")
    again = tmp_path / "r2.html"
    run(capsys, "explain", crank, "--report", again)
    assert again.read_bytes() == page.read_bytes()


def test_a_report_of_another_ending_is_refused(capsys, crank, tmp_path):
    code, _, err = run(capsys, "explain", crank, "--report", tmp_path / "r.pdf")
    assert code == 2
    assert "html" in err


@pytest.mark.parametrize("ending", ["json", "toml"])
def test_convert_gives_an_equal_document(capsys, tmp_path, ending):
    out = tmp_path / f"e.{ending}"
    assert run(capsys, "convert", "escapement", out)[0] == 0
    assert native.load(out) == inputs.load("escapement")


def test_examples_are_listed_copied_and_never_overwritten(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    _, out, _ = run(capsys, "examples", "--json")
    names = [e["name"] for e in json.loads(out)["examples"]]
    assert "escapement" in names
    assert all(e["title"] for e in json.loads(out)["examples"])
    assert run(capsys, "examples", "four_bar")[0] == 0
    assert native.load("four_bar.toml") == inputs.load("four_bar.toml")
    code, _, err = run(capsys, "examples", "four_bar")
    assert code == 2
    assert "--force" in err


def test_the_schema_is_json(capsys):
    _, out, _ = run(capsys, "schema", "--json")
    assert "$defs" in json.loads(out)


def test_the_cache_has_a_place_and_can_be_cleared(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("DETENT_CACHE", str(tmp_path))
    (tmp_path / "kernels").mkdir()
    (tmp_path / "kernels" / "x").write_bytes(b"123")
    _, out, _ = run(capsys, "cache", "--json")
    assert json.loads(out)["bytes"] == 3
    run(capsys, "cache", "--clear")
    assert not (tmp_path / "kernels").exists()


def test_a_document_can_be_piped(crank):
    done = subprocess.run(
        [sys.executable, "-m", "detent", "check", "-"],
        input=crank.read_text(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "sound" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    ("argv", "code"),
    [
        (["check", "a" * 300], 2),
        (["check", "a" * 300 + ".toml"], 2),
        (["convert", "four_bar", "a" * 300 + "/x.json"], 2),
        (["explain", "four_bar", "--report", ""], 2),
        (["explain", "four_bar", "--report", "html"], 2),
        (["convert", "four_bar", "/dev/null/x.json"], 2),
        (["explain", "\udcfe.toml", "--json"], 2),
    ],
)
def test_a_strange_name_is_a_mistake_and_not_a_defect(capsys, tmp_path, monkeypatch, argv, code):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, *argv)[0] == code
    assert list(tmp_path.iterdir()) == []


def test_convert_does_not_overwrite_what_it_reads(capsys, crank):
    before = crank.read_text()
    assert run(capsys, "convert", crank, crank)[0] == 2
    assert crank.read_text() == before


def test_a_title_cannot_paint_the_terminal(capsys, crank):
    crank.write_text(crank.read_text().replace("[parts.ground]", 'title = "\\u001b[2J"\n[parts.ground]', 1))
    assert "\x1b" not in run(capsys, "check", crank)[1]


@pytest.mark.parametrize("output", [">&-", ">/dev/full"])
def test_an_output_that_cannot_be_written_is_no_traceback(output):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m detent schema {output}"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert "Traceback" not in done.stderr


def test_a_terminal_without_unicode_still_gets_an_answer():
    env = {**os.environ, "PYTHONIOENCODING": "cp1252"}
    done = subprocess.run(
        [sys.executable, "-m", "detent", "explain", "four_bar"], env=env, capture_output=True, check=False
    )
    assert done.returncode == 0


def imported_by(*argv):
    program = (
        "import sys\n"
        "from detent.app.cli import main\n"
        "main(sys.argv[1:])\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", program, *argv], capture_output=True, text=True, check=True)
    return {name.partition(".")[0] for name in done.stderr.split()}


def test_help_pays_for_nothing_it_does_not_use():
    assert not {"numpy", "scipy", "numba", "msgspec", "shapely"} & imported_by("--help")


def test_check_of_a_linkage_does_not_import_arrays():
    assert not {"numpy", "scipy", "numba", "shapely"} & imported_by("check", "four_bar")


def test_a_reader_that_goes_away_is_no_defect():
    program = f"{sys.executable} -m detent schema | head -c 1"
    done = subprocess.run(["bash", "-o", "pipefail", "-c", program], capture_output=True, text=True)
    assert "Traceback" not in done.stderr


def test_explain_tells_stiffness_directions_and_scope_of_an_elastic_joint(capsys):
    """(w, -w') of the beam in N/m, N/rad and N m/rad; what it rests on; null for nothing."""
    code, out, _ = run(capsys, "explain", "snap_hook")
    assert code == 0
    assert "hook gives way along y (w) and about z (-w'); it is rigid along x" in out
    assert "force y [N]      45544.8  638.81" in out
    assert "computed: a Bernoulli beam, clamped at its root" in out
    assert "left out: shear in the beam (its length is only 8 times its thickness)" in out
    _, out, _ = run(capsys, "explain", "snap_hook", "--json")
    beam = json.loads(out)["elastic"]["beam"]
    assert beam["stiffness"][0] == pytest.approx([45500, 638.8], rel=1e-3)
    assert (beam["coordinates"], beam["directions"]) == (["w", "-w'"], ["y", "-turn_z"])
    assert (beam["rigid"], beam["loose"]) == (["x"], [])
    assert beam["units"] == [["N/m", "N/rad"], ["N m/m", "N m/rad"]]
    _, out, _ = run(capsys, "explain", "hook_on_plate", "--json")
    plate = json.loads(out)["elastic"]["wall"]
    assert plate["coordinates"] == ["w", "w,y", "-w,x"]
    assert plate["convergence"]["change"] < 1e-3
    assert plate["rotations"] == "settled"
    assert "every stiffness changed by" in plate["scope"]["covers"]
