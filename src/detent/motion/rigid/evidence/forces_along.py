"""Forces along a run of the rigid method: those of contacts, what friction takes and what driven joints give.

They are solved for again at the times that are asked for, from the states of the steps and the contacts
that acted in them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.rigid import layout
from detent.motion.rigid.forces import accelerations, load_drives
from detent.motion.rigid.layout import view
from detent.motion.running.step_kernels import NODES, WEIGHTS
from detent.numeric.contact_problem import STICK
from detent.numeric.runge_kutta import point_on_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.motion.rigid.layout import Blocks

    Floats = NDArray[np.float64]

_WORK = 1e7  # elementary steps: the kernels are compiled by the run already


@dataclass(frozen=True, eq=False)
class ForcesAlong:
    """Steps of a run, and the blocks that forces are solved in."""

    blocks: Blocks
    steps: Floats  # (S, 3)
    points: Floats  # (S, 6, m)
    touching: NDArray[np.int64]  # (S, C)
    sliding: Floats  # (S, C)

    def solved(self, step: int, share: float) -> tuple[int, Floats, Floats]:
        """Contacts of a step, speeds and accelerations at a share of it; forces are then in the blocks."""
        freedoms = self.points.shape[2]
        y, v, a = np.zeros(freedoms), np.zeros(freedoms), np.zeros(freedoms)
        n = int((self.touching[step] >= 0).sum())
        point_on_step(self.points[step], self.steps[step, 1], share, y, v)
        touching, sliding = view(self.blocks, layout.TOUCHING), view(self.blocks, layout.SLIDING)[0]
        touching[0, :n], touching[1, :n], sliding[:n] = self.touching[step, :n], STICK, self.sliding[step, :n]
        view(self.blocks, layout.COLUMNS)[layout.SOLVED] = 0.0
        load_drives(*self.blocks, float(self.steps[step, 0]))
        accelerations.at(_WORK)(*self.blocks, y, v, n, a)
        return n, v, a

    def work(self, times: Floats) -> Floats:
        """(rows, 2) [J]: taken by friction, and given by joints driven at a speed, up to each time."""
        driven = view(self.blocks, layout.DRIVEN)
        work = np.zeros((len(times), 2))
        if not self.sliding.any() and not len(driven):
            return work
        total, row = np.zeros(2), 0
        for step, (begins, length, share) in enumerate(self.steps):
            last = step + 1 == len(self.steps)
            while row < len(times) and (times[row] < begins + share * length or last):
                part = min((times[row] - begins) / length, share)
                work[row] = total + self._within(step, part)
                row += 1
            total = total + self._within(step, share)
        return work

    def _within(self, step: int, share: float) -> Floats:
        """The same of one step, up to a share of it."""
        if share <= 0 or not (self.sliding[step].any() or len(view(self.blocks, layout.DRIVEN))):
            return np.zeros(2)
        powers = [
            weight * self._power(step, node * share) for node, weight in zip(NODES, WEIGHTS, strict=True)
        ]
        total: Floats = share * self.steps[step, 1] * np.sum(powers, axis=0)
        return total

    def _power(self, step: int, share: float) -> Any:
        """[W] Taken by friction, given by drives."""
        n, v, a = self.solved(step, share)
        rows, forces = view(self.blocks, layout.ROWS), view(self.blocks, layout.COLUMNS)[layout.SOLVED]
        rubbed = -sum(float(forces[n + c] * (rows[n + c] @ v)) for c in range(n) if forces[n + c])
        driven, held = view(self.blocks, layout.DRIVEN), view(self.blocks, layout.HELD)
        if not len(driven):
            return np.array([rubbed, 0.0])
        factor = np.tril(view(self.blocks, layout.MASS))
        left = factor @ (factor.T @ a) - view(self.blocks, layout.FORCE)[0]
        left = left - sum(forces[c] * rows[c] for c in range(2 * n) if forces[c])
        carried = np.linalg.lstsq(held[:, : len(v)].T, left, rcond=None)[0][len(held) - len(driven) :]
        return np.array([rubbed, float(carried @ (held[len(held) - len(driven) :, : len(v)] @ v))])
