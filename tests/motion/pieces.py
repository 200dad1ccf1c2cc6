"""Polygons cut into convex pieces, exactly and at random; nothing shared with the product."""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

Points = list[tuple[Fraction, Fraction]]


def turn(a: Any, b: Any, c: Any) -> Fraction:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def pieces(outline: Any, rng: random.Random, cuts: int = 2, along: Any = None) -> list[Any]:
    """An outline as convex pieces: ears clipped off in any order, and some of them cut once more.

    `along` is a point and a direction: a line that cuts every ear which it meets.
    """
    points = [(Fraction(x), Fraction(y)) for x, y in outline]
    if sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, points[1:] + points[:1], strict=True)) < 0:
        points.reverse()
    ears = _ears(points, rng)
    if along is not None:
        (x, y), (vx, vy) = ([Fraction(c) for c in pair] for pair in along)
        ears = [half for ear in ears for half in _sides(ear, (x, y), (x + vx, y + vy))]
    for _ in range(cuts):
        k = rng.randrange(len(ears))
        ears[k : k + 1] = _halved(ears[k], rng)
    rng.shuffle(ears)
    return [{"outline": [[str(x), str(y)] for x, y in piece]} for piece in ears]


def _ears(points: Points, rng: random.Random) -> list[Points]:
    triangles: list[Points] = []
    left = list(points)
    while len(left) > 3:
        for k in rng.sample(range(len(left)), len(left)):
            a, b, c = left[k - 1], left[k], left[(k + 1) % len(left)]
            around = [p for p in left if p not in (a, b, c)]
            if turn(a, b, c) > 0 and not any(
                turn(a, b, p) >= 0 and turn(b, c, p) >= 0 and turn(c, a, p) >= 0 for p in around
            ):
                triangles.append([a, b, c])
                del left[k]
                break
        else:
            straight = next(
                k for k in range(len(left)) if turn(left[k - 1], left[k], left[(k + 1) % len(left)]) == 0
            )
            del left[straight]
    if turn(*left) != 0:
        triangles.append(left)
    return triangles


def _halved(piece: Points, rng: random.Random) -> list[Points]:
    """A convex piece cut from one side to another."""
    i, j = sorted(rng.sample(range(len(piece)), 2))

    def on(k: int) -> tuple[Fraction, Fraction]:
        a, b, s = piece[k], piece[(k + 1) % len(piece)], Fraction(rng.randint(1, 6), 7)
        return a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])

    p, q = on(i), on(j)
    return [[p, *piece[i + 1 : j + 1], q], [q, *piece[j + 1 :], *piece[: i + 1], p]]


def _sides(piece: Points, a: Any, b: Any) -> list[Points]:
    """What of a convex piece lies left and right of a line."""
    halves = []
    for sign in (1, -1):
        kept: Points = []
        for p, q in zip(piece, piece[1:] + piece[:1], strict=True):
            here, there = sign * turn(a, b, p), sign * turn(a, b, q)
            if here >= 0:
                kept.append(p)
            if here * there < 0:
                s = here / (here - there)
                kept.append((p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])))
        if len(set(kept)) > 2:
            halves.append(kept)
    return halves
