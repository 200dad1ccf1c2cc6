"""Equations (7) and (11) with a force law that is a kernel: implicit steps, ended where the law's branch changes.

    M q'' + C q' + K q = P d(t) + R d'(t) + sum of S' w(x0 + S q, S q')

d is the way of the path, a polynomial of second order between its corners; x is where a law's reference point
is, w what the law puts there (`known_load`). RODAS (`numeric/rosenbrock.py`), of order 4, with its error
controlled; of its two unknowns per coordinate one is eliminated, so that a step factors a matrix of the size
of M. The law's derivatives are differences. A step ends where the law's branch changes, found by halving on
the step's own polynomial, so that none straddles a kink.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.motion.compliant.led.known_laws import KINDS_SAMPLE, known_load
from detent.numeric.dense import factor_general, solve_general
from detent.numeric.kernels import kernel
from detent.numeric.rosenbrock import ERROR, GAMMA, A, C, M

DONE, FULL, STUCK = range(3)
# Entries of the control.
UNTIL, ACCURACY, WAY, SPEED, LONGEST, INSTANT = range(6)
# Of a law's place [m, rad] and speed [m/s, rad/s]: differences that give its derivatives.
_BESIDE, _FASTER = 1e-7, 1e-6
_HALVINGS = 45
BRANCHES = 16  # of one law, at most
_LEAST = 1e-12  # [s] of a step: below it nothing goes on


def stage_times() -> Any:
    """Of each stage: its time and the weight of the derivative by time, in steps; from t' = 1 itself."""
    weights = np.zeros(6)
    for i in range(6):
        weights[i] = GAMMA * (1.0 + C[i, :i] @ weights[:i])
    return A @ weights, weights


STAGE, BY_TIME = stage_times()


def sample_system() -> tuple[Any, ...]:
    """Two masses in a row, the second against a pad."""
    mass, damping = np.diag([2.0, 1.0]), np.diag([30.0, 5.0])
    stiffness = np.array([[2e4, -1e4], [-1e4, 1e4]])
    push, push_rate = np.zeros((2, 3)), np.zeros((2, 3))
    push[0, 0], push_rate[0, 0] = 1e4, 20.0
    moves = np.zeros((1, 6, 2))
    moves[0, 0, 1] = 1.0
    place = np.zeros((1, 6))
    place[0, 0] = -2e-3
    return mass, damping, stiffness, push, push_rate, moves, place, KINDS_SAMPLE()


def sample_course() -> tuple[Any, ...]:
    """Up to a speed, and on."""
    times = np.array([0.0, 0.02])
    way, speed, gain = np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3))
    gain[0, 0], speed[1, 0], way[1, 0] = 1.0, 0.02, 2e-4
    return times, way, speed, gain


@kernel(
    sample=lambda: (
        *sample_system(), *(np.zeros(2) for _ in range(2)), np.zeros(3), np.zeros(3), np.zeros(2),
        np.zeros((3, 6)),
    ), bare=True
)  # fmt: skip
def total_force(  # type: ignore[no-untyped-def]
    mass, damping, stiffness, push, push_rate, moves, place, numbers, q, v, way, speed, force, room
):
    """The right side less the left at no acceleration, into `force`; the branch of all laws."""
    n, branch = len(q), 0
    for i in range(n):
        total = 0.0
        for j in range(n):
            total -= stiffness[i, j] * q[j] + damping[i, j] * v[j]
        for k in range(3):
            total += push[i, k] * way[k] + push_rate[i, k] * speed[k]
        force[i] = total
    for law in range(len(moves)):
        for k in range(6):
            room[0, k], room[1, k] = place[law, k], 0.0
            for j in range(n):
                room[0, k] += moves[law, k, j] * q[j]
                room[1, k] += moves[law, k, j] * v[j]
        branch = BRANCHES * branch + known_load(numbers[law], room[0], room[1], room[2])
        for i in range(n):
            for k in range(6):
                force[i] += moves[law, k, i] * room[2, k]
    return branch


