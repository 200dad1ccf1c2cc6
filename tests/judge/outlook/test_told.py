"""What an outlook tells of contacts, turns, moments and fading, beside closed forms and full runs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import detent
from detent.foundation import ModelError

HEAD = 'format = "detent/1"\nunits = "mm"\n'
CRADLE = f"""{HEAD}
gravity = [0, -9.81]
[parts.beam]
fixed = true
markers = {{ A = [0, 0], B = [20.5, 0] }}
[parts.left]
shape = {{ circle = 10, moves = [{{ move = [0, -120] }}] }}
markers = {{ A = [0, 0] }}
mass = 0.2
center = [0, -120]
inertia = 1e-5
[parts.right]
shape = {{ circle = 10, moves = [{{ move = [20.5, -120] }}] }}
markers = {{ B = [20.5, 0] }}
mass = 0.3
center = [20.5, -120]
inertia = 1.5e-5
[joints.A]
type = "revolute"
between = ["beam.A", "left.A"]
damping = 1e-4
[joints.B]
type = "revolute"
between = ["beam.B", "right.B"]
damping = 1e-4
[start]
A = {{ at_deg = -30 }}
[touching]
restitution = 0.8
[ask.run]
until = 3
"""
CAM = f"""{HEAD}
gravity = [0, -9.81]
[parts.frame]
fixed = true
markers = {{ A = [0, 0], B = [80, 0] }}
[parts.cam]
markers = {{ A = [0, 0] }}
shape = {{ circle = 15, moves = [{{ move = [4, 0] }}] }}
mass = 0.03
center = [4, 0]
inertia = 4e-6
[parts.arm]
markers = {{ B = [80, 0] }}
shape.outline = [[10, 19.2], [86, 6], [86, -6], [74, -6], [10, 16]]
mass = 0.06
center = [48, 7]
inertia = 4e-5
[joints.cam]
type = "revolute"
between = ["frame.A", "cam.A"]
[joints.arm]
type = "revolute"
between = ["frame.B", "arm.B"]
[drives.motor]
joint = "cam"
speed_deg = 240
[ask.run]
until = 4
"""
PENDULUM = """
format = "detent/1"
gravity = [0, -9.81]
[parts.wall]
fixed = true
markers = { A = [0, 0] }
[parts.bob]
markers = { A = [0, 0] }
mass = 1
center = [0, -0.95]
inertia = 0.02
[joints.A]
type = "revolute"
between = ["wall.A", "bob.A"]
[start]
A = { at_deg = 6 }
[ask.run]
until = 10
"""


def wheel(joint: str, asked: str = "") -> detent.Mechanism:
    return detent.loads(
        f"""{HEAD}
        [parts.plate]
        fixed = true
        markers = {{ A = [0, 0] }}
        [parts.wheel]
        markers = {{ A = [0, 0] }}
        inertia = 3e-7
        [joints.A]
        type = "revolute"
        between = ["plate.A", "wheel.A"]
        {joint}
        {asked}
        [ask.run]
        until = 2
        """
    )


def test_blows_that_rebound_at_once_are_contacts_of_the_pattern():
    machine = detent.loads(CRADLE)
    answer = detent.outlook(machine)
    assert answer.pattern is not None
    # The balls meet before the pattern, in it, and after it: that they do ends nothing.
    assert answer.verdict != "ends"
    assert answer.valid_until is None
    blows = [e.time for e in detent.run(machine, until=8).events if e.kind == "impact"]
    first, second = (contact.from_ for contact in answer.pattern.contacts)
    assert np.abs(np.diff(blows) - (second - first)).min() < 1e-4
    assert first + answer.pattern.duration - second == pytest.approx(0.32, abs=0.1)
    assert all(contact.to == contact.from_ for contact in answer.pattern.contacts)


def test_what_touches_all_the_time_is_told_from_the_begin_of_the_pattern_to_its_end():
    answer = detent.outlook(detent.loads(CAM))
    (contact,) = answer.pattern.contacts
    assert (contact.from_, contact.to) == (0.0, answer.pattern.duration)
    assert answer.pattern.duration == pytest.approx(1.5, rel=1e-6)


def test_turns_are_counted_each_though_a_step_is_longer():
    machine = wheel("damping = 7.5e-7", "[drives.motor]\njoint = 'A'\ntorque = 9e-6")
    answer = detent.outlook(machine, at=[60.0])
    # 12 rad/s at last; the angle is 12 (t - 0.4 (1 - exp(-t / 0.4))).
    assert (answer.verdict, answer.pattern.minima) == ("repeats", 1)
    assert answer.pattern.change["A"] == pytest.approx(2 * math.pi, rel=1e-9)
    assert answer.pattern.duration == pytest.approx(math.pi / 6, rel=1e-6)
    (moment,) = answer.moments
    assert abs(moment.state["A"] - 12 * 59.6) <= moment.error["A"] <= 1e-3


@pytest.mark.parametrize("time", [500.0, 36000.0, 100000.0])
def test_the_error_of_a_moment_far_ahead_covers_how_far_it_is_off(time):
    (moment,) = detent.outlook(detent.loads(PENDULUM), at=[time]).moments
    k = math.sin(math.radians(3))
    fast = math.sqrt(9.81 * 0.95 / (0.02 + 0.95**2))
    sine = ellipj(fast * time + ellipk(k * k), k * k)[0]
    off = abs(moment.state["A"] - 2 * math.asin(k * sine))
    assert off <= moment.error["A"] <= 1e-4 + 1e-7 * time
    assert moment.time_error > 0


def test_a_moment_before_the_pattern_is_found_is_after_as_many_as_there_were():
    answer = detent.outlook(detent.loads(CAM), at=[0.5, 3.0], pattern=[2, 7])
    early, later, second, seventh = answer.moments
    assert (early.pattern, later.pattern) == (0, 2)
    assert early.state["cam"] == pytest.approx(math.radians(120))
    assert seventh.time - second.time == pytest.approx(5 * 1.5, rel=1e-6)
    assert second.time <= 3.0 < second.time + 1.5
    assert "0.5 s, after pattern 0 (simulated)" in answer.words
    for asked, at in (({"at": [-5.0]}, "at"), ({"pattern": [0]}, "pattern")):
        with pytest.raises(ModelError) as refused:
            detent.outlook(detent.loads(CAM), **asked)
        assert refused.value.problems[0].at == at


def test_a_balance_in_air_fades_and_nothing_is_said_to_end_it():
    damping, inertia, stiffness = 4e-7, 3e-7, 4.7e-4
    machine = wheel(
        f"spring = {{ stiffness = {stiffness}, rest_deg = 15 }}\ndamping = {damping}",
        "[start]\nA = { at_deg = 200 }",
    )
    answer = detent.outlook(machine, at=[1.0, 1e4])
    assert (answer.verdict, answer.valid_until) == ("at_rest", None)
    assert "fades" in answer.reason
    assert "nothing moves" not in answer.words
    # 1e-8 of the kinetic energy, which falls with exp(-damping/inertia t).
    assert answer.since == pytest.approx(math.log(1e8) * inertia / damping, abs=0.2)
    soon, late = answer.moments
    fades, fast = damping / (2 * inertia), math.sqrt(stiffness / inertia - (damping / (2 * inertia)) ** 2)
    swing = math.radians(185) * math.exp(-fades) * (math.cos(fast) + fades / fast * math.sin(fast))
    assert soon.state["A"] == pytest.approx(math.radians(15) + swing, abs=2e-5)
    assert late.state["A"] == pytest.approx(math.radians(15), abs=1e-5)


def test_a_pendulum_with_its_gear_fades_without_a_contact():
    machine = detent.loads(
        f"""{HEAD}
        gravity = [0, -9.81]
        [parts.sun]
        fixed = true
        markers = {{ O = [0, 0] }}
        [parts.carrier]
        markers = {{ O = [0, 0], P = [45, 0] }}
        mass = 0.08
        center = [22, 0]
        inertia = 2e-5
        [parts.planet]
        markers = {{ P = [45, 0] }}
        mass = 0.12
        center = [50, 3]
        inertia = 1.5e-5
        [joints.O]
        type = "revolute"
        between = ["sun.O", "carrier.O"]
        damping = 3e-4
        [joints.P]
        type = "revolute"
        between = ["carrier.P", "planet.P"]
        [joints.mesh]
        type = "gear"
        between = ["sun", "planet"]
        ratio = -2
        [start]
        O = {{ at_deg = 10 }}
        [ask.run]
        until = 2
        """
    )
    answer = detent.outlook(machine)
    assert (answer.verdict, answer.valid_until) == ("at_rest", None)
    assert "stopped it" not in answer.words

    def height(a):
        planet = 45 * np.sin(a) + 5 * np.sin(3 * a) + 3 * np.cos(3 * a)
        return 0.08 * 22 * np.sin(a) + 0.12 * planet

    looked = np.linspace(answer.state["O"] - 0.2, answer.state["O"] + 0.2, 4001)
    assert looked[np.argmin(height(looked))] == pytest.approx(answer.state["O"], abs=2e-4)


def test_moments_of_a_machine_that_comes_to_rest_are_answered():
    machine = detent.loads(
        f"""{HEAD}
        gravity = [0, -9.81]
        [parts.table]
        fixed = true
        shape.outline = [[-100, -20], [1200, -20], [1200, 0], [-100, 0]]
        [parts.puck]
        shape.outline = [[-20, 0], [20, 0], [20, 10], [-20, 10]]
        mass = 0.25
        center = [0, 5]
        inertia = 4e-5
        [start]
        "puck.x" = {{ speed = 1300 }}
        [touching]
        friction = 0.31
        [ask.run]
        until = 1
        """
    )
    answer = detent.outlook(machine, at=[0.2, 10.0], pattern=[3])
    brake = 0.31 * 9.81
    assert (answer.verdict, answer.reason) == ("at_rest", "nothing moves any more")
    assert [moment.time for moment in answer.moments] == [0.2, 10.0]
    assert answer.moments[0].state["puck.x"] == pytest.approx(1300 * 0.2 - 500 * brake * 0.04, rel=1e-6)
    assert answer.moments[1].state["puck.x"] == pytest.approx(500 * 1.3**2 / brake, rel=1e-6)
    assert [(each.pattern, each.why) for each in answer.untold] == [(3, "no pattern was confirmed")]
    assert "puck.y 0 mm" in answer.words


STOPPED_GEAR = """
format = "detent/1"
units = "mm"
[parts.frame]
fixed = true
shape = { outline = [[55, 30], [65, 30], [65, 40], [55, 40]] }
[parts.drum]
inertia = 1e-4
shape.circle = 8
[parts.gear]
inertia = 1e-3
shape = { circle = 3, moves = [{ move = [60, -35] }] }
[joints.axle]
type = "revolute"
between = ["frame", "drum"]
at = [0, 0]
damping = 1e-3
[joints.slow]
type = "revolute"
between = ["frame", "gear"]
at = [60, 0]
[joints.mesh]
type = "gear"
between = ["drum", "gear"]
ratio = "-1/80"
[drives.motor]
joint = "axle"
torque = 0.01
"""


def test_turns_up_to_a_stop_are_whole_ones_from_the_start():
    """A pin 35 from its axis, of radius 3, goes up from below and meets an edge that is 5 beside the axis;
    the drum nears 10 rad/s within its inertia over its damping."""
    turned = 80 * (math.pi - math.asin(8 / 35))
    late = (1e-4 + 1e-3 / 80**2) / 1e-3
    answer = detent.outlook(detent.loads(STOPPED_GEAR))
    end = answer.valid_until
    assert end.patterns == math.floor(turned / (2 * math.pi)) == 37
    assert end.time == pytest.approx(turned / 10 + late, abs=1e-4)
    assert "meet in pattern 38" in answer.reason
    whys = [fact.statement for fact in answer.evidence if "none is complete" in fact.statement]
    assert whys
    assert all(why.endswith(" s") for why in whys)


def test_tensions_are_assumed_where_some_were_measured():
    def assumed(answer):
        return any("tensions" in each for each in answer.scope.assumed)

    assert assumed(detent.outlook("escapement"))
    assert not assumed(detent.outlook("ratchet"))
    assert not assumed(detent.outlook(detent.loads(STOPPED_GEAR)))


def test_a_swing_that_fades_is_not_told_one_change_per_pattern() -> None:
    """Damped: its two ends come in alike, one up, one down; one number would be that of either."""
    damped = """
format = "detent/1"
[parts.base]
fixed = true
[parts.balance]
inertia = 1
[joints.staff]
type = "revolute"
between = ["base", "balance"]
at = [0, 0]
damping = 0.02
spring = { stiffness = 1, rest_deg = 0 }
[start]
staff = { at_deg = 40 }
[ask.outlook]
until = 100
"""
    outlook = detent.outlook(detent.loads(damped))
    pattern = outlook.pattern
    assert pattern is not None
    ends = [math.degrees(phase.state["staff"]) for phase in pattern.phases]
    changes = [math.degrees(phase.change["staff"]) for phase in pattern.phases]
    assert changes == pytest.approx([end * (1 - math.exp(0.01 * pattern.duration)) for end in ends], rel=1e-3)
    assert f"staff  {min(changes):.6g}° to {max(changes):.6g}°, by mark" in outlook.words
