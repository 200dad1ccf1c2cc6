"""Dormand and Prince's pair of orders 5 and 4, as tables, and steps as Bezier curves.

A step from (y, y', y'') to (y, y', y'') is a polynomial of degree five, kept by its control points: it
lies in their hull, and its rate in the hull of their differences. So a bound on a speed along a step is a
bound.
"""

from __future__ import annotations

import numpy as np

from detent.numeric.kernels import kernel

NODES = np.array([0.0, 1 / 5, 3 / 10, 4 / 5, 8 / 9, 1.0, 1.0])
STAGES = np.array(
    [
        [0, 0, 0, 0, 0, 0],
        [1 / 5, 0, 0, 0, 0, 0],
        [3 / 40, 9 / 40, 0, 0, 0, 0],
        [44 / 45, -56 / 15, 32 / 9, 0, 0, 0],
        [19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729, 0, 0],
        [9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656, 0],
        [35 / 384, 0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84],
    ]
)
ERRORS = np.array([71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40])


@kernel(
    sample=lambda: (
        np.ones(2),
        np.ones(2),
        np.zeros(2),
        np.zeros(2),
        np.ones(2),
        np.ones(2),
        0.1,
        np.zeros((6, 2)),
    ),
    bare=True,
)
def control_points(y0, v0, a0, y1, v1, a1, h, points):  # type: ignore[no-untyped-def]
    """Writes the six control points of a step from its ends' values, rates and second rates."""
    for k in range(len(y0)):
        points[0, k] = y0[k]
        points[1, k] = y0[k] + h * v0[k] / 5
        points[2, k] = y0[k] + 2 * h * v0[k] / 5 + h * h * a0[k] / 20
        points[3, k] = y1[k] - 2 * h * v1[k] / 5 + h * h * a1[k] / 20
        points[4, k] = y1[k] - h * v1[k] / 5
        points[5, k] = y1[k]


@kernel(sample=lambda: (np.arange(12.0).reshape(6, 2), 0.1, 0.3, np.zeros(2), np.zeros(2)), bare=True)
def point_on_step(points, h, s, y, v):  # type: ignore[no-untyped-def]
    """Writes value and rate at the share s of a step of length h."""
    r = 1.0 - s
    b0, b1, b2, b3, b4 = r * r * r * r, 4 * r * r * r * s, 6 * r * r * s * s, 4 * r * s * s * s, s * s * s * s
    for k in range(len(y)):
        low = (
            b0 * points[0, k] + b1 * points[1, k] + b2 * points[2, k] + b3 * points[3, k] + b4 * points[4, k]
        )
        high = (
            b0 * points[1, k] + b1 * points[2, k] + b2 * points[3, k] + b3 * points[4, k] + b4 * points[5, k]
        )
        y[k] = r * low + s * high
        v[k] = 5.0 * (high - low) / h
