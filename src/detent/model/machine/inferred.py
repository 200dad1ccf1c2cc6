"""Joints found from shapes, put into a System: the machine is then the one that is written with them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from msgspec import structs

from detent.foundation.errors import ModelError
from detent.foundation.exact import Number
from detent.foundation.names import did_you_mean
from detent.model.document.joint import Joint, Limits
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.placed import place
from detent.model.machine.system import System, compile_system


@dataclass(frozen=True)
class InferredJoint:
    """A joint found from shapes: its type, a point and an axis of the world, as a document writes them."""

    name: str
    type: str
    between: tuple[str, str]
    at: tuple[Number, ...]  # empty: the joint needs no place
    along: tuple[Number, ...]  # empty: as its type usually has it
    why: str
    limits: Limits | None = None
    ratio: Number | None = None


def with_joints(system: System, joints: Iterable[InferredJoint]) -> System:
    """The System with joints found from shapes; they keep the springs, damping and limits that are given.

    It is compiled again from the document with these joints: carriers of gears follow from them too.
    """
    inferred = {joint.name: joint for joint in joints}
    mechanism = mechanism_with_joints(system.mechanism, inferred.values())
    placed = place(mechanism, brought=system.placed.brought)
    compiled = compile_system(placed, drives_hold=system.drives_hold)
    with_reasons = (
        replace(joint, why=inferred[joint.name].why) if joint.name in inferred else joint
        for joint in compiled.joints
    )
    return replace(compiled, joints=tuple(with_reasons))


def mechanism_with_joints(mechanism: Mechanism, joints: Iterable[InferredJoint]) -> Mechanism:
    """The document with joints found from shapes, as if they had been written."""
    tables = {}
    for joint in joints:
        _refuse_unknown(mechanism, joint)
        tables[joint.name] = _table(mechanism.joints.get(joint.name), joint)
    return structs.replace(mechanism, joints={**mechanism.joints, **tables})


def _refuse_unknown(mechanism: Mechanism, joint: InferredJoint) -> None:
    at = f"joints.{joint.name}"
    if joint.type not in JOINT_TYPES:
        problem = f"{joint.type!r} is not a type of joint"
        raise ModelError.at(f"{at}.type", problem, did_you_mean(joint.type, JOINT_TYPES))
    for part in joint.between:
        if part not in mechanism.parts:
            raise ModelError.at(
                f"{at}.between", f"there is no part {part!r}", did_you_mean(part, mechanism.parts)
            )
    if joint.along and not any(joint.along):
        raise ModelError.at(f"{at}.along", "has no direction", "give the axis of the joint")


def _table(written: Joint | None, joint: InferredJoint) -> Joint:
    keys: dict[str, Any] = {
        "type": joint.type,
        "between": joint.between,
        "at": tuple(Number(c) for c in joint.at) or None,
        "along": tuple(Number(c) for c in joint.along) or None,
    }
    if joint.ratio is not None:
        keys["ratio"] = joint.ratio
    if joint.limits is not None and (written is None or written.limits is None):
        keys["limits"] = joint.limits
    return Joint(**keys) if written is None else structs.replace(written, **keys)
