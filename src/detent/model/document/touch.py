"""Touching: friction and restitution by pair, and contacts or rows given directly."""

from __future__ import annotations

from typing import Annotated

from detent.foundation.exact import Number
from detent.model.document.base import Table, TwoNames, Vector, doc


class Pair(Table, frozen=True):
    friction: Annotated[Number | None, doc("Coulomb's coefficient")] = None
    restitution: Annotated[Number | None, doc("0: no rebound, 1: full")] = None


class Touching(Table, frozen=True):
    friction: Annotated[Number | None, doc("Coulomb's coefficient")] = None
    restitution: Annotated[Number | None, doc("0: no rebound, 1: full")] = None
    smooth: Annotated[
        Number | None,
        doc("speed over which friction of compliant parts grows, tanh(v / smooth), over time [units/s]"),
    ] = None
    ignore: Annotated[tuple[str, ...], doc("pairs (part:part) that never touch")] = ()
    pairs: Annotated[dict[str, Pair], doc("by pair (part:part)")] = {}


class GivenContact(Table, frozen=True):
    """A contact given directly; its normal points from the first part to the second."""

    between: Annotated[TwoNames, doc("two parts")]
    point: Vector
    normal: Annotated[Vector, doc("any length")]
    tangents: Annotated[
        tuple[Vector, ...] | None, doc("they divide sliding; else as many as [ask.modes] says, evenly")
    ] = None
    friction: Number | None = None
    restitution: Number | None = None


class Rows(Table, frozen=True):
    """Contact rows given instead of parts, for any degrees of freedom."""

    normal: Annotated[tuple[tuple[Number, ...], ...], doc("positive when separating")]
    tangent: Annotated[
        tuple[tuple[tuple[Number, ...], ...], ...] | None, doc("dividing planes, by contact")
    ] = None
    held: Annotated[tuple[tuple[Number, ...], ...] | None, doc("always zero")] = None
