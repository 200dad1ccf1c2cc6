"""Files in and out, in memory: what `detent convert` reads, and every export, as bytes for a download."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.io import native
from detent.model import convert
from detent.model.mechanism import Mechanism

Question = dict[str, Any]
Progress = Callable[[float], None]
IMPORTS = ("json", "toml")


def read(name: str, data: bytes) -> tuple[object, bytes]:
    """A file's bytes as a document: its canonical JSON, and notes on what was left out."""
    ending = Path(name).suffix.lower().lstrip(".")
    if ending not in IMPORTS:
        raise ModelError.at("", f"{name!r} ends in none of {', '.join(IMPORTS)}", "choose such a file")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise ModelError.at("", "is not UTF-8 text", "save it as UTF-8", file=name) from None
    loads = native.loads_json if ending == "json" else native.loads_toml
    return {"notes": []}, convert.canonical(loads(text, file=name))


def write(question: Question, mechanism: Mechanism, progress: Progress) -> tuple[object, bytes]:
    """The bytes of an export, and their media type."""
    kind = question.get("kind", "")
    if kind not in EXPORTS:
        raise ModelError.at("kind", f"there is no export {kind!r}", did_you_mean(str(kind), EXPORTS))
    media, make = EXPORTS[kind]
    return {"media": media}, make(question, mechanism, progress)


def _json(question: Question, mechanism: Mechanism, progress: Progress) -> bytes:
    return native.dumps(mechanism).encode()


def _toml(question: Question, mechanism: Mechanism, progress: Progress) -> bytes:
    from detent.io.toml import dumps

    return dumps(mechanism).encode()


def _svg(question: Question, mechanism: Mechanism, progress: Progress) -> bytes:
    from detent.draw import machine, svg

    return svg.write(machine.scene_of(mechanism, question.get("poses"))).encode()


def _png(question: Question, mechanism: Mechanism, progress: Progress) -> bytes:
    from detent.draw import machine, png

    return png.write(machine.scene_of(mechanism, question.get("poses")))


EXPORTS: dict[str, tuple[str, Callable[[Question, Mechanism, Progress], bytes]]] = {
    "json": ("application/json", _json),
    "toml": ("application/toml", _toml),
    "svg": ("image/svg+xml", _svg),
    "png": ("image/png", _png),
}
