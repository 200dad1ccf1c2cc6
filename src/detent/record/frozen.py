"""What makes a record frozen throughout: arrays that cannot be written to, tables that cannot be changed.

Columns are float arrays; NaN stands where a number is not defined, and only in fields that say so. In JSON
it is null.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:  # a record without arrays does not wait for NumPy
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

K = TypeVar("K")
V = TypeVar("V")


class ReadOnly(dict[K, V]):
    """A dict that does not change; `dict(table)` is a copy that does."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("the tables of a record do not change; dict(table) gives a copy that does")

    __setitem__ = __delitem__ = __ior__ = _refuse
    update = setdefault = pop = popitem = clear = _refuse

    def __reduce__(self) -> tuple[Any, ...]:
        return ReadOnly, (dict(self),)

    def __copy__(self) -> dict[K, V]:
        return dict(self)

    def __deepcopy__(self, memo: object) -> ReadOnly[K, V]:
        return self  # nothing in it changes


def frozen(value: Any) -> Any:
    """The same value: its dicts, lists and arrays, at any depth, read-only."""
    if type(value).__name__ == "ndarray":
        return read_only(value)
    if isinstance(value, ReadOnly):
        return value
    if isinstance(value, dict):
        return ReadOnly({key: frozen(entry) for key, entry in value.items()})
    if isinstance(value, list):
        return tuple(frozen(entry) for entry in value)
    if isinstance(value, tuple) and any(isinstance(entry, _MUTABLE) for entry in value):
        return tuple(frozen(entry) for entry in value)
    return value


_MUTABLE = (dict, list, tuple)


def read_only(array: Any) -> Any:
    """A view of an array that cannot be written to."""
    if not array.flags.writeable:
        return array
    view = array.view()
    view.flags.writeable = False
    return view


def hold_arrays(record: Any) -> None:
    """In `__post_init__` of a frozen dataclass: its arrays cannot be written to."""
    for name in record.__dataclass_fields__:
        value = getattr(record, name)
        if type(value).__name__ == "ndarray":
            object.__setattr__(record, name, read_only(value))


def column(values: Any) -> Floats:
    """Numbers, or rows of numbers, one per position: a read-only float array, NaN where they are None."""
    import numpy as np

    if isinstance(values, np.ndarray):
        array: Floats = read_only(values if values.dtype == float else values.astype(float))
        return array
    rows = list(values)
    width = max((len(row) for row in rows if _is_row(row)), default=None)
    if width is not None:
        blank = (np.nan,) * width
        rows = [(*row, *blank)[:width] if _is_row(row) else blank for row in rows]
    numbers: Floats = read_only(np.array(rows, dtype=float))  # None becomes NaN
    return numbers


def _is_row(value: object) -> bool:
    return hasattr(value, "__len__")


def columns(tables: Mapping[str, Any]) -> ReadOnly[str, Floats]:
    """The columns of a table."""
    return ReadOnly({name: column(values) for name, values in tables.items()})
