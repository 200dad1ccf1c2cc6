"""A document built in Python, with the document's own words.

    mechanism = (
        Builder(units="mm")
        .part("ground", fixed=True, markers={"A": [0, 0], "D": [4, 0]})
        .part("crank", markers={"A": [0, 0], "B": [1, 0]})
        .joint("A", "revolute", "ground.A", "crank.A")
        .build()
    )

Words of Python are written with a trailing `_`: `from_`, `for_`.
"""

from __future__ import annotations

from typing import Any, Self

from detent.foundation.errors import ModelError
from detent.model.document.base import spelt
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert


class Builder:
    """Gathers tables in order; `build` checks them as a file is checked."""

    def __init__(self, **document: Any) -> None:
        self._data: dict[str, Any] = _keys(document)

    def part(self, name: str, **table: Any) -> Self:
        """Add [parts.name]: fixed, pose, markers, shape, mass, center, inertia, density, material."""
        return self._add("parts", name, table)

    def shape(self, name: str, **table: Any) -> Self:
        """Add [shapes.name], reused with `use`: one kind, then edges, moves, repeat."""
        return self._add("shapes", name, table)

    def joint(self, name: str, type: str, first: str, second: str, **table: Any) -> Self:
        """Add [joints.name] between two markers, or two parts with `at`; spring, damping, limits."""
        return self._add("joints", name, {"type": type, "between": [first, second], **table})

    def drive(self, name: str, **table: Any) -> Self:
        """Add [drives.name] of a joint (`from_`, to, steps or inputs), a part (legs) or a marker."""
        return self._add("drives", name, table)

    def material(self, name: str, **table: Any) -> Self:
        """Add [materials.name]: density, modulus, strains."""
        return self._add("materials", name, table)

    def start(self, joint: str, **table: Any) -> Self:
        """Where a joint begins: at or at_deg, speed or speed_deg."""
        return self._add("start", joint, table)

    def touching(self, **table: Any) -> Self:
        """Friction, restitution, pairs that are ignored or have their own."""
        self._data["touching"] = _keys(table)
        return self

    def contact(self, first: str, second: str, **table: Any) -> Self:
        """Add a contact by point and normal; the normal points from the first part to the second."""
        self._data.setdefault("contacts", []).append({"between": [first, second], **_keys(table)})
        return self

    def ask(self, verb: str, **table: Any) -> Self:
        """Add [ask.verb], a question that the document carries."""
        return self._add("ask", verb, table)

    def build(self) -> Mechanism:
        """The Mechanism, or a ModelError that names all that is wrong."""
        return convert.mechanism(self._data)

    def _add(self, section: str, name: str, table: dict[str, Any]) -> Self:
        entries = self._data.setdefault(section, {})
        if not isinstance(entries, dict):
            raise ModelError.at(section, "is not a table", f"give {section} as a dict, or one by one")
        if name in entries:
            raise ModelError.at(f"{section}.{name}", "is already there", "choose another name")
        entries[name] = _keys(table)
        return self


def _keys(value: Any) -> Any:
    """The same data with Python's `from_` and `for_` as the document spells them."""
    if isinstance(value, dict):
        return {spelt(key): _keys(entry) for key, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_keys(entry) for entry in value]
    return value
