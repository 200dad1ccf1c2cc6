"""Angles that were probably meant in degrees: sound as written, and worth a note."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction

import msgspec

from detent.foundation.exact import literal
from detent.model.document.drive import Drive, Start
from detent.model.document.joint import Joint
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism

_DEGREES = 360
_RATES = ("speed",)  # of which many radians per second are nothing unusual


def odd_angles(mechanism: Mechanism) -> list[str]:
    """Keys in radians of more than a full turn, where a key in degrees exists."""
    return [
        f"{at}: {literal(value)} rad is {float(value) / (2 * math.pi):.3g} turns; did you mean {key}_deg?"
        for at, key, value in _angles(mechanism, mechanism, "")
        if abs(value) > 2 * math.pi
        and (value.denominator == 1 or not at.startswith("drives."))  # 4π for two turns is never whole
        and (key != "rest" or abs(value) <= _DEGREES)  # a wound spring has its rest many turns away
        and not at.startswith("study.")  # may vary anything
    ]


def _angles(
    mechanism: Mechanism, table: object, at: str, joint: str | None = None
) -> Iterator[tuple[str, str, Fraction]]:
    """Every angle that is given in radians: its path, its key, its value."""
    if isinstance(table, dict):
        for key, entry in table.items():
            yield from _angles(mechanism, entry, f"{at}.{key}" if at else key, _joint_of(entry, key, joint))
    elif isinstance(table, tuple | list):
        for number, entry in enumerate(table):
            yield from _angles(mechanism, entry, f"{at}.{number}", joint)
    elif isinstance(table, msgspec.Struct):
        keys = dict(zip(table.__struct_fields__, table.__struct_encode_fields__, strict=True))
        for field, key in keys.items():
            value = getattr(table, field)
            place = f"{at}.{key}" if at else key
            if f"{key}_deg" not in keys.values():
                yield from _angles(mechanism, value, place, joint)
            elif key not in _RATES and not _is_travel(mechanism, joint):
                values = value if isinstance(value, tuple) else (value,)
                yield from ((place, key, number) for number in values if isinstance(number, Fraction))


def _joint_of(entry: object, name: str, joint: str | None) -> str | None:
    """The joint whose coordinate the angles inside an entry are."""
    if isinstance(entry, Joint | Start):
        return name
    return entry.joint if isinstance(entry, Drive) else joint


def _is_travel(mechanism: Mechanism, joint: str | None) -> bool:
    driven = mechanism.joints.get(joint or "")
    return driven is not None and JOINT_TYPES[driven.type].coordinate == "length"
