"""How many faces an arrangement has inside an open cone, without building them.

In general position they number the sum of 2^|Y| over the sets Y of planes whose
intersection meets the cone (Zaslavsky 1975: the flats above such an intersection
form a Boolean lattice). The cone is cut by the planes of Y one by one, depth first,
by double description; a cut that no longer meets the inside ends its branch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernel import kernel

NOT_GENERAL = -1
MOST_RAYS = 1024


def _sample() -> tuple[Any, ...]:
    planes = np.array([[0.1, 1.0, 0.2], [0.3, -0.2, 1.0]])
    return np.eye(3)[:1], planes, np.eye(3)[:1], np.eye(3)[1:], 1e-9


@kernel(sample=_sample)
def faces_inside(normal, planes, rays, lines, equal):  # type: ignore[no-untyped-def]
    """Faces of the planes inside {v: normal v > 0}; NOT_GENERAL where planes are not in general position.

    `rays` and `lines` (lineality) generate the closed cone of the n < 62 normals.
    """
    n, d = normal.shape
    m = planes.shape[0]
    ray = np.zeros((m + 2, MOST_RAYS, d))
    zero = np.zeros((m + 2, MOST_RAYS), np.int64)
    line = np.zeros((m + 2, d + 1, d))
    number = np.zeros(m + 2, np.int64)
    free = np.zeros(m + 2, np.int64)
    following = np.zeros(m + 2, np.int64)
    value = np.zeros(MOST_RAYS)
    if rays.shape[0] > MOST_RAYS:
        return NOT_GENERAL
    number[0] = rays.shape[0]
    free[0] = lines.shape[0]
    ray[0, : rays.shape[0]] = rays
    line[0, : lines.shape[0]] = lines
    for i in range(rays.shape[0]):
        for k in range(n):
            v = 0.0
            for j in range(d):
                v += normal[k, j] * rays[i, j]
            if v <= equal:
                zero[0, i] |= 1 << k
    total = 1
    level = 0
    while level >= 0:
        t = following[level]
        if t >= m:
            level -= 1
            continue
        following[level] = t + 1
        below = level + 1
        count = number[level]
        left = free[level]
        pivot = -1
        best = equal
        for i in range(left):
            v = 0.0
            for j in range(d):
                v += planes[t, j] * line[level, i, j]
            if abs(v) > best:
                best = abs(v)
                pivot = i
        made = 0
        if pivot >= 0:
            # The plane cuts the lineality: every face goes on, one line fewer.
            across = 0.0
            for j in range(d):
                across += planes[t, j] * line[level, pivot, j]
            kept = 0
            for i in range(left):
                if i == pivot:
                    continue
                v = 0.0
                for j in range(d):
                    v += planes[t, j] * line[level, i, j]
                for j in range(d):
                    line[below, kept, j] = line[level, i, j] - v / across * line[level, pivot, j]
                kept += 1
            for i in range(count):
                v = 0.0
                for j in range(d):
                    v += planes[t, j] * ray[level, i, j]
                for j in range(d):
                    ray[below, i, j] = ray[level, i, j] - v / across * line[level, pivot, j]
                zero[below, i] = zero[level, i]
            free[below] = left - 1
            made = count
        else:
            positive, negative = 0, 0
            for i in range(count):
                v = 0.0
                length = 0.0
                for j in range(d):
                    v += planes[t, j] * ray[level, i, j]
                    length += ray[level, i, j] * ray[level, i, j]
                if abs(v) <= equal * np.sqrt(length):
                    v = 0.0
                value[i] = v
                if v > 0:
                    positive += 1
                elif v < 0:
                    negative += 1
            if positive == 0 and negative == 0:
                return NOT_GENERAL  # the plane holds all of this flat
            if positive == 0 or negative == 0:
                continue  # it only touches the boundary
            for i in range(left):
                for j in range(d):
                    line[below, i, j] = line[level, i, j]
            free[below] = left
            for i in range(count):
                if value[i] == 0.0:
                    for j in range(d):
                        ray[below, made, j] = ray[level, i, j]
                    zero[below, made] = zero[level, i]
                    made += 1
            for i in range(count):
                if value[i] <= 0:
                    continue
                for k in range(count):
                    if value[k] >= 0:
                        continue
                    shared = zero[level, i] & zero[level, k]
                    adjacent = True
                    for e in range(count):
                        if e != i and e != k and zero[level, e] & shared == shared:
                            adjacent = False
                            break
                    if not adjacent:
                        continue
                    if made >= MOST_RAYS:
                        return NOT_GENERAL
                    length = 0.0
                    for j in range(d):
                        x = value[i] * ray[level, k, j] - value[k] * ray[level, i, j]
                        ray[below, made, j] = x
                        length += x * x
                    length = np.sqrt(length)
                    for j in range(d):
                        ray[below, made, j] /= length
                    zero[below, made] = shared
                    made += 1
        common = (1 << n) - 1
        for i in range(made):
            common &= zero[below, i]
        if common != 0:
            continue  # only the boundary of the cone is left
        number[below] = made
        following[below] = t + 1
        total += 1 << below
        level = below
    return total
