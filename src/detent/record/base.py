"""What all records share: frozen, and written without NaN or not at all."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import msgspec

from detent.foundation.shown import Shown


class Record(Shown, msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Base of everything that a verb returns."""

    def to_json(self) -> str:
        """Canonical JSON, one line; the same record gives the same bytes."""
        return encode(self)


class Value(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """Base of the small pieces that records are made of; compared by value."""

    def to_json(self) -> str:
        """Canonical JSON, one line."""
        return encode(self)


def encode(value: object) -> str:
    """JSON of a record, or of plain data. A NaN or an infinity in it is our defect."""
    data = builtins(value)
    try:
        return msgspec.json.encode(data).decode()
    except UnicodeEncodeError:  # a file's name that is not text
        return msgspec.json.encode(_as_text(data)).decode()


def _as_text(data: Any) -> Any:
    if isinstance(data, str):
        return data.encode("utf-8", "replace").decode()
    if isinstance(data, dict):
        return {_as_text(key): _as_text(value) for key, value in data.items()}
    return [_as_text(entry) for entry in data] if isinstance(data, list | tuple) else data


def builtins(value: object) -> Any:
    """A record as dicts, lists and numbers, every number finite."""
    data = msgspec.to_builtins(value, enc_hook=_plain)
    astray = _not_finite(data)
    if astray is not None:
        number, *path = astray
        at = "".join(f".{key}" for key in reversed(path)) or "its top"
        raise AssertionError(f"a record holds {number} at {at}")
    return data


def _plain(value: object) -> object:
    if hasattr(value, "tolist"):  # a NumPy array or scalar
        return value.tolist()
    if hasattr(value, "to_builtins"):
        return value.to_builtins()
    raise TypeError(f"{type(value).__name__} does not belong in a record")


def _not_finite(value: object) -> list[Any] | None:
    """The first NaN or infinity, then the keys to it from the inside out."""
    if isinstance(value, float):
        return None if math.isfinite(value) else [value]
    if isinstance(value, dict):
        entries: Iterable[tuple[Any, Any]] = value.items()
    elif isinstance(value, list | tuple):
        entries = enumerate(value)
    else:
        return None
    for key, entry in entries:
        inner = _not_finite(entry)
        if inner is not None:
            return [*inner, key]
    return None
