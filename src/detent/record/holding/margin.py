"""How far a fastener is from another story: the smallest change of one parameter that alters it."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET, UnsetType

from detent.record.base import Value

MarginKind = Literal["friction", "direction", "coordinate"]


class SmallestChange(Value, frozen=True):
    """The smallest change found of one parameter that alters the order of events, or the verdict.

    It lies between `same` and `other`, with an exact prediction at both: at the one everything is as in
    the document, at the other it is not. All are changes of the value as written: of a coordinate in document
    units, of the largest coefficient of friction, of the angle of all legs counter-clockwise [rad].
    """

    kind: MarginKind
    parameter: str  # its path in the document
    value: float
    same: float
    other: float
    alters: Literal["order", "verdict"]
    before: str
    after: str


class Margin(Value, frozen=True):
    """The smallest change of each kind of parameter; one at a time, all others as written.

    Steps from `from_` to `to` (by kind, growing sixteenfold) were looked at, both ways: what alters and is
    as before again between two of them is not seen. `none` are kinds with no alteration up to the last step.
    """

    changes: tuple[SmallestChange, ...]
    none: tuple[MarginKind, ...]
    first_step: dict[MarginKind, float]
    last_step: dict[MarginKind, float]
    parameters: int
    predictions: int
    left_out: tuple[str, ...] = ()
    steps: int | UnsetType = (
        UNSET  # of the work that this took: one for each prediction and each of its events
    )
    most_steps: int | UnsetType = UNSET
