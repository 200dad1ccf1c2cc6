"""Another unit of length: with the size kept, every method answers as before in metres."""

from __future__ import annotations

import re

import numpy as np
import pytest

import detent
from detent.app import inputs
from detent.foundation import METRES, ModelError, UnsupportedError
from detent.model.editing import SetUnits, edited
from detent.model.reading import convert

SLIDER = {
    "format": "detent/1",
    "units": "mm",
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [0, 5]}},
        "crank": {"markers": {"A": [0, 0], "B": [0, 25.4]}},
        "rod": {"markers": {"B": [0, 25.4], "C": [76.2, 5]}, "center": [10, 1], "mass": 1},
        "block": {"markers": {"C": [76.2, 5]}, "shape": {"outline": [[70, 0], [80, 0], [80, 10]]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"], "limits": {"min": -7, "max": 7}},
        "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
        "C": {"type": "revolute", "between": ["rod.C", "block.C"]},
        "D": {"type": "prismatic", "between": ["ground.D", "block.C"], "limits": {"min": 20, "max": 120}},
    },
    "drives": {"push": {"joint": "D", "from": 76.2, "to": 90, "steps": 4}},
}


@pytest.mark.parametrize("units", ["in", "m"])
def test_a_driven_slide_moves_as_before_in_metres(units):
    before = convert.mechanism(SLIDER)
    after = edited(before, SetUnits(units, "size"))
    assert after.units == units
    ratio = float(METRES["mm"] / METRES[units])
    assert after.joints["A"].limits == before.joints["A"].limits
    assert float(after.joints["D"].limits.max) == pytest.approx(120 * ratio, rel=1e-12)
    assert float(after.parts["block"].shape.outline[1][0]) == pytest.approx(80 * ratio, rel=1e-12)
    assert float(after.parts["rod"].center[0]) == pytest.approx(10 * ratio, rel=1e-12)
    moved, was = detent.move(after), detent.move(before)
    assert np.allclose(moved.inputs, np.asarray(was.inputs) * ratio, rtol=1e-9)
    for name, track in was.poses.items():
        scale = np.array([ratio, ratio, 1.0])
        assert np.allclose(moved.poses[name], np.asarray(track) * scale, rtol=1e-9, atol=1e-9 * ratio)


@pytest.mark.parametrize("name", ["peg_on_carrier", "snap_hook"])
def test_an_example_in_another_unit_is_sound_and_comes_back_exactly(name):
    """By metres and back every decimal ends, so nothing is rounded."""
    before = inputs.load(name)
    there = edited(before, SetUnits("m", "size"))
    convert.checked(there)
    assert edited(there, SetUnits(before.units, "size")) == before


def test_lengths_that_only_a_study_knows_are_not_guessed():
    with pytest.raises(UnsupportedError, match="study"):
        edited(inputs.load("oring"), SetUnits("m", "size"))


def test_a_snap_fit_in_metres_takes_the_same_forces_at_the_same_times():
    """Shapes, legs and stops follow: every force, angle and instant of the answer is the same."""
    before = edited(inputs.load("snap_t"), SetUnits("mm", "numbers"))
    after = edited(before, SetUnits("m", "size"))
    told = [re.findall(r"[\d.]+(?: N| s|°)", detent.mate(each).words) for each in (before, after)]
    assert told[0]
    assert told[1] == told[0]


def test_numbers_kept_change_nothing_but_the_unit():
    before = convert.mechanism(SLIDER)
    after = convert.plain(edited(before, SetUnits("in", "numbers")))
    assert after == {**convert.plain(before), "units": "in"}


def test_of_any_unit_no_size_is_known():
    with pytest.raises(ModelError, match="no size is known"):
        edited(inputs.load("four_bar"), SetUnits("mm", "size"))


BOX = {
    "format": "detent/1",
    "units": "mm",
    "gravity": [0, -9.81],
    "parts": {
        "floor": {"fixed": True, "shape": {"outline": [[-90, -9], [90, -9], [90, 0], [-90, 0]]}},
        "box": {
            "shape": {"outline": [[0, 0], [60, 0], [60, 40], [0, 40]]},
            "mass": 2,
            "inertia": 0.005,
            "center": [30, 20],
        },
    },
    "touching": {"friction": 0.4},
    "ask": {"modes": {"load": {"box": [3, -4, -500]}, "velocity": {"box": [25.4, 0, 1]}}},
}


def test_a_moment_asked_of_contacts_keeps_its_size():
    """Its number is in newton times the document's unit: 500 N mm are 19.685 N in; a velocity likewise."""
    asked = edited(convert.mechanism(BOX), SetUnits("in", "size")).ask.modes
    assert [float(number) for number in asked.load["box"]] == pytest.approx([3, -4, -500 / 25.4])
    assert [float(number) for number in asked.velocity["box"]] == pytest.approx([1, 0, 1])


def test_a_driven_marker_keeps_its_pace():
    """Both points of its path and its speed are lengths, so it takes the same time."""
    document = {
        "format": "detent/1",
        "units": "mm",
        "parts": {
            "ground": {"fixed": True, "markers": {"A": [0, 0]}},
            "upper": {"markers": {"A": [0, 0], "B": [30, 0]}},
            "lower": {"markers": {"B": [30, 0], "P": [30, 40]}},
        },
        "joints": {
            "A": {"type": "revolute", "between": ["ground.A", "upper.A"]},
            "B": {"type": "revolute", "between": ["upper.B", "lower.B"]},
        },
        "drives": {"tip": {"marker": "lower.P", "path": [[30, 40], [40, 30]], "speed": 5, "steps": 4}},
    }
    before = convert.mechanism(document)
    moved = detent.move(edited(before, SetUnits("in", "size")))
    assert moved.times[-1] == pytest.approx(200**0.5 / 5)
    assert moved.times[-1] == pytest.approx(detent.move(before).times[-1])
