"""Where everything of a mechanism is in the world, in doubles, for drawing.

A pose is a 4 x 4 matrix. As drawn, poses come from the document; a trajectory
gives others, rows (x, y, angle) in the plane or (x, y, z, w, i, j, k) in space. A
joint given `at` a point of the world belongs to both its parts from there on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.geometry.pose import matrix_of
from detent.geometry.solid import Solid
from detent.library.looks import brought, solid_of
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import JointEnd, Placed, PlacedJoint, place
from detent.model.machine.solids import part_solid

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix = NDArray[np.float64]

Poses = Mapping[str, Any]  # by part: a row of numbers


@dataclass(frozen=True, eq=False)
class StagedEnd:
    """One side of a joint: its part, and its marker's frame in the world."""

    part: str
    frame: Matrix  # 4 x 4

    @property
    def at(self) -> Matrix:
        at: Matrix = self.frame[:3, 3]
        return at


@dataclass(frozen=True, eq=False)
class StagedJoint:
    """A joint at its position in the world; None where the document leaves it to be found."""

    name: str
    joint: Joint
    first: StagedEnd
    second: StagedEnd
    axis: Matrix  # of a rotation or a slide, in the world


@dataclass(frozen=True, eq=False)
class Stage:
    """A mechanism set up for drawing."""

    placed: Placed
    now: dict[str, Matrix]
    drawn: dict[str, Matrix]
    solids: dict[str, Solid]
    pairs: tuple[StagedJoint, ...]
    markers: dict[str, dict[str, Matrix]]  # by part and marker: a point of the world
    ends: dict[str, Matrix]  # by part.marker, of those that joints and drives name: its frame in the part
    shapes: dict[str, Any]  # by part: its shape in the part's frame, kept once computed
    travel: dict[
        str, tuple[Matrix, Matrix]
    ]  # by slide on the frame: the ends of its block's travel in a film
    chords: int | None = None  # to a circle in space, where a picture is one of many

    @property
    def mechanism(self) -> Mechanism:
        return self.placed.mechanism

    @cached_property
    def places(self) -> dict[str, list[Matrix]]:
        """By part: where its joints and markers are."""
        points: dict[str, list[Matrix]] = {name: [] for name in self.mechanism.parts}
        for pair in self.pairs:
            for end in (pair.first, pair.second):
                points[end.part].append(end.at)
        for name, markers in self.markers.items():
            points[name].extend(markers.values())
        return points

    def moved(self, part: str, point: Any) -> Matrix:
        """Where a point that was drawn on this part is now."""
        p = np.zeros(3)
        p[: len(point)] = [float(c) for c in point]
        shift = self.now[part] @ np.linalg.inv(self.drawn[part])
        position: Matrix = shift[:3, :3] @ p + shift[:3, 3]
        return position


def stage_of(mechanism: Mechanism, poses: Poses | None = None) -> Stage:
    """The mechanism as drawn, or with the poses given."""
    placed = place(mechanism, brought=brought(mechanism))
    drawn = {name: _square(frame.matrix) for name, frame in placed.frames.items()}
    solids = {name: part_solid(mechanism, name) or solid_of(mechanism, name) for name in mechanism.parts}
    known = {name: solid for name, solid in solids.items() if solid is not None}
    sides = [side for joint in mechanism.joints.values() for side in joint.between if "." in side]
    sides += [drive.marker for drive in mechanism.drives.values() if drive.marker is not None]
    ends = {side: _square(placed.marker(side).matrix) for side in sides}
    return posed(Stage(placed, {}, drawn, known, (), {}, ends, {}, {}), poses)


def posed(stage: Stage, poses: Poses | None) -> Stage:
    """The same stage with other poses; shapes are not computed again."""
    drawn = stage.drawn
    now = {n: matrix_of(poses[n]) if poses is not None and n in poses else drawn[n] for n in drawn}
    markers = {
        name: {
            point: now[name][:3, :3] @ _place(marker) + now[name][:3, 3]
            for point, marker in part.markers.items()
        }
        for name, part in stage.mechanism.parts.items()
    }
    stage = replace(stage, now=now, markers=markers)
    pairs = (_pair(stage, joint) for joint in stage.placed.joints.values())
    return replace(stage, pairs=tuple(pair for pair in pairs if pair is not None))


def _pair(stage: Stage, joint: PlacedJoint) -> StagedJoint | None:
    first, second = (None if end is None else _end(stage, end) for end in joint.ends)
    if first is None and second is None:
        return None
    # A fixed joint may name one marker only; the other part meets it there.
    names = parts_of(joint.joint)
    first = first or StagedEnd(names[0], second.frame)  # type: ignore[union-attr]
    second = second or StagedEnd(names[1], first.frame)
    return StagedJoint(joint.name, joint.joint, first, second, _axis(stage, joint, first))


def _end(stage: Stage, end: JointEnd) -> StagedEnd:
    """The frame of an end now; one that the joint itself places keeps the world's axes as drawn."""
    part = end.part
    if end.marker:
        return StagedEnd(part, stage.now[part] @ stage.ends[end.marker])
    frame = stage.now[part] @ np.linalg.inv(stage.drawn[part])
    frame[:3, 3] = stage.moved(part, end.frame_in_world.origin)
    return StagedEnd(part, frame)


def _axis(stage: Stage, joint: PlacedJoint, first: StagedEnd) -> Matrix:
    """The joint's axis as drawn, gone along with its first part."""
    if joint.joint.along is not None:
        shift = stage.now[first.part] @ np.linalg.inv(stage.drawn[first.part])
        turned: Matrix = shift[:3, :3] @ np.array([float(c) for c in joint.axis_in_world])
        return turned / np.linalg.norm(turned)
    column = 0 if joint.type.slides and stage.mechanism.dimension == 2 else 2
    axis: Matrix = first.frame[:3, column]
    return axis


def _place(marker: Any) -> Matrix:
    at = marker.at if isinstance(marker, Marker) else marker
    point = np.zeros(3)
    point[: len(at)] = [float(c) for c in at]
    return point


def _square(matrix: Matrix) -> Matrix:
    square = np.eye(4)
    square[:3] = matrix
    return square
