"""Where parts and markers are placed as drawn.

A part without a pose is drawn in place: its frame is the world's. A pose given
`on` a marker is relative to that marker's frame. A marker's frame has its
origin at the marker; in the plane its x points along the marker's direction, in
space its z does (a direction is the joint's axis there), and x is `across`, by
default the part's x. Without a direction the part's axes are kept.

A library part brings markers of its own; whoever knows them passes their
frames as `brought`, relative to their part.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction

from detent.foundation.errors import UnsupportedError
from detent.geometry import frame as frames
from detent.geometry.frame import AXES, Frame
from detent.model.document.axes import axis_vector
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part, Pose
from detent.model.machine.graph import part_of

Brought = Mapping[str, Frame]  # by part.marker


def world_pose(
    mechanism: Mechanism,
    name: str,
    *,
    brought: Brought | None = None,
    known: dict[str, Frame] | None = None,
) -> Frame:
    """One part's frame in the world, as drawn."""
    known = {} if known is None else known
    if name not in known:
        pose = mechanism.parts[name].pose
        placed = frames.IDENTITY if pose is None else pose_frame(pose)
        if pose is not None and pose.on is not None:
            base = world_pose(mechanism, part_of(pose.on), brought=brought, known=known)
            placed = base @ marker_frame(mechanism, pose.on, brought=brought) @ placed
        known[name] = placed
    return known[name]


def windings(mechanism: Mechanism, name: str) -> int:
    """Whole revolutions about z in a part's pose as written, hidden in its frame; those of `on` included.

    A rotation of 270 degrees has one: the frame says -90. Directions (`along`, markers) have none.
    """
    pose = mechanism.parts[name].pose
    if pose is None:
        return 0
    base = 0 if pose.on is None else windings(mechanism, part_of(pose.on))
    sign = 1 if axis_vector(pose.about)[2] >= 0 else -1
    if pose.along is not None:
        return base
    if pose.turn_deg is not None:
        return base + math.ceil((sign * pose.turn_deg - 180) / 360)
    return base + math.ceil((sign * float(pose.turn or 0) - math.pi) / math.tau)


def pose_frame(pose: Pose) -> Frame:
    """A pose by itself: its rotation, then its origin; `on` is not looked at."""
    turned = frames.IDENTITY
    if pose.along is not None:
        turned = frames.along(pose.along)
    elif pose.turn_deg is not None:
        turned = frames.turn_deg(pose.turn_deg, axis_vector(pose.about))
    elif pose.turn is not None:
        turned = frames.turn(pose.turn, axis_vector(pose.about))
    return turned if pose.at is None else frames.shift(pose.at) @ turned


def marker_frame(
    mechanism: Mechanism,
    marker: str,
    *,
    brought: Brought | None = None,
) -> Frame:
    """The frame of `part.marker`, relative to its part."""
    name, _, point = marker.partition(".")
    part = mechanism.parts[name]
    if point in part.markers:
        return _marker(part, point, mechanism.dimension)
    if brought is not None and marker in brought:
        return brought[marker]
    raise UnsupportedError(
        f"where marker {marker!r} is placed is known to the library part {part.library!r} only",
        "ask a verb that builds library parts",
        f"parts.{name}",
    )


def _marker(part: Part, point: str, dimension: int) -> Frame:
    marker = part.markers[point]
    if not isinstance(marker, Marker):
        return frames.shift(marker)
    origin = frames.shift(marker.at)
    if marker.along is None and marker.turn is None and marker.turn_deg is None:
        return origin
    turned = _direction(marker)
    if dimension == 2:
        return origin @ turned
    axis = turned.direct(AXES["x"]) if marker.along is None else frames.exact3(marker.along)
    across = AXES["x"] if marker.across is None else frames.exact3(marker.across)
    if _parallel(axis, across):
        across = AXES["y"]
    return origin @ frames.axes(axis, across)


def _direction(marker: Marker) -> Frame:
    if marker.along is not None:
        return frames.along(marker.along)
    return (
        frames.turn_deg(marker.turn_deg)
        if marker.turn_deg is not None
        else frames.turn(marker.turn or Fraction(0))
    )


def _parallel(a: frames.Exact3, b: frames.Exact3) -> bool:
    return a[1] * b[2] == a[2] * b[1] and a[2] * b[0] == a[0] * b[2] and a[0] * b[1] == a[1] * b[0]
