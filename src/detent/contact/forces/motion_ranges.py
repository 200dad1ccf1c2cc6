"""What a mode with a solution leaves open: ranges of its normal forces and of its acceleration.

Sticking contacts have pyramids about their round cones. In space a contact that begins to slide rubs
straight against its acceleration. Where forces that statics leaves open turn that direction too (a box
on four corners that slides and spins), motions of the mode form a family, and the ranges are those of all
directions of the mode: arcs of them, each narrowed to what the equations of motion leave of it, and halved.
So no range is too narrow; it may be wider than the family.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from detent.contact.forces.coulomb import (
    Arcs,
    SolvedMode,
    friction_arc,
    friction_vectors,
    opposite,
    polygon,
    triangle,
)
from detent.contact.forces.friction import RANGE_SIDES
from detent.contact.forces.motion_program import Equations, Range
from detent.contact.modes.mode import Signs

Floats = NDArray[np.float64]

# Of the largest, a singular value of the equations around a solution that counts as zero: directions of
# friction are known to about 1e-6.
_SINGULAR = 1e-5
# Of all forces, a normal force that turns no direction.
_NONE = 1e-5
# Rounds in which arcs are narrowed, while one loses at least this share of itself.
_ROUNDS, _SHARE = 4, 0.1
# Boxes of arcs that a family is divided into, and by how much the solver's rounding widens each arc [rad].
_BOXES, _WIDER = 8, 1e-6


@dataclass(frozen=True, eq=False)
class MotionRanges:
    """The ranges of one mode, around a solution of it."""

    equations: Equations
    signs: Signs
    solved: SolvedMode

    def normal_range(self, contact: int) -> Range:
        """The least and the largest normal force of a contact."""
        if self.signs[contact]:
            return 0.0, 0.0
        return _hull(
            [
                self.equations.normal_range(self.signs, vectors, sides, contact)
                for vectors, sides in self._boxes
            ]
        )

    def acceleration_range(self, row: Floats) -> Range:
        """The least and the largest row x acceleration."""
        return _hull(
            [
                self.equations.acceleration_range(self.signs, vectors, sides, row)
                for vectors, sides in self._boxes
            ]
        )

    @cached_property
    def _boxes(self) -> list[tuple[dict[int, Floats], Floats]]:
        """Friction vectors and rows that together hold every motion of the mode."""
        if not self._turns:
            return [(self._around({}), self.solved.sides)]
        boxes = [narrowed] if (narrowed := self._narrowed(self._arcs)) is not None else []
        while boxes and len(boxes) < _BOXES:
            box = max(boxes, key=lambda each: max(width for _, width in each.values()))
            boxes.remove(box)
            split = max(box, key=lambda i: box[i][1])
            begin, width = box[split]
            halves = ({**box, split: (start, width / 2)} for start in (begin, begin + width / 2))
            boxes += [half for each in halves if (half := self._narrowed(each)) is not None]
        # Programs that all fail by rounding rule out nothing: the mode has a solution.
        return [(self._around(box), opposite(self.equations, box)) for box in boxes or [self._arcs]]

    @cached_property
    def _arcs(self) -> Arcs:
        """The whole sectors of the contacts whose directions of sliding are open."""
        e = self.equations
        return {
            i: friction_arc(e, i, plane_signs)
            for i in self.solved.vectors
            if (plane_signs := self.signs[e.planes_of(i)]).any()
            and friction_vectors(e, i, plane_signs) is None
        }

    def _around(self, box: Arcs) -> dict[int, Floats]:
        """The friction vectors of a solution; about these arcs, and about the cones of those that stick."""
        about = polygon(np.linspace(0.0, 2 * math.pi, RANGE_SIDES, endpoint=False))
        return {
            i: triangle(*box[i]) if i in box else about if self._sticks_in_space(i) else known
            for i, known in self.solved.vectors.items()
        }

    def _sticks_in_space(self, contact: int) -> bool:
        plane_signs = self.signs[self.equations.planes_of(contact)]
        return not plane_signs.any() and friction_vectors(self.equations, contact, plane_signs) is None

    @cached_property
    def _turns(self) -> bool:
        """Whether the motions beside the solution slide in other directions than it does.

        Around a solution the equations are linear in the acceleration, the forces, and the changes of angle
        times normal force. Directions turn where some change of these alone is left open.
        """
        e, solution = self.equations, self.solved.solution
        sliding = list(self._arcs)
        if not sliding:
            return False
        k, n = len(e.load), len(sliding)
        size = float(np.linalg.norm(e.load)) + sum(solution.normal.values())
        slips = [e.slip(i) for i in sliding]
        ahead = np.array([slip.rows @ solution.y + slip.rest for slip in slips])
        speed = np.linalg.norm(ahead, axis=1)
        against = -ahead / np.maximum(speed, np.finfo(float).tiny)[:, None]
        aside = np.stack([-against[:, 1], against[:, 0]], axis=1)
        normal = np.array([solution.normal[i] for i in sliding])
        normal[normal <= _NONE * size] = 0.0
        others = {i: vectors for i, vectors in self._around({}).items() if i not in self._arcs}
        free = [e.pushes(i, vectors) for i, vectors in others.items() if solution.normal[i] > _NONE * size]
        along = [e.pushes(i, u[None]) for i, u in zip(sliding, against, strict=True)]
        turned = [e.mu[i] * (u @ slip.rows)[None] for i, u, slip in zip(sliding, aside, slips, strict=True)]
        pushes = np.concatenate([*free, *along])
        zero = e.along[np.flatnonzero(e.now.open & (self.signs == 0))]
        across = np.array([u @ slip.rows for u, slip in zip(aside, slips, strict=True)])
        p = len(pushes)
        matrix = np.vstack(
            [
                np.hstack([np.eye(k), -pushes.T, -np.concatenate(turned).T]),
                np.hstack([zero, np.zeros((len(zero), p + n))]),
                np.hstack([normal[:, None] * across, np.zeros((n, p)), np.diag(speed)]),
            ]
        )
        matrix /= np.maximum(np.linalg.norm(matrix, axis=1), np.finfo(float).tiny)[:, None]
        values, right = np.linalg.svd(matrix)[1:]
        rank = int(np.count_nonzero(values > _SINGULAR * values[0]))
        return bool(np.abs(right[rank:, k + p :]).max(initial=0.0) > _SINGULAR)

    def _narrowed(self, box: Arcs) -> Arcs | None:
        """The box with its arcs narrowed to the directions that its motions have; None where it has none."""
        for _ in range(_ROUNDS):
            before = box
            for i in box:
                begin, width = box[i]
                ends = self.equations.heading_range(
                    self.signs, self._around(box), opposite(self.equations, box), i, begin + width / 2
                )
                if ends is None:
                    return None
                low = max(0.0, width / 2 + ends[0] - _WIDER)
                high = min(width, width / 2 + ends[1] + _WIDER)
                box = {**box, i: (begin + low, max(high - low, _WIDER))}
            if all(box[i][1] > (1 - _SHARE) * before[i][1] for i in box):
                break
        return box


def _hull(ranges: list[Range]) -> Range:
    lows, highs = zip(*ranges, strict=True)
    return min(lows), max(highs)
