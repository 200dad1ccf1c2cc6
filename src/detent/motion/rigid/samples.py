"""A machine of one disc on an axle beside a fixed edge, for the kernels' samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from detent.mechanics.tree_dynamics import DynamicTables
from detent.mechanics.tree_kernels import PIN, TreeTables
from detent.motion.rigid.tables import RigidTables, Room, no_loops, room_of


def sample_machine() -> tuple[RigidTables, Room]:
    poses = np.array([[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 1.0, 0.0]])
    tree = TreeTables(
        np.array([[1, 0, PIN, 0]]), np.zeros((1, 8)), np.ones(1), np.zeros(1), np.zeros(1), np.ones((1, 1)),
        poses, np.zeros(2),
    )  # fmt: skip
    dynamics = DynamicTables(
        tree, np.array([[0.0] * 4, [1.0, 0.0, 0.0, 0.5]]), np.array([[1.0, 0.3, 0.1]]), np.zeros(1), np.zeros(2)
    )
    data = np.zeros((2, 9))
    data[0, :4] = 1.0, 1.0, -1.0, 1.0
    data[1] = 0.9, 0.9, 0.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0
    tables = RigidTables(
        dynamics, data, np.full((2, 2), -1), np.arange(2), np.array([[0, 0, 1, 0, 0]]), np.array([[0, 1]]),
        np.array([0.2]), np.zeros(1), np.zeros((2, 2)), np.array([1.5, 1.3]), np.zeros(1), no_loops(2),
    )  # fmt: skip
    return tables, room_of(tables)


def sample_touching() -> tuple[Any, ...]:
    """The machine with its one candidate touching."""
    tables, room = sample_machine()
    touching = np.zeros(24, np.int64)
    return tables, room, touching, 1


def sample_run() -> tuple[Any, ...]:
    """The same, with bodies placed."""
    return sample_touching()
