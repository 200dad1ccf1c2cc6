"""Markers that are driven but held, and slides written as two lines: named, or planned; never a crash."""

import math

import numpy as np
import pytest

import detent
from detent.judge import explain
from detent.model.reading import convert


def on_a_line(**more):
    frame = {"fixed": True, "markers": {"X": {"at": [0, 0], "along": [1, 0]}}}
    rod = {"pose": {"at": [40, 0]}, "markers": {"A": [0, 0], "B": [5, 0]}}
    joints = {"ax": {"type": "in_line", "between": ["frame.X", "rod.A"]}, **more}
    drives = {"d": {"marker": "rod.A", "path": [[40, 0], [10, 0]]}}
    return convert.mechanism({"parts": {"frame": frame, "rod": rod}, "joints": joints, "drives": drives})


def test_a_marker_driven_along_the_line_that_holds_it_is_refused_by_its_freedoms():
    machine = on_a_line()
    explain(machine)
    with pytest.raises(detent.ModelError, match=r"takes two freedoms, and rod\.A has one"):
        detent.move(machine)


def test_a_line_through_the_pin_it_is_on_does_not_crash():
    machine = on_a_line(pin={"type": "revolute", "between": ["rod.A", "frame.X"]})
    explain(machine)
    with pytest.raises(detent.ModelError):
        detent.move(machine)


@pytest.mark.parametrize("aside", [0.0, 1.0])
def test_two_reciprocal_lines_are_one_slide(aside):
    # A slider-crank whose slide is written as two lines; with `aside` 0 the line's marker lies on the pin.
    crank, rod = 1.0, math.hypot(3.0, 0.8)
    ground = {"O": [0, 0], "X": {"at": [0, 0], "along": [1, 0]}, "Q": [-3, 0]}
    parts = {
        "ground": {"fixed": True, "markers": ground},
        "crank": {"markers": {"O": [0, 0], "A": [0.6, 0.8]}},
        "rod": {"markers": {"A": [0.6, 0.8], "B": [3.6, 0]}},
        "slider": {"markers": {"B": [3.6, 0], "L": {"at": [3.6 + aside, 0], "along": [1, 0]}}},
    }
    between = {
        "O": ["revolute", "ground.O", "crank.O"],
        "A": ["revolute", "crank.A", "rod.A"],
        "B": ["revolute", "rod.B", "slider.B"],
        "s1": ["in_line", "ground.X", "slider.B"],
        "s2": ["in_line", "slider.L", "ground.Q"],
    }
    joints = {name: {"type": kind, "between": ends} for name, (kind, *ends) in between.items()}
    drives = {"d": {"joint": "O", "from_deg": 0, "to_deg": 360, "steps": 24}}
    machine = convert.mechanism({"parts": parts, "joints": joints, "drives": drives})
    motion = detent.move(machine)
    assert motion.certified.startswith("proved")
    angle = math.atan2(0.8, 0.6) + np.asarray(motion.inputs) - motion.inputs[0]
    stroke = crank * np.cos(angle) + np.sqrt(rod**2 - (crank * np.sin(angle)) ** 2)
    assert motion.markers["slider.B"][:, 0] == pytest.approx(stroke, abs=1e-12)
    assert motion.markers["slider.B"][:, 1] == pytest.approx(0.0, abs=1e-12)


def test_the_force_of_a_driven_marker_is_told_by_its_length():
    """A load on the driven marker is all that the drive carries; words and record say the same newtons."""
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0]}},
        "upper": {"markers": {"A": [0, 0], "B": [30, 0]}},
        "lower": {"markers": {"B": [30, 0], "P": [30, 40]}},
    }
    joints = {
        "A": {"type": "revolute", "between": ["ground.A", "upper.A"]},
        "B": {"type": "revolute", "between": ["upper.B", "lower.B"]},
    }
    document = {
        "units": "mm",
        "parts": parts,
        "joints": joints,
        "drives": {"tip": {"marker": "lower.P", "path": [[30, 40], [40, 30]], "steps": 5}},
        "ask": {"move": {"loads": {"lower.P": [6, -8]}}},
    }
    motion = detent.move(convert.mechanism(document))
    assert np.allclose(motion.forces["drive tip"], [-6, 8], atol=1e-9)
    assert "drive tip  up to 10 N" in motion.words
