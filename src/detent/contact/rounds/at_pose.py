"""Circles of round bodies at poses: which places of them touch, and one place followed wherever it goes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.rounds.candidates import QUARTERS, SLOTS
from detent.geometry.revolved.nearest import (
    ANGLES,
    FOUND,
    angles_on_circle,
    at_angle,
    least_between,
    on_circle,
    sample_rounds,
)
from detent.numeric.kernels import kernel

# [rad] within which a nearest point is the one that was followed until then; two are a quarter turn apart.
_SAME = 0.7
# [rad]: how far a nearest point is followed at once, and the step from which its curvature is taken.
_FOLLOWED, _APART = 0.3, 1e-3
_BESIDE = 0.6  # [rad] between a nearest point and a point at a quarter that is left out beside it
_EVEN_SLOTS = 2  # nearest points of a circle that is as far all round: one wave and one double wave
_LEVEL = 1e-14  # [m a radian]: a slope below it is zero
# Of the columns of what is found: gap, point, normal.
FOLLOWED = 7


def sample_tables() -> tuple[Any, ...]:
    """A hole and a peg in it: pieces, starts, frames, bodies, circles; their list; poses of both bodies."""
    hole, peg = sample_rounds()
    frames = np.tile(np.eye(4)[:3], (2, 1, 1))
    circles = np.array([[1, 0, 1, 0], [4, 1, 0, 1]])
    matrices = np.tile(np.eye(4)[:3], (2, 1, 1))
    matrices[1, :, 3] = 3e-5, 1e-5, -0.07
    tables = np.vstack([hole, peg]), np.array([0, 3, 6]), frames, np.array([0, 1]), circles
    listed = np.array([[2, c, slot, 0, c] for c in range(2) for slot in range(SLOTS)])
    return tables, listed, matrices


def room_for_rounds() -> tuple[Any, ...]:
    """Room for poses of a circle in the other's frame, in the world, of the other; angles; what is found."""
    poses = np.zeros((3, 4)), np.zeros((3, 4)), np.zeros((3, 4))
    return *poses, np.zeros(ANGLES), np.zeros(FOUND), np.zeros(SLOTS)


@kernel(sample=lambda: (np.eye(4)[:3], np.eye(4)[:3], np.zeros((3, 4))), bare=True)
def pose_product(first, second, result):  # type: ignore[no-untyped-def]
    """Writes the product of two poses (3, 4)."""
    for i in range(3):
        for j in range(4):
            total = first[i, 3] if j == 3 else 0.0
            for k in range(3):
                total += first[i, k] * second[k, j]
            result[i, j] = total


@kernel(sample=lambda: (*(sample_tables()[k] for k in (0, 2)), 0, room_for_rounds()), bare=True)
def place_circle(tables, matrices, circle, room):  # type: ignore[no-untyped-def]
    """Writes where a circle's frame stands in the other meridian's, and both in the world."""
    _, _, frames, bodies, circles = tables
    relative, own_world, other_world = room[0], room[1], room[2]
    own, other = circles[circle, 1], circles[circle, 2]
    pose_product(matrices[bodies[own]], frames[own], own_world)
    pose_product(matrices[bodies[other]], frames[other], other_world)
    for i in range(3):
        for j in range(4):
            total = 0.0
            for k in range(3):
                away = own_world[k, j] - other_world[k, 3] if j == 3 else own_world[k, j]
                total += other_world[k, i] * away
            relative[i, j] = total


@kernel(sample=lambda: (0, np.ones(FOUND), room_for_rounds(), np.zeros(FOLLOWED)), bare=True)
def to_world(flipped, found, room, values):  # type: ignore[no-untyped-def]
    """Writes gap, point and normal, from the pair's first body to its second; the point is the second's."""
    other_world = room[2]
    values[0] = found[0]
    sign = 1.0 if flipped == 1 else -1.0  # what was found leaves the other body
    at = 4 if flipped == 1 else 7
    for i in range(3):
        values[1 + i], values[4 + i] = other_world[i, 3], 0.0
        for j in range(3):
            values[1 + i] += other_world[i, j] * found[at + j]
            values[4 + i] += sign * other_world[i, j] * found[1 + j]


@kernel(sample=lambda: (np.ones(3), room_for_rounds()[1]), bare=True)
def angle_of(point, own_world):  # type: ignore[no-untyped-def]
    """The angle of a point of the world about a circle's axis."""
    x, y = 0.0, 0.0
    for k in range(3):
        away = point[k] - own_world[k, 3]
        x += own_world[k, 0] * away
        y += own_world[k, 1] * away
    return math.atan2(y, x)


@kernel(sample=lambda: (sample_rounds()[0], np.eye(4)[:3], 0.0199, 0.1, 0.3), bare=True)
def nearest_from(other, pose, radius, height, angle):  # type: ignore[no-untyped-def]
    """The angle of the nearest point of a circle near a given one; that itself where there is none."""
    slope = on_circle(other, pose, radius, height, angle)[1]
    if abs(slope) <= _LEVEL:
        return angle
    down = 1.0 if slope < 0.0 else -1.0
    last, step = angle, _APART
    while step <= _FOLLOWED:
        beside = angle + down * step
        if down * on_circle(other, pose, radius, height, beside)[1] > 0.0:
            if down > 0.0:
                return least_between(other, pose, radius, height, last, beside)
            return least_between(other, pose, radius, height, beside, last)
        last = beside
        step *= 4.0
    return angle


