"""Boxes in a row on a bench, pushed: loads are shared in many ways, the motion is one."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

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
