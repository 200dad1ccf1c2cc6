"""Loads and wear of a run of the penalty method: what its law says where it is asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.mechanics.tree_kernels import mass_and_force
from detent.motion.penalty.pushes import PUSHING, accelerate
from detent.motion.penalty.stepping import STEPS
from detent.motion.penalty.tables import MOST_TOUCHING, PUSH, RUBBING, SLIDING
from detent.motion.running.loads import LoadRows, RunLoads
from detent.motion.running.wear import ContactWear, by_name
from detent.numeric.runge_kutta import point_on_step

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.contact.candidate import Candidates
    from detent.mechanics.tree import Tree
    from detent.motion.penalty.stepping import OverlapLog
    from detent.motion.penalty.tables import Overlapping

    Floats = NDArray[np.float64]

_WORK = 1e7  # elementary steps: the kernels are compiled by the run already
# Rows of contacts nearer to dependent than this, of 1, do not tell what each of them passed on.
_DEPENDENT = 0.03


def loads_of(
    tree: Tree,
    possible: Candidates,
    over: Overlapping,
    log: OverlapLog,
    driven: Sequence[str],
    times: Floats,
) -> RunLoads:
    """Forces at times in order; what stops push is along the freedom of their joints."""
    rows, count = LoadRows(tree, times), int(log.counted[STEPS])
    begins = log.steps[:count, 0]
    at = np.clip(np.searchsorted(begins, times, side="right") - 1, 0, count - 1)
    for row, (t, step) in enumerate(zip(times, at, strict=True)):
        begin, length = log.steps[step, :2]
        kept, n, a = solved(over, log, step, min((t - begin) / length, 1.0))
        rows.place(row, over.state, a)
        for c in range(n):
            candidate = int(kept[0, c])
            if (stop := candidate - len(over.listed)) >= 0:
                coordinate, side, _, arm = over.stops[stop]
                rows.effort(row, tree.coordinates[int(coordinate)], -float(side * arm * over.pushes[c, PUSH]))
                continue
            pair = over.pairs[over.listed[candidate, 3]]
            out, name = over.pushes[c], possible.name(candidate)
            acting = float(out[PUSH]), float(out[RUBBING]), float(out[SLIDING])
            rows.touch(row, candidate, name, (int(pair[0]), int(pair[1])), over.values[c], acting)
    return rows.loads(driven)


def solved(over: Overlapping, log: OverlapLog, step: int, share: float) -> tuple[Any, int, Floats]:
    """The set of contacts of a step and the accelerations at a share of it; pushes are then in the tables."""
    freedoms = len(over.force)
    y, v, a = np.zeros(freedoms), np.zeros(freedoms), np.zeros(freedoms)
    kept = np.stack([log.touching[step], log.pushing[step]])
    n = int((kept[0] >= 0).sum())
    point_on_step.at(_WORK)(log.points[step], log.steps[step, 1], share, y, v)
    accelerate.at(_WORK)(over, y, v, kept, n, a)
    return kept, n, a


def wear_of(possible: Candidates, over: Overlapping, log: OverlapLog) -> dict[str, ContactWear]:
    """By contact: what it went through.

    An implicit step may pass over a blow, so that only its ends tell forces; what contacts passed on within
    it is what its momentum lacks, and how far they slid is how far the parts went past each other.
    """
    worn: dict[int, ContactWear] = {}
    count, freedoms = int(log.counted[STEPS]), len(over.force)
    mass = np.zeros((freedoms, freedoms))
    for step in np.flatnonzero((log.touching[:count] >= 0).any(axis=1)):
        begin, length = log.steps[step, :2]
        motion, force, acting = [], [], []
        for share in (0.0, 1.0):
            kept, n, _ = solved(over, log, int(step), share)
            motion.append(moved_on(log, int(step), share))
            force.append(np.zeros(freedoms))
            acting.append(over.pushes[:n].copy())
            mass_and_force.at(_WORK)(over.machine, over.state, mass, force[-1])
            for c in range(n):
                if kept[0, c] < len(over.listed):
                    wear = worn.setdefault(int(kept[0, c]), ContactWear())
                    wear.seen(begin + share * length, float(over.pushes[c, PUSH]))
        pushing = [c for c in range(n) if kept[1, c] == PUSHING]
        (y0, v0), (y1, v1) = motion
        lacks = mass @ (v1 - v0) - 0.5 * length * (force[0] + force[1])
        told = 0.5 * length * (acting[0] + acting[1])[pushing]
        passed = passed_on(over, pushing, told, lacks)
        for c, impulse in zip(pushing, passed, strict=True):
            if kept[0, c] < len(over.listed):
                slid = abs(float(over.rows[MOST_TOUCHING + c] @ (y1 - y0)))
                worn[int(kept[0, c])].carried(max(float(impulse), 0.0), slid)
    return by_name(worn, possible.name)


def passed_on(over: Overlapping, pushing: list[int], told: Floats, lacks: Floats) -> Floats:
    """What each pushing contact passed on in a step: what the law tells at its ends, and what momentum
    lacks then.

    Where contacts push along nearly dependent rows, as two corners on a floor and two on a slider do,
    momentum does not say which of them passed it on: there the law alone divides it.
    """
    across, rubbing = over.rows[pushing], over.rows[[MOST_TOUCHING + c for c in pushing]]
    pushed, held = told[:, PUSH], over.held[:, : len(lacks)]
    ratio = np.divide(told[:, RUBBING], pushed, out=np.zeros(len(told)), where=pushed > 0)
    along = across + ratio[:, None] * rubbing
    # Lengths and angles are compared by the longest arms, rows by their directions.
    reach = np.abs(np.concatenate([across, rubbing, held])).max(axis=0, initial=0.0)
    reach = np.where(reach > 0.0, reach, 1.0)
    rows = np.concatenate([along, held]) / reach
    lengths = np.linalg.norm(rows, axis=1)
    lengths = np.where(lengths > 0.0, lengths, 1.0)
    left = (lacks - along.T @ pushed) / reach
    more = np.linalg.lstsq((rows / lengths[:, None]).T, left, rcond=_DEPENDENT)[0] / lengths
    passed: Floats = pushed + more[: len(pushing)]
    return passed


def moved_on(log: OverlapLog, step: int, share: float) -> tuple[Floats, Floats]:
    """Coordinates and speeds at a share of a step."""
    y, v = np.zeros(log.points.shape[2]), np.zeros(log.points.shape[2])
    point_on_step.at(_WORK)(log.points[step], log.steps[step, 1], share, y, v)
    return y, v
