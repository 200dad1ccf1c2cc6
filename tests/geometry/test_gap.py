"""Gaps: one function a pair of features, both directions, against brute force."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
import shapely

from detent.geometry import gap as gaps
from detent.numeric import KERNELS

SEEDS = range(25)


def random_pose(rng: random.Random) -> np.ndarray:
    return gaps.plane_pose(rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-3, 3))


def placed(pose: np.ndarray, point: Any) -> np.ndarray:
    x, y, c, s = pose
    return np.array([x + c * point[0] - s * point[1], y + s * point[0] + c * point[1]])


def cases(rng: random.Random) -> dict[str, tuple[Any, Any]]:
    """Each gap as a function of pose_AB alone, with the two features as shapely sees them."""
    edge = np.array([rng.uniform(-1, 1) for _ in range(4)])
    centre_A = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1)])
    at_B = np.array([rng.uniform(-1, 1), rng.uniform(-1, 1)])
    r, R = rng.uniform(0.1, 0.5), rng.uniform(0.1, 0.5)
    return {
        "vertex_edge": (lambda p: gaps.vertex_edge(p, edge, at_B), (edge, None, at_B, 0.0)),
        "disc_edge": (lambda p: gaps.disc_edge(p, edge, at_B, r), (edge, None, at_B, r)),
        "disc_corner": (lambda p: gaps.disc_corner(p, centre_A, at_B, r), (None, (centre_A, 0.0), at_B, r)),
        "disc_disc": (lambda p: gaps.disc_disc(p, centre_A, R, 1.0, at_B, r), (None, (centre_A, R), at_B, r)),
    }


@pytest.mark.parametrize("kind", ["vertex_edge", "disc_edge", "disc_corner", "disc_disc"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_gap_is_the_distance_between_the_features(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    gap_of, (edge, disc, at_B, r) = cases(rng)[kind]
    pose = random_pose(rng)
    gap = gap_of(pose)
    centre = placed(pose, at_B)
    if edge is not None:
        # Against the edge's whole line, positive on its right.
        a, d = edge[:2], edge[2:] - edge[:2]
        line = shapely.LineString([a - 1000 * d, a + 1000 * d])
        side = 1 if d[0] * (centre[1] - a[1]) - d[1] * (centre[0] - a[0]) < 0 else -1
        wanted = side * line.distance(shapely.Point(centre)) - r
    else:
        wanted = math.dist(disc[0], centre) - disc[1] - r
    assert gap.gap == pytest.approx(wanted, abs=1e-11)
    assert math.hypot(gap.nx, gap.ny) == pytest.approx(1)
    # The point lies on B's feature, and a gap's length back along the normal lies on A's.
    assert math.dist((gap.x, gap.y), centre) == pytest.approx(r, abs=1e-12)


@pytest.mark.parametrize("kind", ["vertex_edge", "disc_edge", "disc_corner", "disc_disc"])
@pytest.mark.parametrize("seed", SEEDS)
def test_normal_and_arms_are_the_rate_of_the_gap(kind: str, seed: int) -> None:
    """Central differences of the gap under a motion of A and of B give n.v + arm w."""
    rng = random.Random(seed)
    gap_of, _ = cases(rng)[kind]
    x, y, angle = rng.uniform(-3, 3), rng.uniform(-3, 3), rng.uniform(-3, 3)
    gap = gap_of(gaps.plane_pose(x, y, angle))
    h = 1e-6
    moved = {
        "x": (gap.nx, (h, 0, 0)),
        "y": (gap.ny, (0, h, 0)),
        "turn of B": (gap.arm_B, (0, 0, h)),
    }
    for rate, (dx, dy, da) in moved.values():
        ahead = gap_of(gaps.plane_pose(x + dx, y + dy, angle + da)).gap
        behind = gap_of(gaps.plane_pose(x - dx, y - dy, angle - da)).gap
        assert (ahead - behind) / (2 * h) == pytest.approx(rate, abs=1e-8)
    # A turning by +h about its origin carries B, seen from A, by -h.
    behind_A = [gap_of(_turned_back(x, y, angle, sign * h)).gap for sign in (1, -1)]
    assert (behind_A[0] - behind_A[1]) / (2 * h) == pytest.approx(-gap.arm_A, abs=1e-8)


def _turned_back(x: float, y: float, angle: float, h: float) -> np.ndarray:
    c, s = math.cos(-h), math.sin(-h)
    return gaps.plane_pose(c * x - s * y, s * x + c * y, angle - h)


@pytest.mark.parametrize("seed", SEEDS)
def test_exchanging_the_parts_is_the_same_contact_with_the_pose_inverted(seed: int) -> None:
    """Two discs: asked from either side, the same gap, opposite normals, the same point when touching."""
    rng = random.Random(seed)
    pose = random_pose(rng)
    a, b = np.array([rng.uniform(-1, 1), 0.3]), np.array([0.2, rng.uniform(-1, 1)])
    from_A = gaps.disc_disc(pose, a, 0.7, 1.0, b, 0.4)
    from_B = gaps.disc_disc(gaps.inverted(pose), b, 0.4, 1.0, a, 0.7)
    assert tuple(gaps.exchanged(pose, from_A)) == pytest.approx(tuple(from_B), abs=1e-12)
    assert gaps.inverted(gaps.inverted(pose)) == pytest.approx(pose, abs=1e-15)


def test_a_pin_in_a_hole_has_its_clearance_all_round() -> None:
    for angle in np.linspace(0, 6, 7):
        eccentric = 0.03 * np.array([math.cos(angle), math.sin(angle)])
        gap = gaps.disc_disc(gaps.plane_pose(*eccentric, 0.4), np.zeros(2), 0.55, -1.0, np.zeros(2), 0.5)
        assert gap.gap == pytest.approx(0.05 - 0.03)
        assert (gap.nx, gap.ny) == pytest.approx(tuple(-eccentric / 0.03))


@pytest.mark.parametrize("name", [n for n in KERNELS if n.startswith("detent.geometry.gap.")])
def test_both_speeds_of_a_gap_agree(name: str) -> None:
    kernel = KERNELS[name]
    assert np.allclose(kernel.plain(*kernel.sample()), kernel.compiled(*kernel.sample()), rtol=0, atol=1e-15)
