"""Joints found from shapes, put into a System: the machine is then the one that is written with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from detent.foundation.errors import ModelError
from detent.foundation.exact import Number
from detent.foundation.names import did_you_mean
from detent.model.document.joint import Joint
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.machine.placed import place
from detent.model.machine.system import System, compile_system


@dataclass(frozen=True)
class InferredJoint:
    """A joint found from shapes: its type, a point and an axis of the world, as a document writes them."""

    name: str
    type: str
    between: tuple[str, str]
    at: tuple[Number, ...]
    along: tuple[Number, ...]
    why: str


def with_joints(system: System, joints: Iterable[InferredJoint]) -> System:
    """The System with joints found from shapes; they keep the springs, damping and limits that are given.

    It is compiled again from the document with these joints: carriers of gears follow from them too.
    """
    inferred = {joint.name: joint for joint in joints}
    for joint in inferred.values():
        _refuse_unknown(system, joint)
    tables = {name: _table(system.mechanism.joints.get(name), joint) for name, joint in inferred.items()}
    mechanism = structs.replace(system.mechanism, joints={**system.mechanism.joints, **tables})
    placed = place(mechanism, brought=system.placed.brought)
    compiled = compile_system(placed, drives_hold=system.drives_hold)
    with_reasons = (
        replace(joint, why=inferred[joint.name].why) if joint.name in inferred else joint
        for joint in compiled.joints
    )
    return replace(compiled, joints=tuple(with_reasons))


def _refuse_unknown(system: System, joint: InferredJoint) -> None:
    at = f"joints.{joint.name}"
    if joint.type not in JOINT_TYPES:
        problem = f"{joint.type!r} is not a type of joint"
        raise ModelError.at(f"{at}.type", problem, did_you_mean(joint.type, JOINT_TYPES))
    for part in joint.between:
        if part not in system.index:
            raise ModelError.at(
                f"{at}.between", f"there is no part {part!r}", did_you_mean(part, system.index)
            )
    if not any(joint.along):
        raise ModelError.at(f"{at}.along", "has no direction", "give the axis of the joint")


def _table(written: Joint | None, joint: InferredJoint) -> Joint:
    keys: dict[str, Any] = {
        "type": joint.type,
        "between": joint.between,
        "at": tuple(Number(c) for c in joint.at),
        "along": tuple(Number(c) for c in joint.along),
    }
    return Joint(**keys) if written is None else structs.replace(written, **keys)
