"""The same plane machine with its parts placed elsewhere: what an editor makes of a drag.

Markers belong to their parts, so that joints keep their coordinates' meaning. A
joint that is given `at` a point of the world means a marker on each part,
directed as the world at the start (docs/model.md); such markers are written first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.exact import Number, number
from detent.foundation.names import did_you_mean
from detent.geometry.frame import Exact3, Frame, exact3
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part, Pose
from detent.model.machine.placed import JointEnd, place

_X = (Number(1), Number(0))


def with_poses(mechanism: Mechanism, poses: Mapping[str, Sequence[float]]) -> Mechanism:
    """The document with parts at (x, y, angle), in its units and radians; the others as drawn."""
    if mechanism.dimension != 2:
        raise UnsupportedError("parts are moved about in the plane only", "set their poses", at="dimension")
    marked = with_markers(mechanism)
    drawn = place(mechanism).known
    moved = dict(marked.parts)
    for name, part in marked.parts.items():
        if part.pose is not None and part.pose.on is not None and name in drawn:
            moved[name] = replace(part, pose=_pose_of(drawn[name]))
    for name, pose in poses.items():
        if name not in moved:
            raise ModelError.at(f"poses.{name}", "there is no such part", did_you_mean(name, moved))
        moved[name] = replace(moved[name], pose=_pose(name, pose))
    return replace(marked, parts=moved)


def with_markers(mechanism: Mechanism) -> Mechanism:
    """Every joint between two markers, where it was given by a point of the world."""
    placed = place(mechanism)
    parts, joints = dict(mechanism.parts), dict(mechanism.joints)
    for name, joint in placed.joints.items():
        if all(end is None or end.marker for end in joint.ends):
            continue
        pairs = zip(joint.joint.between, joint.ends, strict=True)
        ends = [side if end is None else _end_as_marker(parts, end, name) for side, end in pairs]
        joints[name] = replace(joint.joint, between=tuple(ends), at=None, along=None)
    return replace(mechanism, parts=parts, joints=joints)


def _end_as_marker(parts: dict[str, Part], end: JointEnd, name: str) -> str:
    """The end as a marker; one that it names already is kept."""
    part = end.part
    if end.marker or part not in end.placed.known:
        return end.marker or part
    direction = end.placed.known[part].inverse().direct(end.direction_in_world)
    marker = name
    while marker in parts[part].markers:
        marker += "-"
    written = Marker(at=_numbers(end.frame.origin), along=_numbers(direction))
    parts[part] = replace(parts[part], markers={**parts[part].markers, marker: written})
    return f"{part}.{marker}"


def _numbers(point: Exact3) -> tuple[Number, ...]:
    return tuple(Number(c) for c in point[:2])


def _pose_of(frame: Frame) -> Pose:
    x_axis = frame.direct(exact3(_X))
    return Pose(at=_numbers(frame.origin), along=_numbers(x_axis))


def _pose(name: str, numbers: Sequence[float]) -> Pose:
    try:
        x, y, angle = map(number, numbers)
    except (ValueError, TypeError):
        raise ModelError.at(f"poses.{name}", "expected x, y and angle", "give three numbers") from None
    return Pose(at=(x, y), turn=angle)
