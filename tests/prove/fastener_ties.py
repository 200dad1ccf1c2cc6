"""Fasteners with ties by construction: vertices in line with hinges, edges through hinges, quarter turns,
thresholds exactly met, edges that end where a vertex turns back; and the same a little to either side."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from fractions import Fraction

from tests.prove.fasteners import Document, document

# Whole-number right triangles: (x, y, hypotenuse).
TRIANGLES = (
    (3, 4, 5),
    (4, 3, 5),
    (5, 12, 13),
    (12, 5, 13),
    (8, 15, 17),
    (15, 8, 17),
    (7, 24, 25),
    (20, 21, 29),
)
Point = tuple[Fraction | int, Fraction | int]
Family = Callable[[random.Random, Fraction], Document]


def through_hinge(rng: random.Random, aside: Fraction) -> Document:
    """An edge of the pawl through its hinge; a spike straight below the hinge lifts the pawl until that edge
    is parallel to the push, slides along it and passes the hinge, where nothing holds the pawl any more."""
    x, y, _ = rng.choice([triangle for triangle in TRIANGLES if triangle[0] < triangle[1]])
    side, above = rng.choice((-1, 1)), Fraction(rng.randint(1, 6), 12)
    wide = rng.randint(2, 9)
    low = (x + wide) * x // y + rng.randint(2, 5)  # so steep that the spike comes to the tip
    # From the tip along the underside and back to the edge's upper end, beyond the hinge.
    pawl = [(-x, -y), (wide, -y - low), (wide + 2, 1), (above * x, above * y)]
    top = -y - low - rng.randint(3, 20)
    lean, deep = rng.randint(3, 9), rng.randint(20, 60)
    spike = [(aside, top), (-lean - 2, top - deep), (-lean, top - deep)]
    return _written(_flipped(pawl, side), _flipped(spike, side), rng.choice(("0", "0", "1/20", "1/5")), 90)


def quarter_turn(rng: random.Random, aside: Fraction) -> Document:
    """A tip straight ahead of its hinge along the push slides on a sloping floor through a quarter turn,
    where its slip reverses."""
    length, slope, side = rng.randint(8, 20), Fraction(1, rng.randint(2, 4)), rng.choice((-1, 1))
    pawl = _foot(length, Fraction(0), Fraction(-1), rng)
    pawl[0] = (pawl[0][0] + aside, pawl[0][1])
    floor = [(-60, -30 + 60 * slope), (-60, -90), (60, -90), (60, -30 - 60 * slope)]
    return _written(_flipped(pawl, side), _flipped(floor, side), rng.choice(("1/20", "1/9")), 90)


def edge_ends_at_the_turn(rng: random.Random, aside: Fraction) -> Document:
    """A floor that ends exactly where the tip on it turns back: the place along it has a double root."""
    x, y, length = rng.choice(TRIANGLES)
    side = rng.choice((-1, 1))
    top, deep = -y - rng.randint(3, 20), rng.randint(1, 30)
    end = length + aside
    floor = [(end, top), (-40, top), (-40, top - deep), (end, top - deep)]
    pawl = _foot(length, Fraction(x, length), Fraction(-y, length), rng)
    return _written(_flipped(pawl, side), _flipped(floor, side), rng.choice(("0", "1/20", "1/9")), 90)


def threshold(rng: random.Random, aside: Fraction) -> Document:
    """A tip that meets a floor with exactly the friction at which it begins to stick."""
    x, y, length = rng.choice(TRIANGLES)
    side = rng.choice((-1, 1))
    top = -y - rng.randint(3, 20)
    floor = [(-200, top), (-200, top - 9), (200, top - 9), (200, top)]
    pawl = _foot(length, Fraction(x, length), Fraction(-y, length), rng)
    mu = max(Fraction(0), Fraction(x, y) + aside)
    return _written(_flipped(pawl, side), _flipped(floor, side), mu, -top + length // 2)


def dead_centre(rng: random.Random, aside: Fraction) -> Document:
    """A barb that a chamfer turns until it is level with its hinge, just where a wall along the push begins:
    the wall's normal then passes through the hinge, and friction alone carries the spring."""
    x, y, length = rng.choice(TRIANGLES)
    side, mu = rng.choice((-1, 1)), Fraction(1, rng.randint(3, 8))
    barb = [(length, 0), (length + 6, -3), (length + 9, 3), (length + 5, 5)]
    pawl = [_turned(point, Fraction(x, length), Fraction(-y, length)) for point in barb]
    begins, tall = -y - 2 * length - rng.randint(1, 9), rng.randint(10, 40)
    face = length + aside
    wall = [(face, begins), (face - 40, begins + 40), (face - 40, begins - tall), (face, begins - tall)]
    return _written(_flipped(pawl, side), _flipped(wall, side), mu, -begins + tall + 9)


def _foot(length: int, cosine: Fraction, sine: Fraction, rng: random.Random) -> list[Point]:
    """A pawl whose tip, level with the hinge, is its lowest point; then turned to where it lies at rest."""
    heel = rng.randint(2, 4)
    level = [(length, 0), (length + 1, heel + 1), (length - 2, heel + 4), (length - 1, heel)]
    return [_turned(point, cosine, sine) for point in level]


def _turned(point: Point, cosine: Fraction, sine: Fraction) -> Point:
    x, y = point
    return cosine * x - sine * y, sine * x + cosine * y


def _flipped(points: Sequence[Point], side: int) -> list[Point]:
    return [(side * x, y) for x, y in points]


FAMILIES: dict[str, Family] = {
    "through_hinge": through_hinge,
    "quarter_turn": quarter_turn,
    "edge_ends_at_the_turn": edge_ends_at_the_turn,
    "threshold": threshold,
    "dead_centre": dead_centre,
}


def tied(family: str, seed: int, aside: Fraction = Fraction(0)) -> Document:
    """A fastener of a family, on its tie or aside of it."""
    return FAMILIES[family](random.Random(f"{family} {seed}"), aside)


def _written(pawl: list[Point], obstacle: list[Point], friction: object, lasts: int) -> Document:
    shapes = [[[str(Fraction(c)) for c in point] for point in points] for points in (pawl, obstacle)]
    legs = [{"velocity": [0, -1], "for": int(lasts)}]
    return document(shapes[0], shapes[1:], str(friction), legs)
