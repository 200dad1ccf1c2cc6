"""Limits of joints as things that yield where a joint runs onto them."""

from __future__ import annotations

import math

from detent.mechanics.tree import Tree

# Of the size: where stops of pins push back.
_STOP_ARM = 0.1


def stops_of(tree: Tree) -> list[tuple[float, float, float, float]]:
    """Limits of joints: the coordinate, which end, where, and at what arm it pushes back."""
    stops: list[tuple[float, float, float, float]] = []
    joints = {joint.name: joint for joint in tree.system.joints}
    for k, name in enumerate(tree.coordinates):
        if name not in joints:
            continue
        joint = joints[name]
        arm = 1.0 if joint.type.coordinate == "length" else _STOP_ARM * tree.system.size
        stops += [
            (k, side, end, arm) for side, end in ((-1.0, joint.low), (1.0, joint.high)) if math.isfinite(end)
        ]
    return stops
