"""The published escapement by the penalty method (Gelsey 1995, Figs. 12 and 13), joints written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import detent
from detent.motion import Penalty

DOCUMENT = Path(__file__).with_name("escapement.toml")


def _run(until: float, **choices):
    stiffness = choices.pop("stiffness", 1e5)
    method = Penalty(stiffness, 10 * stiffness, **choices)
    return detent.predict(detent.load(DOCUMENT), method=method, until=until)


def test_outlines_tick_as_the_prototype():
    """Minima of a prototype in another integrator: 3.681, 7.379, 11.066, 14.763; a pattern turns the wheel
    by a tooth."""
    run = _run(15.5)
    minima = np.array(run.evidence.energy_minima)
    assert minima == pytest.approx([3.681, 7.379, 11.066, 14.763], abs=0.002)
    wheel = np.degrees(run.evidence.along.at(minima).coordinates["ewheel"])
    assert wheel[2:] - wheel[:-2] == pytest.approx([-36.0, -36.0], abs=0.01)
    energy = run.trajectory.energy
    assert (
        np.abs(energy["stored"] - energy["stored"][0] + energy["dissipated"]).max()
        < 1e-4 * energy["dissipated"][-1]
    )


def test_primitives_meet_first_as_the_seed_has_them():
    events = _run(1.9, features="primitives").trajectory.events
    starts = [
        (round(e.time, 3), set(e.subjects))
        for e in events
        if e.kind == "contact" and ".v3:" not in e.after[0]
    ]
    assert starts[:4] == [
        (0.027, {"lever", "ewheel"}),
        (0.036, {"lever", "frame"}),
        (1.822, {"lever", "bwheel"}),
        (1.896, {"lever", "ewheel"}),
    ]


def test_primitives_tick_with_the_seeds_period():
    minima = np.array(_run(15.5, features="primitives").evidence.energy_minima)
    assert len(minima) == 4
    assert minima[2:] - minima[:-2] == pytest.approx([7.476, 7.476], abs=0.005)


def test_too_soft_a_contact_jams():
    run = _run(15.5, stiffness=1e4)
    wheel = np.degrees(run.trajectory.coordinates["ewheel"])
    assert wheel[-1] > -40.0
    assert abs(wheel[-1] - wheel[len(wheel) * 2 // 3]) < 0.5


def test_no_more_steps_than_the_seed():
    assert _run(37.0).evidence.steps <= 3942
