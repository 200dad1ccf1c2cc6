"""Pairs of features in space that may touch: a corner and a face, either way, and two convex edges.

Found once per machine, for bodies with flat faces. Whatever else two polyhedra touch with is made of these:
an edge flush on a face touches with its corners, and where it crosses the border of the face.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.contact.space_features import SpaceFeatures, space_features
from detent.geometry.naming import contact_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.model.machine.system import System

# Formulas of a candidate.
CORNER_FACE, EDGE_EDGE = 0, 1

# Columns of the list.
FORMULA, FIRST, SECOND, PAIR, FLIPPED = range(5)

# Columns of a contact that the loop finds: gap, point, normal, share, directions of two edges.
VALUES = 14


@dataclass(frozen=True, eq=False)
class SpaceCandidates:
    """Feature pairs of a machine in space.

    A row of `listed` is the formula, the face or the first body's edge, the corner or the second body's edge,
    the pair of bodies, and whether the face is on that pair's second body.
    """

    system: System
    features: SpaceFeatures
    pairs: NDArray[np.int64]  # (k, 2) bodies: a fixed one first, else in document order
    starts: NDArray[np.int64]  # (k + 1,): the rows of each pair
    listed: NDArray[np.int64]  # (n, 5), pair after pair

    def __len__(self) -> int:
        return len(self.listed)

    def name(self, candidate: int) -> str:
        """`part/leaf.feature:part/leaf.feature`, that of the pair's first body first."""
        row, features = self.listed[candidate], self.features
        if row[FORMULA] == EDGE_EDGE:
            return contact_name(features.edge_names[row[FIRST]], features.edge_names[row[SECOND]])
        names = [features.face_names[row[FIRST]], features.corner_names[row[SECOND]]]
        return contact_name(*(names[::-1] if row[FLIPPED] else names))

    @cached_property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """What the loop over candidates reads."""
        return *self.features.arrays, self.listed, self.starts, self.pairs

    @cached_property
    def scratch(self) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Room for what is found."""
        return np.zeros(len(self), np.int64), np.zeros((len(self), VALUES))


def space_candidates(
    system: System, pairs: Sequence[tuple[int, int]], flat: Sequence[int] | None = None
) -> SpaceCandidates:
    """Feature pairs of these pairs of bodies, or of those of these numbers alone; curved faces are refused by
    name.
    """
    asked = range(len(pairs)) if flat is None else flat
    bodies = sorted({body for number in asked for body in pairs[number]})
    features = space_features(system, bodies)
    empty = np.empty((0, 5), np.int64)
    blocks = [
        _of_pair(features, pair, number) if number in asked else empty for number, pair in enumerate(pairs)
    ]
    return SpaceCandidates(
        system,
        features,
        np.array(pairs, np.int64).reshape(-1, 2),
        np.cumsum([0, *(len(block) for block in blocks)]).astype(np.int64),
        np.concatenate([np.empty((0, 5), np.int64), *blocks]),
    )


def _of_pair(features: SpaceFeatures, pair: tuple[int, int], number: int) -> NDArray[np.int64]:
    first, second = pair
    face, corner, edge = features.face_body, features.corner_body, features.edge_body
    return np.concatenate(
        [
            _product(CORNER_FACE, face == first, corner == second, number, 0),
            _product(CORNER_FACE, face == second, corner == first, number, 1),
            _product(EDGE_EDGE, edge == first, edge == second, number, 0),
        ]
    )


def _product(
    formula: int, ones: NDArray[np.bool_], others: NDArray[np.bool_], number: int, flipped: int
) -> NDArray[np.int64]:
    first, second = (np.flatnonzero(each) for each in (ones, others))
    rows = np.empty((len(first) * len(second), 5), np.int64)
    rows[:, FORMULA], rows[:, PAIR], rows[:, FLIPPED] = formula, number, flipped
    rows[:, FIRST], rows[:, SECOND] = np.repeat(first, len(second)), np.tile(second, len(first))
    return rows
