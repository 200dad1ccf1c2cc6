"""The tables of a run before it begins: a machine is prepared once, and can be run again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.motion.rigid import layout
from detent.motion.rigid.tables import rigid_tables
from detent.motion.running.along import coordinate_scales

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.mechanics.tree import LoopTables, Tree
    from detent.motion.rigid.acting import JointActions

# Of the size: features nearer than this touch.
TOUCH = 1 / layout.SIZE
STEPS = 1000  # that a log has room for


def prepared_tables(
    tree: Tree,
    possible: Candidates,
    loops: LoopTables,
    actions: JointActions,
    start: tuple[Any, Any],
    accuracy: float,
    until: float,
) -> dict[int, Any]:
    """The tables of a run that starts at coordinates and speeds, to be packed."""
    system = tree.system
    names = [body.name for body in system.bodies]
    pairs = [(names[a], names[b]) for a, b in possible.pairs]
    rub = [
        [float(of(*pair) or 0) for of in (system.touching.friction, system.touching.restitution)]
        for pair in pairs
    ]
    tables = rigid_tables(
        tree.machine,
        possible,
        np.reshape(rub, (-1, 2)),
        loops,
        actions.tables,
        np.array([until, accuracy, TOUCH * system.size, until / 8]),
        coordinate_scales(tree),
        STEPS,
    )
    tables[layout.MOTION] = np.zeros((3, len(start[0])))
    tables[layout.MOTION][layout.AT], tables[layout.MOTION][layout.MOVING] = start
    tables[layout.CLOCK] = np.zeros(5)
    tables[layout.CLOCK][layout.NEXT] = 1e-4 * until
    return tables