@kernel(
    sample=lambda: (
        sample_tables()[0], sample_tables()[1][0], sample_tables()[2], room_for_rounds(),
        np.array([0.0, 0.02, 0.0, 0.0, 0.0, 0.0, 1.0]),
    ),
    bare=True,
)  # fmt: skip
def follow_round(tables, row, matrices, room, found):  # type: ignore[no-untyped-def]
    """Gap, point and normal of a candidate, whether or not it is within bounds; `found` has those before."""
    pieces, starts, _, _, circles = tables
    circle, slot, flipped = row[1], row[2], row[4]
    place_circle(tables, matrices, circle, room)
    k, other = circles[circle, 0], circles[circle, 2]
    against = pieces[starts[other] : starts[other + 1]]
    if slot >= QUARTERS:
        angle = (slot - QUARTERS) * math.tau / 4
    else:
        angle = nearest_from(against, room[0], pieces[k, 1], pieces[k, 2], angle_of(found[1:4], room[1]))
    at_angle(pieces, k, against, room[0], flipped, angle, room[4])
    if room[4][10] >= 0.0:
        to_world(flipped, room[4], room, found)


@kernel(
    sample=lambda: (
        *sample_tables(), 0, 12, 1e-3, 1e-5, 0, np.zeros(2, np.int64), np.zeros((2, FOLLOWED)),
        room_for_rounds(), np.zeros(12, np.int64), np.zeros((12, FOLLOWED)), 0,
    ),
    bare=True,
)  # fmt: skip
def find_rounds(  # type: ignore[no-untyped-def]
    tables, listed, matrices, first, last, within, even, n, chosen, carried, room, found, values, count
):  # fmt: skip
    """Appends the candidates of these rows that are nearer than `within`, with their columns; counts all.

    `chosen` and `carried` are those that acted: a nearest point goes on as the one that was there before.
    """
    pieces, starts, _, _, circles = tables
    angles, at, taken = room[3], room[4], room[5]
    for row in range(first, last, SLOTS):
        circle, flipped = listed[row, 1], listed[row, 4]
        place_circle(tables, matrices, circle, room)
        k, other = circles[circle, 0], circles[circle, 2]
        against = pieces[starts[other] : starts[other + 1]]
        least, even_all_round = angles_on_circle(pieces, k, against, room[0], within, even, angles)
        for slot in range(SLOTS):
            taken[slot] = 0.0
        if even_all_round:
            for slot in range(_EVEN_SLOTS, QUARTERS):  # more would be rounding's, and the quarters are there
                taken[slot] = 1.0
            # Quarters that a nearest point is beside would say the same again.
            for i in range(least):
                for quarter in range(4):
                    turned = angles[i] - quarter * math.tau / 4
                    if abs((turned + math.pi) % math.tau - math.pi) < _BESIDE:
                        taken[QUARTERS + quarter] = 1.0
        for pass_ in range(2):  # those that go on, then new ones
            for i in range(least):
                if math.isinf(angles[i]):
                    continue
                inside = at_angle(pieces, k, against, room[0], flipped, angles[i], at)
                if not inside or at[0] >= within or count >= len(found):
                    angles[i] = math.inf
                    continue
                slot = slot_of(row, angles[i], n, chosen, carried, room, taken, pass_)
                if slot < 0:
                    continue
                taken[slot], angles[i] = 1.0, math.inf
                found[count] = row + slot
                to_world(flipped, at, room, values[count])
                count += 1
        if even_all_round:
            for quarter in range(4):
                if taken[QUARTERS + quarter] > 0.0:
                    continue
                inside = at_angle(pieces, k, against, room[0], flipped, quarter * math.tau / 4, at)
                if inside and at[0] < within and count < len(found):
                    found[count] = row + QUARTERS + quarter
                    to_world(flipped, at, room, values[count])
                    count += 1
    return count


@kernel(
    sample=lambda: (
        0, 0.3, 1, np.zeros(2, np.int64), np.ones((2, FOLLOWED)), room_for_rounds(), np.zeros(SLOTS), 0
    ),
    bare=True,
)  # fmt: skip
def slot_of(row, angle, n, chosen, carried, room, taken, pass_):  # type: ignore[no-untyped-def]
    """The place of a nearest point: that of the one it was, in the second pass a free one; -1 of none."""
    for slot in range(QUARTERS):
        if taken[slot] > 0.0:
            continue
        acted = -1
        for i in range(n):
            if chosen[i] == row + slot:
                acted = i
        if pass_ == 0 and acted >= 0:
            turned = angle - angle_of(carried[acted, 1:4], room[1])
            if abs((turned + math.pi) % math.tau - math.pi) < _SAME:
                return slot
        if pass_ == 1:
            return slot
    return -1
