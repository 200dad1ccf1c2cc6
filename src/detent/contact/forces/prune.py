"""Which rows of signs are worth a program of their own: most are refuted many at a time.

Rows are decided together, first which contacts touch, then plane after plane how they slide. What
all rows of a branch agree on is asked of the accelerations; what they differ in is left open, with
every force that any of them could exert. Each row's own program only asks for more: an impossible
branch holds no consistent mode.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from detent.contact.forces.coulomb import reach
from detent.contact.forces.motion_program import CLEAR, Equations
from detent.contact.modes.enumerate import Signs
from detent.numeric.arrangement.store import UNSEEN
from detent.numeric.linear_program import INFINITE, Program

Bools = NDArray[np.bool_]

# A branch is given up well below what decides a mode: its program rounds in another way.
_HOPELESS = CLEAR / 10
# As a sign: a generator that does not depend on it.
_ANY = 3
_SIGNS = (0, 1, -1, UNSEEN)


def unrefuted(equations: Equations, signs: Signs, *, every: bool = False) -> list[int]:
    """Numbers of the rows of signs that no branch refutes, in order; with `every`, by whatever margin."""
    if not len(signs):
        return []
    search = _Search(equations, signs, -1.0 if every else _HOPELESS)
    kept: list[int] = []
    stack = [np.arange(len(signs))]
    while stack:
        rows = stack.pop()
        agreed: Bools = (signs[rows] == signs[rows[0]]).all(axis=0)
        if not search.possible(signs[rows[0]], agreed):
            continue
        if agreed.all():
            kept += rows.tolist()
            continue
        column = signs[rows, int(agreed.argmin())]
        stack += [some for sign in _SIGNS if len(some := rows[column == sign])]
    return sorted(kept)


class _Search:
    """One program for all branches: a branch changes bounds, and the solver goes on from its last basis.

    Each sign that accelerations decide has three rows: it is zero, positive, or negative by the margin.
    """

    def __init__(self, equations: Equations, signs: Signs, hopeless: float) -> None:
        self.equations = equations
        self.hopeless = hopeless
        generators, self.states = _states(equations, signs)
        k, p, m = len(equations.load), len(generators), len(equations.rows)
        along, none, margin = equations.along, np.zeros((m, p)), np.ones((m, 1))
        rows = [
            np.hstack([np.eye(k), -generators.T, np.zeros((k, 1))]),
            np.hstack([along, none, 0 * margin]),
            np.hstack([along, none, -margin]),
            np.hstack([along, none, margin]),
        ]
        self.low, self.high = np.full(3 * m, -INFINITE), np.full(3 * m, INFINITE)
        self.most = np.full(p, INFINITE)
        self.program = Program(
            np.r_[np.zeros(k + p), 1.0],
            np.vstack(rows),
            np.r_[equations.load, self.low],
            np.r_[equations.load, self.high],
            np.r_[np.full(k, -INFINITE), np.zeros(p), 0.0],
            np.r_[np.full(k, INFINITE), self.most, 1.0],
        )

    def possible(self, signs: Signs, agreed: Bools) -> bool:
        """Whether accelerations and forces exist that have those of the signs that are agreed on."""
        decided = agreed & self.equations.now.open
        self._bound_rows(*(decided & (signs == sign) for sign in (0, 1, -1)))
        fits = (self.states == _ANY) | ~agreed | (self.states == signs)
        self._bound_columns(np.where(fits.all(axis=1), INFINITE, 0.0))
        return self.program.bound() >= self.hopeless

    def _bound_rows(self, zero: Bools, plus: Bools, minus: Bools) -> None:
        level, endless = -self.equations.rest, np.full(len(zero), INFINITE)
        # Whatever a contact does, it does not penetrate.
        kept = zero | (
            self.equations.now.open & (np.arange(len(zero)) < len(self.equations.contacts)) & ~plus
        )
        low = np.r_[np.where(kept, level, -INFINITE), np.where(plus, level, -INFINITE), -endless]
        high = np.r_[np.where(zero, level, INFINITE), endless, np.where(minus, level, INFINITE)]
        new = np.flatnonzero((low != self.low) | (high != self.high))
        self.program.bound_rows(len(self.equations.load) + new, low[new], high[new])
        self.low, self.high = low, high

    def _bound_columns(self, most: NDArray[np.float64]) -> None:
        new = np.flatnonzero(most != self.most)
        self.program.bound_columns(len(self.equations.load) + new, np.zeros(len(new)), most[new])
        self.most = most


def _states(equations: Equations, signs: Signs) -> tuple[NDArray[np.float64], Signs]:
    """Generators of every contact in each state that occurs, and the signs that each needs, or _ANY."""
    generators, needed = [np.zeros((0, len(equations.load)))], [np.zeros((0, signs.shape[1]), np.int8)]
    for i in range(len(equations.contacts)):
        planes = equations.planes_of(i)
        for plane_signs in np.unique(signs[signs[:, i] == 0, planes], axis=0):
            forces = equations.pushes(i, reach(equations, i, plane_signs))
            need = np.full((len(forces), signs.shape[1]), _ANY, np.int8)
            need[:, i] = 0
            need[:, planes] = plane_signs
            generators.append(forces)
            needed.append(need)
    return np.concatenate(generators), np.concatenate(needed)
