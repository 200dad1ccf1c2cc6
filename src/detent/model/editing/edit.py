"""What each small operation of an editor makes of a document.

Nothing is solved here: `motion.edit` applies operations in the solved state and
gives the inverse. What is taken away takes along what cannot stand without it:
joints of a part, drives and starts of a joint.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from detent.foundation.errors import ModelError
from detent.foundation.exact import Number, number
from detent.foundation.names import did_you_mean, with_article
from detent.geometry.frame import Exact3, Frame, exact3
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part
from detent.model.editing.operation import (
    AddDrive,
    AddJoint,
    AddMarker,
    AddPart,
    Ground,
    Join,
    MoveMarker,
    Operation,
    PlaceParts,
    Point,
    RemoveDrive,
    RemoveJoint,
    RemoveMarker,
    RemovePart,
    SetNumber,
    ToggleJoint,
)
from detent.model.editing.repose import with_poses
from detent.model.machine.graph import part_of, parts_of
from detent.model.machine.placed import place
from detent.model.machine.poses import marker_frame

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_GROUND = "ground"


def edited(mechanism: Mechanism, operation: Operation) -> Mechanism:
    """The document after an operation, as drawn; ModelError where it makes no sense."""
    made: Mechanism = _DO[type(operation)](mechanism, operation)
    return made


def letter(taken: Mapping[str, Any]) -> str:
    """A, B, ..., Z, A2, ...: the first that is free."""
    return next(
        name for turn in count(1) for c in _LETTERS if (name := c if turn == 1 else f"{c}{turn}") not in taken
    )


def _add_part(made: Mechanism, operation: AddPart) -> Mechanism:
    return _added(made, "parts", operation.name, operation.part)


def _remove_part(made: Mechanism, operation: RemovePart) -> Mechanism:
    name = operation.name
    _known(name, made.parts, "parts", "part")
    for joint, pair in made.joints.items():
        if name in parts_of(pair):
            made = _without_joint(made, joint)
    drives = {
        key: drive
        for key, drive in made.drives.items()
        if drive.part != name and (drive.marker is None or part_of(drive.marker) != name)
    }
    parts = {key: part for key, part in made.parts.items() if key != name}
    return replace(_untouched(made, name), parts=parts, drives=drives)


def _untouched(made: Mechanism, name: str) -> Mechanism:
    if made.touching is None:
        return made
    touching = replace(
        made.touching,
        ignore=tuple(pair for pair in made.touching.ignore if name not in pair.split(":")),
        pairs={pair: given for pair, given in made.touching.pairs.items() if name not in pair.split(":")},
    )
    return replace(made, touching=touching)


def _add_marker(made: Mechanism, operation: AddMarker) -> Mechanism:
    name, marker = _split(made, operation.marker)
    if marker in made.parts[name].markers:
        raise ModelError.at(f"parts.{name}.markers.{marker}", "is already there", "choose another name")
    return _with_marker(made, name, marker, _point(operation.at))


def _remove_marker(made: Mechanism, operation: RemoveMarker) -> Mechanism:
    name, marker = _split(made, operation.marker)
    part = made.parts[name]
    _known(marker, part.markers, f"parts.{name}.markers", "marker")
    for joint, pair in made.joints.items():
        if operation.marker in pair.between:
            made = _without_joint(made, joint)
    drives = {key: drive for key, drive in made.drives.items() if drive.marker != operation.marker}
    markers = {key: value for key, value in part.markers.items() if key != marker}
    return replace(made, parts={**made.parts, name: replace(part, markers=markers)}, drives=drives)


def _move_marker(made: Mechanism, operation: MoveMarker) -> Mechanism:
    name, marker = _split(made, operation.marker)
    _known(marker, made.parts[name].markers, f"parts.{name}.markers", "marker")
    given, at = made.parts[name].markers[marker], _point(operation.at)
    return _with_marker(made, name, marker, replace(given, at=at) if isinstance(given, Marker) else at)


def _add_joint(made: Mechanism, operation: AddJoint) -> Mechanism:
    return _added(made, "joints", operation.name, operation.joint)


def _remove_joint(made: Mechanism, operation: RemoveJoint) -> Mechanism:
    _known(operation.name, made.joints, "joints", "joint")
    return _without_joint(made, operation.name)


def _toggle_joint(made: Mechanism, operation: ToggleJoint) -> Mechanism:
    name = operation.name
    _known(name, made.joints, "joints", "joint")
    joint = made.joints[name]
    if joint.type not in ("revolute", "prismatic"):
        raise ModelError.at(
            f"joints.{name}.type",
            f"{with_article(joint.type)} joint has no other form",
            "add a joint of another type",
        )
    type_: Literal["revolute", "prismatic"] = "prismatic" if joint.type == "revolute" else "revolute"
    # What is said of a turn means nothing on a slide: drives, limits, springs and starts go.
    made = _relieved(made, name)
    plain = replace(joint, type=type_, limits=None, spring=None, damping=None)
    made = replace(made, joints={**made.joints, name: plain})
    return made if type_ == "revolute" else _lined_up(made, joint)


def _lined_up(made: Mechanism, joint: Joint) -> Mechanism:
    """The second marker looks where the first one does, as drawn."""
    first, second = joint.between
    if "." not in first or "." not in second:
        return made
    poses = place(made).known
    here = poses[part_of(first)] @ marker_frame(made, first)
    name, marker = _split(made, second)
    along = poses[name].inverse().direct(here.direct(exact3((Number(1), Number(0)))))
    given = made.parts[name].markers[marker]
    at = given.at if isinstance(given, Marker) else given
    return _with_marker(made, name, marker, Marker(at=at, along=_rounded(along)))


def _join(made: Mechanism, operation: Join) -> Mechanism:
    for i, end in enumerate((operation.first, operation.second)):
        name, marker = _split(made, end)
        _known(marker, made.parts[name].markers, f"between.{i}", "marker")
    if part_of(operation.first) == part_of(operation.second):
        raise ModelError.at(
            operation.second, f"is on the same part as {operation.first}", "join markers of two parts"
        )
    joint = Joint(type=operation.type, between=(operation.first, operation.second))
    return _added(made, "joints", operation.name or letter(made.joints), joint)


def _ground(made: Mechanism, operation: Ground) -> Mechanism:
    name, marker = _split(made, operation.marker)
    _known(marker, made.parts[name].markers, f"parts.{name}.markers", "marker")
    if made.parts[name].fixed:
        raise ModelError.at(f"parts.{name}", "is fixed already", "ground a marker of a moving part")
    base = next((key for key, part in made.parts.items() if part.fixed), "")
    if not base:
        base = next(key for k in count(1) if (key := _GROUND + str(k)[k == 1 :]) not in made.parts)
        made = replace(made, parts={**made.parts, base: Part(fixed=True)})
    poses = place(made).known
    own = letter(made.parts[base].markers)
    at = poses[base].inverse().apply(_place(made, poses, operation.marker))
    made = _with_marker(made, base, own, _rounded(at))
    joint = Joint(type="revolute", between=(f"{base}.{own}", operation.marker))
    return _added(made, "joints", letter(made.joints), joint)


def _rounded(point: Exact3) -> tuple[Number, ...]:
    """As doubles: the rational that stands for a turn's cosine has hundreds of digits."""
    return tuple(number(float(c)) for c in point[:2])


