"""Rings: what a feature's distances from a moving centre can be, against many places of both."""

from __future__ import annotations

import random

import numpy as np
import pytest
import shapely

from detent.geometry import fixed_edge_ring, outline_rings


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("moves", [False, True])
def test_a_ring_holds_every_distance_from_the_centre_and_is_reached(seed: int, moves: bool) -> None:
    rng = random.Random(seed)
    points = np.array([[rng.uniform(-3, 3), rng.uniform(-3, 3)] for _ in range(5)])
    first = np.array([rng.uniform(-3, 3), rng.uniform(-3, 3)])
    last = np.array([rng.uniform(-3, 3), rng.uniform(-3, 3)]) if moves else first
    rings = np.zeros((5, 4))
    after = np.array([1, 2, 3, 4, 0])
    outline_rings(rings, points, np.column_stack([np.roll(np.arange(5), 1), after]), *first, *last)
    path = shapely.LineString([first, last]) if moves else shapely.Point(first)
    for j, ring in enumerate(rings):
        edge = shapely.LineString([points[j], points[after[j]]])
        ends = [np.linalg.norm(p - c) for p in (points[j], points[after[j]]) for c in (first, last)]
        wanted = shapely.Point(points[j]).distance(path), max(ends[:2]), edge.distance(path), max(ends)
        assert ring[[0, 1, 3]] == pytest.approx([wanted[0], wanted[1], wanted[3]])
        # The least of an edge may be below the distance, where only its line crosses the path.
        assert ring[2] <= wanted[2] + 1e-12
        crosses = shapely.LineString(points[j] + np.outer([-1e3, 1e3], points[after[j]] - points[j]))
        if not (moves and crosses.intersects(path)):
            assert ring[2] == pytest.approx(wanted[2])


def test_an_edge_in_line_with_a_centre_at_rest_keeps_its_distance() -> None:
    rings = np.zeros((2, 4))
    outline_rings(rings, np.array([[2.0, 0.0], [5.0, 0.0]]), np.array([[1, 1], [0, 0]]), 0.0, 0.0, 0.0, 0.0)
    assert rings[0].tolist() == [2, 2, 2, 5]
    assert fixed_edge_ring(2.0, 0.0, 5.0, 0.0, 0.0, 0.0) == (2, 5)
