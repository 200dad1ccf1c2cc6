"""What all records share: frozen throughout, and written without NaN (null, where a field may hold one)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar

import msgspec

from detent.foundation.shown import Shown
from detent.record.frozen import column, columns, frozen


class Record(Shown, msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """Base of everything that a verb returns: frozen, its arrays and tables too.

    `COLUMNS` names fields with a number or a row of numbers per position, `TABLES` those with such columns
    by name: they are float arrays. `UNDEFINED` names those of them in which NaN, null in JSON, says that a
    number is not defined; of those in `ROWS`, a row is null as a whole.
    """

    COLUMNS: ClassVar[tuple[str, ...]] = ()
    TABLES: ClassVar[tuple[str, ...]] = ()
    UNDEFINED: ClassVar[tuple[str, ...]] = ()
    BOUNDLESS: ClassVar[tuple[str, ...]] = ()  # fields in which an infinite number is a force without bound
    ROWS: ClassVar[tuple[str, ...]] = ()

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            fixed: Any = value
            if name in self.TABLES:
                fixed = columns(value)
            elif value is not None:
                fixed = column(value) if name in self.COLUMNS else frozen(value)
            if fixed is not value:
                msgspec.structs.force_setattr(self, name, fixed)

    def to_json(self) -> str:
        """Canonical JSON, one line; the same record gives the same bytes."""
        return encode(self)


class Value(Shown, msgspec.Struct, frozen=True, kw_only=True):
    """Base of the small pieces that records are made of; compared by value."""

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if (fixed := frozen(value)) is not value:
                msgspec.structs.force_setattr(self, name, fixed)

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
    data = _builtins(value)
    astray = _not_finite(data)
    if astray is not None:
        number, *path = astray
        at = "".join(f".{key}" for key in reversed(path)) or "its top"
        raise AssertionError(f"a record holds {number} at {at}")
    return data


def _builtins(value: object) -> Any:
    """As plain data, what is undefined as null; records inside tables and lists are looked for."""
    if isinstance(value, dict):
        return {key: _builtins(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple) and any(isinstance(entry, Record) for entry in value):
        return [_builtins(entry) for entry in value]
    data = msgspec.to_builtins(value, enc_hook=_plain)
    for name in value.UNDEFINED if isinstance(value, Record) else ():
        if name in data:
            data[name] = _with_nulls(data[name], name in value.ROWS)  # type: ignore[attr-defined]
    for name in value.BOUNDLESS if isinstance(value, Record) else ():
        data[name] = _with_unbounded(data[name])
    return data


def _with_unbounded(data: Any) -> Any:
    """Infinite numbers as JSON has a force without bound."""
    if isinstance(data, float):
        return {"unbounded": True} if math.isinf(data) else data
    if isinstance(data, dict):
        return {key: _with_unbounded(entry) for key, entry in data.items()}
    return [_with_unbounded(entry) for entry in data] if isinstance(data, list | tuple) else data


def _with_nulls(data: Any, rows: bool) -> Any:
    """NaN as null, and where `rows` says so a row of them as one."""
    if isinstance(data, float):
        return None if math.isnan(data) else data
    if isinstance(data, dict):
        return {key: _with_nulls(entry, rows) for key, entry in data.items()}
    if isinstance(data, list):
        inside = [_with_nulls(entry, rows) for entry in data]
        is_row = rows and data and isinstance(data[0], float)
        return None if is_row and all(entry is None for entry in inside) else inside
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
