"""Rebounds that die out, sliding that ends and begins, and the account of impacts, beside closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

import detent
from detent.motion.rigid import prepared, rigid_run

G = 9.81
FLOOR = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
[parts.floor]
fixed = true
shape.outline = [[-100, -10], [100, -10], [100, 0], [-100, 0]]
"""
BLOCK = "shape.outline = [[-10, -10], [10, -10], [10, 10], [-10, 10]]"
ROUND = "shape.circle = 10"


def dropped(shape: str, restitution: float, *, turn: float = 0.0, friction: float = 0.0, until: float):
    return detent.run(
        detent.loads(
            f"""{FLOOR}
            [parts.body]
            {shape}
            pose = {{ at = [0, 110], turn_deg = {turn} }}
            mass = 0.05
            center = [0, 0]
            inertia = 3e-6
            [touching]
            restitution = {restitution}
            friction = {friction}
            """
        ),
        until=until,
    )


def assert_balanced(running):
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert total == pytest.approx(energy["stored"][0], abs=2e-6 * np.abs(energy["stored"]).max())
    assert (np.diff(energy["impact"]) >= 0).all()
    assert energy["impact"][0] == 0


@pytest.mark.parametrize("shape", [BLOCK, ROUND])
@pytest.mark.parametrize("restitution", [0.05, 0.3, 0.6, 0.9, 0.95])
def test_a_part_that_bounces_comes_to_rest_when_its_series_of_rebounds_ends(shape, restitution):
    fall = math.sqrt(2 * 0.1 / G)
    end = fall * (1 + 2 * restitution / (1 - restitution))
    running = dropped(shape, restitution, until=1.2 * end)
    times = np.unique([event.time for event in running.events if event.kind == "impact"])
    series = fall * (1 + 2 * np.cumsum([0.0, *restitution ** np.arange(1, len(times))]))
    assert times == pytest.approx(series, abs=1e-8)
    # What is cut off is what the last rebound that counts, and all after it, would have taken.
    lowest = math.sqrt(2 * 1e-8 * 0.3 / G)
    assert end - 2 * lowest / (1 - restitution) < times[-1] <= end
    assert running.states["body.y"][-1] == pytest.approx(10, abs=1e-7)
    assert running.states["body.y"].min() > 10 - 1e-6
    assert abs(running.velocities["body.y"][-1]) < 1e-9
    assert running.energy["impact"][-1] == pytest.approx(0.05 * G * 0.1, rel=1e-7)
    assert sum(force[-1] for force in running.forces.values()) == pytest.approx(0.05 * G, rel=1e-6)
    assert any("rebounds that would rise less" in words for words in running.scope.assumed)
    assert_balanced(running)


@pytest.mark.parametrize(
    ("restitution", "turn", "friction"),
    [(0.0, 3, 0.0), (0.3, 20, 0.0), (0.5, -40, 0.4), (0.8, 7, 0.8), (0.95, 30, 0.2)],
)
def test_a_block_that_falls_on_a_corner_never_goes_into_the_floor(restitution, turn, friction):
    running = dropped(BLOCK, restitution, turn=turn, friction=friction, until=2.0)
    assert running.stop.cause == "done"
    angle, high = running.states["body.angle"], running.states["body.y"]
    lowest = high - 10 * (np.abs(np.cos(angle)) + np.abs(np.sin(angle)))
    on_floor = np.abs(running.states["body.x"]) < 85
    assert on_floor.any()
    assert lowest[on_floor].min() > -1e-5
    assert_balanced(running)


@pytest.mark.parametrize("restitution", [0.2, 0.4, 0.9])
def test_a_sprung_lever_bounces_on_its_pin_until_it_lies_there(restitution):
    running = detent.run(
        detent.loads(
            f"""
            format = "detent/1"
            units = "mm"
            [parts.plate]
            fixed = true
            shape = {{ circle = 1, moves = [{{ move = [15, -3] }}] }}
            markers = {{ O = [0, 0] }}
            [parts.lever]
            shape.outline = [[-2, -1], [20, -1], [20, 1], [-2, 1]]
            markers = {{ O = [0, 0] }}
            inertia = 4e-8
            [joints.O]
            type = "revolute"
            between = ["plate.O", "lever.O"]
            spring = {{ stiffness = 2e-4, rest_deg = -40 }}
            [start]
            O = {{ at_deg = 25 }}
            [touching]
            restitution = {restitution}
            """
        ),
        until=0.5,
        method=detent.Rigid(accuracy=1e-8),
    )
    # The pin's centre is 2 below the lever's middle line: 15 sin + 3 cos = 2.
    touching = brentq(lambda angle: 15 * math.sin(angle) + 3 * math.cos(angle) - 2, -0.5, 0.5)
    rate, rest = math.sqrt(2e-4 / 4e-8), math.radians(-40)
    far, near = math.radians(25) - rest, touching - rest
    t, speed = math.acos(near / far) / rate, rate * math.sqrt(far**2 - near**2)
    times = [event.time for event in running.events if event.kind == "impact"]
    expected = [t]
    for _ in times[1:]:
        speed *= restitution
        t += 2 * math.atan(speed / (rate * near)) / rate
        expected.append(t)
    assert times == pytest.approx(expected, abs=1e-7)
    assert running.states["O"].min() > touching - 1e-7
    assert running.states["O"][-1] == pytest.approx(touching, abs=1e-8)
    assert_balanced(running)


