"""Where a command's FILE comes from: a path, or the name of a shipped example."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from detent.foundation.errors import MissingFileError, ModelError, WrongTypeError
from detent.foundation.names import clipped, did_you_mean
from detent.io import formats
from detent.io.disk import files
from detent.io.native import document
from detent.model.document.mechanism import Mechanism

if TYPE_CHECKING:
    from detent.judge.measured.reading import MeasuredTable
    from detent.model.document.drive import Drive
    from detent.record.motion import Motion
    from detent.record.running import Running

_Seen = TypeVar("_Seen", "Motion", "Running")

Source = Mechanism | str | os.PathLike[str]  # what a verb takes: a machine, its file, the name of an example


def examples_folder() -> Path:
    """In an installed package beside this one; in a checkout, at its root."""
    package = Path(__file__).resolve().parents[1]
    shipped = package / "examples"
    return shipped if shipped.is_dir() else package.parents[1] / "examples"


def examples() -> dict[str, Path]:
    """Shipped documents by name, sorted."""
    files = sorted(examples_folder().glob("*.toml"))
    return {file.stem: file for file in files}


def find(file: str) -> Path:
    """The path that FILE means: a file that is there, else an example of that name."""
    path, known = Path(file), examples()
    if path.suffix == ".toml" and path.stem in known and not os.path.exists(path):
        remedy = f"`{path.stem}` alone is the shipped example; `detent examples {path.stem}` copies it here"
        raise MissingFileError.at("", "there is no such file", remedy, file=file)
    if path.suffix or len(path.parts) > 1 or os.path.exists(path):
        return path
    if file in known:
        return known[file]
    remedy = did_you_mean(file, known, otherwise="`detent examples` lists them")
    raise MissingFileError.at("", f"there is neither a file nor an example {file[:80]!r}", remedy)


def machine_of(source: Source, *, units: str | None = None, argument: str = "mechanism") -> Mechanism:
    """The Mechanism that an argument of a verb means: itself, or that of a file or a shipped example."""
    return source if isinstance(source, Mechanism) else _read(source, units, argument)


def observed(file: str | os.PathLike[str] | MeasuredTable | None) -> MeasuredTable | None:
    """A table of what a machine was seen, or heard, to do: itself, or that of a file."""
    from detent.judge.measured.reading import read_measured

    if not isinstance(file, (str, os.PathLike)):
        return file
    return read_measured(files.read_text(Path(file)), os.fspath(file), least=1)


def joined(mechanism: Mechanism, *, add: bool = True, shapes_stop: bool = False) -> Mechanism:
    """The machine with the joints that its shapes make; with `add`, also where it has none written.

    With `shapes_stop` contacts end the travel of slides, not limits.
    """
    from detent.infer.asked import resolved

    return resolved(mechanism, add=add, shapes_stop=shapes_stop)


def led_by_legs(mechanism: Mechanism, drives: Mapping[str, Drive] | None = None) -> Mechanism | None:
    """The machine as its mating is stepped over time; None where no legs lead what has inertia."""
    driven = mechanism.drives if drives is None else drives
    if not any(getattr(drive, "legs", None) for drive in driven.values()):
        return None
    from detent.judge.stepped_run import steps_mating

    whole = joined(mechanism, add=False)
    return whole if steps_mating(whole, drives) else None


def in_layers(mechanism: Mechanism, *, shapes_stop: bool = False) -> tuple[Mechanism, str]:
    """The machine with its joints, seen along the axis that they share, as methods of the plane move it.

    And which way that is, in words; empty where it is along z.
    """
    from detent.geometry.frame import axis_words
    from detent.model.machine.seen_along import axes_of_view, axis_seen_along, seen_along_axis

    whole = joined(mechanism, shapes_stop=shapes_stop)
    axis = axis_seen_along(whole)
    if axis is None:
        return seen_along_axis(whole), ""
    right, up = (axis_words(each) for each in axes_of_view(axis))
    view = (
        f"seen along {axis_words(axis)}, the axis its joints share: "
        f"places, forces and pictures have {right} as their x and {up} as their y"
    )
    return seen_along_axis(whole), view


def with_view(answer: _Seen, view: str) -> _Seen:
    """The answer, saying which way its machine is seen."""
    from msgspec.structs import replace

    from detent.record.motion import Motion

    if not view:
        return answer
    if isinstance(answer, Motion):
        return replace(answer, notes=(*answer.notes, view)).computed_from(answer.run)
    scope = replace(answer.scope, assumed=(*answer.scope.assumed, view))
    return replace(answer, scope=scope).computed_from(answer.run)


def _read(source: object, units: str | None, argument: str) -> Mechanism:
    if isinstance(source, str) and "\n" in source:
        problem = "this is the text of a document, not the name of one"
        raise ModelError.at(argument, problem, "read it with `detent.loads(text)`")
    if isinstance(source, str | os.PathLike):
        return formats.load(find(os.fspath(source)), units=units)
    if isinstance(source, Mapping):
        problem = "a dict is not a Mechanism"
        raise WrongTypeError.at(argument, problem, "read it with `detent.from_dict(data)`")
    problem = f"{clipped(repr(source))} is not a machine"
    raise WrongTypeError.at(
        argument, problem, "give a Mechanism, the path of a document, or the name of an example"
    )


# What --units says of drawings that do not say their own, for the command that runs.
drawing_units: ContextVar[str | None] = ContextVar("drawing_units", default=None)


def load(file: str) -> Mechanism:
    """The Mechanism that FILE means; `-` reads TOML or JSON from the standard input."""
    if file == "-":
        data = files.within_limits(sys.stdin.buffer.read(files.MAX_BYTES + 1), "<stdin>")
        return document.loads(files.decode(data, "<stdin>"), file="<stdin>")
    return formats.load(find(file), units=drawing_units.get())
