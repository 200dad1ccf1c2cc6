"""Joints that are drawn beyond their own limits."""

from __future__ import annotations

import math

from detent.foundation.tolerance import Tolerance
from detent.foundation.units import measured, unit_names
from detent.geometry.frame import AXES
from detent.geometry.vector import cross
from detent.model.document.base import angle_of
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.drawn.joint_gaps import unit
from detent.model.machine.placed import PlacedJoint, place


def drawn_beyond_limits(mechanism: Mechanism) -> list[str]:
    """In words; a joint that `start` puts somewhere else is not drawn for what it does."""
    placed = place(mechanism)
    said = []
    for name, joint in placed.joints.items():
        limits = joint.joint.limits
        if limits is None or name in mechanism.start or not JOINT_TYPES[joint.joint.type].limited:
            continue
        at = _drawn(joint)
        if at is None:
            continue
        ends = angle_of(limits.min, limits.min_deg), angle_of(limits.max, limits.max_deg)
        low, high = -math.inf if ends[0] is None else ends[0], math.inf if ends[1] is None else ends[1]
        length = joint.type.coordinate == "length"
        if not length and high - low < 2 * math.pi:
            at -= 2 * math.pi * round((at - 0.5 * (low + high)) / (2 * math.pi))
        grace = Tolerance.for_size(max(abs(at), 1.0)).length if length else Tolerance.for_size(1.0).angle
        if low - grace <= at <= high + grace:
            continue
        in_unit = unit_names(mechanism.units).length.strip() if length else "rad"
        shown = [
            f"{word} {measured(end, in_unit)}"
            for word, end in (("from", ends[0]), ("to", ends[1]))
            if end is not None
        ]
        said.append(f"joint {name} is drawn at {measured(at, in_unit)}, beyond its limits {' '.join(shown)}")
    return said


def _drawn(joint: PlacedJoint) -> float | None:
    """Its coordinate as drawn [rad, document units]; None where the document does not say it."""
    first, second = joint.ends
    if first is None or second is None or not joint.placed.knows(joint):
        return None
    if any(end.part not in joint.placed.known for end in (first, second)):
        return None
    a, b = first.frame_in_world, second.frame_in_world
    if joint.type.coordinate == "length":
        apart = [float(q - p) for p, q in zip(a.origin, b.origin, strict=True)]
        return sum(x * y for x, y in zip(apart, unit(a.direct(joint.usual_axis)), strict=True))
    if joint.placed.mechanism.dimension == 2:
        angles = joint.placed.angles
        return angles[second.part] + second.angle - angles[first.part] - first.angle
    x, other = unit(a.direct(AXES["x"])), unit(b.direct(AXES["x"]))
    about = unit(a.direct(joint.usual_axis))
    side = sum(p * q for p, q in zip(cross(x, other), about, strict=True))
    return math.atan2(side, sum(p * q for p, q in zip(x, other, strict=True)))
