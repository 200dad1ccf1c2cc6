"""Rows of joints that close loops of a plane machine: how far open, and velocity products.

    POINT_X, POINT_Y   g = e . (p_b - p_a), e a world axis: each body at its own point
    ACROSS             g = d . (p_b - p_a), d turning with the first body: both bodies at b's point
    ANGLE              g = angle of b - angle of a - the angle held
    COORDINATE         one of the tree's own: left to `measured`

These are the rows of `joint_kernels` in the plane, over bodies of `tree_kernels`; `tests/crosscheck` lays
them side by side.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.mechanics.tree_columns import (
    COSINE,
    PRODUCT_X,
    PRODUCT_Y,
    SINE,
    SPEED_X,
    SPEED_Y,
    SPIN,
    TURN,
    X,
    Y,
)
from detent.numeric.kernels import kernel

POINT_X, POINT_Y, ACROSS, ANGLE, COORDINATE = range(5)
# Columns of a closing row: the points on both bodies, a direction in the first body's frame, the angle held.
A_X, A_Y, B_X, B_Y, ALONG_X, ALONG_Y, HELD = range(7)


def _sample() -> tuple[Any, ...]:
    joints = np.array([[0, 1, kind] for kind in range(4)])
    numbers = np.tile([0.3, 0.1, -0.2, 0.4, 0.6, 0.8, 0.1], (4, 1))
    state = np.random.default_rng(2).normal(size=(2, 10))
    return joints, numbers, state, np.ones((6, 2)), np.zeros((4, 4))


@kernel(sample=_sample, bare=True)
def loop_rows(joints, numbers, state, spans, held):  # type: ignore[no-untyped-def]
    """Writes by row: factors of the independent speeds, how far open, its rate without accelerations."""
    freedoms = spans.shape[1]
    for r in range(len(joints)):
        one, other, kind = joints[r, 0], joints[r, 1], joints[r, 2]
        if kind == COORDINATE:
            continue
        a, b, number = state[one], state[other], numbers[r]
        if kind == ANGLE:
            held[r, freedoms], held[r, freedoms + 1] = b[TURN] - a[TURN] - number[HELD], 0.0
            for k in range(freedoms):
                held[r, k] = spans[3 * other + 2, k] - spans[3 * one + 2, k]
            continue
        ax, ay = (
            a[COSINE] * number[A_X] - a[SINE] * number[A_Y],
            a[SINE] * number[A_X] + a[COSINE] * number[A_Y],
        )
        bx, by = (
            b[COSINE] * number[B_X] - b[SINE] * number[B_Y],
            b[SINE] * number[B_X] + b[COSINE] * number[B_Y],
        )
        past_x, past_y = b[X] + bx - a[X] - ax, b[Y] + by - a[Y] - ay
        dx, dy = (1.0, 0.0) if kind == POINT_X else (0.0, 1.0)
        carried = 0.0
        if kind == ACROSS:
            dx = a[COSINE] * number[ALONG_X] - a[SINE] * number[ALONG_Y]
            dy = a[SINE] * number[ALONG_X] + a[COSINE] * number[ALONG_Y]
            ax, ay = ax + past_x, ay + past_y  # b's point, from the first body's origin
            vx = b[SPEED_X] - b[SPIN] * by - a[SPEED_X] + a[SPIN] * ay
            vy = b[SPEED_Y] + b[SPIN] * bx - a[SPEED_Y] - a[SPIN] * ax
            carried = 2.0 * a[SPIN] * (dx * vy - dy * vx)
        held[r, freedoms] = dx * past_x + dy * past_y
        wa, wb = a[SPIN] ** 2, b[SPIN] ** 2
        held[r, freedoms + 1] = (
            carried
            + dx * (b[PRODUCT_X] - wb * bx - a[PRODUCT_X] + wa * ax)
            + dy * (b[PRODUCT_Y] - wb * by - a[PRODUCT_Y] + wa * ay)
        )
        arm_a, arm_b = ax * dy - ay * dx, bx * dy - by * dx
        for k in range(freedoms):
            held[r, k] = (
                dx * (spans[3 * other, k] - spans[3 * one, k])
                + dy * (spans[3 * other + 1, k] - spans[3 * one + 1, k])
                + arm_b * spans[3 * other + 2, k]
                - arm_a * spans[3 * one + 2, k]
            )
