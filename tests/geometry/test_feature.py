"""Features of sections: tangencies, directions at vertices, layers."""

from __future__ import annotations

import math
import random
from itertools import pairwise
from typing import Any

import pytest

from detent.foundation import UnsupportedError
from detent.geometry import (
    Arc,
    Boundary,
    Edge,
    Solid,
    boundary,
    layered_features,
    moments,
    share_a_layer,
    union_outline,
)
from detent.io.native import document as native
from detent.model.machine import part_solid
from detent.model.reading import convert
from tests.conftest import REFERENCE


def made(shape: dict[str, Any], dimension: int = 2) -> Solid:
    mechanism = convert.mechanism({"dimension": dimension, "parts": {"p": {"shape": shape}}})
    solid = part_solid(mechanism, "p")
    assert solid is not None
    return solid


def lengths(bounds: Boundary) -> list[float]:
    edges = [math.dist(edge.a, edge.b) for edge in bounds.edges]
    return edges + [arc.radius * arc.sweep for arc in bounds.arcs]


@pytest.mark.parametrize("seed", range(40))
def test_a_bar_with_round_ends_has_two_edges_and_two_half_circles_however_it_is_turned(seed: int) -> None:
    """The sides are tangent to both discs, where rounding cuts twice."""
    rng = random.Random(seed)
    length, radius, degrees = rng.uniform(1, 5), rng.uniform(0.3, 1.5), rng.uniform(0, 360)
    ends = [{"circle": radius}, {"circle": radius, "moves": [{"move": [length, 0]}]}]
    side = {"outline": [[0, -radius], [length, -radius], [length, radius], [0, radius]]}
    turned = {"union": [side, *ends], "moves": [{"turn": degrees}]}
    outline = union_outline(made(turned))
    assert sorted(edge.name for edge in outline.edges) == ["0.e0", "0.e2"]
    assert [arc.sweep for arc in outline.arcs] == pytest.approx([math.pi] * 2, abs=1e-6)
    assert outline.vertices == ()


@pytest.mark.parametrize("seed", range(40))
def test_a_disc_that_touches_a_side_from_within_is_buried_and_from_outside_is_whole(seed: int) -> None:
    """Also where the tangency lies half way along the circle, at which its pieces are sampled."""
    rng = random.Random(seed)
    radius = rng.uniform(0.2, 1)
    box = {"outline": [[0, -2], [5, -2], [5, 2], [0, 2]]}
    for x, arcs in ((radius, 0), (-radius, 1)):
        disc = {"circle": radius, "moves": [{"move": [x, 0]}]}
        outline = union_outline(made({"union": [box, disc], "moves": [{"turn": rng.uniform(0, 360)}]}))
        assert len(outline.edges) == 4
        assert len(outline.vertices) == 4
        assert [arc.sweep for arc in outline.arcs] == [math.tau] * arcs


@pytest.mark.parametrize("seed", range(40))
def test_circles_that_touch_are_not_cut(seed: int) -> None:
    rng = random.Random(seed)
    r, s, angle = rng.uniform(0.5, 2), rng.uniform(0.1, 0.4), rng.uniform(0, 6)
    for distance, arcs in ((r + s, 2), (r - s, 1)):
        at = [distance * math.cos(angle), distance * math.sin(angle)]
        outline = union_outline(made({"union": [{"circle": r}, {"circle": s, "moves": [{"move": at}]}]}))
        assert [arc.sweep for arc in outline.arcs] == [math.tau] * arcs


def test_no_feature_of_the_published_escapement_is_a_sliver() -> None:
    mechanism = native.load(REFERENCE / "machines" / "escapement.toml")
    for part in mechanism.parts:
        solid = part_solid(mechanism, part)
        assert solid is not None
        shortest = [min(lengths(union_outline(solid, z)), default=math.inf) for z in (-1.5, -0.5, 0.5, 1.5)]
        assert min(shortest) > 1e-3, part


