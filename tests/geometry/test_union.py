"""The union of touching pieces, against polygons of another library and its own invariants."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
import shapely
from flint import fmpq

from detent.geometry.exact import ExactLeaf, doubled, joined, joined_by


def leaf(points: Any, part: str = "block", index: int = 0) -> ExactLeaf:
    exact = tuple((fmpq(Fraction(x).numerator, Fraction(x).denominator), fmpq(int(y))) for x, y in points)
    return ExactLeaf(part, index, exact, tuple(range(len(exact))))


def random_pieces(seed: int) -> list[ExactLeaf]:
    """Triangles and rectangles on a coarse lattice, where edges coincide and corners touch."""
    rng = random.Random(seed)
    leaves: list[ExactLeaf] = []
    while len(leaves) < 7:
        x, y = rng.randint(0, 6), rng.randint(0, 6)
        w, h = rng.randint(1, 3), rng.randint(1, 3)
        corners = [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]
        if rng.random() < 0.4:
            del corners[rng.randrange(4)]
        leaves.append(leaf(corners, index=len(leaves)))
    return leaves


@pytest.mark.parametrize("seed", range(120))
def test_a_union_covers_what_its_pieces_cover(seed: int) -> None:
    pieces = random_pieces(seed)
    whole = shapely.union_all([piece.region for piece in pieces])
    union = joined(pieces)
    rings = sum(float(doubled([part.points[k] for k in ring])) / 2 for part in union for ring in part.rings)
    assert rings == pytest.approx(whole.area, abs=1e-9)
    assert shapely.union_all([part.region for part in union]).symmetric_difference(whole).area < 1e-9
    for part in union:
        for a, b in part.edges:
            middle = shapely.Point(float(a[0] + b[0]) / 2, float(a[1] + b[1]) / 2)
            assert whole.boundary.distance(middle) < 1e-12
        for point in part.inner_points:
            assert part.holds(point)
            assert whole.contains(shapely.Point(float(point[0]), float(point[1])))


@pytest.mark.parametrize("seed", range(40))
def test_inside_is_inside_of_the_union_seams_included(seed: int) -> None:
    pieces = random_pieces(seed)
    union = joined(pieces)
    whole = shapely.union_all([piece.region for piece in pieces])
    for x in range(37):
        for y in (0, 5, 7, 12, 18):
            at = (fmpq(x, 4), fmpq(y, 2))
            point = shapely.Point(x / 4, y / 2)
            # On its boundary the other library rounds.
            if whole.boundary.distance(point) > 1e-12:
                assert any(part.holds(at) for part in union) is whole.contains(point)


def test_a_piece_twice_is_one_piece() -> None:
    square = [(0, 0), (4, 0), (4, 4), (0, 4)]
    (whole,) = joined([leaf(square), leaf(square, index=1)])
    assert whole.count == 4
    assert [whole.edge_name(k) for k in range(4)] == [f"block/0.e{k}" for k in range(4)]


def test_a_piece_inside_another_is_gone_and_one_apart_stays_itself() -> None:
    outer, inner = leaf([(0, 0), (9, 0), (9, 9), (0, 9)]), leaf([(2, 2), (3, 2), (3, 3)], index=1)
    apart = leaf([(20, 0), (21, 0), (20, 1)], index=2)
    whole, alone = joined([outer, inner, apart])
    assert whole.count == 4
    assert alone is apart


def test_straight_edges_of_one_part_are_one_and_of_two_parts_two() -> None:
    left, right = [(0, 0), (4, 0), (4, 4), (0, 4)], [(4, 0), (9, 0), (9, 4), (4, 4)]
    (one,) = joined([leaf(left), leaf(right, index=1)])
    assert one.count == 4
    rough, smooth = joined_by([(leaf(left, "a"), 1), (leaf(right, "b"), 0)])
    assert rough[0].count == smooth[0].count == 6
    assert not any(a and b for a, b in zip(rough[0].facing, smooth[0].facing, strict=True))
    assert all(a or b for a, b in zip(rough[0].facing, smooth[0].facing, strict=True))
    assert sum(rough[0].convex) == sum(smooth[0].convex) == 2


def test_segments_are_left_alone() -> None:
    blade = leaf([(0, 0), (4, 4)])
    assert joined([blade, leaf([(0, 0), (4, 0), (4, 4)], index=1)])[0] is blade
