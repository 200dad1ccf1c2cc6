"""The first place where a quartic falls below zero, in floats, or a doubt.

Bernstein coefficients on [0, top] are halved from the left until one sign
change is alone in its interval; there bisection with secants finds the root.
A quartic that stays within its rounding of zero, or touches it, is a doubt, not an answer.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

NO_ROOT, DOUBT = -1.0, -2.0
# Rounding of a coefficient's few products, as a share of the sum of their sizes.
NOISE = 1e-14
HALVINGS = 40
NARROWEST = 2.0**-HALVINGS  # of the whole: to the right the stack does not grow, but the interval narrows


def _sample() -> tuple[Any, ...]:
    return (
        np.array([1.0, -3.0, 1.0, 0.5, 0.1]),
        1.0,
        np.zeros((HALVINGS + 2, 5)),
        np.zeros((HALVINGS + 2, 2)),
        0.0,
    )


@kernel(sample=lambda: (1.0, -3.0, 1.0, 0.5, 0.1, 1.0))
def keeps_sign(g0: float, g1: float, g2: float, g3: float, g4: float, top: float) -> bool:
    """Whether a quartic certainly keeps its sign on [0, top]: all its Bernstein coefficients have one."""
    c1, c2, c3 = g1 * top, g2 * top * top, g3 * top * top * top
    c4 = g4 * top * top * top * top
    noise = NOISE * (abs(g0) + abs(c1) + abs(c2) + abs(c3) + abs(c4))
    b1, b2 = g0 + c1 / 4, g0 + c1 / 2 + c2 / 6
    b3, b4 = g0 + 3 * c1 / 4 + c2 / 2 + c3 / 4, g0 + c1 + c2 + c3 + c4
    if g0 > 0:
        return bool(min(g0, b1, b2, b3, b4) > noise)
    return bool(max(g0, b1, b2, b3, b4) < -noise)


@kernel(sample=_sample)
def first_fall(g: Any, top: float, stack: Any, spans: Any, least: float) -> float:
    """The first u in (0, top] where g goes from positive to negative; NO_ROOT or DOUBT.

    Values of g up to `least` are not told from zero: a double root, or two nearly so, is a doubt.
    `stack` and `spans` are scratch, HALVINGS + 2 rows.
    """
    b = stack[0]
    c0 = g[0]
    c1 = g[1] * top
    c2 = g[2] * top * top
    c3 = g[3] * top * top * top
    c4 = g[4] * top * top * top * top
    size = abs(c0) + abs(c1) + abs(c2) + abs(c3) + abs(c4)
    if size == 0.0:
        return DOUBT
    noise = max(NOISE * size, least)
    b[0] = c0
    b[1] = c0 + c1 / 4
    b[2] = c0 + c1 / 2 + c2 / 6
    b[3] = c0 + 3 * c1 / 4 + c2 / 2 + c3 / 4
    b[4] = c0 + c1 + c2 + c3 + c4
    if b[0] > noise and b[1] > noise and b[2] > noise and b[3] > noise and b[4] > noise:
        return NO_ROOT
    if b[0] < -noise and b[1] < -noise and b[2] < -noise and b[3] < -noise and b[4] < -noise:
        return NO_ROOT
    # A stack of intervals, leftmost on top, each with its start and width.
    spans[0, 0], spans[0, 1] = 0.0, 1.0
    count = 1
    while count > 0:
        row = count - 1
        b = stack[row]
        low, width = spans[row, 0], spans[row, 1]
        # A coefficient within the noise may have either sign: alone between two signs it adds no
        # variation, anywhere else it may hide two roots, and the interval is halved on.
        variations = 0
        sign = 0
        unclear = 0
        hidden = False
        for i in range(5):
            if i == 0 and low == 0.0 and b[0] == 0.0:
                continue  # a root that was passed: exactly zero, and what follows says more
            if abs(b[i]) <= noise:
                unclear += 1
                continue
            now = 1 if b[i] > 0 else -1
            if sign * now < 0:
                variations += 1
            if unclear > 1 or (unclear == 1 and sign * now >= 0):
                hidden = True
            unclear = 0
            sign = now
        if sign == 0:
            return DOUBT
        hidden = hidden or unclear > 0
        # What is nowhere above the noise does not fall, unless it begins within it.
        stays_below = sign < 0 and (low > 0.0 or b[0] < -noise or b[0] == 0.0)
        if variations == 0 and (not hidden or stays_below):
            count -= 1
            continue
        if variations == 1 and not hidden and abs(b[0]) > noise:
            if b[0] < 0:
                count -= 1
                continue
            root: float = _solve(g, low * top, (low + width) * top)
            return root
        if count >= HALVINGS or width < NARROWEST:
            return DOUBT
        _halve(stack, row)
        spans[row, 0], spans[row, 1] = low + width / 2, width / 2
        spans[row + 1, 0], spans[row + 1, 1] = low, width / 2
        count += 1
    return NO_ROOT


@kernel(sample=lambda: (np.array([[1.0, 2.0, 3.0, 4.0, 5.0], [0.0, 0.0, 0.0, 0.0, 0.0]]), 0))
def _halve(stack: Any, row: int) -> None:
    """Split a row at its middle: the right half stays, the left half goes on top."""
    b0, b1, b2, b3, b4 = stack[row, 0], stack[row, 1], stack[row, 2], stack[row, 3], stack[row, 4]
    c0, c1, c2, c3 = (b0 + b1) / 2, (b1 + b2) / 2, (b2 + b3) / 2, (b3 + b4) / 2
    d0, d1, d2 = (c0 + c1) / 2, (c1 + c2) / 2, (c2 + c3) / 2
    e0, e1 = (d0 + d1) / 2, (d1 + d2) / 2
    f = (e0 + e1) / 2
    stack[row, 0], stack[row, 1], stack[row, 2], stack[row, 3] = f, e1, d2, c3
    stack[row + 1, 0], stack[row + 1, 1], stack[row + 1, 2] = b0, c0, d0
    stack[row + 1, 3], stack[row + 1, 4] = e0, f


@kernel(sample=lambda: (np.array([1.0, -3.0, 1.0, 0.5, 0.1]), 0.0, 1.0))
def _solve(g: Any, low: float, high: float) -> float:
    """The root between a positive and a negative end: Newton, kept inside by bisection."""
    u = (low + high) / 2
    for _ in range(60):
        value = g[0] + u * (g[1] + u * (g[2] + u * (g[3] + u * g[4])))
        if value > 0:
            low = u
        else:
            high = u
        slope = g[1] + u * (2 * g[2] + u * (3 * g[3] + u * 4 * g[4]))
        new = u - value / slope if slope != 0 else low
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - u) <= 1e-16 * (1 + abs(u)):
            return new
        u = new
    return u
