"""Drives that cannot go on: a result that says by what, when and where; forces there have no bound."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import detent
from detent.app import cli

PART = {"mass": 0.1, "inertia": 1e-4, "center": [0, 0]}
LENGTH, RADIUS, BEGIN, SPEED = 40.0, 3.0, 60.0, 10.0


def box(left: float, right: float, half: float) -> dict[str, Any]:
    return {"outline": [[left, -half], [right, -half], [right, half], [left, half]]}


def sliding(part: str, at: list[float], along: tuple[float, float] = (1, 0)) -> dict[str, Any]:
    return {"type": "prismatic", "between": ["frame", part], "at": at, "along": list(along)}


def to_hinge(off: float, **touching: float) -> detent.Mechanism:
    """A pin that is driven along a line past the hinge of an arm, onto the arm's end."""
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "markers": {"o": [0, 0]}},
                "arm": {"shape": box(0, LENGTH, 4), "markers": {"o": [0, 0]}, **PART},
                "pin": {"shape": {"circle": RADIUS}, "pose": {"at": [BEGIN, off]}, **PART},
            },
            "joints": {
                "hinge": {"type": "revolute", "between": ["frame.o", "arm.o"]},
                "guide": sliding("pin", [BEGIN, off], (-1, 0)),
            },
            "drives": {"push": {"joint": "guide", "speed": SPEED}},
            "touching": touching,
        }
    )


@pytest.mark.parametrize("off", [0.0, 0.01, 1.0, 3.0])
def test_a_pin_pushes_an_arm_no_farther_than_to_where_its_line_meets_the_hinge(off):
    """The arm's end is LENGTH from the hinge; the pin's centre at most LENGTH + RADIUS, at y = off."""
    running = detent.run(to_hinge(off), until=5)
    assert running.stop.cause == "blocked"
    reach = math.sqrt((LENGTH + RADIUS) ** 2 - off**2)
    assert running.stop.time == pytest.approx((BEGIN - reach) / SPEED, abs=1e-8)
    assert running.stop.coordinates["hinge"] == pytest.approx(math.atan2(off, reach), abs=1e-5)
    assert running.stop.detail.startswith("arm and pin touch: a drive at a speed cannot go on (push; ")
    x, y = LENGTH * reach / (LENGTH + RADIUS), LENGTH * off / (LENGTH + RADIUS)
    said = running.stop.detail.partition(" mm")[0].rpartition(" at ")[2].split(", ")
    # Within 1e-5 rad of the dead point, whose tangent is across.
    assert [float(c) for c in said] == pytest.approx([x, y], abs=1e-3)
    last = running.events[-1]
    assert (last.kind, last.subjects, last.time) == ("blocked", ("arm", "pin"), running.stop.time)
    (contact,) = running.contacts
    assert last.after == (contact.contact,)
    assert contact.peak_force == math.inf == running.forces[contact.contact][-1]
    assert running.reactions["hinge"][-1, 0] == math.inf  # the frame holds the arm against the pin...
    assert running.reactions["guide"][-1, 0] == -math.inf  # ... which its drive pushes
    assert np.isfinite(running.forces[contact.contact][:-1]).all()
    # Towards a dead point, which the arm is at from the beginning where off is 0, it turns ever faster.
    assert math.isinf(running.velocities["hinge"][-1]) == (off > 0)
    assert running.velocities["guide"][-1] == pytest.approx(SPEED, rel=1e-3)


def test_what_has_no_bound_is_told_so_everywhere(tmp_path):
    running = detent.run(to_hinge(1.0), until=5)
    (contact,) = running.contacts
    data = json.loads(running.to_json())
    unbounded = {"unbounded": True}
    assert data["forces"][contact.contact][-1] == unbounded == data["contacts"][0]["peak_force"]
    assert data["velocities"]["hinge"][-1] == unbounded == data["energy"]["stored"][-1]
    assert data["energy"]["input"][-1] == unbounded == data["torques"]["arm"][-1]
    assert data["stop"]["cause"] == "blocked"
    assert "without bound" in running.words
    assert not any(len(word) > 4 and word[-4:-2] == "e+" for word in running.words.split())
    assert "inf" in running.to_csv().splitlines()[-1]
    assert "inf" not in running.to_csv().splitlines()[-2]
    detent.save(to_hinge(1.0), tmp_path / "hinge.toml")
    plot = tmp_path / "plot.svg"
    assert cli.main(["run", str(tmp_path / "hinge.toml"), "--until", "5", "-q", "--plot", str(plot)]) == 0
    assert "no bound" in plot.read_text()


