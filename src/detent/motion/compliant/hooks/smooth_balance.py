"""The balance of a hook whose friction follows a velocity, compiled: Newton for contacts that are known.

    K q + (K / creep) (q - q0) = sum of lambda (N - mu tanh(v / smooth) v / |v|) by the rates of their points
    gap + lambda / k = 0

v is the hook's velocity past the counterpart along the surface, with the hook's own at the least of the
support's energy. Contacts are a corner over the plane of a face, or two edges as lines. Rotations are exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.contact.space_candidates import CORNER_FACE
from detent.numeric.dense import factor_general, solve_general
from detent.numeric.kernels import kernel

NONE, FOUND = range(2)
# Entries of the units.
ENERGY, LENGTH, SMOOTH, CREEP = range(4)
# Columns of what is seen of a contact.
GAP, POINT, NORMAL, COLUMN = 0, 1, 4, 7
SEEN = 10
SHAPE = 15  # numbers of a contact: face and corner, or two edges
_ITERATIONS = 14
# Of the scales of energy and length: a residual so small is rounding of what it is made of.
_SOLVED = 1e-12
# What it may be where friction leaves fewer digits.
_NEARLY = 1e-8
_STEP = 1e-7  # of the length: a difference for derivatives, which leaves half of the digits
_SMALL = 1e-4  # [rad] below this the series of a rotation's rates is exact to rounding
_EPS = 2.220446049250313e-16


def sample_hook() -> tuple[Any, ...]:
    """A hook on a spring that turns and sinks, under a driven block."""
    frames, stiffness = np.stack([np.eye(4)] * 3), np.diag([4e3, 0.5])
    support = np.stack([np.eye(4), np.eye(4)])
    return (
        frames, np.array([0, 0, 1]), np.array([1, 0]), np.array([2, 4]), stiffness, np.linalg.inv(stiffness),
        support, np.zeros(3), np.array([0.01, 1.0]), np.array([0.5, 0.01, 1e-3, 0.0]),
    )  # fmt: skip


def sample_mode() -> tuple[Any, ...]:
    """A corner of the block on the hook's face; the formula, the bodies, whether they are exchanged."""
    shapes = np.zeros((1, SHAPE))
    shapes[0, :9] = [0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 8e-3, 0.0, -1e-4]
    return np.array([[CORNER_FACE, 1, 2, 0]]), shapes, np.array([0.3]), np.array([[1e-7]])


def sample_motion() -> tuple[Any, ...]:
    """Where the world's frame has gone with what is pushed, its velocity, the point that this is of."""
    return np.eye(4), np.array([-0.02, 0.0, 0.0, 0.0, 0.0, 0.0]), np.zeros(3)


def room_of(bodies: int, free: int, contacts: int) -> tuple[Any, ...]:
    """Frames, what is seen of contacts, loads of contacts, rates of the hook's place, its point."""
    return (
        np.zeros((bodies, 4, 4)), np.zeros((contacts, SEEN)), np.zeros((free, contacts)),
        np.zeros((2, 3, free)), np.zeros(3),
    )  # fmt: skip


@kernel(sample=lambda: (np.eye(4), np.eye(4), np.zeros((4, 4))), bare=True, inlined=True)
def compose(one, other, product):  # type: ignore[no-untyped-def]
    """Of two frames, into the third."""
    for i in range(3):
        for j in range(4):
            total = one[i, 3] if j == 3 else 0.0
            for k in range(3):
                total += one[i, k] * other[k, j]
            product[i, j] = total
    product[3, 0], product[3, 1], product[3, 2], product[3, 3] = 0.0, 0.0, 0.0, 1.0


@kernel(sample=lambda: (np.array([0.1, -0.2, 0.3]), np.zeros((3, 3)), np.zeros((3, 3))), bare=True)
def turned_by(vector, turned, rates):  # type: ignore[no-untyped-def]
    """The rotation of a vector, and the angular velocity by its rate: the left Jacobian."""
    x, y, z = vector[0], vector[1], vector[2]
    square = x * x + y * y + z * z
    angle = math.sqrt(square)
    if angle < _SMALL:
        sine, first, second = 1.0 - square / 6.0, 0.5 - square / 24.0, 1.0 / 6.0
    else:
        half = math.sin(0.5 * angle) / angle
        sine, first = math.sin(angle) / angle, 2.0 * half * half
        second = (angle - math.sin(angle)) / (square * angle)
    for i in range(3):
        for j in range(3):
            outer = vector[i] * vector[j] - (square if i == j else 0.0)
            turned[i, j] = first * outer + (1.0 if i == j else 0.0)
            rates[i, j] = second * outer + (1.0 if i == j else 0.0)
    for i, j, part in ((0, 1, -z), (0, 2, y), (1, 2, -x)):
        turned[i, j] += sine * part
        turned[j, i] -= sine * part
        rates[i, j] += first * part
        rates[j, i] -= first * part


