"""Equations (7) and (11) with force laws that are kernels: implicit steps that end where a branch changes.

    M q'' + C q' + K q = P d(t) + R d'(t) + sum of S' w(x0 + S q, S q')

d is the way of the path, a polynomial of second order between its corners; x is where a law's reference point
is, w what the law puts there (`known_load`). RODAS (`numeric/rosenbrock.py`), of order 4, with its error
controlled; of its two unknowns per coordinate one is eliminated, so that a step factors a matrix of the size
of M. The law's derivatives are differences. A step ends where the law's branch changes, found by halving on
the step's own polynomial, so that none straddles a kink.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.library.mating.known_laws import add_law_rates, add_laws, known_load, law_room, sample_laws
from detent.motion.leading.on_course import course_at, sample_course
from detent.numeric.dense import factor_general, solve_general
from detent.numeric.kernels import kernel
from detent.numeric.rosenbrock import ERROR, GAMMA, A, C, M

DONE, FULL, STUCK = range(3)
# Entries of the control.
UNTIL, ACCURACY, WAY, SPEED, LONGEST, INSTANT = range(6)
_HALVINGS = 45
_LEAST = 1e-12  # [s] of a step: below it nothing goes on
_TRIES = 200  # of one step


def stage_times() -> Any:
    """Of each stage: its time and the weight of the derivative by time, in steps; from t' = 1 itself."""
    weights = np.zeros(6)
    for i in range(6):
        weights[i] = GAMMA * (1.0 + C[i, :i] @ weights[:i])
    return A @ weights, weights


STAGE, BY_TIME = stage_times()


def sample_system() -> tuple[Any, ...]:
    """Two masses in a row, the second with a ring before a bore."""
    mass, damping = np.diag([2.0, 1.0]), np.diag([30.0, 5.0])
    stiffness = np.array([[2e4, -1e4], [-1e4, 1e4]])
    push, push_rate = np.zeros((2, 3)), np.zeros((2, 3))
    push[0, 0], push_rate[0, 0] = 1e4, 20.0
    return mass, damping, stiffness, push, push_rate, *sample_laws()


def sample_state() -> tuple[Any, ...]:
    """Coordinates and speeds."""
    return np.zeros(2), np.zeros(2)


# A system is (mass, damping, stiffness, push, push by speed, moves of laws, their places, their numbers).
@kernel(
    sample=lambda: (sample_system(), *sample_state(), np.zeros(3), np.zeros(3), np.zeros(2), law_room()),
    bare=True,
    separate=True,
)
def total_force(system, q, v, way, speed, force, room):  # type: ignore[no-untyped-def]
    """The right side less the left at no acceleration, into `force`; the branch of all laws."""
    damping, stiffness, push, push_rate = system[1], system[2], system[3], system[4]
    n = len(q)
    for i in range(n):
        total = 0.0
        for j in range(n):
            total -= stiffness[i, j] * q[j] + damping[i, j] * v[j]
        for k in range(3):
            total += push[i, k] * way[k] + push_rate[i, k] * speed[k]
        force[i] = total
    return add_laws((system[5], system[6], system[7]), q, v, force, room)


@kernel(
    sample=lambda: (
        sample_system(), *sample_state(), np.zeros((2, 2)), np.zeros((2, 2)), law_room(),
    ), bare=True, separate=True
)  # fmt: skip
def force_rates(system, q, v, by_place, by_speed, room):  # type: ignore[no-untyped-def]
    """Derivatives of the force by coordinates and by speeds; a law's by central differences."""
    damping, stiffness, n = system[1], system[2], len(q)
    for i in range(n):
        for j in range(n):
            by_place[i, j], by_speed[i, j] = -stiffness[i, j], -damping[i, j]
    add_law_rates((system[5], system[6], system[7]), q, v, by_place, by_speed, room)


@kernel(
    sample=lambda: (
        sample_system(), sample_course(), 0.01, 0, 1e-3, np.array([1.0, 1e-6, 1e-3, 0.02, 5e-3, 1e-9]),
        *sample_state(), np.zeros((2, 2)), np.zeros((2, 2)), np.zeros(2), *sample_state(),
        np.zeros((3, 6, 2)), np.zeros((2, 2)), np.zeros(2, np.int64), np.zeros((5, 3)), law_room(),
    ), bare=True, separate=True
)  # fmt: skip
def one_step(  # type: ignore[no-untyped-def]
    system, course, now, piece, step, control, q, v, by_place, by_speed, by_time, new_q, new_v, stages,
    matrix, order, path, room,
):  # fmt: skip
    """A step of RODAS into the new state; its error, in what the control allows. `path` is room."""
    mass, p, r, sums = system[0], stages[0], stages[1], stages[2, 0]
    n, scaled = len(q), step * GAMMA
    # Unknown speeds r alone: those of places are p = scaled (their own right side + r).
    for i in range(n):
        for j in range(n):
            matrix[i, j] = mass[i, j] / scaled - by_speed[i, j] - scaled * by_place[i, j]
    factor_general(matrix, order)
    for stage in range(6):
        force, short = r[stage], p[stage]
        for i in range(n):
            new_q[i], new_v[i], short[i], sums[i] = q[i], v[i], 0.0, 0.0
            for j in range(stage):
                new_q[i] += A[stage, j] * p[j, i]
                new_v[i] += A[stage, j] * r[j, i]
                short[i] += C[stage, j] * p[j, i] / step
                sums[i] += C[stage, j] * r[j, i] / step
            short[i] = scaled * (short[i] + new_v[i])
        course_at(course, now + STAGE[stage] * step, piece, path[0], path[1])
        total_force(system, new_q, new_v, path[0], path[1], force, room)
        for i in range(n):
            total = force[i] + BY_TIME[stage] * step * by_time[i]
            for j in range(n):
                total += by_place[i, j] * short[j] + mass[i, j] * sums[j]
            force[i] = total
        solve_general(matrix, order, force)
        for i in range(n):
            short[i] += scaled * force[i]
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
        if not abs(error_v) < 1e300:  # also where it is no number
            return 1e300
    return off / control[ACCURACY]


