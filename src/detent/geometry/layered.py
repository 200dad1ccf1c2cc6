"""Features of stacked prisms: what bounds a part in every layer across z, each with its heights.

Gelsey 1995, section 2.2: machines of "2 1/2 dimensions" move across z, and two features can
touch only where they share a layer. The solid is cut at all heights of its leaves; a
feature of equal name and place in several layers is one, with the heights that it spans.
A flat solid, as in a plane document, spans all heights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry import region
from detent.geometry.feature import Arc, Boundary, Edge, Vertex, union_outline
from detent.geometry.profile import prismatic
from detent.geometry.solid import Leaf, Solid, leaves, standing

Feature = Edge | Arc | Vertex
Heights = tuple[tuple[float, float], ...]  # intervals of z, from the lowest up

# Whose boundaries touch: that of the union, or those of its solid primitives one by one (Gelsey's
# penalty method sums the forces of all primitives, also where one is buried in another).
Bounded = Literal["outline", "primitives"]


@dataclass(frozen=True)
class LayeredFeature:
    """An edge, arc or vertex, and the heights at which it bounds the part."""

    feature: Feature
    heights: Heights


def layered_features(solid: Solid, bounded: Bounded = "outline") -> tuple[LayeredFeature, ...]:
    """Every feature of a solid of prisms along z, edges first, then arcs, then vertices."""
    solid = standing(solid)
    for leaf in leaves(solid):
        if not (prismatic(leaf) and leaf.frame.upright):
            raise _not_a_prism(leaf)
    spans: dict[Feature, list[tuple[float, float]]] = {}
    for low, high in _layers(solid):
        for feature in _bounding(solid, _middle(low, high), bounded):
            heights = spans.setdefault(feature, [])
            if heights and heights[-1][1] == low:
                heights[-1] = heights[-1][0], high
            else:
                heights.append((low, high))
    order = (Edge, Arc, Vertex)
    return tuple(
        LayeredFeature(feature, tuple(heights))
        for kind in order
        for feature, heights in spans.items()
        if isinstance(feature, kind)
    )


def share_a_layer(one: Heights, other: Heights, shift: float = 0.0, least: float = 0.0) -> bool:
    """Whether heights overlap by more than `least`, the second moved up by `shift`."""
    return any(
        min(high, top + shift) - max(low, bottom + shift) > least
        for low, high in one
        for bottom, top in other
    )


def _layers(solid: Solid) -> list[tuple[float, float]]:
    cuts = sorted({z for leaf in leaves(solid) if not leaf.flat for z in region.heights(leaf)})
    if any(leaf.flat for leaf in leaves(solid)):
        cuts = [-math.inf, *cuts, math.inf]
    return list(pairwise(cuts))


def _middle(low: float, high: float) -> float:
    if math.isinf(low):
        return 0.0 if math.isinf(high) else high - 1.0
    return low + 1.0 if math.isinf(high) else (low + high) / 2


def _bounding(solid: Solid, z: float, bounded: Bounded) -> list[Feature]:
    solids = [solid] if bounded == "outline" else [leaf for leaf in leaves(solid) if not leaf.hollow]
    outlines: list[Boundary] = [union_outline(each, z) for each in solids]
    features: list[Feature] = []
    for each in outlines:
        features += [*each.edges, *each.arcs, *each.vertices]
    return features


def _not_a_prism(leaf: Leaf) -> UnsupportedError:
    what = "a broken edge" if leaf.breaks else with_article(type(leaf.primitive).__name__.lower())
    return UnsupportedError(
        f"{what} does not have the same section at all its heights, so it has no layers along z",
        "draw it of prisms and cylinders along z, or give its contacts as [[contacts]]",
        leaf.at,
    )
