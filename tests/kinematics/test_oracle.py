"""The oracle itself, against reference documents and closed forms that share nothing with it."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import detent
from detent.library import linkages, mechedit
from tests.conftest import REFERENCE
from tests.kinematics.closed_forms import four_bar_limits, freudenstein, piston
from tests.kinematics.oracle import BrokenError, Oracle

LINKAGES = REFERENCE / "linkages"
# The references carry 15 digits of the drawing, which the linkage magnifies a little.
AS_PRINTED = 2e-13


def moved_references() -> list[str]:
    return [
        path.name
        for path in sorted(LINKAGES.glob("*.expected.json"))
        if "markers" in json.loads(path.read_text())["move"]
    ]


@pytest.mark.parametrize("name", moved_references())
def test_the_oracle_gives_the_reference_positions(name):
    expected = json.loads((LINKAGES / name).read_text())
    oracle = Oracle(detent.load(LINKAGES / expected["document"]))
    positions = oracle.sweep(expected["move"]["inputs"])
    for marker, points in expected["move"]["markers"].items():
        assert np.abs(positions[marker] - points).max() < AS_PRINTED * oracle.size
    assert oracle.error < 1e-12
    assert oracle.mobility() == expected["explain"]["mobility"]["actual"]


def test_the_oracle_obeys_freudensteins_equation_on_both_branches():
    for crossed in (False, True):
        oracle = Oracle(linkages.four_bar(4, 1, 3.5, 3, at_deg=0, crossed=crossed))
        for theta in np.linspace(0, math.tau, 24):
            positions = oracle.to(theta)
            psi = math.atan2(positions["rocker.C"][1], positions["rocker.C"][0] - 4)
            assert abs(freudenstein(4, 1, 3.5, 3, theta, psi)) < 1e-13


def test_the_oracle_gives_the_pistons_travel():
    for offset in (0, 0.4):
        theta = np.linspace(0, math.tau, 25)
        positions = Oracle(linkages.slider_crank(1, 3, offset=offset, at_deg=0)).sweep(theta)
        assert np.abs(positions["piston.S"][:, 0] - piston(1, 3, offset, theta)).max() < 1e-13


@pytest.mark.parametrize(("nudge", "closes"), [(-1e-5, True), (+1e-5, False)])
def test_the_oracle_stops_exactly_where_coupler_and_rocker_come_in_line(nudge, closes):
    drawn = math.radians(40)
    limit = four_bar_limits(3, 2.5, 1, 2)[1]
    oracle = Oracle(mechedit.fig15())
    if closes:
        oracle.to(limit + nudge - drawn)
    else:
        with pytest.raises(BrokenError):
            oracle.to(limit + nudge - drawn)


def test_the_oracle_does_not_pass_the_break_of_two_degrees():
    oracle = Oracle(mechedit.fig22())
    with pytest.raises(BrokenError):
        oracle.to(math.radians(182 - 40))
    assert math.degrees(oracle.limit()) + 40 == pytest.approx(179, abs=1e-10)


def test_the_oracles_rates_are_the_differences_of_its_positions():
    oracle = Oracle(linkages.quick_return())
    h = 1e-5
    before, after = oracle.to(0.3 - h), oracle.to(0.3 + h)
    oracle.to(0.3)
    for name, velocity in oracle.velocities().items():
        difference = (np.array(after[name]) - before[name]) / (2 * h)
        assert velocity == pytest.approx(difference, abs=1e-8)
