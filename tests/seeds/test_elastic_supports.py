"""Meitinger & Pfeiffer, equations (40) and (44): stiffnesses of a hook on a beam and on a plate."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import detent

REFERENCE = Path(__file__).parents[1] / "data" / "reference" / "assembly"
# In N and mm, as printed; the plate's was computed with half the weight of the twist.
BEAM = np.array([[45.5, 638.8], [638.8, 14285.4]])
PLATE = np.array([[168.5, -455.8, 2105.1], [-455.8, 26794.7, -1443.3], [2105.1, -1443.3, 37700.4]])


def in_newtons_and_millimetres(stiffness: list[list[float]]) -> np.ndarray:
    """N/m is 1e-3 N/mm, N/rad is N/rad, N m/rad is 1e3 N mm/rad."""
    turns = np.arange(len(stiffness)) > 0
    return np.array(stiffness) * 10.0 ** (3 * (turns[:, None].astype(int) + turns) - 3)


def test_the_beam_is_as_printed() -> None:
    elastic = detent.explain(detent.load(REFERENCE / "snap_hook_beam.toml")).elastic["beam"]
    assert in_newtons_and_millimetres(elastic["stiffness"]) == pytest.approx(BEAM, rel=1e-3)
    expected = json.loads((REFERENCE / "snap_hook_beam.expected.json").read_text())["explain"]["elastic"][
        "beam"
    ]
    assert np.array(elastic["stiffness"]) == pytest.approx(np.array(expected["stiffness_SI"]), rel=1e-9)


def on_plate(**keys: object) -> dict[str, object]:
    plate = {"sides": [32, 66], "thickness": 3, "modulus": 2.7e9, "clamped": ["x=0", "y=0"], "at": [27, 48]}
    joint = {"type": "elastic", "between": ["base", "hook"], "at": [0, 0, 0], "plate": plate | keys}
    parts = {"base": {"fixed": True}, "hook": {}}
    made = {"units": "mm", "dimension": 3, "parts": parts, "joints": {"plate": joint}}
    return detent.explain(detent.from_dict(made)).elastic["plate"]


def test_the_plate_is_as_printed_on_its_spline_with_its_weight_of_the_twist() -> None:
    """Knots with the ends, or without: 2 x 3 functions."""
    for knots in ([[0, 18.2, 32], [0, 20.8, 47.9, 66]], [[18.2], [20.8, 47.9]]):
        elastic = on_plate(twist="half", knots=knots)
        assert elastic["functions"] == 6
        assert in_newtons_and_millimetres(elastic["stiffness"]) == pytest.approx(PLATE, rel=0.02)


def test_the_deflection_of_the_printed_plate_is_that_of_the_plate_refined() -> None:
    """The one entry of the printed matrix's inverse that has a limit; the physical twist is 13 % off it."""
    printed = np.linalg.inv(PLATE)[0, 0] * 1e-3
    assert on_plate(twist="half")["compliance"][0][0] == pytest.approx(printed, rel=3e-3)
    assert on_plate()["compliance"][0][0] == pytest.approx(0.873 * printed, rel=5e-3)
