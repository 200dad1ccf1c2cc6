"""Drives over time: through positions at a speed, then held; in legs; along a path; blocked."""

from __future__ import annotations

import math
import tracemalloc

import numpy as np
import pytest

import detent
from detent.foundation import UnsupportedError
from detent.motion import Rigid

G = 9.81
ARM = f"""
units = "mm"
gravity = [0, -{G}]
[parts.ground]
fixed = true
[parts.arm]
mass = 2
center = [500, 0]
inertia = 0.1
[joints.pin]
type = "revolute"
between = ["ground", "arm"]
at = [0, 0]
[drives.turn]
joint = "pin"
"""
CART = """
units = "mm"
[parts.rail]
fixed = true
[parts.cart]
mass = 3
center = [0, 0]
inertia = 1
[joints.guide]
type = "prismatic"
between = ["rail", "cart"]
at = [0, 0]
along = [1, 0]
[drives.pull]
joint = "guide"
"""


def ran(text: str, until: float, **more):
    document = detent.loads('format = "detent/1"\n' + text)
    return detent.run(document, until=until, method=Rigid(accuracy=1e-8), **more)


def assert_balanced(running, moved, rel=1e-6):
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert np.ptp(total) < rel * moved


def test_a_range_is_gone_through_at_its_speed_and_then_held():
    running = ran(ARM + "from_deg = 30\nto_deg = 90\nsteps = 12\nspeed_deg = 120\n", 1.0)
    angle = np.minimum(math.radians(30) + math.radians(120) * running.times, math.pi / 2)
    assert running.states["pin"] == pytest.approx(angle, abs=1e-9)
    assert running.velocities["pin"][-1] == pytest.approx(0, abs=1e-12)
    inertia, speed, lift = 0.1 + 2 * 0.25, math.radians(120), 2 * G * 0.5
    # What it gives: the lift, less what the arm's motion gives back when the drive stops it.
    gives = lift * (1 - math.sin(math.radians(30))) - 0.5 * inertia * speed**2
    assert running.energy["input"][-1] == pytest.approx(gives, rel=1e-7)
    assert_balanced(running, lift)
    assert any("turn is held" in note for note in running.notes)


def test_inputs_are_visited_in_order_on_a_slide():
    running = ran(CART + "inputs = [0, 100, 40]\nspeed = 200\n", 1.0)
    t = running.times
    place = np.where(t < 0.5, 200 * t, np.maximum(100 - 200 * (t - 0.5), 40))
    assert running.states["guide"] == pytest.approx(place, abs=1e-6)
    assert running.energy["input"] == pytest.approx(np.where(t < 0.8, 0, -0.5 * 3 * 0.2**2), abs=1e-9)
    assert_balanced(running, 0.06)


def test_a_follower_of_a_gear_may_be_driven():
    running = ran(
        """
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
        damping = 0.2
        [joints.b]
        type = "revolute"
        between = ["frame", "pinion"]
        at = [40, 0]
        [joints.mesh]
        type = "gear"
        between = ["wheel", "pinion"]
        ratio = -3
        [drives.spin]
        joint = "b"
        from = 0
        to = -6
        speed = 6
        """,
        2.0,
    )
    assert running.states["a"] == pytest.approx(np.minimum(2 * running.times, 2), abs=1e-9)
    work = 0.2 * 2**2 * 1.0 - 0.5 * (0.004 + 9 * 0.001) * 2**2
    assert running.energy["input"][-1] == pytest.approx(work, rel=1e-8)


