"""Where joints stand as drawn, and by how much they do not close.

A drawing need not close: a method closes the joints from there. `check` says by
how much, so that a slip of the pen is seen before it is silently mended.
"""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import dataclass

from detent.foundation.errors import UnsupportedError
from detent.foundation.tolerance import Tolerance
from detent.geometry.frame import AXES, Exact3, Frame, exact3
from detent.geometry.vector import cross
from detent.model.document.axes import axis_vector
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of, parts_of
from detent.model.machine.poses import marker_frame, world_pose

Point = tuple[float, float, float]

# Joints whose two markers share a point, and those whose second lies on the first's line.
_SHARE_POINT = ("revolute", "spherical", "fixed", "elastic")
_ON_LINE = ("prismatic", "cylindrical", "in_line")


@dataclass(frozen=True)
class JointGap:
    """A joint that does not close as drawn."""

    joint: str
    distance: float  # [document units]
    angle: float = 0.0  # [rad] between the lines of a slide


def drawn_poses(mechanism: Mechanism) -> dict[str, Frame]:
    """Each part's frame as drawn, where the document alone says it; a library part may know the rest."""
    known: dict[str, Frame] = {}
    for name in mechanism.parts:
        with suppress(UnsupportedError):
            world_pose(mechanism, name, known=known)
    return known


def axis(mechanism: Mechanism, joint: Joint, poses: dict[str, Frame]) -> tuple[Point, Point] | None:
    """A joint's point and direction in the world as drawn; None where the document does not say it."""
    if joint.at is not None:
        along = axis_vector(joint.along) if joint.along is not None else _usual(mechanism, joint)
        return _floats(exact3(joint.at)), _unit(along)
    frame = _end_frame(mechanism, joint.between[0], poses)
    return None if frame is None else (_floats(frame.origin), _unit(frame.direct(_usual(mechanism, joint))))


def gaps(mechanism: Mechanism) -> list[JointGap]:
    """Joints between two markers that do not meet as drawn, beyond rounding of the drawing's size."""
    poses = drawn_poses(mechanism)
    found: list[JointGap] = []
    tolerance = Tolerance.for_size(_size(mechanism, poses))
    for name, joint in mechanism.joints.items():
        ends = [_end_frame(mechanism, end, poses) for end in joint.between]
        first, second = ends
        if first is None or second is None:
            continue
        gap = _gap(name, joint, first, second, mechanism.dimension)
        if gap is not None and (gap.distance > tolerance.length or gap.angle > tolerance.angle):
            found.append(gap)
    return found


def _gap(name: str, joint: Joint, first: Frame, second: Frame, dimension: int) -> JointGap | None:
    apart = [float(b - a) for a, b in zip(first.origin, second.origin, strict=True)]
    if joint.type in _SHARE_POINT:
        return JointGap(name, math.hypot(*apart))
    if joint.type not in _ON_LINE:
        return None
    local = AXES["x"] if dimension == 2 else AXES["z"]
    along, other = _unit(first.direct(local)), _unit(second.direct(local))
    travel = sum(a * b for a, b in zip(apart, along, strict=True))
    off = math.hypot(*(a - travel * b for a, b in zip(apart, along, strict=True)))
    turned = math.hypot(*cross(along, other)) if joint.type != "in_line" else 0.0
    return JointGap(name, off, math.asin(min(1.0, turned)))


def odd_links(mechanism: Mechanism) -> list[str]:
    """Links of a plane linkage that hold less than they seem to, in words: no length, or one joint."""
    if mechanism.dimension != 2:
        return []
    found = []
    for name, part in mechanism.parts.items():
        pins = {
            joint: end.partition(".")[2]
            for joint, pair in mechanism.joints.items()
            for end in pair.between
            if pair.type == "revolute" and part_of(end) == name
        }
        held = [pair for pair in mechanism.joints.values() if name in parts_of(pair)]
        if (
            part.fixed
            or len(pins) != len(held)
            or not all(marker in part.markers for marker in pins.values())
        ):
            continue
        places = {marker_frame(mechanism, f"{name}.{marker}").origin for marker in pins.values()}
        if len(pins) > 1 and len(places) == 1:
            found.append(f"{name} has no length: its joints {', '.join(pins)} are at one place")
        elif len(pins) == 1 and part.shape is None and len(part.markers) == 1:
            found.append(f"{name} is one point, on joint {next(iter(pins))}: nothing holds its turn")
    return found


def _end_frame(mechanism: Mechanism, end: str, poses: dict[str, Frame]) -> Frame | None:
    name, dot, point = end.partition(".")
    if not dot or name not in poses or point not in mechanism.parts[name].markers:
        return None
    return poses[name] @ marker_frame(mechanism, end)


def _usual(mechanism: Mechanism, joint: Joint) -> Exact3:
    """In the plane a slide runs along x; everything else turns about z."""
    return AXES["x"] if mechanism.dimension == 2 and joint.type in _ON_LINE else AXES["z"]


def _size(mechanism: Mechanism, poses: dict[str, Frame]) -> float:
    points = [
        _floats((poses[name] @ marker_frame(mechanism, f"{name}.{marker}")).origin)
        for name in poses
        for marker in mechanism.parts[name].markers
    ]
    if not points:
        return 1.0
    return max(max(c) - min(c) for c in zip(*points, strict=True)) or 1.0


def _floats(vector: Exact3) -> Point:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _unit(vector: Exact3) -> Point:
    x, y, z = _floats(vector)
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length
