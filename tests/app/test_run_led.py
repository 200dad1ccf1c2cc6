"""`detent run` of what a robot, a carrier or an elastic joint leads: the integration of `detent mate`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.app import main
from detent.record import LedMating

RING, PEG, ROUND = "robot_oring_far", "rect_peg_carrier", "round_peg_carrier"


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main([*arguments, "--json", "-q"]) == 0
    answer: dict[str, object] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.parametrize("name", [RING, PEG, ROUND])
def test_run_and_mate_tell_one_integration(capsys: pytest.CaptureFixture[str], name: str) -> None:
    run, mate = told(capsys, "run", name), told(capsys, "mate", name)
    assert run == mate


def test_a_shorter_run_is_the_beginning_of_the_longer_one() -> None:
    whole, part = detent.mate(RING), detent.run(RING, until=0.7, every=0.01)
    assert isinstance(whole, LedMating)
    assert isinstance(part, LedMating)
    times = part.series["time [s]"]
    assert times == pytest.approx(np.arange(71) * 0.01)
    assert part.insertion.answer == "undecided"
    assert whole.insertion.answer == "yes"
    push = part.series["push [N]"]
    history = whole.run.evidence.history(times)
    beside = -history.wrench[:, :3] @ whole.run.evidence.plan.legs[0].direction
    assert push[:-1] == pytest.approx(beside[:-1], abs=1e-9 * push.max())  # the last step is cut short
    assert push.max() > 200
    few = detent.run(RING, until=0.7, times=[0.5, 0.6])
    assert isinstance(few, LedMating)
    assert few.series["push [N]"] == pytest.approx(push[[50, 60]])


def test_a_run_of_led_parts_writes_film_plot_and_table(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    film, plot, table = tmp_path / "led.html", tmp_path / "led.svg", tmp_path / "led.csv"
    written = ["--film", str(film), "--plot", str(plot), "--csv", str(table)]
    assert main(["run", RING, "--until", "0.6", "--every", "0.05", *written]) == 0
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert float(rows[-1]["time [s]"]) == pytest.approx(0.6)
    assert max(float(row["push [N]"]) for row in rows) > 100
    assert "<svg" in plot.read_text()
    assert "ring" in film.read_text()
    assert "leg 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((RING, "--at", "0.1"), "of a machine of touching parts"),
        ((RING, "--method", "rigid"), "as `mate` steps it"),
        ((PEG, "--every", "0.1"), "means over some milliseconds"),
        (("snap_hook", "--until", "1"), "ask `detent mate`"),
        (("oring", "--until", "1"), "ask `detent mate`"),
    ],
)
def test_what_a_run_of_led_parts_does_not_tell_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
) -> None:
    assert main(["run", *arguments]) in (2, 3)
    assert problem in capsys.readouterr().err
