"""By how much the joints of a drawing do not close.

A drawing need not close: a method closes the joints from there. `check` says by
how much, so that a slip of the pen is seen before it is silently repaired.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from detent.foundation.tolerance import Tolerance
from detent.geometry.frame import Exact3, Frame
from detent.geometry.vector import cross
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of, parts_of
from detent.model.machine.placed import JointEnd, Placed, PlacedJoint, place
from detent.model.machine.poses import marker_frame

Point = tuple[float, float, float]


@dataclass(frozen=True)
class JointGap:
    """A joint that does not close as drawn."""

    joint: str
    distance: float  # [document units]
    angle: float = 0.0  # [rad] between the lines of a slide


def gaps(mechanism: Mechanism) -> list[JointGap]:
    """Joints between two markers that do not meet as drawn, beyond rounding of the drawing's size."""
    placed = place(mechanism)
    open_joints: list[JointGap] = []
    tolerance = Tolerance.for_size(_size(placed))
    for name, joint in placed.joints.items():
        first, second = (_marker_frame(placed, end) for end in joint.ends)
        if first is None or second is None:
            continue
        gap = _gap(name, joint, first, second)
        if gap is not None and (gap.distance > tolerance.length or gap.angle > tolerance.angle):
            open_joints.append(gap)
    return open_joints


def _marker_frame(placed: Placed, end: JointEnd | None) -> Frame | None:
    """Where an end is placed in the world, if a marker of the document says so."""
    if end is None or not end.marker or end.part not in placed.known:
        return None
    key = end.marker.partition(".")[2]
    return end.frame_in_world if key in placed.mechanism.parts[end.part].markers else None


def _gap(name: str, joint: PlacedJoint, first: Frame, second: Frame) -> JointGap | None:
    apart = [float(b - a) for a, b in zip(first.origin, second.origin, strict=True)]
    if joint.type.meets == "point":
        return JointGap(name, math.hypot(*apart))
    if joint.type.meets is None:
        return None
    along, other = (unit(frame.direct(joint.usual_axis)) for frame in (first, second))
    travel = sum(a * b for a, b in zip(apart, along, strict=True))
    off = math.hypot(*(a - travel * b for a, b in zip(apart, along, strict=True)))
    tilted = math.hypot(*cross(along, other)) if joint.type.rotations != "none" else 0.0
    return JointGap(name, off, math.asin(min(1.0, tilted)))


def odd_links(mechanism: Mechanism) -> list[str]:
    """Links of a plane linkage that constrain less than they seem to, in words: no length, or one joint."""
    if mechanism.dimension != 2:
        return []
    links = []
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
            links.append(f"{name} has no length: its joints {', '.join(pins)} are at one place")
        elif len(pins) == 1 and part.shape is None and len(part.markers) == 1 and part.mass is None:
            links.append(f"{name} is one point, on joint {next(iter(pins))}: nothing constrains its rotation")
    return links


def _size(placed: Placed) -> float:
    points = [
        floats(placed.marker_in_world(f"{name}.{marker}").origin)
        for name in placed.known
        for marker in placed.mechanism.parts[name].markers
    ]
    if not points:
        return 1.0
    return max(max(c) - min(c) for c in zip(*points, strict=True)) or 1.0


def floats(vector: Exact3) -> Point:
    """An exact vector in doubles."""
    return float(vector[0]), float(vector[1]), float(vector[2])


def unit(vector: Exact3) -> Point:
    """The direction of an exact vector, of length one."""
    x, y, z = floats(vector)
    length = math.hypot(x, y, z)
    return x / length, y / length, z / length
