"""The largest force against the push along a tracked run; compiled. See `answer/force.py` for the formulas.

Forces are looked at over each stretch between events, and a maximum between looks is closed in on by
golden sections. Where torque and lever vanish together, or the end of a stretch is at its threshold within
the margin of the tracker, the force has no bound, or the run is left to exact arithmetic.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.motion.quasistatic.floats.tracker import JAM, MARGIN, STICK, Push, sample
from detent.numeric.kernels import kernel
from detent.numeric.roots import GOLDEN, GOLDEN_STEPS

LOOKS = 16
NEAR = 1 / 48  # of a stretch: beside an end without bound, where the sign of the force is seen


def _sample_force() -> tuple[Any, ...]:
    push, _, _, _ = sample()
    return push, 1, 0, 2, 20.5, -0.1, -1, 0


@kernel(sample=_sample_force)
def force_on(
    push: Push, kind: int, k: int, j: int, t: float, theta: float, side: int, towards: int
) -> tuple[float, float, float]:
    """Force against the push for a stiffness of one, side (r x f), and r . v, of a pair at an angle.

    `towards` is the sign of r . v along the stretch; t counts only at a constant angle.
    """
    pawl, walls = push.pawl, push.walls
    vx, vy = push.velocity[0], push.velocity[1]
    cosine, sine = math.cos(theta), math.sin(theta)
    x, y = cosine * pawl[k, 0] - sine * pawl[k, 1], sine * pawl[k, 0] + cosine * pawl[k, 1]
    if kind == 1:
        nx, ny = walls[j, 3], -walls[j, 2]
    else:
        dx, dy = cosine * pawl[k, 2] - sine * pawl[k, 3], sine * pawl[k, 2] + cosine * pawl[k, 3]
        nx, ny = -dy, dx
        wx, wy = walls[j, 0] - push.hinge[0], walls[j, 1] - push.hinge[1]
        speed = nx * vx + ny * vy
        if abs(speed) > MARGIN * math.sqrt(vx * vx + vy * vy):
            t = (nx * (wx - x) + ny * (wy - y)) / speed
        x, y = wx - t * vx, wy - t * vy
    drag = walls[j, 5] * side * towards
    fx, fy = nx - drag * ny, ny + drag * nx
    lever = x * fy - y * fx
    along = (fx * vx + fy * vy) / math.sqrt(vx * vx + vy * vy)
    value = -theta / lever * along if lever != 0.0 else math.inf
    return value, side * lever, x * vx + y * vy


def _sample_stretch() -> tuple[Any, ...]:
    push, _, _, _ = sample()
    return push, 1, 0, 2, 20.5, -0.1, 21.0, -0.2, -1


@kernel(sample=_sample_stretch)
def stretch_peak(
    push: Push, kind: int, k: int, j: int, t0: float, theta0: float, t1: float, theta1: float, side: int
) -> float:
    """The largest force of one stretch; NaN where exact arithmetic must tell."""
    margin = MARGIN * push.size
    middle_t, middle = (t0 + t1) / 2, (theta0 + theta1) / 2
    _, _, slip = force_on(push, kind, k, j, middle_t, middle, side, 0)
    towards = 1 if slip > 0 else -1
    best = -math.inf
    for end in range(2):
        t, theta = (t0, theta0) if end == 0 else (t1, theta1)
        value, slack, _ = force_on(push, kind, k, j, t, theta, side, towards)
        if abs(theta) < MARGIN:
            if slack <= margin:
                return math.nan
            value = 0.0
        elif slack <= margin:
            t, theta = t + (middle_t - t) * 2 * NEAR, theta + (middle - theta) * 2 * NEAR
            near, _, _ = force_on(push, kind, k, j, t, theta, side, towards)
            if near > 0:
                return math.inf
            continue
        best = max(best, value)
    if theta0 == theta1:
        return best
    step = (theta1 - theta0) / LOOKS
    top, at = -math.inf, 0
    for i in range(1, LOOKS):
        value, _, _ = force_on(push, kind, k, j, middle_t, theta0 + i * step, side, towards)
        if value > top:
            top, at = value, i
    low, high = theta0 + (at - 1) * step, theta0 + (at + 1) * step
    for _ in range(GOLDEN_STEPS):
        a, b = high - GOLDEN * (high - low), low + GOLDEN * (high - low)
        fa, _, _ = force_on(push, kind, k, j, middle_t, a, side, towards)
        fb, _, _ = force_on(push, kind, k, j, middle_t, b, side, towards)
        top = max(top, fa, fb)
        if fa > fb:
            high = b
        else:
            low = a
    return max(best, top)


def _sample_run() -> tuple[Any, ...]:
    push, _, _, _ = sample()
    events = np.zeros((4, 7))
    events[0] = 20.5, 0, 0.0, 1, 0, 2, 0.0
    events[1] = 21.0, -1, -0.2, 1, 0, 2, -0.2
    return push, events, 1, 0, 0.0, 0.0, -1, 0, 0, -1


@kernel(sample=_sample_run)
def run_peak(
    push: Push,
    events: Any,
    count: int,
    status: int,
    t: float,
    theta: float,
    kind: int,
    k: int,
    j: int,
    side: int,
) -> float:
    """The largest force of a tracked run for a stiffness of one, from the state it began in; NaN in doubt."""
    if status in (JAM, STICK):
        return math.inf
    best = 0.0
    for i in range(count + 1):
        row = events[i]
        until, angle = row[0], row[2]
        if kind >= 0 and until > t:
            sign = side
            if theta + angle != 0.0:
                sign = 1 if theta + angle > 0 else -1
            value = stretch_peak(push, kind, k, j, t, theta, until, angle, sign)
            if math.isnan(value):
                return math.nan
            best = max(best, value)
        t, theta = until, row[6]
        kind, k, j = int(row[3]), int(row[4]), int(row[5])
    return best