@kernel(
    sample=lambda: (
        *sample_system(), *(np.zeros(2) for _ in range(2)), np.zeros((2, 2)), np.zeros((2, 2)),
        np.zeros((4, 6)), np.zeros((6, 6)), np.zeros((6, 2)),
    ), bare=True
)  # fmt: skip
def force_rates(  # type: ignore[no-untyped-def]
    mass, damping, stiffness, push, push_rate, moves, place, numbers, q, v, by_place, by_speed, room, rates, part
):
    """Derivatives of the force by coordinates and by speeds; a law's by central differences."""
    n = len(q)
    for i in range(n):
        for j in range(n):
            by_place[i, j], by_speed[i, j] = -stiffness[i, j], -damping[i, j]
    for law in range(len(moves)):
        for k in range(6):
            room[0, k], room[1, k] = place[law, k], 0.0
            for j in range(n):
                room[0, k] += moves[law, k, j] * q[j]
                room[1, k] += moves[law, k, j] * v[j]
        for of in range(2):
            step = _BESIDE if of == 0 else _FASTER
            some = False
            for k in range(6):
                kept = room[of, k]
                room[of, k] = kept + step
                known_load(numbers[law], room[0], room[1], room[2])
                room[of, k] = kept - step
                known_load(numbers[law], room[0], room[1], room[3])
                room[of, k] = kept
                for i in range(6):
                    rates[i, k] = (room[2, i] - room[3, i]) / (2 * step)
                    some = some or rates[i, k] != 0.0
            if not some:
                continue
            for i in range(6):
                for j in range(n):
                    part[i, j] = 0.0
                    for k in range(6):
                        part[i, j] += rates[i, k] * moves[law, k, j]
            for i in range(n):
                for j in range(n):
                    for k in range(6):
                        if of == 0:
                            by_place[i, j] += moves[law, k, i] * part[k, j]
                        else:
                            by_speed[i, j] += moves[law, k, i] * part[k, j]


@kernel(sample=lambda: (sample_course(), 0.01, 0, np.zeros(3), np.zeros(3)), bare=True)
def on_course(course, time, piece, way, speed):  # type: ignore[no-untyped-def]
    """Way and speed of the path at a time of a piece."""
    times, at, moving, gain = course
    since = time - times[piece]
    for k in range(3):
        way[k] = at[piece, k] + since * (moving[piece, k] + 0.5 * since * gain[piece, k])
        speed[k] = moving[piece, k] + since * gain[piece, k]


