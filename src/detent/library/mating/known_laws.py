"""Force laws that a compiled step can call: a row of numbers, its kind first; and all of a system's laws.

The ring's is the compiled twin of `oring.py`, which has its equations and the departures from the paper; a
test lays both side by side. Places and loads are those of the ring's centre on the bore's axes, z along the
bore. The laws of a system are how their reference points move with its coordinates, (k, 6, n), where these
are as drawn, (k, 6), and their numbers, (k, m).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

NO_LAW, RING = range(2)
# Entries of a ring's numbers; then a row of each wall.
KIND, TUBE, GROOVE, C1, C2, FRICTION, IN_GROOVE, SMOOTH, WALLS, FIRST = range(10)
# Entries of a wall: `compressed` by either sense of motion where it is a cylinder's (1 or -1), else 0.
START, END, AT, MIDDLE, SLOPE, BEND, IS_ARC, FORWARD, BACKWARD, WALL = range(10)
BRANCHES = 64  # of one law, at most
# Of a law's place [m, rad] and speed [m/s, rad/s]: differences that give its derivatives.
_BESIDE, _FASTER = 1e-7, 1e-6
_SLACK = 1e-12  # of a wall's length, within which a contact at its end counts as on it


def sample_law() -> Any:
    """A ring before a cylinder of 13 mm with a rounded rim."""
    ring = [float(RING), 1.575e-3, 10e-3, 1.6e7, 4.3e10, 0.3, 0.3, 2e-3, 2.0]
    rim = [0.0, 3e-3, 3e-3, 16e-3, 0.0, 3e-3, 1.0, 0.0, 0.0]
    return np.array([*ring, *rim, 3e-3, 13e-3, 3e-3, 13e-3, 0.0, 0.0, 0.0, 1.0, 1.0])


@kernel(sample=lambda: (sample_law(), 1.5e-3, np.zeros(2)), bare=True)
def lay_ring(numbers, depth, laid):  # type: ignore[no-untyped-def]
    """The wall that the section lies against at a depth, from 1, 0 for none; its centre's radius and sine."""
    tube, best = numbers[TUBE], 0
    for k in range(int(numbers[WALLS])):
        wall = FIRST + k * WALL
        if numbers[wall + IS_ARC] == 0.0:
            cosine = 1.0 / math.sqrt(1.0 + numbers[wall + SLOPE] ** 2)
            sine = -numbers[wall + SLOPE] * cosine
            at = depth + tube * sine
            radius = (
                numbers[wall + MIDDLE] + numbers[wall + SLOPE] * (at - numbers[wall + AT]) - tube * cosine
            )
        else:
            bend = numbers[wall + BEND]
            reach = bend + tube if bend >= 0.0 else -bend - tube
            if reach <= 0.0 or abs(numbers[wall + AT] - depth) > reach:
                continue
            sine = (numbers[wall + AT] - depth) / reach
            if bend < 0.0:
                sine = -sine
            away = reach * math.sqrt(1.0 - sine * sine)
            radius = numbers[wall + MIDDLE] - away if bend >= 0.0 else numbers[wall + MIDDLE] + away
            at = depth + tube * sine
        slack = _SLACK * max(tube, abs(numbers[wall + START]), abs(numbers[wall + END]))
        on = numbers[wall + START] - slack <= at <= numbers[wall + END] + slack
        if on and (best == 0 or radius < laid[0]):
            best, laid[0], laid[1] = k + 1, radius, sine
    return best


@kernel(
    sample=lambda: (sample_law(), np.array([1e-4, 0, 2e-3]), np.array([0, 0, 0.01]), np.zeros(6)), bare=True
)
def ring_load(numbers, at, velocity, load):  # type: ignore[no-untyped-def]
    """What the bore puts on the ring, at its centre, into `load`; the wall it lies against, 0 for none."""
    for k in range(6):
        load[k] = 0.0
    depth, offset = at[2], math.sqrt(at[0] * at[0] + at[1] * at[1])
    # The load is not written yet: its first two places hold how the ring lies.
    wall = lay_ring(numbers, depth, load)
    radius, sine = load[0], load[1]
    load[0], load[1] = 0.0, 0.0
    squeeze = numbers[GROOVE] + numbers[TUBE] - radius
    if wall == 0 or squeeze + offset <= 0.0:
        return 0
    speed = velocity[2]
    share = math.tanh(speed / numbers[SMOOTH])
    cosine = math.sqrt(1.0 - sine * sine)
    m = numbers[FRICTION] * share
    forward = speed >= 0.0
    compressed = 1.0
    if sine != 0.0:  # of a cylinder it is zero, exactly
        compressed = 1.0 if (sine > 0.0) == forward else -1.0
    else:
        for k in range(int(numbers[WALLS])):
            row = FIRST + k * WALL
            if numbers[row + FORWARD] != 0.0 and numbers[row + START] <= depth <= numbers[row + END]:
                compressed = numbers[row + FORWARD] if forward else numbers[row + BACKWARD]
                break
    g = numbers[IN_GROOVE] * abs(share) * compressed
    axial = sine + m * cosine
    radial = cosine - m * sine
    bracket = radial - g * abs(axial)
    r0, c1, c2 = numbers[GROOVE], numbers[C1], numbers[C2]
    k0, k1, k2 = (c1 + c2 * squeeze) * squeeze, (c1 + 2 * c2 * squeeze) * offset, c2 * offset * offset
    if squeeze >= offset:
        total, first = math.pi * (2 * k0 + k2), math.pi * k1
    else:
        end = math.acos(max(-1.0, min(1.0, -squeeze / offset)))
        s, c = math.sin(end), math.cos(end)
        second, third = end + s * c, 2 * (s - s * s * s / 3)
        total = 2 * k0 * end + 2 * k1 * s + k2 * second
        first = 2 * k0 * s + k1 * second + k2 * third
    if bracket <= 0.0:  # friction locks
        load[2] = math.nan
        return wall
    load[2] = -axial / bracket * r0 * total
    if offset > 1e-12 * numbers[TUBE]:
        across = -radial / bracket * r0 * first / offset
        about = axial / bracket * r0 * r0 * first / offset
        load[0], load[1] = across * at[0], across * at[1]
        # About axis x offset.
        load[3], load[4] = -about * at[1], about * at[0]
    return wall