def _place(made: Mechanism, poses: Mapping[str, Frame], marker: str) -> Exact3:
    return (poses[part_of(marker)] @ marker_frame(made, marker)).origin


def _add_drive(made: Mechanism, operation: AddDrive) -> Mechanism:
    return _added(made, "drives", operation.name, operation.drive)


def _remove_drive(made: Mechanism, operation: RemoveDrive) -> Mechanism:
    _known(operation.name, made.drives, "drives", "drive")
    return replace(made, drives={key: d for key, d in made.drives.items() if key != operation.name})


def _set_number(made: Mechanism, operation: SetNumber) -> Mechanism:
    try:
        value = number(operation.value)
    except ValueError as problem:
        raise ModelError.at(operation.path, str(problem), "give a number") from None
    put: Mechanism = _replaced(made, operation.path.split("."), value, operation.path)
    return put


def _replaced(value: Any, keys: list[str], new: Number, path: str) -> Any:
    """The same value with another number at a path."""
    if not keys:
        if isinstance(value, bool) or not isinstance(value, Number | int):
            raise ModelError.at(path, "is not a number here", "name the path of a number that stands there")
        if isinstance(value, Number):
            return new
        if new.denominator != 1:
            raise ModelError.at(path, "must be a whole number", "give one")
        return int(new)
    key, rest = keys[0], keys[1:]
    if isinstance(value, msgspec.Struct):
        field = f"{key}_" if key in ("from", "for") else key
        _known(field, dict.fromkeys(value.__struct_fields__, 0), path, "key")
        return replace(value, **{field: _replaced(getattr(value, field), rest, new, path)})
    if isinstance(value, dict):
        _known(key, value, path, "entry")
        return {**value, key: _replaced(value[key], rest, new, path)}
    if isinstance(value, tuple) and key.isdigit() and int(key) < len(value):
        at = int(key)
        return (*value[:at], _replaced(value[at], rest, new, path), *value[at + 1 :])
    raise ModelError.at(path, f"there is no {key!r} on the way", "name the path of a number")


