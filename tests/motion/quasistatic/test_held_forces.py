"""What a pawl carries where a leg ends against it has no bound, of that pawl by itself too."""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent

NEAR = [[-2, 1], [2, 1], [2, -14], [5, -16], [2, -22], [-2, -22]]
FAR = [[-32, 1], [-28, 1], [-28, -22], [-32, -22], [-35, -16], [-32, -14]]
BARS = [
    {"outline": [[3.5, -25], [12, -25], [12, -28], [3.5, -28]]},
    {"outline": [[-42, -26], [-33.8, -26], [-33.8, -28], [-42, -28]]},
]


def plug(far: dict[str, Any], friction: str) -> detent.Mechanism:
    """Two hooks on one plug, pushed past a bar each."""
    hinge = {"type": "revolute", "spring": {"stiffness": 1}}
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "plug": {},
                "near": {"shape": {"outline": NEAR}},
                "far": {"shape": {"outline": FAR}},
                "box": {"fixed": True, "shape": {"union": BARS}},
            },
            "joints": {
                "near_hinge": {**hinge, "between": ["plug", "near"], "at": [0, 0]},
                "far_hinge": {**hinge, "between": ["plug", "far"], "at": [-30, 0], **far},
            },
            "drives": {"push": {"part": "plug", "legs": [{"velocity": [0, -3], "distance": 15}]}},
            "touching": {"pairs": {"far:box": {"friction": friction}}},
        }
    )


@pytest.mark.parametrize(
    ("far", "friction", "cause"),
    [({"limits": {"min_deg": -1, "max_deg": 3}}, "0", "limit"), ({}, "6", "stick")],
)
def test_the_pawl_that_ends_a_leg_carries_without_bound(far: Any, friction: str, cause: str) -> None:
    (leg,) = detent.mate(plug(far, friction)).legs
    assert leg.end.cause == cause
    peaks = leg.force.peak_by_part
    for peak in (peaks["far"].contact_force, peaks["far"].resisting):
        assert math.isinf(peak)
        assert peak.time == leg.end.time
    assert 0 < float(peaks["near"].resisting) < math.inf


def test_a_jammed_pawl_carries_without_bound() -> None:
    inward, outward = detent.mate("motion_diode").legs
    assert outward.end.cause == "jam"
    assert math.isinf(outward.force.peak_by_part["triangle"].contact_force)
    assert 0 < float(inward.force.peak_by_part["triangle"].resisting) < math.inf
