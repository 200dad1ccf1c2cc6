"""Instant centres and transmission angles against what geometry says of them."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

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
