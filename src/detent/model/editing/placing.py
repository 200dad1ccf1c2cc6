"""Positions that an edit computes and writes into a document.

They are doubles: the rational that approximates a cosine has hundreds of digits.
"""

from __future__ import annotations

import math

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
    frame = place(mechanism).known[name]
    if mechanism.dimension == 2:
        return Pose(at=rounded(frame.origin), along=rounded(frame.direct(AXES["x"])))
    axis, angle = axis_angle(frame)
    about = tuple(number(c) for c in axis)
    return Pose(at=rounded(frame.origin, 3), turn=number(angle), about=about)


def axis_angle(frame: Frame) -> tuple[tuple[float, float, float], float]:
    """The axis and the angle [rad] of a frame's rotation; z and 0 where it has none."""
    x, y, z = ([float(c) for c in frame.direct(AXES[k])] for k in "xyz")
    twice_sine = (y[2] - z[1], z[0] - x[2], x[1] - y[0])  # along the axis, of length 2 sin
    trace = x[0] + y[1] + z[2]  # 1 + 2 cos
    angle = math.atan2(math.hypot(*twice_sine), trace - 1)
    if trace > 0:
        return ((0.0, 0.0, 1.0), 0.0) if not any(twice_sine) else (twice_sine, angle)
    # Near 180 degrees the sine vanishes; the widest column of R + R^T + (1 - trace) I lies along the axis.
    rows = [[x[i] + (x, y, z)[i][0], y[i] + (x, y, z)[i][1], z[i] + (x, y, z)[i][2]] for i in range(3)]
    for i in range(3):
        rows[i][i] += 1 - trace
    widest = max(range(3), key=lambda i: rows[i][i])
    along = tuple(rows[widest])
    sign = 1.0 if sum(a * b for a, b in zip(along, twice_sine, strict=True)) >= 0 else -1.0
    return (sign * along[0], sign * along[1], sign * along[2]), angle
