"""What joints constrain at a state, in loops over arrays: rows, residuals, velocity products.

A body's velocity is (v, w): of its own origin on world axes, and its angular velocity. `columns` has a
body's first column in the velocity vector, -1 for none. `flat` is 1 in the plane, where only
(vx, vy, wz) have columns.

With p the world point of an end, r its arm from its body's origin, d a direction of the first body:

    a point held        g = e . (p_b - p_a), e a world axis: each body at its own point
    a direction held    g = d . (p_b - p_a): both bodies at b's point, as d turns with the first
    axes held parallel  g = d_a . e_b, with rate (w_b - w_a) . (e x d)

`rate` is the velocity product: the second derivative of g at zero acceleration.
"""

from __future__ import annotations

import math

import numpy as np

from detent.numeric.kernels import kernel

# What is held, as codes of the tables.
NONE, AXIS, ACROSS, ALL = 0, 1, 2, 3


@kernel(sample=lambda: ((1.0, 2.0, 3.0), (0.5, -1.0, 2.0)))
def cross3(a, b):  # type: ignore[no-untyped-def]
    """The cross product of two triples."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@kernel(sample=lambda: ((1.0, 2.0, 3.0), (0.5, -1.0, 2.0)))
def dot3(a, b):  # type: ignore[no-untyped-def]
    """The scalar product of two triples."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(sample=lambda: ((1.0, 2.0, 3.0), (0.5, -1.0, 2.0)))
def minus3(a, b):  # type: ignore[no-untyped-def]
    """The difference of two triples."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@kernel(sample=lambda: ((1.0, 2.0, 3.0), (0.5, -1.0, 2.0)))
def plus3(a, b):  # type: ignore[no-untyped-def]
    """The sum of two triples."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(sample=lambda: (np.eye(4), np.arange(12.0).reshape(3, 4), 3))
def turned_column(pose, frame, k):  # type: ignore[no-untyped-def]
    """Column k of a frame fixed in a body, on world axes; column 3 is the arm from the body's origin."""
    x, y, z = frame[0, k], frame[1, k], frame[2, k]
    return (
        pose[0, 0] * x + pose[0, 1] * y + pose[0, 2] * z,
        pose[1, 0] * x + pose[1, 1] * y + pose[1, 2] * z,
        pose[2, 0] * x + pose[2, 1] * y + pose[2, 2] * z,
    )


@kernel(sample=lambda: (np.zeros((2, 6)), 1, 0, 0, -1.0, (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)))
def add_entry(rows, row, column, flat, sign, linear, angular):  # type: ignore[no-untyped-def]
    """Add what a row says of one body's velocity."""
    if column < 0:
        return
    rows[row, column] += sign * linear[0]
    rows[row, column + 1] += sign * linear[1]
    if flat:
        rows[row, column + 2] += sign * angular[2]
        return
    rows[row, column + 2] += sign * linear[2]
    for k in range(3):
        rows[row, column + 3 + k] += sign * angular[k]


def _pair() -> tuple[object, ...]:
    """Two bodies in space with one joint's frames, and room for rows."""
    generator = np.random.default_rng(3)
    poses = np.stack([np.eye(4), np.eye(4)])
    poses[1, :3, :3] = np.linalg.qr(generator.normal(size=(3, 3)))[0]
    poses[1, :3, 3] = [0.3, -0.2, 0.1]
    frames = generator.normal(size=(2, 3, 4))
    return poses, generator.normal(size=(2, 6)), frames[0], frames[1]


