"""Rows on a velocity vector: what the velocity of bodies does at a point, along a direction.

A body's velocity is that of its point at the row's origin, then its angular velocity: (vx, vy, w)
in the plane, (vx, vy, vz, wx, wy, wz) in space.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from detent.geometry.vector import cross

Vector = Sequence[Any]

GROUND = -1  # as a body: the one that does not move


def body_freedoms(space: int) -> int:
    """Three in the plane, six in space."""
    return 3 if space == 2 else 6


def wrench_row(point: Vector, direction: Vector) -> list[Any]:
    """[n, p x n]: the velocity of a body's point, seen along a direction."""
    if len(point) == 2:
        (x, y), (a, b) = point, direction
        return [a, b, x * b - y * a]
    (x, y, z), (a, b, c) = point, direction
    return [a, b, c, y * c - z * b, z * a - x * c, x * b - y * a]


def pair_row(row: Vector, pair: tuple[int, int], freedoms: int) -> list[Any]:
    """A body's row where it belongs: plus on the second body, minus on the first."""
    placed: list[Any] = [0] * freedoms
    for body, sign in ((pair[1], 1), (pair[0], -1)):
        if body != GROUND:
            for k, x in enumerate(row):
                placed[body * len(row) + k] += sign * x
    return placed


def tangent_frame(normal: Vector, *, equal: bool) -> tuple[list[Any], list[Any]]:
    """Two tangents at right angles, right-handed with the normal; of equal length where asked.

    For a normal along z they are x and y.
    """
    axis = min(range(3), key=lambda k: (abs(normal[k]), k))
    second = list(cross(normal, [int(k == axis) for k in range(3)]))
    first = list(cross(second, normal))
    if equal:
        squared = sum(x * x for x in normal)
        root = math.sqrt(squared)
        length = Fraction(root).limit_denominator(10**6)
        second = [x * (length if length * length == squared else root) for x in second]
    return first, second
