"""What the keys of `start` name: joints, the two parts that one joins, coordinates of parts on no joint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from detent.foundation.names import did_you_mean, listed
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of
from detent.model.machine.starts import FREE_AXES, free_part, joints_meant

Complaint = tuple[str, str, str]


def known_name(name: str, table: dict[str, Any], noun: str, at: str) -> Iterator[Complaint]:
    """A complaint where a table has no such name."""
    if name not in table:
        yield at, f"there is no {noun} {name!r}", did_you_mean(name, table, otherwise=f"there are no {noun}s")


def driven_joint(mechanism: Mechanism, joint: str, at: str) -> Iterator[Complaint]:
    """A drive's joint: one that is to be found from shapes must be written, for it has no name before."""
    first, _, second = joint.partition(":")
    if joint in mechanism.joints or first == second or not {first, second} <= set(mechanism.parts):
        yield from known_name(joint, mechanism.joints, "joint", at)
        return
    written = next((n for n, j in mechanism.joints.items() if set(parts_of(j)) == {first, second}), None)
    new = f'write it as joints.NAME with type = "infer" and between = ["{first}", "{second}"], and name that'
    yield at, f"there is no joint {joint!r}", new if written is None else f"name joint {written!r}"


def started(mechanism: Mechanism) -> Iterator[Complaint]:
    """A joint, or two parts: their joint may still be to be found, but there is only one."""
    owners: dict[str, str] = {}
    for key in mechanism.start:
        at = f"start.{key}"
        if (free := free_part(key)) is not None:
            yield from _started_free(mechanism, *free, at)
            continue
        first, colon, second = key.partition(":")
        if not colon and key in mechanism.parts and key not in mechanism.joints:
            axes = listed([f'"{key}.{axis}"' for axis in FREE_AXES])
            yield at, f"{key!r} is a part", f"name its joint; a part on no joint has {axes}, in quotes"
        elif not colon:
            yield from known_name(key, mechanism.joints, "joint", at)
        elif first == second:
            yield at, f"part {first!r} is not joined to itself", "name two different parts"
        for name in (first, second) if colon else ():
            yield from known_name(name, mechanism.parts, "part", at)
        meant = joints_meant(mechanism, key)
        if len(meant) > 1:
            yield at, f"{listed(meant)} join these parts", "name the joint"
        for name in meant[:1]:
            if name in owners:
                yield at, f"is given twice, also as {owners[name]}", "keep one of them"
            owners.setdefault(name, key)


# Joints that leave a part all its coordinates in the plane of motion.
_HOLDS_NOTHING = ("gear", "planar")


def _started_free(mechanism: Mechanism, part: str, axis: str, at: str) -> Iterator[Complaint]:
    """A coordinate of a part that hangs on no joint."""
    if part not in mechanism.parts:
        yield from known_name(part, mechanism.parts, "part", at)
        return
    if axis not in FREE_AXES:
        known = [f"{part}.{each}" for each in FREE_AXES]
        yield at, f"a part has no coordinate {axis!r}", did_you_mean(f"{part}.{axis}", known)
    holding = {name: joint for name, joint in mechanism.joints.items() if joint.type not in _HOLDS_NOTHING}
    on = [name for name, joint in holding.items() if part in parts_of(joint)]
    if mechanism.parts[part].fixed:
        yield at, f"part {part!r} is fixed", "start a part that moves"
    elif on:
        yield at, f"part {part!r} hangs on {listed(on)}", f"start {on[0]}"
