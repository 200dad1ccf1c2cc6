"""Planar regions of solids: sections, layers, and the view from above.

Gelsey's machines are "2 1/2-dimensional" (section 2.2): parts move in layers
across z, and what touches what is decided in the plane of a layer. Contacts
belong to the outline of a part's union, never to a buried face, so regions are
evaluated through the whole CSG tree. Circles have `fineness` chords. A leaf
that is not a prism along z is cut and projected through its mesh.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import ModelError
from detent.geometry import mesh, profile
from detent.geometry.frame import Exact3
from detent.geometry.profile import FINENESS
from detent.geometry.solid import Leaf, Solid, leaves

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry


# In floating point overlays take a wrong side now and then where edges lie on one line but for rounding: of
# parts that only touch the common region is then a whole part, of flush pieces the union lacks one. On a
# grid they do not, and take a hundred times as long: one of this share of the coordinates, far finer than any
# tolerance, is for results in which a point is not where it belongs.
_GRID = 1e-12


@dataclass(frozen=True)
class LeafRegion:
    """The shadow of one leaf on the plane, and the heights it spans."""

    leaf: Leaf
    region: BaseGeometry
    bottom: float
    top: float


@dataclass(frozen=True)
class Layer:
    """Heights between which the section is the same."""

    bottom: float
    top: float
    region: BaseGeometry


def leaf_regions(solid: Solid, *, fineness: int = FINENESS) -> tuple[LeafRegion, ...]:
    """Each leaf by itself, seen from above, in document order; hollow ones too."""
    return tuple(LeafRegion(leaf, _shadow(leaf, fineness), *heights(leaf)) for leaf in leaves(solid))


def from_above(solid: Solid, *, fineness: int = FINENESS) -> BaseGeometry:
    """What of the plane the solid covers, seen along z; a through hole is open, a pocket is not."""
    if stackable(solid):
        return _joined([layer.region for layer in layers(solid, fineness=fineness)])
    return mesh.shadow(solid, fineness=fineness)


def section(solid: Solid, z: float, *, fineness: int = FINENESS) -> BaseGeometry:
    """The solid cut at height z."""
    return evaluated(solid, lambda leaf: _cut(leaf, z, fineness))


def layers(solid: Solid, *, fineness: int = FINENESS) -> tuple[Layer, ...]:
    """The solid as a stack, bottom first, neighbours of equal section merged.

    Needs a `stackable` solid. A flat solid is one layer of no height.
    """
    assert stackable(solid), "only prisms along z have layers"
    cuts = sorted({z for leaf in leaves(solid) if not leaf.flat for z in heights(leaf)})
    if not cuts:
        return (Layer(0.0, 0.0, section(solid, 0.0, fineness=fineness)),)
    stack: list[Layer] = []
    for low, high in pairwise(cuts):
        region = section(solid, (low + high) / 2, fineness=fineness)
        if region.is_empty:
            continue
        if stack and stack[-1].top == low and stack[-1].region.equals(region):
            stack[-1] = Layer(stack[-1].bottom, high, stack[-1].region)
        else:
            stack.append(Layer(low, high, region))
    return tuple(stack)


def stackable(solid: Solid) -> bool:
    """Whether every leaf is a prism along z (or flat), so that layers are exact."""
    return all(profile.prismatic(leaf) and leaf.frame.upright for leaf in leaves(solid))


def bounds(solid: Solid) -> tuple[float, float, float, float, float, float]:
    """A box around all leaves: lowest x, y, z, then highest; a flat leaf spans every height."""
    import numpy as np

    corners = np.array([_leaf_box(leaf) for leaf in leaves(solid)])
    low, high = corners[:, :3].min(axis=0), corners[:, 3:].max(axis=0)
    return (*low.tolist(), *high.tolist())


def size(solid: Solid) -> float:
    """The largest extent or coordinate, for tolerances."""
    finite = [abs(c) for c in bounds(solid) if math.isfinite(c)]
    return max(finite, default=0.0)


def middle(solid: Solid) -> Exact3:
    """The middle of the box around a solid, exactly; a flat one's lies in its plane."""
    x0, y0, z0, x1, y1, z1 = bounds(solid)
    z = (z0 + z1) / 2 if math.isfinite(z1 - z0) else 0.0
    return Fraction((x0 + x1) / 2), Fraction((y0 + y1) / 2), Fraction(z)


def _leaf_box(leaf: Leaf) -> tuple[float, ...]:
    """Around the eight corners of the primitive's own box, where it is placed."""
    import numpy as np

    x0, y0, x1, y1 = profile.reach(leaf)
    low, high = profile.extent(leaf)
    corners = leaf.frame.points([(x, y, z) for x in (x0, x1) for y in (y0, y1) for z in (low, high)])
    first, last = corners.min(axis=0), corners.max(axis=0)
    if leaf.flat:
        first[2], last[2] = -np.inf, np.inf
    return (*first.tolist(), *last.tolist())


def heights(leaf: Leaf) -> tuple[float, float]:
    """Lowest and highest z of a leaf where it is placed."""
    low, high = profile.extent(leaf)
    if leaf.frame.upright:
        origin, sign = float(leaf.frame.origin[2]), float(leaf.frame.rows[2][2])
        ends = sorted((origin + sign * low, origin + sign * high))
        return ends[0], ends[1]
    if leaf.flat:
        return 0.0, 0.0
    box = mesh.leaf_manifold(leaf).bounding_box()
    return float(box[2]), float(box[5])


