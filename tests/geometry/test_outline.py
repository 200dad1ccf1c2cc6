"""Outlines: either way round, cleaned, and faults located."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest

from detent.geometry import Point, outline

F = Fraction


def points(*pairs: tuple[object, object]) -> list[Point]:
    return [(F(str(x)), F(str(y))) for x, y in pairs]


SQUARE = points((0, 0), (4, 0), (4, 4), (0, 4))


def test_an_outline_means_the_same_either_way_round() -> None:
    assert outline.cleaned(SQUARE) == outline.cleaned([SQUARE[0], *reversed(SQUARE[1:])])
    assert outline.doubled_area(SQUARE) == 32 == -outline.doubled_area(SQUARE[::-1])


def test_repeated_and_straight_vertices_fall_away() -> None:
    rough = points((0, 0), (0, 0), (2, 0), (4, 0), (4, 4), (4, 4), (0, 4), (0, 1), (0, 0))
    assert outline.cleaned(rough) == tuple(SQUARE)
    assert outline.crossing(rough) is None


@pytest.mark.parametrize("nudge", ["1e-18", "0", "-1e-18"])
def test_a_corner_touching_an_edge_is_decided_exactly(nudge: str) -> None:
    """A notch reaching the far side of the square, by 10^-18 more or less than all the way."""
    notch = points((0, 0), (4, 0), (4, 4), (2, nudge), (0, 4))
    meeting = outline.crossing(notch)
    assert (meeting is None) == (F(nudge) > 0)


def test_a_crossing_is_located_in_the_numbering_as_written() -> None:
    bow = points((0, 0), (0, 0), (4, 4), (4, 0), (0, 4))
    meeting = outline.crossing(bow)
    assert meeting is not None
    assert (meeting.i, meeting.j) == (1, 3)
    assert meeting.at == (2, 2)


def test_an_outline_that_runs_back_on_itself_is_found() -> None:
    meeting = outline.crossing(points((0, 0), (4, 0), (2, 0), (2, 3)))
    assert meeting is not None
    assert meeting.at == (4, 0)


@pytest.mark.parametrize("seed", range(30))
def test_crossings_agree_with_every_pair_of_edges_tried(seed: int) -> None:
    """Oracle: orientation signs of all pairs of edges that are no neighbours."""
    rng = random.Random(seed)
    ring = [(F(rng.randint(0, 12)), F(rng.randint(0, 12))) for _ in range(rng.randint(3, 9))]
    if len(set(ring)) < len(ring):
        return

    def side(a: Point, b: Point, c: Point) -> int:
        v = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
        return (v > 0) - (v < 0)

    def on(a: Point, b: Point, p: Point) -> bool:
        return (
            side(a, b, p) == 0
            and min(a[0], b[0]) <= p[0] <= max(a[0], b[0])
            and (min(a[1], b[1]) <= p[1] <= max(a[1], b[1]))
        )

    n = len(ring)
    faulty = False
    for i in range(n):
        a, b = ring[i], ring[(i + 1) % n]
        for j in range(i + 1, n):
            c, d = ring[j], ring[(j + 1) % n]
            if j == i + 1 or (i == 0 and j == n - 1):
                far, near = (d, b) if j == i + 1 else (c, a)
                other = a if j == i + 1 else b
                faulty |= side(other, near, far) == 0 and (
                    (near[0] - other[0]) * (far[0] - near[0]) + (near[1] - other[1]) * (far[1] - near[1]) < 0
                )
            else:
                proper = side(a, b, c) != side(a, b, d) and side(c, d, a) != side(c, d, b)
                faulty |= proper or on(a, b, c) or on(a, b, d) or on(c, d, a) or on(c, d, b)
    assert (outline.crossing(ring) is not None) == faulty
