"""Parts that overlap as drawn: which, where, how deep.

All pairs may touch unless ignored; a pair joined about a common axis (or held
together, or meshing) is drawn into one another at its joint by custom and is
left out. Prisms along z are compared layer by layer in the plane, other solids
through their meshes. In the plane the depth is the diameter of the largest circle in
both parts: they must be moved apart by at least as much. Of meshes it is the smallest
side of a box around what is common, which is about that. Up to what chords take off the
arcs of a bearing it is not an overlap.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from detent.foundation.errors import ModelError
from detent.foundation.tolerance import Tolerance
from detent.foundation.units import outward, unit_names
from detent.geometry import mesh, profile, region
from detent.geometry.apart import are_apart, near_part
from detent.geometry.solid import Cone, Cylinder, Disc, Leaf, Solid, Sphere, Torus, leaves, placed
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.joint_gaps import floats, unit
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import Placed, place
from detent.model.machine.touching import TouchingPairs

Box = tuple[float, float, float, float, float, float]
DepthIs = Literal["", "at least", "about"]  # of a depth: exact, a lower bound, an estimate

# A drawing need not close; axes nearer than this share of its size are meant as one.
_AS_DRAWN = 1e-3
# Pieces of one overlap whose width is measured; thousands of teeth in thousands look alike.
_LARGEST = 200


@dataclass(frozen=True)
class Overlap:
    """Two parts in each other."""

    first: str
    second: str
    where: tuple[float, ...]  # a point of the overlap
    depth: float
    units: str
    depth_is: DepthIs = ""

    @property
    def at(self) -> str:
        return f"parts.{self.second}"

    @property
    def problem(self) -> str:
        place = ", ".join(f"{c:.6g}" for c in self.where)
        depth = depth_words(self.depth, self.depth_is, unit_names(self.units).length)
        return f"overlaps part {self.first!r} as drawn, near ({place}), {depth}"

    @property
    def remedy(self) -> str:
        return f'draw them apart, or list "{self.first}:{self.second}" in touching.ignore'


def overlaps(mechanism: Mechanism, solids: Mapping[str, Solid]) -> Iterator[Overlap]:
    """Every pair that overlaps as drawn, in document order; solids by part, each in its own frame."""
    positions = place(mechanism)
    placed_solids = {
        name: placed(solids[name], pose) for name, pose in positions.known.items() if name in solids
    }
    if len(placed_solids) < 2:
        return
    boxes = {name: region.bounds(solid) for name, solid in placed_solids.items()}
    left_out, pairs = drawn_into_each_other(positions, boxes), TouchingPairs(mechanism)
    meshes = _Meshes()
    for first, second in _near_pairs(boxes):
        if pairs.ignored(first, second) or frozenset((first, second)) in left_out:
            continue
        place_and_depth = _overlap(placed_solids[first], placed_solids[second], meshes)
        if place_and_depth is not None:
            where, depth, depth_is = place_and_depth
            yield Overlap(first, second, where, depth, mechanism.units, depth_is)


def depth_words(depth: float, depth_is: DepthIs, unit: str) -> str:
    """A depth with what it is, a bound rounded down: `at least 2.3 mm deep`."""
    shown = outward(depth, -1, digits=3) if depth_is == "at least" else depth
    return f"{depth_is} {shown:.3g}{unit} deep".lstrip()


def overlapping_at_joints(positions: Placed, solids: Mapping[str, Solid]) -> set[frozenset[str]]:
    """Pairs that are drawn into each other at a joint by custom, and do overlap as drawn."""
    placed_solids = {
        name: placed(solids[name], pose) for name, pose in positions.known.items() if name in solids
    }
    boxes = {name: region.bounds(solid) for name, solid in placed_solids.items()}
    meshes = _Meshes()
    return {
        pair
        for pair in drawn_into_each_other(positions, boxes)
        if pair <= placed_solids.keys()
        and len(pair) == 2
        and _overlap(*_both(placed_solids, pair), meshes) is not None
    }


def _both(solids: Mapping[str, Solid], pair: frozenset[str]) -> tuple[Solid, Solid]:
    first, second = sorted(pair)
    return solids[first], solids[second]


def _near_pairs(boxes: dict[str, Box]) -> list[tuple[str, str]]:
    """Pairs whose boxes meet, in document order; swept along x, so that many parts stay cheap."""
    order = {name: k for k, name in enumerate(boxes)}
    pairs: list[tuple[str, str]] = []
    open_ones: list[str] = []
    for name in sorted(boxes, key=lambda n: boxes[n][0]):
        open_ones = [other for other in open_ones if boxes[other][3] >= boxes[name][0]]
        for other in open_ones:
            if _boxes_meet(boxes[name], boxes[other]):
                first, second = sorted((name, other), key=order.__getitem__)
                pairs.append((first, second))
        open_ones.append(name)
    return sorted(pairs, key=lambda pair: (order[pair[0]], order[pair[1]]))


def drawn_into_each_other(positions: Placed, boxes: dict[str, Box]) -> set[frozenset[str]]:
    mechanism = positions.mechanism
    joined = {
        frozenset(parts_of(joint))
        for joint in mechanism.joints.values()
        if JOINT_TYPES[joint.type].drawn_into
    }
    return joined | _on_one_axis(positions, boxes)


def _on_one_axis(positions: Placed, boxes: dict[str, Box]) -> set[frozenset[str]]:
    """Pairs that rotate about the same line: three links on one pin are two joints, but three pairs."""
    size = max((abs(c) for box in boxes.values() for c in box if math.isfinite(c)), default=0.0)
    lines: list[tuple[Any, Any, set[str]]] = []
    for joint in positions.joints.values():
        if not joint.type.turns_about_axis or not positions.knows(joint):
            continue
        line = floats(joint.point_in_world), unit(joint.axis_in_world)
        parts = set(parts_of(joint.joint))
        for point, along, members in lines:
            if _same_line(point, along, *line, size * _AS_DRAWN):
                members |= parts
                break
        else:
            lines.append((*line, parts))
    return {frozenset(pair) for _, _, members in lines for pair in combinations(sorted(members), 2)}


def _same_line(p: Any, u: Any, q: Any, v: Any, near: float) -> bool:
    """Whether two lines, by point and unit direction, are one."""
    parallel = abs(sum(a * b for a, b in zip(u, v, strict=True))) > 1 - _AS_DRAWN
    d = [b - a for a, b in zip(p, q, strict=True)]
    along = sum(a * b for a, b in zip(d, u, strict=True))
    return parallel and math.sqrt(max(sum(c * c for c in d) - along * along, 0.0)) <= near


class _Meshes:
    """The mesh of each solid, made when it is first asked for."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[Solid, Any]] = {}

    def near(self, solid: Solid, other: Solid, slack: float) -> Any:
        """The mesh of those members of a union that the other solid can reach: the rest may be many."""
        part = near_part(solid, other, slack=slack)
        return self._of(solid) if part is solid else mesh.manifold(part)

    def _of(self, solid: Solid) -> Any:
        if id(solid) not in self._known:
            self._known[id(solid)] = solid, mesh.manifold(solid)
        return self._known[id(solid)][1]


