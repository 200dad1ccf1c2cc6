"""The small operations of an editor, each a frozen value.

    AddPart("rocker", Part(markers={...})), Join("coupler.C", "rocker.C"), SetNumber("joints.A.limits.max", 2)

Places are of the part's own frame. Paths name what is there, as in problems: `parts.crank`,
`parts.crank.markers.B`, `joints.A`, `drives.turn`. `model.editing.edit` says what each makes of a document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from detent.foundation.exact import Number
from detent.model.document.drive import Drive
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism, Units
from detent.model.document.part import Part

Point = tuple[float | int | str | Number, ...]


@dataclass(frozen=True)
class AddPart:
    name: str
    part: Part


@dataclass(frozen=True)
class RemovePart:
    """With its joints, their drives and starts, and what is said of it touching others."""

    name: str


@dataclass(frozen=True)
class AddMarker:
    marker: str  # part.marker
    at: Point


@dataclass(frozen=True)
class RemoveMarker:
    """With the joints on it."""

    marker: str


@dataclass(frozen=True)
class MoveMarker:
    """The part's own measure changes: this is how a length is edited."""

    marker: str
    at: Point


@dataclass(frozen=True)
class AddJoint:
    name: str
    joint: Joint


@dataclass(frozen=True)
class RemoveJoint:
    """With its drives and its start."""

    name: str


@dataclass(frozen=True)
class ToggleJoint:
    """Revolute becomes prismatic and back, or what `to` says; `in_line` is a pin in a slot, which turns too.

    Limits, springs, damping, drives and starts of the other form go. A slide's or a slot's line is
    `along`, a direction of the world, else the first marker's, as drawn.
    """

    name: str
    along: Point | None = None
    to: Literal["revolute", "prismatic", "in_line"] | None = None


@dataclass(frozen=True)
class Join:
    """Pull two markers together and join them; the joint gets the first free letter unless named."""

    first: str
    second: str
    type: Literal["revolute", "prismatic", "fixed", "in_line"] = "revolute"
    name: str = ""


@dataclass(frozen=True)
class Ground:
    """Pin a marker to the fixed part where it is; the first fixed part, or a new `ground`."""

    marker: str


@dataclass(frozen=True)
class Rename:
    """Another name for a part, a marker, a joint or a drive, wherever it is named; nothing moves."""

    path: str
    to: str  # of a marker without its part


@dataclass(frozen=True)
class Remove:
    """What an editor deletes at once: parts, markers, joints, drives, with all that names them.

    What is left of no use goes too: a link of fewer than two markers, markers of `ground` that hold nothing.
    """

    paths: tuple[str, ...]


@dataclass(frozen=True)
class Paste:
    """Copies of parts and of the joints among them, under new names; of this document unless one is given."""

    parts: tuple[str, ...]
    by: Point = (0, 0)  # displacement from the originals
    source: Mechanism | None = None


@dataclass(frozen=True)
class AddDrive:
    name: str
    drive: Drive


@dataclass(frozen=True)
class RemoveDrive:
    name: str


@dataclass(frozen=True)
class SetNumber:
    """Another number where one is: `parts.crank.markers.B.0`, `joints.A.limits.max_deg`."""

    path: str
    value: float | int | str | Number


@dataclass(frozen=True)
class SetUnits:
    """Another unit of length: parts keep their `size`, or the `numbers` stay and mean the new unit."""

    units: Units
    keep: Literal["size", "numbers"]


@dataclass(frozen=True)
class PlaceParts:
    """Parts are placed at (x, y, angle), as a drag leaves them; their starts are removed."""

    poses: Mapping[str, tuple[float, float, float]]


Operation = (
    AddPart
    | RemovePart
    | AddMarker
    | RemoveMarker
    | MoveMarker
    | AddJoint
    | RemoveJoint
    | ToggleJoint
    | Join
    | Ground
    | Rename
    | Remove
    | Paste
    | AddDrive
    | RemoveDrive
    | SetNumber
    | SetUnits
    | PlaceParts
)
