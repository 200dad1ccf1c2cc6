"""Faces, edges and corners of a solid with flat faces, each once, with its name.

Faces are regions of planes (`geometry.face_regions`); corners stand where their planes meet. Edges are where
two regions share a border, and a border without a neighbour is refused: the faces of a solid close. Where
solids of one part meet in a line or in a point only, each keeps its own edge and corner there.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.geometry.exact.polytope import CLOSE
from detent.geometry.face_regions import MEET, FaceRegion, face_regions
from detent.geometry.naming import meeting_name
from detent.geometry.solid import Solid, leaves

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FlatFace:
    """A region of a plane, bounded by edges."""

    name: str
    normal: Floats  # outwards
    edges: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class StraightEdge:
    """Where two faces meet."""

    name: str
    ends: Floats  # (2, 3)
    faces: tuple[int, int]  # the first has the edge on its border counter-clockwise from start to end
    into: Floats  # (2, 3) unit directions across the edge, into each face
    convex: bool
    corners: tuple[int, int]
    # (2, 2): whether each face (columns) fills more than a straight angle at each end.
    reflex: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class SolidCorner:
    """Where edges meet."""

    name: str
    at: Floats
    directions: Floats  # (k, 3) units along its outermost edges; none where no plane touches the corner alone


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """The boundary of a solid."""

    faces: tuple[FlatFace, ...]
    edges: tuple[StraightEdge, ...]
    corners: tuple[SolidCorner, ...]


def polyhedron(solid: Solid) -> Polyhedron:
    """The boundary of a solid of blocks and prisms; any other is refused by name."""
    regions, grid = face_regions(solid)
    points, rings = _joined_rings(regions, MEET * grid)
    return _Borders(regions, points, rings, next(leaves(solid)).at).polyhedron()


def _joined_rings(regions: list[FaceRegion], meet: float) -> tuple[Floats, list[tuple[int, list[int]]]]:
    """Distinct corners, where their planes meet; rings of their numbers, each with its region's number."""
    points = np.zeros((0, 3))
    for region in regions:
        for vertex in np.concatenate(region.rings):
            if not len(points) or np.linalg.norm(points - vertex, axis=1).min() > meet:
                points = np.vstack([points, vertex])
    rings = [
        (number, _through(points, ring, meet))
        for number, region in enumerate(regions)
        for ring in region.rings
    ]
    touching: list[set[int]] = [set() for _ in points]
    for number, ring in rings:
        for k in ring:
            touching[k].add(number)
    exact = points.copy()
    for k, numbers in enumerate(touching):
        planes = [regions[number].plane for number in numbers]
        normals = np.array([plane.normal for plane in planes])
        off = np.array([plane.offset for plane in planes]) - normals @ points[k]
        exact[k] += np.linalg.lstsq(normals, off, rcond=CLOSE)[0]
    return exact, rings


def _through(points: Floats, ring: Floats, meet: float) -> list[int]:
    """The corners along a ring: its own, and those of other regions on its sides."""
    numbers: list[int] = []
    for start, end in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        way = end - start
        size = float(np.linalg.norm(way))
        share = (points - start) @ way / size
        away = np.linalg.norm(points - start - np.outer(share / size, way), axis=1)
        on_side = np.flatnonzero((away <= meet) & (share > -meet) & (share < size - meet))
        numbers += on_side[share[on_side].argsort()].tolist()
    return numbers


