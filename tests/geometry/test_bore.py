"""The meridian of a hole found in solids, against the radius that probing finds, from both sides."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from detent.foundation import UnsupportedError
from detent.geometry import bore_of
from detent.model.document import Mechanism
from detent.model.machine import part_solid
from detent.model.reading import convert

BLOCK = {"block": [60, 60, 16], "moves": [{"move": [-30, -30, 0]}]}
CYLINDER = {"cylinder": {"radius": 13, "height": 16}}
BOTH_ROUND = [{"face": "-z", "round": -3}, {"face": "+z", "round": -2}]
HOLES: dict[str, list[dict[str, Any]]] = {
    "plain": [CYLINDER],
    "rounded": [{**CYLINDER, "edges": BOTH_ROUND}],
    "narrowed": [{**CYLINDER, "edges": [{"face": "-z", "round": 3}, {"face": "+z", "chamfer": 2}]}],
    "chamfered": [{**CYLINDER, "edges": [{"face": "-z", "chamfer": -2}]}],
    "countersunk": [CYLINDER, {"cone": {"radius": [18, 12], "height": 6}}],
    "stepped": [CYLINDER, {"cylinder": {"radius": 15, "height": 4}, "moves": [{"move": [0, 0, 6]}]}],
    "grooved": [CYLINDER, {"torus": {"radius": 13, "tube": 2}, "moves": [{"move": [0, 0, 8]}]}],
    "ball": [{"cylinder": {"radius": 8, "height": 16}}, {"sphere": 13, "moves": [{"move": [0, 0, 8]}]}],
}


def block(holes: list[dict[str, Any]]) -> Mechanism:
    part = {"fixed": True, "shape": {"difference": [BLOCK, *holes]}}
    return convert.mechanism({"units": "mm", "dimension": 3, "parts": {"b": part}})


def bore(holes: list[dict[str, Any]], along: tuple[float, float, float] = (0, 0, 1)) -> Any:
    solid = part_solid(block(holes), "b")
    assert solid is not None
    return bore_of({"b": solid}, np.array([1.0, 0, -2]), np.array(along), 5.0)


def radius_of(name: str, z: float) -> float:
    """By hand: of each hole the widest of what is taken away at this height."""
    if name == "rounded":
        deep = max(3 - z, 0.0), max(z - 14, 0.0)
        return 13 + 3 - math.sqrt(9 - deep[0] ** 2) + 2 - math.sqrt(4 - deep[1] ** 2)
    if name == "narrowed":
        return 13 - 3 + math.sqrt(9 - max(3 - z, 0.0) ** 2) - max(z - 14, 0.0)
    if name == "chamfered":
        return 13 + max(2 - z, 0.0)
    if name == "countersunk":
        return max(13.0, 18 - z)
    if name == "stepped":
        return 15.0 if 6 <= z <= 10 else 13.0
    if name == "grooved":
        return 13 + math.sqrt(max(4 - (z - 8) ** 2, 0.0))
    if name == "ball":
        return max(8.0, math.sqrt(169 - (z - 8) ** 2))
    return 13.0


@pytest.mark.parametrize("name", HOLES)
@pytest.mark.parametrize("sense", [1, -1])
def test_walls_have_the_radius_that_is_taken_away_at_every_depth(name, sense):
    found = bore(HOLES[name], (0, 0, sense))
    origin = found.origin[2]
    for z in np.linspace(0.05, 15.95, 60):
        u = sense * (z - origin)
        there = [wall for wall in found.walls if wall.start < u < wall.end]
        assert len(there) == 1
        assert there[0].radius(u) == pytest.approx(radius_of(name, z), abs=1e-9)
    assert sorted(abs(sense * end + origin) for end in found.span) == pytest.approx([0, 16], abs=1e-9)
    assert found.origin[:2] == pytest.approx((0, 0))


@pytest.mark.parametrize("name", HOLES)
@pytest.mark.parametrize("tube", [0.8, 1.7])
def test_a_circle_lies_where_the_nearest_point_of_the_wall_lets_it(name, tube):
    """Against a profile of points: the least of their radii less what the circle reaches there."""
    found = bore(HOLES[name])
    u = np.linspace(0, 16, 40_001)
    wall = np.array([radius_of(name, min(max(z, 1e-12), 16 - 1e-12)) for z in u.tolist()])
    for z in np.linspace(-tube * 0.95, 16 + tube * 0.95, 37).tolist():
        near = np.abs(u - z) < tube
        least = (wall[near] - np.sqrt(tube**2 - (u[near] - z) ** 2)).min()
        laid = found.laid(z - found.origin[2], tube)
        assert laid.radius == pytest.approx(
            least, abs=2e-3 if name in ("stepped", "ball", "grooved") else 1e-4
        )
        assert laid.radius <= least + 1e-9


def test_seams_that_are_smooth_are_no_edges_and_others_have_their_angle():
    angles = {
        wall.name: math.degrees(wall.corner) for wall in bore(HOLES["chamfered"]).walls if wall.bend == 0
    }
    assert angles == pytest.approx({"b/1.-z.near": 135, "b/1.-z.far": 135, "b/1.side.far": 90})
    rounded = [wall for wall in bore(HOLES["rounded"]).walls if wall.bend == 0]
    assert [round(math.degrees(wall.corner)) for wall in rounded] == [180, 180]  # tangent to the faces


def test_what_stands_in_the_hole_is_refused_and_a_hole_elsewhere_is_not_found():
    rod = {"cylinder": {"radius": 13.5, "height": 3}, "moves": [{"move": [0, 0, 5]}]}
    inner = {"cylinder": {"radius": 12, "height": 16}}
    plugged = {
        "fixed": True,
        "shape": {"union": [{"difference": [BLOCK, CYLINDER]}, {"difference": [rod, inner]}]},
    }
    solid = part_solid(convert.mechanism({"dimension": 3, "parts": {"b": plugged}}), "b")
    assert solid is not None
    found = bore_of({"b": solid}, np.zeros(3), np.array([0, 0, 1.0]), 5.0)
    assert found is not None
    assert found.narrowest().least == pytest.approx(12)
    assert found.narrowest(12.5).least == pytest.approx(13)
    stopped = {
        "union": [
            {"difference": [BLOCK, CYLINDER]},
            {"block": [30, 30, 3], "moves": [{"move": [-15, -15, 5]}]},
        ]
    }
    solid = part_solid(convert.mechanism({"dimension": 3, "parts": {"b": {"shape": stopped}}}), "b")
    assert solid is not None
    with pytest.raises(UnsupportedError, match="something stands in the hole"):
        bore_of({"b": solid}, np.zeros(3), np.array([0, 0, 1.0]), 5.0)
    assert bore_of({"b": solid}, np.array([20.0, 0, 0]), np.array([0, 0, 1.0]), 5.0) is None
