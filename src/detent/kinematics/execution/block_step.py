"""The shortest Newton step of a block, in memory and time linear in its rows.

Each row of the Jacobian touches two bodies (a gear three), so it is kept as slots
of WIDTH columns, with the column of the block at which each slot begins. The step
is J+ r: by banded LU with row exchanges where the block is square, else by
Cholesky of the banded J J^T, whose pivots that vanish are left out, so that a
repeated equation costs its row and nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.kinematics.planning.blocks import FREE, GEAR, PIN, WIDTH
from detent.numeric.kernels import kernel

# A pivot below this part of the largest diagonal of J J^T belongs to a repeated row:
# singular values of J below 1e-9 of the largest, squared, as in `newton.RANK`.
NO_PIVOT = 1e-18
# The same for a pivot of J itself.
NO_LU_PIVOT = 1e-9


def _equations_sample() -> tuple[Any, ...]:
    from detent.kinematics.execution.bodies import _chain

    return (_chain()[2],)


@kernel(sample=_equations_sample)
def slots_of(equations):  # type: ignore[no-untyped-def]
    """Bodies that a row may touch: two, or three where there is a gear."""
    for e in range(equations.shape[0]):
        if equations[e, 0] == GEAR:
            return 3
    return 2


def _columns_sample() -> tuple[Any, ...]:
    from detent.kinematics.execution.bodies import _chain

    _, bodies, equations = _chain()
    return bodies, equations, np.zeros((2, 4), dtype=np.int64)


@kernel(sample=_columns_sample)
def row_columns(bodies, equations, columns):  # type: ignore[no-untyped-def]
    """Of each row and slot: the block's first column, and the one after the last."""
    slots = columns.shape[1] // 2
    columns[:] = 0
    for e in range(equations.shape[0]):
        kind, row = equations[e, 0], equations[e, 7]
        for i in range(row, row + (2 if kind == PIN else 1)):
            for j in range(slots):
                body = equations[e, 1] if j == 0 else (equations[e, 4] if j == 1 else equations[e, 8])
                if body < 0 or (j == 2 and (body == equations[e, 1] or body == equations[e, 4])):
                    continue
                f = bodies[body, 1]
                columns[i, 2 * j] = f
                columns[i, 2 * j + 1] = f + (3 if bodies[body, 0] == FREE else 1)


def _step_sample() -> tuple[Any, ...]:
    columns = np.array([[0, 1, 1, 2], [0, 1, 1, 2]], dtype=np.int64)
    J = np.array([[1.0, 0, 0, 2.0, 0, 0], [3.0, 0, 0, 4.0, 0, 0]])
    return J, np.ones(2), np.zeros(2), 1, np.zeros((2, 2)), columns


@kernel(sample=_step_sample)
def shortest_step(J, r, x, band, N, columns):  # type: ignore[no-untyped-def]
    """x with J x = -r, the shortest one; the determinant's sign, 0 where not square or singular.

    N is room for the lower band of J J^T: entry (i, j) at N[i, j - i + band].
    """
    m, n = J.shape[0], x.shape[0]
    if m == n:
        sign = lu_step(J, r, x, columns)
        if sign != 0:
            return sign
    slots = columns.shape[1] // 2
    top = 0.0
    for i in range(m):
        for j in range(max(0, i - band), i + 1):
            s = 0.0
            for a in range(slots):
                lo, hi = columns[i, 2 * a], columns[i, 2 * a + 1]
                for b in range(slots):
                    if lo < hi and columns[j, 2 * b] == lo and columns[j, 2 * b + 1] == hi:
                        for k in range(hi - lo):
                            s += J[i, WIDTH * a + k] * J[j, WIDTH * b + k]
            N[i, j - i + band] = s
        top = max(top, N[i, band])
    for i in range(m):
        lo = max(0, i - band)
        for j in range(lo, i):
            s = N[i, j - i + band]
            for k in range(max(lo, j - band), j):
                s -= N[i, k - i + band] * N[j, k - j + band]
            N[i, j - i + band] = s / N[j, band] if N[j, band] > 0.0 else 0.0
        s = N[i, band]
        for k in range(lo, i):
            s -= N[i, k - i + band] * N[i, k - i + band]
        N[i, band] = math.sqrt(s) if s > NO_PIVOT * top else 0.0
    y = np.empty(m)
    for i in range(m):
        s = -r[i]
        for k in range(max(0, i - band), i):
            s -= N[i, k - i + band] * y[k]
        y[i] = s / N[i, band] if N[i, band] > 0.0 else 0.0
    for i in range(m - 1, -1, -1):
        s = y[i]
        for k in range(i + 1, min(m, i + band + 1)):
            s -= N[k, i - k + band] * y[k]
        y[i] = s / N[i, band] if N[i, band] > 0.0 else 0.0
    x[:] = 0.0
    for i in range(m):
        for a in range(slots):
            lo = columns[i, 2 * a]
            for k in range(lo, columns[i, 2 * a + 1]):
                x[k] += J[i, WIDTH * a + k - lo] * y[i]
    return 0


def _lu_sample() -> tuple[Any, ...]:
    J, r, x, _, _, columns = _step_sample()
    return J, r, x, columns


@kernel(sample=_lu_sample)
def lu_step(J, r, x, columns):  # type: ignore[no-untyped-def]
    """x with J x = -r by elimination with row exchanges; the determinant's sign, 0 where singular.

    Entry (i, j) lies at A[i, j - i + below]; row exchanges fill the band up to below + above.
    """
    n = x.shape[0]
    slots = columns.shape[1] // 2
    below, above = 0, 0
    for i in range(n):
        for a in range(slots):
            if columns[i, 2 * a] < columns[i, 2 * a + 1]:
                below = max(below, i - columns[i, 2 * a])
                above = max(above, columns[i, 2 * a + 1] - 1 - i)
    A = np.zeros((n, 2 * below + above + 1))
    top = 0.0
    for i in range(n):
        x[i] = -r[i]
        for a in range(slots):
            lo = columns[i, 2 * a]
            for k in range(lo, columns[i, 2 * a + 1]):
                A[i, k - i + below] += J[i, WIDTH * a + k - lo]
                top = max(top, abs(A[i, k - i + below]))
    sign = 1
    for c in range(n):
        last, end = min(n, c + below + 1), min(n, c + below + above + 1)
        best = c
        for i in range(c + 1, last):
            if abs(A[i, c - i + below]) > abs(A[best, c - best + below]):
                best = i
        if abs(A[best, c - best + below]) <= NO_LU_PIVOT * top:
            return 0
        if best != c:
            sign = -sign
            for j in range(c, end):
                kept = A[c, j - c + below]
                A[c, j - c + below] = A[best, j - best + below]
                A[best, j - best + below] = kept
            x[c], x[best] = x[best], x[c]
        pivot = A[c, below]
        if pivot < 0.0:
            sign = -sign
        for i in range(c + 1, last):
            f = A[i, c - i + below] / pivot
            if f != 0.0:
                for j in range(c, end):
                    A[i, j - i + below] -= f * A[c, j - c + below]
                x[i] -= f * x[c]
    for i in range(n - 1, -1, -1):
        s = x[i]
        for j in range(i + 1, min(n, i + below + above + 1)):
            s -= A[i, j - i + below] * x[j]
        x[i] = s / A[i, below]
    return sign
