"""What acts on a machine without inertia at a state, what was solved for; rows that are met."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class SlowRows:
    """What acts at a state, in scaled coordinates."""

    force: Floats  # (m,) of springs, weight, pushes
    held: Floats  # (r, m) of closing joints, then of drives
    open_by: Floats  # (r,)
    normal: Floats  # (n, m)
    tangent: Floats  # (n, m)
    gap: Floats  # (n,)
    friction: Floats  # (n,)


@dataclass(frozen=True, eq=False)
class Tendency:
    """Which way a machine goes from a place: a change of coordinates, statuses and forces of contacts."""

    solved: bool
    change: Floats
    status: NDArray[np.int64]
    force: Floats
    opening: Floats


@dataclass(frozen=True, eq=False)
class Balanced:
    """A state that was solved for, with the forces of closed contacts and of what is held."""

    y: Floats
    normal: Floats
    held: Floats
    solved: bool
    divided: NDArray[np.bool_]  # of what is held: whether statics leaves open what it takes beside the others


def in_any(ways: Floats) -> NDArray[np.bool_]:
    """Which numbers a way among these changes."""
    return np.asarray(np.abs(ways).max(axis=1, initial=0.0) > 1e-9)


def met_by(rows: Floats, aim: Floats) -> tuple[Floats, Floats]:
    """The least change that meets rows, and an orthonormal basis of the changes that they leave open."""
    left, values, right = np.linalg.svd(rows)
    rank = int((values > 1e-10 * max(1.0, float(values.max(initial=0.0)))).sum())
    led = right[:rank].T @ ((left[:, :rank].T @ aim) / values[:rank])
    return np.asarray(led), np.asarray(right[rank:].T)
