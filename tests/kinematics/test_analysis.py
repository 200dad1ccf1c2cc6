"""Instant centres and transmission angles against what geometry says of them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import detent
from detent.library import linkages
from detent.motion import move


def meet(p, u, q, v):
    """Where two lines meet."""
    cross = u[0] * v[1] - u[1] * v[0]
    t = ((q[0] - p[0]) * v[1] - (q[1] - p[1]) * v[0]) / cross
    return np.array([p[0] + t * u[0], p[1] + t * u[1]])


def test_a_couplers_instant_centre_is_where_crank_and_rocker_meet():
    motion = move(linkages.four_bar())
    a, d = np.zeros(2), np.array([4.0, 0.0])
    for i, centre in enumerate(motion.centres["coupler"]):
        b, c = motion.markers["coupler.B"][i], motion.markers["coupler.C"][i]
        np.testing.assert_allclose(centre, meet(a, b - a, d, c - d), rtol=1e-9, atol=1e-9)
        np.testing.assert_allclose(motion.centres["crank"][i], a, atol=1e-12)
        np.testing.assert_allclose(motion.centres["rocker"][i], d, atol=1e-9)


def test_a_sliding_part_has_no_instant_centre():
    motion = move(linkages.slider_crank())
    assert np.isnan(motion.centres["piston"]).all()
    assert set(json.loads(motion.to_json())["centres"]["piston"]) == {None}


def test_the_transmission_angle_of_a_four_bar_follows_the_law_of_cosines():
    ground, crank, coupler, rocker = 4.0, 1.0, 3.5, 3.0
    motion = move(linkages.four_bar(ground, crank, coupler, rocker))
    (angles,) = motion.transmission.values()
    for turn, angle in zip(motion.inputs, angles, strict=True):
        across = ground**2 + crank**2 - 2 * ground * crank * math.cos(turn + math.radians(40))
        inner = math.acos((coupler**2 + rocker**2 - across) / (2 * coupler * rocker))
        assert angle == pytest.approx(min(inner, math.pi - inner), abs=1e-9)


@pytest.mark.parametrize("units", ["mm", "in", "m"])
def test_without_a_speed_derivatives_of_a_driven_slide_are_by_the_documents_unit(units):
    """Two links on a slide at both ends; their columns say mm/mm and mm/mm²."""
    machine = detent.from_dict(
        {
            "units": units,
            "parts": {
                "ground": {"fixed": True, "markers": {"G": [0, 0], "D": [9, 2]}},
                "ram": {"markers": {"G": [0, 0], "B": [1, 1]}},
                "rod": {"markers": {"B": [1, 1], "C": [5, 6]}},
                "rocker": {"markers": {"D": [9, 2], "C": [5, 6]}},
            },
            "joints": {
                "slide": {"type": "prismatic", "between": ["ground.G", "ram.G"]},
                "B": {"type": "revolute", "between": ["ram.B", "rod.B"]},
                "C": {"type": "revolute", "between": ["rod.C", "rocker.C"]},
                "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
            },
            "drives": {"push": {"joint": "slide", "inputs": [0.499, 0.5, 0.501]}},
        }
    )
    motion = detent.move(machine)
    assert f"rod.C.vx [{units}/{units}]" in motion.columns()
    at = motion.markers["rod.C"]
    assert motion.velocities["ram.B"][1] == pytest.approx([1, 0], abs=1e-12)
    assert motion.velocities["rod.C"][1] == pytest.approx((at[2] - at[0]) / 2e-3, rel=1e-5)
    assert motion.accelerations["rod.C"][1] == pytest.approx((at[2] - 2 * at[1] + at[0]) / 1e-6, rel=1e-4)
