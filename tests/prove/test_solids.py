"""Random CSG trees: sections, features and moments against meshes and against points asked one by one."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely

from detent.geometry import Solid, feature, moments, region
from detent.model.machine import solids
from detent.model.reading import convert
from tests.conftest import campaign


def random_tree(rng: random.Random, depth: int) -> dict[str, Any]:
    """A tree of upright primitives; on a lattice now and then, so that faces coincide."""
    if depth == 0 or rng.random() < 0.2:
        return random_leaf(rng)
    kind = rng.choice(["union", "union", "difference", "intersection"])
    tree: dict[str, Any] = {kind: [random_tree(rng, depth - 1) for _ in range(rng.randint(2, 3))]}
    if rng.random() < 0.3:
        tree["moves"] = [{"turn_deg": rng.choice([90, 30, rng.randint(0, 360)])}]
    return tree


def random_leaf(rng: random.Random) -> dict[str, Any]:
    def size() -> float:
        return rng.choice([1, 2, 3, round(rng.uniform(0.3, 3), 3)])

    kind = rng.choice(["block", "cylinder", "prism"])
    if kind == "block":
        shape: dict[str, Any] = {"block": [size(), size(), size()]}
    elif kind == "cylinder":
        shape = {"cylinder": {"radius": size(), "height": size()}}
    else:
        n = rng.randint(3, 7)
        ring = [(rng.uniform(0.5, 2), math.tau * k / n) for k in range(n)]
        points = [[round(r * math.cos(a), 3), round(r * math.sin(a), 3)] for r, a in ring]
        shape = {"prism": {"outline": points[:: rng.choice([1, -1])], "height": size()}}
    moves: list[dict[str, Any]] = []
    if rng.random() < 0.3:
        moves.append({"mirror": rng.choice(["x", "y", "z"])})
    if rng.random() < 0.5:
        moves.append({"turn_deg": rng.choice([90, 45, rng.randint(0, 360)])})
    moves.append({"move": [rng.choice([-1, 0, 1, round(rng.uniform(-2, 2), 3)]) for _ in range(3)]})
    shape["moves"] = moves
    if rng.random() < 0.2:
        shape["repeat"] = {"count": rng.randint(2, 5)}
    return shape


def made(seed: int) -> Solid:
    tree = random_tree(random.Random(seed), 3)
    solid = solids.part_solid(convert.mechanism({"dimension": 3, "parts": {"p": {"shape": tree}}}), "p")
    assert solid is not None
    return solid


def heights(solid: Solid) -> list[float]:
    cuts = sorted({z for leaf in region.leaf_regions(solid, fineness=16) for z in (leaf.bottom, leaf.top)})
    return [(low + high) / 2 for low, high in pairwise(cuts) if high - low > 1e-9]


@pytest.mark.parametrize("start", [0])
def test_features_bound_what_the_section_covers(start: int) -> None:
    """The area within true edges and arcs is that of the section, sampled ever finer."""
    for seed in range(start, start + campaign(25, 20_000)):
        solid = made(seed)
        for z in heights(solid):
            area = moments.plane_moments(feature.boundary(solid, z))[0, 0]
            section = region.section(solid, z, fineness=2048)
            assert area == pytest.approx(section.area, abs=1e-4 + 2e-6 * section.length), (seed, z)


@pytest.mark.parametrize("start", [0])
def test_volumes_agree_with_meshes(start: int) -> None:
    for seed in range(start, start + campaign(15, 5_000)):
        solid = made(seed)
        exact, meshed = moments.moments(solid), moments.mesh_moments(solid, fineness=128)
        assert exact.volume == pytest.approx(meshed.volume, rel=1e-3, abs=1e-3), seed


@pytest.mark.parametrize("start", [0])
def test_each_vertex_lies_on_the_section_and_each_edge_has_material_on_its_left(start: int) -> None:
    for seed in range(start, start + campaign(15, 5_000)):
        solid = made(seed)
        for z in heights(solid):
            section = region.section(solid, z, fineness=1024)
            bounds = feature.boundary(solid, z)
            rim = section.boundary
            # Where arcs cross at a glance, chords cross some way off.
            assert all(rim.distance(shapely.Point(v.at)) < 1e-2 for v in bounds.vertices), (seed, z)
            for edge in bounds.edges:
                a, b = np.array(edge.a), np.array(edge.b)
                if np.hypot(*(b - a)) < 1e-3:
                    continue
                left = np.array([a[1] - b[1], b[0] - a[0]]) / np.hypot(*(b - a))
                assert section.buffer(1e-4).contains(shapely.Point((a + b) / 2 + 1e-5 * left)), (
                    seed,
                    z,
                    edge,
                )
