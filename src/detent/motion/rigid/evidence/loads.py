"""Loads and wear of a run of the rigid method: its forces solved for again where they are asked for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.mechanics.tree_columns import SPEED_X, SPEED_Y, SPIN, X, Y
from detent.mechanics.tree_kernels import PlaneState
from detent.motion.rigid import layout
from detent.motion.rigid.layout import view
from detent.motion.rigid.rubbing import held_forces
from detent.motion.running.loads import Boundless, LoadRows, RunLoads
from detent.motion.running.wear import SHARE_WEIGHTS, SHARES, ContactWear, by_name

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates
    from detent.mechanics.tree import Tree
    from detent.motion.rigid.acting import JointActions
    from detent.motion.rigid.evidence.forces_along import ForcesAlong
    from detent.motion.rigid.evidence.jams import DriveJam
    from detent.motion.running.driving import Driven

    Floats = NDArray[np.float64]


def loads_of(
    tree: Tree,
    possible: Candidates,
    forces: ForcesAlong,
    actions: JointActions,
    driven: Driven,
    times: Floats,
    boundless: Boundless | None = None,
) -> RunLoads:
    """Forces at times in order."""
    rows = LoadRows(tree, times)
    blocks = forces.blocks
    columns, contacts = view(blocks, layout.COLUMNS), view(blocks, layout.CONTACTS)
    slots = layout.STATE, layout.SPANS, layout.COORDINATES, layout.MEASURED
    state = PlaneState(*(view(blocks, slot) for slot in slots))
    begins = forces.steps[:, 0]
    at = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, len(begins) - 1)
    joints = [drive.joint for drive in driven.coordinates]
    rubbing = len(possible) + len(actions.stops)
    for row, (t, step) in enumerate(zip(times, at, strict=True)):
        begin, length, share = forces.steps[step]
        n, _, a = forces.solved(step, min((t - begin) / length, share))
        rows.place(row, state, a)
        for c in range(n):
            candidate = int(forces.touching[step, c])
            pushes, rubs = float(columns[layout.SOLVED, c]), float(columns[layout.SOLVED, n + c])
            if candidate >= len(possible):
                _on_joint(rows, row, actions, candidate - len(possible), pushes, rubs)
                if candidate >= rubbing and forces.sliding[step, c] == 0.0:
                    rows.rest(row, actions.rubbing[candidate - rubbing].name)
                continue
            bodies = _bodies(possible, candidate)
            acting = pushes, rubs, _sliding(state.bodies, bodies, contacts[c])
            rows.touch(row, candidate, possible.name(candidate), bodies, contacts[c], acting)
        if None in joints:
            held_forces(*blocks, 2 * n, a, columns[layout.SOLVED], 1.0)
            _on_parts(rows, row, tree, driven, view(blocks, layout.HELD_FORCE)[0, -len(joints) :])
    return rows.loads([name for name in joints if name is not None], boundless)


def _on_joint(
    rows: LoadRows, row: int, actions: JointActions, number: int, pushes: float, rubs: float
) -> None:
    """What a stop, or friction in a joint, does along the joint's freedom."""
    if number < len(actions.stops):
        stop = actions.stops[number]
        rows.stop(row, stop.name, stop.joint.name, pushes * stop.length, upper=stop.upper)
        return
    number -= len(actions.stops)
    rows.effort(row, actions.rubbing[number].name, rubs * actions.rubs_by[number])


def _on_parts(rows: LoadRows, row: int, tree: Tree, driven: Driven, forces: Floats) -> None:
    """What drives of parts and markers put on their parts."""
    for drive, force in zip(driven.coordinates, forces, strict=True):
        if drive.joint is None:
            c, s = np.cos(rows.poses[row, drive.body, 2]), np.sin(rows.poses[row, drive.body, 2])
            x, y = drive.point
            point = rows.poses[row, drive.body, :2] + np.array([c * x - s * y, s * x + c * y])
            rows.lead(row, drive.body, point, drive.axis, float(force))


def wear_of(
    possible: Candidates, forces: ForcesAlong, boundless: Boundless | None = None
) -> dict[str, ContactWear]:
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
                if candidate >= len(possible):
                    break  # behind them are stops and joints that rub
                slide = _sliding(bodies, _bodies(possible, candidate), contacts[c])
                wear = worn.setdefault(candidate, ContactWear())
                wear.add(begin + part * length, weight, float(columns[layout.SOLVED, c]), slide)
    named = by_name(worn, possible.name)
    if boundless is not None:
        for name in (name for name in boundless.pushes if ":" in name):
            named.setdefault(name, ContactWear()).peak = np.inf
        for wear in named.values():
            if wear.peak > boundless.force or np.isinf(wear.peak):
                # It grows as one over the time that is left, or faster: no impulse either.
                wear.peak, wear.peak_at, wear.impulse = np.inf, boundless.since, np.inf
    return named


# Of the greatest at a dead point: a force that is greater grows with it, and has no bound.
_GROWN = 1e-9


def held_by(
    jam: DriveJam, name: Callable[[int], str], at_end: Callable[[], RunLoads], end: float
) -> Boundless:
    """Forces without bound where drives cannot go on."""
    force = math.inf
    if jam.grows:
        loads = at_end()
        columns = [*loads.pushes.values(), *(rows[:, :2] for rows in loads.reactions.values())]
        greatest = max((float(np.nanmax(np.abs(each), initial=0.0)) for each in columns), default=0.0)
        force = _GROWN * greatest
    return Boundless(
        end,
        force,
        {name(each.candidate): each.push for each in jam.contacts},
        {name(each.candidate): each.rub for each in jam.contacts if each.rub},
        {joint: carried for joint, carried in jam.reactions.items() if carried.any()},
        jam.speeds,
    )


# Times what would stop contacts from closing, if none rubbed: a force beyond is the one before a jam.
_LOCKED = 1e6


def locking(forces: ForcesAlong) -> Boundless | None:
    """At the end of a run that jams: from when on, and above what, forces have no bound."""
    begin, length, share = forces.steps[-1]
    n = forces.solved(len(forces.steps) - 1, share)[0]
    columns, blocks = view(forces.blocks, layout.COLUMNS), forces.blocks
    yielding = np.abs(np.diag(view(blocks, layout.PROBLEM))[:n]).max(initial=0.0)
    closing = np.abs(columns[layout.RIGHT, :n]).max(initial=0.0)
    if not n or not yielding or columns[layout.SOLVED, :n].max() <= _LOCKED * closing / yielding:
        return None
    return Boundless(float(begin + share * length), float(_LOCKED * closing / yielding))


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
