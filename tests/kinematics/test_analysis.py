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


def test_dyads_inside_a_cut_are_not_said_to_transmit():
    """Driven at its far end a Stephenson linkage locks where the pins of no dyad are in line."""
    markers = {
        "ground": {"A": [0, 0], "D": [80, -10], "G": [140, 20]},
        "crank": {"A": [0, 0], "B": [25, 0]},
        "coupler": {"B": [25, 0], "C": [75, 55], "E": [60, 80]},
        "rocker": {"C": [75, 55], "D": [80, -10]},
        "link": {"E": [60, 80], "F": [130, 95]},
        "arm": {"F": [130, 95], "G": [140, 20]},
    }
    pins = ("ground.A crank.A", "crank.B coupler.B", "coupler.C rocker.C", "ground.D rocker.D")
    pins += ("coupler.E link.E", "link.F arm.F", "ground.G arm.G")
    document = {
        "units": "mm",
        "parts": {name: {"markers": m, "fixed": name == "ground"} for name, m in markers.items()},
        "joints": {pin[-1]: {"type": "revolute", "between": pin.split()} for pin in pins},
    }
    drive = {"from_deg": 0, "to_deg": 60, "steps": 12}
    near = detent.move(detent.from_dict(document | {"drives": {"m": {"joint": "A"} | drive}}))
    assert set(near.transmission) == {"coupler, rocker", "link, arm"}
    far = detent.move(detent.from_dict(document | {"drives": {"m": {"joint": "G"} | drive}}))
    assert far.stop == "limit"
    b, c, d = (far.markers[name][-1] for name in ("coupler.B", "coupler.C", "rocker.D"))
    at_lock = math.acos((b - c) @ (d - c) / np.linalg.norm(b - c) / np.linalg.norm(d - c))
    assert math.sin(at_lock) > 0.9  # locked, with a transmission angle that a designer would praise
    assert not far.transmission
    assert "transmits" not in far.words


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
