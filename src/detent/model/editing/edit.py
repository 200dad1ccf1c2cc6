"""What each small operation of an editor makes of a document.

Nothing is solved here: `motion.edit` applies operations in the solved state and
gives the inverse. What is removed takes along what cannot stand without it
(`naming`): joints of a part, drives and starts of a joint, loads on a marker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.exact import Number, number
from detent.foundation.names import RULE, clipped, did_you_mean, is_name, with_article
from detent.geometry.frame import AXES, Exact3, Frame, exact3
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part
from detent.model.editing.naming import Naming, fresh, letter, renamed
from detent.model.editing.operation import (
    AddDrive,
    AddJoint,
    AddMarker,
    AddPart,
    Ground,
    Join,
    MoveMarker,
    Operation,
    Paste,
    PlaceParts,
    Point,
    Remove,
    RemoveDrive,
    RemoveJoint,
    RemoveMarker,
    RemovePart,
    Rename,
    SetNumber,
    ToggleJoint,
)
from detent.model.editing.paste import pasted
from detent.model.editing.placing import rounded, world_pose
from detent.model.editing.posing import with_poses
from detent.model.machine.graph import part_of
from detent.model.machine.placed import place
from detent.model.machine.poses import marker_frame

_GROUND = "ground"


def edited(mechanism: Mechanism, operation: Operation) -> Mechanism:
    """The document after an operation, as drawn; ModelError where it makes no sense."""
    made: Mechanism = _DO[type(operation)](mechanism, operation)
    return made


def _add_part(made: Mechanism, operation: AddPart) -> Mechanism:
    return _added(made, "parts", operation.name, operation.part)


def _remove_part(made: Mechanism, operation: RemovePart) -> Mechanism:
    _known(operation.name, made.parts, "parts", "part")
    return renamed(made, Naming(parts={operation.name: None}))


def _add_marker(made: Mechanism, operation: AddMarker) -> Mechanism:
    name, marker = _split(made, operation.marker)
    if marker in made.parts[name].markers:
        raise ModelError.at(f"parts.{name}.markers.{marker}", "is already there", "choose another name")
    return _with_marker(made, name, marker, _point(operation.at))


def _remove_marker(made: Mechanism, operation: RemoveMarker) -> Mechanism:
    name, marker = _split(made, operation.marker)
    _known(marker, made.parts[name].markers, f"parts.{name}.markers", "marker")
    return renamed(made, Naming(markers={operation.marker: None}))


def _move_marker(made: Mechanism, operation: MoveMarker) -> Mechanism:
    name, marker = _split(made, operation.marker)
    _known(marker, made.parts[name].markers, f"parts.{name}.markers", "marker")
    given, at = made.parts[name].markers[marker], _point(operation.at)
    return _with_marker(made, name, marker, replace(given, at=at) if isinstance(given, Marker) else at)


def _add_joint(made: Mechanism, operation: AddJoint) -> Mechanism:
    return _added(made, "joints", operation.name, operation.joint)


def _remove_joint(made: Mechanism, operation: RemoveJoint) -> Mechanism:
    _known(operation.name, made.joints, "joints", "joint")
    return renamed(made, Naming(joints={operation.name: None}))


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
    if made.dimension == 2:
        plain = replace(plain, along=None)  # in the plane the line of a slide, which a pin has not
    made = replace(made, joints={**made.joints, name: plain})
    return made if type_ == "revolute" else _lined_up(made, name, operation.along)


def _lined_up(made: Mechanism, name: str, along: Point | None) -> Mechanism:
    """Both ends look along a direction of the world, or the second where the first does, as drawn."""
    joint = made.joints[name]
    line = None if along is None else _point(along, "along")
    if any("." not in end for end in joint.between):
        if line is None:
            return made
        return replace(made, joints={**made.joints, name: replace(joint, along=line)})
    poses = place(made).known
    first = joint.between[0]
    if line is None:
        here = _drawn(poses, part_of(first)) @ marker_frame(made, first)
        return _directed(made, poses, joint.between[1], here.direct(AXES["x"]))
    for end in joint.between:
        made = _directed(made, poses, end, exact3(line))
    return made


def _directed(made: Mechanism, poses: Mapping[str, Frame], end: str, direction: Exact3) -> Mechanism:
    """A marker looks along a direction of the world; what stands on it stays where it was."""
    name, marker = _split(made, end)
    on_it = [key for key, part in made.parts.items() if part.pose is not None and part.pose.on == end]
    standing = {key: replace(made.parts[key], pose=world_pose(made, key)) for key in on_it}
    made = replace(made, parts={**made.parts, **standing})
    _known(marker, made.parts[name].markers, f"parts.{name}.markers", "marker")
    along = rounded(_drawn(poses, name).inverse().direct(direction))
    given = made.parts[name].markers[marker]
    at = given.at if isinstance(given, Marker) else given
    return _with_marker(made, name, marker, Marker(at=at, along=along))


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
        base = fresh(_GROUND, made.parts)
        made = replace(made, parts={**made.parts, base: Part(fixed=True)})
    poses = place(made).known
    own = letter(made.parts[base].markers)
    at = _drawn(poses, base).inverse().apply(_place(made, poses, operation.marker))
    made = _with_marker(made, base, own, rounded(at))
    joint = Joint(type="revolute", between=(f"{base}.{own}", operation.marker))
    return _added(made, "joints", letter(made.joints), joint)


def _place(made: Mechanism, poses: Mapping[str, Frame], marker: str) -> Exact3:
    return (_drawn(poses, part_of(marker)) @ marker_frame(made, marker)).origin


def _drawn(poses: Mapping[str, Frame], name: str) -> Frame:
    if name not in poses:
        problem = f"where part {name!r} is drawn is known to a library part only"
        raise UnsupportedError(problem, "place it in the world", at=f"parts.{name}.pose.on")
    return poses[name]


def _rename(made: Mechanism, operation: Rename) -> Mechanism:
    table, key = _at_path(made, operation.path)
    to = operation.to
    if not is_name(to):
        raise ModelError.at(operation.path, f"{clipped(to)!r} is not a name", RULE)
    taken: Mapping[str, Any] = (
        getattr(made, table) if table != "markers" else made.parts[part_of(key)].markers
    )
    if to == operation.path.rpartition(".")[2]:
        return made
    if to in taken:
        raise ModelError.at(
            operation.path, f"there is a {table.removesuffix('s')} {to!r} already", "choose another name"
        )
    return renamed(made, Naming(**{table: {key: f"{part_of(key)}.{to}" if table == "markers" else to}}))


def _remove(made: Mechanism, operation: Remove) -> Mechanism:
    gone: dict[str, dict[str, None]] = {table: {} for table in _BY_PATH}
    for path in operation.paths:
        table, key = _at_path(made, path)
        gone[table][key] = None
    for name in {part_of(marker) for marker in gone["markers"]}:
        part = made.parts[name]
        left = [key for key in part.markers if f"{name}.{key}" not in gone["markers"]]
        if len(left) < 2 and not (part.fixed or part.shape or part.library):
            gone["parts"][name] = None
    return _without_loose_ground(renamed(made, Naming(**gone)))


def _without_loose_ground(made: Mechanism) -> Mechanism:
    """Without markers of a bare `ground` that nothing names, and without it where none is left."""
    part = made.parts.get(_GROUND)
    if part is None or not part.fixed or part.shape or part.library:
        return made
    named = {end for joint in made.joints.values() for end in joint.between}
    named |= {body.pose.on for body in made.parts.values() if body.pose is not None and body.pose.on}
    named |= set(made.ask.move.loads) if made.ask is not None and made.ask.move is not None else set()
    loose = {end: None for key in part.markers if (end := f"{_GROUND}.{key}") not in named}
    if len(loose) == len(part.markers) and _GROUND not in named:
        return renamed(made, Naming(parts={_GROUND: None}))
    return renamed(made, Naming(markers=loose))


_BY_PATH = ("parts", "markers", "joints", "drives")


def _at_path(made: Mechanism, path: str) -> tuple[str, str]:
    """What a path names: the table, and the key in it, of a marker as part.marker."""
    keys = path.split(".")
    if len(keys) == 4 and keys[0] == "parts" and keys[2] == "markers":
        _known(keys[1], made.parts, "parts", "part")
        _known(keys[3], made.parts[keys[1]].markers, f"parts.{keys[1]}.markers", "marker")
        return "markers", f"{keys[1]}.{keys[3]}"
    if len(keys) != 2 or keys[0] not in ("parts", "joints", "drives"):
        remedy = "write parts.NAME, parts.NAME.markers.NAME, joints.NAME or drives.NAME"
        raise ModelError.at(clipped(path), "names no part, marker, joint or drive", remedy)
    _known(keys[1], getattr(made, keys[0]), keys[0], keys[0].removesuffix("s"))
    return keys[0], keys[1]


def _paste(made: Mechanism, operation: Paste) -> Mechanism:
    source = made if operation.source is None else operation.source
    for name in operation.parts:
        _known(name, source.parts, "parts", "part")
    return pasted(made, source, operation.parts, _point(operation.by, "by"))


def _add_drive(made: Mechanism, operation: AddDrive) -> Mechanism:
    return _added(made, "drives", operation.name, operation.drive)


def _remove_drive(made: Mechanism, operation: RemoveDrive) -> Mechanism:
    _known(operation.name, made.drives, "drives", "drive")
    return renamed(made, Naming(drives={operation.name: None}))


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
    gone = tuple(f"start.{name}." + ("at" if name in start else "") for name in made.start)
    return _not_varied(replace(with_poses(made, operation.poses), start=start), gone)


def _added(made: Mechanism, table: str, name: str, value: Any) -> Mechanism:
    entries = getattr(made, table)
    if name in entries:
        raise ModelError.at(f"{table}.{name}", "is already there", "choose another name")
    return replace(made, **{table: {**entries, name: value}})


def _relieved(made: Mechanism, name: str) -> Mechanism:
    """Without what is said of a joint's coordinate: drives, the start, varied limits and springs."""
    driven = {key: None for key, drive in made.drives.items() if drive.joint == name}
    made = renamed(made, Naming(drives=driven))
    said = (f"start.{name}.", *(f"joints.{name}.{key}" for key in ("limits", "spring", "damping")))
    start = {key: start for key, start in made.start.items() if key != name}
    return _not_varied(replace(made, start=start), said)


