"""The equations of motion as linear programs: is there an acceleration with given signs, and forces for it?

    M a + h = tau + (contact forces) + (joint forces),    joint rows x a + drift = 0

A row of signs is one program, in units of the acceleration that there would be without contacts; it maximises
the margin by which the signs hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.contact.friction import edge_directions, pushes
from detent.contact.mode import Signs
from detent.contact.present import Present
from detent.contact.row import Contacts
from detent.numeric.linear_program import INFINITE, maximise

Floats = NDArray[np.float64]

# A mode's signs must hold by this share of the largest acceleration that the
# forces alone would cause; below it the solver's rounding would decide.
CLEAR = 1e-7


@dataclass(frozen=True, eq=False)
class Equations:
    """The equations of motion in the velocities that joints leave: a = start + scale x free x y."""

    contacts: Contacts  # floats
    planes: tuple[int, ...]
    now: Present
    mu: list[float]
    rows: Floats  # (signs, d) unit rows
    shift: Floats  # (signs,) drift along them
    free: Floats  # (d, k)
    start: Floats  # (d,) what joints ask for by themselves
    inner: Floats  # (k, k) inertia
    load: Floats  # (k,) in units of `scale`
    scale: float

    @cached_property
    def along(self) -> Floats:
        """Rows on y."""
        return self.rows @ self.free

    @cached_property
    def rest(self) -> Floats:
        """What is left of row x a + drift at y = 0, in units of `scale`."""
        made: Floats = (self.rows @ self.start + self.shift) / self.scale
        return made

    def planes_of(self, contact: int) -> slice:
        first = len(self.contacts) + sum(self.planes[:contact])
        return slice(first, first + self.planes[contact])

    @cached_property
    def _known(self) -> dict[tuple[int, bytes], Floats]:
        return {}

    def forces(self, contact: int, signs: Signs) -> Floats:
        """Generators of a contact that touches, by the signs of its planes, on y."""
        sliding = self.now.friction.get(contact)
        key = (contact, signs.tobytes() if sliding is None else b"")
        if key not in self._known:
            directions = [sliding] if sliding is not None else edge_directions(self.contacts, contact, signs)
            self._known[key] = pushes(self.contacts, contact, self.mu[contact], directions) @ self.free
        return self._known[key]

    def solve(self, signs: Signs) -> tuple[Floats, tuple[float, ...]] | None:
        """Acceleration and normal forces for one row of signs, with the largest margin; None where none."""
        touching = np.flatnonzero(signs[: len(self.contacts)] == 0).tolist()
        made = [self.forces(i, signs[self.planes_of(i)]) for i in touching]
        generators = np.concatenate([np.zeros((0, len(self.inner))), *made])
        owner = np.repeat(np.array(touching, np.int64), [len(own) for own in made])
        zero = np.flatnonzero(self.now.open & (signs == 0))
        strict = np.flatnonzero(self.now.open & (np.abs(signs) == 1))
        turn = signs[strict].astype(float)
        k, p, m = len(self.inner), len(generators), len(strict)
        motion = np.hstack([self.inner, -generators.T, np.zeros((k, 1))])
        still = np.hstack([self.along[zero], np.zeros((len(zero), p + 1))])
        sides = np.hstack([self.along[strict] * turn[:, None], np.zeros((m, p)), -np.ones((m, 1))])
        low = np.r_[self.load, -self.rest[zero], -self.rest[strict] * turn]
        high = np.r_[self.load, -self.rest[zero], np.full(m, INFINITE)]
        least = np.r_[np.full(k, -INFINITE), np.zeros(p), 0.0]
        most = np.r_[np.full(k + p, INFINITE), 1.0]
        rows = np.vstack([motion, still, sides])
        best = maximise(np.r_[np.zeros(k + p), 1.0], rows, low, high, least=least, most=most)
        if best is None or (m and best[-1] <= CLEAR):
            return None
        normal = np.bincount(owner, self.scale * best[k : k + p], minlength=len(self.contacts))
        return self.start + self.scale * (self.free @ best[:k]), tuple(float(x) for x in normal)
