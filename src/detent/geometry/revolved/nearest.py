"""Where a round shaft is nearest to a round hole, however it leans: a rim is a tube round a circle.

A tube is as far from the other body as its circle, less its radius. So every nearest point is a least
distance of a circle's point from the other body's meridian, a function of one angle: all circles of A (rims,
sharp edges of no radius) against all of B, and B's circles against what A has besides. Two straight walls
touch at their ends, which are edges or rims. Each piece is bounded: the nearest of a meridian's pieces at a
point has its foot within it, so that a contact hands over to the next piece where the first one ends, with
the same gap and normal.

Least values are found from 32 samples of the angle: where the slope rises through zero between two of them,
to rounding. Two of them within a 32nd of a turn would be told as one; the function is nearly a constant, one
wave and one double wave (offset and tilt), which has at most two. Where it changes less than the given `even`
all round, as of a centred peg, three points are told besides, a quarter turn apart: any point of the circle
is a valid bound.

Everything is in the frame of A's meridian, [m]; the normal points from A to B.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.geometry.revolved.inside import Floats
from detent.geometry.revolved.meridian import Meridian
from detent.numeric.kernels import kernel

SAMPLES = 32
COLUMNS = 15  # of a row: gap, normal, point of A, point of B, pieces of A and B, angles about A and B, flag
GAP, NORMAL, POINT_A, POINT_B, PIECE_A, PIECE_B, ANGLE_A, ANGLE_B, LEAST = 0, 1, 4, 7, 10, 11, 12, 13, 14
ROOM = 32  # rows of a table of contacts
_WITHIN = 1e-9  # of a turn and of lengths in metres: how far beyond its bounds a piece still counts
_LEVEL = (
    1e-12  # [m a radian]: slopes below it are rounding, and a distance whose slopes are all below is even
)
_DEEP = 1e-3  # [m] behind a piece, beyond which it is not what is met


def round_table(meridian: Meridian, metres: float) -> Floats:
    """(pieces, 8) for the kernels: a kind and seven numbers.

    Of an arc (0) its circle, radius, middle normal, cosine of half its angle and whether it bulges; of a line
    (1) its start, direction, length and normal.
    """
    rows = []
    for piece in meridian.pieces:
        if piece.centre is None:
            (a, b), (c, d) = piece.start, piece.end
            length = math.dist(piece.start, piece.end)
            along = ((c - a) / length, (d - b) / length)
            rows.append([1.0, a * metres, b * metres, *along, length * metres, *piece.normals[0]])
            continue
        first, last = (math.atan2(n[1], n[0]) for n in piece.normals)
        turned = (last - first + math.pi) % math.tau - math.pi
        middle, half = first + turned / 2, abs(turned) / 2
        centre = [x * metres for x in piece.centre]
        sign = 1.0 if piece.bend >= 0 else -1.0
        rows.append(
            [0.0, *centre, abs(piece.bend) * metres, math.cos(middle), math.sin(middle), math.cos(half), sign]
        )
    return np.array(rows)


def _tables() -> tuple[Floats, Floats]:
    hole = np.array(
        [
            [1.0, 0.075, 0.0, -1.0, 0.0, 0.049, 0.0, -1.0],
            [0.0, 0.026, 0.006, 0.006, -0.7071067811865475, -0.7071067811865475, 0.7071067811865475, 1.0],
            [1.0, 0.02, 0.006, 0.0, 1.0, 0.104, -1.0, 0.0],
        ]
    )
    peg = np.array(
        [
            [1.0, 0.01995, 0.0, 0.0, 1.0, 0.116, 1.0, 0.0],
            [0.0, 0.01595, 0.116, 0.004, 0.7071067811865475, 0.7071067811865475, 0.7071067811865475, 1.0],
            [1.0, 0.01595, 0.12, -1.0, 0.0, 0.01595, 0.0, 1.0],
        ]
    )
    return hole, peg


@kernel(sample=lambda: (_tables()[0], 0.021, 0.004), bare=True)
def foot(table, rho, u):  # type: ignore[no-untyped-def]
    """The nearest piece to a point: distance (below zero within), normal (rho, u), piece, or -1 of none."""
    best, n_rho, n_u, piece = 1e9, 0.0, 0.0, -1
    for k in range(table.shape[0]):
        row = table[k]
        if row[0] == 1.0:
            x, y = rho - row[1], u - row[2]
            along = x * row[3] + y * row[4]
            if along < -_WITHIN or along > row[5] + _WITHIN:
                continue
            a, b = row[6], row[7]
            distance = x * a + y * b
        else:
            x, y = rho - row[1], u - row[2]
            away = math.sqrt(x * x + y * y)
            if away > 0.0:
                a, b = row[7] * x / away, row[7] * y / away
            else:
                a, b = row[4], row[5]
            if a * row[4] + b * row[5] < row[6] - _WITHIN:
                continue
            distance = row[7] * (away - row[3])
        if distance > -_DEEP and distance < best:
            best, n_rho, n_u, piece = distance, a, b, k
    return best, n_rho, n_u, piece


@kernel(sample=lambda: (_tables()[0], np.eye(4), 0.0199, 0.1, 0.3), bare=True)
def on_circle(table, pose, radius, height, angle):  # type: ignore[no-untyped-def]
    """A circle's point, put by the pose, against a meridian: distance, its slope by the angle, normal, piece,
    point.
    """
    c, s = math.cos(angle), math.sin(angle)
    x0, y0 = radius * c, radius * s
    x = pose[0, 0] * x0 + pose[0, 1] * y0 + pose[0, 2] * height + pose[0, 3]
    y = pose[1, 0] * x0 + pose[1, 1] * y0 + pose[1, 2] * height + pose[1, 3]
    z = pose[2, 0] * x0 + pose[2, 1] * y0 + pose[2, 2] * height + pose[2, 3]
    rho = math.sqrt(x * x + y * y)
    distance, n_rho, n_u, piece = foot(table, rho, z)
    ex, ey = (x / rho, y / rho) if rho > 0.0 else (1.0, 0.0)
    nx, ny = n_rho * ex, n_rho * ey
    tx, ty = -y0, x0  # the circle's tangent
    slope = nx * (pose[0, 0] * tx + pose[0, 1] * ty) + ny * (pose[1, 0] * tx + pose[1, 1] * ty)
    slope += n_u * (pose[2, 0] * tx + pose[2, 1] * ty)
    return distance, slope, nx, ny, n_u, piece, x, y, z


@kernel(sample=lambda: (_tables()[0], np.eye(4), 0.0199, 0.1, 0.3, 0.5), bare=True)
def least_between(table, pose, radius, height, low, high):  # type: ignore[no-untyped-def]
    """The angle at which the slope rises through zero, by the Illinois variant of regula falsi."""
    a, b = low, high
    fa = on_circle(table, pose, radius, height, a)[1]
    fb = on_circle(table, pose, radius, height, b)[1]
    side = 0
    angle = a
    for _ in range(60):
        if fb == fa:
            break
        angle = (a * fb - b * fa) / (fb - fa)
        slope = on_circle(table, pose, radius, height, angle)[1]
        if abs(slope) <= 1e-15 * radius or b - a <= 1e-14:
            break
        if slope < 0.0:
            a, fa = angle, slope
            if side == -1:
                fb *= 0.5
            side = -1
        else:
            b, fb = angle, slope
            if side == 1:
                fa *= 0.5
            side = 1
    return angle


@kernel(sample=lambda: (*_tables(), np.eye(4), np.eye(4), 1e-3, 1e-4, np.empty((ROOM, COLUMNS))), bare=True)
def nearest_rows(table_A, table_B, pose_AB, pose_BA, reach, even, rows):  # type: ignore[no-untyped-def]
    """Fill rows with all contacts nearer than `reach`; how many there are."""
    count = 0
    for side in range(2):
        own = table_A if side == 0 else table_B
        other = table_B if side == 0 else table_A
        pose = pose_BA if side == 0 else pose_AB  # from the circle's frame to the other's
        for k in range(own.shape[0]):
            if own[k, 0] != 0.0 or own[k, 7] < 0.0:
                continue
            count = nearest_of_circle(own, k, other, pose, pose_AB, side, reach, even, rows, count)
    return count


@kernel(
    sample=lambda: (
        _tables()[0], 1, _tables()[1], np.eye(4), np.eye(4), 0, 1e-3, 1e-4, np.empty((ROOM, COLUMNS)), 0
    ),
    bare=True,
)  # fmt: skip
def nearest_of_circle(own, k, other, pose, pose_AB, side, reach, even, rows, count):  # type: ignore[no-untyped-def]
    """The contacts of one circle with the other body."""
    radius, height, tube = own[k, 1], own[k, 2], own[k, 3]
    step = math.tau / SAMPLES
    first = count
    low, high = 1e9, -1e9
    least = 0.0
    last = on_circle(other, pose, radius, height, -step)
    if last[0] - tube > reach + 2.0 * abs(radius):
        return count
    for i in range(SAMPLES):
        here = on_circle(other, pose, radius, height, i * step)
        if here[0] < low:
            low, least = here[0], i * step
        high = max(high, here[0])
        near_here = min(last[0], here[0]) - tube < reach + step * abs(radius)
        if last[1] < -_LEVEL and here[1] >= -_LEVEL and near_here:
            angle = least_between(other, pose, radius, height, (i - 1) * step, i * step)
            count = append_contact(own, k, other, pose, pose_AB, side, angle, reach, rows, count, 1.0)
        last = here
    if high - low < even and low - tube < reach:
        # Nearly the same all round: points between, which any motion may bring to the least.
        if count == first and high - low < 10 * _LEVEL:
            count = append_contact(own, k, other, pose, pose_AB, side, least, reach, rows, count, 0.0)
        if radius != 0.0:
            for i in range(1, 4):
                angle = least + i * math.tau / 4
                count = append_contact(own, k, other, pose, pose_AB, side, angle, reach, rows, count, 0.0)
    return count


@kernel(
    sample=lambda: (
        _tables()[0], 1, _tables()[1], np.eye(4), np.eye(4), 0, 0.3, 1e-3, np.empty((ROOM, COLUMNS)), 0, 1.0
    ),
    bare=True,
)  # fmt: skip
def append_contact(own, k, other, pose, pose_AB, side, angle, reach, rows, count, least):  # type: ignore[no-untyped-def]
    """Append the contact at an angle of a circle, where it is one: within its bounds, near enough, new.

    A point that is not the nearest of its circle is on the tube's ball there, which is material, too.
    """
    distance, _, nx, ny, nz, piece, x, y, z = on_circle(other, pose, own[k, 1], own[k, 2], angle)
    tube = own[k, 3]
    gap = distance - tube
    if piece < 0 or not gap < reach or count >= rows.shape[0]:
        return count
    if side == 1 and other[piece, 0] == 0.0 and other[piece, 7] > 0.0:
        return count  # circle on circle is seen from A
    # The circle's own normal, in its frame, lies opposite: only where its arc has one.
    c, s = math.cos(angle), math.sin(angle)
    ox = pose[0, 0] * nx + pose[1, 0] * ny + pose[2, 0] * nz
    oy = pose[0, 1] * nx + pose[1, 1] * ny + pose[2, 1] * nz
    oz = pose[0, 2] * nx + pose[1, 2] * ny + pose[2, 2] * nz
    across, along = -(ox * c + oy * s), -oz
    if own[k, 1] < 0.0:
        across = -across
    size = math.sqrt(across * across + along * along)
    if across * own[k, 4] + along * own[k, 5] < size * own[k, 6] - _WITHIN:
        return count
    row = rows[count]
    # Foot on the other body and point of the circle's tube, in the other's frame.
    fx, fy, fz = x - distance * nx, y - distance * ny, z - distance * nz
    tx, ty, tz = x - tube * nx, y - tube * ny, z - tube * nz
    if side == 0:  # the other is B: to A's frame; the normal leaves B
        row[1] = -(pose_AB[0, 0] * nx + pose_AB[0, 1] * ny + pose_AB[0, 2] * nz)
        row[2] = -(pose_AB[1, 0] * nx + pose_AB[1, 1] * ny + pose_AB[1, 2] * nz)
        row[3] = -(pose_AB[2, 0] * nx + pose_AB[2, 1] * ny + pose_AB[2, 2] * nz)
        for i in range(3):
            row[4 + i] = pose_AB[i, 0] * tx + pose_AB[i, 1] * ty + pose_AB[i, 2] * tz + pose_AB[i, 3]
            row[7 + i] = pose_AB[i, 0] * fx + pose_AB[i, 1] * fy + pose_AB[i, 2] * fz + pose_AB[i, 3]
        row[10], row[11] = k, piece
        row[12], row[13] = angle, math.atan2(fy, fx)
    else:
        row[1], row[2], row[3] = nx, ny, nz
        row[4], row[5], row[6] = fx, fy, fz
        row[7], row[8], row[9] = tx, ty, tz
        row[10], row[11] = piece, k
        row[12], row[13] = math.atan2(fy, fx), angle
    row[0] = gap
    row[14] = least
    for i in range(count):
        if abs(rows[i, 0] - gap) < 1e-10 and (
            abs(rows[i, 4] - row[4]) + abs(rows[i, 5] - row[5]) + abs(rows[i, 6] - row[6]) < 1e-8
        ):
            return count  # where two pieces meet
    return count + 1


def nearest_rounds(
    table_A: Floats, table_B: Floats, pose_AB: Any, *, reach: float, even: float = 0.0
) -> Floats:
    """(contacts, COLUMNS) of two meridians; `pose_AB` puts B's frame into A's, [m]."""
    pose = np.ascontiguousarray(pose_AB, float)
    rows = np.empty((ROOM, COLUMNS))
    count = nearest_rows(table_A, table_B, pose, np.linalg.inv(pose), reach, even, rows)
    return rows[:count].copy()
