"""The start of a run: loops closed and drives at their beginnings, with what `start` gives kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import ModelError
from detent.motion.rigid import layout
from detent.motion.rigid.forces import drive_at, held_rows_of, load_drives, prepare
from detent.motion.rigid.layout import view

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree
    from detent.motion.rigid.layout import Blocks

# rad, or of the size: a step of a start that is away from the drawing, so that loops stay on their branch.
_SMALL = 0.02
_NEWTON = 8
# Of a radian, or the size: what is left open is not rounding.
_OPEN = 1e-7


def close_start(tree: Tree, blocks: Blocks) -> None:
    """Closes loops and puts drives at their beginnings, by the least change of what `start` does not give.

    The start is in the blocks. It is gone to from the drawing in small steps.
    """
    held, driven, motion = (view(blocks, slot) for slot in (layout.HELD, layout.DRIVEN, layout.MOTION))
    if not len(held):
        return
    given = _given(tree)
    load_drives(*blocks, 0.0)
    aims, scales = driven[:, layout.FROM].copy(), view(blocks, layout.SCALES)[0]
    start, speeds = motion[layout.AT].copy(), motion[layout.MOVING].copy()
    y, v = np.zeros_like(start), np.zeros_like(start)
    _, open_by = _rows(blocks, y, v)
    away = open_by[len(held) - len(driven) :]
    loose = [k for k in range(len(start)) if k not in given]
    y[loose] = start[loose]
    distances = [*np.abs(start / scales)[given], *np.abs(away) / min(1.0, tree.system.size)]
    steps = int(np.clip(np.ceil(max(distances, default=0.0) / _SMALL), 1, 2000))
    for k in range(1, steps + 1):
        driven[:, layout.FROM] = aims - away * (1 - k / steps)
        for _ in range(_NEWTON):
            rows, open_by = _rows(blocks, y, v)
            kept = np.eye(len(y))[given]
            right = np.concatenate([open_by, start[given] * k / steps - y[given]])
            y += scales * np.linalg.lstsq(np.vstack([rows, kept]) * scales, right, rcond=1e-12)[0]
    rows, open_by = _rows(blocks, y, v)
    _refuse_contradiction(tree, given, np.abs(open_by), np.abs(start - y)[given] / scales[given])
    aimed = np.zeros(len(held))
    aimed[len(held) - len(driven) :] = [drive_at(driven, d, 0.0)[1] for d in range(len(driven))]
    all_rows = np.vstack([rows, np.eye(len(y))[given]])
    right = np.concatenate([aimed - rows @ speeds, np.zeros(len(given))])
    v = speeds + scales * np.linalg.lstsq(all_rows * scales, right, rcond=1e-12)[0]
    motion[layout.AT], motion[layout.MOVING] = y, v


def _given(tree: Tree) -> list[int]:
    """Independent coordinates that `start` gives a place or a speed."""
    said = tree.system.mechanism.start
    return [k for k, coordinate in enumerate(tree.independent) if tree.names[coordinate] in said]


def _rows(blocks: Blocks, y: Any, v: Any) -> tuple[Any, Any]:
    """Rows of closing joints and drives, and how far each is from where it must be."""
    prepare(*blocks, y, v)
    held_rows_of(*blocks)
    held, driven = view(blocks, layout.HELD), view(blocks, layout.DRIVEN)
    open_by = -held[:, len(y)].copy()
    open_by[len(held) - len(driven) :] += driven[:, layout.FROM]
    return held[:, : len(y)].copy(), open_by


def _refuse_contradiction(tree: Tree, given: list[int], open_by: Any, moved: Any) -> None:
    if max([*open_by / min(1.0, tree.system.size), *moved], default=0.0) <= _OPEN:
        return
    names = [tree.names[tree.independent[k]] for k in given]
    at = f"start.{names[0]}" if names else ("drives" if len(open_by) else "joints")
    raise ModelError.at(
        at,
        "with this start the joints that close loops, and the drives, cannot all be where they must",
        "begin nearer to the drawing, or leave the start to the drive",
    )
