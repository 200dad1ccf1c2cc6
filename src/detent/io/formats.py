"""Which ending is which format: one table, each module imported when it is asked for.

Reading a foreign format gives a Mechanism like any other; writing one writes
what that format can hold (shapes as drawn, without joints), from the same data.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path

from detent.foundation.errors import ModelError, Problem
from detent.foundation.names import did_you_mean
from detent.foundation.units import spelt
from detent.model.document.mechanism import Mechanism


@dataclass(frozen=True)
class Format:
    """A format's words, and the module with its `load(path)` and `save(mechanism, path)`."""

    words: str
    module: str
    reads: bool
    writes: bool
    asks_units: bool = False  # whether its files may leave them out
    tells_units: bool = True  # whether its files have a place for them
    tells_lost: bool = False  # whether its module has `lost(mechanism)`: what its files do not have, in words


_DXF = Format(
    "DXF outlines, one layer per part", "detent.io.drawing.dxf", reads=True, writes=True, asks_units=True
)
_SCAD = Format("OpenSCAD, the CSG subset", "detent.io.csg.openscad", reads=True, writes=False)
_MJCF = Format(
    "MJCF, bodies and joints for MuJoCo", "detent.io.robots.mjcf", reads=False, writes=True, tells_lost=True
)
_STEP = Format("STEP solids of planes and cylinders", "detent.io.drawing.step", reads=True, writes=False)

FORMATS: dict[str, Format] = {
    ".toml": Format("the document, by hand", "detent.io.native.document", reads=True, writes=True),
    ".json": Format("the document, saved", "detent.io.native.document", reads=True, writes=True),
    ".padl": Format("PADL-2 with a .phys file beside it", "detent.io.csg.padl", reads=True, writes=False),
    ".csg": _SCAD,
    ".scad": _SCAD,
    ".dxf": _DXF,
    ".step": _STEP,
    ".stp": _STEP,
    ".stl": Format(
        "triangles for printing and display",
        "detent.io.drawing.stl",
        reads=False,
        writes=True,
        tells_units=False,
    ),
    ".urdf": Format(
        "URDF, links and joints for ROS and others",
        "detent.io.robots.urdf",
        reads=False,
        writes=True,
        tells_lost=True,
    ),
    ".mjcf": _MJCF,
    ".xml": _MJCF,
}
# What programs take lengths for in a format that does not tell its units.
_TAKEN_FOR = "mm"


def load(path: str | os.PathLike[str], *, units: str | None = None) -> Mechanism:
    """The Mechanism in a file of any readable format, by its ending.

    `units` are those of a drawing that does not say its own; others are refused where they contradict it.
    """
    kind = _format(path, "reads")
    reader = import_module(kind.module).load
    mechanism: Mechanism = reader(Path(path), units=units) if kind.asks_units else reader(Path(path))
    if units is not None and not kind.asks_units and spelt(units) != mechanism.units:
        from detent.io.drawing.drawing_units import refuse_units

        refuse_units(mechanism.units, units, str(path))
    return mechanism


def save(mechanism: Mechanism, path: str | os.PathLike[str]) -> None:
    """Write a file of any writable format, by its ending; atomically."""
    import_module(_format(path, "writes").module).save(mechanism, Path(path))


def lost(mechanism: Mechanism, ending: str) -> tuple[str, ...]:
    """What a file of this format does not have although the document does, in words."""
    kind = FORMATS[ending]
    return import_module(kind.module).lost(mechanism) if kind.tells_lost else ()


def units_note(mechanism: Mechanism, ending: str) -> str:
    """What to know of lengths in a file without a unit; empty where programs take them right."""
    from detent.io.drawing.drawing_units import in_units

    if FORMATS[ending].tells_units or mechanism.units == _TAKEN_FOR:
        return ""
    return (
        f"the lengths in it are {in_units(mechanism.units)}, as in the document; {ending[1:].upper()} "
        f"does not tell, and most programs take them to be {in_units(_TAKEN_FOR)}: say it there"
    )


def placed(problems: list[Problem], path: str | os.PathLike[str]) -> tuple[Problem, ...]:
    """Problems with a machine that was read, with the file and, in a document, the line of each."""
    from detent.io.disk import files
    from detent.io.native import locate

    file = Path(path)
    places = {".toml": locate.in_toml, ".json": locate.in_json}.get(file.suffix.lower())
    line_of = locate.finder(places, files.read_text(file)) if places is not None else lambda _: None
    return tuple(replace(p, file=str(path), line=line_of(p.at)) for p in problems)


def endings(verb: str) -> list[str]:
    """The endings that can be read ("reads") or written ("writes")."""
    return [ending for ending, kind in FORMATS.items() if getattr(kind, verb)]


def _format(path: str | os.PathLike[str], verb: str) -> Format:
    ending = Path(path).suffix.lower()
    known = endings(verb)
    if ending in known:
        return FORMATS[ending]
    if verb == "reads" and Path(path).is_dir():
        raise ModelError.at("", "is a folder", "name a file", file=str(path))
    words = "read" if verb == "reads" else "written"
    problem = f"{ending} files cannot be {words}" if ending else "has no ending that says its format"
    remedy = did_you_mean(ending, known) if ending else "end its name in one of " + ", ".join(known)
    if verb == "writes" and ending in (".svg", ".png", ".gif", ".html"):
        remedy = "pictures and films are drawn: `detent draw`"
    raise ModelError.at("", problem, remedy, file=str(path))
