"""Coordinates that come to rest beside a pattern: each one carries them on by less, in one proportion.

A wheel that brakes, or that a spring draws slowly to where it is slack, drives nothing: it does not run down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.finding import body_motion, touched_candidates
from detent.judge.outlook.patterns.springs import joint_values

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.patterns.simulating import Simulator

    Floats = NDArray[np.float64]

# Of what is missing to one: how far the proportions of two changes in a row may be apart; what is missing at
# least, else a change is taken as the same again.
_ALIKE, _LESS = 0.2, 1e-3


@dataclass(frozen=True)
class Creeping:
    """By independent coordinate: whether it creeps, what a pattern leaves of a change, where it ends."""

    which: NDArray[np.bool_]
    factor: Floats
    goal: Floats


def creeping_of(simulator: Simulator, found: Found, net: Floats) -> Creeping:
    """Of coordinates that a pattern carries on: those that it carries on by less and less. What touches
    something in the pattern, or would come to a limit on its way, is none."""
    pattern = found.hypothesis
    assert pattern is not None
    none = Creeping(np.zeros(len(net), bool), np.ones(len(net)), np.zeros(len(net)))
    first = pattern.last - 3 * pattern.minima
    if first < 0 or not net.any():
        return none
    ends = pattern.marks.at[first : pattern.last + 1 : pattern.minima]
    changes = np.diff(ends, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        before, factor = changes[1] / changes[0], changes[2] / changes[1]
    missing = 1.0 - factor
    which = (net != 0.0) & (factor > 0.0) & (before > 0.0) & (missing > _LESS)
    which &= np.abs(factor - before) <= _ALIKE * missing
    if not which.any():
        return none
    factor = np.where(which, factor, 0.0)
    goal = ends[-1] + np.where(which, changes[2] * factor / (1.0 - factor), 0.0)
    touching = _touching(found)
    for k in np.flatnonzero(which):
        alone = np.where(np.arange(len(net)) == k, net, 0.0)
        moved = set(body_motion(found.course, pattern, alone))
        which[k] = not (moved & touching) and not _meets_limit(simulator, ends[-1], goal, int(k))
    return Creeping(which, factor, goal)


def _touching(found: Found) -> set[int]:
    """Bodies that touch something in the pattern."""
    pattern, possible = found.hypothesis, found.course.first.possible
    assert pattern is not None
    touched = touched_candidates(found.course, pattern.begin, pattern.begin + pattern.duration)
    return {int(body) for each in touched for body in possible.pairs[possible.listed[each, 3]]}


def _meets_limit(simulator: Simulator, now: Floats, goal: Floats, k: int) -> bool:
    """Whether a joint has a limit on the way."""
    tree = simulator.prepared.along.tree
    there = now.copy()
    there[k] = goal[k]
    ways = [joint_values(tree, y) for y in (now, there)]
    for stop in simulator.prepared.actions.stops:
        if stop.joint.name in tree.coordinates:
            j = tree.coordinates.index(stop.joint.name)
            if ways[0][j] != ways[1][j] and min(ways[0][j], ways[1][j]) <= stop.end <= max(
                ways[0][j], ways[1][j]
            ):
                return True
    return False
