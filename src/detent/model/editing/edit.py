"""What each small operation of an editor makes of a document.

Nothing is solved here: `motion.edit` applies operations in the solved state and
gives the inverse. What is removed takes along what depends on it
(`naming`): joints of a part, drives and starts of a joint, loads on a marker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnknownNameError, UnsupportedError
from detent.foundation.exact import Number, number
from detent.foundation.names import RULE, clipped, did_you_mean, is_name, with_article
from detent.geometry.frame import AXES, Exact3, Frame, exact3
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Part
from detent.model.editing.arguments import refuse_other
from detent.model.editing.naming import Naming, fresh, letter, renamed
from detent.model.editing.numbers import set_number
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
    SetUnits,
    ToggleJoint,
)
from detent.model.editing.paste import pasted
from detent.model.editing.placing import drawn_frame, rounded, world_pose
from detent.model.editing.posing import with_poses
from detent.model.editing.units import in_units
from detent.model.machine.graph import GROUND, part_of
from detent.model.machine.placed import place
from detent.model.machine.poses import marker_frame
from detent.model.machine.starts import joints_meant


def edited(mechanism: Mechanism, operation: Operation) -> Mechanism:
    """The document after an operation, as drawn; ModelError where it makes no sense."""
    refuse_other(operation)
    result: Mechanism = _DO[type(operation)](mechanism, operation)
    return result


def _add_part(mechanism: Mechanism, operation: AddPart) -> Mechanism:
    return _with_entry(mechanism, "parts", operation.name, operation.part)


def _remove_part(mechanism: Mechanism, operation: RemovePart) -> Mechanism:
    _known(operation.name, mechanism.parts, "parts", "part")
    return renamed(mechanism, Naming(parts={operation.name: None}))


def _add_marker(mechanism: Mechanism, operation: AddMarker) -> Mechanism:
    name, marker = _split(mechanism, operation.marker)
    if marker in mechanism.parts[name].markers:
        raise ModelError.at(f"parts.{name}.markers.{marker}", "is already there", "choose another name")
    return _with_marker(mechanism, name, marker, _point(operation.at))


def _remove_marker(mechanism: Mechanism, operation: RemoveMarker) -> Mechanism:
    name, marker = _split(mechanism, operation.marker)
    _known(marker, mechanism.parts[name].markers, f"parts.{name}.markers", "marker")
    return renamed(mechanism, Naming(markers={operation.marker: None}))


def _move_marker(mechanism: Mechanism, operation: MoveMarker) -> Mechanism:
    name, marker = _split(mechanism, operation.marker)
    _known(marker, mechanism.parts[name].markers, f"parts.{name}.markers", "marker")
    before, at = mechanism.parts[name].markers[marker], _point(operation.at)
    return _with_marker(mechanism, name, marker, replace(before, at=at) if isinstance(before, Marker) else at)


def _add_joint(mechanism: Mechanism, operation: AddJoint) -> Mechanism:
    return _with_entry(mechanism, "joints", operation.name, operation.joint)


def _remove_joint(mechanism: Mechanism, operation: RemoveJoint) -> Mechanism:
    _known(operation.name, mechanism.joints, "joints", "joint")
    return renamed(mechanism, Naming(joints={operation.name: None}))


def _toggle_joint(mechanism: Mechanism, operation: ToggleJoint) -> Mechanism:
    name = operation.name
    _known(name, mechanism.joints, "joints", "joint")
    joint = mechanism.joints[name]
    if joint.type not in ("revolute", "prismatic", "in_line"):
        raise ModelError.at(
            f"joints.{name}.type",
            f"{with_article(joint.type)} joint has no other form",
            "add a joint of another type",
        )
    if mechanism.dimension != 2 and "in_line" in (joint.type, operation.to):
        raise UnsupportedError("a pin in a slot is of the plane", "choose another type", at=f"joints.{name}")
    type_ = operation.to or ("prismatic" if joint.type == "revolute" else "revolute")
    if type_ == joint.type:
        return mechanism
    # What is said of an angle means nothing on a slide: drives, limits, springs and starts go.
    mechanism = _without_coordinate_settings(mechanism, name)
    plain = replace(joint, type=type_, limits=None, spring=None, damping=None, friction=None)
    if mechanism.dimension == 2:
        plain = replace(plain, along=None)  # in the plane the line of a slide, which a pin has not
    mechanism = replace(mechanism, joints={**mechanism.joints, name: plain})
    return mechanism if type_ == "revolute" else _with_ends_aligned(mechanism, name, operation.along)


def _with_ends_aligned(mechanism: Mechanism, name: str, along: Point | None) -> Mechanism:
    """Both ends look along a direction of the world, or the second where the first does, as drawn."""
    joint = mechanism.joints[name]
    line = None if along is None else _point(along, "along")
    if any("." not in end for end in joint.between):
        if line is None:
            return mechanism
        return replace(mechanism, joints={**mechanism.joints, name: replace(joint, along=line)})
    poses = place(mechanism).known
    first = joint.between[0]
    if line is None and joint.type == "in_line":
        return mechanism  # its line is the first marker's, whatever the second looks like
    if line is None:
        frame = drawn_frame(poses, part_of(first)) @ marker_frame(mechanism, first)
        return _with_marker_directed(mechanism, poses, joint.between[1], frame.direct(AXES["x"]))
    for end in joint.between[:1] if joint.type == "in_line" else joint.between:
        mechanism = _with_marker_directed(mechanism, poses, end, exact3(line))
    return mechanism


def _with_marker_directed(
    mechanism: Mechanism, poses: Mapping[str, Frame], end: str, direction: Exact3
) -> Mechanism:
    """A marker looks along a direction of the world; what is placed on it stays where it was."""
    name, marker = _split(mechanism, end)
    on_it = [key for key, part in mechanism.parts.items() if part.pose is not None and part.pose.on == end]
    in_world = {key: replace(mechanism.parts[key], pose=world_pose(mechanism, key)) for key in on_it}
    mechanism = replace(mechanism, parts={**mechanism.parts, **in_world})
    _known(marker, mechanism.parts[name].markers, f"parts.{name}.markers", "marker")
    along = rounded(drawn_frame(poses, name).inverse().direct(direction))
    before = mechanism.parts[name].markers[marker]
    at = before.at if isinstance(before, Marker) else before
    return _with_marker(mechanism, name, marker, Marker(at=at, along=along))


def _join(mechanism: Mechanism, operation: Join) -> Mechanism:
    for i, end in enumerate((operation.first, operation.second)):
        name, marker = _split(mechanism, end)
        _known(marker, mechanism.parts[name].markers, f"between.{i}", "marker")
    if part_of(operation.first) == part_of(operation.second):
        raise ModelError.at(
            operation.second, f"is on the same part as {operation.first}", "join markers of two parts"
        )
    joint = Joint(type=operation.type, between=(operation.first, operation.second))
    return _with_entry(mechanism, "joints", operation.name or letter(mechanism.joints), joint)


def _ground(mechanism: Mechanism, operation: Ground) -> Mechanism:
    name, marker = _split(mechanism, operation.marker)
    _known(marker, mechanism.parts[name].markers, f"parts.{name}.markers", "marker")
    if mechanism.parts[name].fixed:
        raise ModelError.at(f"parts.{name}", "is fixed already", "ground a marker of a moving part")
    base = next((key for key, part in mechanism.parts.items() if part.fixed), "")
    if not base:
        base = fresh(GROUND, mechanism.parts)
        mechanism = replace(mechanism, parts={**mechanism.parts, base: Part(fixed=True)})
    poses = place(mechanism).known
    anchor = letter(mechanism.parts[base].markers)
    at = drawn_frame(poses, base).inverse().apply(_position(mechanism, poses, operation.marker))
    mechanism = _with_marker(mechanism, base, anchor, rounded(at))
    joint = Joint(type="revolute", between=(f"{base}.{anchor}", operation.marker))
    return _with_entry(mechanism, "joints", letter(mechanism.joints), joint)


def _position(mechanism: Mechanism, poses: Mapping[str, Frame], marker: str) -> Exact3:
    return (drawn_frame(poses, part_of(marker)) @ marker_frame(mechanism, marker)).origin


def _rename(mechanism: Mechanism, operation: Rename) -> Mechanism:
    table, key = _at_path(mechanism, operation.path)
    to = operation.to
    if not is_name(to):
        raise ModelError.at(operation.path, f"{clipped(to)!r} is not a name", RULE)
    siblings: Mapping[str, Any] = (
        getattr(mechanism, table) if table != "markers" else mechanism.parts[part_of(key)].markers
    )
    if to == operation.path.rpartition(".")[2]:
        return mechanism
    if to in siblings:
        raise ModelError.at(
            operation.path, f"there is a {table.removesuffix('s')} {to!r} already", "choose another name"
        )
    return renamed(mechanism, Naming(**{table: {key: f"{part_of(key)}.{to}" if table == "markers" else to}}))


def _remove(mechanism: Mechanism, operation: Remove) -> Mechanism:
    gone: dict[str, dict[str, None]] = {table: {} for table in _BY_PATH}
    for path in operation.paths:
        table, key = _at_path(mechanism, path)
        gone[table][key] = None
    for name in {part_of(marker) for marker in gone["markers"]}:
        part = mechanism.parts[name]
        left = [key for key in part.markers if f"{name}.{key}" not in gone["markers"]]
        if len(left) < 2 and not (part.fixed or part.shape or part.library):
            gone["parts"][name] = None
    return _without_loose_ground(renamed(mechanism, Naming(**gone)))


def _without_loose_ground(mechanism: Mechanism) -> Mechanism:
    """Without markers of a bare `ground` that nothing names, and without it where none is left."""
    part = mechanism.parts.get(GROUND)
    if part is None or not part.fixed or part.shape or part.library:
        return mechanism
    named = {end for joint in mechanism.joints.values() for end in joint.between}
    named |= {body.pose.on for body in mechanism.parts.values() if body.pose is not None and body.pose.on}
    named |= (
        set(mechanism.ask.move.loads)
        if mechanism.ask is not None and mechanism.ask.move is not None
        else set()
    )
    loose = {end: None for key in part.markers if (end := f"{GROUND}.{key}") not in named}
    if len(loose) == len(part.markers) and GROUND not in named:
        return renamed(mechanism, Naming(parts={GROUND: None}))
    return renamed(mechanism, Naming(markers=loose))


_BY_PATH = ("parts", "markers", "joints", "drives")


def _at_path(mechanism: Mechanism, path: str) -> tuple[str, str]:
    """What a path names: the table, and the key in it, of a marker as part.marker."""
    keys = path.split(".")
    if len(keys) == 4 and keys[0] == "parts" and keys[2] == "markers":
        _known(keys[1], mechanism.parts, "parts", "part")
        _known(keys[3], mechanism.parts[keys[1]].markers, f"parts.{keys[1]}.markers", "marker")
        return "markers", f"{keys[1]}.{keys[3]}"
    if len(keys) != 2 or keys[0] not in ("parts", "joints", "drives"):
        remedy = "write parts.NAME, parts.NAME.markers.NAME, joints.NAME or drives.NAME"
        raise ModelError.at(clipped(path), "names no part, marker, joint or drive", remedy)
    _known(keys[1], getattr(mechanism, keys[0]), keys[0], keys[0].removesuffix("s"))
    return keys[0], keys[1]


def _paste(mechanism: Mechanism, operation: Paste) -> Mechanism:
    source = mechanism if operation.source is None else operation.source
    for name in operation.parts:
        _known(name, source.parts, "parts", "part")
    return pasted(mechanism, source, operation.parts, _point(operation.by, "by"))


def _add_drive(mechanism: Mechanism, operation: AddDrive) -> Mechanism:
    return _with_entry(mechanism, "drives", operation.name, operation.drive)


def _remove_drive(mechanism: Mechanism, operation: RemoveDrive) -> Mechanism:
    _known(operation.name, mechanism.drives, "drives", "drive")
    return renamed(mechanism, Naming(drives={operation.name: None}))


def _place_parts(mechanism: Mechanism, operation: PlaceParts) -> Mechanism:
    start = {
        name: replace(entry, at=None, at_deg=None)
        for name, entry in mechanism.start.items()
        if entry.speed is not None or entry.speed_deg is not None
    }
    gone = tuple(f"start.{name}." + ("at" if name in start else "") for name in mechanism.start)
    return _not_varied(replace(with_poses(mechanism, operation.poses), start=start), gone)


def _with_entry(mechanism: Mechanism, table: str, name: str, value: Any) -> Mechanism:
    entries = getattr(mechanism, table)
    if name in entries:
        raise ModelError.at(f"{table}.{name}", "is already there", "choose another name")
    return replace(mechanism, **{table: {**entries, name: value}})


def _without_coordinate_settings(mechanism: Mechanism, name: str) -> Mechanism:
    """Without what is said of a joint's coordinate: drives, the start, varied limits and springs."""
    driven = {key: None for key, drive in mechanism.drives.items() if drive.joint == name}
    mechanism = renamed(mechanism, Naming(drives=driven))
    said = (
        f"start.{name}.",
        *(f"joints.{name}.{key}" for key in ("limits", "spring", "damping", "friction")),
    )
    start = {key: start for key, start in mechanism.start.items() if name not in joints_meant(mechanism, key)}
    return _not_varied(replace(mechanism, start=start), said)


