"""A cantilever that tapers, as a compliance at its tip: Bernoulli's beam.

A force F across the tip and a moment M, the one that turns it by -w', bend the beam at the distance s from
its tip by F s - M. So with J_k the integral of s^k / (E I(s)) over its length

    w = J_2 F - J_1 M,    -w' = -J_1 F + J_0 M

and an even beam has J_k = L^(k+1) / ((k+1) E I): its stiffness is 12 E I / L^3, 6 E I / L^2, 4 E I / L.
"""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from detent.model.document.joint import Beam

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_NODES = 20  # of Gauss-Legendre, on a piece along which nothing more than doubles: to rounding


def beam_compliance(beam: Beam, modulus: float, metres: float) -> Floats:
    """(2, 2): w and -w' at the tip by a force and a moment, SI; `metres` in a document unit."""
    length = float(beam.length) * metres
    turned, coupled, bent = (
        length ** (power + 1) / modulus * over_second_moment(beam, metres, power) for power in range(3)
    )
    return np.array([[bent, -coupled], [-coupled, turned]])


def over_second_moment(beam: Beam, metres: float, power: int) -> float:
    """The integral of share^power / I over shares of the length from the tip [1/m^4]."""
    height, width = (beam_ends(value, metres) for value in (beam.height, beam.width))
    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    total = 0.0
    places = sorted({0.0, 1.0, *_doublings(*height), *_doublings(*width)})
    for low, high in pairwise(places):
        share = low + (high - low) * (nodes + 1) / 2
        heights, widths = (tip + (root - tip) * share for root, tip in (height, width))
        moments = widths * heights**3 / 12
        total += float((weights * (high - low) / 2 * share**power / moments).sum())
    return total


def beam_ends(value: object, metres: float = 1.0) -> tuple[float, float]:
    """A height or a width at the root and at the tip [m]."""
    ends = [float(v) * metres for v in value] if isinstance(value, tuple | list) else [float(value) * metres]  # type: ignore[arg-type]
    return ends[0], ends[-1]


def _doublings(root: float, tip: float) -> list[float]:
    """Shares of the length from the tip between which a size at most doubles."""
    pieces = math.ceil(abs(math.log2(root / tip)))
    return [(tip * (root / tip) ** (k / pieces) - tip) / (root - tip) for k in range(1, pieces)]
