"""Doors: a room's public names, each loaded from its file when first used.

Users, documentation and tests import rooms (`from detent.contact import Contacts`), so that files can be
renamed, split and moved without breaking anyone; and a room costs nothing until a name of it is used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def door(
    room: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """`__getattr__`, `__dir__` and `__all__` of a room; `homes`: the names of each file, spaced."""
    home_of = {name: file for file, names in homes.items() for name in names.split()}

    def load(name: str) -> Any:
        file = home_of.get(name)
        if file is None:
            raise AttributeError(f"module {room!r} has no attribute {name!r}")
        return getattr(import_module(f"{room}.{file}"), name)

    return load, lambda: sorted(home_of), list(home_of)
