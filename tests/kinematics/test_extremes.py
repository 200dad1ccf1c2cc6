"""Extremes between positions: against closed forms, and however few positions are asked for."""

import math

import numpy as np
import pytest

import detent
from detent.kinematics.paths import extremes_between, grid
from detent.library import linkages


def test_tops_between_the_places_are_found_to_rounding():
    # sin has its top at pi/2 and its bottom at 3 pi/2, which no place of the grid is.
    places = grid(6.0, places=24)
    found, line = extremes_between(lambda t: np.stack([np.sin(t), t], axis=1), places)
    assert found.greatest == pytest.approx(1.0, abs=1e-12)
    assert found.least == pytest.approx(-1.0, abs=1e-12)
    assert found.greatest_at == pytest.approx(math.pi / 2, abs=1e-5)
    assert (line.least, line.greatest, line.least_at, line.greatest_at) == (0.0, 6.0, 0.0, 6.0)


def test_what_is_not_a_number_does_not_count():
    (found,) = extremes_between(lambda t: np.where(t < 1, np.nan, 2 - t)[:, None], grid(3.0))
    assert found.greatest == pytest.approx(1.0, abs=1e-6)
    assert found.least == -1.0


def test_a_rocker_swings_as_far_as_its_closed_form_says_with_any_steps():
    ground, crank, coupler, rocker = 4.0, 1.0, 3.5, 3.0
    machine = linkages.four_bar(ground, crank, coupler, rocker)

    def angle(reach: float) -> float:
        return math.acos((rocker**2 + ground**2 - reach**2) / (2 * rocker * ground))

    swing = angle(coupler + crank) - angle(coupler - crank)

    def rocker_swing(steps: int) -> float:
        (name,) = machine.drives
        drive = detent.model.document.Drive(
            joint=machine.drives[name].joint, from_deg=0, to_deg=360, steps=steps
        )
        run = detent.predict(machine, drives={name: drive}).evidence
        part = run.system.parts.index("rocker")
        (found,) = extremes_between(lambda t: run.poses_at(t)[:, part, 2], grid(run.end))
        return found.greatest - found.least

    for steps in (3, 8, 72):
        assert rocker_swing(steps) == pytest.approx(swing, abs=1e-10)