def test_a_joint_that_closes_a_loop_may_be_driven():
    """A crank and its slide: the slide closes the loop, and drives the crank."""
    crank = """
    units = "m"
    [parts.ground]
    fixed = true
    markers = { O = [0, 0], S = { at = [0, 0], along = [1, 0] } }
    [parts.crank]
    markers = { O = [0, 0], P = [0.3, 0] }
    pose = { turn_deg = 90 }
    mass = 1
    center = [0.1, 0]
    inertia = 0.01
    [parts.rod]
    pose = { at = [0, 0.3], along = [4, -3] }
    markers = { P = [0, 0], Q = [0.5, 0] }
    mass = 1
    center = [0.2, 0]
    inertia = 0.01
    [parts.piston]
    pose = { at = [0.4, 0] }
    markers = { Q = { at = [0, 0], along = [1, 0] } }
    mass = 1
    center = [0, 0]
    inertia = 0.01
    [joints.O]
    type = "revolute"
    between = ["ground.O", "crank.O"]
    [joints.P]
    type = "revolute"
    between = ["crank.P", "rod.P"]
    [joints.Q]
    type = "revolute"
    between = ["rod.Q", "piston.Q"]
    [joints.S]
    type = "prismatic"
    between = ["ground.S", "piston.Q"]
    [drives.push]
    joint = "S"
    """
    running = ran(crank + "from = 0.5\nto = 0.7\nspeed = 0.2\n", 1.0)
    slide = 0.5 + 0.2 * running.times
    # The triangle of the crank, 0.3, and the rod, 0.5.
    angle = np.arccos((0.3**2 + slide**2 - 0.5**2) / (2 * 0.3 * slide))
    assert running.states["O"] == pytest.approx(angle, abs=1e-7)


def test_a_part_is_pushed_in_legs_with_ramps_and_back():
    running = ran(
        """
        units = "mm"
        [parts.peg]
        mass = 2
        center = [0, 0]
        inertia = 0.1
        [drives.push]
        part = "peg"
        legs = [ { velocity = [0, -100], distance = 50, ramp = 400 }, { back = true } ]
        """,
        2.0,
    )
    # Up to 100 mm/s in 0.25 s, 12.5 mm; 25 mm at that speed; down again; then the way back.
    t = running.times
    way = np.interp(t, [0, 0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2], [0, 12.5, 37.5, 50, 37.5, 12.5, 0, 0])
    at = np.isin(np.round(t, 9), [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 2.0])
    assert at.sum() == 7
    assert running.states["peg.y"][at] == pytest.approx(-way[at], abs=1e-6)
    assert running.energy["input"].max() == pytest.approx(0.5 * 2 * 0.1**2, rel=1e-6)
    assert_balanced(running, 0.01)


def test_a_marker_goes_along_its_path():
    running = ran(
        f"""
        units = "m"
        gravity = [0, -{G}]
        [parts.base]
        fixed = true
        pose = {{ at = [3, 1], turn_deg = 40 }}
        [parts.pendulum]
        markers = {{ top = [0, 0] }}
        mass = 1
        center = [0, -0.5]
        inertia = 0.02
        [drives.hand]
        marker = "pendulum.top"
        path = [[0, 0], [1, 0], [1, 1]]
        speed = 1
        """,
        3.0,
    )
    t, x, y, angle = running.times, *(running.states[f"pendulum.{k}"] for k in ("x", "y", "angle"))
    assert x == pytest.approx(np.clip(t, 0, 1), abs=1e-7)
    assert y == pytest.approx(np.clip(t - 1, 0, 1), abs=1e-7)
    # Its hand set off at once: the bob stays behind, and swings as a pendulum of that energy.
    low = t < 1
    speed = running.velocities["pendulum.angle"]
    swing = 0.5 * (0.25 + 0.02) * speed[low] ** 2 + G * 0.5 * (1 - np.cos(angle[low]))
    assert swing == pytest.approx(np.full(low.sum(), swing[0]), abs=1e-6)
    assert_balanced(running, 20)


def test_a_driven_part_that_runs_into_a_fixed_one_is_blocked():
    running = ran(
        """
        units = "mm"
        [parts.wall]
        fixed = true
        shape = { outline = [[0, -10], [5, -10], [5, 10], [0, 10]] }
        [parts.cart]
        shape = { circle = 5 }
        pose = { at = [-55, 0] }
        mass = 1
        center = [0, 0]
        inertia = 1
        [joints.guide]
        type = "prismatic"
        between = ["wall", "cart"]
        at = [-55, 0]
        along = [1, 0]
        [drives.pull]
        joint = "guide"
        speed = 100
        """,
        2.0,
    )
    assert running.stop.cause == "blocked"
    assert "wall and cart touch" in running.stop.detail
    assert running.stop.time == pytest.approx(0.5, rel=1e-7)


