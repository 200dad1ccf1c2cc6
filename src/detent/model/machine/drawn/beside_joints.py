"""Parts that a pin joins, drawn into each other elsewhere: not by the custom of drawing parts over their pin.

Such a pair has no contacts where a run begins so, as any that is drawn into each other at its joint. What is
common lies beside the joint where it neither surrounds the axis nor reaches from it: it is farther away than
half of its own width.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from detent.foundation.units import unit_names
from detent.geometry import region
from detent.geometry.solid import Solid, placed
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.joint_gaps import floats
from detent.model.machine.drawn.overlap import added_by_chords, deepest, depth_words, noise
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import PlacedJoint, place
from detent.model.machine.touching import TouchingPairs


@dataclass(frozen=True)
class BesideJoint:
    """Two parts in each other beside the pin that joins them."""

    joint: str
    first: str
    second: str
    where: tuple[float, float]
    away: float  # from the joint's axis
    depth: float
    units: str

    @property
    def words(self) -> str:
        unit = unit_names(self.units).length
        place = ", ".join(f"{c:.6g}" for c in self.where)
        deep = depth_words(self.depth, "at least", unit)
        return (
            f"{self.first} and {self.second} are drawn into each other {self.away:.4g}{unit} from their"
            f" joint {self.joint}, near ({place}), {deep}: a run that begins so leaves out their contacts;"
            " draw them apart there"
        )


def beside_joints(mechanism: Mechanism, solids: Mapping[str, Solid]) -> Iterator[BesideJoint]:
    """Every such pair of stacks of prisms, in the order of their joints; solids by part."""
    positions, pairs = place(mechanism), TouchingPairs(mechanism)
    joints = positions.joints.values()
    for joint in joints:
        both = parts_of(joint.joint)
        if not joint.type.turns_about_axis or not positions.knows(joint) or pairs.ignored(*both):
            continue
        others = [each for each in joints if each is not joint and set(parts_of(each.joint)) == set(both)]
        if others or not all(name in solids and name in positions.known for name in both):
            continue
        found = _deepest_beside(joint, [placed(solids[name], positions.known[name]) for name in both])
        if found is not None:
            yield BesideJoint(joint.name, both[0], both[1], *found, mechanism.units)


def _deepest_beside(
    joint: PlacedJoint, solids: list[Solid]
) -> tuple[tuple[float, float], float, float] | None:
    """Where the two are deepest in each other beside the joint, how far from it, and how deep."""
    import shapely

    if not all(region.stackable(solid) for solid in solids) or abs(joint.axis_in_world[2]) == 0:
        return None
    axis = shapely.Point(floats(joint.point_in_world)[:2])
    least, added = sum(map(noise, solids)), sum(map(added_by_chords, solids))
    best: tuple[tuple[float, float], float, float] | None = None
    for a in region.layers(solids[0]):
        for b in region.layers(solids[1]):
            flat = a.bottom == a.top or b.bottom == b.top
            height = math.inf if flat else min(a.top, b.top) - max(a.bottom, b.bottom)
            if height <= least:
                continue
            for piece in _beside(axis, region.common_region(a.region, b.region)):
                shared = deepest(piece, piece)
                if shared is None or shared[1] <= least + added:
                    continue
                depth = min(shared[1] - added, height)
                if best is None or depth > best[2]:
                    x, y = (0.0 if abs(c) < least else c for c in shared[0])
                    best = (x, y), float(axis.distance(piece)), depth
    return best


def _beside(axis: Any, common: Any) -> Iterator[Any]:
    """The pieces of what is common that do not belong to the joint."""
    import shapely

    for piece in shapely.get_parts(common):
        if piece.geom_type != "Polygon" or piece.area == 0:
            continue
        low_x, low_y, high_x, high_y = piece.bounds
        width = max(high_x - low_x, high_y - low_y)
        if not piece.convex_hull.intersects(axis) and axis.distance(piece) > width / 2:
            yield piece
