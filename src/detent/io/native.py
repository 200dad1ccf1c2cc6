"""The native document: TOML by hand, JSON when saved; both give the same Mechanism.

Reading has two stages. The text becomes plain data with every number as a
Decimal, behind guards that keep a hostile file cheap; then the data become
tables, part by part, so that an error names its place. Writing is atomic: a
reader sees the old document or the new one, whatever happens in between.
"""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError, Problem
from detent.io import locate, migrate
from detent.model import convert
from detent.model.mechanism import FORMAT, Mechanism

# 10^5 vertices take about 3 MB; beyond this a document is data, not a model.
MAX_BYTES = 8_000_000
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
    raise ModelError.at(
        "", "is neither .toml nor .json", "rename it, or use `detent convert`", file=str(path)
    )


def loads_toml(text: str, *, file: str = "<text>") -> Mechanism:
    """The Mechanism that TOML text describes."""
    return _understand(_parse_toml, text, file, locate.in_toml)


def loads_json(text: str, *, file: str = "<text>") -> Mechanism:
    """The Mechanism that JSON text describes."""
    return _understand(_parse_json, text, file, locate.in_json)


def dumps(mechanism: Mechanism) -> str:
    """The document as canonical JSON, one line."""
    return convert.canonical(mechanism).decode() + "\n"


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write canonical JSON, or TOML where the name ends so, atomically."""
    file = Path(path)
    if file.suffix.lower() == ".toml":
        from detent.io.toml import dumps as dumps_toml

        write_atomically(file, dumps_toml(mechanism).encode())
    elif file.suffix.lower() == ".json":
        write_atomically(file, dumps(mechanism).encode())
    else:
        raise ModelError.at("", "is neither .toml nor .json", "choose one of these endings", file=str(path))


def read_text(file: Path) -> str:
    """A file's text, refused where it is missing, too large, or not text."""
    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise ModelError.at("", "there is no such file", "check the name", file=str(file)) from None
    except OSError as problem:
        raise ModelError.at(
            "", f"cannot be read: {problem.strerror or problem}", "", file=str(file)
        ) from None
    if len(data) > MAX_BYTES:
        raise ModelError.at(
            "",
            f"is larger than {MAX_BYTES // 1_000_000} MB",
            "split it, or name shapes and use them",
            file=str(file),
        )
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as problem:
        line = data[: problem.start].count(b"\n") + 1
        raise ModelError.at("", "is not UTF-8 text", "save it as UTF-8", file=str(file), line=line) from None


def write_atomically(file: Path, data: bytes) -> None:
    """Write beside the file, flush to the disk, then take its place in one step."""
    if not file.parent.is_dir():
        raise ModelError.at("", f"there is no folder {str(file.parent)!r}", "make it first", file=str(file))
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{file.name}.", suffix=".tmp", dir=file.parent)
    except OSError as problem:
        raise ModelError.at(
            "", f"cannot be written: {problem.strerror or problem}", "", file=str(file)
        ) from None
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        _keep_mode(file, temporary)
        os.replace(temporary, file)
    except OSError as problem:
        with suppress(OSError):
            os.unlink(temporary)
        raise ModelError.at(
            "", f"cannot be written: {problem.strerror or problem}", "", file=str(file)
        ) from None
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    _flush_folder(file.parent)


def _keep_mode(file: Path, temporary: str) -> None:
    """A temporary file is private; the document keeps the mode it had, or gets the usual one."""
    if os.name != "posix":
        return
    try:
        mode = file.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    os.chmod(temporary, mode)


def _flush_folder(folder: Path) -> None:
    """Make the rename itself last; not every system can open a folder."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _understand(
    parse: Callable[[str, str], Any], text: str, file: str, place: Callable[[str, str], int | None]
) -> Mechanism:
    data = parse(text, file)
    if not isinstance(data, dict):
        raise ModelError.at("", "a document is a table", f'begin with format = "{FORMAT}"', file=file)
    try:
        return convert.table(migrate.to_current(data), Mechanism)
    except ModelError as error:
        raise error.in_file(file, lambda at: place(text, at)) from None


def _parse_toml(text: str, file: str) -> Any:
    import tomllib

    _refuse_long_keys(text, file)
    try:
        return tomllib.loads(text, parse_float=Decimal)
    except tomllib.TOMLDecodeError as problem:
        words, line, column = locate.of_toml_error(str(problem), text)
        raise ModelError(Problem("", words, "", file, line, column)) from None
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "flatten it", file=file) from None
    except (ValueError, ArithmeticError) as problem:  # an integer of thousands of digits
        raise ModelError.at("", f"holds a number that cannot be read: {problem}", "", file=file) from None


def _refuse_long_keys(text: str, file: str) -> None:
    for index, line in enumerate(text.split("\n")):
        if line.count(".") > MAX_KEY_DOTS and locate.has_long_key(line, MAX_KEY_DOTS):
            raise ModelError.at(
                "",
                f"a key of more than {MAX_KEY_DOTS} dots",
                "nest tables instead",
                file=file,
                line=index + 1,
            )


def _parse_json(text: str, file: str) -> Any:
    try:
        return json.loads(
            text, parse_float=Decimal, parse_constant=_no_constant, object_pairs_hook=_no_duplicates
        )
    except json.JSONDecodeError as problem:
        raise ModelError(
            Problem("", f"is not JSON: {problem.msg}", "", file, problem.lineno, problem.colno)
        ) from None
    except _RefusedError as problem:
        raise ModelError.at(problem.key, problem.words, problem.remedy, file=file) from None
    except RecursionError:
        raise ModelError.at("", "is nested too deeply", "flatten it", file=file) from None
    except (ValueError, ArithmeticError) as problem:
        raise ModelError.at("", f"holds a number that cannot be read: {problem}", "", file=file) from None


class _RefusedError(Exception):
    def __init__(self, key: str, words: str, remedy: str) -> None:
        super().__init__(words)
        self.key, self.words, self.remedy = key, words, remedy


def _no_constant(name: str) -> Any:
    raise _RefusedError("", f"holds {name}, which is not a number", "give a finite number")


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RefusedError(
                    key, f"the key {key[:60]!r} stands twice in one table", "keep one of them"
                )
            seen.add(key)
    return data
