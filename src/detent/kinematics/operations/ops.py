"""The operations of a plan: closed forms on points and directions, with two derivatives.

A plan is a table of integers; each row is an operation on rows of a table of
vectors, [op, out, a, b, c, d, e, disc, sign]. A point and a direction are both
vectors, and so is a constant, whose derivatives are zero; a product of two is
the complex one, a rotation and a scale. One interpreter serves every mechanism.

The dyads are those of Brunkhart 1994, section 3.3: RRR is CIRCLES, RRP is
CIRCLE_LINE, RPR is TANGENT, RPP and PRP are LINES (PPP has rank 5 of 6 and no
solution). Each but the last has a discriminant H, kept in row `disc`; H < 0
breaks the linkage, and the root's sign is the branch, stored, never guessed.
Derivatives are by whatever moves the inputs: `order` 0, 1 or 2 of them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.kinematics.operations.dyads import circle_line, circles, lines, tangent
from detent.kinematics.operations.products import affine, offset, pack, pull, quotient, slide, square, turn
from detent.numeric.kernels import kernel

TURN = 0  # out = exp(i (Kx input_a + Ky)), K = b
SLIDE = 1  # out = (input_a, input_b); b < 0: (input_a, 0)
AFFINE = 2  # out = a + d (c - b)
QUOTIENT = 3  # out = (b - a) / c
SQUARE = 4  # out = (|b - a|^2, 0)
OFFSET = 5  # out = (a x (c - b), 0)
PACK = 6  # out = (ax, bx)
CIRCLES = 7  # |out - a|^2 = cx, |out - b|^2 = cy
CIRCLE_LINE = 8  # |out - a|^2 = dx, c x (out - b) = dy
TANGENT = 9  # out = u with u x (b - a) = cx
LINES = 10  # b x (out - a) = ex, d x (out - c) = ey
PULL = 11  # out = a + sqrt(K) (b - a) / |b - a|, K = cx, or cy where d = 1

COLUMNS = 9
DISC, SIGN = 7, 8
DYADS = (CIRCLES, CIRCLE_LINE, TANGENT, LINES)
ALL_WELL = -1


def _sample() -> tuple[Any, ...]:
    """A crank at 0.7 rad, a dyad on it, and a coupler point."""
    values = np.zeros((8, 2))
    values[:5] = [(0, 0), (1, 0), (4, 0), (9, 9), (0.5, 0.25)]
    ops = np.array(
        [
            [TURN, 5, 0, 1, 0, 0, 0, 0, 0],
            [CIRCLES, 6, 5, 2, 3, 0, 0, 7, 1],
            [AFFINE, 4, 5, 5, 6, 1, 0, 0, 0],
        ],
        dtype=np.int64,
    )
    inputs = np.array([[0.7], [1.0], [0.0]])
    return ops, 0, 3, values, np.zeros((8, 2)), np.zeros((8, 2)), inputs, 2, False


@kernel(sample=_sample)
def run_ops(ops, lo, hi, V, V1, V2, inputs, order, relaxed):  # type: ignore[no-untyped-def]
    """Run rows lo..hi; returns the first row that cannot close (ALL_WELL if none).

    `relaxed` goes on past a break: each such dyad puts its point as near as it
    can come without changing a length.
    """
    broken = -1
    for i in range(lo, hi):
        op = ops[i, 0]
        fails = False
        if op == AFFINE:
            affine(ops, i, V, V1, V2, order)
        elif op == CIRCLES:
            fails = circles(ops, i, V, V1, V2, order, relaxed)
        elif op == TURN:
            turn(ops, i, V, V1, V2, inputs, order)
        elif op == CIRCLE_LINE:
            fails = circle_line(ops, i, V, V1, V2, order, relaxed)
        elif op == TANGENT:
            fails = tangent(ops, i, V, V1, V2, order, relaxed)
        elif op == LINES:
            fails = lines(ops, i, V, V1, V2, order, relaxed)
        elif op == SLIDE:
            slide(ops, i, V, V1, V2, inputs, order)
        elif op == QUOTIENT:
            quotient(ops, i, V, V1, V2, order)
        elif op == SQUARE:
            square(ops, i, V, V1, V2, order)
        elif op == OFFSET:
            offset(ops, i, V, V1, V2, order)
        elif op == PACK:
            pack(ops, i, V, V1, V2, order)
        else:
            pull(ops, i, V)
        if fails:
            if not relaxed:
                return i
            if broken < 0:
                broken = i
    return broken