@kernel(
    sample=lambda: (sample_law(), np.full(6, 1e-4), np.full(6, 0.01), np.zeros(6)), bare=True, separate=True
)
def known_load(numbers, at, velocity, load):  # type: ignore[no-untyped-def]
    """Force and moment at the law's reference point, on its own axes, into `load`; the branch."""
    if numbers[KIND] == RING:
        return ring_load(numbers, at, velocity, load)
    for k in range(6):
        load[k] = 0.0
    return 0


def no_laws(n: int) -> tuple[Any, ...]:
    """Of a system on which none acts."""
    return np.zeros((0, 6, n)), np.zeros((0, 6)), np.zeros((0, FIRST))


def sample_laws(n: int = 2) -> tuple[Any, ...]:
    """One ring before its bore."""
    moves, place = np.zeros((1, 6, n)), np.zeros((1, 6))
    moves[0, 2, 1], place[0, 2] = 1.0, -1e-4
    return moves, place, sample_law()[None]


def law_room(n: int = 2) -> Any:
    """Of a law: place, velocity, two loads; their rates by six places, and by coordinates."""
    return np.zeros((4, 6)), np.zeros((6, 6)), np.zeros((6, n))


@kernel(
    sample=lambda: (sample_laws(), np.zeros(2), np.zeros(2), np.zeros(2), law_room()),
    bare=True,
    separate=True,
)
def add_laws(laws, q, v, force, room):  # type: ignore[no-untyped-def]
    """Adds what all laws put on the coordinates to `force`; the branch of all."""
    moves, place, numbers = laws
    at, moving, load = room[0][0], room[0][1], room[0][2]
    n, branch = len(q), 0
    for law in range(len(moves)):
        for k in range(6):
            at[k], moving[k] = place[law, k], 0.0
            for j in range(n):
                at[k] += moves[law, k, j] * q[j]
                moving[k] += moves[law, k, j] * v[j]
        branch = BRANCHES * branch + known_load(numbers[law], at, moving, load)
        for i in range(n):
            for k in range(6):
                force[i] += moves[law, k, i] * load[k]
    return branch


@kernel(sample=lambda: (sample_law(), 0, np.full((4, 6), 1e-4), np.zeros((6, 6))), bare=True)
def _law_rates(numbers, of, room, rates):  # type: ignore[no-untyped-def]
    """Of a law's load by its place (0) or its velocity (1); False where there are none."""
    step = _BESIDE if of == 0 else _FASTER
    some = False
    for k in range(6):
        if numbers[KIND] == RING and (k > 2 or (of == 1 and k < 2)):  # of its place, of its speed along z
            for i in range(6):
                rates[i, k] = 0.0
            continue
        kept = room[of, k]
        room[of, k] = kept + step
        known_load(numbers, room[0], room[1], room[2])
        room[of, k] = kept - step
        known_load(numbers, room[0], room[1], room[3])
        room[of, k] = kept
        for i in range(6):
            rates[i, k] = (room[2, i] - room[3, i]) / (2 * step)
            some = some or rates[i, k] != 0.0
    return some


@kernel(
    sample=lambda: (
        sample_laws(), np.zeros(2), np.zeros(2), np.zeros((2, 2)), np.zeros((2, 2)), law_room(),
    ), bare=True, separate=True
)  # fmt: skip
def add_law_rates(laws, q, v, by_place, by_speed, room):  # type: ignore[no-untyped-def]
    """Adds the derivatives of what laws put on the coordinates, by these and by their speeds."""
    moves, place, numbers = laws
    states, rates, part = room
    n = len(q)
    for law in range(len(moves)):
        for k in range(6):
            states[0, k], states[1, k] = place[law, k], 0.0
            for j in range(n):
                states[0, k] += moves[law, k, j] * q[j]
                states[1, k] += moves[law, k, j] * v[j]
        for of in range(2):
            matrix = by_place if of == 0 else by_speed
            if not _law_rates(numbers[law], of, states, rates):
                continue
            for i in range(6):
                for j in range(n):
                    part[i, j] = 0.0
                    for k in range(6):
                        part[i, j] += rates[i, k] * moves[law, k, j]
            for i in range(n):
                for j in range(n):
                    for k in range(6):
                        matrix[i, j] += moves[law, k, i] * part[k, j]