class _Borders:
    """Half-edges of regions: each runs along the border of its region, counter-clockwise about its normal."""

    def __init__(
        self, regions: list[FaceRegion], points: Floats, rings: list[tuple[int, list[int]]], at: str
    ) -> None:
        self.regions, self.points, self.at = regions, points, at
        self.start: list[int] = []
        self.region: list[int] = []
        self.next: list[int] = []
        for number, ring in rings:
            first = len(self.start)
            self.start += ring
            self.region += [number] * len(ring)
            self.next += [*range(first + 1, first + len(ring)), first]
        self.before = np.argsort(self.next).tolist()
        self.end = [self.start[k] for k in self.next]
        self.twin = self._twins()
        self.fans = self._fans()
        true_corners = [fan for fan in self.fans if len(fan) > 2]
        self.corner = {half: number for number, fan in enumerate(true_corners) for half in fan}

    def polyhedron(self) -> Polyhedron:
        edges = self._edges()
        borders: list[list[int]] = [[] for _ in self.regions]
        for number, edge in enumerate(edges):
            for face in edge.faces:
                borders[face].append(number)
        faces = tuple(
            FlatFace(region.name, region.plane.normal, tuple(border))
            for region, border in zip(self.regions, borders, strict=True)
        )
        return Polyhedron(faces, tuple(edges), tuple(self._corners()))

    def _direction(self, half: int) -> Floats:
        way: Floats = self.points[self.end[half]] - self.points[self.start[half]]
        return way / np.linalg.norm(way)

    def _into(self, half: int) -> Floats:
        return np.cross(self.regions[self.region[half]].plane.normal, self._direction(half))

    def _angle(self, half: int, other: int) -> float:
        """Through the material, from the region of a half-edge to that of one that runs back."""
        into, back = self._into(half), self._into(other)
        outer = self.regions[self.region[half]].plane.normal
        return math.atan2(-float(back @ outer), float(back @ into)) % math.tau

    def _twins(self) -> list[int]:
        """Of each half-edge the one that runs back along it, around the same material."""
        directed: dict[tuple[int, int], list[int]] = {}
        for half, ends in enumerate(zip(self.start, self.end, strict=True)):
            directed.setdefault(ends, []).append(half)
        twins = []
        for half, (start, end) in enumerate(zip(self.start, self.end, strict=True)):
            others = directed.get((end, start), [])
            if len(others) != len(directed[start, end]):
                raise self._does_not_close(start)
            twins.append(min(others, key=lambda other: self._angle(half, other)))
        if any(twins[twin] != half for half, twin in enumerate(twins)):
            raise self._does_not_close(self.start[0])
        return twins

    def _does_not_close(self, corner: int) -> UnsupportedError:
        where = ", ".join(f"{x:.6g}" for x in self.points[corner])
        return UnsupportedError(
            f"its faces do not close near ({where}) m in its part, as rounding sees them",
            "draw its pieces flush or clearly apart, or give its contacts as [[contacts]]",
            self.at,
        )

    def _fans(self) -> list[list[int]]:
        """Half-edges that leave a corner, in the order around it; each corner of each solid once."""
        fans, seen = [], [False] * len(self.start)
        for half in range(len(self.start)):
            fan = []
            while not seen[half]:
                seen[half] = True
                fan.append(half)
                half = self.next[self.twin[half]]
            if fan:
                fans.append(fan)
        return fans

    def _edges(self) -> list[StraightEdge]:
        """From true corner to true corner: where two regions alone meet, an edge runs on."""
        edges, done = [], set()
        for first in self.corner:
            if first in done:
                continue
            last = first
            while self.next[last] not in self.corner:
                last = self.next[last]
            done.add(self.twin[last])
            edges.append(self._edge(first, last))
        return edges

    def _edge(self, first: int, last: int) -> StraightEdge:
        back = self.twin[last]
        faces = self.region[first], self.region[back]
        leaving = [[first, self.next[self.twin[first]]], [self.next[last], back]]
        return StraightEdge(
            meeting_name(self.regions[face].name for face in faces),
            self.points[[self.start[first], self.end[last]]],
            faces,
            np.array([self._into(first), self._into(back)]),
            self._angle(first, back) < math.pi,
            (self.corner[first], self.corner[back]),
            np.array([[self._sector(half) > math.pi + CLOSE for half in at_end] for at_end in leaving]),
        )

    def _corners(self) -> list[SolidCorner]:
        corners = []
        for fan in self.fans:
            if len(fan) == 2:
                continue
            name = meeting_name(self.regions[self.region[half]].name for half in fan)
            corners.append(SolidCorner(name, self.points[self.start[fan[0]]], self._outermost(fan)))
        return corners

    def _outermost(self, fan: list[int]) -> Floats:
        """Directions of the edges of the convex hull of a corner; none where it is not pointed.

        Planes through two edges that have the others on one side bound the hull of the edges. The material is
        inside of that hull where its outermost edges are convex, and reaches outside of it in a dent and at
        the mouth of a hole.
        """
        ways = np.array([self._direction(half) for half in fan])
        sides, outermost = [], set()
        for i in range(len(ways)):
            for j in range(i):
                across = np.cross(ways[i], ways[j])
                size = np.linalg.norm(across)
                if size <= CLOSE:
                    continue
                for side in (across / size, -across / size):
                    if (ways @ side >= -CLOSE).all():
                        sides.append(side)
                        outermost |= {i, j}
        inside = np.sum(sides, axis=0) if sides else np.zeros(3)
        convex = all(self._angle(fan[k], self.twin[fan[k]]) < math.pi for k in outermost)
        if not (sides and (ways @ inside > CLOSE).all() and convex):
            return np.zeros((0, 3))
        kept: Floats = ways[sorted(outermost)]
        return kept

    def _sector(self, half: int) -> float:
        """The angle of a region at the corner that a half-edge leaves."""
        out, back = self._direction(half), -self._direction(self.before[half])
        normal = self.regions[self.region[half]].plane.normal
        return math.atan2(float(np.cross(out, back) @ normal), float(out @ back)) % math.tau
