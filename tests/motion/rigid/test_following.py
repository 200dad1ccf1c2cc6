"""Slow drives through contacts: a Geneva drive and a cam in closed form, a ratchet, jams, stops, errors."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.app import cli

CENTRES, PIN = 100.0, 5.0
CRANK = CENTRES / math.sqrt(2)


def geneva(
    to: float = 450,
    steps: int = 45,
    play: float = 0.0,
    slots: int = 4,
    centres: float = CENTRES,
    pin_radius: float = PIN,
) -> detent.Mechanism:
    """The driver's hub locks the wheel, but where it is cut away behind the pin."""
    part = math.pi / slots
    crank, radius = centres * math.sin(part), centres * math.cos(part)
    hub, inner, w = (
        crank - pin_radius - 0.06 * centres,
        0.99 * centres - crank - pin_radius,
        pin_radius + play,
    )
    end = radius + 0.05 * centres
    slot = [[inner, -w], [end, -w], [end, w], [inner, w]]
    cuts: list[dict[str, Any]] = []
    for k in range(slots):
        a = 2 * part * k
        turned = 180 + math.degrees(a + part)
        cuts.append({"outline": slot, "moves": [{"turn_deg": turned}, {"move": [centres, 0]}]})
        middle = [centres - centres * math.cos(a), -centres * math.sin(a)]
        cuts.append({"circle": hub + 0.002 * centres, "moves": [{"move": middle}]})
    wheel = {"difference": [{"circle": radius, "moves": [{"move": [centres, 0]}]}, *cuts]}
    open_to = math.pi / 2 - part  # to both sides of the pin
    away = [[-2 * hub * math.cos(a), 2 * hub * math.sin(a)] for a in np.linspace(-open_to, open_to, 5)]
    lock = {"difference": [{"circle": hub}, {"outline": [[0, 0], *away[::-1]]}]}
    pin = {"circle": pin_radius, "moves": [{"move": [-crank, 0]}]}
    light = {"mass": 0.001, "inertia": 1e-7}
    return detent.from_dict(
        {
            "title": "Geneva drive",
            "units": "mm",
            "parts": {
                "plate": {"fixed": True, "markers": {"a": [0, 0], "b": [centres, 0]}},
                "driver": {
                    "shape": {"union": [lock, pin]},
                    "markers": {"a": [0, 0], "pin": [-crank, 0]},
                    "center": [0, 0],
                    **light,
                },
                "wheel": {"shape": wheel, "markers": {"b": [centres, 0]}, "center": [centres, 0], **light},
            },
            "joints": {
                "crank": {"type": "revolute", "between": ["plate.a", "driver.a"]},
                "index": {"type": "revolute", "between": ["plate.b", "wheel.b"], "damping": 1e-4},
            },
            "drives": {"turn": {"joint": "crank", "from_deg": 0, "to_deg": to, "steps": steps}},
        }
    )


def test_a_geneva_drive_indexes_a_quarter_turn() -> None:
    """While the pin pushes in its slot the wheel's angle is that of the triangle; else it is held."""
    play = 0.01
    motion = detent.move(geneva(play=play), contact=True)
    assert motion.stop == "done"
    driver, wheel = (np.degrees(motion.poses[name][:, 2]) for name in ("driver", "wheel"))
    for turned, got in zip(driver, wheel, strict=True):
        a = math.radians(turned - 180)  # of the pin past the line of centres
        if abs(a) < math.radians(43):
            # The pin runs along the side of the slot, which is its radius and the play off the middle.
            x, y = CENTRES - CRANK * math.cos(a), CRANK * math.sin(a)
            expected = -(45 + math.degrees(math.atan2(y, x))) + math.degrees(
                math.asin(play / math.hypot(x, y))
            )
            assert got == pytest.approx(expected, abs=1e-6), turned
        elif a < 0:
            assert got == 0.0
    assert wheel[-1] == pytest.approx(-90, abs=0.02)
    held = wheel[driver > 226]
    assert np.ptp(held) == 0.0
    assert motion.events[0].kind == "contact"
    assert motion.events[-1].kind == "release"


