"""Which joint a key of `start` means: its name, or the two parts that it joins, as part:part."""

from __future__ import annotations

from collections.abc import Iterable

from detent.foundation.errors import ModelError
from detent.model.document.drive import Start
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import GROUND, parts_of


def joints_meant(mechanism: Mechanism, key: str) -> list[str]:
    """The joints that a key of `start` may mean: of two parts, in either order, those with a coordinate.

    Fixed parts are one.
    """
    if ":" not in key:
        return [key] if key in mechanism.joints else []
    fixed = {name for name, part in mechanism.parts.items() if part.fixed}

    def bodies(names: Iterable[str]) -> set[str]:
        return {GROUND if name in fixed else name for name in names}

    pair = bodies(key.split(":"))
    return [
        name
        for name, joint in mechanism.joints.items()
        if bodies(parts_of(joint)) == pair and (joint.type == "infer" or JOINT_TYPES[joint.type].limited)
    ]


def start_by_joint(mechanism: Mechanism) -> dict[str, Start]:
    """`start` by the names of joints, of a document whose joints are found."""
    named: dict[str, Start] = {}
    for key, start in mechanism.start.items():
        meant = joints_meant(mechanism, key)
        if not meant:
            problem = f"no pin or slide joins {key.replace(':', ' and ')}"
            raise ModelError.at(f"start.{key}", problem, "`detent explain` says which joints there are")
        named[meant[0]] = start
    return named