def _cut(leaf: Leaf, z: float, fineness: int) -> BaseGeometry:
    if not _plain(leaf):
        return mesh.slice_at(leaf, z, fineness=fineness)
    own_z = (z - float(leaf.frame.origin[2])) * float(leaf.frame.rows[2][2])
    return _moved(leaf, profile.section(leaf, own_z, fineness=fineness))


def _shadow(leaf: Leaf, fineness: int) -> BaseGeometry:
    if leaf.frame.upright and (profile.prismatic(leaf) or leaf.flat):
        low, high = profile.extent(leaf)
        return _moved(leaf, profile.section(leaf, (low + high) / 2, fineness=fineness))
    return mesh.shadow(leaf, fineness=fineness)


def _plain(leaf: Leaf) -> bool:
    """Whether `profile` gives its section: upright, and edges broken across z alone."""
    profile.refuse_odd_breaks(leaf)
    return leaf.frame.upright and all(b.face[1] == "z" for b in leaf.breaks)


def _moved(leaf: Leaf, region: BaseGeometry) -> BaseGeometry:
    """A section in the leaf's own plane, where the leaf is placed; upright leaves only."""
    import shapely

    m = leaf.frame.matrix
    moved: Any = shapely.transform(region, lambda xy: xy @ m[:2, :2].T + m[:2, 3])
    return moved if not leaf.frame.mirrored else shapely.normalize(moved)


def evaluated(solid: Solid, of_leaf: Callable[[Leaf], BaseGeometry]) -> BaseGeometry:
    """The solid's region, put together from one for each leaf."""
    import shapely

    try:
        areal, wires = _parts(solid, of_leaf)
    except shapely.errors.GEOSException as problem:
        reason = "the shape cannot be put together: an outline crosses or touches itself"
        raise ModelError.at("shape", reason, "`detent check` names where") from problem
    if wires.is_empty:
        return areal
    return wires if areal.is_empty else shapely.GeometryCollection([areal, wires])


def _parts(solid: Solid, of_leaf: Callable[[Leaf], BaseGeometry]) -> tuple[BaseGeometry, BaseGeometry]:
    """Areas and wires (segments), apart; what an operation leaves of lower dimension is dropped."""
    import shapely

    if isinstance(solid, Leaf):
        region = of_leaf(solid)
        nothing = shapely.Polygon()
        return (nothing, region) if region.geom_type == "LineString" else (region, nothing)
    areas, wires = zip(*(_parts(child, of_leaf) for child in solid.children), strict=True)
    if solid.operation == "union":
        whole = areal(_joined(areas))
        return whole, shapely.unary_union(wires).difference(whole)
    if solid.operation == "difference":
        cut = areal(_joined(areas[1:]))
        rest = wires[0].difference(cut).difference(shapely.unary_union(wires[1:]))
        return areal(_checked(shapely.difference, areas[0], cut)), rest
    common, wire = areas[0], wires[0]
    for area, other in zip(areas[1:], wires[1:], strict=True):
        wire = shapely.unary_union([wire.intersection(area), other.intersection(common)])
        common = areal(_checked(shapely.intersection, common, area))
    return common, wire


def common_region(one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """What two regions share."""
    import shapely

    return _checked(shapely.intersection, one, other)


def _joined(regions: Sequence[BaseGeometry]) -> BaseGeometry:
    import shapely

    whole = shapely.disjoint_subset_union_all(regions)
    x, y = _inner_points(regions)
    if shapely.contains_xy(whole, x, y).all():
        return whole
    return _sound(whole, shapely.union_all(regions, grid_size=_grid(regions)), regions)


def _checked(operation: Callable[..., BaseGeometry], one: BaseGeometry, other: BaseGeometry) -> BaseGeometry:
    """An intersection or a difference, in which points inside all three regions are where they belong."""
    import shapely

    result = operation(one, other)
    x, y = _inner_points([one, other, result])
    inside = shapely.contains_xy(other, x, y)
    expected = shapely.contains_xy(one, x, y) & (inside if operation is shapely.intersection else ~inside)
    if (shapely.contains_xy(result, x, y) == expected).all():
        return result
    return _sound(result, operation(one, other, grid_size=_grid([one, other])), (one, other))


def _sound(result: BaseGeometry, on_grid: BaseGeometry, of: Sequence[BaseGeometry]) -> BaseGeometry:
    """A result in floating point, with vertices as drawn, unless the one on a grid has another area."""
    slack = 2 * _grid(of) * sum(region.length for region in of)
    return result if abs(result.area - on_grid.area) <= slack else on_grid


def _inner_points(regions: Sequence[BaseGeometry]) -> tuple[Any, Any]:
    """A point inside each polygon of the regions."""
    import shapely

    parts = shapely.get_parts(regions)
    points = shapely.point_on_surface(parts[shapely.area(parts) > 0])
    return shapely.get_x(points), shapely.get_y(points)


def _grid(regions: Sequence[BaseGeometry]) -> float:
    import numpy as np
    import shapely

    return _GRID * float(np.abs(np.nan_to_num(shapely.total_bounds(regions))).max())


def areal(region: BaseGeometry) -> BaseGeometry:
    """The polygons of a region; touching shapes have points and lines in common too."""
    import shapely

    if region.geom_type in ("Polygon", "MultiPolygon"):
        return region
    return shapely.MultiPolygon([p for p in shapely.get_parts(region) if p.geom_type == "Polygon"])
