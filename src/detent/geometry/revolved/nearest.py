"""Where a round shaft is nearest to a round hole, however it leans: a rim is a tube round a circle.

A tube is as far from the other body as its circle, less its radius. So every nearest point is a least
distance of a circle's point from the other body's meridian, a function of one angle: all circles of A (rims,
sharp edges of no radius) against all of B, and B's circles against what A has besides. Two straight walls
touch at their ends, which are edges or rims. Each piece is bounded: the nearest of a meridian's pieces at a
point has its foot within it, so that a contact hands over to the next piece where the first one ends, with
the same gap and normal.

Least values are found from 32 samples of the angle: where the slope rises through zero between two of them,
to rounding; from eight times as many where it may touch, so that two of them within a 256th of a turn
would be told as one. Where it changes less than the given `even` all round, as of a centred peg, four points
are told besides, a quarter turn apart: any point of the circle is a valid bound.

Everything is in the frame of A's meridian, [m]; the normal points from A to B.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.geometry.revolved.edges import with_broken_edges
from detent.geometry.revolved.inside import Floats
from detent.geometry.revolved.meridian import Meridian
from detent.numeric.kernels import kernel

SAMPLES = 32
_FINER = 8  # samples between two of these where something may touch
COLUMNS = 15  # of a row: gap, normal, point of A, point of B, pieces of A and B, angles about A and B, flag
GAP, NORMAL, POINT_A, POINT_B, PIECE_A, PIECE_B, ANGLE_A, ANGLE_B, LEAST = 0, 1, 4, 7, 10, 11, 12, 13, 14
ROOM = 32  # rows of a table of contacts
ANGLES = 6  # nearest points of one circle, at most
FOUND = 11  # columns of a contact as it is found
_SAME = 1e-9  # [m] between contacts that are one
_WITHIN = 1e-9  # of a turn and of lengths in metres: how far beyond its bounds a piece still counts
_LEVEL = (
    1e-12  # [m a radian]: slopes below it are rounding, and a distance whose slopes are all below is even
)
_FLAT = 1e-14  # [m a radian]: a nearest point is found to it
_INTO = 2e-8  # [m]: a fifth of the 0.1 micrometre that parts may overlap by, twice what touching is known to
_DEEP = 1e-3  # [m] behind a piece, beyond which it is not what is met


def round_table(meridian: Meridian, metres: float) -> Floats:
    """(pieces, 8) for the kernels: a kind and seven numbers.

    Of an arc (0) its circle, radius, middle normal, cosine of half its angle and whether it bulges; of a line
    (1) its start, direction, length and normal.
    """
    rows = []
    for piece in with_broken_edges(meridian.pieces, metres):
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


def sample_rounds() -> tuple[Floats, Floats]:
    """A hole of 40 mm with a rim of 6, and a peg of 39.9 with a rim of 4."""
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


@kernel(sample=lambda: (sample_rounds()[0], 0.021, 0.004), bare=True)
def foot(table, rho, u):  # type: ignore[no-untyped-def]
    """The nearest piece to a point: distance (below zero within), normal (rho, u), piece, or -1 of none.

    Of a point within it is the piece that it is least deep behind; of one beside a thin plate the face before
    it, not the other one behind it.
    """
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
        if distance > -_DEEP and abs(distance) < abs(best):
            best, n_rho, n_u, piece = distance, a, b, k
    return best, n_rho, n_u, piece


@kernel(sample=lambda: (sample_rounds()[0], np.eye(4), 0.0199, 0.1, 0.3), bare=True)
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


@kernel(sample=lambda: (sample_rounds()[0], np.eye(4), 0.0199, 0.1, 0.3, 0.5), bare=True)
def least_between(table, pose, radius, height, low, high):  # type: ignore[no-untyped-def]
    """The angle at which the slope vanishes, by the Illinois variant of regula falsi; below zero at `low`."""
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
        if abs(slope) <= _FLAT or abs(b - a) <= 1e-14:
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


@kernel(
    sample=lambda: (sample_rounds()[0], 1, sample_rounds()[1], np.eye(4)[:3], 1e-3, 1e-4, np.zeros(ANGLES)),
    bare=True,
)
def angles_on_circle(own, k, other, pose, reach, even, angles):  # type: ignore[no-untyped-def]
    """Angles where a circle is nearest to the other body, nearer than `reach`: how many, and whether even.

    The distance changes no faster by the angle than the circle's points do across the other's meridian: so
    between two samples it is no less than their mean, less half of a step at that rate. Where that leaves
    room for `reach`, finer samples are looked at.
    """
    radius, height, tube = own[k, 1], own[k, 2], own[k, 3]
    step = math.tau / SAMPLES
    count, low, high = 0, 1e9, -1e9
    lost = 0.5 * step * fastest(pose, radius, height)
    first, first_slope, _, _, _, piece, _, _, _ = on_circle(other, pose, radius, height, 0.0)
    if first - tube > reach + 2.0 * abs(radius):
        return 0, False
    last, last_slope, whole = first, first_slope, piece >= 0
    for i in range(1, SAMPLES + 1):
        if i == SAMPLES:
            distance, slope = first, first_slope
        else:
            distance, slope, _, _, _, piece, _, _, _ = on_circle(other, pose, radius, height, i * step)
            whole = whole and piece >= 0
        low, high = min(low, distance), max(high, distance)
        near = 0.5 * (last + distance) - lost - tube < reach
        near = near or min(last, distance) > 1e8 or max(last, distance) > 1e8
        before = last_slope
        for j in range(_FINER if near else 0):
            angle = (i - 1 + (j + 1) / _FINER) * step
            after = slope
            if j + 1 < _FINER:
                after = on_circle(other, pose, radius, height, angle)[1]
            if before < -_LEVEL and after >= -_LEVEL and count < ANGLES:
                angles[count] = least_between(other, pose, radius, height, angle - step / _FINER, angle)
                count += 1
            before = after
        last, last_slope = distance, slope
    if high - low < 10 * _LEVEL:
        count = 0
    return count, high - low < max(even, 10 * _LEVEL) and low - tube < reach


@kernel(sample=lambda: (np.eye(4)[:3], 0.0199, 0.1), bare=True)
def fastest(pose, radius, height):  # type: ignore[no-untyped-def]
    """How far across the other's meridian a circle's points go by the angle, at most [m a radian].

    Their height by the circle's lean; their radius by how far its centre is off the axis, as
    rho rho' = radius (centre . tangent) - (height off the centre's) (its rate).
    """
    radius = abs(radius)
    off_x, off_y = pose[0, 2] * height + pose[0, 3], pose[1, 2] * height + pose[1, 3]
    off, lean = math.sqrt(off_x * off_x + off_y * off_y), math.sqrt(pose[2, 0] ** 2 + pose[2, 1] ** 2)
    inner = radius * math.sqrt(max(0.0, 1.0 - lean * lean)) - off
    if inner <= 0.1 * radius:
        return radius
    across = (radius * off + (radius * lean) ** 2) / inner
    return min(radius, math.sqrt(across * across + (radius * lean) ** 2))


@kernel(
    sample=lambda: (sample_rounds()[0], 1, sample_rounds()[1], np.eye(4)[:3], 0, 0.3, np.zeros(FOUND)),
    bare=True,
)
def at_angle(own, k, other, pose, side, angle, found):  # type: ignore[no-untyped-def]
    """The contact at an angle of a circle, in the other's frame; whether it is one within its bounds.

    Fills gap, normal out of the other body, the circle's point, the other's, the other's piece. A point that
    is not the nearest of its circle is on the tube's ball there, which is material, too: where it is deeper
    than `_INTO`, that is an overlap whatever its normal. Circles of the second body (side 1) leave to
    those of the first what both are.
    """
    distance, _, nx, ny, nz, piece, x, y, z = on_circle(other, pose, own[k, 1], own[k, 2], angle)
    tube = own[k, 3]
    found[0], found[1], found[2], found[3] = distance - tube, nx, ny, nz
    found[4], found[5], found[6] = x - tube * nx, y - tube * ny, z - tube * nz
    found[7], found[8], found[9] = x - distance * nx, y - distance * ny, z - distance * nz
    found[10] = piece
    if piece < 0 or (side == 1 and other[piece, 0] == 0.0 and other[piece, 7] > 0.0):
        return False
    if found[0] < -_INTO:
        return True
    # The circle's own normal, in its frame, lies opposite: only where its arc has one.
    ox = pose[0, 0] * nx + pose[1, 0] * ny + pose[2, 0] * nz
    oy = pose[0, 1] * nx + pose[1, 1] * ny + pose[2, 1] * nz
    oz = pose[0, 2] * nx + pose[1, 2] * ny + pose[2, 2] * nz
    across, along = -(ox * math.cos(angle) + oy * math.sin(angle)), -oz
    if own[k, 1] < 0.0:
        across = -across
    size = math.sqrt(across * across + along * along)
    return across * own[k, 4] + along * own[k, 5] >= size * own[k, 6] - _WITHIN


@kernel(sample=lambda: (*sample_rounds(), np.eye(4), np.eye(4), 1e-3, 1e-4, np.zeros((ROOM, COLUMNS))))
def nearest_rows(table_A, table_B, pose_AB, pose_BA, reach, even, rows):  # type: ignore[no-untyped-def]
    """Fill rows with all contacts nearer than `reach`; how many there are."""
    count = 0
    angles, found = np.zeros(ANGLES), np.zeros(FOUND)
    for side in range(2):
        own = table_A if side == 0 else table_B
        other = table_B if side == 0 else table_A
        pose = pose_BA if side == 0 else pose_AB  # from the circle's frame to the other's
        for k in range(own.shape[0]):
            if own[k, 0] != 0.0 or own[k, 7] < 0.0:
                continue
            least, even_all_round = angles_on_circle(own, k, other, pose, reach, even, angles)
            for i in range(least + (4 if even_all_round else 0)):
                angle = angles[i] if i < least else (i - least) * math.tau / 4
                inside = at_angle(own, k, other, pose, side, angle, found)
                if inside and found[0] < reach and count < rows.shape[0]:
                    flag = 1.0 if i < least else 0.0
                    count += append_row(own, k, pose_AB, side, angle, flag, found, rows, count)
    return count


@kernel(
    sample=lambda: (
        sample_rounds()[0], 1, np.eye(4), 0, 0.3, 1.0, np.ones(FOUND), np.zeros((ROOM, COLUMNS)), 0
    ),
    bare=True,
)  # fmt: skip
def append_row(own, k, pose_AB, side, angle, flag, found, rows, count):  # type: ignore[no-untyped-def]
    """Write a contact into A's frame; 0 where it is there already, as where two pieces meet."""
    row = rows[count]
    if side == 0:  # found in B's frame, its normal leaves B
        for i in range(3):
            row[1 + i], row[4 + i], row[7 + i] = 0.0, pose_AB[i, 3], pose_AB[i, 3]
            for j in range(3):
                row[1 + i] -= pose_AB[i, j] * found[1 + j]
                row[4 + i] += pose_AB[i, j] * found[4 + j]
                row[7 + i] += pose_AB[i, j] * found[7 + j]
        row[10], row[11] = k, found[10]
        row[12], row[13] = angle, math.atan2(found[8], found[7])
    else:
        for i in range(3):
            row[1 + i], row[4 + i], row[7 + i] = found[1 + i], found[7 + i], found[4 + i]
        row[10], row[11] = found[10], k
        row[12], row[13] = math.atan2(found[8], found[7]), angle
    row[0], row[14] = found[0], flag
    for i in range(count):
        apart = abs(rows[i, 4] - row[4]) + abs(rows[i, 5] - row[5]) + abs(rows[i, 6] - row[6])
        if abs(rows[i, 0] - row[0]) < _SAME and apart < _SAME:
            return 0
    return 1


def nearest_rounds(
    table_A: Floats, table_B: Floats, pose_AB: Any, *, reach: float, even: float = 0.0
) -> Floats:
    """(contacts, COLUMNS) of two meridians; `pose_AB` puts B's frame into A's, [m]."""
    pose = np.ascontiguousarray(pose_AB, float)
    rows = np.empty((ROOM, COLUMNS))
    count = nearest_rows(table_A, table_B, pose, np.linalg.inv(pose), reach, even, rows)
    return rows[:count].copy()
