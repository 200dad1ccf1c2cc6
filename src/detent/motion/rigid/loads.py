"""Loads and wear of a run of the rigid method: its forces solved for again where they are asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.mechanics.tree_columns import SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import PlaneState
from detent.motion.rigid import layout
from detent.motion.rigid.layout import view
from detent.motion.running.loads import LoadRows, RunLoads
from detent.motion.running.wear import SHARE_WEIGHTS, SHARES, ContactWear, by_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates
    from detent.mechanics.tree import Tree
    from detent.motion.rigid.forces_along import ForcesAlong

    Floats = NDArray[np.float64]


def loads_of(
    tree: Tree, possible: Candidates, forces: ForcesAlong, driven: Sequence[str], times: Floats
) -> RunLoads:
    """Forces at times in order; `driven` are joints driven at a speed."""
    rows = LoadRows(tree, times)
    blocks = forces.blocks
    columns, contacts = view(blocks, layout.COLUMNS), view(blocks, layout.CONTACTS)
    slots = layout.STATE, layout.SPANS, layout.COORDINATES, layout.MEASURED
    state = PlaneState(*(view(blocks, slot) for slot in slots))
    begins = forces.steps[:, 0]
    at = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, len(begins) - 1)
    for row, (t, step) in enumerate(zip(times, at, strict=True)):
        begin, length, share = forces.steps[step]
        n, _, a = forces.solved(step, min((t - begin) / length, share))
        rows.place(row, state, a)
        for c in range(n):
            candidate = int(forces.touching[step, c])
            bodies = _bodies(possible, candidate)
            slide = _sliding(state.bodies, bodies, contacts[c])
            acting = float(columns[layout.SOLVED, c]), float(columns[layout.SOLVED, n + c]), slide
            rows.touch(row, candidate, possible.name(candidate), bodies, contacts[c], acting)
    return rows.loads(driven)


def wear_of(possible: Candidates, forces: ForcesAlong) -> dict[str, ContactWear]:
    """By contact: what it went through between its blows."""
    worn: dict[int, ContactWear] = {}
    blocks = forces.blocks
    columns, contacts = view(blocks, layout.COLUMNS), view(blocks, layout.CONTACTS)
    bodies = view(blocks, layout.STATE)
    for step in np.flatnonzero((forces.touching >= 0).any(axis=1)):
        begin, length, share = forces.steps[step]
        for part, weight in zip(SHARES * share, SHARE_WEIGHTS * share * length, strict=True):
            n = forces.solved(int(step), part)[0]
            for c in range(n):
                candidate = int(forces.touching[step, c])
                slide = _sliding(bodies, _bodies(possible, candidate), contacts[c])
                wear = worn.setdefault(candidate, ContactWear())
                wear.add(begin + part * length, weight, float(columns[layout.SOLVED, c]), slide)
    return by_name(worn, possible.name)


def _bodies(possible: Candidates, candidate: int) -> tuple[int, int]:
    a, b = possible.pairs[possible.listed[candidate, 3]]
    return int(a), int(b)


def _sliding(state: Any, bodies: tuple[int, int], contact: Any) -> float:
    """[m/s] of the second body past the first at a contact, along (n_y, -n_x)."""
    speeds = [
        (body[SPEED_X] - body[SPIN] * (contact[2] - body[Y])) * contact[4]
        - (body[SPEED_Y] + body[SPIN] * (contact[1] - body[X])) * contact[3]
        for body in (state[bodies[0]], state[bodies[1]])
    ]
    return float(speeds[1] - speeds[0])