@kernel(
    sample=lambda: (
        sample_system(), sample_course(), np.array([0.05, 1e-6, 1e-3, 0.02, 5e-3, 1e-9]), np.zeros(4),
        np.zeros(400), np.zeros((400, 4)), np.zeros((400, 2, 2)), np.zeros(400, np.int64),
    )
)  # fmt: skip
def led_steps(system, course, control, state, times, states, accelerations, branches):  # type: ignore[no-untyped-def]
    """Steps from `state` to the control's end, into the last four; how many, and whether it got there.

    Row k has the state at the start of step k and the accelerations at its start and its end; one row more
    has the end.
    """
    mass, damping, stiffness, push, push_rate, moves, place, numbers = system
    n = len(mass)
    by_place, by_speed, matrix = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    inertia, order, inertia_order = mass.copy(), np.zeros(n, np.int64), np.zeros(n, np.int64)
    factor_general(inertia, inertia_order)
    p, r = np.zeros((6, n)), np.zeros((6, n))
    q, v, force, begin, end = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    new_q, new_v, short, sums = np.zeros(n), np.zeros(n), np.zeros(n), np.zeros(n)
    way, speed, by_time = np.zeros(3), np.zeros(3), np.zeros(n)
    room, rates, part = np.zeros((4, 6)), np.zeros((6, 6)), np.zeros((6, n))
    for i in range(n):
        q[i], v[i] = state[i], state[n + i]
    now, piece, count = 0.0, 0, 0
    wanted = min(control[LONGEST], 1e-3)
    on_course(course, now, piece, way, speed)
    branch = total_force(
        mass, damping, stiffness, push, push_rate, moves, place, numbers, q, v, way, speed, begin, room
    )
    solve_general(inertia, inertia_order, begin)
    located = -1.0
    while True:
        times[count], branches[count] = now, branch
        for i in range(n):
            states[count, i], states[count, n + i] = q[i], v[i]
        if now >= control[UNTIL] - _LEAST:
            return count, DONE
        if count == len(times) - 1:
            return count, FULL
        while piece + 1 < len(course[0]) and course[0][piece + 1] <= now + _LEAST:
            piece += 1
        # Forces at the step's start, where the path may have turned a corner.
        on_course(course, now, piece, way, speed)
        total_force(
            mass, damping, stiffness, push, push_rate, moves, place, numbers, q, v, way, speed, begin, room
        )
        solve_general(inertia, inertia_order, begin)
        for i in range(n):
            total = 0.0
            for k in range(3):
                total += push[i, k] * speed[k] + push_rate[i, k] * course[3][piece, k]
            by_time[i] = total
        force_rates(
            mass, damping, stiffness, push, push_rate, moves, place, numbers, q, v,
            by_place, by_speed, room, rates, part,
        )  # fmt: skip
        corner = course[0][piece + 1] if piece + 1 < len(course[0]) else control[UNTIL]
        left = min(corner, control[UNTIL]) - now
        tries, located = 0, -1.0
        while True:
            tries += 1
            step = min(wanted, control[LONGEST])
            if located > 0.0:
                step = located
            if step >= left or left - step < 1e-6 * left:
                step = left
            if step < _LEAST or tries > 200:
                return count, STUCK
            scaled = step * GAMMA
            for i in range(n):
                for j in range(n):
                    matrix[i, j] = mass[i, j] / scaled - by_speed[i, j] - scaled * by_place[i, j]
            factor_general(matrix, order)
            for stage in range(6):
                for i in range(n):
                    new_q[i], new_v[i], short[i], sums[i] = q[i], v[i], 0.0, 0.0
                    for j in range(stage):
                        new_q[i] += A[stage, j] * p[j, i]
                        new_v[i] += A[stage, j] * r[j, i]
                        short[i] += C[stage, j] * p[j, i] / step
                        sums[i] += C[stage, j] * r[j, i] / step
                    short[i] = scaled * (short[i] + new_v[i])
                on_course(course, now + STAGE[stage] * step, piece, way, speed)
                total_force(
                    mass, damping, stiffness, push, push_rate, moves, place, numbers,
                    new_q, new_v, way, speed, force, room,
                )  # fmt: skip
                for i in range(n):
                    total = force[i] + BY_TIME[stage] * step * by_time[i]
                    for j in range(n):
                        total += mass[i, j] * sums[j] + by_place[i, j] * short[j]
                    force[i] = total
                solve_general(matrix, order, force)
                for i in range(n):
                    r[stage, i] = force[i]
                    p[stage, i] = short[i] + scaled * force[i]
            off = 0.0
            for i in range(n):
                error_q, error_v = 0.0, 0.0
                new_q[i], new_v[i] = q[i], v[i]
                for j in range(6):
                    new_q[i] += M[j] * p[j, i]
                    new_v[i] += M[j] * r[j, i]
                    error_q += ERROR[j] * p[j, i]
                    error_v += ERROR[j] * r[j, i]
                off = max(off, abs(error_q) / control[WAY], abs(error_v) / control[SPEED])
            off /= control[ACCURACY]
            if not off < 1e300:
                wanted, located = 0.1 * step, -1.0
                continue
            grows = 0.9 / max(off, 1e-12) ** 0.25
            if off > 1.0:
                wanted, located = step * max(0.1, min(0.9, grows)), -1.0
                continue
            on_course(course, now + step, piece, way, speed)
            new_branch = total_force(
                mass, damping, stiffness, push, push_rate, moves, place, numbers,
                new_q, new_v, way, speed, end, room,
            )  # fmt: skip
            solve_general(inertia, inertia_order, end)
            if new_branch != branch and located < 0.0 and step > control[INSTANT]:
                # Halve the time of the change on the step's polynomial.
                low, high = 0.0, 1.0
                for _ in range(_HALVINGS):
                    middle = 0.5 * (low + high)
                    _between(middle, step, q, v, begin, new_q, new_v, end, sums, short)
                    on_course(course, now + middle * step, piece, way, speed)
                    there = total_force(
                        mass, damping, stiffness, push, push_rate, moves, place, numbers,
                        sums, short, way, speed, force, room,
                    )  # fmt: skip
                    if there == branch:
                        low = middle
                    else:
                        high = middle
                    if (high - low) * step < 0.1 * control[INSTANT]:
                        break
                if high * step < step - control[INSTANT] and high * step > control[INSTANT]:
                    located = high * step + 0.2 * control[INSTANT]
                    continue
            break
        wanted = step * max(0.2, min(5.0, grows)) if located < 0.0 else max(wanted, step)
        for i in range(n):
            accelerations[count, 0, i], accelerations[count, 1, i] = begin[i], end[i]
            q[i], v[i] = new_q[i], new_v[i]
        now += step
        branch = new_branch
        count += 1


