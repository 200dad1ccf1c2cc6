"""Operations as Python gives them: each field of the kind that it says, or a refusal that names it."""

from __future__ import annotations

import typing
from functools import cache
from typing import Any

import msgspec

from detent.foundation.errors import WrongTypeError
from detent.foundation.names import clipped
from detent.model.editing import operation as operations


def refuse_other(operation: Any) -> None:
    """A WrongTypeError where a name is not text, names are not a tuple, a table is not one."""
    itself: Any = type(operation)
    kinds: dict[str, Any] = _kinds(itself)
    for name, kind in kinds.items():
        value, at = getattr(operation, name), f"{type(operation).__name__}.{name}"
        if kind is str and not isinstance(value, str):
            raise WrongTypeError.at(
                at, f"expected text, found {clipped(repr(value))}", "give a name or a path"
            )
        if kind == tuple[str, ...] and not _is_names(value):
            remedy = (
                f"give names as a tuple: ({value!r},)" if isinstance(value, str) else "give a tuple of names"
            )
            raise WrongTypeError.at(at, f"expected names, found {clipped(repr(value))}", remedy)
        if isinstance(kind, type) and issubclass(kind, msgspec.Struct) and not isinstance(value, kind):
            problem = f"expected a {kind.__name__}, found {clipped(repr(value))}"
            raise WrongTypeError.at(at, problem, f"give a `detent.model.{kind.__name__}`")


def _is_names(value: object) -> bool:
    return isinstance(value, tuple | list) and all(isinstance(name, str) for name in value)


@cache
def _kinds(operation: Any) -> dict[str, Any]:
    return typing.get_type_hints(operation, vars(operations))
