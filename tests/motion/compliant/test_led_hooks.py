"""A hook that a carrier is led onto: its law of place and velocity, and the slow limit of the whole run."""

from __future__ import annotations

import numpy as np
import pytest

import detent
from detent.motion.compliant.connections import connections_of
from detent.motion.leading.plan import plan_of

# A keel along the push meets the hook in one point; the carrier is stiff beside the hook.
HOOK = """
format = "detent/1"
units = "mm"
dimension = 3

[parts.base]
fixed = true

[parts.hook]
shape = { prism = { outline = [[1, 0], [12, 0], [12, 0.5], [4, 3.5], [2.5, 3.5]], height = 4 }, moves = [
  { turn_deg = 90, about = "x" }, { move = [0, 2, 0] },
] }

[parts.keel]
shape = { prism = { outline = [[0, 1], [3, 3], [3, 5], [-3, 5], [-3, 3]], height = 6 }, moves = [
  { turn_deg = 90, about = "x" }, { turn_deg = 90, about = "z" }, { move = [14, 0, 0] },
] }
mass = 0.05
center = [17, 0, 3]
principal = [1e-5, 1e-5, 1e-5]
markers.grip = [17, 0, 3]

[joints.beam]
type = "elastic"
between = ["base", "hook"]
at = [0, 0, 0]
beam = { length = 40, height = [5, 2.7], width = 20, modulus = 2.7e9 }

[touching]
friction = 0.25
smooth = 0.5
"""
PUSHED = """
[drives.push]
part = "keel"
legs = [{ velocity = [-20, 0, 0], distance = 7 }]
"""
LED = """
[parts.robot]
library = "carrier"
pose.at = [17, 0, 3]
set = { stiffness = [1e6, 1e6, 1e6, 500, 500, 500], mass = 1, principal = [0.01, 0.01, 0.01] }

[joints.hold]
type = "fixed"
between = ["robot.flange", "keel.grip"]

[drives.push]
marker = "robot.flange"
legs = [{ velocity = [-20, 0, 0], distance = 7 }]

[ask.mate]
until = 0.35
"""


def law_and_place(shift: float):  # type: ignore[no-untyped-def]
    plan = plan_of(detent.loads(HOOK + PUSHED))
    (hook,) = connections_of(plan)
    place = plan.frame("keel")
    place[0, 3] -= shift
    return hook.law.smoothed(5e-4), place


def walked(law, place, velocity, ways):  # type: ignore[no-untyped-def]
    load = None
    for way in ways:
        here = place.copy()
        here[0, 3] -= way
        load = law.load(here, velocity, load)
    return load


def test_far_above_the_smoothing_speed_the_law_is_the_quasi_static_push() -> None:
    law, place = law_and_place(0.0)
    load = walked(law, place, np.array([-0.02, 0, 0, 0, 0, 0]), np.linspace(0, 7e-3, 15))
    push = detent.mate(detent.loads(HOOK + PUSHED)).legs[0].force.peak_push
    assert load.force[0] == pytest.approx(push, rel=1e-6)


def test_at_rest_there_is_no_friction_and_moving_back_turns_it_round() -> None:
    law, place = law_and_place(0.0)
    loads = [
        walked(law, place, np.array([v, 0, 0, 0, 0, 0]), np.linspace(0, 7e-3, 15)).force
        for v in (-0.02, 0.0, 0.02)
    ]
    pushes = [load[0] for load in loads]
    assert pushes[0] > pushes[1] > pushes[2]
    friction_free = HOOK.replace("friction = 0.25", "friction = 0")
    push = detent.mate(detent.loads(friction_free + PUSHED)).legs[0].force.peak_push
    assert pushes[1] == pytest.approx(push, rel=1e-6)


def test_a_counterpart_that_turns_a_little_meets_the_hook_where_its_corner_goes() -> None:
    """About y, by 1 mrad: the keel's first corner sinks by its distance from the origin."""
    law, place = law_and_place(0.0)
    still = np.zeros(6)
    straight = walked(law, place, still, np.linspace(0, 6e-3, 13))
    angle, corner = 1e-3, np.array([14e-3, 0.0, 1e-3])
    turn = np.array([[np.cos(angle), 0, np.sin(angle)], [0, 1, 0], [-np.sin(angle), 0, np.cos(angle)]])
    here = place.copy()
    here[0, 3] -= 6e-3
    here[:3, :3] = turn
    turned = law.load(here, still, straight)
    moved = place.copy()
    moved[:3, 3] += turn @ corner - corner - [6e-3, 0, 0]
    same = law.load(moved, still, straight)
    assert np.allclose(turned.force, same.force, rtol=1e-6)
    assert abs(turned.force[0] / straight.force[0] - 1) > 1e-3


def test_led_slowly_by_a_stiff_carrier_the_ramp_takes_the_quasi_static_force() -> None:
    """The carrier gives way by its load over its stiffness: 2 % of the hook's deflection."""
    led = detent.mate(detent.loads(HOOK + LED))
    columns = led.columns()
    travel, push = columns["travel [mm]"], columns["push [N]"]
    rows = np.array(detent.mate(detent.loads(HOOK + PUSHED)).legs[0].force.curve_travel_push_lift)
    settled = (travel > 4.5) & (travel < 6.8)
    expected = np.interp(travel[settled], rows[:, 0], rows[:, 1])
    assert settled.sum() > 100
    assert np.abs(push[settled] / expected - 1).max() < 0.03
    assert led.legs[0].contact_sequence == ((), ("keel/0.f0+0.f4+0.f5:hook/0.f2",))
