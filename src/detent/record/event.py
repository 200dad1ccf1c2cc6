"""Events: an instant, what kind of thing happened, to whom, modes before and after."""

from __future__ import annotations

from typing import Literal

from detent.record.base import Value

EventKind = Literal[
    "contact",
    "change",
    "release",
    "snap",
    "jam",
    "stick",
    "reversal",
    "blocked",
    "impact",
    "limit",
]
Cause = Literal["done", "blocked", "jam", "stick", "limit", "apart", "break", "interrupted"]


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
    """One thing that happened; contacts are named `bar/0.e3:pawl/1.v2`."""

    time: float  # [s]
    kind: EventKind
    joint: str | None = None
    coordinate: float | None = None  # [rad] or document units
    subjects: tuple[str, ...] = ()
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    detail: str = ""
    exact: Certificate | None = None


class Stop(Value, frozen=True, omit_defaults=True):
    """Why and when a trajectory ended, and where its joints then stood."""

    time: float  # [s]
    cause: Cause
    detail: str = ""
    coordinates: dict[str, float] = {}