def cam(follow: float = 0.0, friction: float = 0.0) -> detent.Mechanism:
    """An eccentric disc under a roller on a sprung slide."""
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "markers": {"o": [0, 0], "s": [0, 0]}},
                "cam": {"shape": {"circle": 20, "moves": [{"move": [8, 0]}]}, "markers": {"o": [0, 0]}},
                "rod": {"shape": {"circle": 5, "moves": [{"move": [0, 33]}]}, "markers": {"s": [0, 0]}},
            },
            "joints": {
                "shaft": {"type": "revolute", "between": ["frame.o", "cam.o"]},
                "slide": {
                    "type": "prismatic",
                    "between": ["frame", "rod"],
                    "at": [0, 0],
                    "along": [0, 1],
                    "spring": {"stiffness": 200, "rest": follow},
                },
            },
            "touching": {"friction": friction},
            "drives": {"turn": {"joint": "shaft", "from_deg": 0, "to_deg": 360, "steps": 36}},
        }
    )


def test_a_sprung_follower_rides_on_its_cam() -> None:
    motion = detent.move(cam(follow=-20), contact=True)
    assert motion.stop == "done"
    angle = motion.poses["cam"][:, 2]
    lift = 8 * np.sin(angle) + np.sqrt(25.0**2 - (8 * np.cos(angle)) ** 2) - 33
    assert motion.poses["rod"][:, 1] == pytest.approx(lift, abs=1e-8)
    # What the spring pushes [N], times how fast the rod rises with the cam [m], is what the drive gives.
    rise = 8 * np.cos(angle) + 64 * np.sin(angle) * np.cos(angle) / np.sqrt(625 - (8 * np.cos(angle)) ** 2)
    torque = 200 * (lift + 20) * 1e-3 * rise * 1e-3
    assert motion.forces["drive turn"][1:] == pytest.approx(torque[1:], abs=1e-9)


def test_a_follower_without_a_spring_stays_where_it_is_pushed_to() -> None:
    data = cam().to_dict()
    del data["joints"]["slide"]["spring"]
    motion = detent.move(detent.from_dict(data), contact=True)
    assert motion.poses["rod"][-1, 1] == pytest.approx(0.0, abs=1e-6)  # 8 + 25 - 33, at the top
    assert [event.kind for event in motion.events] == ["contact", "release"]
    assert motion.events[-1].time == pytest.approx(math.pi / 2, abs=1e-5)


def ratchet(to: float) -> detent.Mechanism:
    """A rack with slanting and steep sides under a sprung pawl that leans, and a stop behind the pawl."""
    teeth = [[-40, -5], [40, -5], [40, 0], [20, 4], [20, 0], [0, 4], [0, 0], [-20, 4], [-20, 0], [-40, 4]]
    return detent.from_dict(
        {
            "parts": {
                "frame": {
                    "fixed": True,
                    "shape": {"outline": [[8, 14], [10.9, 14], [10.9, 15], [8, 15]]},
                    "markers": {"h": [12, 20]},
                },
                "rack": {"shape": {"outline": teeth}},
                "pawl": {
                    "shape": {"outline": [[11, 20], [13, 20], [12, 2.5], [11, 2.5]]},
                    "markers": {"h": [12, 20]},
                },
            },
            "joints": {
                "rail": {"type": "prismatic", "between": ["frame", "rack"], "at": [0, 0], "along": [1, 0]},
                "hinge": {
                    "type": "revolute",
                    "between": ["frame.h", "pawl.h"],
                    "spring": {"stiffness": 1, "rest_deg": 0},
                },
            },
            "drives": {"push": {"joint": "rail", "from": 0, "to": to, "steps": 10}},
        }
    )


def test_a_ratchet_is_free_one_way_and_stops_the_other() -> None:
    free = detent.move(ratchet(38), contact=True)
    assert free.stop == "done"
    assert "snap" in {event.kind for event in free.events}
    held = detent.move(ratchet(-30), contact=True)
    assert held.stop == "jam"
    assert held.events[-1].kind == "jam"
    assert {part for event in held.events[-1:] for part in event.subjects} == {"frame", "rack", "pawl"}
    assert held.force_peaks["drive push"]["unbounded"]


def test_limits_of_joints_stop_a_drive() -> None:
    data = ratchet(38).to_dict()
    data["joints"]["hinge"]["limits"] = {"min_deg": -1, "max_deg": 1}
    stopped = detent.move(detent.from_dict(data), contact=True)
    assert stopped.stop == "jam"
    assert "hinge.high" in stopped.stop_detail
    assert np.degrees(stopped.poses["pawl"][-1, 2]) == pytest.approx(1, abs=1e-7)


