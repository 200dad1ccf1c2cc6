"""Drives of millions of steps: looked at without making their positions."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

import detent
from detent.app import main


def _with_drives(**drives: dict[str, Any]) -> detent.Mechanism:
    return detent.load("five_bar").with_("drives", drives)


def _said(machine: detent.Mechanism, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> str:
    path = tmp_path / "machine.json"
    detent.save(machine, path)
    main(["check", str(path)])
    return capsys.readouterr().out


@pytest.mark.parametrize("speeds", list(itertools.product([None, 1.0, 2.0], repeat=2)), ids=str)
def test_what_evenly_spaced_drives_contradict_does_not_depend_on_the_number_of_steps(
    speeds: tuple[float | None, float | None], tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two steps, and ten million, where only the numbers of durations differ."""
    joints = [drive.joint for drive in detent.load("five_bar").drives.values()]
    assert len(joints) == 2
    said = []
    for steps in (2, 10_000_000):
        drives = {
            f"d{k}": {"joint": joint, "from": 0, "to": 0.2, "steps": steps}
            | ({} if speed is None else {"speed": speed})
            for k, (joint, speed) in enumerate(zip(joints, speeds, strict=True))
        }
        said.append(_said(_with_drives(**drives), tmp_path, capsys))
    contradicts = None not in speeds and speeds[0] != speeds[1]
    assert ["position 0 to 1" in text for text in said] == [contradicts] * 2
    assert ["sound" in text for text in said] == [not contradicts] * 2


def test_numbers_of_positions_are_told_without_the_positions(
    tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    joints = [drive.joint for drive in detent.load("five_bar").drives.values()]
    drives = {
        f"d{k}": {"joint": j, "from": 0, "to": 1, "steps": 10**k} for k, j in zip((2, 7), joints, strict=True)
    }
    assert "different numbers of positions: [101, 10000001]" in _said(
        _with_drives(**drives), tmp_path, capsys
    )
    assert detent.explain(_with_drives(**drives)).words