def test_friction_holds_a_pin_fast_from_its_angle_on():
    """It locks at the blow where its angle is more than that of the pin's place, seen from the hinge."""
    off, blow = 1.0, (BEGIN - LENGTH - RADIUS) / SPEED
    least = off / LENGTH
    running = detent.run(to_hinge(off, friction=0.9 * least), until=5)
    assert running.stop.cause == "jam"
    assert running.stop.time > blow + 1e-5  # it turns the arm, on which it then stands less far out
    running = detent.run(to_hinge(off, friction=1.01 * least), until=5)
    assert running.stop.cause == "jam"
    assert "friction holds them fast: a drive at a speed cannot go on (push; " in running.stop.detail
    assert running.stop.time == pytest.approx(blow, abs=1e-9)
    assert running.forces[running.contacts[0].contact][-1] == math.inf


def carts(gap: float, *, block: bool = False, limit: bool = False, **touching: float) -> detent.Mechanism:
    """A cart driven into a wall, or over a block into it, or the block to its limit."""
    wall = {} if limit else {"shape": box(50, 60, 10)}
    far = 50 - gap - (10 if block else 0)
    data: dict[str, Any] = {
        "units": "mm",
        "parts": {
            "frame": {"fixed": True, **wall},
            "cart": {"shape": box(far - 10, far, 4), **PART},
        },
        "joints": {"guide": sliding("cart", [0, 0])},
        "drives": {"push": {"joint": "guide", "speed": SPEED}},
        "touching": touching,
    }
    if block:
        data["parts"]["block"] = {"shape": box(far, far + 10, 4), **PART}
        data["joints"]["free"] = sliding("block", [0, 0])
        if limit:
            data["joints"]["free"]["limits"] = {"max": gap}
    return detent.from_dict(data)


@pytest.mark.parametrize("gap", [0.0, 10.0])
@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({}, "frame and cart touch"),
        ({"friction": 0.3}, "frame and cart touch"),
        ({"block": True}, "frame and block, cart and block touch"),
        ({"block": True, "limit": True}, "cart and block touch, free is at its limit"),
    ],
)
def test_a_cart_is_blocked_where_its_way_ends_at_the_start_too(gap, more, said):
    running = detent.run(carts(gap, **more), until=5)
    assert (running.stop.cause, running.stop.detail.partition(":")[0]) == ("blocked", said)
    assert running.stop.time == pytest.approx(gap / SPEED, abs=1e-9)
    assert running.reactions["guide"][-1, 0] == math.inf
    assert running.events[-1].kind == "blocked"
    if gap == 0:
        assert (running.steps, len(np.unique(running.times))) == (0, 1)
    stop = running.forces.get("free.max")
    assert (stop is None) == ("limit" not in more)
    if stop is not None:
        assert stop[-1] == math.inf
    json.loads(running.to_json())
    assert "blocked" in running.words


def crank(**joints: Any) -> dict[str, Any]:
    """A crank of 30 mm, a rod of 80 mm, a piston."""
    turn = math.radians(20)
    x, y = 30 * math.cos(turn), 30 * math.sin(turn)
    far = x + math.sqrt(80**2 - y**2)
    return {
        "units": "mm",
        "parts": {
            "frame": {"fixed": True, "markers": {"o": [0, 0], "s": {"at": [0, 0], "along": [1, 0]}}},
            "crank": {"markers": {"o": [0, 0], "p": [30, 0]}, "pose": {"turn_deg": 20}, **PART},
            "rod": {
                "markers": {"p": [0, 0], "q": [80, 0]},
                "pose": {"at": [x, y], "turn": math.atan2(-y, far - x)},
                "shape": box(0, 80, 3),
                **PART,
            },
            "piston": {
                "markers": {"q": {"at": [0, 0], "along": [1, 0]}},
                "pose": {"at": [far, 0]},
                **PART,
            },
        },
        "joints": {
            "O": {"type": "revolute", "between": ["frame.o", "crank.o"]},
            "P": {"type": "revolute", "between": ["crank.p", "rod.p"]},
            "Q": {"type": "revolute", "between": ["rod.q", "piston.q"]},
            "S": {"type": "prismatic", "between": ["frame.s", "piston.q"], **joints},
        },
    }


