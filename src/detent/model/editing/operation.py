"""The small operations of an editor, each a frozen value.

    AddPart("rocker", Part(markers={...})), Join("coupler.C", "rocker.C"), SetNumber("joints.A.limits.max", 2)

Places are of the part's own frame. `model.edit` says what each makes of a document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from detent.foundation.exact import Number
from detent.model.document.drive import Drive
from detent.model.document.joint import Joint
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
    """Revolute becomes prismatic and back; a slide's line is the first marker's, as it stands."""

    name: str


@dataclass(frozen=True)
class Join:
    """Pull two markers together and join them; the joint gets the first free letter unless named."""

    first: str
    second: str
    type: Literal["revolute", "prismatic", "fixed", "in_line"] = "revolute"
    name: str = ""


@dataclass(frozen=True)
class Ground:
    """Pin a marker to the fixed part where it stands; the first fixed part, or a new `ground`."""

    marker: str


@dataclass(frozen=True)
class AddDrive:
    name: str
    drive: Drive


@dataclass(frozen=True)
class RemoveDrive:
    name: str


@dataclass(frozen=True)
class SetNumber:
    """Another number where one stands: `parts.crank.markers.B.0`, `joints.A.limits.max_deg`."""

    path: str
    value: float | int | str | Number


@dataclass(frozen=True)
class PlaceParts:
    """Parts stand at (x, y, turn), as a drag leaves them; starts give way to it."""

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
    | AddDrive
    | RemoveDrive
    | SetNumber
    | PlaceParts
)
