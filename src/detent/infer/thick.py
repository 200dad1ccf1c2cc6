"""Solids for the search of joints: flat shapes given a thickness, and what of a solid lies near a place."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

from detent.geometry import frame as frames
from detent.geometry.region import bounds
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


def near(solid: Solid, low: Any, high: Any) -> Solid | None:
    """What decides where the solid is within a box: primitives that reach into it; None where none does."""
    if isinstance(solid, Leaf):
        box = bounds(solid)
        apart = any(box[i] > high[i] or box[i + 3] < low[i] for i in range(3))
        return None if apart else solid
    return _combined(solid, [near(child, low, high) for child in solid.children])


def _combined(solid: Combination, children: list[Solid | None]) -> Solid | None:
    kept = [child for child in children if child is not None]
    first_is_gone = solid.operation == "difference" and children[0] is None
    one_is_gone = solid.operation == "intersection" and len(kept) < len(children)
    if not kept or first_is_gone or one_is_gone:
        return None
    return kept[0] if len(kept) == 1 else Combination(solid.operation, tuple(kept))
