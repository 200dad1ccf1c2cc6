"""The ends of the ranges of joints, and which of them a drawing lies beyond."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from detent.mechanics.tree_kernels import DRAWN
from detent.numeric.angles import whole_turns

if TYPE_CHECKING:
    from detent.mechanics.tree import Tree


class CoordinateStop(NamedTuple):
    """One end of a joint's range: the coordinate, the end, +1 at the low one."""

    joint: str
    coordinate: int
    end: float
    sign: float


def stops_of(tree: Tree) -> tuple[CoordinateStop, ...]:
    """All ends; of a pin limited to less than a rotation, in the one nearest to the drawing."""
    stops = []
    for joint in tree.system.joints:
        if joint.name not in tree.coordinates:
            continue
        k = tree.coordinates.index(joint.name)
        turns = 0.0
        if joint.type.coordinate == "angle" and joint.high - joint.low < 2 * math.pi:
            turns = float(whole_turns(tree.machine.joints[k, DRAWN] - 0.5 * (joint.low + joint.high)))
        for end, sign in ((joint.low, 1.0), (joint.high, -1.0)):
            if math.isfinite(end):
                stops.append(CoordinateStop(joint.name, k, float(end) + turns, sign))
    return tuple(stops)
