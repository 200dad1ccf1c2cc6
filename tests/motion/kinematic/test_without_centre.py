"""A part that never turns has weight and inertia without a centre of mass; moments stay open."""

from __future__ import annotations

import numpy as np
import pytest

import detent


def slider_crank(**slider):
    joint = {"type": "revolute"}
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -9.81],
            "parts": {
                "ground": {"fixed": True, "markers": {"A": [0, 0]}},
                "crank": {"markers": {"A": [0, 0], "B": [20, 10]}},
                "rod": {"markers": {"B": [20, 10], "C": [80, 0]}},
                "slider": {"markers": {"C": [80, 0]}, **slider},
            },
            "joints": {
                "A": {**joint, "between": ["ground.A", "crank.A"]},
                "B": {**joint, "between": ["crank.B", "rod.B"]},
                "C": {**joint, "between": ["rod.C", "slider.C"]},
                "S": {"type": "prismatic", "between": ["ground", "slider"], "at": [80, 0], "along": [1, 0]},
            },
            "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 40, "steps": 4, "speed_deg": 600}},
        }
    )


@pytest.mark.parametrize("center", [[0, 0], [80, 3]])
def test_all_but_moments_across_the_slide_are_as_with_any_centre(center):
    without, given = detent.move(slider_crank(mass=2)), detent.move(slider_crank(mass=2, center=center))
    for name in ("drive turn", "A", "B", "C"):
        assert np.allclose(without.forces[name], given.forces[name], rtol=1e-12)
    across, known = (np.array(each.forces["S"], float) for each in (without, given))
    assert np.allclose(across[:, 0], known[:, 0])
    assert np.isnan(across[:, 1]).all()
    assert not np.isnan(known).any()
    left = [words for words in without.scope.left_out if words.startswith("moments across S")]
    assert left == ["moments across S (parts.slider.center is missing)"]
    assert not any("moments across" in words for words in given.scope.left_out)
    assert not any("its weight" in words or "its inertia" in words for words in without.scope.left_out)


def test_the_drive_gives_what_the_mass_takes():
    """Power: M w = m a v of the slider, its weight across."""
    motion = detent.move(slider_crank(mass=2))
    v, a = (np.asarray(each["slider.C"])[:, 0] / 1000 for each in (motion.velocities, motion.accelerations))
    assert np.asarray(motion.forces["drive turn"]) == pytest.approx(2 * a * v / np.radians(600), rel=1e-9)


def test_a_part_that_turns_still_needs_its_centre():
    data = slider_crank(mass=2).to_dict()
    data["parts"]["rod"]["mass"] = 1
    left = detent.move(detent.from_dict(data)).scope.left_out
    assert any("parts.rod: its weight (parts.rod.center is missing)" in words for words in left)
