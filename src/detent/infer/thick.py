"""Solids for the search of joints: flat shapes given a thickness, and what of a solid lies near a place."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from fractions import Fraction

from detent.geometry import frame as frames
from detent.geometry.solid import Combination, Cylinder, Disc, Leaf, Outline, Prism, Segment, Solid

_ZERO = Fraction(0)


def thickened(solid: Solid, height: Fraction) -> Solid | None:
    """The solid with flat shapes as prisms of this height about the plane; segments have no faces."""
    if isinstance(solid, Leaf):
        p = solid.primitive
        frame = solid.frame @ frames.shift((_ZERO, _ZERO, -height / 2))
        if isinstance(p, Outline):
            return replace(solid, primitive=Prism(p.points, height), frame=frame)
        if isinstance(p, Disc):
            return replace(solid, primitive=Cylinder(p.radius, height), frame=frame)
        return None if isinstance(p, Segment) else solid
    return _combined(solid, [thickened(child, height) for child in solid.children])


def only(solid: Solid, kept: Set[int]) -> Solid | None:
    """What is left of a solid with these primitives (by `id`) alone; None where nothing is."""
    if isinstance(solid, Leaf):
        return solid if id(solid) in kept else None
    return _combined(solid, [only(child, kept) for child in solid.children])


def _combined(solid: Combination, children: list[Solid | None]) -> Solid | None:
    kept = [child for child in children if child is not None]
    first_is_gone = solid.operation == "difference" and children[0] is None
    one_is_gone = solid.operation == "intersection" and len(kept) < len(children)
    if not kept or first_is_gone or one_is_gone:
        return None
    return kept[0] if len(kept) == 1 else Combination(solid.operation, tuple(kept))
