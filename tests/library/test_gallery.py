"""Every linkage of the gallery computes the number it claims."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
LINKAGES = (
    "four_bar", "slider_crank", "quick_return", "jansen_leg", "six_bar_a", "six_bar_b",
    "stress_50", "chain", "peaucellier", "pantograph", "five_bar",
)  # fmt: skip


@pytest.mark.parametrize("name", LINKAGES)
def test_the_example_asserts_its_own_number(name, capsys):
    program = EXAMPLES / f"{name}.py"
    assert len(program.read_text().splitlines()) <= 60
    runpy.run_path(str(program))
    assert capsys.readouterr().out
