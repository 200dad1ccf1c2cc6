"""Parts with an axis fixed in the frame: joined to it, or to such a part about or along the same axis."""

from __future__ import annotations

from detent.geometry.frame import Exact3
from detent.infer.found import InferredPair
from detent.infer.solids import MachineSolids


def fixed_axes(machine: MachineSolids, joints: list[InferredPair]) -> tuple[str, ...]:
    """Moving parts that turn about, or slide along, an axis that stands still; in document order.

    A second link on a fixed pin is often written as joined to the first: its axis stands as still. Both axes
    are read on the part between them, so that it does not matter whether the drawing closes.
    """
    parts = machine.mechanism.parts
    held: dict[str, InferredPair] = {}  # by which joint
    for joint in joints:
        for part, other in (joint.parts, joint.parts[::-1]):
            if not parts[part].fixed and parts[other].fixed and _kind(joint) in ("revolute", "prismatic"):
                held.setdefault(part, joint)
    waiting = list(held)
    while waiting:
        carrier = waiting.pop()
        for joint in joints:
            if carrier not in joint.parts:
                continue
            part = joint.parts[1] if joint.parts[0] == carrier else joint.parts[0]
            if (
                not parts[part].fixed
                and part not in held
                and _same_axis(machine, held[carrier], joint, carrier)
            ):
                held[part] = joint
                waiting.append(part)
    return tuple(part for part in parts if part in held)


def _same_axis(machine: MachineSolids, one: InferredPair, other: InferredPair, part: str) -> bool:
    """Whether two pins of a part are on one line, or two slides of it parallel, exactly."""
    if _kind(one) != _kind(other) or _kind(one) not in ("revolute", "prismatic"):
        return False
    first, second = _axis_on(machine, one, part), _axis_on(machine, other, part)
    if first is None or second is None or not _parallel(first[1], second[1]):
        return False
    between = tuple(b - a for a, b in zip(first[0], second[0], strict=True))
    return _kind(one) == "prismatic" or _parallel((between[0], between[1], between[2]), first[1])


def _axis_on(machine: MachineSolids, joint: InferredPair, part: str) -> tuple[Exact3, Exact3] | None:
    """A point and the direction of a joint's axis, as drawn with one of its parts."""
    if joint.given:
        placed = machine.placed.joints[joint.name]
        for end in placed.said:
            if end.part == part:
                return end.frame_in_world.origin, end.frame_in_world.direct(placed.usual_axis)
    if joint.point is None or joint.direction is None:
        return None
    return joint.point, joint.direction


def _parallel(a: Exact3, b: Exact3) -> bool:
    return a[1] * b[2] == a[2] * b[1] and a[2] * b[0] == a[0] * b[2] and a[0] * b[1] == a[1] * b[0]


def _kind(joint: InferredPair) -> str:
    return joint.acts_as or joint.type