@kernel(
    sample=lambda: (sample_hook(), np.array([1e-3, 0.1]), sample_motion(), room_of(3, 2, 1)),
)
def place_hook(hook, q, motion, room):  # type: ignore[no-untyped-def]
    """Frames of all bodies, and how the hook's end goes and turns with its coordinates, into the room."""
    drawn, driven, bodies, free, support, end = hook[0], hook[1], hook[2], hook[3], hook[6], hook[7]
    frames, rates, point = room[0], room[3], room[4]
    for body in range(len(drawn)):
        if driven[body] == 1:
            compose(motion[0], drawn[body], frames[body])
        else:
            frames[body] = drawn[body]
    vector = np.zeros(6)
    for k in range(len(free)):
        vector[free[k]] = q[k]
    turned, turning = np.zeros((3, 3)), np.zeros((3, 3))
    turned_by(vector[3:], turned, turning)
    axes, local = np.zeros((4, 4)), np.zeros((4, 4))
    compose(frames[bodies[1]], support[0], axes)
    for i in range(3):
        at = end[i] + vector[i]
        for j in range(3):
            total = 0.0
            for k in range(3):
                total += turned[i, k] * support[1, k, j]
            local[i, j] = total
            at += turned[i, j] * (support[1, j, 3] - end[j])
        local[i, 3] = at
    compose(axes, local, frames[bodies[0]])
    for i in range(3):
        point[i] = axes[i, 3]
        for j in range(3):
            point[i] += axes[i, j] * (end[j] + vector[j])
        for k in range(len(free)):
            rates[0, i, k], rates[1, i, k] = 0.0, 0.0
            if free[k] < 3:
                rates[0, i, k] = axes[i, free[k]]
            else:
                for j in range(3):
                    rates[1, i, k] += axes[i, j] * turning[j, free[k] - 3]


@kernel(sample=lambda: (np.eye(4), np.ones(15), 3, False, np.zeros(3)), bare=True, inlined=True)
def placed(frame, shape, first, is_point, out):  # type: ignore[no-untyped-def]
    """Three of the shape's numbers as a point of the frame, or as a direction."""
    for i in range(3):
        total = frame[i, 3] if is_point else 0.0
        for j in range(3):
            total += frame[i, j] * shape[first + j]
        out[i] = total


@kernel(
    sample=lambda: (
        sample_mode()[0][0], sample_mode()[1][0], np.stack([np.eye(4)] * 3), np.zeros(SEEN), np.zeros((6, 3)),
    ), bare=True
)  # fmt: skip
def meet(contact, shape, frames, seen, at):  # type: ignore[no-untyped-def]
    """Gap, point on the second body, normal from the first to the second."""
    a, b = frames[contact[1]], frames[contact[2]]
    if contact[0] == CORNER_FACE:
        on, of, sign = (b, a, -1.0) if contact[3] == 1 else (a, b, 1.0)
        placed(on, shape, 0, True, at[0])
        placed(on, shape, 3, False, at[1])
        placed(of, shape, 6, True, at[2])
        gap = 0.0
        for i in range(3):
            gap += at[1, i] * (at[2, i] - at[0, i])
        seen[GAP] = gap
        for i in range(3):
            seen[POINT + i] = at[2, i] - (gap * at[1, i] if sign < 0.0 else 0.0)
            seen[NORMAL + i] = sign * at[1, i]
        return
    placed(a, shape, 0, True, at[0])
    placed(a, shape, 3, False, at[1])
    placed(a, shape, 6, False, at[2])
    placed(b, shape, 9, True, at[3])
    placed(b, shape, 12, False, at[4])
    one, other, normal = at[1], at[4], at[5]
    normal[0] = one[1] * other[2] - one[2] * other[1]
    normal[1] = one[2] * other[0] - one[0] * other[2]
    normal[2] = one[0] * other[1] - one[1] * other[0]
    size, into, gap = 0.0, 0.0, 0.0
    for i in range(3):
        size += normal[i] * normal[i]
        into += normal[i] * at[2, i]
    size = math.sqrt(size) * (-1.0 if into > 0.0 else 1.0)
    for i in range(3):
        normal[i] /= size
        gap += normal[i] * (at[3, i] - at[0, i])
    # Along b's edge to where it is nearest to a's line: across the plane of a's edge and the normal.
    x = one[1] * normal[2] - one[2] * normal[1]
    y = one[2] * normal[0] - one[0] * normal[2]
    z = one[0] * normal[1] - one[1] * normal[0]
    short = (at[3, 0] - at[0, 0]) * x + (at[3, 1] - at[0, 1]) * y + (at[3, 2] - at[0, 2]) * z
    short /= other[0] * x + other[1] * y + other[2] * z
    seen[GAP] = gap
    for i in range(3):
        seen[POINT + i] = at[3, i] - other[i] * short
        seen[NORMAL + i] = normal[i]


