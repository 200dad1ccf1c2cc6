"""The section of a primitive at a height along its own axis.

Block, prism, cylinder and their flat kin keep one section, save near a face
whose edges are broken; there it is inset by the profile of the chamfer or the
round (outset where the size is negative: the mouth of a hole). Cone, sphere and
torus have round sections. Everything here is in the primitive's own frame.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry.solid import (
    Block,
    Break,
    Cone,
    Cylinder,
    Disc,
    Leaf,
    Outline,
    Prism,
    Segment,
    Sphere,
    Torus,
)

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

# Chords to a full circle: a chord leaves its arc by 7.5e-5 of the radius.
FINENESS = 256
# Corners stay sharp when inset, unless they project farther than this many insets.
_SHARP = 100.0


def extent(leaf: Leaf) -> tuple[float, float]:
    """Lowest and highest z in the primitive's own frame; a flat one spans no height."""
    p = leaf.primitive
    if isinstance(p, Prism | Cylinder | Cone):
        return 0.0, float(p.height)
    if isinstance(p, Block):
        return 0.0, float(p.sides[2])
    if isinstance(p, Sphere):
        return -float(p.radius), float(p.radius)
    if isinstance(p, Torus):
        return -float(p.tube), float(p.tube)
    return 0.0, 0.0


def reach(leaf: Leaf) -> tuple[float, float, float, float]:
    """Lowest x and y, highest x and y in the primitive's own frame, flared edges included."""
    p = leaf.primitive
    flare = max((-float(b.size) for b in leaf.breaks), default=0.0)
    flare = max(flare, 0.0)
    if isinstance(p, Outline | Prism | Segment):
        points = p.ends if isinstance(p, Segment) else p.points
        xs, ys = [float(x) for x, _ in points], [float(y) for _, y in points]
        return min(xs) - flare, min(ys) - flare, max(xs) + flare, max(ys) + flare
    if isinstance(p, Block):
        return -flare, -flare, float(p.sides[0]) + flare, float(p.sides[1]) + flare
    if isinstance(p, Cone):
        radius = float(max(p.base, p.top))
    elif isinstance(p, Torus):
        radius = float(p.radius + p.tube)
    else:
        radius = float(p.radius) + flare
    return -radius, -radius, radius, radius


def prismatic(leaf: Leaf) -> bool:
    """Whether every section across its own z axis is the same."""
    return not leaf.breaks and isinstance(leaf.primitive, Outline | Segment | Disc | Prism | Block | Cylinder)


def outset(leaf: Leaf, z: float) -> float:
    """How far the section at height z projects from the unbroken one; negative when inset."""
    low, high = extent(leaf)
    inset = 0.0
    for edge in leaf.breaks:
        if edge.face[1] == "z":
            depth = high - z if edge.face[0] == "+" else z - low
            inset += math.copysign(broken(edge, depth), float(edge.size))
    return -inset


def broken(edge: Break, depth: float) -> float:
    """How much material the break takes away, sideways, at this depth below its face."""
    size = abs(float(edge.size))
    if depth >= size:
        return 0.0
    rest = size - max(depth, 0.0)
    return rest if edge.kind == "chamfer" else size - math.sqrt(max(size * size - rest * rest, 0.0))


def section(leaf: Leaf, z: float, *, fineness: int = FINENESS) -> BaseGeometry:
    """The region at height z of the primitive's own frame; empty outside its extent.

    Breaks count only on the faces across z.
    """
    import shapely

    low, high = extent(leaf)
    if not leaf.flat and not low <= z <= high:
        return shapely.Polygon()
    p = leaf.primitive
    if isinstance(p, Outline | Prism):
        return _inset(polygon(p.points), outset(leaf, z))
    if isinstance(p, Segment):
        return shapely.LineString([(float(x), float(y)) for x, y in p.ends])
    if isinstance(p, Block):
        out = outset(leaf, z)
        x, y = float(p.sides[0]), float(p.sides[1])
        return _positive_box(-out, -out, x + out, y + out)
    if isinstance(p, Torus):
        half = math.sqrt(max(float(p.tube) ** 2 - z * z, 0.0))
        ring = disc(float(p.radius) + half, fineness)
        return ring.difference(disc(float(p.radius) - half, fineness))
    return disc(section_radius(leaf, z), fineness)


def section_radius(leaf: Leaf, z: float) -> float:
    """Radius of a round section."""
    p = leaf.primitive
    if isinstance(p, Disc):
        return float(p.radius)
    if isinstance(p, Cylinder):
        return float(p.radius) + outset(leaf, z)
    if isinstance(p, Cone):
        share = z / float(p.height)
        return float(p.base) + share * (float(p.top) - float(p.base))
    assert isinstance(p, Sphere)
    return math.sqrt(max(float(p.radius) ** 2 - z * z, 0.0))


def polygon(points: Any) -> BaseGeometry:
    """A shapely polygon from vertices, either way round."""
    import shapely

    return shapely.Polygon([(float(x), float(y)) for x, y in points])


def disc(radius: float, fineness: int = FINENESS) -> BaseGeometry:
    """A disc about the origin as a polygon with its vertices on the circle."""
    import numpy as np
    import shapely

    if radius <= 0:
        return shapely.Polygon()
    angles = np.arange(fineness) * (math.tau / fineness)
    return shapely.Polygon(radius * np.column_stack([np.cos(angles), np.sin(angles)]))


def refuse_odd_breaks(leaf: Leaf) -> None:
    """Edges can be broken where faces are flat: on a block any face, on others the two ends."""
    if leaf.breaks and (problems := odd_breaks(leaf)):
        raise UnsupportedError(*problems[0], leaf.at)


def odd_breaks(leaf: Leaf) -> list[tuple[str, str]]:
    """What is wrong with the edges of a leaf, each with its remedy: all of it."""
    p = leaf.primitive
    flat = [
        isinstance(p, Block) or (isinstance(p, Prism | Cylinder) and e.face[1] == "z") for e in leaf.breaks
    ]
    kind = type(p).__name__.lower()
    problems = [
        (
            f"{with_article(kind)} has no flat face {edge.face} to break the edges of",
            "break edges of a block, or of the ends (+z, -z) of a prism or a cylinder",
        )
        for edge, fits in zip(leaf.breaks, flat, strict=True)
        if not fits
    ]
    return problems or _deep_breaks(leaf)


def _deep_breaks(leaf: Leaf) -> list[tuple[str, str]]:
    """What is broken away at two ends cannot be more than lies between them."""
    x0, y0, x1, y1 = reach(replace(leaf, breaks=()))
    low, high = extent(leaf)
    between = {"x": x1 - x0, "y": y1 - y0, "z": high - low}
    problems = []
    for axis, length in between.items():
        deep = sum(float(edge.size) for edge in leaf.breaks if edge.face[1] == axis and edge.size > 0)
        if deep > length:
            words = f"its edges are broken {deep:g} deep along {axis}, more than its {length:g}"
            problems.append((words, "break less away"))
    return problems


def _inset(region: BaseGeometry, out: float) -> BaseGeometry:
    return region.buffer(out, join_style="mitre", mitre_limit=_SHARP) if out else region


def _positive_box(x0: float, y0: float, x1: float, y1: float) -> BaseGeometry:
    import shapely

    return shapely.box(x0, y0, x1, y1) if x1 > x0 and y1 > y0 else shapely.Polygon()
