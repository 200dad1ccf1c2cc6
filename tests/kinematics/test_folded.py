"""A kite at its folded pose, where both centres of its dyad are one point: it closes, and goes on."""

import math

import numpy as np
import pytest

import detent
from detent.model.reading import convert

SHORT, LONG = 1.0, 2.0


def apex(angle):
    """The far corner, on the bisector of the two short links."""
    along = SHORT * math.cos(angle / 2) + math.sqrt(LONG**2 - (SHORT * math.sin(angle / 2)) ** 2)
    return along * math.cos(angle / 2), along * math.sin(angle / 2)


def kite(drawn_deg, from_deg, to_deg):
    drawn = math.radians(drawn_deg)
    tip, far = [math.cos(drawn), math.sin(drawn)], list(apex(drawn))
    parts = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [SHORT, 0]}},
        "crank": {"markers": {"A": [0, 0], "C": tip}},
        "coupler": {"markers": {"C": tip, "P": far}},
        "rocker": {"markers": {"D": [SHORT, 0], "P": far}},
    }
    ends = {"A": "ground crank", "C": "crank coupler", "P": "coupler rocker", "D": "ground rocker"}
    joints = {
        name: {"type": "revolute", "between": [f"{part}.{name}" for part in both.split()]}
        for name, both in ends.items()
    }
    drives = {"d": {"joint": "A", "from_deg": from_deg, "to_deg": to_deg, "steps": 6}}
    return convert.mechanism({"parts": parts, "joints": joints, "drives": drives})


@pytest.mark.parametrize(("drawn", "start", "end"), [(60, -60, 30), (60, 30, -60), (60, -90, 30)])
def test_a_kite_passes_or_begins_or_ends_at_its_fold(drawn, start, end):
    motion = detent.move(kite(drawn, start, end))
    assert motion.stop == "done"
    angles = math.radians(drawn) + np.asarray(motion.inputs)
    assert motion.markers["coupler.P"] == pytest.approx(np.array([apex(t) for t in angles]), abs=1e-9)


def test_a_kite_drawn_at_its_fold_moves_and_is_not_called_proved():
    motion = detent.move(kite(0, 0, 90))
    assert motion.stop == "done"
    assert len(motion.inputs) == 7
    assert motion.markers["coupler.P"][0] == pytest.approx([SHORT + LONG, 0.0], abs=1e-9)
    assert not motion.certified.startswith("proved")