def _place_parts(made: Mechanism, operation: PlaceParts) -> Mechanism:
    start = {
        name: replace(given, at=None, at_deg=None)
        for name, given in made.start.items()
        if given.speed is not None or given.speed_deg is not None
    }
    return replace(with_poses(made, operation.poses), start=start)


def _added(made: Mechanism, table: str, name: str, value: Any) -> Mechanism:
    entries = getattr(made, table)
    if name in entries:
        raise ModelError.at(f"{table}.{name}", "is already there", "choose another name")
    return replace(made, **{table: {**entries, name: value}})


def _without_joint(made: Mechanism, name: str) -> Mechanism:
    """Without a joint and what hangs on it."""
    joints = {key: pair for key, pair in made.joints.items() if key != name}
    return replace(_relieved(made, name), joints=joints)


def _relieved(made: Mechanism, name: str) -> Mechanism:
    """Without what hangs on a joint: its drives and its start."""
    return replace(
        made,
        drives={key: drive for key, drive in made.drives.items() if drive.joint != name},
        start={key: start for key, start in made.start.items() if key != name},
    )


def _with_marker(made: Mechanism, name: str, marker: str, value: Any) -> Mechanism:
    part = made.parts[name]
    return replace(made, parts={**made.parts, name: replace(part, markers={**part.markers, marker: value})})


def _split(made: Mechanism, marker: str) -> tuple[str, str]:
    name, dot, own = marker.partition(".")
    _known(name, made.parts, "parts", "part")
    if not dot:
        raise ModelError.at(marker, "names a part, not a marker", "write part.marker")
    return name, own


def _point(at: Point) -> tuple[Number, ...]:
    try:
        made = tuple(number(c) for c in at)
    except ValueError as problem:
        raise ModelError.at("at", str(problem), "give a point of two numbers") from None
    if len(made) not in (2, 3):
        raise ModelError.at("at", f"a point of {len(made)} numbers", "give two")
    return made


def _known(name: str, table: Mapping[str, Any], at: str, noun: str) -> None:
    if name not in table:
        raise ModelError.at(f"{at}.{name}", f"there is no {noun} {name!r}", did_you_mean(name, table))


_DO: dict[type, Callable[[Mechanism, Any], Mechanism]] = {
    AddPart: _add_part,
    RemovePart: _remove_part,
    AddMarker: _add_marker,
    RemoveMarker: _remove_marker,
    MoveMarker: _move_marker,
    AddJoint: _add_joint,
    RemoveJoint: _remove_joint,
    ToggleJoint: _toggle_joint,
    Join: _join,
    Ground: _ground,
    AddDrive: _add_drive,
    RemoveDrive: _remove_drive,
    SetNumber: _set_number,
    PlaceParts: _place_parts,
}
