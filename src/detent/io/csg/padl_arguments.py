"""The arguments of a PADL call: by their names, and where in the text they are."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from detent.foundation.names import did_you_mean
from detent.io.disk.foreign import TextError


def by_name(
    arguments: list[Any],
    keys: Sequence[str],
    unknown: Callable[[str], str],
    *,
    fold: Callable[[str], str] = str,
) -> dict[str, Any]:
    """Arguments by their names, each one of the keys and given once."""
    by_key: dict[str, Any] = {}
    for argument in arguments:
        if argument.children[0] is None:
            raise unnamed_argument(argument, next((key for key in keys if key not in by_key), "NAME"))
        key = fold(str(argument.children[0]))
        if key not in keys:
            raise TextError(unknown(key), did_you_mean(key, keys), *place(argument))
        if key in by_key:
            raise TextError(f"{key!r} is given twice", "keep one of them", *place(argument))
        by_key[key] = argument
    return by_key


def unnamed_argument(argument: Any, key: str) -> TextError:
    """What is said of an argument without a name."""
    words = "arguments are given by name, not by place"
    return TextError(words, f"name it: {key}={word(argument.children[1]) or '…'}", *place(argument))


def word(tree: Any) -> str:
    """A bare word among the arguments of a macro."""
    while hasattr(tree, "children") and len(tree.children) == 1:
        tree = tree.children[0]
    return "" if hasattr(tree, "children") else str(tree)


def place(tree: Any) -> tuple[int | None, int | None]:
    """Line and column of what the grammar found."""
    meta = getattr(tree, "meta", None)
    return (getattr(meta, "line", None), getattr(meta, "column", None))
