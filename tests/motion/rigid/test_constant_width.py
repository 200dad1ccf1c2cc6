"""Cams of constant width in a closed yoke, without play, with hardly any, and with too little.

The yoke's walls are where the cam's support function says: of arcs about the corners of a triangle, of two
radii that add up to the width; a Reuleaux cam is the one whose small radius is nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import detent

PART = {"mass": 0.1, "inertia": 1e-4, "center": [0, 0]}
Support = Callable[[float], float]  # how far the cam reaches along x from its axle, turned by an angle


def in_yoke(
    shape: dict[str, Any], axle: tuple[float, float], width: float, reach: Support, play: float, **more: Any
) -> detent.Mechanism:
    right, high = reach(0.0) + play, 3 * width
    left = right - width - 2 * play
    outer = [[left - 5, -high - 5], [right + 5, -high - 5], [right + 5, high + 5], [left - 5, high + 5]]
    slot = [[left, -high], [right, -high], [right, high], [left, high]]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "base": {"fixed": True, "markers": {"o": [0, 0]}},
                "cam": {
                    "shape": {**shape, "moves": [{"move": [-axle[0], -axle[1]]}]},
                    "markers": {"o": [0, 0]},
                    **PART,
                },
                "yoke": {
                    "shape": {"difference": [{"outline": outer}, {"outline": slot}]},
                    "mass": 1,
                    "inertia": 1e-3,
                    "center": [0, 0],
                },
            },
            "joints": {
                "axle": {"type": "revolute", "between": ["base.o", "cam.o"]},
                "slide": {"type": "prismatic", "between": ["base", "yoke"], "at": [0, 0], "along": [1, 0]},
            },
            "drives": {"motor": {"joint": "axle", "speed_deg": 60}},
            **more,
        }
    )


def rounded(
    width: float, small: float, axle: tuple[float, float] | int, turn: float, play: float, **more: Any
) -> tuple[detent.Mechanism, Support]:
    """A cam about its triangle's middle, turned; its axle is a point or one of the corners."""
    side, large = width - 2 * small, width - small
    angles = [math.radians(90 + turn + 120 * k) for k in range(3)]
    corners = [(side / math.sqrt(3) * math.cos(a), side / math.sqrt(3) * math.sin(a)) for a in angles]
    pieces: list[dict[str, Any]] = []
    for k, (x, y) in enumerate(corners):
        disc = {"circle": large, "moves": [{"move": [x, y]}]}
        if small == 0:
            pieces.append(disc)
            continue
        ends = [[x + 3 * (px - x), y + 3 * (py - y)] for px, py in (corners[k - 2], corners[k - 1])]
        pieces += [{"circle": small, "moves": [{"move": [x, y]}]}]
        pieces += [{"intersection": [disc, {"outline": [[x, y], *ends]}]}]
    at = corners[axle] if isinstance(axle, int) else axle

    def reach(angle: float) -> float:
        # Along u the cam reaches as far as a corner's small arc, or, where u lies between the directions from
        # a corner to the two others, as that corner's large one.
        u = np.array([math.cos(angle), -math.sin(angle)])
        found = [float(np.dot(corner, u)) + small for corner in corners]
        for k, corner in enumerate(corners):
            to = [np.subtract(corners[k - j], corner) for j in (1, 2)]
            sides = [v[0] * u[1] - v[1] * u[0] for v in to]
            if sides[0] * sides[1] <= 0 and np.dot(to[0] + to[1], u) > 0:
                found.append(float(np.dot(corner, u)) + large)
        return max(found) - float(np.dot(at, u))

    shape = {"intersection": pieces} if small == 0 else {"union": pieces}
    return in_yoke(shape, at, width, reach, play, **more), reach


def eccentric(radius: float, off: float, play: float) -> tuple[detent.Mechanism, Support]:
    def reach(angle: float) -> float:
        return off * math.cos(angle) + radius

    shape = {"union": [{"circle": radius, "moves": [{"move": [off, 0]}]}]}
    return in_yoke(shape, (0.0, 0.0), 2 * radius, reach, play), reach


def assert_follows(machine: detent.Mechanism, reach: Support, play: float, size: float) -> None:
    running = detent.run(machine, until=7)
    assert (running.stop.cause, running.times[-1]) == ("done", 7)
    wanted = [reach(float(angle)) - reach(0.0) for angle in running.states["axle"]]
    assert running.states["slide"] == pytest.approx(wanted, abs=1.01 * play + 1e-7 * size)


CAMS = [
    (20.0, 0.0, 0, 0.0),
    (20.0, 0.0, (0.0, 0.0), 7.0),
    (150.0, 0.0, (20.0, -13.0), 41.0),
    (20.0, 3.0, 0, 0.0),
    (20.0, 3.0, (0.0, 0.0), 11.0),
    (200.0, 20.0, (3.0, 5.0), 20.0),
]


@pytest.mark.parametrize("play", [0.0, 1e-6, 1e-3])
@pytest.mark.parametrize(("width", "small", "axle", "turn"), CAMS)
def test_a_cam_of_constant_width_leads_its_yoke_both_ways(width, small, axle, turn, play):
    machine, reach = rounded(width, small, axle, turn, play)
    assert_follows(machine, reach, play, 6 * width)


@pytest.mark.parametrize("play", [0.0, 1e-6])
def test_an_eccentric_disc_leads_its_yoke(play):
    for radius, off in ((10.0, 4.0), (50.0, 49.0), (3.0, 8.0)):
        machine, reach = eccentric(radius, off, play)
        assert_follows(machine, reach, play, 6 * radius)


@pytest.mark.parametrize("touching", [{"friction": 0.1}, {"restitution": 0.5}])
def test_it_does_so_with_friction_and_with_rebounds(touching):
    machine, reach = rounded(20.0, 0.0, (0.0, 0.0), 7.0, 0.0, touching=touching)
    assert_follows(machine, reach, 0.0, 120.0)


@pytest.mark.parametrize(("width", "small", "axle", "turn"), CAMS)
def test_a_yoke_that_is_narrower_is_blocked(width, small, axle, turn):
    running = detent.run(rounded(width, small, axle, turn, -5e-8 * width)[0], until=7)
    assert running.stop.cause == "blocked"
    assert running.stop.time < 1e-3
    assert running.stop.detail.startswith("cam and yoke touch: ")
    assert math.inf in {float(column[-1]) for column in running.forces.values()}


def test_a_cam_that_is_wider_elsewhere_is_blocked_where_it_is():
    """An ellipse of a cam, two discs about its axle: as wide as its yoke until its long side comes across."""
    shape = {"union": [{"circle": 10.0, "moves": [{"move": [0, y]}]} for y in (-2.0, 2.0)]}

    def reach(angle: float) -> float:
        return 10 + 2 * abs(math.sin(angle))

    play = 0.5
    running = detent.run(in_yoke(shape, (0.0, 0.0), 20.0, reach, play), until=7)
    assert (running.stop.cause, running.stop.detail.partition(":")[0]) == ("blocked", "cam and yoke touch")
    assert running.stop.coordinates["axle"] == pytest.approx(math.asin(play / 2), abs=1e-6)
