"""Names and places of features: the exact reader of outlines against the reader in doubles."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import pytest
import shapely

from detent.foundation import DetentError
from detent.geometry import IDENTITY, Solid, union_outline
from detent.geometry.exact import ExactLeaf, joined
from detent.io.native import document as native
from detent.model.machine import part_solid
from detent.model.reading import convert
from detent.motion.quasistatic.machine import leaves_of
from tests.conftest import DATA, reference_documents

EXAMPLES = sorted((DATA.parents[1] / "examples").glob("*.toml"))

Named = set[tuple[str, tuple[float, ...]]]


def rounded(*points: Any) -> tuple[float, ...]:
    return tuple(round(float(c), 7) + 0.0 for point in points for c in point)


def by_exact_reader(leaves: tuple[ExactLeaf, ...], part: str) -> Named:
    """Edges as pairs of points, vertices as points, with their names."""
    named: Named = set()
    for leaf in joined(leaves):
        for k, after in enumerate(leaf.after):
            named.add((leaf.vertex_name(k), rounded(leaf.points[k])))
            named.add((leaf.edge_name(k), rounded(leaf.points[k], leaf.points[after])))
    return {(name.removeprefix(f"{part}/"), at) for name, at in named}


def by_features(solid: Solid) -> Named:
    outline = union_outline(solid)
    named = {(edge.name, rounded(edge.a, edge.b)) for edge in outline.edges}
    return named | {(vertex.name, rounded(vertex.at)) for vertex in outline.vertices}


def exact_leaves(mechanism: Any, part: str) -> tuple[ExactLeaf, ...] | None:
    try:
        return leaves_of(mechanism, part, IDENTITY)[0]
    except DetentError:
        return None  # discs, cuts and solids have no exact outline


def plane_parts(path: Path) -> list[tuple[Any, str]]:
    mechanism = native.load(path)
    if mechanism.dimension != 2:
        return []
    return [(mechanism, name) for name, part in mechanism.parts.items() if part.shape is not None]


def test_every_outline_of_a_reference_or_an_example_has_one_set_of_names() -> None:
    compared = 0
    for path in [*EXAMPLES, *reference_documents()]:
        for mechanism, name in plane_parts(path):
            leaves = exact_leaves(mechanism, name)
            solid = part_solid(mechanism, name)
            if leaves is not None and solid is not None:
                assert by_features(solid) == by_exact_reader(leaves, name), f"{path.name}: {name}"
                compared += 1
    assert compared > 30


def random_polygon(rng: random.Random, grid: int) -> list[list[int]]:
    """Star-shaped about a point of the grid, either way round, sometimes with spare vertices."""
    x, y = rng.randrange(grid), rng.randrange(grid)
    corners: dict[float, tuple[int, int]] = {}
    while len(corners) < rng.randint(3, 6):
        dx, dy = rng.randint(-4, 4), rng.randint(-4, 4)
        if (dx, dy) != (0, 0):
            corners[math.atan2(dy, dx)] = (x + dx, y + dy)
    around = [list(corners[angle]) for angle in sorted(corners)]
    if not shapely.Polygon(around).is_valid:  # its middle lies outside, and the sides may cross
        return random_polygon(rng, grid)
    if rng.random() < 0.5:
        around.reverse()
    if rng.random() < 0.3:
        k = rng.randrange(len(around))
        around.insert(k, around[k])
    return around


def random_box(rng: random.Random, grid: int) -> list[list[int]]:
    x, y = rng.randrange(grid), rng.randrange(grid)
    w, h = rng.randint(1, 4), rng.randint(1, 4)
    return [[x, y], [x + w, y], [x + w, y + h], [x, y + h]]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("drawn", [random_polygon, random_box])
def test_a_random_union_has_one_set_of_names(drawn: Any, seed: int) -> None:
    """Boxes on a grid share sides and corners, and run on in line; polygons cross anywhere."""
    rng = random.Random(seed)
    shape = {"union": [{"outline": drawn(rng, 6)} for _ in range(rng.randint(2, 5))]}
    mechanism = convert.mechanism({"parts": {"p": {"shape": shape}}})
    leaves = exact_leaves(mechanism, "p")
    solid = part_solid(mechanism, "p")
    assert leaves is not None
    assert solid is not None
    assert by_features(solid) == by_exact_reader(leaves, "p")