@kernel(
    sample=lambda: (
        0.3, 1e-3, *(np.array([0.1 * k, 1.0]) for k in range(6)), np.zeros(2), np.zeros(2)
    ), bare=True, inlined=True
)  # fmt: skip
def _between(share, step, q, v, a, new_q, new_v, new_a, at, moving):  # type: ignore[no-untyped-def]
    """Inside a step: the polynomial of degree five through both ends."""
    s = share
    h0 = 1 - s * s * s * (10 - s * (15 - 6 * s))
    h1 = s * (1 - s * s * (6 - s * (8 - 3 * s)))
    h2 = 0.5 * s * s * (1 - s * (3 - s * (3 - s)))
    k0, k1, k2 = s * s * s * (10 - s * (15 - 6 * s)), s * s * s * (-4 + s * (7 - 3 * s)), 0.5 * s**3 * (1 - s) ** 2
    g0 = 30 * s * s * (1 - s) ** 2
    g1 = 1 - s * s * (18 - s * (32 - 15 * s))
    g2 = s * (1 - s * (4.5 - s * (6 - 2.5 * s)))
    e1, e2 = s * s * (-12 + s * (28 - 15 * s)), s * s * (1.5 - s * (4 - 2.5 * s))
    for i in range(len(q)):
        at[i] = h0 * q[i] + k0 * new_q[i] + step * (h1 * v[i] + k1 * new_v[i])
        at[i] += step * step * (h2 * a[i] + k2 * new_a[i])
        moving[i] = g0 * (new_q[i] - q[i]) / step + g1 * v[i] + e1 * new_v[i]
        moving[i] += step * (g2 * a[i] + e2 * new_a[i])


@kernel(
    sample=lambda: (sample_system(), np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 1, 6)), np.zeros((3, 1), np.int64))
)  # fmt: skip
def loads_at(system, places, speeds, loads, branches):  # type: ignore[no-untyped-def]
    """What each law puts on its reference point, and its branch, a row per state."""
    moves, place, numbers = system[5], system[6], system[7]
    at, moving = np.zeros(6), np.zeros(6)
    for row in range(len(places)):
        for law in range(len(moves)):
            for k in range(6):
                at[k], moving[k] = place[law, k], 0.0
                for j in range(places.shape[1]):
                    at[k] += moves[law, k, j] * places[row, j]
                    moving[k] += moves[law, k, j] * speeds[row, j]
            branches[row, law] = known_load(numbers[law], at, moving, loads[row, law])


def work_of(duration: float, freedoms: int) -> float:
    """Of a run, in elementary steps: some 800 steps a second."""
    return 800.0 * duration * 8 * 12 * freedoms**2 + math.exp(10)
