"""Which polynomials can have a root in an interval: a float filter with error bounds.

A polynomial whose Bernstein coefficients on an interval all have one sign has
no root there. Coefficients come with a bound on their error, the arithmetic
here adds its own, and only a sign that survives both rules a root out. What is
left goes to exact arithmetic, so the filter never decides anything else.
"""

from __future__ import annotations

from functools import cache
from math import comb
from typing import Any

import numpy as np

Floats = np.ndarray[Any, np.dtype[np.float64]]

# Rounding of the few dozen products and sums below, as a multiple of the sum
# of absolute values; generous, because a filter that keeps one pair too many
# costs microseconds, and one that drops a root costs the answer.
ROUNDING = 64 * 2.0**-53


def may_vanish(coefficients: Floats, errors: Floats, low: float, high: float) -> Any:
    """A mask over rows: False only where the polynomial is certainly not zero on [low, high]."""
    degree = coefficients.shape[1] - 1
    change = _to_bernstein(degree) @ _shift(degree, low, high)
    values = coefficients @ change.T
    bound = _bound(coefficients, errors, low, high)
    return ~((values > bound).all(axis=1) | (values < -bound).all(axis=1))


def _bound(coefficients: Floats, errors: Floats, low: float, high: float) -> Floats:
    """Of each Bernstein coefficient: the same sums over absolute values."""
    degree = coefficients.shape[1] - 1
    reach = max(abs(low), abs(high))
    width = abs(high - low)
    sizes = np.array(
        [
            [comb(k, i) * reach ** (k - i) * width**i if k >= i else 0.0 for k in range(degree + 1)]
            for i in range(degree + 1)
        ]
    )
    change = _to_bernstein(degree) @ sizes
    total: Floats = (errors + ROUNDING * np.abs(coefficients)) @ change.T
    return total


def _shift(degree: int, low: float, high: float) -> Floats:
    """Coefficients of p(low + (high - low) x) from those of p."""
    width = high - low
    return np.array(
        [
            [comb(k, i) * low ** (k - i) * width**i if k >= i else 0.0 for k in range(degree + 1)]
            for i in range(degree + 1)
        ]
    )


@cache
def _to_bernstein(degree: int) -> Floats:
    """Power to Bernstein coefficients on [0, 1]."""
    return np.array(
        [
            [comb(i, k) / comb(degree, k) if i >= k else 0.0 for k in range(degree + 1)]
            for i in range(degree + 1)
        ]
    )
