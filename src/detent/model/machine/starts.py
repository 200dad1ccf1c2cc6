"""What a key of `start` means: a joint, by its name or by the two parts that it joins, as part:part; else a
coordinate of a part that hangs on no joint, as part.x, part.y or part.angle."""

from __future__ import annotations

from collections.abc import Iterable

from detent.foundation.errors import ModelError, UnsupportedError
from detent.model.document.drive import Start
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import GROUND, parts_of

FREE_AXES = ("x", "y", "angle")


def free_part(key: str) -> tuple[str, str] | None:
    """The part and the axis that a key means; None where it means a joint."""
    part, dot, axis = key.partition(".")
    return (part, axis) if dot else None


def free_starts(mechanism: Mechanism) -> dict[str, Start]:
    """By coordinate, as ball.x: the starts of parts that hang on no joint."""
    return {key: start for key, start in mechanism.start.items() if free_part(key) is not None}


def refuse_free_starts(mechanism: Mechanism) -> None:
    """For methods that move joints alone."""
    for key in free_starts(mechanism):
        raise UnsupportedError(
            "starts a part that hangs on no joint, and this method moves joints",
            "give its `pose`; `detent run` starts it so",
            f"start.{key}",
        )


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
    """`start` by the names of joints, of a document whose joints are found; without those of free parts."""
    named: dict[str, Start] = {}
    for key, start in mechanism.start.items():
        if free_part(key) is not None:
            continue
        meant = joints_meant(mechanism, key)
        if not meant:
            problem = f"no pin or slide joins {key.replace(':', ' and ')}"
            raise ModelError.at(f"start.{key}", problem, "`detent explain` says which joints there are")
        named[meant[0]] = start
    return named
