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

from detent.contact.forces.balancing import RANGE_SIDES
from detent.contact.forces.coulomb import (
    Arcs,
    SolvedMode,
    friction_arc,
    friction_vectors,
    opposite,
    polygon,
    triangle,
)
from detent.contact.forces.motion_program import Equations, Range
from detent.contact.modes.enumerate import Signs

Floats = NDArray[np.float64]

# Of the largest, a singular value of the equations around a solution that counts as zero: directions of
# friction are known to about 1e-6.
_SINGULAR = 1e-5
# Of all forces, a normal force that turns no direction.
_NONE = 1e-5
# Rounds in which arcs are narrowed, while one loses at least this share of itself.
_ROUNDS, _SHARE = 4, 0.1
# A range of accelerations as narrow as this, of all of them, is one number.
_ROUNDING = 1e-6
# Boxes of arcs that a family is divided into, and by how much the solver's rounding widens each arc [rad].
_BOXES, _WIDER = 8, 1e-6


@dataclass(frozen=True, eq=False)
class MotionRanges:
    """The ranges of one mode, around a solution of it."""

    equations: Equations
    signs: Signs
    solved: SolvedMode
    on_the_edge: bool  # then nothing is known of the directions but their sectors

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
        low, high = _hull(
            [
                self.equations.acceleration_range(self.signs, vectors, sides, row)
                for vectors, sides in self._boxes
            ]
        )
        if high - low <= _ROUNDING * self.equations.scale * float(np.linalg.norm(row @ self.equations.free)):
            low = high = (low + high) / 2
        return low, high

    @cached_property
    def _boxes(self) -> list[tuple[dict[int, Floats], Floats]]:
        """Friction vectors and rows that together hold every motion of the mode."""
        if self.on_the_edge:
            return [(self._around(self._arcs), opposite(self.equations, self._arcs))]
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

        Around a solution, friction that turns with its contact is a stiffness against accelerations across
        the sliding: mu N / |s|. Forces that change nothing along the rows that stay zero are open, and the
        directions turn where such forces accelerate a contact across its sliding.
        """
        e, solution = self.equations, self.solved.solution
        sliding = list(self._arcs)
        if not sliding:
            return False
        size = float(np.linalg.norm(e.load)) + sum(solution.normal.values())
        stiffness = np.eye(len(e.load))
        across, along = [], []
        for i in sliding:
            slip = e.slip(i)
            ahead = slip.rows @ solution.y + slip.rest
            speed = max(float(np.linalg.norm(ahead)), np.finfo(float).tiny)
            against = -ahead / speed
            row = np.array([-against[1], against[0]]) @ slip.rows
            rubs = solution.normal[i] / speed if solution.normal[i] > _NONE * size else 0.0
            stiffness += e.mu[i] * rubs * np.outer(row, row)
            across.append(rubs * row)
            along.append(e.pushes(i, against[None]))
        others = {i: vectors for i, vectors in self._around({}).items() if i not in self._arcs}
        free = [e.pushes(i, vectors) for i, vectors in others.items() if solution.normal[i] > _NONE * size]
        gives = np.linalg.solve(stiffness, np.concatenate([*free, *along]).T)
        held = e.along[np.flatnonzero(e.now.open & (self.signs == 0))] @ gives
        values, right = np.linalg.svd(held)[1:]
        rank = int(np.count_nonzero(values > _SINGULAR * values.max(initial=0.0)))
        return bool(np.abs(np.array(across) @ gives @ right[rank:].T).max(initial=0.0) > _SINGULAR)

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
