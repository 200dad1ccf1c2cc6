"""Limits at, just before and just beyond where a linkage turns a joint round by itself: two-sided.

A limit that is reached with no speed does not block; one that is passed by more than 4e-10 of the machine's
size does. Where joints close a loop, a step knows a coordinate to about a hundred of such distances, so a
flywheel is asked no nearer than that.
"""

from __future__ import annotations

import cmath
import math
from typing import Any

import numpy as np
import pytest

import detent
from tests.motion.rigid.test_blocked import PART, crank

NOT_BEYOND = [1e-6, 1e-9, 1e-12, 0.0, -1e-12, -1e-10]  # mm, of machines of about 100 mm
CRANK, ROD = 30.0, 80.0


def piston(least: float | None, most: float | None, speed: float, *, driven: bool) -> detent.Mechanism:
    ends = {key: end for key, end in (("min", least), ("max", most)) if end is not None}
    moves: dict[str, Any] = {"drives": {"turn": {"joint": "O", "speed_deg": speed}}}
    if not driven:
        moves = {"start": {"O": {"speed_deg": speed}}}
    return detent.from_dict({**crank(limits=ends), **moves})


@pytest.mark.parametrize("room", NOT_BEYOND)
@pytest.mark.parametrize("driven", [True, False])
def test_a_crank_passes_both_dead_points_of_a_piston_with_limits_there(room, driven):
    running = detent.run(piston(50 - room, 110 + room, -60, driven=driven), until=8)
    free = detent.run(piston(None, None, -60, driven=driven), until=8)
    assert (running.stop.cause, running.times[-1]) == ("done", 8)
    assert not any(event.impulse for event in running.events)
    assert running.states["O"][-1] == pytest.approx(free.states["O"][-1], abs=1e-5)
    assert abs(running.states["O"][-1] - running.states["O"][0]) > 2 * math.pi


@pytest.mark.parametrize("beyond", [1e-6, 1e-4])
def test_a_limit_just_before_a_dead_point_blocks_the_drive_there(beyond):
    """The piston is at 110 mm less angle² (1/30 + 1/80) 30²/2, up to fourth order."""
    for least, most, speed in ((None, 110 - beyond, -60.0), (50 + beyond, None, 60.0)):
        running = detent.run(piston(least, most, speed, driven=True), until=8)
        assert (running.stop.cause, running.stop.detail.partition(":")[0]) == ("blocked", "S is at its limit")
        bend = CRANK * (1 + CRANK / ROD) if most is not None else CRANK * (1 - CRANK / ROD)
        away = math.sqrt(2 * beyond / bend)
        turned = away if most is not None else math.pi - away
        assert running.stop.coordinates["O"] == pytest.approx(turned, abs=0.1 * away)
        stop = "S.max" if most is not None else "S.min"
        assert running.forces[stop][-1] == math.inf


@pytest.mark.parametrize("beyond", [1e-5, 1e-3])
def test_a_limit_before_a_dead_point_stops_a_flywheel_and_takes_its_energy(beyond):
    running = detent.run(piston(None, 110 - beyond, -60, driven=False), until=8)
    (hit,) = [event for event in running.events if event.kind == "limit"]
    assert hit.impulse > 0
    assert running.states["O"][-1] == pytest.approx(
        math.sqrt(2 * beyond / (CRANK * (1 + CRANK / ROD))), rel=0.01
    )
    energy = {name: np.asarray(column) for name, column in running.energy.items()}
    total = energy["stored"] + energy["impact"] + energy["dissipated"] - energy["input"]
    assert np.ptp(total) < 1e-5 * energy["stored"][0]
    assert energy["impact"][-1] == pytest.approx(energy["stored"][0], rel=1e-3)


def test_a_piston_that_is_driven_to_its_dead_point_stops_there_with_a_limit_there_too():
    data = crank()
    start = data["parts"]["piston"]["pose"]["at"][0]
    for room in (1e-6, 0.0, -1e-12, -1e-6, -1e-3):
        data = crank(limits={"max": 110 + room})
        data["drives"] = {"pull": {"joint": "S", "speed": 20}}
        running = detent.run(detent.from_dict(data), until=3)
        assert running.stop.cause == "blocked"
        assert running.stop.time == pytest.approx((110 + min(room, 0.0) - start) / 20, abs=1e-9)


def four_bar(limit: float, *, driven: bool) -> detent.Mechanism:
    """A crank of 20 mm, a rod of 60, a rocker of 50 whose pins are 70 apart."""
    p, r = cmath.rect(20, math.pi / 2), complex(70, 0)
    d = abs(r - p)
    q = p + cmath.rect(60, cmath.phase(r - p) + math.acos((60**2 + d**2 - 50**2) / (2 * 60 * d)))
    data: dict[str, Any] = {
        "units": "mm",
        "parts": {
            "frame": {"fixed": True, "markers": {"o": [0, 0], "r": [70, 0]}},
            "crank": {"markers": {"o": [0, 0], "p": [20, 0]}, "pose": {"turn_deg": 90}, **PART},
            "rod": {
                "markers": {"p": [0, 0], "q": [60, 0]},
                "pose": {"at": [p.real, p.imag], "turn": cmath.phase(q - p)},
                **PART,
            },
            "rocker": {
                "markers": {"r": [0, 0], "q": [50, 0]},
                "pose": {"at": [70, 0], "turn": cmath.phase(q - r)},
                **PART,
            },
        },
        "joints": {
            "O": {"type": "revolute", "between": ["frame.o", "crank.o"]},
            "P": {"type": "revolute", "between": ["crank.p", "rod.p"]},
            "Q": {"type": "revolute", "between": ["rod.q", "rocker.q"]},
            "R": {"type": "revolute", "between": ["frame.r", "rocker.r"], "limits": {"max": limit}},
        },
    }
    moves = {"drives": {"turn": {"joint": "O", "speed_deg": 60}}}
    return detent.from_dict({**data, **(moves if driven else {"start": {"O": {"speed_deg": 60}}})})


FARTHEST = math.pi - math.acos((50**2 + 70**2 - 40**2) / (2 * 50 * 70))  # crank and rod in line, 60 - 20


@pytest.mark.parametrize("driven", [True, False])
def test_a_rocker_comes_to_its_limit_where_it_turns_round(driven):
    for room in (1e-6, 1e-9, 0.0, -1e-12):
        running = detent.run(four_bar(FARTHEST + room, driven=driven), until=8)
        assert running.stop.cause == "done"
        assert not any(event.impulse for event in running.events)
        assert running.states["O"][-1] > math.pi / 2 + 2 * math.pi
        assert running.ranges["R"][1] == pytest.approx(FARTHEST, abs=1e-4)  # sampled
    stopped = detent.run(four_bar(FARTHEST - 1e-6, driven=driven), until=8)
    assert stopped.stop.cause == ("blocked" if driven else "done")
    assert stopped.ranges["R"][1] <= FARTHEST - 1e-6 + 1e-8
    assert stopped.states["O"][-1] < math.radians(90) + 2 * math.pi
