"""Vectors as tuples of numbers of any kind, exact where those are; norms are doubles."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

Vec = tuple[Any, ...]


def minus(a: Vec, b: Vec) -> Vec:
    return tuple(x - y for x, y in zip(a, b, strict=True))


def negative(a: Vec) -> Vec:
    return tuple(-x for x in a)


def dot(a: Vec, b: Vec) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True))


def cross(a: Sequence[Any], b: Sequence[Any]) -> tuple[Any, Any, Any]:
    """Of vectors in space."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def norm(a: Vec) -> float:
    return math.hypot(*(float(x) for x in a))


def length(a: Vec) -> Any:
    """Its norm, as a rational where it is one."""
    squared = dot(a, a)
    if not isinstance(squared, int | Fraction):
        return norm(a)
    top, bottom = (math.isqrt(x) for x in Fraction(squared).as_integer_ratio())
    root = Fraction(top, bottom)
    return root if root * root == squared else norm(a)


def along(start: Vec, direction: Vec, share: Any) -> Vec:
    """start + share x direction: exact where all of them are, else in doubles."""
    if isinstance(share, int | Fraction):
        return tuple(x + share * d for x, d in zip(start, direction, strict=True))
    return tuple(float(x) + share * float(d) for x, d in zip(start, direction, strict=True))


def bend(a: Vec, b: Vec, c: Vec) -> Any:
    """In the plane: positive where the path over three points turns left, zero where it is straight."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