@kernel(
    sample=lambda: (
        0.3, 1e-3, *(np.array([0.1 * k, 1.0]) for k in range(6)), np.zeros(2), np.zeros(2)
    ), bare=True
)  # fmt: skip
def between(share, step, q, v, a, new_q, new_v, new_a, at, moving):  # type: ignore[no-untyped-def]
    """Inside a step: the polynomial of degree five through what both ends have."""
    s = share
    for i in range(len(q)):
        d = new_q[i] - q[i] - step * v[i] - 0.5 * step * step * a[i]
        e = step * (new_v[i] - v[i] - step * a[i])
        f = step * step * (new_a[i] - a[i])
        c3, c4, c5 = 10 * d - 4 * e + 0.5 * f, -15 * d + 7 * e - f, 6 * d - 3 * e + 0.5 * f
        at[i] = q[i] + s * (step * v[i] + s * (0.5 * step * step * a[i] + s * (c3 + s * (c4 + s * c5))))
        moving[i] = v[i] + s * step * a[i] + s * s * (3 * c3 + s * (4 * c4 + s * 5 * c5)) / step


@kernel(
    sample=lambda: (
        sample_system(), sample_course(), 0.01, 0, 1e-3, 1e-9, 0, np.zeros((6, 2)), np.zeros((3, 2)),
        np.zeros((5, 3)), law_room(),
    ), bare=True, separate=True
)  # fmt: skip
def first_change(system, course, now, piece, step, instant, branch, ends, free, path, room):  # type: ignore[no-untyped-def]
    """Share of a step after which the branch is another one, halved for on the step's polynomial."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        between(middle, step, ends[0], ends[1], ends[2], ends[3], ends[4], ends[5], free[0], free[1])
        course_at(course, now + middle * step, piece, path[0], path[1])
        if total_force(system, free[0], free[1], path[0], path[1], free[2], room) == branch:
            low = middle
        else:
            high = middle
        if (high - low) * step < 0.1 * instant:
            break
    return high


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
    n = len(system[0])
    by_place, by_speed, matrix = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    inertia, order, inertia_order = system[0].copy(), np.zeros(n, np.int64), np.zeros(n, np.int64)
    factor_general(inertia, inertia_order)
    stages, path, by_time = np.zeros((3, 6, n)), np.zeros((5, 3)), np.zeros(n)
    room = (np.zeros((4, 6)), np.zeros((6, 6)), np.zeros((6, n)))
    # A step's ends: coordinates, speeds, accelerations at its start and at its end.
    ends, free = np.zeros((6, n)), np.zeros((3, n))
    q, v, begin, new_q, new_v, end = ends[0], ends[1], ends[2], ends[3], ends[4], ends[5]
    for i in range(n):
        q[i], v[i] = state[i], state[n + i]
    now, piece, count, wanted = 0.0, 0, 0, min(control[LONGEST], 1e-3)
    course_at(course, now, piece, path[0], path[1])
    branch = total_force(system, q, v, path[0], path[1], begin, room)
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
        course_at(course, now, piece, path[0], path[1])
        total_force(system, q, v, path[0], path[1], begin, room)
        solve_general(inertia, inertia_order, begin)
        for i in range(n):
            by_time[i] = 0.0
            for k in range(3):
                by_time[i] += system[3][i, k] * path[1][k] + system[4][i, k] * course[3][piece, k]
        force_rates(system, q, v, by_place, by_speed, room)
        corner = course[0][piece + 1] if piece + 1 < len(course[0]) else control[UNTIL]
        left = min(corner, control[UNTIL]) - now
        located, off, step = -1.0, 0.0, 0.0
        for tries in range(_TRIES):
            step = located if located > 0.0 else min(wanted, control[LONGEST])
            if step >= left or left - step < 1e-6 * left:
                step = left
            if step < _LEAST or tries == _TRIES - 1:
                return count, STUCK
            off = one_step(
                system, course, now, piece, step, control, q, v, by_place, by_speed, by_time, new_q, new_v,
                stages, matrix, order, path, room,
            )  # fmt: skip
            if off > 1.0:
                wanted, located = step * max(0.1, min(0.9, 0.9 / off**0.25)), -1.0
                continue
            course_at(course, now + step, piece, path[0], path[1])
            new_branch = total_force(system, new_q, new_v, path[0], path[1], end, room)
            solve_general(inertia, inertia_order, end)
            if new_branch == branch or located > 0.0 or step <= control[INSTANT]:
                break
            share = first_change(
                system, course, now, piece, step, control[INSTANT], branch, ends, free, path, room
            )
            if share * step >= step - control[INSTANT]:
                break
            wanted, located = step, share * step + 0.2 * control[INSTANT]
        if located < 0.0:
            wanted = step * max(0.2, min(5.0, 0.9 / max(off, 1e-12) ** 0.25))
        for i in range(n):
            accelerations[count, 0, i], accelerations[count, 1, i] = begin[i], end[i]
            q[i], v[i] = new_q[i], new_v[i]
        now += step
        branch = new_branch
        count += 1


@kernel(
    sample=lambda: (
        sample_system(), np.zeros((3, 2)), np.zeros((3, 2)), np.zeros((3, 1, 6)), np.zeros((3, 1), np.int64),
    )
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
    return 800.0 * duration * 8 * 12 * freedoms**2
