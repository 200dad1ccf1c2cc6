"""Where everything is placed as drawn, once: parts, the two ends of each joint, its axis, a gear's carrier.

Whoever needs a place asks here: the linkage engine, contacts, fasteners, pictures, explanations, the editor.
Frames are exact, in the document's units. Angles in the plane are doubles from the document's own numbers,
never wrapped, so that whole revolutions are kept: an exact frame shows none.

- An end that names a marker is placed there, directed as the marker is: by default the part's x (in space z).
- An end that names a part is placed `at` a point of the world, directed `along`: by default as the world is.
- An end that says neither has no place of its own: None. A gear and an angle need none.
- The joint's axis is the direction of its first end: in the plane x for what slides, else z.
- A gear counts its angles against the moving part that carries both wheels' axes; against the world where a
  fixed part carries them, or none. Pins that share a point of a part are one pin, so a sun and its arm meet.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from detent.foundation.errors import UnsupportedError
from detent.geometry import frame as frames
from detent.geometry.frame import AXES, Exact3, Frame
from detent.model.document.axes import axis_vector
from detent.model.document.base import Axis, Vector, angle_of
from detent.model.document.joint import Joint
from detent.model.document.joint_types import JOINT_TYPES, JointType
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Pose
from detent.model.machine.graph import part_of, parts_of
from detent.model.machine.poses import Brought, marker_frame, world_pose


@dataclass(frozen=True)
class Placed:
    """The parts and joints of a document, placed as drawn; each computed when first asked for."""

    mechanism: Mechanism
    brought: Brought | None = None  # markers of library parts, in their part
    _frames: dict[str, Frame] = field(default_factory=dict, repr=False, compare=False)
    _markers: dict[str, Frame] = field(default_factory=dict, repr=False, compare=False)

    def frame(self, part: str) -> Frame:
        """A part's frame in the world; UnsupportedError where only a library part knows it."""
        return world_pose(self.mechanism, part, brought=self.brought, known=self._frames)

    @cached_property
    def frames(self) -> dict[str, Frame]:
        """Each part's frame in the world; UnsupportedError where only a library part knows one."""
        return {part: self.frame(part) for part in self.mechanism.parts}

    @cached_property
    def known(self) -> dict[str, Frame]:
        """The frames that the document alone says; a library part may know the rest."""
        known: dict[str, Frame] = {}
        for part in self.mechanism.parts:
            try:
                known[part] = self.frame(part)
            except UnsupportedError:
                continue
        return known

    def marker(self, name: str) -> Frame:
        """The frame of `part.marker` in its part."""
        frame = self._markers.get(name)
        if frame is None:
            frame = self._markers[name] = marker_frame(self.mechanism, name, brought=self.brought)
        return frame

    def marker_in_world(self, name: str) -> Frame:
        """The frame of `part.marker` in the world."""
        return self.frame(part_of(name)) @ self.marker(name)

    @cached_property
    def angles(self) -> dict[str, float]:
        """Of each part of the plane, its angle [rad] as written, whole revolutions included."""
        angles: dict[str, float] = {}
        for part in self.mechanism.parts:
            self._angle(part, angles)
        return angles

    def _angle(self, part: str, known: dict[str, float]) -> float:
        if part not in known:
            pose = self.mechanism.parts[part].pose
            angle = _angle_of_pose(pose)
            if pose is not None and pose.on is not None:
                angle = self._angle(part_of(pose.on), known) + self.marker_angle(pose.on) + angle
            known[part] = angle
        return known[part]

    def marker_angle(self, name: str) -> float:
        """In the plane: the direction [rad] of `part.marker` in its part."""
        part, _, key = name.partition(".")
        marker = self.mechanism.parts[part].markers.get(key)
        if not isinstance(marker, Marker):
            return 0.0
        if marker.along is not None:
            return _phase(marker.along)
        return angle_of(marker.turn, marker.turn_deg) or 0.0

    @cached_property
    def joints(self) -> dict[str, PlacedJoint]:
        """Every joint, in document order."""
        return {name: PlacedJoint(self, name, joint) for name, joint in self.mechanism.joints.items()}

    def knows(self, joint: PlacedJoint) -> bool:
        """Whether the document (and what library parts brought) places the joint's first end."""
        end = next(joint.said, None)
        if end is None or end.part not in self.known:
            return False
        part, _, key = end.marker.partition(".")
        return not key or key in self.mechanism.parts[part].markers or end.marker in (self.brought or ())

    def carrier(self, gear: Joint) -> str | None:
        """The moving part that carries the axes of both wheels; None: the world does."""
        parts, wheels, body = self.mechanism.parts, parts_of(gear), self._bodies
        pins = [{body[part] for part in pin} for pin in self._pins]
        first, second = ({b for pin in pins if body[wheel] in pin for b in pin} for wheel in wheels)
        both = (first & second) - {body[wheel] for wheel in wheels}
        if any(parts[name].fixed for name in both):
            return None
        return next((name for name in parts if name in both), None)

    @cached_property
    def _bodies(self) -> dict[str, str]:
        """By part: the first of all that are one rigid body with it; fixed parts are one."""
        body = {name: name for name in self.mechanism.parts}
        fixed = [name for name, part in self.mechanism.parts.items() if part.fixed]
        welds = [parts_of(j.joint) for j in self.joints.values() if j.joint.type == "fixed"]
        for one, other in [*((fixed[0], name) for name in fixed[1:]), *welds]:
            first, second = body[one], body[other]
            if self.mechanism.parts[second].fixed:
                first, second = second, first  # a body with a fixed part is named after that
            body = {name: first if of == second else of for name, of in body.items()}
        return body

    @cached_property
    def _pins(self) -> list[set[str]]:
        """The parts on each pin."""
        pins: list[tuple[set[tuple[str, Exact3]], set[str]]] = []
        for joint in self.joints.values():
            if joint.joint.type != "revolute":
                continue
            ends = [end for end in joint.ends if end is not None]
            points = {(end.part, end.frame.origin) for end in ends}
            # Parts of one body have a pin in common where their points are drawn in one place.
            points |= {(f"body {self._bodies[end.part]}", end.frame_in_world.origin) for end in ends}
            parts = set(parts_of(joint.joint))
            for other in [other for other in pins if other[0] & points]:
                points, parts = points | other[0], parts | other[1]
                pins.remove(other)
            pins.append((points, parts))
        return [parts for _, parts in pins]


