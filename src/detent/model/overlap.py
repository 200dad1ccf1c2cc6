"""Parts that stand in each other as drawn: which, where, how deep.

All pairs may touch unless ignored; a pair joined about a common axis (or held
together, or meshing) is drawn into one another at its joint by custom and is
left out. Prisms along z are compared layer by layer in the plane, other solids
through their meshes. Depth is the width of the overlap where it is thickest; up
to what chords take off the arcs of a bearing it is no overlap.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from detent.foundation.errors import UnsupportedError
from detent.foundation.tolerance import Tolerance
from detent.geometry import mesh, profile, region
from detent.geometry.solid import Cone, Cylinder, Disc, Solid, Sphere, Torus, leaves, placed
from detent.model.mechanism import Mechanism
from detent.model.poses import world_pose
from detent.model.solids import part_solid

_DRAWN_INTO = {"revolute", "cylindrical", "spherical", "fixed", "gear", "elastic", "infer"}


@dataclass(frozen=True)
class Overlap:
    """Two parts in each other."""

    first: str
    second: str
    where: tuple[float, ...]  # a point of the overlap
    depth: float
    units: str

    @property
    def at(self) -> str:
        return f"parts.{self.second}"

    @property
    def problem(self) -> str:
        unit = "" if self.units == "1" else f" {self.units}"
        place = ", ".join(f"{c:.6g}" for c in self.where)
        return f"overlaps part {self.first!r} as drawn, near ({place}), {self.depth:.3g}{unit} deep"

    @property
    def remedy(self) -> str:
        return f'draw them apart, or list "{self.first}:{self.second}" in touching.ignore'


def overlaps(mechanism: Mechanism) -> Iterator[Overlap]:
    """Every pair that overlaps as drawn, in document order."""
    standing: dict[str, Solid] = {}
    for name in mechanism.parts:
        made = part_solid(mechanism, name)
        if made is not None:
            try:
                standing[name] = placed(made, world_pose(mechanism, name))
            except UnsupportedError:
                continue  # stands on a marker that only its library part knows
    left_out = _left_out(mechanism)
    boxes = {name: region.bounds(solid) for name, solid in standing.items()}
    for first, second in combinations(standing, 2):
        if frozenset((first, second)) in left_out or not _boxes_meet(boxes[first], boxes[second]):
            continue
        found = _overlap(standing[first], standing[second])
        if found is not None:
            yield Overlap(first, second, *found, mechanism.units)


def _left_out(mechanism: Mechanism) -> set[frozenset[str]]:
    pairs = mechanism.touching.ignore if mechanism.touching is not None else ()
    ignored = {frozenset(pair.split(":")) for pair in pairs}
    joined = {
        frozenset(end.partition(".")[0] for end in joint.between)
        for joint in mechanism.joints.values()
        if joint.type in _DRAWN_INTO
    }
    return ignored | joined


def _overlap(one: Solid, other: Solid) -> tuple[tuple[float, ...], float] | None:
    least = _noise(one) + _noise(other)
    if region.stackable(one) and region.stackable(other):
        return _in_layers(one, other, least)
    if any(leaf.flat for solid in (one, other) for leaf in leaves(solid)):
        return None  # a flat shape beside a tilted solid has no common height to compare at
    common = mesh.manifold(one) ^ mesh.manifold(other)
    if common.is_empty():
        return None
    low_x, low_y, low_z, high_x, high_y, high_z = common.bounding_box()
    depth = min(high_x - low_x, high_y - low_y, high_z - low_z)
    where = ((low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2)
    return (where, depth) if depth > least else None


def _in_layers(one: Solid, other: Solid, least: float) -> tuple[tuple[float, ...], float] | None:
    """The deepest overlap of any two layers at one height."""
    best: tuple[tuple[float, ...], float] | None = None
    for a in region.layers(one):
        for b in region.layers(other):
            flat = a.bottom == a.top or b.bottom == b.top
            height = math.inf if flat else min(a.top, b.top) - max(a.bottom, b.bottom)
            if height <= least:
                continue
            found = _in_plane(a.region, b.region)
            depth = min(found[1], height) if found is not None else 0.0
            if found is not None and depth > least and (best is None or depth > best[1]):
                middle = () if flat else ((min(a.top, b.top) + max(a.bottom, b.bottom)) / 2,)
                best = ((*found[0], *middle), depth)
    return best


def _in_plane(a: Any, b: Any) -> tuple[tuple[float, float], float] | None:
    """A point in the middle of the common part, and how wide that is there."""
    import shapely

    if not shapely.intersects(a, b):
        return None
    common = shapely.intersection(a, b)
    best: tuple[tuple[float, float], float] | None = None
    for piece in shapely.get_parts(common):
        if piece.geom_type == "Polygon" and piece.area > 0:
            circle = shapely.maximum_inscribed_circle(piece)
            depth = 2 * circle.length
            if best is None or depth > best[1]:
                best = ((circle.coords[0][0], circle.coords[0][1]), depth)
    return best


def _noise(solid: Solid) -> float:
    """What chords take off arcs, and what rounding blurs."""
    radii = [_radius(leaf.primitive) for leaf in leaves(solid)]
    sagitta = max(radii, default=0.0) * (1 - math.cos(math.pi / profile.FINENESS))
    return 2 * sagitta + Tolerance.for_size(region.size(solid)).length


def _radius(primitive: object) -> float:
    if isinstance(primitive, Disc | Cylinder | Sphere):
        return float(primitive.radius)
    if isinstance(primitive, Cone):
        return float(max(primitive.base, primitive.top))
    return float(primitive.radius + primitive.tube) if isinstance(primitive, Torus) else 0.0


def _boxes_meet(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
    return all(a[i] <= b[i + 3] and b[i] <= a[i + 3] for i in range(3))
