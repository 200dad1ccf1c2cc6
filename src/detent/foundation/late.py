"""Late binding: methods of low floors whose bodies live above them.

An answer says itself in words (`motion.words`), a document is changed (`mechanism.with_(…)`), a notebook
shows a picture: users expect these on the values, but words and pictures are drawn high above them. The
package itself, which knows every room, says where each body lives; nothing is imported before it is called.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

_homes: dict[str, str] = {}


def bind(homes: Mapping[str, str]) -> None:
    """Say where bodies live: `module:function` by name."""
    _homes.update(homes)


def call(name: str, *arguments: Any) -> Any:
    """Call the body of that name."""
    module, _, function = _homes[name].partition(":")
    return getattr(import_module(module), function)(*arguments)