@kernel(
    sample=lambda: (
        *_pair(), 0, 1, (0.6, 0.0, 0.8), np.array([0, 6]), 0, 0, np.zeros((1, 12)), np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def slide_row(poses, speeds, frame_a, frame_b, a, b, d, columns, flat, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """d . (p_b - p_a) for a direction that goes with the first body."""
    r_a, r_b = turned_column(poses[a], frame_a, 3), turned_column(poses[b], frame_b, 3)
    o_a = (poses[a, 0, 3], poses[a, 1, 3], poses[a, 2, 3])
    o_b = (poses[b, 0, 3], poses[b, 1, 3], poses[b, 2, 3])
    arm = minus3(plus3(o_b, r_b), o_a)  # of b's point, from the first body's origin
    values[row] = dot3(d, minus3(arm, r_a))
    add_entry(rows, row, columns[b], flat, 1.0, d, cross3(r_b, d))
    add_entry(rows, row, columns[a], flat, -1.0, d, cross3(arm, d))
    v_a, w_a = (speeds[a, 0], speeds[a, 1], speeds[a, 2]), (speeds[a, 3], speeds[a, 4], speeds[a, 5])
    v_b, w_b = (speeds[b, 0], speeds[b, 1], speeds[b, 2]), (speeds[b, 3], speeds[b, 4], speeds[b, 5])
    past = minus3(plus3(v_b, cross3(w_b, r_b)), plus3(v_a, cross3(w_a, arm)))
    towards = minus3(cross3(w_b, cross3(w_b, r_b)), cross3(w_a, cross3(w_a, arm)))
    rates[row] = 2.0 * dot3(cross3(w_a, d), past) + dot3(d, towards)


@kernel(
    sample=lambda: (
        *_pair(), 0, 1, 1, np.array([0, 6]), 0, 0, np.zeros((1, 12)), np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def point_row(poses, speeds, frame_a, frame_b, a, b, k, columns, flat, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """The two ends' points along world axis k."""
    r_a, r_b = turned_column(poses[a], frame_a, 3), turned_column(poses[b], frame_b, 3)
    e = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
    values[row] = poses[b, k, 3] + r_b[k] - poses[a, k, 3] - r_a[k]
    add_entry(rows, row, columns[b], flat, 1.0, e, cross3(r_b, e))
    add_entry(rows, row, columns[a], flat, -1.0, e, cross3(r_a, e))
    w_a = (speeds[a, 3], speeds[a, 4], speeds[a, 5])
    w_b = (speeds[b, 3], speeds[b, 4], speeds[b, 5])
    rates[row] = cross3(w_b, cross3(w_b, r_b))[k] - cross3(w_a, cross3(w_a, r_a))[k]


@kernel(
    sample=lambda: (
        *_pair()[:2], 0, 1, (0.6, 0.0, 0.8), (0.0, 0.6, 0.8), np.array([0, 6]), 0, 0,
        np.zeros((1, 12)), np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def parallel_row(poses, speeds, a, b, d, e, columns, flat, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """d . e for a direction d of the first body and e of the second."""
    none = (0.0, 0.0, 0.0)
    n = cross3(e, d)
    values[row] = dot3(d, e)
    add_entry(rows, row, columns[b], flat, 1.0, none, n)
    add_entry(rows, row, columns[a], flat, -1.0, none, n)
    w_a = (speeds[a, 3], speeds[a, 4], speeds[a, 5])
    w_b = (speeds[b, 3], speeds[b, 4], speeds[b, 5])
    turning = plus3(cross3(cross3(w_b, e), d), cross3(e, cross3(w_a, d)))
    rates[row] = dot3(minus3(w_b, w_a), turning)


@kernel(
    sample=lambda: (*_pair(), 0, 1, np.array([0, 6]), 0, 0, np.zeros((1, 12)), np.zeros(1), np.zeros(1)),
)
def angle_row(poses, speeds, frame_a, frame_b, a, b, columns, flat, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """The angle from x of the first end to x of the second about z of the first, in (-pi, pi]; in space."""
    none = (0.0, 0.0, 0.0)
    x, y = turned_column(poses[a], frame_a, 0), turned_column(poses[a], frame_a, 1)
    e = turned_column(poses[b], frame_b, 0)
    c, s = dot3(x, e), dot3(y, e)
    p, q = cross3(e, y), cross3(e, x)
    square = c * c + s * s
    n = ((c * p[0] - s * q[0]) / square, (c * p[1] - s * q[1]) / square, (c * p[2] - s * q[2]) / square)
    values[row] = math.atan2(s, c)
    add_entry(rows, row, columns[b], flat, 1.0, none, n)
    add_entry(rows, row, columns[a], flat, -1.0, none, n)
    w_a = (speeds[a, 3], speeds[a, 4], speeds[a, 5])
    w_b = (speeds[b, 3], speeds[b, 4], speeds[b, 5])
    past = minus3(w_b, w_a)
    de, dx, dy = cross3(w_b, e), cross3(w_a, x), cross3(w_a, y)
    dc, ds = dot3(dx, e) + dot3(x, de), dot3(dy, e) + dot3(y, de)
    dp, dq = plus3(cross3(de, y), cross3(e, dy)), plus3(cross3(de, x), cross3(e, dx))
    growing = 2.0 * (c * dc + s * ds) / square
    rate = 0.0
    for k in range(3):
        turning = (dc * p[k] + c * dp[k] - ds * q[k] - s * dq[k]) / square - n[k] * growing
        rate += past[k] * turning
    rates[row] = rate


@kernel(sample=lambda: (0, 1, 0.5, 2.0, np.array([0, 3]), np.zeros(2), 0, np.zeros((1, 6)), np.zeros(1)))
def flat_angle_row(a, b, offset, sign_a, columns, angles, row, rows, values):  # type: ignore[no-untyped-def]
    """In the plane: angle of b - sign_a (angle of a) - offset."""
    if columns[b] >= 0:
        rows[row, columns[b] + 2] += 1.0
    if columns[a] >= 0:
        rows[row, columns[a] + 2] -= sign_a
    values[row] = angles[b] - sign_a * angles[a] - offset


@kernel(sample=lambda: (np.eye(4), np.eye(4), (0.0, 0.0, 1.0)))
def twist(pose, drawn, n):  # type: ignore[no-untyped-def]
    """The rotation from the drawing about a unit direction, in (-pi, pi]."""
    trace, along = 0.0, 0.0
    for i in range(3):
        for j in range(3):
            trace += pose[i, j] * drawn[i, j]
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        skew = 0.0
        for m in range(3):
            skew += pose[j, m] * drawn[i, m] - pose[i, m] * drawn[j, m]
        along += 0.5 * n[k] * skew
    return math.atan2(along, 0.5 * (trace - 1.0))


@kernel(
    sample=lambda: (
        *_pair()[:2], np.stack([np.eye(4)] * 2), _pair()[2], 0, 1, -1, -2.0, np.array([0, 6]),
        0, np.zeros((1, 12)), np.zeros(1), np.zeros(1),
    )
)  # fmt: skip
def gear_row(poses, speeds, drawn, frame_a, a, b, carrier, ratio, columns, row, rows, values, rates):  # type: ignore[no-untyped-def]
    """In space: rotation of b past the carrier = ratio x rotation of a past it, about the first end's z.

    The value counts from the drawing and holds within half a turn of it.
    """
    none = (0.0, 0.0, 0.0)
    n = turned_column(poses[a], frame_a, 2)
    add_entry(rows, row, columns[b], 0, 1.0, none, n)
    add_entry(rows, row, columns[a], 0, -ratio, none, n)
    value = twist(poses[b], drawn[b], n) - ratio * twist(poses[a], drawn[a], n)
    past = (
        speeds[b, 3] - ratio * speeds[a, 3],
        speeds[b, 4] - ratio * speeds[a, 4],
        speeds[b, 5] - ratio * speeds[a, 5],
    )
    rate = 0.0
    if carrier >= 0:
        add_entry(rows, row, columns[carrier], 0, ratio - 1.0, none, n)
        value += (ratio - 1.0) * twist(poses[carrier], drawn[carrier], n)
        w_c = (speeds[carrier, 3], speeds[carrier, 4], speeds[carrier, 5])
        total = (
            past[0] + (ratio - 1.0) * w_c[0],
            past[1] + (ratio - 1.0) * w_c[1],
            past[2] + (ratio - 1.0) * w_c[2],
        )
        rate = dot3(cross3(w_c, n), total)
    values[row] = value
    rates[row] = rate
