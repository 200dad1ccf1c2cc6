"""A document with one thing changed, by the path under which problems name it.

    with_value(mechanism, "touching.friction", 0.3)
    with_value(mechanism, "parts.crank.markers.B", [0.5, 0])
    with_value(mechanism, "ask", None)                        # taken out

What stands at its default can be given: the tables on the way are made. The result is read as a file is read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from detent.foundation.errors import ModelError, UnknownNameError, WrongTypeError
from detent.foundation.names import clipped, did_you_mean
from detent.model.document.base import field_of, spelt
from detent.model.document.drive import Start
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert

_DOTTED = ("ask.move.loads", "study.vary", "start")  # tables whose keys have dots: a marker, a path, ball.x


def with_value(mechanism: Mechanism, path: str, value: object) -> Mechanism:
    """The document with `value` at `path`; None takes out what is there."""
    if not isinstance(path, str) or not path or not all(path.split(".")):
        problem = f"{path!r} is not a path"
        raise WrongTypeError.at("path", problem, "as in touching.friction, parts.crank.markers.B")
    data = to_dict(mechanism)
    keys = _keys(mechanism, path)
    holder: Any = data
    model: Any = mechanism
    for k, key in enumerate(keys[:-1]):
        holder, model = _inside(holder, model, key, ".".join(keys[: k + 1]))
    _put(holder, keys[-1], _plain(value), path)
    return convert.mechanism(data)


def _keys(mechanism: Mechanism, path: str) -> list[str]:
    """The keys on the way; where keys have dots the longest that is there, else all that is left."""
    table = next((table for table in _DOTTED if path.startswith(f"{table}.")), None)
    if table is None:
        return [spelt(key) for key in path.split(".")]
    known: Any = mechanism
    for key in table.split("."):
        known = getattr(known, key, None)
    rest = path.removeprefix(f"{table}.").split(".")
    sizes = [k for k in range(len(rest), 0, -1) if ".".join(rest[:k]) in (known or ())]
    inside = table == "start" and len(rest) > 1 and rest[-1] in Start.__struct_fields__
    size = sizes[0] if sizes else len(rest) - inside
    return [*table.split("."), ".".join(rest[:size]), *rest[size:]]


def to_dict(mechanism: Mechanism) -> dict[str, Any]:
    """The document as plain data, as JSON has it: what stands at its default is left out."""
    return convert.plain(mechanism)


def _inside(holder: Any, model: Any, key: str, at: str) -> tuple[Any, Any]:
    """The table or list under a key, and the model's value there; a table that is not written yet is made."""
    if isinstance(holder, list):
        index = _index(holder, key, at)
        return holder[index], model[index] if isinstance(model, tuple) else None
    if not isinstance(holder, dict):
        raise ModelError.at(at, f"there is nothing inside a {type(holder).__name__}", "name a shorter path")
    if isinstance(model, Mapping) and model and key not in holder:
        raise UnknownNameError.at(at, f"there is no {key!r}", did_you_mean(key, model))
    under = model.get(key) if isinstance(model, Mapping) else getattr(model, field_of(key), None)
    return holder.setdefault(key, [] if isinstance(under, tuple) else {}), under


def _put(holder: Any, key: str, value: object, at: str) -> None:
    if isinstance(holder, list):
        index = _index(holder, key, at)
        if value is None:
            del holder[index]
        else:
            holder[index] = value
    elif not isinstance(holder, dict):
        raise ModelError.at(at, f"there is nothing inside a {type(holder).__name__}", "name a shorter path")
    elif value is None:
        holder.pop(key, None)
    else:
        holder[key] = value


def _index(holder: list[Any], key: str, at: str) -> int:
    if not key.isdigit() or int(key) >= len(holder):
        remedy = f"they are 0 to {len(holder) - 1}" if holder else "the list is empty: give all of it"
        raise UnknownNameError.at(at, f"there is no entry {clipped(key)!r}", remedy)
    return int(key)


def _plain(value: object) -> object:
    """Tables, arrays and exact numbers as a document writes them."""
    if isinstance(value, msgspec.Struct):
        return convert.plain(value)
    if isinstance(value, Mapping):
        return {key: _plain(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry) for entry in value]
    return value.tolist() if hasattr(value, "tolist") else value