def _not_varied(mechanism: Mechanism, paths: tuple[str, ...]) -> Mechanism:
    """Without what a study says of paths that begin so."""
    if mechanism.study is None:
        return mechanism
    vary = {path: value for path, value in mechanism.study.vary.items() if not path.startswith(paths)}
    return replace(mechanism, study=replace(mechanism.study, vary=vary))


def _with_marker(mechanism: Mechanism, name: str, marker: str, value: Any) -> Mechanism:
    part = mechanism.parts[name]
    return replace(
        mechanism, parts={**mechanism.parts, name: replace(part, markers={**part.markers, marker: value})}
    )


def _split(mechanism: Mechanism, marker: str) -> tuple[str, str]:
    name, dot, point = marker.partition(".")
    _known(name, mechanism.parts, "parts", "part")
    if not dot:
        raise ModelError.at(marker, "names a part, not a marker", "write part.marker")
    return name, point


def _point(at: Point, key: str = "at") -> tuple[Number, ...]:
    try:
        point = tuple(number(c) for c in at)
    except ValueError as problem:
        raise ModelError.at(key, str(problem), "give a point of two numbers") from None
    if len(point) not in (2, 3):
        raise ModelError.at(key, f"a point of {len(point)} numbers", "give two")
    return point


def _known(name: str, table: Mapping[str, Any], at: str, noun: str) -> None:
    if name not in table:
        raise UnknownNameError.at(f"{at}.{name}", f"there is no {noun} {name!r}", did_you_mean(name, table))


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
    SetNumber: set_number,
    SetUnits: in_units,
    PlaceParts: _place_parts,
}
