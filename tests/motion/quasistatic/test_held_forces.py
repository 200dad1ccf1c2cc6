"""What a pawl carries where a leg ends against it has no bound, of that pawl by itself too."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest

import detent
from tests.prove.fasteners import document

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


@pytest.mark.parametrize("beside", ["0", "1/1000000"])
@pytest.mark.parametrize(("cosine", "sine"), [(1, 0), (0, 1), ("3/5", "4/5")])
def test_a_contact_without_bound_across_the_push_resists_it_as_the_spring_is_wound(
    beside: str, cosine: Any, sine: Any
) -> None:
    """An arm as wide as its hinge is above a block lies down on it by a quarter turn.

    Its side is a tangent from the block's corner to a circle of radius 1 about the hinge, pi/2 - 2 atan(s)
    s before the end. So the push winds the spring by k (pi/2) 2 there, while the corner's lever, s, vanishes.
    """
    c, s = Fraction(cosine), Fraction(sine)

    def turned(*points: Any) -> list[list[str]]:
        return [
            [str(c * Fraction(x) - s * Fraction(y)), str(s * Fraction(x) + c * Fraction(y))]
            for x, y in points
        ]

    top = str(-1 - Fraction(beside))
    arm = turned((-1, 1), (1, 1), (1, -12), (-1, -12))
    block = turned((5, -30), (60, -30), (60, top), (5, top))
    (velocity,) = turned((1, 0))
    (leg, back) = detent.mate(
        detent.from_dict(document(arm, [block], 0, [{"velocity": velocity, "for": 30}, {"back": True}]))
    ).legs
    assert leg.end.cause == "done"
    peak = float(leg.force.peak)
    if beside == "0":
        assert peak == pytest.approx(math.pi, rel=1e-8)
        assert leg.force.peak.time == 5.0
        assert math.isinf(leg.force.peak_by_part["p"].contact_force)
        assert min(back.force.on_drive) == pytest.approx(-math.pi, rel=1e-8)
    else:
        assert 0.97 * math.pi < peak < math.pi
    along = [float(v) for v in map(Fraction, velocity)]
    for part in (leg, back):
        sign = 1 if part is leg else -1
        for resisting, (x, y, _) in zip(part.force.on_drive, part.force.on_root, strict=True):
            assert math.isfinite(resisting)
            if math.isfinite(x) and math.isfinite(y):
                assert -sign * (x * along[0] + y * along[1]) == pytest.approx(resisting, abs=1e-6)
            elif 0 in along:  # the part across the push alone is without bound
                assert -sign * (x if along[0] else y) * sum(along) == pytest.approx(resisting, abs=1e-6)
