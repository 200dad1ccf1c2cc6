"""Contacts that joints hold, on parts that turn: rounding is neither a motion nor a bound of a force."""

import math
from fractions import Fraction

import numpy as np
import pytest

import detent

MACHINES = range(12)


def text(values):
    return [str(Fraction(x)) for x in values]


def wheel_on_its_axle(seed):
    """It rubs on a bar at an odd angle, somewhere; how hard is open, for the axle carries the rest."""
    random = np.random.default_rng(seed)
    c, s = (Fraction(x, (5, 13, 17)[seed % 3]) for x in ((3, 4), (5, -12), (-8, 15))[seed % 3])
    size = Fraction(10) ** int(random.integers(-3, 4))
    at = [Fraction(int(x), 100) * size for x in random.integers(-300, 300, 2)]

    def placed(x, y):
        return [at[0] + size * (c * x - s * y), at[1] + size * (s * x + c * y)]

    axle = placed(0, 2)
    return axle, {
        "units": ["m", "mm", "in", "1"][seed % 4],
        "parts": {
            "bar": {
                "fixed": True,
                "shape": {"outline": [text(placed(*p)) for p in ((-9, -1), (9, -1), (9, 0), (-9, 0))]},
            },
            "wheel": {
                "shape": {"circle": str(2 * size), "moves": [{"move": text(axle)}]},
                "mass": 2,
                "center": text(axle),
                "inertia": 0.7,
            },
        },
        "joints": {"axle": {"type": "revolute", "between": ["bar", "wheel"], "at": text(axle)}},
        "touching": {"friction": 0.3},
    }


@pytest.mark.parametrize("seed", MACHINES)
def test_a_wheel_that_turns_on_its_axle_goes_on_and_its_centre_stays(seed):
    axle, document = wheel_on_its_axle(seed)
    spin = [0.7, 1.3, -2.1, 11.3][seed // 3]
    x, y = map(float, axle)
    answer = detent.moved_by(
        detent.from_dict(document), {"wheel": [1, -7, 0]}, velocity={"wheel": [spin * y, -spin * x, spin]}
    )
    assert answer.answer == "one"
    (motion,) = answer.consistent
    assert motion.states == ("sliding",)
    assert motion.normal_range == ((0.0, math.inf),)
    centre = motion.acceleration_of_centre["wheel"]
    assert centre.linear == (0.0, 0.0)
    assert centre.linear_range == ((0.0, 0.0), (0.0, 0.0))
    metres = {"m": 1, "mm": 1e-3, "in": 0.0254, "1": 1}[document["units"]]
    turned = (7 * x + y) * metres / 0.7  # by the load's moment about the axle
    assert sorted(centre.angular_range[0]) == pytest.approx(sorted([turned, -np.sign(spin) * math.inf]))


@pytest.mark.parametrize("place", [(0, 0, 0), (1.23, -0.57, 0.31), (-2.9, 1.7, -0.3), (210.7, -33.3, 5.9)])
def test_a_box_on_a_turntable_brakes_by_whatever_presses_on_it(place):
    """In space: the axle carries the weight, or the floor does, by any share."""
    x, y, z = place
    document = {
        "dimension": 3,
        "units": "mm",
        "gravity": [0, 0, -9.81],
        "parts": {
            "floor": {
                "fixed": True,
                "shape": {"block": [6, 6, 1], "moves": [{"move": [x - 3, y - 3, str(Fraction(str(z)) - 1)]}]},
            },
            "box": {
                "shape": {"block": [1, 2, 1], "moves": [{"move": [x - 0.5, y - 1, z]}]},
                "mass": 2,
                "center": [x, y, z + 0.5],
                "principal": [0.3, 0.4, 0.5],
            },
        },
        "joints": {
            "axle": {"type": "revolute", "between": ["floor", "box"], "at": [x, y, z], "along": [0, 0, 1]}
        },
        "touching": {"friction": 0.3},
    }
    spin = 1.3
    answer = detent.moved_by(
        detent.from_dict(document), {"box": [0] * 6}, velocity={"box": [spin * y, -spin * x, 0, 0, 0, spin]}
    )
    assert answer.answer == "one"
    (motion,) = answer.consistent
    assert motion.states == ("sliding",) * 4
    assert motion.normal_range == ((0.0, math.inf),) * 4
    centre = motion.acceleration_of_centre["box"]
    assert centre.linear_range == ((0.0, 0.0),) * 3
    assert centre.angular_range == ((0.0, 0.0), (0.0, 0.0), (-math.inf, 0.0))
