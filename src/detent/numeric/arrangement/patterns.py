"""The sign patterns of planes inside an open cone, as a list and nothing else.

A complex keeps the boundary of the cone, which in ten dimensions is many times the inside. Here the cone is
cut by one plane after the other, depth first (double description): where a plane crosses the inside
there are three branches, else the sign is known. A pattern is listed only if a point in the
middle of its cone has it. Rounding could lose a branch; the caller knows from a count how many there
must be (`detent.numeric.arrangement.faces`), so that a full list is a right one.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.arrangement.flats import DONE, MANY_RAYS, cut
from detent.numeric.kernels import kernel

MOST_TOGETHER = 62  # normals and planes: the zeros of a ray are bits of one word
MOST_RAYS = 2048
ASTRAY = 4  # more patterns than there can be, or a point without its signs
# The next branch of a level.
_FIRST, _NEGATIVE, _ZERO, _POSITIVE = 0, 1, 2, 3


def _sample() -> tuple[Any, ...]:
    return np.eye(2)[:1], np.array([[0.6, 0.8]]), 3, 1e-9


@kernel(sample=_sample)
def list_patterns(normal, planes, count, equal):  # type: ignore[no-untyped-def]
    """The signs of the planes in {v: normal v > 0}, whose patterns number `count`; rows span the space.

    Returns (why it stopped, how many, signs).
    """
    n, d = normal.shape
    m = planes.shape[0]
    width = n + m
    room = min(MOST_RAYS, 16 + 8 * width * width) + d
    products = np.empty((m + 2, room, width))
    zero = np.zeros((m + 2, room), np.int64)
    number = np.zeros(m + 2, np.int64)
    free = np.zeros(m + 2, np.int64)
    branch = np.zeros(m + 2, np.int64)
    sign = np.zeros(m, np.int8)
    signs = np.zeros((count, m), np.int8)
    listed = 0
    free[0] = d
    for i in range(d):
        for k in range(n):
            products[0, room - 1 - i, k] = normal[k, i]
        for k in range(m):
            products[0, room - 1 - i, n + k] = planes[k, i]
    for k in range(n):
        _trim(products, number, free, 0, k, equal)
        if cut(products, zero, number, free, 0, k, width, True) < 0:
            return MANY_RAYS, listed, signs
        number[0], free[0] = number[1], free[1]
        products[0] = products[1]
        zero[0] = zero[1]
    level = 0
    while level >= 0:
        column = n + level
        if branch[level] == _FIRST:
            side = _trim(products, number, free, level, column, equal)
            if level == m - 1:
                # Where the last plane crosses the inside, it has points on both sides and in the plane.
                for t in range(level):
                    v = 0.0
                    for i in range(number[level]):
                        v += products[level, i, n + t]
                    if v * sign[t] < 0 or (abs(v) <= equal) != (sign[t] == 0):
                        return ASTRAY, listed, signs
                if listed + (3 if side == 2 else 1) > count:
                    return ASTRAY, listed, signs
                for last in range(-1, 2):
                    if side == 2 or side == last:
                        signs[listed] = sign
                        signs[listed, level] = last
                        listed += 1
                level -= 1
                continue
            if side != 2:
                sign[level] = side
                for i in range(number[level]):
                    products[level + 1, i] = products[level, i]
                    zero[level + 1, i] = zero[level, i]
                for i in range(room - free[level], room):
                    products[level + 1, i] = products[level, i]
                number[level + 1], free[level + 1] = number[level], free[level]
                branch[level] = _POSITIVE
                branch[level + 1] = _FIRST
                level += 1
                continue
        branch[level] += 1
        if branch[level] > _POSITIVE:
            branch[level] = _FIRST
            level -= 1
            continue
        sign[level] = branch[level] - _ZERO
        if branch[level] != _POSITIVE:
            # Negated for the negative side, and back again for the others.
            for i in range(number[level]):
                products[level, i, column] = -products[level, i, column]
            for i in range(free[level]):
                products[level, room - 1 - i, column] = -products[level, room - 1 - i, column]
        if cut(products, zero, number, free, level, column, width, sign[level] != 0) < 0:
            return MANY_RAYS, listed, signs
        if sign[level] == -1:
            for i in range(number[level + 1]):
                products[level + 1, i, column] = -products[level + 1, i, column]
        branch[level + 1] = _FIRST
        level += 1
    return DONE, listed, signs


def _sample_trim() -> tuple[Any, ...]:
    products = np.zeros((1, 3, 2))
    products[0, 0] = [1.0, 1e-14]
    return products, np.array([1]), np.array([0]), 0, 1, 1e-9


@kernel(sample=_sample_trim)
def _trim(products, number, free, level, column, equal):  # type: ignore[no-untyped-def]
    """Cut rounding off one column; the sign of its plane on the inside of the cone, 2 where it crosses."""
    room = products.shape[1]
    most = 0.0
    for i in range(free[level]):
        most = max(most, abs(products[level, room - 1 - i, column]))
    if most > equal:
        return 2
    for i in range(free[level]):
        products[level, room - 1 - i, column] = 0.0
    above, below = False, False
    for i in range(number[level]):
        v = products[level, i, column]
        if v > equal:
            above = True
        elif v < -equal:
            below = True
        else:
            products[level, i, column] = 0.0
    if above and below:
        return 2
    return 1 if above else -1 if below else 0
