"""Teeth of gears on moving carriers load the bearings of their wheels: Newton's and Euler's laws by hand."""

from __future__ import annotations

import pytest

import detent
from detent.motion import Penalty, Rigid

# Sun, planet and ring of pitch radii 20, 10 and 40 mm; the ring is fast. A spring turns the carrier.
EPICYCLIC = """
format = "detent/1"
units = "mm"
[parts.ring]
fixed = true
[parts.sun]
mass = 0.1
center = [0, 0]
inertia = 1e-4
[parts.carrier]
mass = 0.3
center = [0, 0]
inertia = 4e-4
[parts.planet]
mass = 0.2
center = [30, 0]
inertia = 2e-5
[joints.sun]
type = "revolute"
between = ["ring", "SUN_ON"]
at = [0, 0]
[joints.carrier]
type = "revolute"
between = ["ring", "carrier"]
at = [0, 0]
spring = { stiffness = 0.5, rest = 0.5 }
[joints.planet]
type = "revolute"
between = ["carrier", "planet"]
at = [30, 0]
[joints.inner]
type = "gear"
between = ["sun", "planet"]
ratio = -2
[joints.outer]
type = "gear"
between = ["planet", "ring"]
ratio = "1/4"
"""
SHAFT = """
[parts.shaft]
mass = 0.05
center = [0, 0]
inertia = INERTIA
[joints.key]
type = "fixed"
between = ["shaft", "sun"]
at = [0, 0]
"""


@pytest.mark.parametrize("method", [Rigid(), Penalty()])
@pytest.mark.parametrize("shaft", [None, 3e-5])
def test_teeth_of_a_sun_and_its_planet_load_three_bearings(method, shaft):
    """Willis: where the ring is fast the sun turns 3 times as fast as the carrier, the planet -3 times."""
    text = EPICYCLIC.replace("SUN_ON", "sun" if shaft is None else "shaft")
    if shaft is not None:
        text += SHAFT.replace("INERTIA", str(shaft))
    running = detent.run(detent.loads(text), until=0.01, method=method)
    of_sun = 1e-4 + (shaft or 0.0)
    rate = 0.25 / (9 * of_sun + 4e-4 + 0.2 * 0.03**2 + 9 * 2e-5)
    inner = 3 * rate * of_sun / 0.02
    outer = inner + 3 * rate * 2e-5 / 0.01
    pin = inner + outer + 0.2 * 0.03 * rate
    first = {name: rows[0] for name, rows in running.reactions.items()}
    assert first["inner"] == pytest.approx([0, -inner, 0.01 * inner], rel=1e-6)
    assert first["sun"] == pytest.approx([0, -inner, 0], rel=1e-6, abs=1e-9)
    assert first["planet"] == pytest.approx([0, pin, 0], rel=1e-6, abs=1e-9)
    assert first["carrier"] == pytest.approx([0, pin, 0.25], rel=1e-6)
    assert not any("told as torques" in words for words in running.scope.left_out)


# Minute and hour hand on one axis; a wheel on a rocker of its own, which no part of the other carries.
HANDS = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
[parts.minute]
inertia = 1e-4
[parts.hour]
inertia = 2e-4
[joints.minute]
type = "revolute"
between = ["frame", "minute"]
at = [0, 0]
spring = { stiffness = 0.5, rest = 0.5 }
[joints.hour]
type = "revolute"
between = ["frame", "hour"]
at = [PLACE, 0]
[joints.works]
type = "gear"
between = ["minute", "hour"]
ratio = "1/12"
"""


def test_a_gear_whose_teeth_have_no_place_is_named():
    """Two wheels about one axis: their teeth push on others that are not in the document."""
    one_axis = detent.run(detent.loads(HANDS.replace("PLACE", "0")), until=0.01)
    named = [words for words in one_axis.scope.left_out if "told as torques" in words]
    assert len(named) == 1
    assert "works" in named[0]
    rate = 0.25 / (1e-4 + 2e-4 / 144)
    assert one_axis.reactions["works"][0] == pytest.approx([0, 0, 2e-4 * rate / 12], rel=1e-6)
    apart = detent.run(detent.loads(HANDS.replace("PLACE", "11")), until=0.01)
    assert not any("told as torques" in words for words in apart.scope.left_out)
    assert abs(apart.reactions["works"][0][1]) == pytest.approx(2e-4 * rate / 12 / 0.012, rel=1e-6)
