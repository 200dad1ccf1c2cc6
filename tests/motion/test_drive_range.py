"""How far a drive can go both ways: limits beyond one rotation, and far from a small drawing."""

from __future__ import annotations

import cmath
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq

import detent

CRANKS = 40 + 15j, 100 + 45j - 120  # of both wheels, from their pivots at 0 and 120
COUPLERS = 90.0, 80.0


def geared_five_bar(ratio: str, **drive: object) -> detent.Mechanism:
    b, c = CRANKS[0], CRANKS[1] + 120
    along = (c - b) / abs(c - b)
    x = (abs(c - b) ** 2 + COUPLERS[0] ** 2 - COUPLERS[1] ** 2) / (2 * abs(c - b))
    top = b + along * complex(x, math.sqrt(COUPLERS[0] ** 2 - x * x))
    at = lambda z: [z.real, z.imag]  # noqa: E731
    pins = {
        "A": ("frame.A", "wheel.A"),
        "D": ("frame.D", "gear.D"),
        "B": ("wheel.B", "left.B"),
        "C": ("gear.C", "right.C"),
        "X": ("left.X", "right.X"),
    }
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "markers": {"A": [0, 0], "D": [120, 0]}},
                "wheel": {"markers": {"A": [0, 0], "B": at(b)}},
                "gear": {"markers": {"D": [120, 0], "C": at(c)}},
                "left": {"markers": {"B": at(b), "X": at(top)}},
                "right": {"markers": {"C": at(c), "X": at(top)}},
            },
            "joints": {
                **{name: {"type": "revolute", "between": list(ends)} for name, ends in pins.items()},
                "mesh": {"type": "gear", "between": ["wheel", "gear"], "ratio": ratio},
            },
            "drives": {"motor": {"joint": "A", "steps": 6, **drive}},
        }
    )


def first_open(ratio: float, sign: float) -> float:
    """Where the ends of both cranks are first as far apart as the couplers reach, or too near [deg]."""

    def slack(t: float) -> float:
        b, c = CRANKS[0] * cmath.exp(1j * t), CRANKS[1] * cmath.exp(1j * ratio * t) + 120
        return min(sum(COUPLERS) - abs(c - b), abs(c - b) - abs(COUPLERS[0] - COUPLERS[1]))

    places = sign * np.arange(0, 200, 0.003)
    k = next(k for k, t in enumerate(places) if slack(t) < 0)
    return math.degrees(brentq(slack, places[k - 1], places[k], xtol=1e-14))


@pytest.mark.parametrize("ratio", ["-1/2", "7/37", "1.4142135"])
@pytest.mark.parametrize("to_deg", [30, -90])
def test_limits_of_gears_are_found_after_more_than_a_rotation(ratio, to_deg):
    wanted = [first_open(float(Fraction(ratio)), sign) for sign in (-1, 1)]
    assert max(map(abs, wanted)) > 360  # one of them at least
    motion = detent.move(geared_five_bar(ratio, from_deg=0, to_deg=to_deg))
    assert motion.stop == "done"
    assert motion.range["proved"]
    found = [motion.range["from"], motion.range["to"]]
    assert np.degrees(found) == pytest.approx(wanted, abs=1e-9)
    assert list(motion.range["looked"]) == found
    assert f"range      A from {wanted[0]:.6g}° to {wanted[1]:.6g}°" in motion.words


def worm_drive(limits: dict[str, float], to_deg: float) -> detent.Mechanism:
    """A pinion turns a limited wheel by a twelfth, the other way."""
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "markers": {"A": [0, 0], "D": [60, 0]}},
                "pinion": {"markers": {"A": [0, 0]}},
                "wheel": {"markers": {"D": [60, 0], "P": [100, 0]}},
            },
            "joints": {
                "A": {"type": "revolute", "between": ["frame.A", "pinion.A"]},
                "D": {"type": "revolute", "between": ["frame.D", "wheel.D"], "limits": limits},
                "mesh": {"type": "gear", "between": ["pinion", "wheel"], "ratio": "-1/12"},
            },
            "drives": {"motor": {"joint": "A", "from_deg": 0, "to_deg": to_deg, "steps": 6}},
        }
    )