@kernel(
    sample=lambda: (sample_hook(), sample_mode(), np.array([1e-3, 0.1]), sample_motion(), room_of(3, 2, 1)),
)
def see_contacts(hook, mode, q, motion, room):  # type: ignore[no-untyped-def]
    """What contacts do at some coordinates: gap, point, normal towards the hook, the force by a pressure of
    one and its load on the coordinates, into the room."""
    driven, bodies, bends, units = hook[1], hook[2], hook[5], hook[9]
    contacts, shapes, friction, gives = mode
    velocity, pivot = motion[1], motion[2]
    place_hook(hook, q, motion, room)
    frames, seen, loads, rates, point = room
    n, u = len(q), len(contacts)
    at, past, moving = np.zeros((6, 3)), np.zeros((u, 3)), np.zeros((u, 3, n))
    closing, rows = np.zeros(u), np.zeros((u, n))
    for c in range(u):
        meet(contacts[c], shapes[c], frames, seen[c], at)
        other = contacts[c, 1]
        if contacts[c, 2] != bodies[0]:
            other = contacts[c, 2]
            for i in range(3):
                seen[c, NORMAL + i] = -seen[c, NORMAL + i]
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            arm_j, arm_k = seen[c, POINT + j] - pivot[j], seen[c, POINT + k] - pivot[k]
            goes = velocity[i] + velocity[3 + j] * arm_k - velocity[3 + k] * arm_j
            past[c, i] = (goes if driven[bodies[1]] == 1 else 0.0) - (goes if driven[other] == 1 else 0.0)
            arm_j, arm_k = seen[c, POINT + j] - point[j], seen[c, POINT + k] - point[k]
            for f in range(n):
                moving[c, i, f] = rates[0, i, f] + rates[1, j, f] * arm_k - rates[1, k, f] * arm_j
            closing[c] += seen[c, NORMAL + i] * past[c, i]
            for f in range(n):
                rows[c, f] += seen[c, NORMAL + i] * moving[c, i, f]
    if u == 0:
        return
    # The hook's speeds: contacts close no faster than they give way, at the least of the support's energy.
    met = np.zeros((u, u))
    bent = bends @ np.ascontiguousarray(rows.T)
    for c in range(u):
        for d in range(u):
            met[c, d] = gives[c, d]
            for f in range(n):
                met[c, d] += rows[c, f] * bent[f, d]
    speeds = bent @ np.linalg.lstsq(met, -closing, _EPS * u)[0]
    for c in range(u):
        size, along = 0.0, 0.0
        for i in range(3):
            for f in range(n):
                past[c, i] += moving[c, i, f] * speeds[f]
            along += seen[c, NORMAL + i] * past[c, i]
        for i in range(3):
            past[c, i] -= along * seen[c, NORMAL + i]
            size += past[c, i] * past[c, i]
        size = math.sqrt(size)
        rubs = friction[c] * math.tanh(size / units[SMOOTH]) / size if size > 0.0 else 0.0
        for f in range(n):
            loads[f, c] = 0.0
        for i in range(3):
            seen[c, COLUMN + i] = seen[c, NORMAL + i] - rubs * past[c, i]
            for f in range(n):
                loads[f, c] += seen[c, COLUMN + i] * moving[c, i, f]


