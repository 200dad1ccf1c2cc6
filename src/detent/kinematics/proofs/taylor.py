"""Taylor models in the drive: a polynomial, and how far the truth can be from it.

While the drive moves through a piece of its drive path, s runs from -1 to 1; a quantity
is sum c_j s^j, j up to ORDER, give or take the last entry of its array. Each
operation puts into that bound what it cuts off, what its operands may be off, and
its own rounding; quotients and roots are checked by multiplying back, so their
bound does not depend on how their coefficients were found (Makino and Berz 1996).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from detent.numeric.kernels import kernel
from detent.numeric.krawczyk import TINY

ORDER = 6
N = ORDER + 1  # coefficients; the bound follows them
# Unit rounding 1.1e-16 times the terms of a coefficient of a product, and some room.
ROUND = 2e-15
# Bounds are sums of a few dozen rounded numbers themselves.
WIDER = 1 + 1e-12
LARGEST_EXPONENT = 700.0  # that doubles have


def _two() -> tuple[Any, ...]:
    x, y = np.zeros(N + 1), np.zeros(N + 1)
    x[:2], y[:2] = (2.0, 0.1), (3.0, -0.2)
    return x, y, np.zeros(N + 1)


def _three() -> tuple[Any, ...]:
    return (*_two(), np.zeros(N + 1))


@kernel(sample=lambda: _two()[:1])
def sway(x):  # type: ignore[no-untyped-def]
    """How far a model goes from its middle, its bound left out."""
    s = 0.0
    for i in range(1, N):
        s += abs(x[i])
    return s * WIDER


@kernel(sample=_two)
def plus(x, y, o):  # type: ignore[no-untyped-def]
    s = 0.0
    for i in range(N):
        o[i] = x[i] + y[i]
        s += abs(o[i])
    o[N] = (x[N] + y[N] + ROUND * s) * WIDER + TINY


@kernel(sample=_two)
def minus(x, y, o):  # type: ignore[no-untyped-def]
    s = 0.0
    for i in range(N):
        o[i] = x[i] - y[i]
        s += abs(o[i])
    o[N] = (x[N] + y[N] + ROUND * s) * WIDER + TINY


@kernel(sample=lambda: (_two()[0], -0.5, _two()[2]))
def scaled(x, k, o):  # type: ignore[no-untyped-def]
    """k x; o may be x."""
    s = 0.0
    for i in range(N):
        o[i] = k * x[i]
        s += abs(o[i])
    o[N] = (abs(k) * x[N] + ROUND * s) * WIDER + TINY


@kernel(sample=_two)
def times(x, y, o):  # type: ignore[no-untyped-def]
    """x y; o is another array."""
    sx, sy, off = abs(x[0]), abs(y[0]), 0.0
    for i in range(N):
        o[i] = x[0] * y[i]
    for i in range(1, N):
        a = x[i]
        if a == 0.0:
            continue
        for j in range(N - i):
            o[i + j] += a * y[j]
        for j in range(N - i, N):
            off += abs(a * y[j])
    for i in range(1, N):
        sx += abs(x[i])
        sy += abs(y[i])
    o[N] = (sx * y[N] + sy * x[N] + x[N] * y[N] + off + ROUND * sx * sy) * WIDER + TINY


@kernel(sample=_three)
def over(x, y, o, s):  # type: ignore[no-untyped-def]
    """x / y; unbounded where y may vanish. s is room for work, and holds 1/y after."""
    inverse(y, s, o)
    times(x, s, o)


@kernel(sample=_two)
def inverse(y, o, s):  # type: ignore[no-untyped-def]
    """1 / y, checked by y o - 1."""
    if y[0] == 0.0:
        o[:] = 0.0
        o[N] = math.inf
        return
    o[0] = 1.0 / y[0]
    for k in range(1, N):
        t = 0.0
        for i in range(1, k + 1):
            t += y[i] * o[k - i]
        o[k] = -t / y[0]
    o[N] = 0.0
    times(y, o, s)
    s[0] -= 1.0
    rest, size = s[N] + ROUND, 0.0
    for i in range(N):
        rest += abs(s[i])
        size += abs(o[i])
    rest *= WIDER
    o[N] = size * rest / (1.0 - rest) * WIDER + TINY if rest < 1.0 else math.inf


@kernel(sample=_two)
def root(x, o, s):  # type: ignore[no-untyped-def]
    """The positive root, checked by o o - x; unbounded where x may not be positive."""
    low = x[0] - sway(x) - x[N]
    if not low > 0.0:
        o[:] = 0.0
        o[N] = math.inf
        return
    o[0] = math.sqrt(x[0])
    for k in range(1, N):
        t = x[k]
        for i in range(1, k):
            t -= o[i] * o[k - i]
        o[k] = t / (2.0 * o[0])
    o[N] = 0.0
    times(o, o, s)
    rest = s[N] + x[N]
    for i in range(N):
        rest += abs(s[i] - x[i]) + ROUND * abs(x[i])
    least = o[0] - sway(o) + math.sqrt(low) / WIDER
    o[N] = rest / least * WIDER + TINY if least > 0.0 else math.inf


@kernel(sample=lambda: (*_three(), np.zeros(N + 1)))
def cosine_and_sine(angle, c, s, power, room):  # type: ignore[no-untyped-def]
    """Cosine and sine, by their series about the middle."""
    c0, s0 = math.cos(angle[0]), math.sin(angle[0])
    reach = sway(angle) + angle[N]
    c[:] = 0.0
    s[:] = 0.0
    power[:] = 0.0
    c[0], power[0] = 1.0, 1.0
    middle = angle[0]
    angle[0] = 0.0
    sign, factor, last = 1.0, 1.0, 1.0
    for k in range(1, N):
        times(power, angle, room)
        scaled(room, 1.0 / k, power)
        if k % 2:
            target = s
        else:
            target = c
            sign = -sign
        for i in range(N):
            target[i] += sign * power[i]
        target[N] += power[N]
        factor *= k
        last *= reach
    angle[0] = middle
    rest = last * reach / (factor * N)
    size = ROUND * math.exp(min(reach, LARGEST_EXPONENT))  # beyond it the rest is out of all bounds anyway
    c[N] += rest + size
    s[N] += rest + size
    scaled(c, c0, power)
    scaled(s, s0, room)
    scaled(c, s0, c)  # now sin(middle) cos
    kept = c.copy()
    minus(power, room, c)
    scaled(s, c0, s)
    plus(kept, s, room)
    s[:] = room
    c[N] += 4.0 * ROUND
    s[N] += 4.0 * ROUND
