"""Files in and out: what `detent convert` reads, and every export, as bytes for a download.

Formats are read and written by path; a child does so in a private folder that the
server gave it and removes, under a name of our own: what a page calls its file
never becomes a path.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.io import formats
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert

Fields = dict[str, Any]
Progress = Callable[[str], None]

_STEM = "machine"


def imports() -> list[str]:
    """Endings that can be read."""
    return [ending.lstrip(".") for ending in formats.endings("reads")]


def read(name: str, data: bytes, units: str | None = None) -> tuple[object, bytes]:
    """A file's bytes as a document, in canonical JSON."""
    ending = Path(name).suffix.lower()
    if ending not in formats.endings("reads"):
        remedy = "choose a file that ends in " + ", ".join(imports())
        raise ModelError.at("", f"{name[:80]!r} cannot be read", remedy)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, _STEM + ending)
        file.write_bytes(data)
        try:
            mechanism = formats.load(file, units=units)
        except ModelError as error:
            raise ModelError(*(replace(problem, file=name) for problem in error.problems)) from None
    return {}, convert.canonical(mechanism)


def write(question: Fields, mechanism: Mechanism, progress: Progress) -> tuple[object, bytes]:
    """The bytes of an export, and their media type."""
    kind = question.get("kind", "")
    if kind not in EXPORTS:
        raise ModelError.at("kind", f"there is no export {kind!r}", did_you_mean(str(kind), EXPORTS))
    media, make = EXPORTS[kind]
    return {"media": media}, make(question, mechanism, progress)


def _by_format(ending: str) -> Callable[[Fields, Mechanism, Progress], bytes]:
    def make(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder, f"{_STEM}.{ending}")
            formats.save(mechanism, file)
            return file.read_bytes()

    return make


def _dxf(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
    from detent.app.server.linkage import at_page_poses
    from detent.io.drawing import dxf

    return dxf.dumps(at_page_poses(question, mechanism) if mechanism.dimension == 2 else mechanism).encode()


def _svg(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
    return _picture(question, mechanism, "svg")


def _png(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
    return _picture(question, mechanism, "png")


def _picture(question: Fields, mechanism: Mechanism, kind: str) -> bytes:
    from detent.draw.machine import machine
    from detent.draw.paper import picture

    poses = question.get("poses")
    if mechanism.dimension == 3 and poses is not None:
        from detent.app.server.running import in_space

        # Only a run moves a machine in space; else it is as drawn, from all sides.
        mechanism, poses = (mechanism, None) if _run(question) is None else in_space(mechanism, poses)
    return picture.write(machine.machine_scene(mechanism, poses), kind)


def _csv(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
    from detent.app.server.linkage import moved
    from detent.app.server.running import ran

    asked = _run(question)
    record = moved(question, mechanism) if asked is None else ran(asked, mechanism).record
    return record.to_csv().encode()


def _gif(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
    return _film(question, mechanism, "gif")


def _html(question: Fields, mechanism: Mechanism, progress: Progress) -> bytes:
    return _film(question, mechanism, "html")


def _film(question: Fields, mechanism: Mechanism, kind: str) -> bytes:
    from detent.app.films import film_of
    from detent.app.server.linkage import filmed
    from detent.app.server.running import filmed_run

    asked = _run(question)
    if asked is not None:
        return filmed_run(asked, mechanism, kind)
    return film_of(mechanism, filmed(question, mechanism), kind)


def _run(question: Fields) -> Fields | None:
    """What is asked of a run over time; None where the motion of the drives is meant."""
    asked = question.get("run")
    if asked is None or isinstance(asked, dict):
        return asked
    raise ModelError.at("run", "expected a table", "give {until?, method?}")


EXPORTS: dict[str, tuple[str, Callable[[Fields, Mechanism, Progress], bytes]]] = {
    "json": ("application/json", _by_format("json")),
    "toml": ("application/toml", _by_format("toml")),
    "dxf": ("image/vnd.dxf", _dxf),
    "stl": ("model/stl", _by_format("stl")),
    "svg": ("image/svg+xml", _svg),
    "png": ("image/png", _png),
    "csv": ("text/csv", _csv),
    "gif": ("image/gif", _gif),
    "html": ("text/html", _html),
}
