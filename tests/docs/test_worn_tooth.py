"""The story of the worn tooth, as printed: its commands say so, and full simulations agree with its table."""

import re
from pathlib import Path

import numpy as np
import pytest

import detent
from detent.app import main
from detent.motion import Rigid
from tests.docs.console import commands, is_shown

PAGE = (Path(__file__).parents[2] / "docs" / "worn_tooth.md").read_text()
TABLE = [
    [cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\| [0-9].*\|$", PAGE, re.M)
]


def test_its_commands_say_what_is_printed(capsys):
    for block in re.findall(r"^```console\n(.*?)^```", PAGE, flags=re.S | re.M):
        for command, shown in commands(block):
            assert main(command[1:]) == 0
            assert is_shown(shown, capsys.readouterr().out.splitlines()), command


@pytest.mark.parametrize("row", TABLE, ids=lambda row: row[0])
def test_a_full_simulation_of_three_revolutions_agrees_with_the_table(row):
    """Counted by turns of the wheel: beats of a revolution, or that it stands still."""
    worn = float(row[0])
    clock = detent.load("worn_tooth").with_("shapes.worn_tooth.block", [0.3, 5.4 - worn, 1])
    run = detent.predict(clock, method=Rigid(accuracy=1e-7), until=250.0).evidence
    beats = np.array(run.energy_minima)
    wheel = run.along.at(beats).coordinates["ewheel"]
    if row[1] == "ends":
        assert len(beats) < 20
        later = run.along.at(np.array([100.0, 250.0])).coordinates["ewheel"]
        assert later[0] == pytest.approx(later[1], abs=1e-9)
        return
    turned = int(np.argmin(np.abs(wheel - (wheel[24] - 2 * np.pi)))) - 24
    assert wheel[24 + turned] - wheel[24] == pytest.approx(-2 * np.pi, abs=1e-6)
    assert turned == int(re.search(r"(\d+) beats", row[1])[1]) * (10 if worn == 0 else 1)
    if said := re.search(r"a revolution in ([\d.]+)", row[2]):
        assert beats[24 + turned] - beats[24] == pytest.approx(float(said[1]), abs=5e-3)
    elif said := re.search(r"([\d.]+) shorter", row[2]):
        sound = 73.8618  # of these beats of the sound clock; the first row has it
        assert sound - (beats[24 + turned] - beats[24]) == pytest.approx(float(said[1]), abs=5e-3)
