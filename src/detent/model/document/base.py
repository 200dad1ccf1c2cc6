"""What every table of the document shares: frozen, keyword-only, unknown keys refused."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

import msgspec

from detent.foundation.exact import Number

# Of one outline, path or matrix: whether an outline crosses itself is decided within two seconds up to here.
MAX_POINTS = 50_000


def doc(text: str, **limits: Any) -> msgspec.Meta:
    """What a key means, carried into the schema, with its limits."""
    return msgspec.Meta(description=text, **limits)


# Words of Python that are keys of a document: their fields end in `_`.
SPELT = {"from_": "from", "for_": "for"}


def spelt(field: str) -> str:
    """A document's key, of a field's name."""
    return SPELT.get(field, field)


def field_of(key: str) -> str:
    """The name of the field that a document's key is read into."""
    return next((field for field, word in SPELT.items() if word == key), key)


class Table(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    omit_defaults=True,
    forbid_unknown_fields=True,
    rename=spelt,
):
    """Base of the document's tables.

    `KINDS` names keys of which exactly one must be in the table.
    """

    KINDS: ClassVar[tuple[str, ...]] = ()

    def __hash__(self) -> int:
        """Alike of tables that are equal: of their values, of dicts in any order."""
        return hash((type(self), *(_hash_of(getattr(self, field)) for field in self.__struct_fields__)))


def _hash_of(value: object) -> int:
    if isinstance(value, dict):
        return hash(frozenset((key, _hash_of(entry)) for key, entry in value.items()))
    if isinstance(value, list | tuple):
        return hash(tuple(map(_hash_of, value)))
    return hash(value)


Vector = Annotated[
    tuple[Number, ...], doc("two numbers in the plane, three in space", min_length=2, max_length=3)
]
PairOf = Annotated[tuple[Number, ...], doc("two numbers", min_length=2, max_length=2)]
Triple = Annotated[tuple[Number, ...], doc("three numbers", min_length=3, max_length=3)]
PerFreedom = Annotated[
    tuple[Number, ...], doc("three numbers in the plane, six in space", min_length=3, max_length=6)
]
TwoPoints = Annotated[tuple[Vector, ...], doc("two points", min_length=2, max_length=2)]
TwoNames = Annotated[tuple[str, ...], doc("two names", min_length=2, max_length=2)]
Count = Annotated[int, doc("how many", ge=1, le=10_000_000)]

if TYPE_CHECKING:
    OneOrMore = Number | tuple[Number, ...]
else:

    class OneOrMore:
        """A number, or a list of them; msgspec allows no union with a type of our own."""


ONE_OR_MORE: Any = OneOrMore  # the type as a value

Axis = Literal["x", "y", "z"] | Vector
Free = Any  # a table that means nothing to a method: kept as it came, numbers exact


def angle_of(plain: Number | None, degrees: Number | None) -> float | None:
    """An angle key in radians, however it was written."""
    if plain is not None:
        return float(plain)
    return None if degrees is None else math.radians(float(degrees))
