"""Names that are free, and every place of a document where a part, marker, joint or drive is named.

    renamed(mechanism, Naming(parts={"crank": "arm"}))      # wherever it is named
    renamed(mechanism, Naming(parts={"crank": None}))       # gone, with all that depends on it

What names something that goes, goes too: joints of a part, drives and starts of a
joint, loads on a marker, touching pairs, contacts, varied paths. A part that stood
on a marker that goes stays where it was.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any, TypeVar

from msgspec.structs import replace

from detent.model.document.ask import Ask, Study
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Part, Pose
from detent.model.document.touch import Touching
from detent.model.editing.placing import world_pose
from detent.model.machine.starts import free_part, joints_meant

T = TypeVar("T")
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Names = Mapping[str, str | None]


def letter(names: Mapping[str, Any]) -> str:
    """A, B, ..., Z, A2, ...: the first that is free."""
    return next(name for k in count(1) for c in _LETTERS if (name := c if k == 1 else f"{c}{k}") not in names)


def fresh(stem: str, names: Mapping[str, Any]) -> str:
    """link, link2, ...: the first that is free."""
    return next(name for k in count(1) if (name := stem if k == 1 else f"{stem}{k}") not in names)


@dataclass(frozen=True)
class Naming:
    """The new names by the old ones, markers as part.marker; None: it goes. Others stay."""

    parts: Names = field(default_factory=dict)
    markers: Names = field(default_factory=dict)
    joints: Names = field(default_factory=dict)
    drives: Names = field(default_factory=dict)

    def part(self, name: str) -> str | None:
        return self.parts.get(name, name)

    def joint(self, name: str) -> str | None:
        return self.joints.get(name, name)

    def drive(self, name: str) -> str | None:
        return self.drives.get(name, name)

    def end(self, ref: str) -> str | None:
        """A part or a marker of one, as part.marker."""
        name, dot, _ = ref.partition(".")
        part, marker = self.part(name), self.markers.get(ref, ref)
        if part is None or marker is None:
            return None
        return f"{part}.{marker.partition('.')[2]}" if dot else part

    def pair(self, pair: str) -> str | None:
        """Two parts, as part:part."""
        names = [self.part(name) for name in pair.split(":")]
        return None if None in names else ":".join(map(str, names))


def renamed(mechanism: Mechanism, naming: Naming) -> Mechanism:
    """The document under the new names."""
    naming = _with_dependents(mechanism, naming)
    kept = [i for i, c in enumerate(mechanism.contacts) if None not in map(naming.part, c.between)]
    return replace(
        mechanism,
        parts=_parts(mechanism, naming),
        joints={
            key: replace(joint, between=tuple(map(naming.end, joint.between)))
            for key, joint in _table(mechanism.joints, naming.joint).items()
        },
        drives={key: _drive(drive, naming) for key, drive in _table(mechanism.drives, naming.drive).items()},
        start=_table(mechanism.start, partial(_started, mechanism, naming)),
        touching=mechanism.touching and _touching(mechanism.touching, naming),
        contacts=tuple(
            replace(contact, between=tuple(map(naming.part, contact.between)))
            for contact in (mechanism.contacts[i] for i in kept)
        ),
        ask=mechanism.ask and _ask(mechanism.ask, naming),
        study=mechanism.study and _study(mechanism.study, naming, kept),
        view=_view(mechanism.view, naming),
    )


def _started(mechanism: Mechanism, naming: Naming, key: str) -> str | None:
    """A joint, or two parts; it goes with the joint that it means. A coordinate goes with its part."""
    if (free := free_part(key)) is not None:
        part = naming.part(free[0])
        return None if part is None else f"{part}.{free[1]}"
    goes = any(naming.joint(name) is None for name in joints_meant(mechanism, key))
    return None if goes else naming.pair(key) if ":" in key else naming.joint(key)


def _with_dependents(mechanism: Mechanism, naming: Naming) -> Naming:
    """Joints of what goes go, then drives of what goes."""
    joints = {**naming.joints}
    for key, joint in mechanism.joints.items():
        if None in map(naming.end, joint.between):
            joints[key] = None
    naming = Naming(naming.parts, naming.markers, joints, naming.drives)
    drives = {**naming.drives}
    for key, drive in mechanism.drives.items():
        named = (
            naming.joint(drive.joint or ""),
            naming.part(drive.part or ""),
            naming.end(drive.marker or ""),
        )
        if None in named:
            drives[key] = None
    return Naming(naming.parts, naming.markers, joints, drives)


def _table(table: Mapping[str, T], name: Any) -> dict[str, T]:
    """A table under new keys, in its order."""
    return {key: value for old, value in table.items() if (key := name(old)) is not None}


def _parts(mechanism: Mechanism, naming: Naming) -> dict[str, Part]:
    parts: dict[str, Part] = {}
    for old, part in mechanism.parts.items():
        name = naming.part(old)
        if name is None:
            continue
        markers = {
            end.partition(".")[2]: value
            for key, value in part.markers.items()
            if (end := naming.end(f"{old}.{key}")) is not None
        }
        parts[name] = replace(part, markers=markers, pose=_pose(mechanism, old, naming))
    return parts


def _pose(mechanism: Mechanism, name: str, naming: Naming) -> Pose | None:
    pose = mechanism.parts[name].pose
    if pose is None or pose.on is None:
        return pose
    on = naming.end(pose.on)
    if on is not None:
        return replace(pose, on=on)
    return world_pose(mechanism, name)


def _drive(drive: Drive, naming: Naming) -> Drive:
    return replace(
        drive,
        joint=drive.joint and naming.joint(drive.joint),
        part=drive.part and naming.part(drive.part),
        marker=drive.marker and naming.end(drive.marker),
    )


def _touching(touching: Touching, naming: Naming) -> Touching:
    ignore = [naming.pair(pair) for pair in touching.ignore]
    return replace(
        touching,
        ignore=tuple(pair for pair in ignore if pair is not None),
        pairs=_table(touching.pairs, naming.pair),
    )


def _ask(ask: Ask, naming: Naming) -> Ask:
    move, modes = ask.move, ask.modes
    if move is not None:
        move = replace(move, loads=_table(move.loads, naming.end))
    if modes is not None:
        modes = replace(
            modes,
            load=None if modes.load is None else _table(modes.load, naming.part),
            velocity=_table(modes.velocity, naming.part),
        )
    return replace(ask, move=move, modes=modes)


def _study(study: Study, naming: Naming, contacts: list[int]) -> Study:
    return replace(study, vary=_table(study.vary, lambda path: _path(path, naming, contacts)))


def _path(path: str, naming: Naming, contacts: list[int]) -> str | None:
    """A path in the document, as a study varies it."""
    for head, name in (
        ("joints.", naming.joint),
        ("start.", naming.joint),
        ("drives.", naming.drive),
        ("touching.pairs.", naming.pair),
        ("ask.modes.load.", naming.part),
        ("ask.modes.velocity.", naming.part),
    ):
        if path.startswith(head):
            key, dot, rest = path.removeprefix(head).partition(".")
            new = name(key)
            return None if new is None else f"{head}{new}{dot}{rest}"
    keys = path.split(".")
    if keys[0] == "parts" and len(keys) > 1:
        marked = len(keys) > 3 and keys[2] == "markers"
        end = naming.end(f"{keys[1]}.{keys[3]}" if marked else keys[1])
        if end is None:
            return None
        name_, _, marker = end.partition(".")
        return ".".join(["parts", name_, *(["markers", marker, *keys[4:]] if marked else keys[2:])])
    if keys[:3] == ["ask", "move", "loads"] and len(keys) > 4:
        end = naming.end(f"{keys[3]}.{keys[4]}")
        return None if end is None else ".".join(["ask.move.loads", end, *keys[5:]])
    if keys[0] == "contacts" and len(keys) > 1 and keys[1].isdigit():
        at = int(keys[1])
        return ".".join(["contacts", str(contacts.index(at)), *keys[2:]]) if at in contacts else None
    return path


def _view(view: Mapping[str, Any], naming: Naming) -> dict[str, Any]:
    """The points whose curves an editor draws; the rest of a view names nothing."""
    traces = view.get("traces")
    if not isinstance(traces, tuple):
        return dict(view)
    ends = [naming.end(ref) if isinstance(ref, str) else ref for ref in traces]
    return {**view, "traces": tuple(ref for ref in ends if ref is not None)}
