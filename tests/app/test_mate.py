"""`detent mate` on the command line: a jam is an answer, a model that is wrong is not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import detent
from detent.app import main

FOLDER = Path(__file__).resolve().parents[1] / "data" / "reference" / "fasteners"


def test_a_jam_is_an_answer_with_its_certificate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mate", str(FOLDER / "fig7b_kinematic.toml"), "--exact"]) == 0
    out = capsys.readouterr().out
    assert "jam" in out
    assert "root of" in out
    assert "without bound" in out
    assert "yes, even without friction: pulled straight back it jams" in out


def test_json_has_the_keys_that_the_model_page_promises(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["mate", str(FOLDER / "fig7e_force_mu_1_20.toml"), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    leg = answer["legs"][0]
    assert set(leg) >= {"start", "events", "end", "contacts", "force"}
    assert set(leg["end"]) >= {"time", "cause", "coordinates"}
    assert set(leg["force"]) >= {"times", "on_drive", "peak", "peak_by_part"}
    assert len(leg["force"]["times"]) == len(leg["force"]["on_drive"])
    assert set(answer["diode"]) >= {"kind", "relative", "total"}


def test_pictures_are_written_where_asked(tmp_path: Path) -> None:
    paths = {
        flag: tmp_path / f"out{flag}.{ending}" for flag, ending in (("--slice", "svg"), ("--strip", "png"))
    }
    argv = ["mate", str(FOLDER / "segment_typeB_press.toml"), "--quiet"]
    for flag, path in paths.items():
        argv += [flag, str(path)]
    assert main(argv) == 0
    assert all(path.stat().st_size > 1000 for path in paths.values())
    assert main([*argv[:2], "--slice", "picture.txt"]) == 2


def test_a_machine_that_is_no_fastener_is_refused_with_the_method_that_can(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["mate", "four_bar"]) in (2, 3)
    assert capsys.readouterr().err.startswith("detent:")


def test_a_slice_has_the_time_in_the_document_s_units(tmp_path: Path) -> None:
    path, machine = tmp_path / "slice.svg", tmp_path / "snap.toml"
    for units, label in (("1", "time"), ("mm", "time [s]")):
        detent.save(detent.load("snap_holds").with_("units", units), machine)
        assert main(["mate", str(machine), "--quiet", "--slice", str(path)]) == 0
        assert f'aria-label="{label}"' in path.read_text()
