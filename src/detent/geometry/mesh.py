"""Meshes of solids, for display, export and as an independent check of exact figures.

A primitive becomes rings of vertices joined bottom to top; curved faces have
their vertices on the true surface and `fineness` chords to the circle. The CSG
tree is then evaluated by manifold3d, which keeps every result watertight. A
flat leaf has no mesh.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry.profile import FINENESS, broken, extent, refuse_odd_breaks, section_radius
from detent.geometry.solid import (
    SECTION_AXES,
    Block,
    Break,
    Cone,
    Cylinder,
    Leaf,
    Prism,
    Solid,
    Sphere,
    Torus,
    leaves,
)

if TYPE_CHECKING:
    import numpy as np
    from shapely.geometry.base import BaseGeometry

    Array = np.ndarray[Any, Any]


def manifold(solid: Solid, *, fineness: int = FINENESS) -> Any:
    """The solid as a manifold3d object, in the frame its leaves are placed in."""
    import manifold3d

    if isinstance(solid, Leaf):
        return leaf_manifold(solid, fineness=fineness)
    operation = {
        "union": manifold3d.OpType.Add,
        "difference": manifold3d.OpType.Subtract,
        "intersection": manifold3d.OpType.Intersect,
    }[solid.operation]
    parts = [manifold(child, fineness=fineness) for child in solid.children]
    return manifold3d.Manifold.batch_boolean(parts, operation)


def faces(solid: Solid, fineness: int) -> int:
    """About how many triangles the primitives have at this fineness, before they are put together."""
    return sum(_leaf_faces(leaf, fineness) for leaf in leaves(solid))


def _leaf_faces(leaf: Leaf, fineness: int) -> int:
    if isinstance(leaf.primitive, Sphere | Torus):
        return fineness * fineness
    rings = 1 + len(leaf.breaks)
    if isinstance(leaf.primitive, Prism):
        return 4 * rings * len(leaf.primitive.points)
    return 12 * rings if isinstance(leaf.primitive, Block) else 4 * rings * fineness


def triangles(solid: Solid, *, fineness: int = FINENESS) -> tuple[Array, Array]:
    """Vertices (n x 3) and triangles (m x 3), outward by the right hand."""
    mesh = manifold(solid, fineness=fineness).to_mesh64()
    return mesh.vert_properties[:, :3], mesh.tri_verts.astype("int64")


def leaf_manifold(leaf: Leaf, *, fineness: int = FINENESS) -> Any:
    """One primitive, edges broken, where it is placed."""
    refuse_odd_breaks(leaf)
    if leaf.flat:
        kind = type(leaf.primitive).__name__.lower()
        remedy = "use prism, block or cylinder for a solid"
        raise UnsupportedError(f"{with_article(kind)} has no thickness, so it has no mesh", remedy, leaf.at)
    if isinstance(leaf.primitive, Block):
        primitive = _block(leaf, fineness)
    elif isinstance(leaf.primitive, Prism):
        primitive = _prism(leaf, fineness)
    elif isinstance(leaf.primitive, Torus):
        primitive = _torus(leaf.primitive, fineness)
    else:
        primitive = _turned(leaf, fineness)
    return primitive.transform(leaf.frame.matrix)


def slice_at(solid: Solid, z: float, *, fineness: int = FINENESS) -> BaseGeometry:
    """Section of the mesh at height z, as a region."""
    return _in_unit_size(solid, fineness, lambda whole, scale: whole.slice(z * scale))


def shadow(solid: Solid, *, fineness: int = FINENESS) -> BaseGeometry:
    """The mesh projected along z, as a region."""
    return _in_unit_size(solid, fineness, lambda whole, scale: whole.project())


def _in_unit_size(solid: Solid, fineness: int, cut: Any) -> BaseGeometry:
    """manifold3d's sections keep eight decimals; so the solid is brought to unit size for them."""
    import manifold3d
    import shapely

    whole = manifold(solid, fineness=fineness)
    if whole.is_empty():
        return shapely.Polygon()
    scale = 1.0 / max(max(map(abs, whole.bounding_box())), 1e-300)
    contours = cut(whole.scale((scale, scale, scale)), scale).to_polygons()
    contours = manifold3d.CrossSection(contours, manifold3d.FillRule.Positive).to_polygons()
    rings = [shapely.Polygon(contour / scale) for contour in contours if len(contour) >= 3]
    # Contours turn left around material and right around holes; nesting is resolved by parity.
    region: BaseGeometry = shapely.Polygon()
    for ring in sorted(rings, key=lambda r: -r.area):
        region = region.symmetric_difference(ring)
    return region


