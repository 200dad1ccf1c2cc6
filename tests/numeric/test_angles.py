"""Whole turns against directions, which do not change by them."""

from __future__ import annotations

import cmath
import math

import numpy as np
import pytest

from detent.numeric import continued, whole_turns


@pytest.mark.parametrize("seed", range(20))
def test_an_angle_continued_has_its_direction_and_lies_within_half_a_turn(seed):
    rng = np.random.default_rng(seed)
    angle, near = rng.uniform(-50, 50, 2).tolist()
    gone_on = continued(angle, near)
    assert abs(gone_on - near) <= math.pi + 1e-12
    assert cmath.exp(1j * gone_on) == pytest.approx(cmath.exp(1j * angle), abs=1e-13)


@pytest.mark.parametrize(("angle", "turns"), [(math.pi - 1e-9, 0), (math.pi + 1e-9, 1), (-4 * math.pi, -2)])
def test_turns_are_counted_to_the_nearest(angle, turns):
    assert whole_turns(angle) == 2 * math.pi * turns


def test_many_angles_are_counted_as_each_alone():
    angles = np.linspace(-30, 30, 61)
    assert whole_turns(angles).tolist() == [whole_turns(float(a)) for a in angles]
