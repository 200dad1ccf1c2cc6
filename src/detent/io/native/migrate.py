"""Documents of older formats, brought to the current one as plain data.

Each step goes from one format to the next and is never changed once released;
`tests/data/formats/` keeps a document of every format. A key of the old format
beside the one that replaced it is refused: one of them would be lost.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detent.foundation.errors import ModelError
from detent.model.document.mechanism import FORMAT

Data = dict[str, Any]


def to_current(data: Data) -> Data:
    """The same document in the current format; `data` itself is not changed."""
    written = data.get("format")
    if written is None:
        raise ModelError.at("format", "is missing", f'begin with format = "{FORMAT}"')
    while isinstance(written, str) and written in _STEPS:
        data = _STEPS[written](data)
        written = data["format"]
    return data


def _from_0(data: Data) -> Data:
    """The draft called bodies `links`, their points `points`, and had one friction for all."""
    new = _renamed(data, "links", "parts", "")
    new["format"] = "detent/1"
    if isinstance(new.get("parts"), dict):
        new["parts"] = {
            name: _renamed(part, "points", "markers", f"links.{name}.") if isinstance(part, dict) else part
            for name, part in new["parts"].items()
        }
    if "friction" in new:
        _refuse_both(new, "friction", "touching", "")
        new["touching"] = {"friction": new.pop("friction")}
    return new


def _renamed(data: Data, old: str, new: str, at: str) -> Data:
    """The table with one key renamed, order kept."""
    _refuse_both(data, old, new, at)
    return {new if key == old else key: value for key, value in data.items()}


def _refuse_both(data: Data, old: str, new: str, at: str) -> None:
    if old in data and new in data:
        raise ModelError.at(f"{at}{old}", f"is beside {new!r}, which replaced it", "keep one of them")


_STEPS: dict[str, Callable[[Data], Data]] = {"detent/0": _from_0}
