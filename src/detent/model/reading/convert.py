"""From plain data to the model's tables, and back.

Plain data is what TOML, JSON or a Python program give: dicts, lists, strings,
ints, Decimals. The reading follows the tables' own types, so that there is one
source of what a document may hold; it knows the path of everything it looks at
and goes on after an error, so that a document is mended in one round.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import inspect as types

from detent.foundation import units
from detent.foundation.errors import ModelError, Problem
from detent.foundation.exact import Number, literal, number
from detent.foundation.interrupts import interrupts_held
from detent.foundation.names import clipped, is_name, name_remedy, nearest
from detent.model.document.base import MAX_POINTS, ONE_OR_MORE
from detent.model.document.mechanism import FORMAT, Mechanism
from detent.model.document.part import Part
from detent.model.document.settings import SETTINGS
from detent.model.reading.elsewhere import instead_of
from detent.model.reading.rules import RULES

# A shape nests a level per union; no honest document comes near this.
MAX_DEPTH = 64
MAX_PROBLEMS = 20

T = TypeVar("T", bound=msgspec.Struct)


def mechanism(data: Mapping[str, Any]) -> Mechanism:
    """The Mechanism that plain data describe; `format` may be left out in Python."""
    return table({"format": FORMAT, **data}, Mechanism)


def table(data: object, kind: type[T], at: str = "") -> T:
    """One table from plain data, or a ModelError that names all that is wrong with it."""
    reader = _Reader()
    value = reader.convert(data, _type(kind), at, 0)
    if reader.problems:
        raise ModelError(*reader.problems)
    assert isinstance(value, kind)
    return value


def checked(value: object) -> Mechanism:
    """A Mechanism that was built or changed by hand, read again as a file is read."""
    if not isinstance(value, Mechanism):
        raise ModelError.at("", f"expected a Mechanism, found {_found(value)}", "load or build one")
    try:
        data = plain(value)
    except (TypeError, ValueError, UnicodeEncodeError) as problem:
        raise ModelError.at("", f"holds what no document can: {problem}", "build it anew") from None
    return table(data, Mechanism)


def plain(value: msgspec.Struct) -> dict[str, Any]:
    """A table as plain data that JSON can write and `table` reads back equal."""
    data = msgspec.json.decode(canonical(value))
    assert isinstance(data, dict)
    return data


def canonical(value: msgspec.Struct) -> bytes:
    """Canonical JSON: tables in the order of their keys, defaults left out, one line."""
    return msgspec.json.encode(value, enc_hook=_encode)


def _encode(value: object) -> object:
    if isinstance(value, Fraction):
        return literal(value)
    raise TypeError(f"{type(value).__name__} does not belong in a document")


@cache
def _type(kind: type) -> types.Type:
    # An interrupt inside msgspec's description of a type has crashed the interpreter.
    with interrupts_held():
        return types.type_info(kind)


_FIELDS: dict[type, dict[str, types.Field]] = {}


def _fields(kind: types.StructType) -> dict[str, types.Field]:
    """The keys of a table, kept: describing a type costs more than reading most documents."""
    if kind.cls not in _FIELDS:
        _FIELDS[kind.cls] = {field.encode_name: field for field in kind.fields}
    return _FIELDS[kind.cls]


_MISSING = object()


class _Reader:
    """One conversion, and the problems it met."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []

    def wrong(self, at: str, problem: str, remedy: str = "") -> object:
        self.problems.append(Problem(clipped(at, 300), clipped(problem, 400), clipped(remedy, 400)))
        if len(self.problems) == MAX_PROBLEMS:
            more = Problem(
                "", f"these are the first {MAX_PROBLEMS} problems; there may be more", "mend them first"
            )
            raise ModelError(*self.problems, more)
        return _MISSING

    def convert(self, data: object, kind: types.Type, at: str, depth: int) -> object:
        if depth > MAX_DEPTH:
            return self.wrong(
                at, f"nested deeper than {MAX_DEPTH} levels", "flatten it, or name shapes and use them"
            )
        if isinstance(kind, types.Metadata):
            return self.convert(data, kind.type, at, depth)
        if hasattr(data, "tolist"):  # a NumPy array or scalar
            data = data.tolist()
        return _CONVERT[type(kind)](self, data, kind, at, depth)

    def union(self, data: object, kind: types.UnionType, at: str, depth: int) -> object:
        options = [option for option in kind.types if not isinstance(option, types.NoneType)]
        for option in options:
            if _fits(data, option):
                return self.convert(data, option, at, depth)
        return self.wrong(at, f"expected {' or '.join(map(_wanted, options))}, found {_found(data)}")

    def struct(self, data: object, kind: types.StructType, at: str, depth: int) -> object:
        if isinstance(data, kind.cls):
            return data
        if not isinstance(data, Mapping):
            return self.wrong(at, f"expected a table, found {_found(data)}")
        fields = _fields(kind)
        values: dict[str, object] = {}
        before = len(self.problems)
        for key, value in data.items():
            field = fields.get(key) if isinstance(key, str) else None
            if field is None:
                self.wrong(
                    _join(at, key), f"unknown key {_show(key)}", instead_of(str(key), kind.cls, fields)
                )
            else:
                values[field.name] = self.convert(value, field.type, _join(at, key), depth + 1)
        for field in fields.values():
            if field.required and field.name not in values and not self._unknown(before):
                self.wrong(_join(at, field.encode_name), "is missing", f"add {field.encode_name!r} here")
        if len(self.problems) > before:
            return _MISSING
        struct = kind.cls(**values)
        for rule in RULES.get(kind.cls, ()):
            for where, problem, remedy in rule(struct):
                self.wrong(_join(at, where) if where else at, problem, remedy)
        if isinstance(struct, Part) and struct.library in SETTINGS:
            # The document keeps them as written; whoever builds the part reads them again (`settings_of`).
            self.convert(struct.set, _type(SETTINGS[struct.library]), _join(at, "set"), depth + 1)
        return struct

    def _unknown(self, before: int) -> bool:
        """Whether a misspelt key already explains a missing one."""
        return any(
            p.problem.startswith("unknown key") and "did you mean" in p.remedy for p in self.problems[before:]
        )

    def mapping(self, data: object, kind: types.DictType, at: str, depth: int) -> object:
        if not isinstance(data, Mapping):
            return self.wrong(at, f"expected a table, found {_found(data)}")
        if isinstance(kind.value_type, types.AnyType):
            return self.free(data, at, depth)
        entries: dict[str, object] = {}
        named = at not in ("study.vary", "touching.pairs", "ask.move.loads", "start")
        for key, value in data.items():
            if named and not (isinstance(key, str) and is_name(key)):
                self.wrong(_join(at, key), f"{_show(key)} is not a name", name_remedy(str(key)))
                continue
            entries[str(key)] = self.convert(value, kind.value_type, _join(at, key), depth + 1)
        return entries

    def sequence(self, data: object, kind: types.VarTupleType, at: str, depth: int) -> object:
        if not isinstance(data, list | tuple):
            return self.wrong(at, f"expected {_wanted(kind)}, found {_found(data)}")
        low, high = kind.min_length, kind.max_length
        if (low is not None and len(data) < low) or (high is not None and len(data) > high):
            return self.wrong(at, f"expected {_wanted(kind)}, found {len(data)}")
        if len(data) > MAX_POINTS and isinstance(_bare(kind.item_type), types.VarTupleType):
            words = f"a list of {len(data)} points; at most {MAX_POINTS} are read"
            return self.wrong(at, words, "simplify it, or draw it as several shapes")
        if _is_number(kind.item_type):
            try:
                return tuple(map(number, data))
            except ValueError:
                pass  # said below, with the index
        items = [self.convert(item, kind.item_type, f"{at}.{i}", depth + 1) for i, item in enumerate(data)]
        return tuple(items)

    def number(self, data: object, kind: types.CustomType, at: str, depth: int) -> object:
        if kind.cls is ONE_OR_MORE and isinstance(data, list | tuple):
            return tuple(self.number(entry, _NUMBER, f"{at}.{i}", depth) for i, entry in enumerate(data))
        try:
            return number(data)
        except ValueError as problem:
            return self.wrong(at, str(problem))

    def integer(self, data: object, kind: types.IntType, at: str, depth: int) -> object:
        try:
            exact = number(data) if not isinstance(data, str) else None
        except ValueError:
            exact = None
        if exact is None or exact.denominator != 1:
            return self.wrong(at, f"expected a whole number, found {_found(data)}")
        value = exact.numerator
        if (kind.ge is not None and value < kind.ge) or (kind.le is not None and value > kind.le):
            bounds = f"at least {kind.ge}" + (f" and at most {kind.le}" if kind.le is not None else "")
            return self.wrong(at, f"expected {bounds}, found {value}")
        return value

    def choice(self, data: object, kind: types.LiteralType, at: str, depth: int) -> object:
        if isinstance(data, Decimal | Fraction | float):
            with suppress(ValueError):
                data = number(data)
        for value in kind.values:
            if data == value and not isinstance(data, bool):
                return value
        wanted = [str(v) for v in kind.values]
        if at == "format":
            return self.wrong(
                at, f"unknown format {_show(data)}", f"this version reads {FORMAT!r} and older ones"
            )
        remedy = units.meant(data) if at == "units" and isinstance(data, str) else _meant(data, wanted)
        return self.wrong(at, f"expected one of {', '.join(wanted)}, found {_found(data)}", remedy)

    def text(self, data: object, kind: types.StrType, at: str, depth: int) -> object:
        if isinstance(data, str):
            return data if _whole(data) else self.wrong(at, _HALF)
        return self.wrong(at, f"expected text, found {_found(data)}")

    def truth(self, data: object, kind: types.BoolType, at: str, depth: int) -> object:
        if isinstance(data, bool):
            return data
        return self.wrong(at, f"expected true or false, found {_found(data)}")

    def free(self, data: object, at: str, depth: int) -> object:
        """A value that means nothing to a method: kept, numbers exact."""
        if depth > MAX_DEPTH:
            return self.wrong(at, f"nested deeper than {MAX_DEPTH} levels", "flatten it")
        if hasattr(data, "tolist"):  # a NumPy array or scalar
            data = data.tolist()
        if isinstance(data, Mapping):
            if not all(isinstance(k, str) and _whole(k) for k in data):
                return self.wrong(at, "has a key that is not text")
            return {k: self.free(v, _join(at, k), depth + 1) for k, v in data.items()}
        if isinstance(data, list | tuple):
            return tuple(self.free(v, f"{at}.{i}", depth + 1) for i, v in enumerate(data))
        if isinstance(data, str):
            return data if _whole(data) else self.wrong(at, _HALF)
        if data is None or isinstance(data, bool):
            return data
        try:
            exact = number(data)
        except ValueError as problem:
            return self.wrong(at, str(problem))
        # What no double gives back would be saved as text; it is text from the start.
        written = literal(exact)
        return written if isinstance(written, str) else exact

    def anything(self, data: object, kind: types.AnyType, at: str, depth: int) -> object:
        return self.free(data, at, depth)


