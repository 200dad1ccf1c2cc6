"""Writing TOML: the document as a person would have laid it out.

Reading is the standard library's; no writer there keeps exact numbers, so this
one is ours. Tables of the document become headed tables down to the part, and
inline tables below it.
"""

from __future__ import annotations

import re
from typing import Any

from detent.foundation.errors import ModelError
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert

_BARE = re.compile(r"[A-Za-z0-9_-]+\Z")
_WIDTH = 100

# Sections whose entries get a header each: [parts.wheel].
_NAMED = ("materials", "shapes", "parts", "joints", "drives", "ask")


def dumps(mechanism: Mechanism) -> str:
    """The document as TOML; reading it gives an equal Mechanism."""
    data = convert.plain(mechanism)
    lines = [f"{_key(k)} = {_value(v)}" for k, v in data.items() if not _headed(k, v)]
    for key, value in data.items():
        if _headed(key, value):
            lines += ["", *_section(key, value)]
    return "\n".join(lines).strip() + "\n"


def _headed(key: str, value: Any) -> bool:
    return isinstance(value, dict) or key == "contacts"


def _section(key: str, value: Any) -> list[str]:
    if not value:
        return [f"[{_key(key)}]"]
    if key == "contacts":
        blocks = [("[[contacts]]", entry) for entry in value]
    elif key in _NAMED:
        blocks = [(f"[{key}.{_key(name)}]", entry) for name, entry in value.items()]
    else:
        blocks = [(f"[{_key(key)}]", value)]
    lines: list[str] = []
    for head, entry in blocks:
        lines += [head, *(f"{_key(k)} = {_value(v)}" for k, v in entry.items()), ""]
    return lines[:-1]


def _value(value: Any, indent: int = 0) -> str:
    flat = _flat(value)
    if len(flat) + indent <= _WIDTH or not isinstance(value, list):
        return flat
    pad = " " * (indent + 2)
    entries = ",\n".join(pad + _value(entry, indent + 2) for entry in value)
    return f"[\n{entries},\n{' ' * indent}]"


def _flat(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, dict):
        if not value:
            return "{}"
        return "{ " + ", ".join(f"{_key(k)} = {_flat(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flat, value)) + "]"
    if value is None:
        raise ModelError.at(
            "view", "holds an empty value (null), which TOML cannot write", "save it as .json"
        )
    return repr(value)


def _key(key: str) -> str:
    return key if _BARE.match(key) else _text(key)


def _text(text: str) -> str:
    escapes = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
    out = "".join(escapes.get(c) or (c if c >= " " and c != "\x7f" else f"\\u{ord(c):04x}") for c in text)
    return f'"{out}"'