def test_the_command_line_and_the_document_ask_for_it(tmp_path: Any, capsys: Any) -> None:
    data = cam(follow=-20).to_dict()
    file = tmp_path / "cam.json"
    file.write_text(json.dumps({**data, "format": "detent/1"}, default=float))
    assert cli.main(["move", str(file), "--contact", "--csv", str(tmp_path / "a.csv")]) == 0
    assert "contact" in capsys.readouterr().out
    assert (tmp_path / "a.csv").read_text().startswith("turn [rad]")
    asked = detent.from_dict({**data, "ask": {"move": {"contact": True}}})
    assert detent.move(asked).method == "following"
    assert len(detent.move(asked).run.finer(100).times) >= 100


def test_the_drive_of_a_cam_takes_its_torque_from_the_first_position_on():
    """An eccentric under a flat follower that a spring presses on: M = k (e sin a + p) e cos a."""
    text = """
format = "detent/1"
units = "mm"
[parts.base]
fixed = true
[parts.cam]
shape.circle = 15
pose = { at = [6, 0] }
[parts.tappet]
shape.outline = [[-18, 15], [18, 15], [18, 17], [-18, 17]]
[joints.shaft]
type = "revolute"
between = ["base", "cam"]
at = [0, 0]
damping = 1e-9
[joints.guide]
type = "prismatic"
between = ["base", "tappet"]
at = [0, 20]
along = [0, 1]
spring = { stiffness = 400, rest = -10 }
[drives.turn]
joint = "shaft"
from_deg = 0
to_deg = 360
steps = 12
"""
    moved = detent.move(detent.loads(text), contact=True)
    angle = np.radians(np.arange(0, 361, 30))
    torque = 400 * (0.006 * np.sin(angle) + 0.01) * 0.006 * np.cos(angle)
    # The weak dampers that lead what nothing pulls are no load of a drive: they took a millionth of it.
    assert moved.forces["drive turn"] == pytest.approx(torque, abs=1e-10)
    lift = moved.extremes["slide guide"]
    assert (lift.least, lift.greatest) == pytest.approx((-6, 6), abs=1e-6)
    assert "  slides     at its steps: guide 12 mm (-6 to 6)\n" in moved.words


def test_a_drive_that_meets_nothing_takes_no_torque_and_says_where_free_parts_stay():
    """A cam that turns short of a sprung flap, over a block that lies on the ground beside it."""
    lever = {"shape": {"outline": [[30, -2], [60, -2], [60, 2], [30, 2]]}, "markers": {"b": [60, 0]}}
    block = {
        "shape": {"outline": [[80, 0], [90, 0], [90, 10], [80, 10]]},
        "mass": 0.1, "center": [85, 5], "inertia": 1e-5,
    }  # fmt: skip
    ground = {
        "fixed": True,
        "shape": {"outline": [[70, -5], [100, -5], [100, 0], [70, 0]]},
        "markers": {"a": [0, 0], "b": [60, 0]},
    }
    data = {
        "units": "mm",
        "gravity": [0, -9.81],
        "parts": {
            "ground": ground,
            "cam": {"shape": {"circle": 12, "moves": [{"move": [5, 0]}]}, "markers": {"a": [0, 0]}},
            "lever": lever,
            "block": block,
        },
        "joints": {
            "shaft": {"type": "revolute", "between": ["ground.a", "cam.a"]},
            "flap": {
                "type": "revolute",
                "between": ["ground.b", "lever.b"],
                "spring": {"stiffness": 0.5, "rest_deg": -10},
            },
        },
        "drives": {"turn": {"joint": "shaft", "from_deg": 0, "to_deg": 360, "steps": 12}},
    }
    moved = detent.move(detent.from_dict(data), contact=True)
    assert moved.stop == "done"
    assert not moved.forces["drive turn"].any()
    assert "drive turn 0 N m" in moved.words
    assert "slides     at its steps: block.x not at all, block.y not at all\n" in moved.words


