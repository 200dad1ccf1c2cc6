"""The flats of an arrangement that meet an open cone, each met once; faces are counted from them.

Flats are found depth first, each through its first basis: the cone is cut by one plane after the
other (double description), and a cut that no longer meets the inside ends its branch.
Generators (rays, and lines for the linear part) are kept as their products with all
rows, so that the planes through a flat are read from zeros.

Products are floats of generators whose largest is one. Where one falls between rounding and geometry
the walk assumes an answer, and puts the question on a list: the caller decides it in integers
(`detent.numeric.arrangement.faces`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

MOST_ROWS = 62  # of normals and of planes: their sets are bits of one word
MOST_RAYS = 1024
# What stopped a walk.
DONE, MANY_RAYS, MANY_KNOTS, MANY_QUESTIONS = 0, 1, 2, 3
# In place of a set of normals, in a question: about the lines, or about a knot.
OF_LINES, OF_KNOT = -1, -2


def _sample_cut() -> tuple[Any, ...]:
    products = np.zeros((3, 4, 2))
    products[0, 0] = [1.0, 0.3]
    products[0, 1] = [1.0, -0.4]
    zero = np.zeros((3, 4), np.int64)
    zero[0, 0], zero[0, 1] = 1, 2
    return products, zero, np.array([2, 0, 0]), np.array([0, 0, 0]), 0, 1, 1, False


@kernel(sample=_sample_cut)
def cut(products, zero, number, free, level, column, n, half):  # type: ignore[no-untyped-def]
    """The cone of `level` cut by a plane, or (half) by its half-space, into `level` + 1.

    `products[level]` has the rays' products with all rows, then from the far end those of
    the lines; `zero` the sets of the first `n` rows, the normals, that vanish on a ray. Returns 1 where
    the plane crosses the inside, 0 where it does not, -1 where there are too many rays.
    """
    below = level + 1
    width = products.shape[2]
    room = products.shape[1]
    count, left = number[level], free[level]
    bit = 1 << column if half else 0
    pivot = -1
    best = 0.0
    for i in range(left):
        v = abs(products[level, room - 1 - i, column])
        if v > best:
            best = v
            pivot = i
    if pivot >= 0:
        # The plane cuts the lines: all rays go on, moved along one line into the plane.
        p = room - 1 - pivot
        across = products[level, p, column]
        rays = count
        if half:
            if rays >= room - left:
                return -1
            sign = 1.0 if across > 0 else -1.0
            for j in range(width):
                products[below, rays, j] = sign * products[level, p, j]
            zero[below, rays] = bit - 1  # a line so far: zero in every normal before
            rays += 1
        kept = 0
        for i in range(left + count):
            if i == pivot:
                continue
            source = room - 1 - i if i < left else i - left
            target = room - 1 - kept if i < left else i - left
            kept += 1
            v = products[level, source, column] / across
            most = 0.0
            for j in range(width):
                x = products[level, source, j] - v * products[level, p, j]
                if j == column:
                    x = 0.0
                products[below, target, j] = x
                most = max(most, abs(x))
            if most > 0:
                for j in range(width):
                    products[below, target, j] /= most
            if i >= left:
                zero[below, target] = zero[level, source] | bit
        number[below], free[below] = rays, left - 1
        return 1
    positive, negative = 0, 0
    for i in range(count):
        v = products[level, i, column]
        if v > 0:
            positive += 1
        elif v < 0:
            negative += 1
    if not half and (positive == 0 or negative == 0):
        return 0
    rays = 0
    for i in range(count):
        v = products[level, i, column]
        if v == 0.0 or (half and v > 0):
            if rays >= room - left:
                return -1
            products[below, rays] = products[level, i]
            zero[below, rays] = zero[level, i] | bit if v == 0.0 else zero[level, i]
            rays += 1
    for i in range(count):
        up = products[level, i, column]
        if up <= 0:
            continue
        for k in range(count):
            down = products[level, k, column]
            if down >= 0:
                continue
            shared = zero[level, i] & zero[level, k]
            adjacent = True
            for e in range(count):
                if e != i and e != k and zero[level, e] & shared == shared:
                    adjacent = False
                    break
            if not adjacent:
                continue
            if rays >= room - left:
                return -1
            most = 0.0
            for j in range(width):
                x = up * products[level, k, j] - down * products[level, i, j]
                if j == column or (j < n and shared >> j & 1):
                    x = 0.0
                products[below, rays, j] = x
                most = max(most, abs(x))
            for j in range(width):
                products[below, rays, j] /= most
            zero[below, rays] = shared | bit
            rays += 1
    for i in range(left):
        products[below, room - 1 - i] = products[level, room - 1 - i]
    number[below], free[below] = rays, left
    return 1


def _sample_settle() -> tuple[Any, ...]:
    products = np.zeros((1, 3, 2))
    products[0, 0] = [1.0, 1e-14]
    questions = np.zeros((4, 4), np.int64)
    arrays = (products, np.zeros((1, 3), np.int64), np.array([1]), np.array([0]))
    return *arrays, 0, 1, 1, 0, questions, 0, 1e-9, 1e-12, 1e-7


@kernel(sample=_sample_settle)
def settle(products, zero, number, free, level, column, n, members, questions, asked, equal, low, high):  # type: ignore[no-untyped-def]
    """Cut rounding off one column; does its plane hold all of the cone? And questions asked by now.

    What a row makes of a ray means something only where it vanishes on all lines.
    """
    room = products.shape[1]
    most = 0.0
    for i in range(free[level]):
        most = max(most, abs(products[level, room - 1 - i, column]))
    if most > low and most < high:
        if asked < questions.shape[0]:
            questions[asked, 0], questions[asked, 1] = members, OF_LINES
            questions[asked, 2], questions[asked, 3] = column - n, 1 if most > equal else 0
        asked += 1
    if most > equal:
        return False, asked
    for i in range(free[level]):
        products[level, room - 1 - i, column] = 0.0
    holds = True
    for i in range(number[level]):
        v = products[level, i, column]
        sign = 0
        if v > equal:
            sign = 1
        elif v < -equal:
            sign = -1
        if abs(v) > low and abs(v) < high:
            if asked < questions.shape[0]:
                questions[asked, 0], questions[asked, 1] = members, zero[level, i]
                questions[asked, 2], questions[asked, 3] = column - n, sign
            asked += 1
        if sign == 0:
            products[level, i, column] = 0.0
        else:
            holds = False
    return holds, asked


def _sample_knot() -> tuple[Any, ...]:
    planes = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
    return planes, 15, 1e-9, 1e-12, 1e-7


@kernel(sample=_sample_knot)
def knot_of(planes, members, equal, low, high):  # type: ignore[no-untyped-def]
    """Which of these planes some dependence uses, their rank, and how many decisions were in doubt.

    Gauss-Jordan with a plane a column: a pivot that no other column needs is used by no dependence.
    """
    m, d = planes.shape
    which = np.empty(m, np.int64)
    p = 0
    for t in range(m):
        if members >> t & 1:
            which[p] = t
            p += 1
    table = np.empty((d, p))
    for k in range(p):
        for j in range(d):
            table[j, k] = planes[which[k], j]
    pivots = np.empty(d, np.int64)
    bound = np.ones(p, np.int64)
    rank = 0
    doubtful = 0
    for k in range(p):
        if rank == d:
            break
        best = rank
        for j in range(rank + 1, d):
            if abs(table[j, k]) > abs(table[best, k]):
                best = j
        across = table[best, k]
        if abs(across) > low and abs(across) < high:
            doubtful += 1
        if abs(across) <= equal:
            continue
        for i in range(p):
            x = table[best, i]
            table[best, i] = table[rank, i]
            table[rank, i] = x / across
        for j in range(d):
            share = table[j, k]
            if j == rank or share == 0.0:
                continue
            for i in range(p):
                table[j, i] -= share * table[rank, i]
        pivots[rank] = k
        bound[k] = 0
        rank += 1
    knot = 0
    inner = 0
    for k in range(p):
        if bound[k]:
            knot |= 1 << which[k]
    for j in range(rank):
        used = False
        for k in range(p):
            v = abs(table[j, k])
            if bound[k] and v > low and v < high:
                doubtful += 1
            used = used or (bound[k] and v > equal)
        if used:
            knot |= 1 << which[pivots[j]]
            inner += 1
    return knot, inner, doubtful


def _sample_walk() -> tuple[Any, ...]:
    planes = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [0.0, 0.6, 0.8]])
    return np.eye(3)[:1], planes, 16, 16, 1e-9, 1e-12, 1e-7


@kernel(sample=_sample_walk)
def walk_flats(normal, planes, room_for_knots, room_for_questions, equal, low, high):  # type: ignore[no-untyped-def]
    """The flats of the planes that meet {v: normal v > 0}; the rows span the space.

    Returns (why it stopped, flats of independent planes by codimension, knots, questions). The
    *knot* of a flat has those of its planes that some dependence uses; a knot's row is its set of planes, its
    rank, and the sums of 2^c and of (-2)^c over its flats, c the planes of a flat outside the knot.
    A question is (planes of the flat, normals zero on the ray, plane, sign assumed); questions of
    the normals themselves have a plane below zero.
    """
    n, d = normal.shape
    m = planes.shape[0]
    room = min(MOST_RAYS, 16 + 4 * (n + d) * (n + d)) + d
    products = np.empty((m + 2, room, n + m))
    zero = np.zeros((m + 2, room), np.int64)
    number = np.zeros(m + 2, np.int64)
    free = np.zeros(m + 2, np.int64)
    following = np.zeros(m + 2, np.int64)
    members = np.zeros(m + 2, np.int64)
    simple = np.zeros(m + 2, np.int64)
    knots = np.zeros((room_for_knots, 4), np.int64)
    questions = np.zeros((room_for_questions, 4), np.int64)
    count, asked = 0, 0
    free[0] = d
    for i in range(d):
        for k in range(n):
            products[0, room - 1 - i, k] = normal[k, i]
        for k in range(m):
            products[0, room - 1 - i, n + k] = planes[k, i]
    for k in range(n):
        _, asked = settle(products, zero, number, free, 0, k, n, 0, questions, asked, equal, low, high)
        if cut(products, zero, number, free, 0, k, n, True) < 0:
            return MANY_RAYS, simple, knots[:0], questions[:0]
        number[0], free[0] = number[1], free[1]
        products[0] = products[1]
        zero[0] = zero[1]
    for s in range(m):
        _, asked = settle(products, zero, number, free, 0, n + s, n, 0, questions, asked, equal, low, high)
    simple[0] = 1
    level = 0
    while level >= 0:
        t = following[level]
        if t >= m:
            level -= 1
            continue
        following[level] = t + 1
        if members[level] >> t & 1:
            continue
        crossed = cut(products, zero, number, free, level, n + t, n, False)
        if crossed < 0:
            return MANY_RAYS, simple, knots[:0], questions[:0]
        if crossed == 0:
            continue
        below = level + 1
        through = members[level] | 1 << t
        inside = 0
        size = 0
        first = True
        for s in range(m):
            holds = True
            if not through >> s & 1:
                holds, asked = settle(
                    products, zero, number, free, below, n + s, n, through, questions, asked, equal, low, high
                )
            if holds:
                if s < t and not through >> s & 1:
                    first = False  # this flat has an earlier basis, and is met there
                    break
                inside |= 1 << s
                size += 1
        if asked > room_for_questions:
            return MANY_QUESTIONS, simple, knots[:0], questions[:0]
        if not first:
            continue
        if size == below:
            simple[below] += 1
        else:
            knot, inner, doubtful = knot_of(planes, inside, equal, low, high)
            if doubtful:
                if asked < room_for_questions:
                    questions[asked, 0], questions[asked, 1] = inside, OF_KNOT
                    questions[asked, 2], questions[asked, 3] = 0, knot
                asked += 1
            k = knot % room_for_knots
            while knots[k, 0] != 0 and knots[k, 0] != knot:
                k = (k + 1) % room_for_knots
            if knots[k, 0] == 0:
                count += 1
                if 2 * count > room_for_knots:
                    return MANY_KNOTS, simple, knots[:0], questions[:0]
            knots[k, 0], knots[k, 1] = knot, inner
            weight = 1 << (below - inner)
            knots[k, 2] += weight
            knots[k, 3] += weight if (below - inner) % 2 == 0 else -weight
        members[below] = inside
        following[below] = t + 1
        level = below
    if asked > room_for_questions:
        return MANY_QUESTIONS, simple, knots[:0], questions[:0]
    return DONE, simple, knots[knots[:, 0] != 0], questions[:asked]
