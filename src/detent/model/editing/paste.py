"""Copies of parts in a document: new names, a displacement, and the joints among them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from detent.foundation.errors import ModelError
from detent.foundation.exact import Number
from detent.model.document import shape
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Part, Pose
from detent.model.editing.naming import Naming, fresh, letter
from detent.model.editing.placing import world_pose
from detent.model.machine.graph import part_of, parts_of


def pasted(
    mechanism: Mechanism, source: Mechanism, names: Sequence[str], by: tuple[Number, ...]
) -> Mechanism:
    """The document with copies of parts of another (or of itself)."""
    for key in ("dimension", "units"):
        theirs, ours = getattr(source, key), getattr(mechanism, key)
        if theirs != ours:
            raise ModelError.at(key, f"is {theirs} where the parts come from, {ours} here", "make them equal")
    parts, copies = dict(mechanism.parts), dict[str, str | None]()
    for name in source.parts:
        if name in names:
            copies[name] = fresh(name.rstrip("0123456789"), parts)
            parts[str(copies[name])] = Part()
    naming = Naming(parts=copies)
    for name, copy in copies.items():
        part = source.parts[name]
        parts[str(copy)] = replace(part, pose=_copied_pose(source, name, naming, by))
    joints = dict(mechanism.joints)
    for joint in source.joints.values():
        if set(parts_of(joint)) <= set(copies):
            joints[letter(joints)] = _copied_joint(joint, naming, by)
    used = [source.parts[name] for name in copies]
    return replace(
        mechanism,
        parts=parts,
        joints=joints,
        materials=_merged_table(mechanism, source, "materials", {p.material for p in used}),
        shapes=_merged_table(mechanism, source, "shapes", _shapes(source, used)),
    )


def _copied_pose(source: Mechanism, name: str, naming: Naming, by: tuple[Number, ...]) -> Pose:
    """The pose of a copy; one on a marker of another copy goes with it."""
    pose = source.parts[name].pose or Pose()
    if pose.on is not None and part_of(pose.on) in naming.parts:
        return replace(pose, on=naming.end(pose.on))
    pose = world_pose(source, name)
    return replace(pose, at=_sum(pose.at, by, source.dimension))


def _copied_joint(joint: Joint, naming: Naming, by: tuple[Number, ...]) -> Joint:
    between = tuple(str(naming.end(end)) for end in joint.between)
    at = None if joint.at is None else _sum(joint.at, by, len(joint.at))
    return replace(joint, between=between, at=at)


def _sum(at: tuple[Number, ...] | None, by: tuple[Number, ...], size: int) -> tuple[Number, ...]:
    a, b = ((*(v or ()), *[Number(0)] * size)[:size] for v in (at, by))
    return tuple(Number(x + y) for x, y in zip(a, b, strict=True))


def _shapes(source: Mechanism, parts: Sequence[Part]) -> set[str | None]:
    """Named shapes that parts use, directly or through others."""
    names: set[str | None] = set()
    waiting = [part.shape for part in parts if part.shape is not None]
    while waiting:
        for use in _uses(waiting.pop()):
            if use not in names:
                names.add(use)
                waiting.append(source.shapes[use])
    return names


def _uses(outer: shape.Shape) -> Iterator[str]:
    return (inner.use for _, inner in shape.within(outer, "") if inner.use is not None)


def _merged_table(
    mechanism: Mechanism, source: Mechanism, table: str, names: set[str | None]
) -> dict[str, Any]:
    """What the copies refer to, brought along; another thing of the same name is refused."""
    ours, theirs = getattr(mechanism, table), getattr(source, table)
    for name, value in theirs.items():
        if name in names and ours.get(name, value) != value:
            raise ModelError.at(
                f"{table}.{name}", "is another one where the parts come from", "rename one of the two"
            )
    return {**ours, **{name: value for name, value in theirs.items() if name in names}}