@dataclass(frozen=True)
class JointEnd:
    """One end of a joint: a frame in its part."""

    placed: Placed
    part: str
    marker: str  # as part.marker; empty: the point and direction of the joint itself
    joint: Joint

    @property
    def frame(self) -> Frame:
        """In its part, exact: x along the direction in the plane, z along it in space."""
        if self.marker:
            return self.placed.marker(self.marker)
        return self.placed.frame(self.part).inverse() @ self._frame_in_world

    @cached_property
    def frame_in_world(self) -> Frame:
        """In the world, as drawn."""
        if self.marker:
            return self.placed.frame(self.part) @ self.frame
        return self._frame_in_world

    @property
    def direction_in_world(self) -> Exact3:
        """Of an end in the plane that the joint itself places: its x as written, of any length."""
        return axis_vector(_in_plane(self.joint))

    @property
    def _frame_in_world(self) -> Frame:
        joint = self.joint
        assert joint.at is not None
        point = frames.shift(joint.at)
        if self.placed.mechanism.dimension == 2:
            return point @ frames.along(self.direction_in_world)
        if joint.type == "elastic":  # its frame is the hook's: what bends comes along x
            return point if joint.along is None else point @ frames.along(axis_vector(joint.along))
        if joint.along is None or joint.along == "z":
            return point
        axis = axis_vector(joint.along)
        return point @ frames.axes(axis, AXES["y"] if axis[1] == 0 == axis[2] else AXES["x"])

    @property
    def angle(self) -> float:
        """In the plane: its direction [rad] in its part, in doubles."""
        if self.marker:
            return self.placed.marker_angle(self.marker)
        along = _in_plane(self.joint)
        direction = math.pi / 2 if along == "y" else 0.0 if isinstance(along, str) else _phase(along)
        return direction - self.placed.angles[self.part]


@dataclass(frozen=True)
class PlacedJoint:
    """A joint, placed."""

    placed: Placed
    name: str
    joint: Joint

    @property
    def type(self) -> JointType:
        return JOINT_TYPES[self.joint.type]

    @cached_property
    def ends(self) -> tuple[JointEnd | None, JointEnd | None]:
        """Its two ends; None where the document says no place for one."""
        first, second = (self._end(end) for end in self.joint.between)
        return first, second

    def _end(self, end: str) -> JointEnd | None:
        part, dot, _ = end.partition(".")
        if dot:
            return JointEnd(self.placed, part, end, self.joint)
        if self.joint.at is None:
            return None
        return JointEnd(self.placed, part, "", self.joint)

    @property
    def said(self) -> Iterator[JointEnd]:
        """The ends that have a place."""
        return (end for end in self.ends if end is not None)

    @property
    def point_in_world(self) -> Exact3:
        """Where its first end is placed, exact (`Placed.knows` says whether it does)."""
        return next(self.said).frame_in_world.origin

    @cached_property
    def points_in_world(self) -> tuple[Exact3, Exact3] | None:
        """The joint's point on each part, exact; an end without a place of its own meets the other."""
        points = [end.frame_in_world.origin for end in self.said]
        return (points[0], points[-1]) if points else None

    @property
    def usual_axis(self) -> Exact3:
        """Of its type, in an end's frame: x for what slides in the plane, else z."""
        return AXES["x"] if self.placed.mechanism.dimension == 2 and self.type.slides else AXES["z"]

    @cached_property
    def axis_in_world(self) -> Exact3:
        """The direction of its first end, exact, of any length; as written where the joint gives it."""
        end = next(self.said, None)
        if end is not None and end.marker:
            return end.frame_in_world.direct(self.usual_axis)
        return self.usual_axis if self.joint.along is None else axis_vector(self.joint.along)

    @cached_property
    def carrier(self) -> str | None:
        """Of a gear: the moving part against which its angles count; None: the world."""
        return self.placed.carrier(self.joint) if self.type.couples else None


def place(mechanism: Mechanism, *, brought: Brought | None = None) -> Placed:
    """Where the parts and joints of a document are placed; `brought` are the markers of its library parts."""
    return Placed(mechanism, brought)


def _in_plane(joint: Joint) -> Axis:
    """The direction of a joint in the plane; z, the axis of every rotation there, means its x."""
    return "x" if joint.along is None or joint.along == "z" else joint.along


def _angle_of_pose(pose: Pose | None) -> float:
    if pose is None:
        return 0.0
    if pose.along is not None:
        return _phase(pose.along)
    return angle_of(pose.turn, pose.turn_deg) or 0.0


def _phase(direction: Vector) -> float:
    return math.atan2(float(direction[1]), float(direction[0]))
