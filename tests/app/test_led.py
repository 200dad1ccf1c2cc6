"""The command line of a mating that a robot leads: words, JSON, CSV, plots, which position is better."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import detent
from detent.app import main
from detent.draw.chart import led as chart
from detent.record import LedMating

FAR, NEAR = "robot_oring_far", "robot_oring_near"


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["mate", *arguments]) == 0
    return capsys.readouterr().out


def test_words_json_and_csv_tell_one_run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    table, plot = tmp_path / "far.csv", tmp_path / "far.png"
    words = said(capsys, FAR, "--csv", str(table), "--plot", str(plot))
    told = json.loads(said(capsys, FAR, "--json", "-q"))
    force = told["legs"][0]["force"]
    assert f"largest push   {force['peak']:.5g} N" in words
    assert f"overshoots by {told['legs'][0]['entering']['overshoot']:.4g} mm/s" in words
    rows = list(csv.DictReader(io.StringIO(table.read_text())))
    assert len(rows) == len(told["series"]["time [s]"])
    assert max(float(row["push [N]"]) for row in rows) == pytest.approx(force["peak"], rel=0.02)
    assert {"wrench_mx [N m]", "gear 3 [N m]", "motor 6 [N m]", "vx_free [mm/s]"} <= set(rows[0])
    assert plot.read_bytes().startswith(b"\x89PNG")


def test_torques_are_drawn_as_torques_beside_angles_of_one_name() -> None:
    mating = detent.mate(FAR)
    assert isinstance(mating, LedMating)
    columns = mating.columns()
    drawn = {series.name: series.y for series in chart.torque_changes(mating)}
    assert len(drawn) == 6
    for name, values in drawn.items():
        assert values == pytest.approx(columns[f"{name} [N m]"] - columns[f"{name} [N m]"][0])
    assert abs(drawn["motor 2"]).max() > 50  # the arm holds 217 N at 0.78 m from its base


def test_one_command_says_which_position_is_better(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    report = tmp_path / "better.html"
    words = said(capsys, FAR, "--beside", NEAR, "--beside", "radius=600", "--report", str(report))
    assert f"better     {NEAR}" in words
    told = json.loads(said(capsys, FAR, "--beside", NEAR, "--beside", "radius=600", "--json", "-q"))
    assert [round(each["radius"]) for each in told["positions"]] == [780, 450, 600]
    assert told["better"] == NEAR
    assert "From the side" in report.read_text()


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ((FAR, "--beside", "radius=x"), "is no radius"),
        ((FAR, "--beside", FAR), "names one position twice"),
        ((FAR, "--search", "1"), "are not a search"),
        ((FAR, "--slice", "x.svg"), "computed over time"),
        (("snap_t", "--search"), "searched for a PUMA 560"),
        (("oring", "--beside", FAR), "nothing leads"),
    ],
)
def test_what_has_no_positions_is_refused(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], problem: str
) -> None:
    assert main(["mate", *arguments]) in (2, 3)
    assert problem in capsys.readouterr().err
