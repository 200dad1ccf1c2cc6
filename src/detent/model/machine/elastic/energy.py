"""The bending energy of a plate over products of splines, and what minimises it under loads.

Its matrix loses digits where intervals are fine: curvatures are differences of coefficients, and a matrix of
their products cancels as (length / interval)³. So its factors only lead a few steps of conjugate gradients,
which apply the energy itself, curvature by curvature.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_MOST_STEPS = 40
_ENOUGH = 1e-12  # of the energy: gain of a step below which it is the last


class BendingEnergy:
    """Half of q · (energy q) for the plate's D = 1; functions and loads are arrays (along x, along y)."""

    def __init__(self, of_x: list[Floats], of_y: list[Floats], poisson: float, twist: float) -> None:
        from scipy.sparse import csc_array, csr_array, kron
        from scipy.sparse.linalg import splu

        self._x: list[Any] = [csr_array(values) for values in of_x]
        self._y: list[Any] = [csr_array(values) for values in of_y]
        self._poisson, self._twist = poisson, twist

        def integrals(rooted: list[Any], i: int, j: int) -> Any:
            return csc_array(rooted[i].T @ rooted[j])

        bent_x, bent_y = (integrals(rooted, 2, 2) for rooted in (self._x, self._y))
        still_x, still_y = (integrals(rooted, 0, 0) for rooted in (self._x, self._y))
        mixed = kron(integrals(self._x, 2, 0), integrals(self._y, 0, 2))
        twisted = kron(integrals(self._x, 1, 1), integrals(self._y, 1, 1))
        matrix = kron(bent_x, still_y) + kron(still_x, bent_y) + poisson * (mixed + mixed.T) + twist * twisted
        self._factors: Any = splu(csc_array(matrix))

    def solve(self, loads: Floats) -> Floats:
        """(loads, along x, along y): the functions that each load brings about."""
        return np.array([self._solved(load) for load in loads])

    def apply(self, functions: Floats) -> Floats:
        """The load that holds the functions."""
        x, y = self._x, self._y
        bent_x = x[2] @ functions @ y[0].T
        bent_y = x[0] @ functions @ y[2].T
        moment_x = bent_x + self._poisson * bent_y
        moment_y = bent_y + self._poisson * bent_x
        moment_xy = self._twist * (x[1] @ functions @ y[1].T)
        load: Floats = x[2].T @ moment_x @ y[0] + x[0].T @ moment_y @ y[2] + x[1].T @ moment_xy @ y[1]
        return load

    def _led(self, load: Floats) -> Floats:
        solved: Floats = self._factors.solve(load.ravel()).reshape(load.shape)
        return solved

    def _solved(self, load: Floats) -> Floats:
        """Conjugate gradients, led by the factors of the matrix."""
        functions = np.zeros_like(load)
        rest = load
        along = ahead = self._led(rest)
        before = float((rest * ahead).sum())
        gained = 0.0
        for _ in range(_MOST_STEPS):
            held = self.apply(along)
            step = before / float((along * held).sum())
            functions = functions + step * along
            rest = rest - step * held
            gain = step * before
            gained += gain
            if not gain > _ENOUGH * gained:
                break
            ahead = self._led(rest)
            after = float((rest * ahead).sum())
            along, before = ahead + after / before * along, after
        return functions
