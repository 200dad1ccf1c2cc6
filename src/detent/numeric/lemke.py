"""Linear complementarity by Lemke's pivots: z >= 0, w = M z + q >= 0, z . w = 0.

Ties are broken lexicographically, so that pivots do not go in circles. Where M is copositive, as of contacts
with friction that are not sliding yet, a solution is found if there is one (Cottle, Pang & Stone, 4.4).
Numbers are about 1: whoever asks scales them.
"""

from __future__ import annotations

import numpy as np

from detent.numeric.kernels import kernel

# A number of the tableau that is less is rounding.
_ROUNDING = 1e-9
# Pivots per unknown, at most.
_PIVOTS = 50


@kernel(sample=lambda: (np.zeros((2, 6)), np.arange(2), 0, 4))
def pivot_in(tableau, basic, row, column):  # type: ignore[no-untyped-def]
    """Makes a column basic in a row."""
    rows, columns = tableau.shape
    by = tableau[row, column] if tableau[row, column] != 0.0 else 1.0
    for c in range(columns):
        tableau[row, c] /= by
    for r in range(rows):
        factor = tableau[r, column]
        if r != row and factor != 0.0:
            for c in range(columns):
                tableau[r, c] -= factor * tableau[row, c]
    basic[row] = column


@kernel(sample=lambda: (np.arange(12.0).reshape(2, 6), 3, 0, 1))
def comes_before(tableau, column, one, other):  # type: ignore[no-untyped-def]
    """Whether one row leaves before the other: by the ratios of its last column, then of its first ones."""
    rows, last = tableau.shape[0], tableau.shape[1] - 1
    for k in range(-1, rows):
        c = last if k < 0 else k
        difference = tableau[one, c] / tableau[one, column] - tableau[other, c] / tableau[other, column]
        if abs(difference) > _ROUNDING:
            return difference < 0.0
    return False


@kernel(sample=lambda: (np.array([[2.0, 1.0], [1.0, 3.0]]), np.array([-1.0, -2.0]), np.zeros(2)))
def solve_complementarity(M, q, z):  # type: ignore[no-untyped-def]
    """Fills z; returns whether a solution was found. False where pivots end on a ray, or are too many."""
    n = len(q)
    cover = 2 * n  # columns: w, z, the covering variable, q
    tableau, basic, row = np.zeros((n, 2 * n + 2)), np.arange(n), 0
    for r in range(n):
        tableau[r, r], tableau[r, cover], tableau[r, cover + 1], z[r] = 1.0, -1.0, q[r], 0.0
        for c in range(n):
            tableau[r, n + c] = -M[r, c]
        if q[r] < q[row]:
            row = r
    if n == 0 or q[row] >= 0.0:
        return True
    leaving = row
    pivot_in(tableau, basic, row, cover)
    for _ in range(_PIVOTS * n):
        entering = leaving + n if leaving < n else leaving - n
        row = -1
        for r in range(n):
            if tableau[r, entering] > _ROUNDING and (row < 0 or comes_before(tableau, entering, r, row)):
                row = r
        if row < 0:
            return False
        for r in range(n):  # of rows that tie, the covering variable leaves
            if basic[r] == cover and tableau[r, entering] > _ROUNDING:
                ratio = tableau[r, cover + 1] / tableau[r, entering]
                if ratio <= tableau[row, cover + 1] / tableau[row, entering] + _ROUNDING:
                    row = r
        leaving = basic[row]
        pivot_in(tableau, basic, row, entering)
        if leaving == cover:
            for r in range(n):
                if basic[r] >= n:
                    z[basic[r] - n] = tableau[r, cover + 1]
            return True
    return False