@pytest.mark.parametrize("friction", [0.0, 0.1, 0.3, 0.8])
def test_a_plunger_that_its_weight_alone_holds_on_an_eccentric_rubs_all_the_way(friction):
    """A flat foot on a disc of radius 10 mm, 3 mm off its pin: the weight at the arm of the contact, and the
    friction under it, against the turning, at the contact's height over the pin."""
    radius, off, weight = 0.010, 0.003, 0.02 * 9.81
    data = {
        "units": "mm",
        "gravity": [0, -9.81],
        "parts": {
            "frame": {"fixed": True},
            "cam": {"shape": {"circle": 10, "moves": [{"move": [3, 0]}]}},
            "plunger": {
                "shape": {"outline": [[-4, 10], [4, 10], [4, 40], [-4, 40]]},
                "mass": 0.02,
                "center": [0, 25],
            },
        },
        "joints": {
            "cam": {"type": "revolute", "between": ["frame", "cam"], "at": [0, 0]},
            "plunger": {
                "type": "prismatic", "between": ["frame", "plunger"], "at": [0, 30], "along": [0, 1],
            },
        },
        "drives": {"turn": {"joint": "cam", "from_deg": 0, "to_deg": 360, "steps": 36}},
    }  # fmt: skip
    if friction:
        data["touching"] = {"friction": friction}
    moved = detent.move(detent.from_dict(data), contact=True)
    assert moved.stop == "done"
    angle = np.radians(np.linspace(0, 360, 37))
    lifts = moved.run.trajectory.coordinates["plunger"]
    assert lifts == pytest.approx(3 * np.sin(angle), abs=1e-6)
    torque = weight * (off * np.cos(angle) + friction * (radius + off * np.sin(angle)))
    assert moved.forces["drive turn"] == pytest.approx(torque, abs=1e-7)


@pytest.mark.parametrize("rubbing", [0.0, 0.3])
def test_a_pushed_box_takes_its_friction_where_statics_says_how_much(rubbing):
    """A smooth pusher gives mu m g. One that rubs may lift or press the box as well."""
    ground = {"fixed": True, "shape": {"outline": [[-50, -10], [200, -10], [200, 0], [-50, 0]]}}
    pusher = {"shape": {"outline": [[-20, 1], [0, 1], [0, 19], [-20, 19]]}}
    box = {
        "shape": {"outline": [[10, 0], [50, 0], [50, 20], [10, 20]]},
        "mass": 0.8, "center": [30, 10], "inertia": 1e-4,
    }  # fmt: skip
    data = {
        "units": "mm",
        "gravity": [0, -9.81],
        "parts": {"ground": ground, "pusher": pusher, "box": box},
        "joints": {
            "rail": {"type": "prismatic", "between": ["ground", "pusher"], "at": [0, 10], "along": [1, 0]},
        },
        "drives": {"push": {"joint": "rail", "from": 0, "to": 30, "steps": 6}},
        "touching": {"friction": 0.4, "pairs": {"pusher:box": {"friction": rubbing}}},
    }  # fmt: skip
    moved = detent.move(detent.from_dict(data), contact=True)
    assert moved.stop == "done"
    went = moved.extremes["slide box.x"]
    assert went.greatest - went.least == pytest.approx(20, abs=1e-6)
    pushed = moved.forces["drive push"][3:]
    if rubbing:
        # It sticks to the pusher, which carries up to 0.3 F of its weight, or adds as much.
        ends = [0.4 * 0.8 * 9.81 / (1 + sign * 0.4 * 0.3) for sign in (1, -1)]
        assert np.isnan(pushed).all()
        assert moved.force_ranges["drive push"][3:] == pytest.approx(np.tile(ends, (4, 1)), rel=1e-9)
        assert moved.force_peaks["drive push"]["most_range"] == pytest.approx(ends, rel=1e-9)
        assert "drive push its most 2.80285 to 3.56728 N, its least 0 N, at its steps: statics" in moved.words
        row = moved.to_csv().splitlines()[-1].split(",")
        head = moved.to_csv().splitlines()[0].split(",")
        ended = [row[head.index(f"force drive push along {end} [N]")] for end in ("least", "most")]
        assert list(map(float, ended)) == pytest.approx(ends, rel=1e-9)
        assert row[head.index("force drive push along [N]")] == ""
        assert json.loads(moved.to_json())["force_ranges"]["drive push"][-1] == pytest.approx(ends, rel=1e-9)
    else:
        assert pushed == pytest.approx(0.4 * 0.8 * 9.81, rel=1e-9)
