"""What all records share: frozen, and written without NaN or not at all."""

from __future__ import annotations

import math
from typing import Any

import msgspec


class Record(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Base of everything that a verb returns."""

    def to_json(self) -> str:
        """Canonical JSON, one line; the same record gives the same bytes."""
        return encode(self)


class Value(msgspec.Struct, frozen=True, kw_only=True):
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
    _assert_finite(data, "")
    return data


def _plain(value: object) -> object:
    if hasattr(value, "tolist"):  # a NumPy array or scalar
        return value.tolist()
    if hasattr(value, "to_builtins"):
        return value.to_builtins()
    raise TypeError(f"{type(value).__name__} does not belong in a record")


def _assert_finite(value: object, at: str) -> None:
    if isinstance(value, float):
        if not math.isfinite(value):
            raise AssertionError(f"a record holds {value} at {at or 'its top'}")
    elif isinstance(value, dict):
        for key, entry in value.items():
            _assert_finite(entry, f"{at}.{key}")
    elif isinstance(value, list | tuple):
        for index, entry in enumerate(value):
            _assert_finite(entry, f"{at}.{index}")
