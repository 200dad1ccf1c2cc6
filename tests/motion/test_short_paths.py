"""Paths that are short, or whose positions are all at change points.

Oracle: a parallelogram whose crank is driven is in line where the crank is along the base; parts that hang on
its pins need the torque m g r cos(angle), whatever the links are doing.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent

CRANK, BASE, DRAWN, GRAVITY = 3.0, 8.0, 1.0, 9.81
IN_LINE = 180 - math.degrees(DRAWN)  # [degrees] of the driven pin


def parallelogram(from_deg: float, to_deg: float, steps: int) -> detent.Mechanism:
    """Of mm, with 1 kg at B and 2 kg at C."""
    b = [CRANK * math.cos(DRAWN), CRANK * math.sin(DRAWN)]
    c = [b[0] + BASE, b[1]]
    pins = {"A": ("frame", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("frame", "rocker")}
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -GRAVITY],
            "parts": {
                "frame": {"fixed": True, "markers": {"A": [0, 0], "D": [BASE, 0]}},
                "crank": {"markers": {"A": [0, 0], "B": b}, "mass": 1, "center": b},
                "rod": {"markers": {"B": b, "C": c}, "mass": 1, "center": c},
                "rocker": {"markers": {"C": c, "D": [BASE, 0]}, "mass": 1, "center": c},
            },
            "joints": {
                pin: {"type": "revolute", "between": [f"{part}.{pin}" for part in parts]}
                for pin, parts in pins.items()
            },
            "drives": {"d": {"joint": "A", "from_deg": from_deg, "to_deg": to_deg, "steps": steps}},
        }
    )


@pytest.mark.parametrize("width", [1.0, 2e-2, 2e-4, 2e-6])
def test_a_short_path_across_a_change_point_is_proved_as_a_long_one_is(width):
    motion = detent.move(parallelogram(IN_LINE - width / 2, IN_LINE + 0.7 * width, 4))
    (point,) = motion.limit_points
    assert point.kind == "change"
    assert point.input == pytest.approx(math.radians(IN_LINE), abs=1e-9)
    assert motion.scope.certainty == "proved"


@pytest.mark.parametrize("turns", [0.5, 1.0])
def test_forces_of_positions_that_are_all_at_change_points_are_told(turns):
    motion = detent.move(parallelogram(IN_LINE, IN_LINE + 360 * turns, 1))
    torque = 3 * GRAVITY * CRANK / 1000
    np.testing.assert_allclose(
        motion.forces["drive d"], [-torque, -torque * math.cos(2 * math.pi * turns)], rtol=1e-9
    )
    where = "122.704° and 302.704°" if turns < 1 else "122.704°, 302.704° and 482.704°"
    assert f"unbounded at {where}: A, B, C, D" in motion.words


def test_a_path_that_stays_at_a_change_point_says_so():
    for half in (0.0, 1e-6):
        motion = detent.move(parallelogram(IN_LINE - half, IN_LINE + half, 2))
        assert motion.forces == {}
        assert "forces" not in motion.scope.covers
        assert "no balance: links are in line at every position, and forces are not told" in motion.notes
        assert "at 0° or more" in motion.words
