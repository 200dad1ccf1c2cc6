"""Stops at limits of joints beside closed forms: hit, held, let go, with the other contacts, in energy."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent
from detent.foundation import ModelError
from detent.motion import Rigid

G = 9.81
PENDULUM = f"""
units = "mm"
gravity = [0, -{G}]
[parts.ground]
fixed = true
[parts.bob]
mass = 2
center = [0, -300]
inertia = 0
[joints.pin]
type = "revolute"
between = ["ground", "bob"]
at = [0, 0]
limits = {{ min = -0.2 }}
[start]
pin = {{ at = 0.5 }}
"""


def ran(text: str, until: float, **more):
    document = detent.loads('format = "detent/1"\n' + text)
    return detent.run(document, until=until, method=Rigid(accuracy=1e-8), **more)


def assert_balanced(running, rel=1e-6):
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert np.ptp(total) < rel * max(1e-9, np.ptp(energy["stored"]) + energy["impact"][-1])


def test_a_pendulum_falls_on_its_stop_and_stays():
    running = ran(PENDULUM, 2.0)
    (hit,) = [event for event in running.events if event.kind == "limit"]
    assert (hit.joint, hit.subjects, hit.after) == ("pin", ("ground", "bob"), ("pin.min",))
    assert hit.coordinate == pytest.approx(-0.2)
    # By energy from 0.5 rad to -0.2, and the time by quadrature of it.
    speed = math.sqrt(2 * G / 0.3 * (math.cos(0.2) - math.cos(0.5)))
    assert hit.impulse == pytest.approx(2 * 0.3**2 * speed, rel=1e-6)
    from scipy.integrate import solve_ivp

    falls = solve_ivp(
        lambda t, y: [y[1], -G / 0.3 * math.sin(y[0])], (0, 2), [0.5, 0],
        events=lambda t, y: y[0] + 0.2, rtol=1e-11, atol=1e-12,
    )  # fmt: skip
    assert hit.time == pytest.approx(falls.t_events[0][0], abs=1e-7)
    # It is thrown back by its weight: the stop lets go at once, since it does not pull.
    assert [event.kind for event in running.events][:2] == ["limit", "release"]
    assert running.states["pin"].min() > -0.2 - 1e-9
    assert running.energy["impact"][-1] == pytest.approx(0.5 * 2 * 0.09 * speed**2, rel=1e-6)
    assert_balanced(running)


def test_a_pendulum_that_is_pushed_onto_its_stop_is_held_there():
    running = ran(PENDULUM.replace("min = -0.2", "max = 0.9, min = 0.3"), 2.0)
    assert running.states["pin"][-1] == pytest.approx(0.3, abs=1e-9)
    assert running.forces["pin.min"][-1] == pytest.approx(2 * G * 0.3 * math.sin(0.3), rel=1e-6)  # [N m]
    assert not [event for event in running.events if event.kind == "release"]
    assert len([event for event in running.events if event.kind == "limit"]) == 1
    assert_balanced(running)


SLIDER = """
units = "mm"
[parts.rail]
fixed = true
[parts.slider]
mass = 0.5
center = [0, 0]
inertia = 1e-5
[joints.guide]
type = "prismatic"
between = ["rail", "slider"]
at = [0, 0]
along = [1, 0]
spring = { stiffness = 200, rest = 40 }
limits = { max = 25 }
"""


def test_a_slider_on_a_spring_hits_its_stop_and_is_pressed_onto_it():
    running = ran(SLIDER, 0.5)
    (hit,) = running.events
    rate = math.sqrt(200 / 0.5)
    assert hit.time == pytest.approx(math.acos(1 - 25 / 40) / rate, abs=1e-9)
    assert hit.coordinate == pytest.approx(25)
    assert hit.coordinate_unit == "mm"
    speed = 0.040 * rate * math.sin(rate * hit.time)
    assert hit.impulse == pytest.approx(0.5 * speed, rel=1e-7)
    assert running.states["guide"][-1] == pytest.approx(25, abs=1e-7)
    assert running.forces["guide.max"][-1] == pytest.approx(200 * 0.015, rel=1e-8)
    assert_balanced(running)


def test_a_preloaded_pawl_leaves_its_stop_when_a_wheel_lifts_it_and_comes_back():
    running = ran(
        """
        units = "mm"
        [parts.frame]
        fixed = true
        [parts.pawl]
        shape = { outline = [[0, -1], [30, -1], [30, 1], [0, 1]] }
        inertia = 1e-6
        [parts.cam]
        shape = { outline = [[-12, -2], [12, -2], [12, 2], [-12, 2]] }
        pose = { at = [25, 14], turn_deg = 0 }
        inertia = 1e-4
        [joints.pawl]
        type = "revolute"
        between = ["frame", "pawl"]
        at = [0, 0]
        spring = { stiffness = 0.05, rest = 0.5 }
        limits = { max = 0.1 }
        [joints.cam]
        type = "revolute"
        between = ["frame", "cam"]
        at = [25, 14]
        [drives.turn]
        joint = "cam"
        speed = 3
        [touching]
        friction = 0
        """,
        4.0,
    )
    pawl = running.states["pawl"]
    assert pawl.max() < 0.1 + 1e-9
    assert pawl.min() < 0.02  # pressed down by the cam
    kinds = [event.kind for event in running.events if event.joint == "pawl"]
    assert kinds[:3] == ["limit", "release", "limit"]
    assert kinds == ["limit", "release"] * (len(kinds) // 2) + ["limit"] * (len(kinds) % 2)
    assert_balanced(running, 1e-5)


TRAIN = """
units = "mm"
[parts.frame]
fixed = true
[parts.wheel]
inertia = 0.004
[parts.pinion]
inertia = 0.001
[joints.a]
type = "revolute"
between = ["frame", "wheel"]
at = [0, 0]
[joints.b]
type = "revolute"
between = ["frame", "pinion"]
at = [40, 0]
limits = { min = -6 }
[joints.mesh]
type = "gear"
between = ["wheel", "pinion"]
ratio = -3
[drives.spin]
joint = "a"
torque = 0.13
"""


def test_a_stop_at_the_last_wheel_of_a_train_stops_the_train():
    running = ran(TRAIN, 2.0)
    rate, (hit,) = 0.13 / (0.004 + 9 * 0.001), running.events
    assert hit.time == pytest.approx(math.sqrt(2 * 2 / rate), rel=1e-9)
    assert hit.impulse == pytest.approx((0.004 + 9 * 0.001) * rate * hit.time / 3, rel=1e-9)
    assert running.states["a"][-1] == pytest.approx(2, abs=1e-9)
    assert running.forces["b.min"][-1] == pytest.approx(0.13 / 3, rel=1e-9)
    assert_balanced(running)


def test_a_stop_of_a_joint_that_closes_a_loop_holds():
    """A parallelogram: its last joint measures what the first does, and stops at the same place."""
    bars = f"""
    units = "m"
    gravity = [0, -{G}]
    [parts.ground]
    fixed = true
    markers = {{ A = [0, 0], D = [1, 0] }}
    [parts.left]
    markers = {{ A = [0, 0], B = [0, 0.5] }}
    mass = 1
    center = [0, 0.25]
    inertia = 0.02
    [parts.coupler]
    pose = {{ at = [0, 0.5] }}
    markers = {{ B = [0, 0], C = [1, 0] }}
    mass = 1
    center = [0.5, 0]
    inertia = 0.1
    [parts.right]
    pose = {{ at = [1, 0] }}
    markers = {{ D = [0, 0], C = [0, 0.5] }}
    mass = 1
    center = [0, 0.25]
    inertia = 0.02
    [joints.A]
    type = "revolute"
    between = ["ground.A", "left.A"]
    [joints.B]
    type = "revolute"
    between = ["left.B", "coupler.B"]
    [joints.D]
    type = "revolute"
    between = ["ground.D", "right.D"]
    [joints.C]
    type = "revolute"
    between = ["coupler.C", "right.C"]
    [start]
    A = {{ speed = -0.5 }}
    """
    # C turns as A does, B the other way, so that its range is C's turned round.
    first = ran(bars.replace("[joints.B]", "limits = { min = -1.2 }\n[joints.B]"), 1.5)
    last = ran(bars.replace("[start]", "limits = { min = -1.2 }\n[start]"), 1.5)
    (one,), (other,) = first.events, last.events
    assert (one.joint, other.joint) == ("A", "C")
    assert one.time == pytest.approx(other.time, abs=1e-8)
    assert last.states["A"][-1] == pytest.approx(-1.2, abs=1e-8)
    assert first.forces["A.min"][-1] == pytest.approx(last.forces["C.min"][-1], rel=1e-6)
    assert_balanced(last)


def test_a_start_beyond_a_limit_is_refused_by_name():
    with pytest.raises(ModelError) as caught:
        ran(PENDULUM.replace("min = -0.2", "max = 0.3"), 1.0)
    (problem,) = caught.value.problems
    assert problem.at == "joints.pin.limits"
    assert "28.6479°" in problem.problem
    assert problem.remedy


EVEN = """
units = "mm"
[parts.rail]
fixed = true
[parts.slider]
mass = 0.1
center = [0, 0]
inertia = 1e-5
[joints.slide]
type = "prismatic"
between = ["rail", "slider"]
at = [0, 0]
along = [1, 0]
limits = { max = 200 }
[start]
slide = { speed = SPEED }
"""


@pytest.mark.parametrize(("speed", "until"), [(722, 1), (1000, 1), (300, 3), (722, 2), (500, 7), (333, 11)])
def test_a_stop_is_met_on_time_by_what_moves_evenly(speed, until):
    # Nothing pushes: what bounds its second rate is rounding, and the stop is met at 200 mm over the speed.
    running = detent.run(
        detent.loads('format = "detent/1"' + EVEN.replace("SPEED", str(speed))),
        until=until,
        every=until / 1000,
    )
    assert running.stop.cause == "done"
    (hit,) = running.events
    assert (hit.kind, hit.joint) == ("limit", "slide")
    assert hit.time == pytest.approx(200 / speed, rel=1e-9)
    assert hit.impulse == pytest.approx(0.1 * speed / 1000, rel=1e-9)
    assert running.ranges["slide"][1] == pytest.approx(200, abs=1e-6)
    assert running.states["slide"].max() < 200 + 1e-6


def test_a_drive_that_leads_a_joint_onto_its_stop_is_blocked_there():
    text = """
