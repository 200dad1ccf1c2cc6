"""Documents of older formats, brought to the current one as plain data.

Each step goes from one format to the next and is never changed once released;
`tests/data/formats/` keeps a document of every format.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from detent.foundation.errors import ModelError
from detent.model.mechanism import FORMAT

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
    new = {key: value for key, value in data.items() if key not in ("links", "friction")}
    new["format"] = "detent/1"
    if "links" in data:
        new["parts"] = {name: _link_to_part(link) for name, link in _table(data, "links").items()}
    if "friction" in data:
        new["touching"] = {"friction": data["friction"]}
    return new


def _link_to_part(link: Any) -> Any:
    if not isinstance(link, dict):
        return link
    return {"markers" if key == "points" else key: value for key, value in link.items()}


def _table(data: Data, key: str) -> Data:
    value = data[key]
    if not isinstance(value, dict):
        raise ModelError.at(key, "expected a table", f"write [{key}.NAME]")
    return value


_STEPS: dict[str, Callable[[Data], Data]] = {"detent/0": _from_0}
