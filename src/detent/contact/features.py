"""One table of the features of all bodies that move across one plane.

Every feature is an edge or a disc. An edge is by its ends, material on its left, and the outward normals of
what goes on beyond each, where the corner there points outwards. A disc is a centre, a
radius, which way it bounds (`side` +1; -1 for the boundary of a hole) and the directions from the centre in
which there is something to touch: those of an arc, or, of no radius, the outward normals at a corner.
So a gap has two formulas, edge with disc and disc with disc (`geometry.gap`).

Features are in metres, in the section frame of their body: in the plane that is the frame of the part. In
space it has the part's origin and, as drawn, the world's axes, so that a part may lie on any of its sides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.geometry.feature import Arc, Edge, Vertex
from detent.geometry.frame import Frame
from detent.geometry.layered import Bounded, Heights, LayeredFeature, layered_features
from detent.geometry.naming import in_part
from detent.geometry.solid import Solid, placed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.system import System

EDGE, DISC = 0, 1

# Columns of a disc; those of an edge are ax, ay, bx, by, then two normals, zero where there is none.
CENTRE_X, CENTRE_Y, RADIUS, SIDE, FIRST_X, FIRST_Y, LAST_X, LAST_Y, WIDE = range(9)
COLUMNS = 9


@dataclass(frozen=True, eq=False)
class FeatureTable:
    """Features by row: edges and discs that can touch; corners that point inwards cannot."""

    kind: NDArray[np.int64]  # EDGE or DISC
    body: NDArray[np.int64]
    data: NDArray[np.float64]  # (m, COLUMNS) [m]
    names: tuple[str, ...]  # `part/leaf.feature`
    heights: tuple[Heights, ...]  # in the world as drawn [m]
    notch: NDArray[np.int64]  # (m, 2): the features met in a notch at its start and its end, or -1

    def __len__(self) -> int:
        return len(self.kind)

    @cached_property
    def of_body(self) -> dict[int, NDArray[np.int64]]:
        """The rows of each body."""
        return {int(body): np.flatnonzero(self.body == body) for body in np.unique(self.body)}


def farthest(features: FeatureTable, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """By body, how far its features reach from a point of it."""
    data, centres, edges = features.data, points[features.body], features.kind == EDGE
    far = np.hypot(*(data[:, :2] - centres).T)
    far = np.where(edges, np.maximum(far, np.hypot(*(data[:, 2:4] - centres).T)), far + data[:, RADIUS])
    reach = np.zeros(len(points))
    np.maximum.at(reach, features.body, far)
    return reach


def feature_table(system: System, bodies: Sequence[int], bounded: Bounded = "outline") -> FeatureTable:
    """The features of these bodies, in their order."""
    rows: list[tuple[int, int, list[float], str, Heights]] = []
    notches: list[tuple[int, int]] = []
    for body in bodies:
        part = system.bodies[body]
        assert part.solid is not None, "bodies without a shape touch nothing"
        height = 0.0 if system.dimension == 2 else float(system.drawn.poses[body, 2])
        layered = layered_features(_in_section_frame(system, body, part.solid), bounded)
        first = len(rows)
        touching = [each for each in layered if not _points_inwards(each)]
        reach = system.tolerance.length * _MEET
        corners = [each.feature for each in touching if isinstance(each.feature, Vertex)]
        for each in touching:
            kind, data = _row(each.feature)
            if isinstance(each.feature, Edge):
                data[4:8] = _normals_beyond(each.feature, corners, reach)
            heights = tuple((low + height, high + height) for low, high in each.heights)
            rows.append((kind, body, data, in_part(part.name, each.feature.name), heights))
        notches += [
            (_shifted(start, first), _shifted(end, first))
            for start, end in _notches(layered, touching, reach)
        ]
    return FeatureTable(
        np.array([row[0] for row in rows], dtype=np.int64),
        np.array([row[1] for row in rows], dtype=np.int64),
        np.array([row[2] for row in rows], dtype=float).reshape(-1, COLUMNS),
        tuple(row[3] for row in rows),
        tuple(row[4] for row in rows),
        np.array(notches, dtype=np.int64).reshape(-1, 2),
    )


# Pieces of a boundary meet within so many tolerances.
_MEET = 100.0


def section_rotations(system: System) -> NDArray[np.float64]:
    """(n, 3, 3): the rotation of each body's part frame in its section frame."""
    if system.dimension == 2:
        return np.broadcast_to(np.eye(3), (len(system.bodies), 3, 3))
    return system.drawn.matrices[:, :3, :3]


def _in_section_frame(system: System, body: int, solid: Solid) -> Solid:
    if system.dimension == 2:
        return solid
    frame = system.placed.frame(system.bodies[body].name)
    return placed(solid, Frame(frame.rows))


def _points_inwards(each: LayeredFeature) -> bool:
    return isinstance(each.feature, Vertex) and not each.feature.convex


def _row(feature: Edge | Arc | Vertex) -> tuple[int, list[float]]:
    if isinstance(feature, Edge):
        return EDGE, [*feature.a, *feature.b, *[0.0] * (COLUMNS - 4)]
    if isinstance(feature, Arc):
        start, end = feature.start, feature.start + feature.sweep
        first, last = (math.cos(start), math.sin(start)), (math.cos(end), math.sin(end))
        wide = 2.0 if feature.sweep >= math.tau else float(feature.sweep > math.pi)
        return DISC, [*feature.centre, feature.radius, -1.0 if feature.hollow else 1.0, *first, *last, wide]
    (ux, uy), (vx, vy) = feature.coming, feature.going
    return DISC, [*feature.at, 0.0, 1.0, uy, -ux, vy, -vx, 0.0]


def _normals_beyond(edge: Edge, corners: Sequence[Vertex], reach: float) -> list[float]:
    """The outward normals of what an edge meets at the corners at its start and its end; else zeros."""
    normals = [0.0] * 4
    for corner in corners:
        (ux, uy), (vx, vy) = corner.coming, corner.going
        if math.dist(corner.at, edge.a) <= reach:
            normals[:2] = uy, -ux
        if math.dist(corner.at, edge.b) <= reach:
            normals[2:] = vy, -vx
    return normals


def _notches(
    layered: Sequence[LayeredFeature], touching: Sequence[LayeredFeature], reach: float
) -> list[tuple[int, int]]:
    """Of each feature, its neighbours at its start and its end, where the corner points inwards."""
    inwards = [each.feature for each in layered if _points_inwards(each)]
    notches = [[-1, -1] for _ in touching]
    ends = [_ends(each.feature) for each in touching]
    for vertex in inwards:
        assert isinstance(vertex, Vertex)
        starting = [k for k, (start, _) in enumerate(ends) if start and math.dist(start, vertex.at) <= reach]
        ending = [k for k, (_, end) in enumerate(ends) if end and math.dist(end, vertex.at) <= reach]
        for k in starting:
            notches[k][0] = next((j for j in ending if j != k), -1)
        for k in ending:
            notches[k][1] = next((j for j in starting if j != k), -1)
    return [(start, end) for start, end in notches]


def _ends(feature: Edge | Arc | Vertex) -> tuple[Any, Any]:
    """Where a feature starts and ends, material on its left; a corner and a whole circle do neither."""
    if isinstance(feature, Edge):
        return feature.a, feature.b
    if isinstance(feature, Arc) and feature.sweep < math.tau:
        ends = feature.point(feature.start), feature.point(feature.start + feature.sweep)
        return ends[::-1] if feature.hollow else ends
    return None, None


def _shifted(row: int, by: int) -> int:
    return row + by if row >= 0 else -1
