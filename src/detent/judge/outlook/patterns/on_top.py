"""A process on top of a pattern, counted in patterns; and what moves which body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.mechanics.tree_columns import TURN, X, Y
from detent.mechanics.tree_kernels import place_tree, plane_state

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.mechanics.tree import Tree

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class OnTop:
    """A process on top of the pattern: begin, length and period in patterns, counted from the base; what it
    leaves joints changed by that otherwise rest, by coordinate."""

    begin: float
    length: float
    period: float
    change: dict[int, float]

    def is_under_way(self, number: float) -> bool:
        return (number - self.begin) % self.period < self.length

    def left_by(self, number: float, count: int) -> Floats:
        """Of so many coordinates: what it has changed by the end of a pattern."""
        left = np.zeros(count)
        over = number - self.begin - self.length
        if over >= 0.0 and self.change:
            left[list(self.change)] = list(self.change.values())
            left *= 1.0 + over // self.period
        return left


def moved_by(tree: Tree, at: Floats, coordinate: int, step: float) -> set[int]:
    """Bodies that an independent coordinate moves, in a step from a state."""
    placed, ends = [], (at, at + step * (np.arange(len(at)) == coordinate))
    for end in ends:
        state = plane_state(tree.machine)
        place_tree(tree.machine, end, np.zeros(tree.freedoms), state)
        placed.append(state.bodies[:, [X, Y, TURN]].copy())
    return {int(body) for body in np.flatnonzero((placed[0] != placed[1]).any(axis=1))}


def body_named(tree: Tree, name: str) -> int:
    return next(k for k, body in enumerate(tree.system.bodies) if body.name == name)
