"""Vectors as tuples of numbers of any kind, exact where those are; norms are doubles."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
