"""`detent draw`: writes what it is asked for, says what it wrote, refuses in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from detent.app import main
from detent.record import Trajectory
from tests.conftest import REFERENCE

FOUR_BAR = str(REFERENCE / "linkages" / "4-bar.toml")


def test_a_picture_lands_in_the_current_folder_unless_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", FOUR_BAR]) == 0
    assert (tmp_path / "4-bar.svg").read_text().startswith("<svg")
    assert "wrote 4-bar.svg" in capsys.readouterr().out


@pytest.mark.parametrize("size", [200, 800])
def test_a_png_has_the_size_asked_for(tmp_path: Path, size: int) -> None:
    from PIL import Image

    out = tmp_path / "a.png"
    assert main(["draw", FOUR_BAR, "-o", str(out), "--size", str(size), "--quiet"]) == 0
    with Image.open(out) as picture:
        assert abs(max(picture.size) - size) <= 1


@pytest.mark.parametrize(
    ("flags", "code", "words"),
    [
        (["-o", "a.bmp"], 2, "does not end in"),
        (["--size", "7"], 2, "choose 100 to"),
        (["--along", "nothing.json"], 2, "cannot read"),
    ],
)
def test_a_wrong_wish_is_refused_with_a_remedy(
    flags: list[str],
    code: int,
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", FOUR_BAR, *flags]) == code
    assert words in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_what_no_drive_moves_cannot_be_a_film(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = str(REFERENCE / "machines" / "escapement.toml")
    assert main(["draw", document, "-o", str(tmp_path / "a.gif")]) == 3
    assert "--along" in capsys.readouterr().err


def test_a_driven_linkage_is_its_own_film(tmp_path: Path) -> None:
    from PIL import Image

    assert main(["draw", FOUR_BAR, "-o", str(tmp_path / "a.gif"), "--size", "200", "--quiet"]) == 0
    with Image.open(tmp_path / "a.gif") as film:
        assert film.n_frames >= 37


def test_rows_alone_exit_with_three(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["draw", str(REFERENCE / "contact_modes" / "box-1-rows.toml")]) == 3


@pytest.mark.parametrize(
    ("name", "start"), [("a.gif", b"GIF89a"), ("a.html", b"<!doctype"), ("a.svg", b"<svg")]
)
def test_a_run_becomes_a_film_a_page_or_its_last_state(tmp_path: Path, name: str, start: bytes) -> None:
    angle = np.linspace(0, 1, 5)
    run = Trajectory(times=angle, poses={"I": np.stack([0 * angle, 0 * angle, angle], axis=1)})
    (tmp_path / "run.json").write_text(run.to_json())
    flags = ["--along", str(tmp_path / "run.json"), "-o", str(tmp_path / name), "--size", "200"]
    assert main(["draw", FOUR_BAR, *flags]) == 0
    assert (tmp_path / name).read_bytes().startswith(start)


def test_a_run_of_another_machine_is_refused_and_a_partial_one_said(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    angle = np.linspace(0, 1, 5)
    column = np.stack([0 * angle, 0 * angle, angle], axis=1)
    flags = ["--along", str(tmp_path / "run.json"), "-o", str(tmp_path / "a.svg")]
    for part, code, words in [
        ("piston", 2, "piston, which this machine does not have"),
        ("I", 0, "II and III"),
    ]:
        run = Trajectory(times=angle, poses={part: column})
        (tmp_path / "run.json").write_text(run.to_json())
        assert main(["draw", FOUR_BAR, *flags]) == code
        assert words in capsys.readouterr().err


def test_a_push_along_legs_is_filmed_by_the_verb_that_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "a.html"
    assert main(["draw", "snap_holds", "-o", str(page)]) == 3
    assert "is shown by `detent mate --film`" in capsys.readouterr().err
    assert main(["mate", "snap_holds", "--film", str(page), "--quiet"]) == 0
    assert page.exists()
