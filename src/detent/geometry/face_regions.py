"""Faces of a solid with flat faces, as regions of planes, with their names.

The solid falls into convex pieces (`geometry.exact.solid_pieces`). In the plane of a face, what the pieces
have on its inner side without what they have on its outer side is face: seams between pieces and buried faces
are not there to begin with. Regions are found on a grid far below the size of the solid, so that rounding
leaves no slivers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.geometry.exact.polytope import CLOSE, Polytope
from detent.geometry.exact.solid_pieces import convex_pieces, primitive_faces
from detent.geometry.naming import feature_name
from detent.geometry.solid import Solid, leaves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

# Of the grid: points and planes that are one.
MEET = 20.0


@dataclass(frozen=True, eq=False)
class FacePlane:
    """One side of a plane."""

    normal: Floats
    offset: float
    axes: Floats  # (2, 3), right-handed with the normal
    polygons: list[Floats]  # of the faces of pieces in it, (k, 3)

    def flat(self, points: Floats) -> Floats:
        """Points of the plane, along its axes."""
        flat: Floats = (points - self.offset * self.normal) @ self.axes.T
        return flat


@dataclass(frozen=True, eq=False)
class FaceRegion:
    """A face: a region of its plane."""

    plane: FacePlane
    rings: list[Floats]  # (k, 3), the outer one counter-clockwise, holes clockwise
    name: str


def face_regions(solid: Solid) -> tuple[list[FaceRegion], float]:
    """The faces of a solid of blocks and prisms, and the grid they are found on; others are refused."""
    pieces = [_doubles(piece) for piece in convex_pieces(solid)]
    if not pieces:
        return [], 0.0
    grid = CLOSE * max(float(np.abs(piece.points).max()) for piece in pieces)
    return _regions(solid, pieces, grid), grid


@dataclass(frozen=True, eq=False)
class _Piece:
    points: Floats
    faces: tuple[tuple[int, ...], ...]
    normals: Floats
    offsets: Floats
    sides: NDArray[np.int64]  # (k, 2): ends of edges


def _doubles(piece: Polytope) -> _Piece:
    points = np.array([[float(x) for x in p] for p in piece.points])
    around = {
        (min(i, j), max(i, j))
        for face in piece.faces
        for i, j in zip(face, (*face[1:], face[0]), strict=True)
    }
    return _Piece(points, piece.faces, *piece.bounds, np.array(sorted(around)))


def _regions(solid: Solid, pieces: list[_Piece], grid: float) -> list[FaceRegion]:
    import shapely

    named = _named_faces(solid)
    regions = []
    for plane in _planes(pieces, grid):
        facing = shapely.union_all(
            [shapely.Polygon(plane.flat(polygon)) for polygon in plane.polygons], grid_size=grid
        )
        beyond = [cover for piece in pieces if (cover := _section_beyond(plane, piece, grid)) is not None]
        if beyond:
            covered = shapely.union_all(beyond, grid_size=grid)
            facing = shapely.difference(facing, covered, grid_size=grid)
        for part in shapely.get_parts(facing):
            if part.geom_type != "Polygon" or part.area <= grid * part.length:
                continue
            turned = shapely.geometry.polygon.orient(part)
            rings = [_straightened(np.asarray(ring.coords)[:-1], grid) for ring in _rings(turned)]
            solid_rings = [plane.offset * plane.normal + ring @ plane.axes for ring in rings]
            regions.append(FaceRegion(plane, solid_rings, _name_of(part, plane, named, grid)))
    return regions


def _rings(polygon: Any) -> list[Any]:
    return [polygon.exterior, *polygon.interiors]


def _planes(pieces: list[_Piece], close: float) -> list[FacePlane]:
    """Planes of faces, each side once, with the faces that lie in them."""
    planes: list[FacePlane] = []
    normals, offsets = np.zeros((0, 3)), np.zeros(0)
    for piece in pieces:
        for face, normal, offset in zip(piece.faces, piece.normals, piece.offsets, strict=True):
            polygon = piece.points[list(face)]
            same = (np.linalg.norm(normals - normal, axis=1) <= CLOSE) & (np.abs(offsets - offset) <= close)
            if same.any():
                planes[int(same.argmax())].polygons.append(polygon)
            else:
                planes.append(FacePlane(normal, float(offset), _axes(normal), [polygon]))
                normals, offsets = np.vstack([normals, normal]), np.append(offsets, offset)
    return planes


def _normal(polygon: Floats) -> Floats:
    """Of a flat polygon, from its whole area."""
    around = np.roll(polygon, -1, axis=0) - polygon[0]
    across: Floats = np.cross(polygon - polygon[0], around).sum(axis=0)
    return across / np.linalg.norm(across)


def _axes(normal: Floats) -> Floats:
    first = np.cross(normal, np.eye(3)[int(np.abs(normal).argmin())])
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(normal, first)])


def _section_beyond(plane: FacePlane, piece: _Piece, close: float) -> Any:
    """Where a piece lies just beyond a plane, as a polygon of that plane; None where nowhere."""
    import shapely

    heights = piece.points @ plane.normal - plane.offset
    if heights.max() <= close or heights.min() > close:
        return None
    below, above = piece.sides[:, 0], piece.sides[:, 1]
    crossing = ((heights[below] < -close) & (heights[above] > close)) | (
        (heights[below] > close) & (heights[above] < -close)
    )
    starts, ends = below[crossing], above[crossing]
    share = (heights[starts] / (heights[starts] - heights[ends]))[:, None]
    points = np.concatenate(
        [
            piece.points[np.abs(heights) <= close],
            piece.points[starts] + share * (piece.points[ends] - piece.points[starts]),
        ]
    )
    if len(points) < 3:
        return None
    section = shapely.MultiPoint(plane.flat(points)).convex_hull
    return section if section.geom_type == "Polygon" and section.area > close * section.length else None


def _straightened(ring: Floats, grid: float) -> Floats:
    """Without vertices on a straight side, as the grid bends it."""
    kept = ring
    while len(kept) > 3:
        before, after = np.roll(kept, 1, axis=0), np.roll(kept, -1, axis=0)
        way = after - before
        size = np.maximum(np.hypot(*way.T), grid)
        away = np.abs(way[:, 0] * (kept - before)[:, 1] - way[:, 1] * (kept - before)[:, 0]) / size
        flattest = int(away.argmin())
        if away[flattest] > 4 * grid:
            break
        kept = np.delete(kept, flattest, axis=0)
    return kept


def _named_faces(solid: Solid) -> list[tuple[str, Floats, float, Floats]]:
    """Name, outward normal of the solid there, offset and corners of every face of every primitive."""
    named = []
    for leaf in leaves(solid):
        for face in primitive_faces(leaf):
            points = np.array([[float(x) for x in p] for p in face.points])
            normal = _normal(points) * (-1.0 if leaf.hollow else 1.0)
            offset = float(normal @ points.mean(axis=0))
            named.append((feature_name(leaf.index, "f", face.number), normal, offset, points))
    return named


def _name_of(
    region: Any, plane: FacePlane, named: list[tuple[str, Floats, float, Floats]], grid: float
) -> str:
    """The first primitive's face that lies there."""
    import shapely

    near = MEET * grid
    for name, normal, offset, points in named:
        if np.linalg.norm(normal - plane.normal) > MEET * CLOSE or abs(offset - plane.offset) > near:
            continue
        face = shapely.make_valid(shapely.Polygon(plane.flat(points)))
        shared = shapely.intersection(region, face, grid_size=grid)
        if shared.area > near * region.length:
            return name
    problem = "it is so large beside its smallest faces that these are lost in rounding"
    raise UnsupportedError(problem, "leave out what is far from all other parts")
