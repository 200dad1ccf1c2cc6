"""A pin on a wheel pushes a sprung lever by its tip, up to where the tip's way turns back: it snaps there."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import detent
from detent.draw.chart import chart_of_motion

WHEEL, PIN, AXLE, LONG, HALF, STIFFNESS = 40.0, 4.0, 60.0, 45.0, 3.0, 0.5
DRAWN = -30.0  # [degrees] where the pin stands
TIP = math.hypot(LONG, HALF)  # from the lever's axle


def machine(friction: float, steps: int) -> detent.Mechanism:
    at = [WHEEL * math.cos(math.radians(DRAWN)), WHEEL * math.sin(math.radians(DRAWN))]
    lever = [[AXLE, -HALF], [AXLE, HALF], [AXLE - LONG, HALF], [AXLE - LONG, -HALF]]
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "markers": {"a": [0, 0], "b": [AXLE, 0]}},
                "wheel": {"shape": {"circle": PIN, "moves": [{"move": at}]}, "markers": {"a": [0, 0]}},
                "lever": {"shape": {"outline": lever}, "markers": {"b": [AXLE, 0]}},
            },
            "joints": {
                "shaft": {"type": "revolute", "between": ["frame.a", "wheel.a"]},
                "hinge": {
                    "type": "revolute",
                    "between": ["frame.b", "lever.b"],
                    "spring": {"stiffness": STIFFNESS, "rest_deg": 0},
                },
            },
            "touching": {"friction": friction},
            "drives": {
                "turn": {"joint": "shaft", "from_deg": 0, "to_deg": 105, "steps": steps, "speed_deg": 5},
            },
        }
    )


def fold() -> float:
    """The pin is as far from the lever's axle as its tip reaches [rad]."""
    reach = TIP + PIN
    return math.acos((WHEEL**2 + AXLE**2 - reach**2) / (2 * WHEEL * AXLE)) - math.radians(DRAWN)


def torque_at_the_fold(friction: float) -> float:
    """Friction alone has a lever there: it holds the spring [N m]."""
    pin = WHEEL * np.exp(1j * (fold() + math.radians(DRAWN)))
    out = (pin - AXLE) / abs(pin - AXLE)
    touch = AXLE + TIP * out
    corner = math.atan2(-HALF, -LONG)
    turned = math.remainder(float(np.angle(out)) - corner, 2 * math.pi)
    spring = -STIFFNESS * turned
    push = abs(spring) / (friction * TIP * 1e-3)
    force = -push * out - math.copysign(friction * push, spring) * 1j * out  # on the lever
    return float((touch.conjugate() * force).imag) * 1e-3


@pytest.mark.parametrize("steps", [1, 7, 40])
def test_a_lever_that_a_pin_leaves_at_its_tip_asks_a_torque_without_bound_and_snaps_once(steps: int) -> None:
    moved = detent.move(machine(0.0, steps), contact=True)
    assert moved.stop == "done"
    assert [event.kind for event in moved.events] == ["contact", "change", "snap"]
    assert moved.events[-1].time == pytest.approx(fold(), abs=1e-9)
    assert moved.events[-1].coordinate_after == pytest.approx(0.0, abs=1e-7)
    peak = moved.force_peaks["drive turn"]
    assert peak["unbounded"]
    assert list(peak["all_at"]) == [pytest.approx(fold(), abs=1e-9)]
    # The lever's spring drives the wheel on: the drive holds it back. There is a row of its own.
    row = int(np.flatnonzero(np.isinf(moved.forces["drive turn"]))[0])
    assert moved.forces["drive turn"][row] == -math.inf
    assert moved.inputs[row] == pytest.approx(fold(), abs=1e-9)
    assert len(moved.inputs) == steps + 2
    assert moved.times == pytest.approx(moved.inputs / math.radians(5), abs=1e-9)
    assert f"unbounded at {math.degrees(fold()):.6g}°: a contact there has no lever" in moved.words
    assert moved.to_csv().splitlines()[row + 1].endswith("-inf")
    assert moved.to_csv().startswith("turn [rad],time [s],")
    assert json.loads(moved.to_json())["forces"]["drive turn"][row] == {"unbounded": True}


def test_the_chart_marks_where_a_drive_has_no_bound() -> None:
    mechanism = machine(0.0, 7)
    assert "no bound" in repr(chart_of_motion(mechanism, detent.move(mechanism, contact=True)))


def test_friction_bounds_the_torque_at_the_fold_and_turns_round_where_the_pin_slides_back() -> None:
    moved = detent.move(machine(0.2, 7), contact=True)
    assert moved.stop == "done"
    assert [event.kind for event in moved.events] == ["contact", "change", "snap"]
    assert moved.events[-1].time == pytest.approx(fold(), abs=1e-9)
    assert moved.force_peaks["drive turn"]["least"] == pytest.approx(torque_at_the_fold(0.2), rel=1e-4)
