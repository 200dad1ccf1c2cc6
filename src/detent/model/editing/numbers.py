"""Another number at a path of a document, also where the document leaves it at its default."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from detent.foundation.errors import ModelError, UnknownNameError
from detent.foundation.exact import Number, number
from detent.foundation.names import did_you_mean
from detent.model.document.base import field_of
from detent.model.document.mechanism import Mechanism
from detent.model.editing.operation import SetNumber
from detent.model.reading.altered import with_value

_NOWHERE = object()


def set_number(mechanism: Mechanism, operation: SetNumber) -> Mechanism:
    try:
        value = number(operation.value)
    except ValueError as problem:
        raise ModelError.at(operation.path, str(problem), "give a number") from None
    keys = operation.path.split(".")
    if _is_at_default(mechanism, keys):
        return with_value(mechanism, operation.path, value)
    put: Mechanism = _with_number(mechanism, keys, value, operation.path)
    return put


def _is_at_default(mechanism: Mechanism, keys: list[str]) -> bool:
    """Whether the path leads through keys that there are to one that the document does not give."""
    value: Any = mechanism
    for key in keys:
        if isinstance(value, msgspec.Struct):
            value = getattr(value, field_of(key), _NOWHERE)
        else:
            value = value.get(key, _NOWHERE) if isinstance(value, dict) else _NOWHERE
        if value is None or value is _NOWHERE:
            return value is None
    return False


def _with_number(value: Any, keys: list[str], new: Number, path: str) -> Any:
    """The same value with another number at a path."""
    if not keys:
        if isinstance(value, bool) or not isinstance(value, Number | int):
            raise ModelError.at(path, "is not a number here", "name the path of a number that is there")
        if isinstance(value, Number):
            return new
        if new.denominator != 1:
            raise ModelError.at(path, "must be a whole number", "give one")
        return int(new)
    key, rest = keys[0], keys[1:]
    if isinstance(value, msgspec.Struct):
        field = field_of(key)
        if field not in value.__struct_fields__:
            raise _unknown(key, value.__struct_fields__, _up_to(path, rest), "key")
        return replace(value, **{field: _with_number(getattr(value, field), rest, new, path)})
    if isinstance(value, dict):
        if key not in value:
            raise _unknown(key, value, _up_to(path, rest), "entry")
        return {**value, key: _with_number(value[key], rest, new, path)}
    if isinstance(value, tuple) and key.isdigit() and int(key) < len(value):
        at = int(key)
        return (*value[:at], _with_number(value[at], rest, new, path), *value[at + 1 :])
    raise ModelError.at(path, f"there is no {key!r} along the path", "name the path of a number")


def _up_to(path: str, rest: list[str]) -> str:
    """A path without the keys that were not come to."""
    return path.removesuffix("".join(f".{key}" for key in rest))


def _unknown(name: str, known: Iterable[str], path: str, noun: str) -> UnknownNameError:
    return UnknownNameError.at(path, f"there is no {noun} {name!r}", did_you_mean(name, known))
