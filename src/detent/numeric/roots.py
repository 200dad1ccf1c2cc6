"""Where a function of one number crosses a bound or is least: the one home of root finding in doubles.

What is known of the function decides the method. Of a predicate only the side is known: bisection to
the last digit. Of a continuous function with a bracket: Brent's method, with tolerances at rounding. Of
a function with one minimum between two places: golden section. Of samples: the brackets between them,
and the tops that lie between two samples and that no sample shows.

Polynomials have `numeric.polynomial`, whose roots are exact or isolated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

Function = Callable[[float], float]

GOLDEN = 0.6180339887498949
# Golden section narrows to 0.618 per step: after 40 to 4e-9 of the bracket, about the root of rounding,
# below which the values near a smooth minimum are equal.
GOLDEN_STEPS = 40
# Of the place itself: Brent's method must be allowed four units in the last digit.
LAST_DIGITS = 1e-15
MOST_STEPS = 200


def bisect(
    holds: Callable[[float], bool], a: float, b: float, *, most: int | None = None
) -> tuple[float, float]:
    """The last place from `a` towards `b` where a predicate holds, and the first where it does not.

    It is assumed to hold at `a` and not to hold at `b`, which are not looked at. Neighbouring doubles come
    out, unless `most` halvings end it before. `b` may lie below `a`.
    """
    done = 0
    middle = 0.5 * (a + b)
    while (a < middle < b or b < middle < a) and (most is None or done < most):
        if holds(middle):
            a = middle
        else:
            b = middle
        middle = 0.5 * (a + b)
        done += 1
    return a, b


def bracketed_root(
    f: Function, a: float, b: float, *, xtol: float = 1e-15, rtol: float = LAST_DIGITS
) -> float:
    """The root of a continuous function that has unlike signs at `a` and `b` (Brent's method)."""
    from scipy.optimize import brentq

    return float(brentq(f, a, b, xtol=xtol, rtol=rtol, maxiter=MOST_STEPS))


def golden_minimum(f: Function, a: float, b: float, *, steps: int = GOLDEN_STEPS) -> float:
    """Where a function with one minimum between `a` and `b` is least (golden section)."""
    for _ in range(steps):
        c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
        if f(c) < f(d):
            b = d
        else:
            a = c
    return 0.5 * (a + b)


def bounded_minima(f: Callable[[Any], Any], a: Any, b: Any) -> tuple[Any, Any]:
    """Where a function is least between each two arguments, all searched at once, and its values there.

    By golden sections, to the half of the digits that a least place has.
    """
    import numpy as np

    a, b = np.array(a), np.array(b)
    c, d = b - GOLDEN * (b - a), a + GOLDEN * (b - a)
    low, high = f(c), f(d)
    for _ in range(GOLDEN_STEPS):
        left = low < high
        a, b = np.where(left, a, c), np.where(left, d, b)
        new = np.where(left, b - GOLDEN * (b - a), a + GOLDEN * (b - a))
        value = f(new)
        c, d = np.where(left, new, d), np.where(left, c, new)
        low, high = np.where(left, value, high), np.where(left, low, value)
    best = np.where(low < high, c, d)
    return best, np.minimum(low, high)


def secant_step(step: float, before: float, here: float) -> float:
    """The step from here to where a line through the last two values vanishes; `step` led to the last one.

    For a function that is evaluated by going there, so that only steps are known. Infinite where the values
    are equal.
    """
    return -here * step / (here - before) if here != before else math.inf


def sign_changes(values: Sequence[float]) -> list[int]:
    """The samples after which a sampled function has the other sign; a sample that is zero has none."""
    return [i for i, (u, v) in enumerate(pairwise(values)) if u * v < 0]


def first_rise(at: Sequence[float], values: Sequence[float], bound: float, f: Function) -> float | None:
    """The first place where a sampled function rises above a bound it begins below; None where it does not.

    `f` is the function itself: a crossing between two samples is found on it to the last digits, and a top
    between samples, which may be above the bound though no sample is, is looked at where a parabola
    through three samples says that it may be.
    """
    for j in range(len(at) - 1):
        if j and values[j] >= values[j - 1] and values[j] >= values[j + 1] and _may_pass(values, j, bound):
            top = golden_minimum(lambda t: -f(t), at[j - 1], at[j + 1])
            if f(top) > bound:
                return _crossing(f, at[j - 1], top, bound)
        if values[j + 1] > bound:
            return _crossing(f, at[j], at[j + 1], bound)
    return None


def _may_pass(values: Sequence[float], j: int, bound: float) -> bool:
    """Whether the top of a parabola through three samples, and as much again, is above the bound."""
    left, here, right = values[j - 1], values[j], values[j + 1]
    bend = 2 * here - left - right
    rise = (right - left) * (right - left) / (8 * bend) if bend > 0 else 0.0
    return here + 2 * rise + bend > bound


def _crossing(f: Function, a: float, b: float, bound: float) -> float:
    """The last place up to the bound, between one inside and one beyond."""
    if f(a) >= bound:
        return a
    return bracketed_root(lambda t: f(t) - bound, a, b)
