"""Boxes in a row on a bench, pushed: loads are shared in many ways, the motion is one."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from scipy.optimize import brentq

import detent

G = 9.81


def rectangle(x0: float, y0: float, x1: float, y1: float) -> dict[str, Any]:
    return {"outline": [[x0, y0], [x1, y0], [x1, y1], [x0, y1]]}


def box(x0: float, y0: float, x1: float, y1: float, mass: float) -> dict[str, Any]:
    wide, high = (x1 - x0) * 1e-3, (y1 - y0) * 1e-3
    return {
        "shape": rectangle(x0, y0, x1, y1),
        "mass": mass,
        "center": [(x0 + x1) / 2, (y0 + y1) / 2],
        "inertia": mass * (wide**2 + high**2) / 12,
    }


def bench(
    boxes: dict[str, Any],
    friction: float,
    rubbing: float,
    *,
    pusher: dict[str, Any] | None = None,
    to: float = 40,
    steps: int = 4,
) -> detent.Mechanism:
    """Boxes on a bench before a pusher on a rail; `rubbing` is the friction between all but the bench."""
    names = ["pusher", *boxes]
    pairs = {f"{a}:{b}": {"friction": rubbing} for a, b in itertools.pairwise(names)}
    return detent.from_dict(
        {
            "units": "mm",
            "gravity": [0, -G],
            "parts": {
                "bench": {"fixed": True, "shape": rectangle(-100, -10, 400, 0)},
                "pusher": {"shape": pusher or rectangle(-20, 1, 0, 19)},
                **boxes,
            },
            "joints": {
                "rail": {"type": "prismatic", "between": ["bench", "pusher"], "at": [0, 10], "along": [1, 0]},
            },
            "drives": {"push": {"joint": "rail", "from": 0, "to": to, "steps": steps}},
            "touching": {"friction": friction, "pairs": pairs},
        }
    )


ROW = {"a": box(10, 0, 50, 20, 0.8), "b": box(60, 0, 90, 20, 0.5), "c": box(95, 0, 120, 20, 0.3)}


@pytest.mark.parametrize(("friction", "rubbing"), [(0.3, 0.2), (0.0, 0.2), (0.3, 0.0)])
def test_three_boxes_in_a_row_are_pushed_on(friction: float, rubbing: float) -> None:
    """They meet one after the other, at 10, 20 and 25 mm, and slide without tilting."""
    moved = detent.move(bench(ROW, friction, rubbing), contact=True)
    assert moved.stop == "done"
    went = {name: float(poses[-1, 0] - poses[0, 0]) for name, poses in moved.poses.items()}
    assert went == pytest.approx({"bench": 0, "pusher": 40, "a": 30, "b": 20, "c": 15}, abs=1e-6)
    assert all(abs(poses[:, 1:]).max() < 1e-6 for poses in moved.poses.values())
    met = [event.time for event in moved.events if event.time > 0 and event.kind == "contact"]
    assert met == pytest.approx([10, 20, 25], abs=1e-6)
    if not rubbing:
        pushed = [friction * mass * G for mass in (0.8, 1.3, 1.6, 1.6)]
        assert moved.forces["drive push"][1:] == pytest.approx(pushed, abs=1e-6)


TIPS = {
    "a point at half its height": [[-20, 0.5], [0, 10], [-20, 19]],
    "a point near the bench": [[-20, 3], [0, 4], [-20, 8]],
    "a foot below a wall": [[-20, 1], [20, 1], [20, 4], [0, 4], [0, 30], [-20, 30]],
}


@pytest.mark.parametrize("tip", list(TIPS))
def test_a_box_that_sticks_to_its_pusher_takes_what_lies_between_its_cones_edges(tip: str) -> None:
    """The pusher carries up to `rubbing` of its force, or adds as much: F = mu (m g -+ nu F)."""
    friction, rubbing, mass = 0.3, 0.2, 0.8
    moved = detent.move(
        bench({"a": box(30, 0, 60, 40, mass)}, friction, rubbing, pusher={"outline": TIPS[tip]}), contact=True
    )
    assert moved.stop == "done"
    ends = [friction * mass * G / (1 + sign * friction * rubbing) for sign in (1, -1)]
    assert moved.force_ranges["drive push"][-1] == pytest.approx(ends, rel=1e-9)
    assert moved.force_peaks["drive push"]["most_range"] == pytest.approx(ends, rel=1e-9)


def test_two_drives_that_hold_a_box_between_them_press_it_by_any_force() -> None:
    """Two smooth pushers on one box: each takes no less than nothing, and has no most."""
    data = bench({"a": box(0, 0, 20, 20, 0.5)}, 0.0, 0.0).to_dict()
    data["parts"]["other"] = {"shape": rectangle(20, 1, 40, 19)}
    data["joints"]["back"] = {**data["joints"]["rail"], "between": ["bench", "other"]}
    data["drives"] = {name: {**data["drives"]["push"], "joint": name} for name in ("rail", "back")}
    moved = detent.move(detent.from_dict(data), contact=True)
    assert moved.stop == "done"
    assert moved.force_ranges["drive rail"][-1].tolist() == [pytest.approx(0, abs=1e-9), math.inf]
    assert moved.force_ranges["drive back"][-1].tolist() == [-math.inf, pytest.approx(0, abs=1e-9)]
    assert "drive rail its most 0 N or more" in moved.words
    assert '"unbounded"' in moved.to_json()


def test_a_box_that_tips_turns_about_its_corner_and_takes_less_and_less() -> None:
    """A smooth point pushes it over the edge that sticks: its weight's moment about it, over the arm."""
    wide, high, at, mass = 20.0, 60.0, 50.0, 1.0
    tip = {"outline": [[-20, at - 4], [0, at], [-20, at + 4]]}
    tall = {"a": box(5, 0, 5 + wide, high, mass)}
    moved = detent.move(bench(tall, 0.5, 0.0, pusher=tip, to=17, steps=4), contact=True)
    assert moved.stop == "done"

    def face(tilt: float) -> float:
        """Where its face is at the point's height, from the edge that it turns about."""
        return (at - wide * math.sin(tilt)) * math.tan(tilt) - wide * math.cos(tilt)

    for x, tilted, force in list(
        zip(moved.inputs, moved.poses["a"][:, 2], moved.forces["drive push"], strict=True)
    )[2:]:
        tilt = brentq(lambda t, x=x: face(t) - (x - 5 - wide), 0.0, 0.31)
        arm = face(tilt) * -math.sin(tilt) - at * math.cos(tilt)
        weight = mass * G * (wide / 2 * math.cos(tilt) - high / 2 * math.sin(tilt))
        assert -tilted == pytest.approx(tilt, abs=2e-5)
        assert force == pytest.approx(-weight / arm * math.cos(tilt), abs=2e-4)
