"""Corners that point inwards between an edge and an arc, and discs with slots."""

from __future__ import annotations

import math

import pytest

import detent

R, BALL, WALL, MASS, G = 50.0, 6.0, 20.0, 0.1, 9.81
PUSHED = 2.0  # by what leans against the wall, m/s²


def crotch(side: float, turn: float) -> detent.Mechanism:
    """A ball between a round hump and a wall beside it, all turned with what pulls."""
    x = side * (WALL - BALL)
    y = math.sqrt((R + BALL) ** 2 - x * x)
    wall = [[side * WALL, 0], [side * (WALL + 10), 0], [side * (WALL + 10), 90], [side * WALL, 90]]
    c, s = math.cos(turn), math.sin(turn)
    pull = side * PUSHED, -G
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [c * pull[0] - s * pull[1], s * pull[0] + c * pull[1]],
            "parts": {
                "frame": {
                    "fixed": True,
                    "shape": {"union": [{"circle": R}, {"outline": wall}]},
                    "pose": {"turn": turn},
                },
                "ball": {
                    "shape": {"circle": BALL},
                    "mass": MASS,
                    "center": [0, 0],
                    "inertia": 1.8e-6,
                    "pose": {"at": [c * x - s * y, s * x + c * y]},
                },
            },
        }
    )


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("turn", [0, 0.6])
def test_a_ball_between_a_hump_and_a_wall_lies_on_both(side, turn):
    """Forces by statics; the hump was taken for the end of the wall, and carried nothing."""
    running = detent.run(crotch(side, turn), until=0.1)
    up = math.sqrt(1 - ((WALL - BALL) / (R + BALL)) ** 2)
    hump = MASS * G / up
    wall = hump * (WALL - BALL) / (R + BALL) + MASS * PUSHED
    forces = {name.split(":")[0].split(".")[-1][0]: column[-1] for name, column in running.forces.items()}
    assert running.stop.cause == "done"
    assert forces == {"a": pytest.approx(hump, rel=1e-6), "e": pytest.approx(wall, rel=1e-6)}
    assert running.steps < 100


@pytest.mark.parametrize("corner", [2.5, 3.5])
def test_a_tip_goes_to_the_bottom_of_a_slot_with_parallel_sides(corner):
    """Deep in it the tip is behind the rim, seen from the disc's centre; 0.1 m/s, 30 mm to go."""
    disc = {"circle": 22}
    slot = {"outline": [[10, -4], [30, -4], [30, 4], [10, 4]]}
    tip = [[40, 1], [80, 1], [80, 3], [40, corner]]
    machine = {
        "units": "mm",
        "parts": {
            "frame": {"fixed": True, "shape": {"difference": [disc, slot]}},
            "tip": {"shape": {"outline": tip}, "mass": 0.1, "center": [60, 2]},
        },
        "joints": {
            "slide": {"type": "prismatic", "between": ["frame", "tip"], "at": [0, 0], "along": [1, 0]}
        },
        "start": {"slide": {"speed": -100}},
    }
    running = detent.run(detent.from_dict(machine), until=1)
    assert running.stop.cause == "done"
    assert running.events[0].kind == "impact"
    assert all(event.time == pytest.approx(0.3, abs=1e-6) for event in running.events)


@pytest.mark.parametrize("spin", [-2.0, 2.0])
@pytest.mark.parametrize("mouth", [-150, -135, -45, -30, 90])
def test_a_disc_with_a_slot_lands_on_its_rim_on_both_sides_of_the_slot(mouth, spin):
    """It falls 20 mm, then lies and spins on; near the slot it was taken to leave its rim, and sank in."""
    slot = {"outline": [[0, -4], [30, -4], [30, 4], [0, 4]], "moves": [{"turn_deg": mouth}]}
    machine = {
        "units": "mm",
        "gravity": [0, -G],
        "parts": {
            "floor": {"fixed": True, "shape": {"outline": [[-50, -10], [50, -10], [50, 0], [-50, 0]]}},
            "disc": {
                "shape": {"difference": [{"circle": 10}, slot]},
                "mass": MASS,
                "center": [0, 0],
                "inertia": 5e-6,
                "pose": {"at": [0, 30]},
            },
        },
        "start": {"disc.angle": {"speed": spin}},
    }
    running = detent.run(detent.from_dict(machine), until=0.12)
    lands = math.sqrt(2 * 0.02 / G)
    assert running.stop.cause == "done"
    assert [(event.kind, event.time) for event in running.events] == [("impact", pytest.approx(lands))]
    assert running.events[0].impulse == pytest.approx(MASS * G * lands)
    (force,) = running.forces.values()
    assert force[-1] == pytest.approx(MASS * G)
    assert running.states["disc.angle"][-1] == pytest.approx(spin * 0.12)
