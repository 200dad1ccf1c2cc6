"""Complementarity of few contacts with Coulomb friction in space, by trying and mending their statuses.

    w = K x + b,   x = (normal, first, second tangential force) of each contact, w its velocities alike

    open    no force, and its normal velocity is not negative
    stick   w = 0, and |x_t| <= mu x_n
    slide   w_n = 0, x_t = -mu x_n w_t / |w_t|

The twin of `contact_problem` with round cones: statuses and directions of sliding begin where the last
problem ended, so that a small linear system or two mostly suffice; directions turn by Newton's method. Where
mending goes in circles, Lemke's pivots with cones of eight sides find statuses, from which mending goes on;
where it does not, projections onto the round cones, contact after contact, go on from the pivots' forces
until they satisfy the law. Of an impulse and the velocities after it the law is the same.

Of forces that statics leaves open those are taken that are nearest to the last ones, by least squares: rows
yield by 1e-10 of the matrix.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.dense import solve_dense_in
from detent.numeric.kernels import kernel
from detent.numeric.lemke import solve_complementarity

OPEN, STICK, SLIDE = 0, 1, 2
# How a problem was solved: by statuses, by pivots then statuses, by projections, by the pivots' cones of
# eight sides alone; or not at all.
BY_STATUSES, BY_PIVOTS, BY_PROJECTION, BY_FACETS, UNSOLVED = 0, 1, 2, 3, 4
SIDES = 8
# Of the largest number of the matrix: what dependent rows yield by. Their shares keep six digits.
_YIELDS = 1e-10
# Pivots that rounding leads astray among dependent rows begin again with more of it, up to this.
_MOST_YIELDS = 1.5e-6
# Of the largest velocity without forces, or of the forces that stop it: less is rounding.
_SMALL = 1e-11
# Of a sliding direction, as a sine: what counts as the same.
_SAME = 1e-10
_PROJECTIONS = 4000
_PROJECTED = 1e-9  # of the largest velocity: what projections may leave


def _sample() -> tuple[Any, ...]:
    rows = np.array([[1.0, 0.0, 0.0, 0.3], [0.0, 1.0, 0.0, 0.2], [0.0, 0.0, 1.0, -0.4]])
    other = rows.copy()
    other[:, 3] = -0.5, 0.1, 0.2
    both = np.vstack([rows, other])
    b = np.array([-1.0, 0.3, 0.1, -0.5, 0.05, 0.0])
    return (
        both @ both.T,
        b,
        np.array([0.3, 0.2]),
        2,
        np.array([1, 0]),
        np.zeros((2, 2)),
        np.zeros(6),
        np.zeros(6),
    )


def room_for(contacts: int) -> tuple[Any, Any]:
    """Room to solve a problem of so many contacts in."""
    return np.zeros((3 * contacts + 3, 3 * contacts)), np.zeros((2, 3 * contacts), np.int64)


@kernel(
    sample=lambda: (*_sample()[:6], np.zeros(6), *_sample()[6:], *room_for(2), 1.0), bare=True
)  # fmt: skip
def solve_for_statuses(K, b, mu, n, status, way, last, x, w, room, order, size_K):  # type: ignore[no-untyped-def]
    """Forces and velocities of these statuses and directions, in place; nearest to the last forces."""
    m, unknown, matrix, right = 0, order[0], room, room[len(room) - 2]
    for i in range(n):
        if status[i] != OPEN:
            unknown[m] = 3 * i
            m += 1
            if status[i] == STICK and mu[i] > 0.0:
                unknown[m], unknown[m + 1] = 3 * i + 1, 3 * i + 2
                m += 2
    for r in range(m):
        row = unknown[r]
        right[r] = -b[row] + _YIELDS * size_K * last[row]
        for c in range(m):
            column = unknown[c]
            matrix[r, c] = K[row, column]
            i = column // 3
            if column == 3 * i and status[i] == SLIDE:
                matrix[r, c] -= mu[i] * (way[i, 0] * K[row, column + 1] + way[i, 1] * K[row, column + 2])
        matrix[r, r] += _YIELDS * size_K
    solve_dense_in(matrix, right, m, order[1], room[len(room) - 1])
    for i in range(3 * n):
        x[i] = 0.0
    for r in range(m):
        x[unknown[r]] = right[r]
    for i in range(n):
        if status[i] == SLIDE:
            x[3 * i + 1], x[3 * i + 2] = -mu[i] * x[3 * i] * way[i, 0], -mu[i] * x[3 * i] * way[i, 1]
    for i in range(3 * n):
        w[i] = b[i]
        for j in range(3 * n):
            w[i] += K[i, j] * x[j]


@kernel(sample=lambda: (*(_sample()[k] for k in (2, 3, 4, 5, 6, 7)), 1e-9, 1e-9), bare=True)
def mend_status(mu, n, status, way, x, w, small_x, small_w):  # type: ignore[no-untyped-def]
    """Changes the status that is most wrong; False where none is."""
    worst, at, wanted = 1.0, -1, OPEN
    for i in range(n):
        if status[i] == OPEN:
            if w[3 * i] < -worst * small_w:
                worst, at, wanted = -w[3 * i] / small_w, i, STICK
            continue
        if x[3 * i] < -worst * small_x:
            worst, at, wanted = -x[3 * i] / small_x, i, OPEN
        if mu[i] == 0.0:
            continue
        if status[i] == STICK:
            over = math.hypot(x[3 * i + 1], x[3 * i + 2]) - mu[i] * x[3 * i]
            if over > worst * small_x:
                worst, at, wanted = over / small_x, i, SLIDE
        else:
            against = -(w[3 * i + 1] * way[i, 0] + w[3 * i + 2] * way[i, 1])
            if against > worst * small_w:
                worst, at, wanted = against / small_w, i, STICK
    if at < 0:
        return False
    if wanted == STICK and status[at] == OPEN and mu[at] > 0.0:
        # It slides already, most of the time.
        speed = math.hypot(w[3 * at + 1], w[3 * at + 2])
        if speed > 10 * small_w:
            way[at, 0], way[at, 1] = w[3 * at + 1] / speed, w[3 * at + 2] / speed
            wanted = SLIDE
    elif wanted == SLIDE:
        push = math.hypot(x[3 * at + 1], x[3 * at + 2])
        way[at, 0], way[at, 1] = -x[3 * at + 1] / push, -x[3 * at + 2] / push
    status[at] = wanted
    return True


@kernel(sample=lambda: (*(_sample()[k] for k in (2, 3, 4, 5, 7)), 1e-9), bare=True)
def ways_agree(mu, n, status, way, w, small_w):  # type: ignore[no-untyped-def]
    """Whether what slides has its friction against its velocity."""
    for i in range(n):
        if status[i] == SLIDE and mu[i] > 0.0:
            first, second = w[3 * i + 1], w[3 * i + 2]
            across = abs(way[i, 0] * second - way[i, 1] * first)
            if across > max(_SAME * math.hypot(first, second), small_w):
                return False
    return True


@kernel(
    sample=lambda: (*_sample()[:6], np.zeros(6), *_sample()[6:], *room_for(2), 1.0), bare=True
)  # fmt: skip
def turn_ways(K, b, mu, n, status, way, last, x, w, room, order, size_K):  # type: ignore[no-untyped-def]
    """Turns directions of sliding by a step of Newton's: forces linear in the angles, too.

    Unknowns are the forces of `solve_for_statuses`, then an angle for each contact that slides.
    """
    m, unknown, matrix, right = 0, order[0], room, room[len(room) - 2]
    for i in range(n):
        if status[i] != OPEN:
            unknown[m] = 3 * i
            m += 1
            if status[i] == STICK and mu[i] > 0.0:
                unknown[m], unknown[m + 1] = 3 * i + 1, 3 * i + 2
                m += 2
    forces = m
    for i in range(n):
        if status[i] == SLIDE and mu[i] > 0.0:
            unknown[m] = i
            m += 1
    for r in range(m):
        k = unknown[r]
        row, other, one, two = k, k, 1.0, 0.0
        if r >= forces:  # across the direction nothing slides
            row, other, one, two = 3 * k + 1, 3 * k + 2, -way[k, 1], way[k, 0]
        right[r] = -one * b[row] - two * b[other]
        for c in range(m):
            column = unknown[c]
            if c >= forces:
                i = column
                first, second = mu[i] * x[3 * i] * way[i, 1], -mu[i] * x[3 * i] * way[i, 0]
                matrix[r, c] = one * (first * K[row, 3 * i + 1] + second * K[row, 3 * i + 2])
                matrix[r, c] += two * (first * K[other, 3 * i + 1] + second * K[other, 3 * i + 2])
                continue
            matrix[r, c] = one * K[row, column] + two * K[other, column]
            i = column // 3
            if column == 3 * i and status[i] == SLIDE:
                sliding = way[i, 0] * K[row, column + 1] + way[i, 1] * K[row, column + 2]
                across = way[i, 0] * K[other, column + 1] + way[i, 1] * K[other, column + 2]
                matrix[r, c] -= mu[i] * (one * sliding + two * across)
        if r < forces:
            matrix[r, r] += _YIELDS * size_K
            right[r] += _YIELDS * size_K * last[row]
        else:
            matrix[r, r] -= way[k, 0] * w[3 * k + 1] + way[k, 1] * w[3 * k + 2]
    solve_dense_in(matrix, right, m, order[1], room[len(room) - 1])
    for r in range(forces, m):
        i, angle = unknown[r], min(1.0, max(-1.0, right[r]))
        cosine, sine, first = math.cos(angle), math.sin(angle), way[i, 0]
        way[i, 0] = cosine * first - sine * way[i, 1]
        way[i, 1] = sine * first + cosine * way[i, 1]


@kernel(
    sample=lambda: (*_sample()[:6], np.zeros(6), *_sample()[6:], *room_for(2), 1.0, 1.0, 40),
    bare=True,
    separate=True,
)
def iterate_statuses(K, b, mu, n, status, way, last, x, w, room, order, size_K, size_b, most):  # type: ignore[no-untyped-def]
    """Mends statuses, then directions, until none is wrong; whether it came so far."""
    small_w, small_x = _SMALL * size_b, _SMALL * size_b / size_K
    for _ in range(most):
        solve_for_statuses(K, b, mu, n, status, way, last, x, w, room, order, size_K)
        if mend_status(mu, n, status, way, x, w, small_x, small_w):
            continue
        if ways_agree(mu, n, status, way, w, small_w):
            return True
        turn_ways(K, b, mu, n, status, way, last, x, w, room, order, size_K)
    return False


@kernel(sample=lambda: (*_sample(), 1.0, 1.0, _YIELDS), separate=True)
def pivot_cones(K, b, mu, n, status, way, x, w, size_K, size_b, yields):  # type: ignore[no-untyped-def]
    """The same with cones of eight sides as a linear complementarity problem (Stewart & Trinkle 1996).

    One side lies against the last direction of sliding. Fills forces, velocities, statuses and directions.
    """
    total = n
    first = np.zeros(n, np.int64)
    for i in range(n):
        if mu[i] > 0.0:
            first[i] = total
            total += SIDES + 1
    spread = np.zeros((3 * n, total))
    for i in range(n):
        spread[3 * i, i] = 1.0
        if first[i] > 0:
            begin = math.atan2(-way[i, 1], -way[i, 0]) if way[i, 0] != 0.0 or way[i, 1] != 0.0 else 0.0
            for side in range(SIDES):
                angle = begin + 2 * math.pi * side / SIDES
                spread[3 * i + 1, first[i] + side] = math.cos(angle)
                spread[3 * i + 2, first[i] + side] = math.sin(angle)
    moved = np.zeros((3 * n, total))
    for r in range(3 * n):
        for c in range(total):
            for k in range(3 * n):
                moved[r, c] += K[r, k] * spread[k, c] / size_K
    M, q, z = np.zeros((total, total)), np.zeros(total), np.zeros(total)
    for i in range(n):
        M[i], q[i] = moved[3 * i], b[3 * i] / size_b
        if first[i] > 0:
            speed = first[i] + SIDES
            for side in range(first[i], speed):
                for c in range(total):
                    one, other = spread[3 * i + 1, side], spread[3 * i + 2, side]
                    M[side, c] = one * moved[3 * i + 1, c] + other * moved[3 * i + 2, c]
                q[side] = (one * b[3 * i + 1] + other * b[3 * i + 2]) / size_b
                M[side, speed], M[speed, side] = 1.0, -1.0
            M[speed, i] = mu[i]
    # Speeds that no force stands beside may leave pivots a way to nowhere, by rounding. With their share M is
    # strictly copositive, so that there is none. It is given where the first, least share did not do.
    for r in range(n):
        M[r, r] += yields
        if first[r] > 0 and yields > _YIELDS:
            M[first[r] + SIDES, first[r] + SIDES] += yields
    if not solve_complementarity(M, q, z):
        return False
    for r in range(3 * n):
        x[r] = 0.0
        for c in range(total):
            x[r] += spread[r, c] * z[c] * size_b / size_K
    for r in range(3 * n):
        w[r] = b[r]
        for c in range(3 * n):
            w[r] += K[r, c] * x[c]
    for i in range(n):
        status[i] = STICK if x[3 * i] > 0.0 else OPEN
        speed = math.hypot(w[3 * i + 1], w[3 * i + 2])
        if status[i] == STICK and first[i] > 0 and speed > 1e-7 * size_b:
            status[i] = SLIDE
            way[i, 0], way[i, 1] = w[3 * i + 1] / speed, w[3 * i + 2] / speed
    return True


@kernel(sample=lambda: (*(_sample()[k] for k in (0, 1, 2, 3, 6, 7)), 1.0, 1.0), bare=True, separate=True)
def project_onto_cones(K, b, mu, n, x, w, size_K, size_b):  # type: ignore[no-untyped-def]
    """Contact after contact, forces less velocities projected onto the cone; whether they came to rest.

    The normal velocity is that of De Saxce & Feng (1998), with mu |w_t| added: the law is one projection.
    """
    for _ in range(_PROJECTIONS):
        largest = 0.0
        for i in range(n):
            stiff = _YIELDS * size_K + max(
                K[3 * i, 3 * i], max(K[3 * i + 1, 3 * i + 1], K[3 * i + 2, 3 * i + 2])
            )
            for k in range(3 * i, 3 * i + 3):
                w[k] = b[k]
                for j in range(3 * n):
                    w[k] += K[k, j] * x[j]
            sliding = math.hypot(w[3 * i + 1], w[3 * i + 2])
            normal = x[3 * i] - (w[3 * i] + mu[i] * sliding) / stiff
            first, second = x[3 * i + 1] - w[3 * i + 1] / stiff, x[3 * i + 2] - w[3 * i + 2] / stiff
            size = math.hypot(first, second)
            if mu[i] == 0.0:
                normal, first, second = max(0.0, normal), 0.0, 0.0
            elif mu[i] * size <= -normal:
                normal, first, second = 0.0, 0.0, 0.0
            elif size > mu[i] * normal:
                share = (normal + mu[i] * size) / (1.0 + mu[i] * mu[i])
                normal, first, second = share, mu[i] * share * first / size, mu[i] * share * second / size
            change = max(abs(normal - x[3 * i]), max(abs(first - x[3 * i + 1]), abs(second - x[3 * i + 2])))
            largest = max(largest, stiff * change)
            x[3 * i], x[3 * i + 1], x[3 * i + 2] = normal, first, second
        if largest <= _PROJECTED * size_b:
            for k in range(3 * n):
                w[k] = b[k]
                for j in range(3 * n):
                    w[k] += K[k, j] * x[j]
            return True
    return False


@kernel(sample=lambda: (*_sample(), *room_for(2)), separate=True)
def solve_cone_problem(K, b, mu, n, status, way, x, w, room, order):  # type: ignore[no-untyped-def]
    """Fills forces x and velocities w, statuses and directions of sliding; returns how it was solved.

    x begins with the last forces, which those that statics leaves open stay nearest to.
    """
    last = room[len(room) - 3]
    for i in range(3 * n):
        last[i] = x[i]
    size_b, size_K = 0.0, 0.0
    for i in range(3 * n):
        if i % 3 == 0 or mu[i // 3] > 0.0:
            size_b = max(size_b, abs(b[i]))
            size_K = max(size_K, abs(K[i, i]))
    if size_b == 0.0 or size_K == 0.0:
        for i in range(3 * n):
            x[i], w[i] = 0.0, b[i]
        return BY_STATUSES
    for i in range(n):
        if mu[i] == 0.0 and status[i] == SLIDE:
            status[i] = STICK
    most = 20 + 12 * n
    if iterate_statuses(K, b, mu, n, status, way, last, x, w, room, order, size_K, size_b, most):
        return BY_STATUSES
    found, yields = False, _YIELDS
    while not found and yields <= _MOST_YIELDS:
        found = pivot_cones(K, b, mu, n, status, way, x, w, size_K, size_b, yields)
        yields *= 100.0
    if found:
        faceted = x.copy()
        facet_status, facet_way = status.copy(), way.copy()
        if iterate_statuses(K, b, mu, n, status, way, last, x, w, room, order, size_K, size_b, most):
            return BY_PIVOTS
        for i in range(3 * n):
            x[i] = faceted[i]
    if project_onto_cones(K, b, mu, n, x, w, size_K, size_b):
        for i in range(n):
            size = math.hypot(x[3 * i + 1], x[3 * i + 2])
            status[i] = OPEN if x[3 * i] <= 0.0 else STICK
            if status[i] == STICK and mu[i] > 0.0 and size >= mu[i] * x[3 * i] * (1 - _PROJECTED):
                status[i] = SLIDE
                way[i, 0], way[i, 1] = -x[3 * i + 1] / size, -x[3 * i + 2] / size
        return BY_PROJECTION
    if not found:
        return UNSOLVED
    for i in range(n):
        status[i], way[i] = facet_status[i], facet_way[i]
    for k in range(3 * n):
        x[k], w[k] = faceted[k], b[k]
    for k in range(3 * n):
        for j in range(3 * n):
            w[k] += K[k, j] * x[j]
    return BY_FACETS