_NUMBER = types.CustomType(Number)

_CONVERT: dict[type, Any] = {
    types.UnionType: _Reader.union,
    types.StructType: _Reader.struct,
    types.DictType: _Reader.mapping,
    types.VarTupleType: _Reader.sequence,
    types.CustomType: _Reader.number,
    types.IntType: _Reader.integer,
    types.LiteralType: _Reader.choice,
    types.StrType: _Reader.text,
    types.BoolType: _Reader.truth,
    types.AnyType: _Reader.anything,
}


def _bare(kind: types.Type) -> types.Type:
    return kind.type if isinstance(kind, types.Metadata) else kind


def _is_number(kind: types.Type) -> bool:
    return isinstance(kind, types.CustomType) and kind.cls is Number


def _fits(data: object, kind: types.Type) -> bool:
    """Whether data is of this kind at a glance; the details are then complained about."""
    if isinstance(kind, types.Metadata):
        return _fits(data, kind.type)
    if isinstance(kind, types.StructType | types.DictType):
        return isinstance(data, Mapping | msgspec.Struct)
    if isinstance(kind, types.VarTupleType):
        return isinstance(data, list | tuple)
    if isinstance(kind, types.LiteralType | types.StrType):
        return isinstance(data, str)
    if isinstance(kind, types.BoolType):
        return isinstance(data, bool)
    several = (
        isinstance(kind, types.CustomType) and kind.cls is ONE_OR_MORE and isinstance(data, list | tuple)
    )
    return several or (
        isinstance(data, int | float | Decimal | Fraction | str) and not isinstance(data, bool)
    )


