"""Positions that an edit computes and writes into a document.

They are doubles: the rational that approximates a cosine has hundreds of digits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from detent.foundation.errors import UnsupportedError
from detent.foundation.exact import Number, number
from detent.geometry.frame import AXES, Exact3, Frame
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Pose
from detent.model.machine.placed import place


def rounded(point: Exact3, size: int = 2) -> tuple[Number, ...]:
    """The first coordinates of a point or a direction, each the nearest double."""
    return tuple(number(float(c)) for c in point[:size])


def world_pose(mechanism: Mechanism, name: str) -> Pose:
    """The pose of a part as drawn, given in the world."""
    pose = mechanism.parts[name].pose or Pose()
    if pose.on is None:
        return pose
    frame = drawn_frame(place(mechanism).known, name)
    if mechanism.dimension == 2:
        return Pose(at=rounded(frame.origin), along=rounded(frame.direct(AXES["x"])))
    from detent.geometry.pose import rotation_vector_of

    columns = [[float(c) for c in frame.direct(AXES[k])] for k in "xyz"]
    vector = [float(c) for c in rotation_vector_of(list(zip(*columns, strict=True)))]
    about = vector if any(vector) else [0.0, 0.0, 1.0]
    return Pose(
        at=rounded(frame.origin, 3),
        turn=number(math.hypot(*vector)),
        about=tuple(number(c) for c in about),
    )


def drawn_frame(poses: Mapping[str, Frame], name: str) -> Frame:
    """Where a part is drawn in the world."""
    if name not in poses:
        problem = f"where part {name!r} is drawn is known to a library part only"
        raise UnsupportedError(problem, "place it in the world", at=f"parts.{name}.pose.on")
    return poses[name]
