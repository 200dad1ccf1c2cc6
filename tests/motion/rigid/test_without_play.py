"""Parts that fit without play, or just pass each other: runs go on there, and end where room is less."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest

import detent
from tests.motion.rigid.test_following import CENTRES, PIN, geneva
from tests.motion.rigid.test_told import PRESS

INERTIA, DAMPING = 1e-7, 1e-4 / 45  # of the wheel of `geneva`; for each degree a second of its crank


def driven(machine: detent.Mechanism, speed: float = 45.0, **touching: float) -> detent.Mechanism:
    """At a speed [deg/s], damped in proportion to it: the wheel then coasts as far, and leaves the pin."""
    data: dict[str, Any] = machine.to_dict()
    data["joints"]["index"]["damping"] = DAMPING * speed
    data["drives"] = {"turn": {"joint": "crank", "speed_deg": speed}}
    return detent.from_dict({**data, "touching": touching} if touching else data)


def thrown(machine: detent.Mechanism, inertia: float, speed: float = 45.0) -> detent.Mechanism:
    """As a flywheel, without a drive, and nothing that damps."""
    data: dict[str, Any] = machine.to_dict()
    del data["drives"], data["joints"]["index"]["damping"]
    data["parts"]["driver"]["inertia"] = data["parts"]["wheel"]["inertia"] = inertia
    data["start"] = {"crank": {"speed": math.radians(speed)}}
    return detent.from_dict(data)


def left_behind(slots: int, centres: float, pin: float, speed: float) -> float:
    """Where a wheel comes to rest after one index: led until the pin is at the corners, it then coasts."""
    part = math.pi / slots
    crank, mouth = centres * math.sin(part), math.sqrt((centres * math.cos(part)) ** 2 - pin**2)
    past = math.acos((centres**2 + crank**2 - mouth**2) / (2 * centres * crank))
    angle = part + math.atan2(crank * math.sin(past), centres - crank * math.cos(past))
    rate = math.radians(speed) * crank * (centres * math.cos(past) - crank) / mouth**2
    return -angle - rate * INERTIA / (DAMPING * speed)


def sizes() -> list[tuple[int, float, float, float]]:
    chance = random.Random(3)
    found = [(4, CENTRES, PIN, 45.0)]
    for slots in (5, 6, 7, 8):
        centres = 10 ** chance.uniform(1, 3)
        found.append((slots, centres, centres * chance.uniform(0.02, 0.06), 10 ** chance.uniform(1, 2)))
    return found


@pytest.mark.parametrize(("slots", "centres", "pin", "speed"), sizes())
def test_a_pin_that_fits_its_slot_without_play_indexes_the_wheel(slots, centres, pin, speed):
    machine = driven(geneva(slots=slots, centres=centres, pin_radius=pin), speed)
    running = detent.run(machine, until=360 / speed)
    assert (running.stop.cause, running.times[-1]) == ("done", 360 / speed)
    assert running.states["index"][-1] == pytest.approx(left_behind(slots, centres, pin, speed), abs=1e-8)


@pytest.mark.parametrize("play", [1e-3, 1e-6])
def test_a_slot_that_is_wider_lets_the_pin_in_and_one_that_is_narrower_does_not(play):
    through = detent.run(driven(geneva(play=play)), until=8)
    assert (through.stop.cause, through.times[-1]) == ("done", 8)
    expected = left_behind(4, CENTRES, PIN, 45)
    assert through.states["index"][-1] == pytest.approx(expected, abs=1e-7 + 0.03 * play)
    kept_out = detent.run(driven(geneva(play=-play)), until=8)
    assert (kept_out.stop.cause, kept_out.stop.detail.partition(":")[0]) == (
        "blocked",
        "driver and wheel touch",
    )
    # At the mouth: the pin is between the corners, up to where their distance is its diameter.
    along, across = CENTRES * math.cos(math.pi / 4), PIN - play
    mouth = math.sqrt(along**2 - across**2) + math.sqrt(PIN**2 - across**2)
    crank = CENTRES * math.sin(math.pi / 4)
    past = math.acos((CENTRES**2 + crank**2 - mouth**2) / (2 * CENTRES * crank))
    assert kept_out.states["crank"][-1] == pytest.approx(math.pi - past, abs=1e-5)
    assert abs(kept_out.states["index"][-1]) < 1e-5


@pytest.mark.parametrize("touching", [{"restitution": 0.5}, {"friction": 0.1, "restitution": 0.3}])
def test_it_does_so_with_rebounds_and_with_friction(touching):
    running = detent.run(driven(geneva(), **touching), until=8)
    assert running.stop.cause == "done"
    assert running.states["index"][-1] == pytest.approx(left_behind(4, CENTRES, PIN, 45), abs=1e-8)
    energy = running.energy
    total = energy["stored"] + energy["dissipated"] + energy["impact"] - energy["input"]
    assert np.ptp(total) < 1e-5 * np.ptp(energy["dissipated"])


@pytest.mark.parametrize("play", [0.0, 1e-6, 1e-3])
def test_a_flywheel_goes_through_and_keeps_its_energy(play):
    """It gives energy to the wheel and takes it back; what blows take goes with the square of a low speed."""
    speed = math.radians(45)
    running = detent.run(thrown(geneva(play=play), 1e-5), until=8)
    assert running.velocities["crank"][-1] == pytest.approx(speed, rel=1e-3)
    assert min(running.velocities["crank"]) < 0.5 * speed
    assert running.states["index"][-1] == pytest.approx(-math.pi / 2, abs=0.01)
    assert running.energy["impact"][-1] < 1e-3 * running.energy["stored"][0]


def test_a_flywheel_is_stopped_by_a_slot_that_is_too_narrow():
    running = detent.run(thrown(geneva(play=-1e-6), 1e-5), until=8)
    assert abs(running.velocities["crank"][-1]) < 1e-3
    assert running.states["crank"][-1] < math.radians(136)
    assert running.energy["impact"][-1] == pytest.approx(running.energy["stored"][0], rel=1e-3)


def test_a_slow_press_beside_a_fast_flywheel_is_still_blocked():
    """Slow beside the fastest part of a machine is not next to nothing."""
    machine = detent.loads(f"""{PRESS}
