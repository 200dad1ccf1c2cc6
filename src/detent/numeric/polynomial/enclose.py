"""Where a quartic in doubles is zero for the first time: enclosed and proved, or not decided.

A quartic comes with a bound on what its values on [-1, 1] may be wrong by. Its Bernstein
coefficients on an interval bound it there, those of its derivative bound its slope: only signs
that exceed the bound count. So a stretch without a root has none, and a root that is enclosed is
there, simple, and the only one of its enclosure. What is left undecided is said to be.

Bounds hold for |a|, |b| <= 1 and with `WHOLE` times the size of the largest coefficient: each coefficient
of Bernstein's is a sum of five products, none larger than that.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.numeric.kernels import kernel

NONE, FALLS, RISES, UNSURE = 0, 1, 2, 3
DEPTH = 60
NARROWEST = 2.0**-44  # of an interval: below this nothing is told apart
# Where an interval is divided, and where if the polynomial cannot be told from zero there.
SPLIT, OTHER_SPLIT = 0.5, 0.4140625

Quartic = tuple[float, float, float, float, float]
CONSTANT: Quartic = (1.0, 0.0, 0.0, 0.0, 0.0)


@kernel(sample=lambda: ((1.0, -3.0, 1.0, 0.5, 0.1), 0.25), bare=True)
def value_at(g: Quartic, u: float) -> float:
    return g[0] + u * (g[1] + u * (g[2] + u * (g[3] + u * g[4])))


@kernel(sample=lambda: ((1.0, -3.0, 1.0, 0.5, 0.1), -0.25, 0.25, 1e-12), bare=True)
def sign_on(g: Quartic, a: float, b: float, noise: float) -> int:
    """The sign that a quartic certainly has all over [a, b]; 0 where it may have none."""
    first = value_at(g, a)
    if abs(first) <= noise:
        return 0
    last = value_at(g, b)
    sign = 1 if first > 0 else -1
    if sign * last <= noise:
        return 0
    g0, g1, g2, g3, g4 = g
    aa, ab, bb = a * a, a * b, b * b
    second = g0 + g1 * (3 * a + b) / 4 + g2 * (aa + ab) / 2 + aa * (g3 * (a + 3 * b) / 4 + g4 * ab)
    third = g0 + g1 * (a + b) / 2 + g2 * (aa + 4 * ab + bb) / 6 + ab * (g3 * (a + b) / 2 + g4 * ab)
    fourth = g0 + g1 * (a + 3 * b) / 4 + g2 * (ab + bb) / 2 + bb * (g3 * (b + 3 * a) / 4 + g4 * ab)
    if sign * second > noise and sign * third > noise and sign * fourth > noise:
        return sign
    return 0


@kernel(sample=lambda: ((1.0, -3.0, 1.0, 0.5, 0.1), -0.25, 0.25, 1e-12), bare=True)
def slope_on(g: Quartic, a: float, b: float, noise: float) -> int:
    """The sign that its derivative certainly has all over [a, b]."""
    h0, h1, h2, h3 = g[1], 2 * g[2], 3 * g[3], 4 * g[4]
    # One, two, three and four times what the coefficients may be wrong by.
    least = 10 * noise
    first = h0 + a * (h1 + a * (h2 + a * h3))
    if abs(first) <= least:
        return 0
    sign = 1 if first > 0 else -1
    aa, ab, bb = a * a, a * b, b * b
    second = h0 + h1 * (2 * a + b) / 3 + h2 * (aa + 2 * ab) / 3 + h3 * aa * b
    third = h0 + h1 * (a + 2 * b) / 3 + h2 * (2 * ab + bb) / 3 + h3 * a * bb
    fourth = h0 + b * (h1 + b * (h2 + b * h3))
    if sign * second > least and sign * third > least and sign * fourth > least:
        return sign
    return 0


@kernel(sample=lambda: ((1.0, -3.0, 1.0, 0.5, 0.1), 0.0, 0.9, 1e-14), bare=True)
def narrowed(g: Quartic, a: float, b: float, noise: float) -> tuple[float, float]:
    """The only root between a and b, at which the signs are certain, as narrowly as they stay so."""
    low, high = a, b
    rising = value_at(g, a) < 0
    u = (a + b) / 2
    for _ in range(80):
        value = value_at(g, u)
        if (value < 0) == rising:
            low = u
        else:
            high = u
        slope = g[1] + u * (2 * g[2] + u * (3 * g[3] + u * 4 * g[4]))
        new = u - value / slope if slope != 0 else low
        if not low < new < high:
            new = (low + high) / 2
        if abs(new - u) <= 1e-16 * (1 + abs(u)):
            u = new
            break
        u = new
    slope = abs(g[1] + u * (2 * g[2] + u * (3 * g[3] + u * 4 * g[4])))
    step = 1e-16 + (2 * noise / slope if slope > 0 else noise)
    low, high = a, b
    for _ in range(200):
        below, above = u - step, u + step
        done = True
        if below > a:
            value = value_at(g, below)
            if abs(value) > noise and (value < 0) == rising:
                low = below
            else:
                done = False
        if above < b:
            value = value_at(g, above)
            if abs(value) > noise and (value > 0) == rising:
                high = above
            else:
                done = False
        if done:
            break
        step *= 2
    return low, high


def _sample() -> tuple[Any, ...]:
    return (
        *((1.0, -3.0, 1.0, 0.5, 0.1), CONSTANT, CONSTANT, 1e-14, 1e-14, 0.0, 0.9),
        *(0.0, False, 0.9, False, np.zeros((DEPTH + 2, 2))),
    )


@kernel(sample=_sample)
def first_touch(
    g: Quartic,
    e: Quartic,
    f: Quartic,
    noise_g: float,
    noise_e: float,
    a: float,
    b: float,
    begun: float,
    zero_at_begin: bool,
    ending: float,
    zero_at_end: bool,
    spans: Any,
) -> tuple[int, float, float]:
    """The first root of g on [a, b] at which e and f are positive, enclosed: FALLS, RISES, NONE or UNSURE.

    `zero_at_begin` says that g is exactly zero somewhere in [a, begun]; that root does not count, and
    `zero_at_end` the same of [ending, b]. Of an UNSURE only the place counts up to which there is none.
    """
    low, top = a, b
    if zero_at_begin:
        m = top
        for _ in range(DEPTH):
            if slope_on(g, a, m, noise_g) != 0:
                break
            m = a + (m - a) / 4
        if not m > begun or slope_on(g, a, m, noise_g) == 0:
            return UNSURE, a, a
        if m == top:
            return NONE, 0.0, 0.0
        low = m
    if zero_at_end:
        m = low
        for _ in range(DEPTH):
            if slope_on(g, m, b, noise_g) != 0:
                break
            m = b - (b - m) / 4
        if not m < ending or slope_on(g, m, b, noise_g) == 0:
            return UNSURE, low, low
        if m == low:
            return NONE, 0.0, 0.0
        top = m
    spans[0, 0], spans[0, 1] = low, top
    count = 1
    while count > 0:
        lo, hi = spans[count - 1, 0], spans[count - 1, 1]
        if (
            sign_on(g, lo, hi, noise_g) != 0
            or sign_on(e, lo, hi, noise_e) < 0
            or sign_on(f, lo, hi, noise_e) < 0
        ):
            count -= 1
            continue
        if slope_on(g, lo, hi, noise_g) != 0:
            first, last = value_at(g, lo), value_at(g, hi)
            if abs(first) > noise_g and abs(last) > noise_g:
                if (first > 0) == (last > 0):
                    count -= 1
                    continue
                below, above = narrowed(g, lo, hi, noise_g)
                starts, ends = sign_on(e, below, above, noise_e), sign_on(f, below, above, noise_e)
                if starts < 0 or ends < 0:
                    count -= 1
                    continue
                if starts > 0 and ends > 0:
                    return FALLS if first > 0 else RISES, below, above
                return UNSURE, below, above
        if count > DEPTH or hi - lo < NARROWEST:
            return UNSURE, lo, hi
        middle = lo + (hi - lo) * SPLIT
        if abs(value_at(g, middle)) <= 2 * noise_g:
            middle = lo + (hi - lo) * OTHER_SPLIT
        spans[count - 1, 0], spans[count - 1, 1] = middle, hi
        spans[count, 0], spans[count, 1] = lo, middle
        count += 1
    return NONE, 0.0, 0.0


@kernel(sample=lambda: ((1.0, -3.0, 1.0, 0.5, 0.1), 1e-14, 0.0, 0.9, 0.0, False, np.zeros((DEPTH + 2, 2))))
def first_zero(
    g: Quartic, noise: float, a: float, b: float, begun: float, zero_at_begin: bool, spans: Any
) -> tuple[int, float, float]:
    """The first root of g on [a, b], but for one in [a, begun] that is known."""
    result: tuple[int, float, float] = first_touch(
        g, CONSTANT, CONSTANT, noise, 0.0, a, b, begun, zero_at_begin, b, False, spans
    )
    return result