def test_a_piston_drives_its_crank_no_farther_than_to_the_dead_point():
    data = crank()
    start = data["parts"]["piston"]["pose"]["at"][0]
    running = detent.run(detent.from_dict({**data, "drives": {"pull": {"joint": "S", "speed": 20}}}), until=6)
    assert running.stop.cause == "blocked"
    assert running.stop.time == pytest.approx((110 - start) / 20, abs=1e-9)
    assert running.stop.detail.startswith("O, P, Q and S come to a dead point: a drive at a speed")
    assert running.events[-1].kind == "blocked"
    signs = {name: running.reactions[name][-1, 0] for name in "OPQS"}
    # It is pulled in two: the piston by its drive, the frame holds the crank back.
    assert signs == {"O": -math.inf, "P": -math.inf, "Q": -math.inf, "S": math.inf}
    assert math.isinf(running.velocities["O"][-1])
    json.loads(running.to_json())
    assert "without bound" in running.words


def test_the_rod_of_a_crank_that_hits_a_stop_blocks_the_crank():
    """A block above the rod, whose upper edge, 3 mm from the line of its pins, hits a corner of it."""
    data = crank()
    data["parts"]["frame"]["shape"] = {"outline": [[30, 20], [40, 20], [40, 60], [30, 60]]}
    data["drives"] = {"turn": {"joint": "O", "speed_deg": 60}}
    running = detent.run(detent.from_dict(data), until=6)
    assert running.stop.cause == "blocked"
    assert running.stop.detail.startswith("frame and rod touch: a drive at a speed cannot go on (turn; ")
    angle = running.stop.coordinates["O"]
    p = np.array([30 * math.cos(angle), 30 * math.sin(angle)])
    q = np.array([p[0] + math.sqrt(80**2 - p[1] ** 2), 0.0])
    ux, uy = (q - p) / 80
    heights = [abs((x - p[0]) * uy - (y - p[1]) * ux) for x, y in ([30, 20], [40, 20])]
    assert min(heights) == pytest.approx(3, abs=1e-6)


def test_gears_that_are_driven_against_each_other_are_blocked_at_once():
    def geared(second: float) -> detent.Mechanism:
        return detent.from_dict(
            {
                "units": "mm",
                "parts": {
                    "frame": {"fixed": True, "markers": {"a": [0, 0], "b": [30, 0]}},
                    "one": {"markers": {"a": [0, 0]}, **PART},
                    "two": {"markers": {"b": [0, 0]}, "pose": {"at": [30, 0]}, **PART},
                },
                "joints": {
                    "A": {"type": "revolute", "between": ["frame.a", "one.a"]},
                    "B": {"type": "revolute", "between": ["frame.b", "two.b"]},
                    "mesh": {"type": "gear", "between": ["one", "two"], "ratio": -2},
                },
                "drives": {"p": {"joint": "A", "speed": 1}, "q": {"joint": "B", "speed": second}},
            }
        )

    together = detent.run(geared(-2), until=3)
    assert (together.stop.cause, together.stop.time) == ("done", 3)
    assert together.states["B"][-1] == pytest.approx(-6, abs=1e-9)
    for second in (1, -1.9999, -2.0001):
        running = detent.run(geared(second), until=3)
        assert (running.stop.cause, running.stop.time) == ("blocked", 0)
        assert running.stop.detail.startswith("p and q contradict each other through A, B and mesh: ")
        assert math.isinf(running.reactions["mesh"][-1, 1])
        json.loads(running.to_json())