[parts.fly]
shape.circle = 1
mass = 1
inertia = 1
center = [0, 0]
pose = {{ at = [50, 0] }}
[joints.spin]
type = "revolute"
between = ["floor", "fly"]
at = [50, 0]
[start]
spin = {{ speed = 1000 }}
""")
    stop = detent.run(machine.with_("drives.down.speed", 0.1), until=11).stop
    assert (stop.cause, stop.detail.partition(":")[0]) == ("blocked", "floor and block, block and ram touch")
    assert stop.time == pytest.approx(10, abs=1e-5)


def passing(room: float) -> detent.Mechanism:
    """A pin on a crank, and a wall that it passes at its farthest."""
    wall = [[40 + room, -20], [50, -20], [50, 20], [40 + room, 20]]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "shape": {"outline": wall}, "markers": {"o": [0, 0]}},
                "crank": {
                    "shape": {"circle": 5, "moves": [{"move": [35, 0]}]},
                    "markers": {"o": [0, 0]},
                    "mass": 0.1,
                    "inertia": 1e-4,
                    "center": [0, 0],
                    "pose": {"turn_deg": 90},
                },
            },
            "joints": {"axle": {"type": "revolute", "between": ["frame.o", "crank.o"]}},
            "drives": {"motor": {"joint": "axle", "speed_deg": 60}},
        }
    )


@pytest.mark.parametrize("room", [-1e-3, -1e-6, 0.0, 1e-6, 1e-3])
def test_what_a_drive_leads_past_a_wall_passes_it_where_there_is_room(room):
    running = detent.run(passing(room), until=6)
    if room >= 0:
        assert (running.stop.cause, running.times[-1]) == ("done", 6)
    else:
        assert running.stop.cause == "blocked"
        turned = 360 - math.degrees(math.acos(1 + room / 35))
        assert math.degrees(running.states["axle"][-1]) == pytest.approx(turned, abs=1e-3)


def yoke(block: bool, play: float = 0.0, **touching: float) -> detent.Mechanism:
    """A pin on a crank, or a block on it, in the slot of a yoke that slides."""
    outer = [[17, -50], [43, -50], [43, 50], [17, 50]]
    left, right = 25 - play, 35 + play
    slot = [[left, -40], [right, -40], [right, 40], [left, 40]]
    data: dict[str, Any] = {
        "units": "mm",
        "parts": {
            "base": {"fixed": True, "markers": {"o": [0, 0]}},
            "crank": {
                "shape": {"circle": 1 if block else 5, "moves": [{"move": [30, 0]}]},
                "markers": {"o": [0, 0], "p": [30, 0]},
                "mass": 0.1,
                "inertia": 1e-4,
                "center": [0, 0],
            },
            "yoke": {
                "shape": {"difference": [{"outline": outer}, {"outline": slot}]},
                "mass": 1,
                "inertia": 1e-3,
                "center": [30, 0],
            },
        },
        "joints": {
            "axle": {"type": "revolute", "between": ["base.o", "crank.o"]},
            "slide": {"type": "prismatic", "between": ["base", "yoke"], "at": [0, 0], "along": [1, 0]},
        },
        "drives": {"motor": {"joint": "axle", "speed_deg": 90}},
    }
    if block:
        data["parts"]["block"] = {
            "shape": {"outline": [[25, -6], [35, -6], [35, 6], [25, 6]]},
            "markers": {"p": [30, 0]},
            "mass": 0.1,
            "inertia": 1e-5,
            "center": [30, 0],
        }
        data["joints"]["pin"] = {"type": "revolute", "between": ["crank.p", "block.p"]}
    return detent.from_dict({**data, "touching": touching} if touching else data)


@pytest.mark.parametrize("block", [False, True])
@pytest.mark.parametrize("touching", [{}, {"friction": 0.1, "restitution": 0.5}])
def test_a_yoke_without_play_goes_with_its_crank(block, touching):
    running = detent.run(yoke(block, **touching), until=8)
    assert (running.stop.cause, running.times[-1]) == ("done", 8)
    expected = 30 * np.cos(np.asarray(running.states["axle"])) - 30
    assert running.states["slide"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("speed", [0.0, 90.0])
def test_a_slot_without_room_is_a_result_at_the_start(speed):
    machine = yoke(False, play=-1e-6).with_("drives.motor.speed_deg", speed)
    running = detent.run(machine, until=1)
    assert (running.stop.cause, running.stop.time) == ("blocked", 0)
    assert running.stop.detail.startswith("crank and yoke touch: they leave each other no room (")
    assert sorted(column[-1] for column in running.forces.values()) == [math.inf, math.inf]
    assert "without bound" in running.words


def slides_out(play: float, friction: float = 0.0) -> detent.Mechanism:
    """A square block that slides down between two walls at 10 degrees, and out, with play on each side."""
    leans = math.radians(10)

    def turned(*corners: tuple[float, float]) -> list[list[float]]:
        cos, sin = math.cos(leans), math.sin(leans)
        return [[x * cos - y * sin, x * sin + y * cos] for x, y in corners]

    near, far = 5 + play, 10 + play
    walls = [
        {"outline": turned((-20, -far), (20, -far), (20, -near), (-20, -near))},
        {"outline": turned((-20, near), (20, near), (20, far), (-20, far))},
    ]
    block = {"outline": turned((-5, -5), (5, -5), (5, 5), (-5, 5))}
    data = {
        "units": "mm",
        "gravity": [0, -9.81],
        "parts": {
            "frame": {"fixed": True, "shape": {"union": walls}},
            "block": {"shape": block, "mass": 0.1, "center": [0, 0], "inertia": 1e-5},
        },
        "joints": {"free": {"type": "planar", "between": ["frame", "block"], "at": [0, 0]}},
    }
    return detent.from_dict({**data, "touching": {"friction": friction}} if friction else data)


def test_without_friction_no_friction_is_blamed_where_parts_without_room_leave_no_forces():
    """As the last corners leave, what keeps the block straight has no arm; with play it leans and goes."""
    stop = detent.run(slides_out(0.0), until=0.3).stop
    assert stop.cause == "interrupted"
    assert "touch without room: frame and block" in stop.detail
    assert "Painlevé" not in stop.detail
    leaves = math.sqrt(2 * 0.025 / (9.81 * math.sin(math.radians(10))))
    assert stop.time == pytest.approx(leaves, rel=1e-5)
    assert detent.run(slides_out(0.01), until=0.3).stop.cause == "done"
