"""How much friction holds a fastener."""

from __future__ import annotations

from msgspec import UNSET, UnsetType

from detent.record.amount import Force
from detent.record.base import Value


class FrictionSide(Value, frozen=True):
    """What the whole plan and the pull straight back come to with a coefficient of friction."""

    coefficient: float
    comes_to: str  # apart, stick, jam, …; or what ends it on the way in


class HoldingFriction(Value, frozen=True):
    """The coefficient from which on friction holds a pull straight back, and that up to which it goes in.

    `holds_from` is zero where it is held without any, None where none holds it; `goes_in_below` None where
    any lets it in. Of several coefficients these are the largest of them, all in their shares (`as_factor`).
    `sides` are predictions with 1e-9 of it less and more. `own` is the document's: the smallest changes of it
    that alter what holds, and whether it goes in, lead to the two, `margin_out` and `margin_in` away.
    """

    holds_from: float | None
    goes_in_below: float | None
    part: str | UnsetType = UNSET  # the pawl that it holds
    contact: str | UnsetType = UNSET
    travel: float | UnsetType = UNSET  # of the root along the first leg's direction, there
    sides: tuple[FrictionSide, FrictionSide] | UnsetType = UNSET
    as_factor: bool = False
    own: float = 0.0
    margin_out: float | None = None
    margin_in: float | None = None


class HoldsBelow(Value, frozen=True):
    """Whether pulls with less than a force take it out of its place, of all that were tried.

    `weakest` is the least force that does, in the direction `at` [rad]; unset where none does with any force.
    """

    force: float  # asked for [N]
    holds: bool
    tried: int
    weakest: Force | UnsetType = UNSET
    at: float | UnsetType = UNSET
