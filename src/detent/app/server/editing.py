"""Operations of the page's hand: plain data becomes `model.editing`, and the document comes back.

Nothing is solved: the parts stay where they are drawn. What must be solved (closing
a loop, pulling two points together) is in `grabbing`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detent.app.server.message import text_of
from detent.foundation.errors import ModelError
from detent.foundation.names import clipped, did_you_mean
from detent.foundation.units import METRES
from detent.model.document.drive import Drive
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Part
from detent.model.editing.edit import edited
from detent.model.editing.operation import (
    AddDrive,
    AddMarker,
    AddPart,
    Ground,
    Join,
    Operation,
    Paste,
    PlaceParts,
    Point,
    Remove,
    RemoveJoint,
    Rename,
    SetUnits,
    ToggleJoint,
)
from detent.model.reading import convert

Plain = dict[str, Any]
_KEEP = ("size", "numbers")


def apply(operations: object, mechanism: Mechanism) -> Plain:
    """The document after operations, one after the other; sound, or the problem and nothing done."""
    if not isinstance(operations, list) or not operations:
        raise ModelError.at("operations", "expected a list of operations", 'give [{"do": …}, …]')
    for asked in operations:
        mechanism = edited(mechanism, _operation(asked))
    convert.checked(mechanism)
    return {"document": convert.plain(mechanism)}


def _operation(asked: object) -> Operation:
    if not isinstance(asked, dict):
        raise ModelError.at("operations", "expected a table", 'give {"do": …}')
    name = text_of(asked, "do")
    if name not in OPERATIONS:
        remedy = did_you_mean(name, OPERATIONS)
        raise ModelError.at("operations", f"there is no operation {clipped(name, 40)!r}", remedy)
    return OPERATIONS[name](asked)


def _paste(asked: Plain) -> Paste:
    source = convert.mechanism(asked["from"]) if isinstance(asked.get("from"), dict) else None
    return Paste(_texts(asked, "parts"), _point(asked, "by"), source)


def _place(asked: Plain) -> PlaceParts:
    poses = asked.get("poses")
    if not isinstance(poses, dict):
        raise ModelError.at("poses", "expected a table of parts", "give {part: [x, y, angle]}")
    return PlaceParts(poses)


def _toggle(asked: Plain) -> ToggleJoint:
    along = None if asked.get("along") is None else _point(asked, "along")
    to = asked.get("to")
    if to not in (None, "revolute", "prismatic", "in_line"):
        raise ModelError.at("to", "is not a form of a joint", "give revolute, prismatic or in_line")
    return ToggleJoint(text_of(asked, "joint"), along, to)


OPERATIONS: dict[str, Callable[[Plain], Operation]] = {
    "add_part": lambda asked: AddPart(
        text_of(asked, "name"), convert.table(asked.get("part"), Part, f"parts.{text_of(asked, 'name')}")
    ),
    "add_marker": lambda asked: AddMarker(text_of(asked, "marker"), _point(asked, "at")),
    "join": lambda asked: Join(text_of(asked, "first"), text_of(asked, "second")),
    "ground": lambda asked: Ground(text_of(asked, "marker")),
    "toggle": _toggle,
    "detach": lambda asked: RemoveJoint(text_of(asked, "joint")),
    "drive": lambda asked: AddDrive(
        text_of(asked, "name"), convert.table(asked.get("drive"), Drive, f"drives.{text_of(asked, 'name')}")
    ),
    "rename": lambda asked: Rename(text_of(asked, "path"), text_of(asked, "to")),
    "remove": lambda asked: Remove(_texts(asked, "paths")),
    "units": lambda asked: SetUnits(_choice(asked, "units", tuple(METRES)), _choice(asked, "keep", _KEEP)),
    "paste": _paste,
    "place": _place,
}


def _choice(asked: Plain, key: str, choices: tuple[str, ...]) -> Any:
    value = text_of(asked, key)
    if value not in choices:
        raise ModelError.at(key, f"{clipped(value, 40)!r} is not one of them", did_you_mean(value, choices))
    return value


def _texts(asked: Plain, key: str) -> tuple[str, ...]:
    values = asked.get(key)
    if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
        raise ModelError.at(key, "expected a list of names", f"give {key!r}")
    return tuple(values)


def _point(asked: Plain, key: str) -> Point:
    values = asked.get(key)
    if not isinstance(values, list) or len(values) not in (2, 3):
        raise ModelError.at(key, "expected a point", "give [x, y]")
    return tuple(values)