@pytest.mark.parametrize("to_deg", [90, 1000])
def test_the_range_of_a_pinion_ends_where_its_wheel_does(to_deg):
    motion = detent.move(worm_drive({"min_deg": -40, "max_deg": 70}, to_deg))
    ends = motion.range["from"], motion.range["to"]
    assert np.degrees(ends) == pytest.approx([-12 * 70, 12 * 40], abs=1e-9)


def test_an_end_without_a_limit_says_how_far_it_was_looked_at():
    motion = detent.move(worm_drive({"min_deg": -40}, 90))
    assert math.degrees(motion.range["to"]) == pytest.approx(480, abs=1e-9)
    assert motion.range["from"] is None
    assert motion.range["looked"][0] <= -math.tau
    assert "no limit" not in motion.words
    assert "° (not looked at farther) to 480°" in motion.words
    farther = detent.move(worm_drive({"min_deg": -40}, -36_000))  # the run itself says how far
    assert math.degrees(farther.range["looked"][0]) == pytest.approx(-36_000)
    assert farther.range["from"] is None


def test_a_run_that_stops_beyond_what_is_looked_at_has_its_limit_as_the_range():
    motion = detent.move(worm_drive({"min_deg": -900, "max_deg": 4000}, -60_000))
    assert motion.stop == "limit"
    assert math.degrees(motion.range["from"]) == pytest.approx(-48_000, abs=1e-6)
    assert motion.range["to"] is None  # it is at 10800 degrees
    assert math.tau <= motion.range["looked"][1] <= math.radians(10_800)


def wedge(limits: dict[str, dict[str, float]], drive: dict[str, object]) -> detent.Mechanism:
    """A wedge of 3 degrees lifts a follower; the drawing is 50 mm long."""
    slides = {
        "in": ("frame.A", "wedge.A"),
        "slope": ("wedge.S", "follower.S"),
        "up": ("frame.V", "follower.V"),
    }
    limited = {name: {"limits": ends} for name, ends in limits.items()}
    height = 5 + 10 * math.tan(math.radians(3))
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "frame": {"fixed": True, "markers": {"A": [0, 0], "V": {"at": [50, 0], "turn_deg": 90}}},
                "wedge": {"markers": {"A": [0, 0], "S": {"at": [40, 5], "turn_deg": 3}}},
                "follower": {
                    "markers": {
                        "S": {"at": [50, height], "turn_deg": 3},
                        "V": {"at": [50, height], "turn_deg": 90},
                    }
                },
            },
            "joints": {
                name: {"type": "prismatic", "between": list(ends), **limited.get(name, {})}
                for name, ends in slides.items()
            },
            "drives": {"push": {"steps": 6, **drive}},
        }
    )


def test_the_range_of_a_slow_wedge_ends_where_its_follower_does():
    machine = wedge({"up": {"min": 0, "max": 30}}, {"joint": "in", "from": 0, "to": 10})
    motion = detent.move(machine)
    at = lambda height: (5 - height) / math.tan(math.radians(3)) + 10  # noqa: E731
    assert motion.range["from"] == pytest.approx(at(30), abs=1e-7)
    assert motion.range["to"] == pytest.approx(at(0), abs=1e-7)


def test_a_slide_with_one_limit_has_no_other():
    """A follower of 600 mm takes the wedge 11 m from a drawing of 50 mm: it is at no limit there."""
    machine = wedge({"in": {"max": 20}}, {"joint": "up", "from": 6, "to": 600})
    motion = detent.move(machine)
    assert motion.stop == "done"
    lowest = 5 + (10 - 20) * math.tan(math.radians(3))
    assert motion.range["from"] == pytest.approx(lowest, abs=1e-7)
    assert motion.range["to"] is None
