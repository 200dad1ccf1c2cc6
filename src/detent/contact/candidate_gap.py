"""One candidate at one state: its gap by its formula, and how far its two features are apart.

The gap of a candidate is that of an edge's line or of whole discs, signed, wherever the features end; it says
something only where the contact is local (`at_state`). The distance is that of the features as they are,
never negative: what a motion has to use up before they can touch.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.candidate import EDGE_DISC
from detent.geometry.gap import disc_disc, disc_edge, exchanged
from detent.geometry.rings import distance_to_segment
from detent.numeric.kernels import kernel
from detent.numeric.lengths import magnitude

# Of the radius of an arc: its centre is on a line when so near; it has sunk in when no farther behind it.
_ON_LINE, _SUNK_IN = 1e-9, 1e-4


def sample_features() -> tuple[Any, ...]:
    """Features and candidates of two bodies: an edge, a corner, a disc, a hole; then their poses."""
    data = np.zeros((4, 9))
    data[0, :8] = 1.0, 0.0, -1.0, 0.0, 0.8, -0.6, -0.8, -0.6
    data[1] = 0.2, -0.1, 0.0, 1.0, -0.6, -0.8, 0.6, -0.8, 0.0
    data[2] = 0.0, 0.1, 0.3, 1.0, 1.0, 0.0, 1.0, 0.0, 2.0
    data[3] = 0.1, 0.0, 2.0, -1.0, 1.0, 0.0, 0.0, 1.0, 0.0
    listed = np.array([[0, 0, 1, 0, 0], [0, 0, 2, 0, 0], [1, 3, 2, 0, 0], [1, 1, 2, 0, 1]])
    poses = np.array([[0.3, 0.2, 0.8, 0.6], [0.3, 0.4, 0.6, 0.8]])
    return data, listed, np.array([[0, 1]]), poses


@kernel(sample=lambda: (sample_features()[0], 1, 0.0, -1.0, 1e-9), inlined=True, bare=True)
def faces(data, row, x, y, slack):  # type: ignore[no-untyped-def]
    """Whether a disc has something to touch in a direction (in its body's frame) from its centre."""
    wide = data[row, 8]
    if wide == 2.0:
        return True
    fx, fy, lx, ly = data[row, 4], data[row, 5], data[row, 6], data[row, 7]
    after_first, before_last = fx * y - fy * x, x * ly - y * lx
    if wide == 1.0:
        return not (after_first < -slack and before_last < -slack)
    # Of directions at one line, those of a narrow cone are nearer to its middle; half a circle's is rounding.
    ahead = fx * lx + fy * ly <= 0.0 or (fx + lx) * x + (fy + ly) * y >= -slack
    return after_first >= -slack and before_last >= -slack and ahead


@kernel(
    sample=lambda: (np.array([[0.3, 0.2, 0.8, 0.6], [0.3, 0.4, 0.6, 0.8]]), 0, 1, np.zeros(4)),
    inlined=True,
    bare=True,
)
def relative_pose(poses, a, b, pose_AB):  # type: ignore[no-untyped-def]
    """Writes pose_AB of two poses in the world."""
    x, y, c, s = poses[a, 0], poses[a, 1], poses[a, 2], poses[a, 3]
    dx, dy = poses[b, 0] - x, poses[b, 1] - y
    pose_AB[0], pose_AB[1] = c * dx + s * dy, c * dy - s * dx
    pose_AB[2] = c * poses[b, 2] + s * poses[b, 3]
    pose_AB[3] = c * poses[b, 3] - s * poses[b, 2]


@kernel(sample=lambda: (sample_features()[0], sample_features()[1], 2), inlined=True, bare=True)
def curvature_of(data, listed, role):  # type: ignore[no-untyped-def]
    """Of the feature with a role in the first candidate: 0 of an edge, infinite of a corner."""
    row = listed[0, role]
    if role == 1 and listed[0, 0] == EDGE_DISC:
        return 0.0
    if data[row, 2] == 0.0:
        return math.inf
    return data[row, 3] / data[row, 2]


@kernel(
    sample=lambda: (sample_features()[0], sample_features()[1][0], np.array([0.1, 0.2, 0.8, 0.6])),
    inlined=True,
    bare=True,
)
def role_gap(data, row, pose_AB):  # type: ignore[no-untyped-def]
    """The gap of a candidate, seen from the body of its first role."""
    f, s = row[1], row[2]
    if row[0] == EDGE_DISC:
        return disc_edge(pose_AB, data[f, :4], data[s, :2], data[s, 2])
    return disc_disc(pose_AB, data[f, :2], data[f, 2], data[f, 3], data[s, :2], data[s, 2])


@kernel(
    sample=lambda: (
        *sample_features()[:3], sample_features()[3], 1, np.array([0.1, 0.2, 0.8, 0.6]),
        role_gap(sample_features()[0], sample_features()[1][1], np.array([0.1, 0.2, 0.8, 0.6])),
        np.zeros((2, 10)), 0,
    ), inlined=True, bare=True
)  # fmt: skip
def write_contact(data, listed, pairs, poses, candidate, pose_AB, seen, values, at):  # type: ignore[no-untyped-def]
    """Writes a gap seen from its first role as a contact in the world: the columns of `at_state`."""
    pair, flipped = listed[candidate, 3], listed[candidate, 4]
    one = listed[candidate : candidate + 1]
    first, second = curvature_of(data, one, 1), curvature_of(data, one, 2)
    gap, on = seen, pairs[pair, 0]
    if flipped == 1:
        gap = exchanged(pose_AB, seen)
        first, second = second, first
    x, y, c, w = poses[on, 0], poses[on, 1], poses[on, 2], poses[on, 3]
    values[at, 0] = gap.gap
    values[at, 1], values[at, 2] = x + c * gap.x - w * gap.y, y + w * gap.x + c * gap.y
    values[at, 3], values[at, 4] = c * gap.nx - w * gap.ny, w * gap.nx + c * gap.ny
    values[at, 5], values[at, 6], values[at, 7] = gap.arm_A, gap.arm_B, gap.share
    values[at, 8], values[at, 9] = first, second


@kernel(sample=lambda: (*sample_features(), 3, np.zeros(4), np.zeros((1, 10)), 0), inlined=True, bare=True)
def contact_of(data, listed, pairs, poses, candidate, pose_AB, values, at):  # type: ignore[no-untyped-def]
    """Writes one candidate as a contact in the world, local or not."""
    pair, flipped = listed[candidate, 3], listed[candidate, 4]
    relative_pose(poses, pairs[pair, flipped], pairs[pair, 1 - flipped], pose_AB)
    seen = role_gap(data, listed[candidate], pose_AB)
    write_contact(data, listed, pairs, poses, candidate, pose_AB, seen, values, at)


@kernel(sample=lambda: (sample_features()[0], 3, 0.4, 1.9), bare=True)
def to_disc(data, row, x, y):  # type: ignore[no-untyped-def]
    """From a point (in the disc's frame) to a corner, or to the curve of an arc."""
    dx, dy = x - data[row, 0], y - data[row, 1]
    away, radius = magnitude(dx, dy), data[row, 2]
    if radius == 0.0 or faces(data, row, dx, dy, 0.0):
        return abs(away - radius)
    first = magnitude(dx - radius * data[row, 4], dy - radius * data[row, 5])
    last = magnitude(dx - radius * data[row, 6], dy - radius * data[row, 7])
    return min(first, last)


@kernel(
    sample=lambda: (sample_features()[0], sample_features()[1][3], np.array([0.1, 0.2, 0.8, 0.6])), bare=True
)
def feature_distance(data, row, pose_AB):  # type: ignore[no-untyped-def]
    """How far the two features of a candidate are apart, seen from where there is no material.

    Zero where they meet face to face, and where they have sunk in there. It says nothing of curves that cross
    elsewhere: parts that touch nowhere cannot get there.
    """
    f, s = row[1], row[2]
    c, w = pose_AB[2], pose_AB[3]
    x = pose_AB[0] + c * data[s, 0] - w * data[s, 1]
    y = pose_AB[1] + w * data[s, 0] + c * data[s, 1]
    radius = data[s, 2]
    if row[0] == EDGE_DISC:
        ax, ay, bx, by = data[f, 0], data[f, 1], data[f, 2], data[f, 3]
        ux, uy = bx - ax, by - ay
        along = ((x - ax) * ux + (y - ay) * uy) / (ux * ux + uy * uy)
        beside = 0.0 < along < 1.0
        along = min(max(along, 0.0), 1.0)
        dx, dy = ax + along * ux - x, ay + along * uy - y
        away = magnitude(dx, dy)
        if radius == 0.0:
            return away
        least = math.inf
        # An end of the edge that is deep behind the curve is there from elsewhere, as in a slot beside it.
        near = beside or away >= radius * (1.0 - _SUNK_IN)
        behind = (uy * dx - ux * dy) / magnitude(ux, uy)  # the line: its centre
        if beside and data[s, 8] == 0.0 and -_ON_LINE * radius < behind < radius:
            # It meets the edge with what faces the line from there alone, and only where it has just sunk in.
            if behind < _SUNK_IN * radius and faces(data, s, w * ux - c * uy, w * uy + c * ux, 0.0):
                return 0.0
        elif near and faces(data, s, c * dx + w * dy, c * dy - w * dx, 0.0):
            return max(away - radius, 0.0)
        for end in range(2):
            dx, dy = data[s, 4 + 2 * end], data[s, 5 + 2 * end]
            px, py = x + radius * (c * dx - w * dy), y + radius * (w * dx + c * dy)
            least = min(least, distance_to_segment(px, py, ax, ay, bx, by))
            px, py = (ax, ay) if end == 0 else (bx, by)
            qx, qy = px - pose_AB[0], py - pose_AB[1]
            least = min(least, to_disc(data, s, c * qx + w * qy, c * qy - w * qx))
        return least
    dx, dy = x - data[f, 0], y - data[f, 1]
    away, side = magnitude(dx, dy), data[f, 3]
    if data[f, 2] == 0.0:
        qx, qy = data[f, 0] - pose_AB[0], data[f, 1] - pose_AB[1]
        return to_disc(data, s, c * qx + w * qy, c * qy - w * qx)
    if radius == 0.0:
        return to_disc(data, f, x, y)
    # Seen from the disc, what is met lies towards the other centre, or, in a hole, away from it.
    if faces(data, f, dx, dy, 0.0) and faces(
        data, s, -side * (c * dx + w * dy), -side * (c * dy - w * dx), 0.0
    ):
        # Wholly behind the curve it has not sunk in: it is there from elsewhere, and that far away.
        return max(abs(away - data[f, 2]) - radius, 0.0)
    least = math.inf
    for end in range(2):
        ex, ey = data[s, 4 + 2 * end], data[s, 5 + 2 * end]
        least = min(least, to_disc(data, f, x + radius * (c * ex - w * ey), y + radius * (w * ex + c * ey)))
        px, py = (
            data[f, 0] + data[f, 2] * data[f, 4 + 2 * end],
            data[f, 1] + data[f, 2] * data[f, 5 + 2 * end],
        )
        qx, qy = px - pose_AB[0], py - pose_AB[1]
        least = min(least, to_disc(data, s, c * qx + w * qy, c * qy - w * qx))
    return least
