"""The force law of an O-ring: what an elastic potential and Coulomb's law say of it, at any place."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from detent.geometry import Bore, BoreWall
from detent.library import OringLaw, RingSection, constants_of_table

RING = RingSection(tube=1.5e-3, groove=10e-3, c1=16e6, c2=43e9)
RADIUS = 12.8e-3  # of the cylinder: a squeeze of 0.2 mm
WALLS = (
    BoreWall("b/1.-z", 0.0, 4e-3, 4e-3, RADIUS + 4e-3, bend=4e-3),
    BoreWall("b/1.side", 4e-3, 20e-3, 4e-3, RADIUS),
)


def law(friction: float = 0.0, groove: float | None = None, **more: Any) -> OringLaw:
    bore = Bore(WALLS, (0.0, 0.0, 0.0), (0.0, 0.0, 1.0))
    return OringLaw("ring", "ring", RING, bore, friction, friction if groove is None else groove, **more)


def at(x: float, y: float, z: float) -> np.ndarray[Any, Any]:
    place = np.eye(4)
    place[:3, 3] = x, y, z
    return place


DOWN = np.array([0, 0, 1.0, 0, 0, 0])


def potential(x: float, y: float, z: float) -> float:
    """Elastic energy by quadrature, the centre on a circle of radius 4 + 1.5 mm about the rim's centre."""
    rho = RADIUS + 4e-3 - math.sqrt(5.5e-3**2 - min(z - 4e-3, 0.0) ** 2)
    angles = (np.arange(4_000) + 0.5) * math.tau / 4_000
    squeeze = np.maximum(11.5e-3 + x * np.cos(angles) + y * np.sin(angles) - rho, 0.0)
    return float((RING.c1 * squeeze**2 / 2 + RING.c2 * squeeze**3 / 3).mean()) * math.tau * RING.groove


@pytest.mark.parametrize(
    "place", [(0, 0, 3.2e-3), (1e-4, 0, 2.9e-3), (3e-4, -2e-4, 3.5e-3), (1e-4, 5e-4, 9e-3)]
)
def test_without_friction_the_load_is_what_the_elastic_energy_falls_by(place):
    step = 1e-8
    slopes = []
    for k in range(3):
        ends = [[c + sign * step * (k == j) for j, c in enumerate(place)] for sign in (1, -1)]
        slopes.append((potential(*ends[0]) - potential(*ends[1])) / (2 * step))
    force = law().load(at(*place), DOWN).force
    assert force == pytest.approx(
        [-slope for slope in slopes], rel=1e-3, abs=1e-4 * RING.groove * RING.c1 * 1e-4
    )


@pytest.mark.parametrize("z", [3.1e-3, 9e-3])
def test_the_load_turns_with_the_offset_and_reverses_with_the_way(z):
    ring = law(0.3)
    along_x, along_y = ring.load(at(2e-4, 0, z), DOWN), ring.load(at(0, 2e-4, z), DOWN)
    fx, fy, fz = along_x.force
    assert along_y.force == pytest.approx((-fy, fx, fz))
    mx, my, mz = along_x.moment
    assert along_y.moment == pytest.approx((-my, mx, mz))
    if z > 4e-3:
        back = ring.load(at(2e-4, 0, z), -DOWN)
        assert back.force == pytest.approx((fx, fy, -fz))


def test_the_load_on_a_bolt_counts_about_its_own_origin():
    bolt = law(0.3, at=(0.0, 0.0, 5e-3))
    alone, carried = law(0.3).load(at(2e-4, 0, 9e-3), DOWN), bolt.load(at(2e-4, 0, 4e-3), DOWN)
    assert carried.force == alone.force
    moved = np.array(alone.moment) + np.cross([0, 0, 5e-3], alone.force)
    assert carried.moment == pytest.approx(moved)
    turning = np.array([0, 0, 0, 10.0, 0, 0])  # about x: the ring, above the origin, slides across only
    assert bolt.load(at(2e-4, 0, 4e-3), turning).force[2] == 0


def test_the_groove_has_its_own_friction():
    """Within the cylinder the bracket is 1 - mu mu_g, so that a groove without friction leaves mu p_i."""
    squeeze = 0.2e-3
    total = math.tau * RING.groove * (RING.c1 * squeeze + RING.c2 * squeeze**2)
    for groove in (0.0, 0.1, 0.6):
        axial = -law(0.3, groove).load(at(0, 0, 9e-3), DOWN).force[2]
        assert axial == pytest.approx(0.3 * total / (1 - 0.3 * groove), rel=1e-12)


def test_friction_over_a_speed_is_odd_grows_and_becomes_the_whole():
    ring = law(0.3).smoothed(2e-3)
    place = at(0, 0, 9e-3)
    speeds = np.linspace(0, 8e-3, 30)
    axial = [-ring.load(place, speed * DOWN).force[2] for speed in speeds]
    assert axial[0] == 0
    assert np.all(np.diff(axial) > 0)
    assert [-ring.load(place, -speed * DOWN).force[2] for speed in speeds] == pytest.approx(
        [-f for f in axial]
    )
    # mu and mu_g both carry tanh(v / smooth).
    share, full = math.tanh(speeds[7] / 2e-3), -law(0.3).load(place, DOWN).force[2]
    assert axial[7] == pytest.approx(full * 0.91 * share / (1 - 0.09 * share**2), rel=1e-9)
    assert -ring.load(place, 1.0 * DOWN).force[2] == pytest.approx(full, rel=1e-12)


def test_a_ring_that_lost_touch_on_one_side_carries_nothing_there():
    """Only part of the circumference touches: the closed integrals against a quadrature with the clip."""
    angles = (np.arange(100_000) + 0.5) * math.tau / 100_000
    for squeeze in (-0.3e-3, 0.0, 0.1e-3, 0.39e-3, 0.41e-3):
        local = np.maximum(squeeze + 0.4e-3 * np.cos(angles), 0)
        load = RING.c1 * local + RING.c2 * local**2
        total, first, touching = RING.around(squeeze, 0.4e-3)
        assert total == pytest.approx(load.mean() * math.tau, rel=1e-7)
        assert first == pytest.approx((load * np.cos(angles)).mean() * math.tau, rel=1e-7)
        assert touching == pytest.approx((local > 0).mean(), abs=2e-5)


def test_where_friction_locks_the_load_has_no_bound():
    """tan b (2 mu) = 1 - mu² is where the bracket becomes zero: at mu = 0.6 at 28.07 degrees."""
    limit = math.atan((1 - 0.36) / 1.2)
    for shift, locks in ((-1e-6, False), (1e-6, True)):
        z = 4e-3 - 5.5e-3 * math.sin(limit + shift)
        offset = RADIUS + 4e-3 - 5.5e-3 * math.cos(limit + shift) - 11.5e-3 + 1e-4
        assert math.isinf(law(0.6).load(at(offset, 0, z), DOWN).force[2]) == locks


def test_a_table_gives_the_constants_it_was_made_from():
    squeezes = np.array([0.05, 0.1, 0.25, 0.4]) * 1e-3
    c1, c2, misfit = constants_of_table(squeezes, 16e6 * squeezes + 43e9 * squeezes**2)
    assert (c1, c2) == (pytest.approx(16e6), pytest.approx(43e9))
    assert misfit < 1e-6