@pytest.mark.parametrize("seed", range(20))
def test_a_vertex_carries_the_directions_of_its_neighbours(seed: int) -> None:
    rng = random.Random(seed)
    shape = {
        "union": [
            {"outline": [[0, 0], [4, 0], [4, 1], [0, 1]], "moves": [{"turn": rng.uniform(0, 90)}]},
            {"circle": 0.8, "moves": [{"move": [rng.uniform(0, 2), rng.uniform(0, 2)]}]},
        ]
    }
    for vertex in union_outline(made(shape)).vertices:
        (ax, ay), (bx, by) = vertex.coming, vertex.going
        assert math.hypot(ax, ay) == pytest.approx(1)
        assert math.hypot(bx, by) == pytest.approx(1)
        assert (ax * by - ay * bx > 0) == vertex.convex


def test_what_runs_on_is_one_feature_and_encloses_the_same_area() -> None:
    boxes = [{"outline": [[k, 0], [k + 1, 0], [k + 1, 2], [k, 2]]} for k in (2, 0, 1)]
    solid = made({"union": boxes})
    pieces, outline = boundary(solid), union_outline(solid)
    assert len(pieces.edges) == 8
    assert {edge.name: (edge.a, edge.b) for edge in outline.edges} == {
        "1.e0": ((0, 0), (3, 0)),  # leaf 1 stands leftmost, where the side begins
        "0.e1": ((3, 0), (3, 2)),
        "0.e2": ((3, 2), (0, 2)),
        "1.e3": ((0, 2), (0, 0)),
    }
    areas = [moments.plane_moments(bounds)[0, 0] for bounds in (pieces, outline)]
    assert areas == pytest.approx([6, 6])


def test_layers_keep_the_heights_of_each_feature_and_merge_equal_ones() -> None:
    """A post through two plates: its round side shows between and above them."""
    plates = [{"block": [4, 4, 1], "moves": [{"move": [-2, -2, z]}]} for z in (0, 3)]
    solid = made({"union": [*plates, {"cylinder": {"radius": 1, "height": 6}}]}, dimension=3)
    heights = {each.feature.name: each.heights for each in layered_features(solid)}
    assert heights["0.e0"] == heights["0.v2"] == ((0, 1),)
    assert heights["1.e0"] == ((3, 4),)
    assert heights["2.a0"] == ((1, 3), (4, 6))


def test_features_of_primitives_are_those_of_each_solid_leaf_alone() -> None:
    shape = {"difference": [{"union": [{"block": [4, 4, 1]}, {"block": [1, 6, 1]}]}, {"block": [9, 1, 1]}]}
    solid = made(shape, dimension=3)
    names = [each.feature.name for each in layered_features(solid, "primitives")]
    alone = [f"{leaf}.{kind}{k}" for kind in "ev" for leaf in (0, 1) for k in range(4)]
    assert sorted(names) == sorted(alone)


def test_a_flat_solid_spans_every_height_and_a_cone_has_no_layers() -> None:
    flat = layered_features(made({"circle": 1}))
    assert [each.heights for each in flat] == [((-math.inf, math.inf),)]
    with pytest.raises(UnsupportedError, match="a cone does not have the same section"):
        layered_features(made({"cone": {"radius": [1, 2], "height": 3}}, dimension=3))


def test_layers_are_shared_by_overlap_and_not_by_a_common_face() -> None:
    assert share_a_layer(((0, 1),), ((0, 1),), shift=0.999)
    assert not share_a_layer(((0, 1),), ((0, 1),), shift=1.0)
    assert not share_a_layer(((0, 1),), ((0, 1),), shift=0.999, least=0.01)


def test_layered_features_enclose_the_volume_of_every_part_of_the_escapement() -> None:
    mechanism = native.load(REFERENCE / "machines" / "escapement.toml")
    for part in mechanism.parts:
        solid = part_solid(mechanism, part)
        assert solid is not None
        cuts = sorted({z for each in layered_features(solid) for span in each.heights for z in span})
        volume = 0.0
        for low, high in pairwise(cuts):
            inside = [
                each.feature
                for each in layered_features(solid)
                if share_a_layer(each.heights, ((low, high),))
            ]
            edges = tuple(f for f in inside if isinstance(f, Edge))
            arcs = tuple(f for f in inside if isinstance(f, Arc))
            volume += moments.plane_moments(Boundary(edges, arcs, ()))[0, 0] * (high - low)
        assert volume == pytest.approx(moments.moments(solid).volume, rel=1e-9)
