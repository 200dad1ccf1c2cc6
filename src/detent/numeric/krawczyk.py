"""Is there one root of F in a tube p + Y t, |t| <= w? Krawczyk's test (1969), true in spite of rounding.

With r >= |F(p)| and every Jacobian over the tube within `radius` of `middle`, the map t -> t - F(p + Y t)
sends the tube into |t| <= r + |1 - J Y| w; where that is less than w there is one root, and J is regular.
Y may be any matrix. A sum of n products is within gamma_n sum |a b| of the true one, in whatever order
and with or without fused steps (Higham 2002, section 3.1); every bound below is above by that much.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

UNIT = 2.0**-53  # rounding of one operation, of its result
TINY = 1e-290  # more than underflow takes away from a sum


def gamma(count: int) -> float:
    """What rounding takes from a sum of n products, of the sum of their sizes: at least n u / (1 - n u)."""
    return count * UNIT * (1.0 + 4.0 * count * UNIT)


def above(bound: Floats, count: int) -> Floats:
    """Not below what `bound` stands for: a sum of so many terms, none negative, each rounded once at most."""
    return np.asarray(np.nextafter(bound * (1.0 + 4.0 * gamma(count + 1)) + TINY, np.inf))


def product_above(one: Floats, other: Floats) -> Floats:
    """Not below the product of two arrays without negative entries."""
    return above(one @ other, one.shape[-1])


def from_one_above(J: Floats, Y: Floats) -> Floats:
    """Not below |1 - J Y|, entry by entry."""
    count = J.shape[1]
    rounding = gamma(count + 1) * product_above(np.abs(J), np.abs(Y))
    return above(np.abs(np.eye(len(J)) - J @ Y) + rounding, 3)


def image(gap: Floats, middle: Floats, radius: Floats, Y: Floats, width: Floats) -> Floats:
    """Not below r + |1 - J Y| w for any J within `radius` of `middle`: where the tube is sent."""
    spread = above(from_one_above(middle, Y) + product_above(radius, np.abs(Y)), 2)
    return above(gap + product_above(spread, width), 2)


def lies_in(apart: Floats, J: Floats, Y: Floats, width: float) -> bool:
    """Whether every point within `apart` of p is p + Y t with |t| <= width; J is about the inverse of Y.

    From Y t = q - p follows t = J (q - p) + (1 - J Y) t, so that the largest |t| is at most that of J (q - p)
    over 1 - |1 - J Y|, in the norm of the largest row.
    """
    rest = from_one_above(J, Y)
    astray = float(above(rest.sum(axis=1), rest.shape[1]).max(initial=0.0))
    if not astray < 1.0:
        return False
    far = float(product_above(np.abs(J), apart).max(initial=0.0))
    return bool(far <= np.nextafter((1.0 - astray) * width * (1.0 - 4.0 * UNIT), 0.0))
