"""Every example is a program that runs, and asserts its own numbers."""

from __future__ import annotations

import runpy
import warnings
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples"
PROGRAMS = sorted(EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_the_example_runs_and_its_numbers_hold(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        runpy.run_path(str(path), run_name="__main__")
    assert capsys.readouterr().out.strip(), "an example prints what it found"


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda p: p.stem)
def test_the_example_is_short_and_checks_a_number(path: Path) -> None:
    text = path.read_text()
    assert len(text.splitlines()) <= 60
    assert "assert " in text


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda p: p.stem)
def test_the_example_can_be_drawn(path: Path) -> None:
    from detent.draw.machine import machine_scene
    from detent.draw.paper import svg
    from detent.io import native

    mechanism = native.load(path)
    if mechanism.parts:  # contact rows alone have no picture
        assert svg.write(machine_scene(mechanism)).count("<path") > 5


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.toml")), ids=lambda p: p.stem)
def test_the_example_is_sound(path: Path) -> None:
    from detent.io import native
    from detent.model.machine.drawn import shape_checks

    assert shape_checks.problems(native.load(path)) == []