def _wanted(kind: types.Type) -> str:
    if isinstance(kind, types.Metadata):
        return _wanted(kind.type)
    if isinstance(kind, types.StructType | types.DictType):
        return "a table"
    if isinstance(kind, types.VarTupleType):
        low, high = kind.min_length, kind.max_length
        noun = "numbers" if _is_number(kind.item_type) else "entries"
        if low is None:
            return "a list"
        return (
            f"{low} {noun}"
            if low == high
            else f"{low} to {high} {noun}"
            if high
            else f"at least {low} {noun}"
        )
    if isinstance(kind, types.LiteralType):
        return " or ".join(repr(v) for v in kind.values)
    if isinstance(kind, types.CustomType) and kind.cls is ONE_OR_MORE:
        return "a number or a list of numbers"
    names: dict[type, str] = {
        types.StrType: "text",
        types.BoolType: "true or false",
        types.IntType: "a whole number",
    }
    return names.get(type(kind), "a number")


def _found(data: object) -> str:
    if data is None:
        return "an empty value (null)"
    if isinstance(data, bool):
        return str(data).lower()
    if isinstance(data, str):
        return _show(data)
    if isinstance(data, int) and data.bit_length() > 200:
        return "a number of very many digits"
    if isinstance(data, int | float | Decimal | Fraction):
        return f"the number {clipped(str(data))}"
    if isinstance(data, Mapping):
        return "a table"
    if isinstance(data, list | tuple):
        return f"a list of {len(data)}"
    return f"a {type(data).__name__}"


_HALF = "holds half a character (a lone surrogate), which no file can keep"


def _whole(text: str) -> bool:
    """Whether text can be written: JSON's escapes can spell half of a character."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _meant(data: object, wanted: list[str]) -> str:
    """The choice that was meant; the message has the list already."""
    closest = nearest(data, wanted) if isinstance(data, str) else None
    return f"did you mean {closest!r}?" if closest else ""


def _show(data: object) -> str:
    return repr(clipped(data)) if isinstance(data, str) else _found(data)


def _join(at: str, key: object) -> str:
    key = clipped(str(key), 80).encode("utf-8", "replace").decode()
    return f"{at}.{key}" if at else key