units = "mm"
[parts.ground]
fixed = true
[parts.arm]
inertia = 1e-4
[joints.pin]
type = "revolute"
between = ["ground", "arm"]
at = [0, 0]
limits = { min_deg = -10, max_deg = 45 }
[drives.motor]
joint = "pin"
speed_deg = 60
"""
    running = detent.run(detent.loads('format = "detent/1"' + text), until=2)
    assert running.stop.cause == "blocked"
    assert "pin is at its limit" in running.stop.detail
    assert running.stop.time == pytest.approx(0.75, rel=1e-9)
    assert running.states["pin"][-1] == pytest.approx(math.radians(45), rel=1e-9)


@pytest.mark.parametrize("friction", [0, 0.3])
def test_a_stop_shares_what_pushes_onto_it_with_friction_that_holds(friction):
    """A spring presses a bolt onto its stop with 0.8 N; its slide carries 0.5 N, and may hold 0.15."""
    joint = {
        "type": "prismatic",
        "between": ["plate.S", "bolt.S"],
        "limits": {"max": 12},
        "spring": {"stiffness": 100, "rest": 20},
    }
    if friction:
        joint["friction"] = {"coefficient": friction}
    markers = {"S": {"at": [0, 0], "along": [1, 0]}}
    data = {
        "units": "mm",
        "gravity": [0, -10],
        "parts": {
            "plate": {"fixed": True, "markers": markers},
            "bolt": {"mass": 0.05, "center": [0, 0], "inertia": 1e-5, "markers": markers},
        },
        "joints": {"slide": joint},
    }
    running = detent.run(detent.from_dict(data), until=0.1)
    assert 0.8 - friction * 0.5 - 1e-9 <= running.forces["slide.max"][-1] <= 0.8 + 1e-9
    told = [note for note in running.notes if "more than one way" in note]
    who = "stop slide.max and friction of slide at rest"  # one stop alone shares with nobody
    assert [note.partition(" share ")[0] for note in told] == ([who] if friction else [])