def test_a_weight_that_a_drive_hits_gets_its_energy_from_the_drive():
    """Struck at 0.1 m/s without rebound, 3 kg then go with the cart: half of what the drive gives is lost."""
    running = ran(
        CART.replace("[joints", "shape = { circle = 5 }\n[joints")
        + """speed = 100
        [parts.ball]
        shape = { circle = 5 }
        pose = { at = [60, 0] }
        mass = 3
        center = [0, 0]
        inertia = 1
        [joints.free]
        type = "prismatic"
        between = ["rail", "ball"]
        at = [60, 0]
        along = [1, 0]
        """,
        1.0,
    )
    assert running.energy["input"][-1] == pytest.approx(3 * 0.1**2, rel=1e-8)
    assert running.energy["impact"][-1] == pytest.approx(0.5 * 3 * 0.1**2, rel=1e-8)
    assert_balanced(running, 0.03)


MORE = '[drives.more]\npart = "arm"\nlegs = [{ velocity = [1, 0], for = 1 }]\n'


@pytest.mark.parametrize(
    ("drive", "at", "words"),
    [
        ("from = 0\nto = 1\nsteps = 4\n", "drives.turn", "how fast"),
        ("torque = 1\nspeed = 2\n", "drives.turn.torque", "one of them"),
        ("inputs = [0, 1]\nspeed = 0\n", "drives.turn.speed", "no speed"),
        (f"speed = 1\n{MORE}", "drives.more", "pin"),
    ],
)
def test_what_says_nothing_over_time_is_refused_by_name(drive, at, words):
    with pytest.raises(UnsupportedError) as caught:
        ran(ARM + drive, 1.0)
    assert caught.value.problem.at == at
    assert words in caught.value.problem.problem
    assert caught.value.problem.remedy


@pytest.mark.parametrize(("until", "given"), [(4, 0.0), (5, -0.125)])
def test_a_run_that_ends_where_its_drive_ends_has_its_energy(until, given):
    """1 kg m² at 0.5 rad/s, stopped at 4 s: a drive takes ½ · 1 · 0.5² = 0.125 J; a last row is before it."""
    wheel = detent.from_dict(
        {
            "parts": {
                "frame": {"fixed": True, "markers": {"A": [0, 0]}},
                "wheel": {"markers": {"A": [0, 0]}, "inertia": 1},
            },
            "joints": {"A": {"type": "revolute", "between": ["frame.A", "wheel.A"]}},
            "drives": {"turn": {"joint": "A", "from": 0, "to": 2, "steps": 4, "speed": 0.5}},
            "ask": {"run": {"until": until, "every": 1}},
        }
    )
    ran = detent.run(wheel)
    energy = {name: np.asarray(column) for name, column in ran.energy.items()}
    kept = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert kept == pytest.approx(np.full(until + 1, 0.125), abs=1e-9)
    assert energy["input"][-1] == pytest.approx(given, abs=1e-9)
    assert not any("of energy" in words for words in ran.scope.left_out)


@pytest.mark.parametrize(
    ("drive", "problem"),
    [
        ("from = 0\nto = 1\nsteps = 10000000", "a run needs to know how fast"),
        ("from = 0\nto = 1\nsteps = 10000000\ntorque = 1", "a torque and where to go"),
        (
            'from = 0\nto = 1\nsteps = 10000000\n[drives.other]\njoint = "knee"\nspeed = 1\n'
            "from = 0\nto = 1\nsteps = 10000000\n[parts.shin]\nmass = 1\ninertia = 0.1\ncenter = [0, 0]\n"
            '[joints.knee]\ntype = "revolute"\nbetween = ["arm", "shin"]\nat = [1000, 0]',
            "of which 1 is allowed",
        ),
    ],
)
def test_millions_of_positions_without_a_time_are_refused_before_they_are_made(drive, problem):
    tracemalloc.start()
    try:
        with pytest.raises(UnsupportedError, match=problem):
            ran(ARM + drive, 1.0)
        assert tracemalloc.get_traced_memory()[1] < 50e6  # 10 million floats alone are 320 MB
    finally:
        tracemalloc.stop()
