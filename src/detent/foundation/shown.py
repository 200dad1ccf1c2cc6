"""How answers show themselves: words for a person, a line at a prompt, words and a picture in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sized
from typing import Any

from detent.foundation import late
from detent.foundation.names import clipped

_VALUE, _LINE = 40, 160  # characters of one value, and of the whole, in a line


class Shown:
    """Base of what a user looks at."""

    __slots__ = ()

    @property
    def words(self) -> str:
        """The answer for a person, as the command line prints it."""
        text: str = late.call("words", self)
        return text

    def _line(self) -> str:
        """What it is, in one line, for `repr`; by default its fields, empty ones left out."""
        return ", ".join(f"{name}={brief(value)}" for name, value in fields_of(self) if value is not None)

    def __repr__(self) -> str:
        return clipped(f"{type(self).__name__}({self._line()})", _LINE)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        """Words and, where there is one, a picture: what a notebook shows."""
        bundle: dict[str, str] = late.call("notebook", self)
        return bundle

    def _repr_html_(self) -> str:
        return self._repr_mimebundle_()["text/html"]


def fields_of(value: object) -> list[tuple[str, Any]]:
    """The fields of a record or dataclass that are not empty."""
    names = getattr(value, "__struct_fields__", None) or getattr(value, "__dataclass_fields__", {})
    pairs = [(name, getattr(value, name)) for name in names if not name.startswith("_")]
    return [(name, entry) for name, entry in pairs if not (isinstance(entry, Sized) and len(entry) == 0)]


def brief(value: object) -> str:
    """A value in a few characters: of arrays their shape, of tables and lists how many entries."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        return f"{value.dtype}[{', '.join(map(str, value.shape))}]"
    if isinstance(value, Mapping):
        return f"{{{clipped(', '.join(map(str, value)), _VALUE)}}}"
    if isinstance(value, list | tuple):
        if len(value) <= 3 and all(isinstance(entry, str | int | float) for entry in value):
            return clipped(repr(value), _VALUE)
        return f"({len(value)} entries)"
    if isinstance(value, float):
        return f"{value:.6g}"
    return clipped(repr(value), _VALUE)