@kernel(
    sample=lambda: (
        sample_hook(), sample_mode(), np.array([1e-3, 0.1]), np.ones(1), sample_motion(), room_of(3, 2, 1),
        room_of(3, 2, 1), np.zeros((3, 3)),
    )
)  # fmt: skip
def balance_rates(hook, mode, q, forces, motion, room, moved, jacobian):  # type: ignore[no-untyped-def]
    """Of the balance by coordinates and forces, in their scales, at what the room has seen at q."""
    stiffness, scales, units, gives = hook[4], hook[8], hook[9], mode[3]
    n, u = len(q), len(forces)
    energy, length = units[ENERGY], units[LENGTH]
    force = energy / length
    there = q.copy()
    for k in range(n):
        there[k] = q[k] + _STEP * scales[k]
        see_contacts(hook, mode, there, motion, moved)
        there[k] = q[k]
        for i in range(n):
            carried = 0.0
            for c in range(u):
                carried += (moved[2][i, c] - room[2][i, c]) * forces[c]
            stiff = stiffness[i, k] * (1.0 + units[CREEP])
            jacobian[i, k] = (stiff * scales[k] - carried / _STEP) * scales[i] / energy
        for c in range(u):
            jacobian[n + c, k] = (moved[1][c, GAP] - room[1][c, GAP]) / _STEP / length
    for c in range(u):
        for i in range(n):
            jacobian[i, n + c] = -room[2][i, c] * force * scales[i] / energy
        for d in range(u):
            jacobian[n + d, n + c] = gives[d, c] * force / length


@kernel(
    sample=lambda: (
        sample_hook(), sample_mode(), np.array([0.0, 0.05]), np.array([0.0, 0.05]), np.zeros(1),
        sample_motion(), room_of(3, 2, 1),
    )
)  # fmt: skip
def balance_hook(hook, mode, start, q, forces, motion, room):  # type: ignore[no-untyped-def]
    """The balance near q, into q, the forces and the room; NONE where Newton finds none. `start` is where the
    hook creeps from."""
    stiffness, scales, units, gives = hook[4], hook[8], hook[9], mode[3]
    n, u = len(q), len(forces)
    energy, length, creep = units[ENERGY], units[LENGTH], units[CREEP]
    force = energy / length
    moved = (np.zeros_like(room[0]), np.zeros((u, SEEN)), np.zeros((n, u)), np.zeros((2, 3, n)), np.zeros(3))
    jacobian, residual, order = np.zeros((n + u, n + u)), np.zeros(n + u), np.zeros(n + u, np.int64)
    factored = False
    see_contacts(hook, mode, q, motion, room)
    if u > 0:
        wanted = stiffness @ q * (1.0 + creep) - stiffness @ start * creep
        forces[:] = np.linalg.lstsq(room[2], wanted, _EPS * max(n, u))[0]
    last = math.inf
    for _ in range(_ITERATIONS):
        size = 0.0
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += stiffness[i, j] * (q[j] * (1.0 + creep) - start[j] * creep)
            for c in range(u):
                total -= room[2][i, c] * forces[c]
            residual[i] = total * scales[i] / energy
            size = max(size, abs(residual[i]))
        for c in range(u):
            total = room[1][c, GAP]
            for d in range(u):
                total += gives[c, d] * forces[d]
            residual[n + c] = total / length
            size = max(size, abs(residual[n + c]))
        for i in range(n + u):
            if not abs(residual[i]) < 1e300:
                return NONE
        if size < _SOLVED or (size < _NEARLY and size > last / 2):
            return FOUND
        if not factored or size > last / 20:
            balance_rates(hook, mode, q, forces, motion, room, moved, jacobian)
            if not factor_general(jacobian, order):
                return NONE
            factored = True
        last = size
        solve_general(jacobian, order, residual)
        for i in range(n):
            if not abs(residual[i]) < 1.0:
                return NONE
        for i in range(n):
            q[i] -= residual[i] * scales[i]
        for c in range(u):
            forces[c] -= residual[n + c] * force
        see_contacts(hook, mode, q, motion, room)
    return FOUND if last < _NEARLY else NONE
