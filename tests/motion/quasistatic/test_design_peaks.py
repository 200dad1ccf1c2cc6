"""Peak forces of many designs beside those of the exact sweep, design by design."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.model.reading import mechanism
from detent.motion import decide
from detent.motion.quasistatic.floats import decided_exactly
from tests.prove.fasteners import document

PAWL = [[-37, 40], [-33, 40], [-21, 50], [-33, 54], [-33, 98], [-23, 98], [-23, 102], [-37, 102]]
BAR = [[-30, 0], [30, 0], [30, 10], [-30, 10]]
HINGE, STIFFNESS, LASTS = (-25, 100), 2.0, 85


def _pawls(count: int, wide: float) -> np.ndarray:
    return np.array(PAWL) + np.random.default_rng(7).normal(0, wide, (count, 8, 2)).round(3)


def test_peaks_in_and_out_are_those_of_the_exact_sweep() -> None:
    frictions = np.array([0.0, 0.1, 0.2, 0.5, 1.0, 2.0] * 2)
    pawls = _pawls(len(frictions), 0.4)
    ends = decide(
        *(pawls, BAR),
        hinges=HINGE,
        velocities=(0, -1),
        durations=LASTS,
        frictions=frictions,
        stiffnesses=STIFFNESS,
    )
    for i, friction in enumerate(frictions.tolist()):
        outline = [[str(c) for c in point] for point in pawls[i].tolist()]
        legs = [{"velocity": [0, -1], "for": LASTS}, {"back": True}]
        made = document(outline, [BAR], str(friction), legs)
        made["joints"]["hinge"] |= {"at": list(HINGE), "spring": {"stiffness": STIFFNESS}}
        into, out = detent.mate(mechanism(made)).legs
        assert ends.causes[i] == into.end.cause
        assert ends.peaks_in[i] == pytest.approx(into.force.peak, rel=1e-9)
        if into.end.cause == "done":
            assert ends.batch["cause_out"][i] == out.end.cause
            assert ends.peaks_out[i] == pytest.approx(out.force.peak, rel=1e-9)
        else:
            assert math.isnan(ends.peaks_out[i])
    assert math.inf in ends.peaks_in  # with much friction it sticks
    assert np.isfinite(ends.peaks_out).any()


def test_a_design_by_exact_arithmetic_has_the_same_row() -> None:
    """What decides where the filter doubts, asked where it does not."""
    pawls = _pawls(4, 0.4)
    ends = decide(
        *(pawls, BAR), hinges=HINGE, velocities=(0, -1), durations=LASTS, frictions=0.1, stiffnesses=STIFFNESS
    )
    assert not len(ends.exact)
    for i, pawl in enumerate(pawls):
        row = decided_exactly(pawl, np.array(BAR), HINGE, (0.0, -1.0), LASTS, 0.1, STIFFNESS)
        told = [ends.times[i], ends.angles[i], ends.events[i], ends.largest_angles[i], ends.peaks_in[i]]
        assert row[1:6] == pytest.approx(told, rel=1e-9, abs=1e-12)
        assert row[7] == pytest.approx(ends.peaks_out[i], rel=1e-9)


def test_without_a_stiffness_there_are_no_forces() -> None:
    ends = decide(PAWL, BAR, hinges=HINGE, velocities=(0, -1), durations=LASTS)
    assert "peak_in" not in ends.batch.columns
    assert np.isnan([*ends.peaks_in, *ends.peaks_out]).all()


def test_beside_designs_with_a_stiffness_one_without_has_no_forces() -> None:
    """It had a peak of 0 where it sticks, and a way out that was not looked at."""
    frictions, stiffnesses = [0.1, 0.1, 3.0, 3.0], [0, STIFFNESS, 0, STIFFNESS]
    ends = decide(
        *(PAWL, BAR),
        hinges=HINGE,
        velocities=(0, -1),
        durations=LASTS,
        frictions=frictions,
        stiffnesses=stiffnesses,
    )
    assert ends.causes == ["done", "done", "stick", "stick"]
    assert np.isnan(ends.peaks_in).tolist() == [True, False, True, False]
    assert ends.peaks_in[3] == math.inf
    assert np.isnan(ends.peaks_out).tolist() == [True, False, True, True]
    assert ends.batch["cause_out"].tolist() == ["", "done", "", ""]


def test_columns_of_the_table_have_their_units():
    ends = decide(PAWL, BAR, hinges=HINGE, velocities=(0, -1), durations=LASTS, stiffnesses=1.0)
    header = ends.batch.to_csv().splitlines()[0].split(",")
    assert header[:6] == ["design", "cause", "time [s]", "angle [rad]", "events", "largest_angle [rad]"]
    assert {"peak_in", "peak_out"} <= set(header)  # in whatever the stiffness is per length of the outlines
    assert ends.batch.units == {"time": "s", "angle": "rad", "largest_angle": "rad"}
