"""The native document: TOML by hand, JSON when saved; both give the same Mechanism.

Reading has two stages. The text becomes plain data with every number as a
Decimal, behind guards that keep a hostile file cheap; then the data become
tables, part by part, so that an error names its place.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError, Problem
from detent.foundation.names import clipped, name_remedy
from detent.io.disk.files import read_text, write_atomically
from detent.io.native import locate, migrate
from detent.model.document.mechanism import FORMAT, Mechanism
from detent.model.reading import convert

# Commas, dots, brackets, equals signs: what a reader's time and memory grow with. A list of
# 10^5 vertices has 700,000 of them; reading this many takes about two seconds.
MAX_MARKS = 1_000_000
# tomllib's cost grows with the square of a dotted key's length.
MAX_KEY_DOTS = 32


def load(path: str | os.PathLike[str]) -> Mechanism:
    """The Mechanism in a file, TOML or JSON by its ending."""
    file = Path(path)
    text = read_text(file)
    if file.suffix.lower() == ".json":
        return loads_json(text, file=str(path))
    if file.suffix.lower() == ".toml":
        return loads_toml(text, file=str(path))
    raise ModelError.at("", "is neither .toml nor .json", "rename it", file=str(path))


def loads(text: str, *, file: str = "<text>") -> Mechanism:
    """The Mechanism that text describes: JSON where it begins with a brace, else TOML."""
    read = (
        loads_json if text.lstrip()[:1] in ("{", "[") and not text.lstrip().startswith("[[") else loads_toml
    )
    return read(text, file=file)


def loads_toml(text: str, *, file: str = "<text>") -> Mechanism:
    """The Mechanism that TOML text describes."""
    return _understand(_parse_toml(text, file), file, locate.finder(locate.in_toml, text))


def loads_json(text: str, *, file: str = "<text>") -> Mechanism:
    """The Mechanism that JSON text describes."""
    return _understand(_parse_json(text, file), file, locate.finder(locate.in_json, text))


def dumps(mechanism: Mechanism) -> str:
    """The document as canonical JSON, one line."""
    return convert.canonical(mechanism).decode() + "\n"


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write canonical JSON, or TOML where the name ends so; atomically, and only what reads back."""
    file = Path(path)
    ending = file.suffix.lower()
    if ending not in (".toml", ".json"):
        raise ModelError.at("", "is neither .toml nor .json", "choose one of these endings", file=str(path))
    sound = convert.checked(mechanism)
    if ending == ".toml":
        from detent.io.native.toml import dumps as dumps_toml

        write_atomically(file, dumps_toml(sound).encode())
    else:
        write_atomically(file, dumps(sound).encode())


def _understand(data: Any, file: str, line_of: Callable[[str], int | None]) -> Mechanism:
    if not isinstance(data, dict):
        raise ModelError.at("", "a document is a table", f'begin with format = "{FORMAT}"', file=file)
    try:
        return convert.table(migrate.to_current(data), Mechanism)
    except ModelError as error:
        raise error.in_file(file, line_of) from None


def _parse_toml(text: str, file: str) -> Any:
    import tomllib

    _refuse_heavy(text, file, ",.=[{")
    line = locate.has_long_key(text, MAX_KEY_DOTS)
    if line is not None:
        words = f"a key of more than {MAX_KEY_DOTS} dots"
        raise ModelError.at("", words, "nest tables instead", file=file, line=line)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as problem:
        words, line, column = locate.of_toml_error(str(problem), text)
        name = locate.beyond_ascii(text, line) if line is not None else None
        remedy = name_remedy(name) if name else "mend it there, or just before"
        words = f"{clipped(name)!r} is not a name" if name else words
        raise ModelError(Problem("", words, remedy, file, line, column)) from None
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "flatten it", file=file) from None
    except (ValueError, ArithmeticError):  # an integer of thousands of digits
        raise _too_many_digits(file) from None


def _too_many_digits(file: str) -> ModelError:
    return ModelError.at("", "holds a number of too many digits", "write fewer digits", file=file)


def _parse_json(text: str, file: str) -> Any:
    import json

    _refuse_heavy(text, file, ",:[{")
    try:
        return json.loads(
            text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_duplicates
        )
    except json.JSONDecodeError as problem:
        words = f"is not JSON: {problem.msg}"
        raise ModelError(
            Problem("", words, "mend it there, or just before", file, problem.lineno, problem.colno)
        ) from None
    except _DoubledError:
        key, line = locate.doubled(text) or ("", None)
        words = "the key appears twice in one table"
        raise ModelError.at(key, words, "keep one of them", file=file, line=line) from None
    except _NotFiniteError as problem:
        line = locate.first_of(text, ("NaN", "Infinity", "-Infinity"))
        words = f"holds {problem}, which is not a number"
        raise ModelError.at("", words, "give a finite number", file=file, line=line) from None
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "flatten it", file=file) from None
    except (ValueError, ArithmeticError):
        raise _too_many_digits(file) from None


def _refuse_heavy(text: str, file: str, marks: str) -> None:
    if sum(map(text.count, marks)) > MAX_MARKS:
        remedy = "name shapes and use or repeat them, or split the document"
        raise ModelError.at("", "has more entries than a model can have", remedy, file=file)


class _NotFiniteError(Exception):
    """NaN or an infinity, which JSON does not have but Python's reader takes."""


class _DoubledError(Exception):
    """A key that appears twice, of which Python's reader would keep the last."""


def _no_constant(name: str) -> Any:
    raise _NotFiniteError(name)


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise _DoubledError
    return data
