"""Show this machine: a picture as drawn (.svg, .png), or a run of it (.gif, .html).

Parts have their own colours, what is fixed is hatched, joints and springs have
their usual symbols. Axes are equal; the bar gives the scale in document units.
A .gif is a film, an .html page plays it: of the document's drives, or with --along
of any run, a Trajectory saved as JSON; then a .svg or .png shows its last state.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from detent.app import films, inputs, output
from detent.draw.machine.machine import machine_scene
from detent.draw.paper import picture
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError
from detent.foundation.names import listed

if TYPE_CHECKING:
    from detent.model.document.mechanism import Mechanism
    from detent.record.trajectory import Trajectory

SMALLEST, LARGEST = 100, 10_000  # [px] a side that still shows something, and that memory can hold
ENDINGS = (*picture.KINDS, *films.KINDS)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument(
        "-o",
        "--output",
        metavar="OUT",
        help="picture to write (- for SVG to stdout); unless said, FILE's name with .svg, here",
    )
    parser.add_argument("--size", type=int, default=800, metavar="PIXELS", help="longer side (800)")
    parser.add_argument(
        "--side", choices=("front", "side", "above"), help="of a machine in space: seen squarely from there"
    )
    parser.add_argument("--along", metavar="RUN", help="a Trajectory as JSON: shows or plays it")


def run(args: argparse.Namespace) -> Answer:
    if not SMALLEST <= args.size <= LARGEST:
        raise ModelError.at("--size", f"{args.size} pixels", f"choose {SMALLEST} to {LARGEST}")
    mechanism = inputs.load(args.file)
    path = args.output or str(Path(_name(args.file)).with_suffix(".svg"))
    ending = output.ending(path, ENDINGS, "-o")
    along = _read(args.along) if args.along else None
    if args.side and (along is not None or ending in films.KINDS):
        problem = "one side is shown of the machine as drawn"
        raise ModelError.at("--side", problem, "leave out --along, and write .svg or .png")
    still = films.standing(mechanism, along) if along is not None else []
    data = (
        _moving(mechanism, along, ending, args.size)
        if ending in films.KINDS
        else _still(mechanism, along, ending, args.size, args.side)
    )
    output.write(path, data)
    words = "" if path == output.STDOUT else f"wrote {path} ({len(data)} bytes)"
    notes = [f"note: the run says nothing of {listed(still)}, drawn as in FILE"] if still else []
    return Answer(data={"wrote": path, "bytes": len(data)}, text=words, notes=notes)


def _name(file: str) -> str:
    """What a picture is called after, unless said."""
    return "machine" if file == "-" else Path(file).name


def _still(mechanism: Mechanism, along: Trajectory | None, ending: str, size: int, side: Any = None) -> bytes:
    if side is not None:
        from detent.draw.machine.sides import seen_from

        return picture.write(seen_from(mechanism, side), ending, size=size)
    poses = None if along is None else {part: column[-1] for part, column in along.poses.items()}
    return picture.write(machine_scene(mechanism, poses), ending, size=size)


def _moving(mechanism: Mechanism, along: Trajectory | None, ending: str, size: int) -> bytes:
    run = films.driven(mechanism) if along is None else along
    return films.film_of(mechanism, run, ending, size=size)


def _read(file: str) -> Trajectory:
    from detent.record.trajectory import read_trajectory

    try:
        text = Path(file).read_bytes()
    except OSError as error:
        raise ModelError.at(
            "--along", f"cannot read {file!r}: {error.strerror}", "name a file that is there"
        ) from None
    try:
        return read_trajectory(text)
    except ValueError as error:
        raise ModelError.at(
            "--along",
            f"{file!r} is not a Trajectory: {error}",
            "save one in Python: detent.predict(mechanism).trajectory.to_json()",
        ) from None
