"""A change of a document as data: what was where, what is there now; its inverse swaps the two.

A table's entry is identified by its name and its place in the table's order, so that
undoing gives the same bytes back when saved. A change fits only a document that
holds what it found there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from msgspec.structs import fields, replace

from detent.foundation.errors import ModelError
from detent.model.document.mechanism import Mechanism


@dataclass(frozen=True)
class Put:
    """One entry of a table (or, without a name, one key of the document); None: not there."""

    table: str
    name: str
    was: Any
    now: Any
    place: int = 0  # in the table's order, where it comes or goes

    @property
    def at(self) -> str:
        return f"{self.table}.{self.name}" if self.name else self.table


@dataclass(frozen=True)
class Change:
    """Puts in order."""

    puts: tuple[Put, ...] = ()

    @property
    def inverse(self) -> Change:
        """What takes this change back."""
        return Change(tuple(Put(p.table, p.name, p.now, p.was, p.place) for p in reversed(self.puts)))


def between(before: Mechanism, after: Mechanism) -> Change:
    """The change that makes one document the other; entries in both keep their order."""
    puts: list[Put] = []
    for key in (field.name for field in fields(Mechanism)):
        old, new = getattr(before, key), getattr(after, key)
        if old is new or old == new:
            continue
        if isinstance(old, dict) and _same_order(old, new):
            puts += _entries(key, old, new)
        else:
            puts.append(Put(key, "", old, new))
    return Change(tuple(puts))


def changed(mechanism: Mechanism, change: Change) -> Mechanism:
    """The document after a change; ModelError where it does not hold what the change found."""
    tables: dict[str, Any] = {}
    for put in change.puts:
        value = tables.get(put.table, getattr(mechanism, put.table))
        if (value.get(put.name) if put.name else value) != put.was:
            raise ModelError.at(
                put.at,
                "is not what this change found there",
                "apply a change to the document that it was made for",
            )
        tables[put.table] = _put(value, put) if put.name else put.now
    return replace(mechanism, **tables)


def _put(table: dict[str, Any], put: Put) -> dict[str, Any]:
    if put.now is None:
        return {name: value for name, value in table.items() if name != put.name}
    if put.was is not None:
        return {**table, put.name: put.now}
    entries = list(table.items())
    entries.insert(put.place, (put.name, put.now))
    return dict(entries)


def _same_order(old: dict[str, Any], new: dict[str, Any]) -> bool:
    return [name for name in old if name in new] == [name for name in new if name in old]


def _entries(table: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[Put]:
    """Last first what goes, then what changes, then first first what comes: places stay true."""
    for place, name in reversed(list(enumerate(old))):
        if name not in new:
            yield Put(table, name, old[name], None, place)
    for name in old:
        if name in new and old[name] != new[name]:
            yield Put(table, name, old[name], new[name])
    for place, name in enumerate(new):
        if name not in old:
            yield Put(table, name, None, new[name], place)
