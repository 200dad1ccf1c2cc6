"""Tables of the faces, edges and corners of bodies in space, in metres, each in the frame of its body.

Only what can touch is listed: convex edges, and corners that some plane touches alone. A face has its plane,
its border as segments along two axes in it, and over each segment the face that is met in a notch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.geometry.naming import in_part
from detent.geometry.polyhedron import Polyhedron, StraightEdge, polyhedron

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.system import System

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

# Columns of a face: a point in its middle, two axes, the outward normal, the radius of a ball around it.
FACE_COLUMNS = 13
# Columns of a side of a face: its ends along the axes, and at which of them another side in a notch begins.
SIDE_COLUMNS = 6
# Columns of an edge: its start, its end, a unit direction into each of its faces; and for each end whether
# the edge touches there too, for no plane touches the corner alone, and which of its faces are reflex there.
EDGE_COLUMNS = 18


@dataclass(frozen=True, eq=False)
class SpaceFeatures:
    """Corners, faces and edges by row; `*_body` says whose they are."""

    corners: Floats  # (c, 3)
    corner_body: Integers
    corner_names: tuple[str, ...]
    cone_starts: Integers  # (c + 1,): the rows of `cones` of each corner
    cones: Floats  # (k, 3): unit directions of the outermost edges of corners
    faces: Floats  # (f, FACE_COLUMNS)
    face_body: Integers
    face_names: tuple[str, ...]
    side_starts: Integers  # (f + 1,): the rows of `sides` of each face
    sides: Floats  # (s, SIDE_COLUMNS): segments of the borders of faces
    notches: Integers  # (s,): the face that is met in a notch there, or -1
    ridges: Integers  # (s,): the face on the other side of a convex edge there, or -1
    edges: Floats  # (e, EDGE_COLUMNS)
    edge_body: Integers
    edge_names: tuple[str, ...]
    balls: Floats  # (n, 4): centre and radius of a ball around each body; -1 of one that touches nothing

    @cached_property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What the loop over candidates reads."""
        corners = self.corners, self.cone_starts, self.cones
        return (
            *corners,
            self.faces,
            self.side_starts,
            self.sides,
            self.notches,
            self.ridges,
            self.edges,
            self.balls,
        )


def space_features(system: System, bodies: Sequence[int]) -> SpaceFeatures:
    """The features of these bodies; a body with curved faces is refused by name."""
    balls = np.zeros((len(system.bodies), 4))
    balls[:, 3] = -1.0
    tables: dict[str, list[Any]] = {"corners": [], "faces": [], "edges": []}
    for body in bodies:
        solid = system.bodies[body].solid
        assert solid is not None, "bodies without a shape touch nothing"
        boundary = polyhedron(solid)
        first_face = len(tables["faces"])
        for corner in boundary.corners:
            if len(corner.directions):
                tables["corners"].append((body, corner.name, corner.at, corner.directions))
        for number, face in enumerate(boundary.faces):
            row, sides, over, convex = _face(boundary, number)
            over += first_face
            neighbours = np.where(convex, -1, over), np.where(convex, over, -1)
            tables["faces"].append((body, face.name, row, sides, *neighbours))
        for edge in boundary.edges:
            if edge.convex:
                tables["edges"].append((body, edge.name, _edge(boundary, edge)))
        if boundary.corners:
            points = np.array([corner.at for corner in boundary.corners])
            centre = (points.min(axis=0) + points.max(axis=0)) / 2
            balls[body] = *centre, np.linalg.norm(points - centre, axis=1).max()
    corners, faces, edges = tables["corners"], tables["faces"], tables["edges"]
    names = [tuple(in_part(system.bodies[row[0]].name, row[1]) for row in rows) for rows in tables.values()]
    owners = [np.array([row[0] for row in rows], np.int64) for rows in tables.values()]
    return SpaceFeatures(
        corners=_stacked([row[2][None] for row in corners], 3),
        corner_body=owners[0],
        corner_names=names[0],
        cone_starts=_starts([row[3] for row in corners]),
        cones=_stacked([row[3] for row in corners], 3),
        faces=_stacked([row[2][None] for row in faces], FACE_COLUMNS),
        face_body=owners[1],
        face_names=names[1],
        side_starts=_starts([row[3] for row in faces]),
        sides=_stacked([row[3] for row in faces], SIDE_COLUMNS),
        notches=np.concatenate([np.zeros(0, np.int64), *(row[4] for row in faces)]),
        ridges=np.concatenate([np.zeros(0, np.int64), *(row[5] for row in faces)]),
        edges=_stacked([row[2][None] for row in edges], EDGE_COLUMNS),
        edge_body=owners[2],
        edge_names=names[2],
        balls=balls,
    )


def _face(boundary: Polyhedron, number: int) -> tuple[Floats, Floats, Integers, NDArray[np.bool_]]:
    """The row of a face, the sides of its border, the faces over them, and which edges are convex."""
    face = boundary.faces[number]
    edges = [boundary.edges[k] for k in face.edges]
    ends = np.array([edge.ends for edge in edges])
    middle = (ends.reshape(-1, 3).min(axis=0) + ends.reshape(-1, 3).max(axis=0)) / 2
    middle -= face.normal * (face.normal @ (middle - ends[0, 0]))
    first = (ends[0, 1] - ends[0, 0]) / np.linalg.norm(ends[0, 1] - ends[0, 0])
    axes = np.array([first, np.cross(face.normal, first)])
    radius = np.linalg.norm(ends.reshape(-1, 3) - middle, axis=1).max()
    sides = ((ends - middle) @ axes.T).reshape(-1, 4)
    over = [edge.faces[1] if edge.faces[0] == number else edge.faces[0] for edge in edges]
    goes_on = [
        [_in_notch(point, [e for e in edges if not e.convex and e is not edge]) for point in edge.ends]
        for edge in edges
    ]
    return (
        np.concatenate([middle, *axes, face.normal, [radius]]),
        np.hstack([sides, np.array(goes_on, float)]),
        np.array(over, np.int64),
        np.array([edge.convex for edge in edges]),
    )


def _edge(boundary: Polyhedron, edge: StraightEdge) -> Floats:
    closed = [not len(boundary.corners[corner].directions) for corner in edge.corners]
    ends = [[float(each), *reflex.astype(float)] for each, reflex in zip(closed, edge.reflex, strict=True)]
    return np.concatenate([*edge.ends, *edge.into, *ends])


def _in_notch(point: Floats, others: list[StraightEdge]) -> bool:
    """Whether another edge that points inwards ends at a corner."""
    return any((end == point).all() for other in others for end in other.ends)


def _stacked(rows: list[Floats], columns: int) -> Floats:
    return np.ascontiguousarray(np.concatenate([np.zeros((0, columns)), *rows]))


def _starts(rows: list[Floats]) -> Integers:
    return np.cumsum([0, *(len(row) for row in rows)]).astype(np.int64)
