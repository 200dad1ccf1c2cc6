"""Drives: commanded motion of a joint, of a part in legs, or of a marker along a path."""

from __future__ import annotations

from typing import Annotated, ClassVar

from detent.foundation.exact import Number
from detent.model.document.base import Count, Table, Vector, doc


class Leg(Table, frozen=True):
    """A straight piece: lasts `for` a time or a `distance`; or goes back over the leg before."""

    velocity: Annotated[Vector | None, doc("[units/s] in the world's axes, or a driven marker's")] = None
    for_: Annotated[Number | None, doc("how long [s]")] = None
    distance: Annotated[Number | None, doc("how far")] = None
    ramp: Annotated[Number | None, doc("acceleration at both ends [units/s²]")] = None
    back: Annotated[bool, doc("retrace the leg before to its start, at the opposite velocity")] = False


class Drive(Table, frozen=True):
    """What is commanded: a joint's coordinate, a part in legs, or a marker."""

    joint: str | None = None
    part: str | None = None
    marker: str | None = None
    from_: Annotated[Number | None, doc("first coordinate")] = None
    to: Annotated[Number | None, doc("last coordinate")] = None
    from_deg: Number | None = None
    to_deg: Number | None = None
    steps: Annotated[Count | None, doc("intervals between positions")] = None
    inputs: Annotated[tuple[Number, ...] | None, doc("coordinates, one per position")] = None
    inputs_deg: tuple[Number, ...] | None = None
    speed: Annotated[Number | None, doc("per second")] = None
    speed_deg: Number | None = None
    torque: Annotated[Number | None, doc("[N m], or [N] on a slide")] = None
    legs: tuple[Leg, ...] = ()
    path: Annotated[tuple[Vector, ...] | None, doc("points that a driven marker visits in order")] = None

    KINDS: ClassVar[tuple[str, ...]] = ("joint", "part", "marker")


class Start(Table, frozen=True):
    """A coordinate and its speed at the start; as drawn and at rest unless said."""

    at: Number | None = None
    at_deg: Number | None = None
    speed: Number | None = None
    speed_deg: Number | None = None
