"""Whether solids are apart, told by their primitives alone: before any mesh is made of them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from detent.geometry import region
from detent.geometry.solid import Leaf, Solid, Sphere


@dataclass(frozen=True)
class _Cover:
    """A box around a primitive along the axes, and the ball where it is one."""

    low: tuple[float, ...]
    high: tuple[float, ...]
    centre: tuple[float, ...]
    radius: float | None

    def depth(self, other: _Cover) -> float:
        """No common part is thicker than this in every direction; negative: they are this far apart."""
        across = zip(self.low, self.high, other.low, other.high, strict=True)
        depth = min(min(h, g) - max(a, b) for a, h, b, g in across)
        if self.radius is not None and other.radius is not None:
            return min(depth, self.radius + other.radius - math.dist(self.centre, other.centre))
        for ball, box in ((self, other), (other, self)):
            if ball.radius is not None:
                beside = zip(ball.centre, box.low, box.high, strict=True)
                outside = math.hypot(*(max(a - c, c - h, 0.0) for c, a, h in beside))
                depth = min(depth, ball.radius - outside) if outside > 0.0 else depth
        return depth


def are_apart(one: Solid, other: Solid, *, slack: float) -> bool:
    """Whether no primitive of one solid is deeper than `slack` in one of the other; False: it is not told."""
    covers = list(_covers(other))
    return all(mine.depth(theirs) <= slack for mine in _covers(one) for theirs in covers)


def near_part(one: Solid, other: Solid, *, slack: float) -> Solid:
    """One solid without the members of its unions that are apart from the other; not all of them are."""
    if isinstance(one, Leaf) or one.operation != "union":
        return one
    near = [child for child in one.children if not are_apart(child, other, slack=slack)]
    kept = tuple(near_part(child, other, slack=slack) for child in near)
    return one if [*map(id, kept)] == [*map(id, one.children)] else replace(one, children=kept)


def _covers(solid: Solid) -> Iterator[_Cover]:
    """Primitives that hold all of a solid: what is cut away, or common to several, is held by the first."""
    if not isinstance(solid, Leaf):
        for child in solid.children if solid.operation == "union" else solid.children[:1]:
            yield from _covers(child)
        return
    box = region.bounds(solid)
    radius = float(solid.primitive.radius) if isinstance(solid.primitive, Sphere) else None
    yield _Cover(box[:3], box[3:], tuple(map(float, solid.frame.origin)), radius)