def _prism(leaf: Leaf, fineness: int) -> Any:
    assert isinstance(leaf.primitive, Prism)
    from detent.geometry.outline import cleaned

    points = [(float(x), float(y)) for x, y in cleaned(leaf.primitive.points)]
    rings = _rings(leaf.breaks, float(leaf.primitive.height), fineness)
    return _stacked([_ring(_inset(points, out, leaf), z, "z") for z, out in rings])


def _block(leaf: Leaf, fineness: int) -> Any:
    """Edges broken along one axis give one stack; along several, their common part."""
    assert isinstance(leaf.primitive, Block)
    sides = [float(side) for side in leaf.primitive.sides]
    block = None
    for axis in "zxy":
        breaks = [b for b in leaf.breaks if b.face[1] == axis]
        if block is not None and not breaks:
            continue
        u, v, w = SECTION_AXES[axis]
        points = [(0.0, 0.0), (sides[u], 0.0), (sides[u], sides[v]), (0.0, sides[v])]
        rings = _rings(tuple(breaks), sides[w], fineness)
        stack = _stacked([_ring(_inset(points, out, leaf), z, axis) for z, out in rings])
        flares = any(b.size < 0 for b in breaks)
        block = stack if block is None else block + stack if flares else block ^ stack
    return block


def _rings(breaks: tuple[Break, ...], height: float, fineness: int) -> list[tuple[float, float]]:
    """Heights and insets at which the section changes, bottom to top."""
    heights = {0.0, height}
    for edge in breaks:
        size = abs(float(edge.size))
        steps = 1 if edge.kind == "chamfer" else max(1, fineness // 4)
        for i in range(steps + 1):
            # Even steps in angle, so that a round keeps its shape where it is steep.
            depth = size * (1 - math.cos(i / steps * math.pi / 2))
            heights.add(depth if edge.face[0] == "-" else height - depth)
    return [(z, _inset_at(breaks, z, height)) for z in sorted(h for h in heights if 0 <= h <= height)]


def _inset_at(breaks: tuple[Break, ...], z: float, height: float) -> float:
    depth = {"+": height - z, "-": z}
    return sum(math.copysign(broken(b, depth[b.face[0]]), float(b.size)) for b in breaks)


def _inset(points: list[tuple[float, float]], inset: float, leaf: Leaf) -> Array:
    """Each side moved inwards by `inset`, corners kept sharp; points run counter-clockwise."""
    import numpy as np

    vertices = np.array(points)
    if inset == 0:
        return vertices
    side = np.roll(vertices, -1, axis=0) - vertices
    normal = np.column_stack([-side[:, 1], side[:, 0]]) / np.hypot(*side.T)[:, None]
    before = np.roll(normal, 1, axis=0)
    moved: Array = vertices + inset * (normal + before) / (1 + np.sum(normal * before, axis=1))[:, None]
    if np.any(np.sum((np.roll(moved, -1, axis=0) - moved) * side, axis=1) <= 0):
        raise UnsupportedError(
            f"its edges are broken by {abs(inset):.6g}, which leaves nothing of a side",
            "make the chamfer or the round smaller than half the shortest side",
            leaf.at,
        )
    return moved


def _ring(points: Array, z: float, axis: str) -> Array:
    import numpy as np

    ring = np.empty((len(points), 3))
    u, v, w = SECTION_AXES[axis]
    ring[:, u], ring[:, v], ring[:, w] = points[:, 0], points[:, 1], z
    return ring


def _turned(leaf: Leaf, fineness: int) -> Any:
    """Cylinder, cone or sphere as rings about z; a ring of no radius is a pole."""
    import numpy as np

    p = leaf.primitive
    assert isinstance(p, Cylinder | Cone | Sphere)
    high = extent(leaf)[1]
    if isinstance(p, Sphere):
        heights = [
            -float(p.radius) * math.cos(math.pi * i / (fineness // 2)) for i in range(fineness // 2 + 1)
        ]
    else:
        heights = [z for z, _ in _rings(leaf.breaks, high, fineness)]
    angles = np.arange(fineness) * (math.tau / fineness)
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    rings = []
    for z in heights:
        radius = section_radius(leaf, z)
        pole = radius <= 0 or (isinstance(p, Sphere) and z in (heights[0], heights[-1]))
        if radius < 0:
            raise UnsupportedError(
                "its edges are broken by more than its radius", "make the break smaller", leaf.at
            )
        rings.append(np.array([[0.0, 0.0, z]]) if pole else _ring(radius * circle, z, "z"))
    return _stacked(rings)


def _torus(p: Torus, fineness: int) -> Any:
    import numpy as np

    angles = np.arange(fineness) * (math.tau / fineness)
    around, tube = np.meshgrid(angles, angles, indexing="ij")
    reach = float(p.radius) + float(p.tube) * np.cos(tube)
    points = np.stack(
        [reach * np.cos(around), reach * np.sin(around), float(p.tube) * np.sin(tube)], axis=-1
    ).reshape(-1, 3)
    i, j = (a.ravel() for a in np.meshgrid(range(fineness), range(fineness), indexing="ij"))
    a, b = i * fineness + j, (i + 1) % fineness * fineness + j
    c, d = (i + 1) % fineness * fineness + (j + 1) % fineness, i * fineness + (j + 1) % fineness
    return _solid(points, np.concatenate([np.column_stack([a, b, c]), np.column_stack([a, c, d])]))


def _stacked(rings: list[Array]) -> Any:
    """Rings of equal count (or poles of one vertex), joined bottom to top and capped."""
    import manifold3d
    import numpy as np

    starts = np.cumsum([0, *(len(ring) for ring in rings)])
    faces = []
    for lower, upper, start, after in zip(rings, rings[1:], starts, starts[1:], strict=False):
        i = np.arange(max(len(lower), len(upper)))
        k = np.roll(i, -1)
        if len(lower) > 1:
            faces.append(np.column_stack([start + i, start + k, after + (k if len(upper) > 1 else 0 * k)]))
        if len(upper) > 1:
            faces.append(np.column_stack([start + (i if len(lower) > 1 else 0 * i), after + k, after + i]))
    for ring, start, down in ((rings[0], starts[0], True), (rings[-1], starts[-2], False)):
        if len(ring) > 1:
            flat = _flattened(ring)
            cap = np.asarray(manifold3d.triangulate([flat])) + start
            faces.append(cap[:, ::-1] if down else cap)
    return _solid(np.concatenate(rings), np.concatenate(faces))


def _flattened(ring: Array) -> Array:
    """A ring in its own plane, running counter-clockwise seen from above."""
    import numpy as np

    w = int(np.argmin(np.ptp(ring, axis=0)))
    u, v, _ = SECTION_AXES["xyz"[w]]
    return np.ascontiguousarray(ring[:, [u, v]])


def _solid(points: Array, faces: Array) -> Any:
    import manifold3d
    import numpy as np

    mesh = manifold3d.Mesh64(np.ascontiguousarray(points), np.ascontiguousarray(faces.astype(np.uint64)))
    solid = manifold3d.Manifold(mesh)
    assert solid.status() == manifold3d.Error.NoError, solid.status()
    return solid
