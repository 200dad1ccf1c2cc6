"""The start of a run: its tables; drives are brought to where they begin, loops stay closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.model.machine.starts import start_by_joint
from detent.motion.rigid import layout
from detent.motion.rigid.forces import held_rows_of, load_drives, prepare
from detent.motion.rigid.layout import view
from detent.motion.rigid.tables import rigid_tables
from detent.motion.running.along import coordinate_scales
from detent.motion.running.starting import start_of

if TYPE_CHECKING:
    from detent.contact.candidate import Candidates
    from detent.mechanics.tree import LoopTables, Tree
    from detent.motion.rigid.acting import JointActions
    from detent.motion.rigid.layout import Blocks

# Of the size: features nearer than this touch.
TOUCH = 1 / layout.SIZE
STEPS = 1000  # that a log has room for
# rad, or of the size: how far drives are brought at once, so that loops stay on their branch.
_SMALL = 0.02
_NEWTON = 8
# Of a radian, or the size: what is left open is not rounding.
_OPEN = 1e-7


def prepared_tables(
    tree: Tree,
    possible: Candidates,
    loops: LoopTables,
    actions: JointActions,
    accuracy: float,
    until: float,
) -> dict[int, Any]:
    """The tables of a run, to be packed."""
    system = tree.system
    names = [body.name for body in system.bodies]
    pairs = [(names[a], names[b]) for a, b in possible.pairs]
    rub = [
        [float(of(*pair) or 0) for of in (system.touching.friction, system.touching.restitution)]
        for pair in pairs
    ]
    y, v = start_of(tree)
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
    tables[layout.MOTION] = np.zeros((3, len(y)))
    tables[layout.MOTION][layout.AT], tables[layout.MOTION][layout.MOVING] = y, v
    tables[layout.CLOCK] = np.zeros(5)
    tables[layout.CLOCK][layout.NEXT] = 1e-4 * until
    return tables


def bring_to_drives(tree: Tree, blocks: Blocks) -> None:
    """Moves the start to where drives begin, in small steps; coordinates that `start` gives stay."""
    held, driven, motion = (view(blocks, slot) for slot in (layout.HELD, layout.DRIVEN, layout.MOTION))
    if not len(driven):
        return
    load_drives(*blocks, 0.0)
    aims, scales = driven[:, layout.FROM].copy(), view(blocks, layout.SCALES)[0]
    y, still = motion[layout.AT].copy(), np.zeros(motion.shape[1])
    kept = np.eye(len(y))[_given(tree)]
    away = _rows(blocks, y, still)[1][len(held) - len(driven) :]
    far = float(np.abs(away).max()) / min(1.0, tree.system.size)
    for share in np.linspace(0.0, 1.0, int(np.clip(np.ceil(far / _SMALL), 1, 2000)) + 1)[1:]:
        driven[:, layout.FROM] = aims - away * (1 - share)
        for _ in range(_NEWTON):
            rows, open_by = _rows(blocks, y, still)
            right = np.concatenate([open_by, np.zeros(len(kept))])
            y += scales * np.linalg.lstsq(np.vstack([rows, kept]) * scales, right, rcond=1e-12)[0]
    if np.abs(_rows(blocks, y, still)[1]).max() > _OPEN * min(1.0, tree.system.size):
        names = [tree.names[tree.independent[k]] for k in _given(tree)]
        raise ModelError.at(
            f"start.{names[0]}" if names else "drives",
            "the drives cannot begin there: with this start the joints do not close on the way",
            "begin nearer to the drawing, or leave the start to the drives",
        )
    motion[layout.AT] = y


def _given(tree: Tree) -> list[int]:
    """Independent coordinates that `start` puts somewhere."""
    said = start_by_joint(tree.system.mechanism)
    placed = {name for name, start in said.items() if start.at is not None or start.at_deg is not None}
    return [k for k, coordinate in enumerate(tree.independent) if tree.names[coordinate] in placed]


def _rows(blocks: Blocks, y: Any, v: Any) -> tuple[Any, Any]:
    """Rows of closing joints and drives, and how far each is from where it must be."""
    prepare(*blocks, y, v)
    held_rows_of(*blocks)
    held, driven = view(blocks, layout.HELD), view(blocks, layout.DRIVEN)
    open_by = -held[:, len(y)].copy()
    open_by[len(held) - len(driven) :] += driven[:, layout.FROM]
    return held[:, : len(y)].copy(), open_by
