"""Events, stops and intervals: what happened, when and why a run ended, what lasted how long.

Every method writes these and no others, so that runs of two methods can be laid
side by side. A field that a method does not know is None, and absent in JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import field

from detent.record.base import Value

EventKind = Literal[
    "contact",  # parts come to touch
    "release",  # they part again
    "change",  # other contacts are loaded than before
    "stick",  # friction holds a contact fast
    "slide",  # a contact that stuck slides
    "reversal",  # a contact slides in the other direction
    "snap",  # a part leaves its contacts at once, and lands elsewhere
    "jam",  # no motion is possible under the push
    "blocked",  # a driven part itself runs into another
    "impact",  # parts hit each other at speed
    "limit",  # a coordinate comes to the end of its range
    "change_point",  # two branches of a linkage meet, and it goes straight on
    "rest",  # nothing moves any more
]
EVENT_KINDS: tuple[EventKind, ...] = get_args(EventKind)
Cause = Literal["done", "blocked", "jam", "stick", "limit", "apart", "break", "interrupted"]


# Factories of our own: a field with such a default is written also where it is empty.
def _no_contacts() -> tuple[str, ...]:
    return ()


def _nowhere() -> dict[str, float]:
    return {}


class Certificate(Value, frozen=True, omit_defaults=True):
    """Why an event's instant is exact: the root of `polynomial` inside `interval`.

    Coefficients run from the constant term up; the interval's ends are fractions
    as text, so that nothing is rounded. `chart` says what the root measures; a
    time counts from `after`, or is the time `of` something else, as said.
    """

    polynomial: tuple[int | str, ...]
    interval: tuple[str, str]
    digits: str = ""
    chart: str = ""
    after: str = ""
    of: str = ""


class Event(Value, frozen=True, omit_defaults=True):
    """One thing that happened; contacts are named `bar/0.e3:pawl/1.v2`.

    `before` and `after` are the contacts loaded before and after it; `after` belongs to
    `coordinate_after` where a snap has one. Where the times of a trajectory are a driven
    coordinate, `time` is that coordinate.
    """

    time: float  # [s], or as the times of its trajectory
    kind: EventKind
    joint: str | None = None
    travel: float | None = None  # of a pushed part, along the first leg's direction [document units]
    coordinate: float | None = None  # of the joint, in `coordinate_unit`
    before: tuple[str, ...] = field(default_factory=_no_contacts)
    after: tuple[str, ...] = field(default_factory=_no_contacts)
    coordinate_after: float | None = None  # of a snap
    touching: tuple[str, ...] | None = None  # of a jam: all that touches, loaded or not
    reason: str | None = None  # of a jam: closed or balanced
    subjects: tuple[str, ...] = ()  # parts
    mode_before: str | None = None  # signs of the contact mode
    mode_after: str | None = None
    impulse: float | None = None  # of an impact [N s]
    detail: str = ""
    exact: Certificate | None = None
    coordinate_unit: str = ""  # rad, or the document's unit; empty in one that has none


class Stop(Value, frozen=True, omit_defaults=True):
    """When and why a leg or a trajectory ended, and the positions of its joints then."""

    time: float  # [s], or as the times of its trajectory
    cause: Cause
    travel: float | None = None  # of a pushed part, along the first leg's direction [document units]
    coordinates: Mapping[str, float] = field(default_factory=_nowhere)  # in `coordinate_units`
    detail: str = ""
    exact: Certificate | None = None
    coordinate_units: Mapping[str, str] = {}  # by joint: rad, or the document's unit


class Interval(Value, frozen=True, kw_only=True, omit_defaults=True, rename={"from_": "from"}):
    """Contacts that were loaded together, from one time to another."""

    joint: str | None = None  # of the part that they hold
    from_: float
    to: float
    contacts: tuple[str, ...]
