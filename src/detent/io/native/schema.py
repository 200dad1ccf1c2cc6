"""The JSON Schema of the document, generated from the tables and never written by hand."""

from __future__ import annotations

from typing import Any

import msgspec

from detent.foundation.exact import Number
from detent.foundation.names import RULE
from detent.model.document.base import ONE_OR_MORE, Table, spelt
from detent.model.document.mechanism import FORMAT, Mechanism
from detent.model.document.settings import SETTINGS

_NUMBER: dict[str, Any] = {
    "description": "a number, or text that gives one exactly: a decimal, or a fraction such as 1/3",
    "anyOf": [
        {"type": "number"},
        {
            "type": "string",
            "pattern": r"^\s*[+-]?([0-9]+(/0*[1-9][0-9]*)?|(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,4})?)\s*$",
        },
    ],
}
_NAME = {"pattern": "^[A-Za-z][A-Za-z0-9_-]*$", "description": RULE}


def schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a document."""
    (top, *settings), components = msgspec.json.schema_components(
        [Mechanism, *SETTINGS.values()], schema_hook=_own_type, ref_template="#/$defs/{name}"
    )
    components["Part"]["allOf"] = [
        {
            "if": {"properties": {"library": {"const": library}}, "required": ["library"]},
            "then": {"properties": {"set": own}},
        }
        for library, own in zip(SETTINGS, settings, strict=True)
    ]
    for kind in _tables(Table):
        if kind.KINDS and kind.__name__ in components:
            components[kind.__name__]["oneOf"] = [{"required": [spelt(k)]} for k in kind.KINDS]
    for section in ("parts", "shapes", "joints", "drives", "materials", "start"):
        components["Mechanism"]["properties"][section]["propertyNames"] = _NAME
    components["Part"]["properties"]["markers"]["propertyNames"] = _NAME
    for table in components.values():
        table["properties"] = {
            key: _without_null(value) for key, value in table.get("properties", {}).items()
        }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Detent model document, {FORMAT}",
        **top,
        "$defs": components,
    }


def _without_null(value: dict[str, Any]) -> dict[str, Any]:
    """A key may be left out; it may not be null, though that is what left out means inside."""
    options = [each for each in value.get("anyOf", ()) if each != {"type": "null"}]
    rest = {key: each for key, each in value.items() if not (key == "default" and each is None)}
    if "anyOf" not in value or len(options) == len(value["anyOf"]):
        return rest
    del rest["anyOf"]
    return {**rest, **options[0]} if len(options) == 1 else {**rest, "anyOf": options}


def _own_type(kind: type) -> dict[str, Any]:
    if kind is Number:
        return _NUMBER
    assert kind is ONE_OR_MORE
    return {"anyOf": [*_NUMBER["anyOf"], {"type": "array", "items": _NUMBER}]}


def _tables(base: type[Table]) -> list[type[Table]]:
    return [each for sub in base.__subclasses__() for each in (sub, *_tables(sub))]
