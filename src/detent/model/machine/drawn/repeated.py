"""Joints that a document gives twice."""

from __future__ import annotations

from detent.geometry.vector import cross
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import GROUND, parts_of
from detent.model.machine.placed import PlacedJoint, place


def repeated_joints(mechanism: Mechanism) -> list[str]:
    """Joints that hold what an earlier one of their type holds already, in words."""
    placed = place(mechanism)
    earlier: list[tuple[frozenset[str], PlacedJoint]] = []
    said = []
    for joint in placed.joints.values():
        names = parts_of(joint.joint)
        parts = frozenset(GROUND if mechanism.parts[name].fixed else name for name in names)
        first = next((other for among, other in earlier if among == parts and _alike(other, joint)), None)
        if first is None:
            earlier.append((parts, joint))
        else:
            said.append(f"joint {joint.name} repeats {first.name}: it joins the same parts in the same way")
    return said


def _alike(one: PlacedJoint, other: PlacedJoint) -> bool:
    """Whether two joints between the same parts hold the same."""
    kind = one.joint.type
    if kind != other.joint.type:
        return False
    if kind == "fixed":
        return True
    if kind not in ("revolute", "prismatic") or not (one.placed.knows(one) and one.placed.knows(other)):
        return False
    if any(cross(one.axis_in_world, other.axis_in_world)):
        return False
    if kind == "prismatic":
        return one.placed.mechanism.dimension == 2 or one.point_in_world == other.point_in_world
    return one.points_in_world == other.points_in_world or one.points_in_world == _turned_round(other)


def _turned_round(joint: PlacedJoint) -> object:
    points = joint.points_in_world
    return None if points is None else (points[1], points[0])
