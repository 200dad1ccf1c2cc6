"""Symmetries of the subparts of a part (Gelsey 1995, Algorithm 1, Fig. 5).

A cylinder is symmetric about its axis, and along it; a block along its three sides. A rotation has a place, a
translation only a direction: two cylinders beside each other share one prismatic symmetry and have two
rotational ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from detent.geometry.frame import Exact3
from detent.geometry.solid import Block, Cone, Cylinder, Disc, Leaf, Outline, Prism, Solid, Torus, leaves
from detent.infer.pair import upward

_ZERO, _ONE = Fraction(0), Fraction(1)
_X, _Y, _Z = (_ONE, _ZERO, _ZERO), (_ZERO, _ONE, _ZERO), (_ZERO, _ZERO, _ONE)


@dataclass(frozen=True)
class Symmetry:
    """Of some primitives of a part: about an axis (with a point on it), or along a direction."""

    kind: Literal["rotational", "prismatic"]
    direction: Exact3
    point: Exact3 | None  # of an axis: its point nearest to the origin
    leaves: tuple[int, ...]


def symmetries(solid: Solid) -> tuple[Symmetry, ...]:
    """All symmetries of all primitives of a part, equal ones once."""
    by_key: dict[tuple[str, Exact3, Exact3 | None], list[int]] = {}
    for leaf in leaves(solid):
        for kind, direction, point in _of(leaf):
            by_key.setdefault((kind, direction, point), []).append(leaf.index)
    return tuple(
        Symmetry(kind, direction, point, tuple(indices))  # type: ignore[arg-type]
        for (kind, direction, point), indices in by_key.items()
    )


def _of(leaf: Leaf) -> Sequence[tuple[str, Exact3, Exact3 | None]]:
    p = leaf.primitive
    along = {Block: (_X, _Y, _Z), Cylinder: (_Z,), Disc: (_Z,), Prism: (_Z,), Outline: (_Z,)}.get(type(p), ())
    found: list[tuple[str, Exact3, Exact3 | None]] = [
        ("prismatic", upward(leaf.frame.direct(axis)), None) for axis in along
    ]
    if isinstance(p, Cylinder | Disc | Cone | Torus):
        axis = upward(leaf.frame.direct(_Z))
        found.append(("rotational", axis, _foot(leaf.frame.origin, axis)))
    return found


def _foot(point: Exact3, direction: Exact3) -> Exact3:
    """The point of a line nearest to the origin."""
    square = sum((d * d for d in direction), start=_ZERO)
    share = sum((p * d for p, d in zip(point, direction, strict=True)), start=_ZERO) / square
    x, y, z = (p - share * d for p, d in zip(point, direction, strict=True))
    return x, y, z