def test_a_wheel_that_a_shoe_brakes_stops_and_stays():
    running = detent.run(
        detent.loads(
            """
            format = "detent/1"
            units = "mm"
            [parts.plate]
            fixed = true
            markers = { O = [0, 0], g = { at = [0, 0], along = [0, 1] } }
            [parts.fly]
            shape.circle = 25
            markers = { O = [0, 0] }
            inertia = 5e-5
            [parts.shoe]
            shape.outline = [[-5, 25], [5, 25], [5, 35], [-5, 35]]
            markers = { g = { at = [0, 0], along = [0, 1] } }
            mass = 0.02
            center = [0, 30]
            inertia = 1e-6
            [joints.O]
            type = "revolute"
            between = ["plate.O", "fly.O"]
            [joints.g]
            type = "prismatic"
            between = ["plate.g", "shoe.g"]
            spring = { stiffness = 500, rest = -4 }
            [start]
            O = { speed_deg = 3600 }
            [touching]
            friction = 0.3
            """
        ),
        until=0.5,
    )
    speed, slowing = 20 * math.pi, 0.3 * 500 * 0.004 * 0.025 / 5e-5
    (stick,) = [event for event in running.events if event.kind == "stick"]
    assert stick.time == pytest.approx(speed / slowing, abs=1e-7)
    assert running.states["O"][-1] == pytest.approx(speed**2 / slowing / 2, rel=1e-7)
    assert running.velocities["O"][-1] == 0
    assert running.energy["dissipated"][-1] == pytest.approx(0.5 * 5e-5 * speed**2, rel=1e-6)
    assert running.steps < 200
    assert_balanced(running)


def test_a_corner_that_a_domino_falls_over_slides_when_friction_no_longer_holds_it():
    friction, start, mass, inertia = 0.8, math.radians(20), 0.02, 4.3e-6
    running = detent.run(
        detent.loads(
            f"""
            format = "detent/1"
            units = "mm"
            gravity = [0, -{G}]
            [parts.table]
            fixed = true
            shape.outline = [[-200, -10], [200, -10], [200, 0], [-200, 0]]
            [parts.domino]
            shape.outline = [[-10, 0], [0, 0], [0, 50], [-10, 50]]
            pose = {{ at = [0, 0], turn_deg = -20 }}
            mass = {mass}
            center = [-5, 25]
            inertia = {inertia}
            [touching]
            friction = {friction}
            """
        ),
        until=0.17,
    )
    # Its centre falls on a circle about the corner; from the vertical, by energy.
    arm, lean = math.hypot(0.005, 0.025), start - math.atan2(5, 25)
    of_corner = inertia + mass * arm**2

    def squared(angle):
        return 2 * mass * G * arm * (math.cos(lean) - math.cos(angle)) / of_corner

    def over(angle):
        turn = mass * G * arm * math.sin(angle) / of_corner
        along = mass * arm * (turn * math.cos(angle) - squared(angle) * math.sin(angle))
        normal = mass * (G - arm * (turn * math.sin(angle) + squared(angle) * math.cos(angle)))
        return abs(along) - friction * normal

    angles = np.linspace(lean + 1e-6, 1.5, 4000)
    first = next(k for k, angle in enumerate(angles) if over(angle) > 0)
    slips = brentq(over, angles[first - 1], angles[first])
    # Its angle as lean + u squared, where the speed begins at zero.
    when, _ = quad(lambda u: 2 * u / math.sqrt(squared(lean + u * u)), 0, math.sqrt(slips - lean))
    (slide,) = [event for event in running.events if event.kind == "slide"]
    assert slide.time == pytest.approx(when, rel=1e-5)
    assert slide.before == slide.after
    assert_balanced(running)


def test_what_a_drive_gives_in_an_impact_is_input():
    running = detent.run(
        detent.loads(
            f"""
            format = "detent/1"
            units = "mm"
            gravity = [0, -{G}]
            [parts.frame]
            fixed = true
            markers = {{ O = [0, 0], guide = {{ at = [0, 0], along = [0, 1] }} }}
            [parts.cam]
            shape = {{ circle = 20, moves = [{{ move = [8, 0] }}] }}
            markers = {{ O = [0, 0] }}
            mass = 0.4
            center = [8, 0]
            inertia = 8e-5
            [parts.follower]
            shape.outline = [[-30, 20], [30, 20], [30, 90], [-30, 90]]
            markers = {{ guide = {{ at = [0, 0], along = [0, 1] }} }}
            mass = 0.15
            center = [0, 45]
            inertia = 1e-4
            [joints.shaft]
            type = "revolute"
            between = ["frame.O", "cam.O"]
            [joints.guide]
            type = "prismatic"
            between = ["frame.guide", "follower.guide"]
            [drives.motor]
            joint = "shaft"
            speed_deg = 360
            """
        ),
        until=0.05,
    )
    lifted = 0.008 * 2 * math.pi  # [m/s]: the follower is at the cam's speed at once
    assert running.energy["impact"][1] == pytest.approx(0.5 * 0.15 * lifted**2, rel=1e-9)
    before = 0.5 * (8e-5 + 0.4 * 0.008**2) * (2 * math.pi) ** 2 + 0.15 * G * 0.045
    assert running.energy["stored"][0] == pytest.approx(before, rel=1e-9)
    assert running.energy["input"][1] > 0.15 * lifted**2
    assert_balanced(running)


def test_a_run_that_gets_nowhere_ends_with_an_answer(monkeypatch):
    monkeypatch.setattr(prepared, "STEPS", 30)
    monkeypatch.setattr(rigid_run, "_VAIN_LOGS", 1)
    monkeypatch.setattr(rigid_run, "_VAIN_SHARE", 0.9)
    running = dropped(ROUND, 0.95, until=8.0)
    assert running.stop.cause == "interrupted"
    assert 0 < running.stop.time < 8