def _overlap(one: Solid, other: Solid, meshes: _Meshes) -> tuple[tuple[float, ...], float, DepthIs] | None:
    """A point of what two solids have in common, how deep that is, and what this number is."""
    least = noise(one) + noise(other)
    if region.stackable(one) and region.stackable(other):
        thickest = _in_layers(one, other, least)
        if thickest is None:
            return None
        return *thickest, "at least"
    if any(leaf.flat for solid in (one, other) for leaf in leaves(solid)):
        return None  # a flat shape beside a tilted solid has no common height to compare at
    if are_apart(one, other, slack=least):
        return None
    common = meshes.near(one, other, least) ^ meshes.near(other, one, least)
    if common.is_empty():
        return None
    low_x, low_y, low_z, high_x, high_y, high_z = common.bounding_box()
    depth = min(high_x - low_x, high_y - low_y, high_z - low_z)
    # The box around a tilted sliver that rounding leaves is large, the sliver itself is thin.
    if 2 * common.volume() <= least * common.surface_area():
        return None
    where = ((low_x + high_x) / 2, (low_y + high_y) / 2, (low_z + high_z) / 2)
    return (where, depth, "about") if depth > least else None


def _in_layers(one: Solid, other: Solid, least: float) -> tuple[tuple[float, ...], float] | None:
    """The deepest overlap of any two layers at one height, and how deep it is at least."""
    best: tuple[tuple[float, ...], float] | None = None
    added = added_by_chords(one) + added_by_chords(other)
    for a in region.layers(one):
        for b in region.layers(other):
            flat = a.bottom == a.top or b.bottom == b.top
            height = math.inf if flat else min(a.top, b.top) - max(a.bottom, b.bottom)
            if height <= least:
                continue
            shared = deepest(a.region, b.region)
            if shared is None or shared[1] <= least:
                continue
            depth = min(shared[1] - added, height)
            if best is None or depth > best[1]:
                middle = () if flat else ((min(a.top, b.top) + max(a.bottom, b.bottom)) / 2,)
                best = ((*shared[0], *middle), depth)
    return best


def deepest(a: Any, b: Any) -> tuple[tuple[float, float], float] | None:
    """A point in the middle of the common part, and how wide that is there."""
    import shapely

    if not shapely.intersects(a, b):
        return None
    try:
        common = region.common_region(a, b)
    except shapely.errors.GEOSException as problem:
        reason = "whether it overlaps another cannot be told: an outline crosses or touches itself"
        raise ModelError.at("shape", reason, "`detent check` names where") from problem
    best: tuple[tuple[float, float], float] | None = None
    pieces = [p for p in shapely.get_parts(common) if p.geom_type == "Polygon" and p.area > 0]
    for piece in sorted(pieces, key=lambda p: -p.area)[:_LARGEST]:
        # No circle inside is larger than one of its whole area.
        if best is None or 2 * math.sqrt(piece.area / math.pi) > best[1]:
            circle = shapely.maximum_inscribed_circle(piece)
            depth = 2 * circle.length
            if best is None or depth > best[1]:
                best = ((circle.coords[0][0], circle.coords[0][1]), depth)
    return best


def noise(solid: Solid) -> float:
    """What chords take off arcs, and what rounding blurs."""
    return _chords(leaves(solid)) + Tolerance.for_size(region.size(solid)).length


def added_by_chords(solid: Solid) -> float:
    """How much wider than it is a shape is taken for, at most: chords of round holes lie in the hole."""
    return _chords(leaf for leaf in leaves(solid) if leaf.hollow)


def _chords(of_leaves: Iterable[Leaf]) -> float:
    """How far chords leave their arcs, at most, on both sides together."""
    radii = [_radius(leaf.primitive) for leaf in of_leaves]
    return 2 * max(radii, default=0.0) * (1 - math.cos(math.pi / profile.FINENESS))


def _radius(primitive: object) -> float:
    if isinstance(primitive, Disc | Cylinder | Sphere):
        return float(primitive.radius)
    if isinstance(primitive, Cone):
        return float(max(primitive.base, primitive.top))
    return float(primitive.radius + primitive.tube) if isinstance(primitive, Torus) else 0.0


def _boxes_meet(a: Box, b: Box) -> bool:
    return all(a[i] <= b[i + 3] and b[i] <= a[i + 3] for i in range(3))