def _not_varied(made: Mechanism, paths: tuple[str, ...]) -> Mechanism:
    """Without what a study says of paths that begin so."""
    if made.study is None:
        return made
    vary = {path: value for path, value in made.study.vary.items() if not path.startswith(paths)}
    return replace(made, study=replace(made.study, vary=vary))


def _with_marker(made: Mechanism, name: str, marker: str, value: Any) -> Mechanism:
    part = made.parts[name]
    return replace(made, parts={**made.parts, name: replace(part, markers={**part.markers, marker: value})})


def _split(made: Mechanism, marker: str) -> tuple[str, str]:
    name, dot, own = marker.partition(".")
    _known(name, made.parts, "parts", "part")
    if not dot:
        raise ModelError.at(marker, "names a part, not a marker", "write part.marker")
    return name, own


def _point(at: Point, key: str = "at") -> tuple[Number, ...]:
    try:
        made = tuple(number(c) for c in at)
    except ValueError as problem:
        raise ModelError.at(key, str(problem), "give a point of two numbers") from None
    if len(made) not in (2, 3):
        raise ModelError.at(key, f"a point of {len(made)} numbers", "give two")
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
    Rename: _rename,
    Remove: _remove,
    Paste: _paste,
    AddDrive: _add_drive,
    RemoveDrive: _remove_drive,
    SetNumber: _set_number,
    PlaceParts: _place_parts,
}
