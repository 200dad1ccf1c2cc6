"""Write web/src/document.ts: the document's types for the page, from the same schema as `detent schema`.

Run it after the model's tables change; a test says when that was forgotten.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from detent.io.native.schema import schema

TARGET = Path(__file__).parents[1] / "web" / "src" / "document.ts"
HEAD = """\
// The model document. Written by tools/make_types.py from `detent schema`; do not edit.

/** A number, or text that gives one exactly. */
export type Exact = number | string;
"""


def types() -> str:
    """The whole file."""
    interfaces = [_interface(name, table) for name, table in schema()["$defs"].items()]
    return "\n".join([HEAD, *interfaces])


def _interface(name: str, table: dict[str, Any]) -> str:
    required = set(table.get("required", ()))
    lines = [_comment(table, ""), f"export interface {name} {{"]
    for key, value in table["properties"].items():
        mark = "" if key in required else "?"
        lines += [_comment(value, "  "), f"  {key}{mark}: {_type(value)};"]
    return "\n".join(line for line in [*lines, "}"] if line) + "\n"


def _comment(described: dict[str, Any], indent: str) -> str:
    words = described.get("description", "")
    return f"{indent}/** {words} */" if words else ""


def _type(value: dict[str, Any]) -> str:
    if "$ref" in value:
        return str(value["$ref"]).rpartition("/")[2]
    if "enum" in value:
        return " | ".join(
            f'"{choice}"' if isinstance(choice, str) else str(choice) for choice in value["enum"]
        )
    if "anyOf" in value:
        return _union(value["anyOf"])
    return _PLAIN[value["type"]](value) if "type" in value else "unknown"


def _union(options: list[dict[str, Any]]) -> str:
    # A key that may be null is left out when saved; the `?` says so already.
    types_of_options = [_type(option) for option in options if option.get("type") != "null"]
    if sorted(types_of_options) == ["number", "string"]:
        return "Exact"
    return " | ".join(dict.fromkeys(types_of_options))


def _list(value: dict[str, Any]) -> str:
    item = _type(value["items"])
    return f"({item})[]" if "|" in item else f"{item}[]"


def _object(value: dict[str, Any]) -> str:
    rest = value.get("additionalProperties", True)
    return f"Record<string, {_type(rest) if isinstance(rest, dict) and rest else 'unknown'}>"


_PLAIN = {
    "string": lambda value: "string",
    "number": lambda value: "number",
    "integer": lambda value: "number",
    "boolean": lambda value: "boolean",
    "array": _list,
    "object": _object,
}


if __name__ == "__main__":
    TARGET.write_text(types(), encoding="utf-8")
