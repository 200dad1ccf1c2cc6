"""Read one format, write another; the endings of the names say which.

detent convert machine.toml machine.json
detent convert machine.padl machine.toml     PADL-2, with machine.phys beside it
detent convert machine.toml machine.stl      the parts as drawn, as triangles
detent convert machine.toml machine.xml      bodies and joints for MuJoCo (MJCF); .urdf for ROS
detent convert machine.json - --to toml      to the standard output

Comments of a TOML file are not carried over; the answer says so where there are any.
Read: .toml .json .padl .csg .scad .dxf .step .stp. Written: .toml .json .dxf .stl .urdf .mjcf .xml.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from detent.app import inputs, output
from detent.app.output import STDOUT
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError
from detent.io import formats
from detent.io.disk import files
from detent.io.native import locate
from detent.model.document.mechanism import Mechanism


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help="a document, or the name of an example")
    parser.add_argument(
        "out", metavar="OUT", help="the file to write (.toml, .json, .dxf, .stl, .urdf, .xml), or -"
    )
    parser.add_argument(
        "--to", choices=[ending[1:] for ending in formats.endings("writes")], help="the format, for - (toml)"
    )
    parser.add_argument("--force", action="store_true", help="overwrite OUT where it is there already")


def run(args: argparse.Namespace) -> Answer:
    source = None if args.file == STDOUT else inputs.find(args.file)
    _may_write(source, args)
    mechanism = inputs.load(args.file)
    if args.out == STDOUT:
        output.write(STDOUT, _bytes(mechanism, args.to or "toml"))
    else:
        formats.save(mechanism, args.out)
    lost = _comments(source)
    ending = Path(args.out).suffix.lower() if args.out != STDOUT else f".{args.to or 'toml'}"
    about_units = formats.units_note(mechanism, ending)
    left_out = formats.lost(mechanism, ending)
    return Answer(
        data={"written": args.out, "comments_lost": lost, "units": mechanism.units, "lost": list(left_out)},
        text=f"wrote {args.out}" if args.out != STDOUT else "",
        notes=[
            *([f"note: the {_counted(lost)} not in the new file"] if lost else []),
            *([f"note: {about_units}"] if about_units else []),
            *(f"note: not in the file: {each}" for each in left_out),
            *([f"note: {mechanism.note}"] if _foreign(source) and mechanism.note else []),
        ],
    )


def _may_write(source: Path | None, args: argparse.Namespace) -> None:
    if args.out == STDOUT:
        return
    if args.to is not None and Path(args.out).suffix.lower() != f".{args.to}":
        raise ModelError.at("--to", f"{args.to}, and {args.out!r} ends otherwise", "leave --to out")
    if source is not None and _same(source, args.out):
        raise ModelError.at("", "IN and OUT are the same file", "choose another name: comments would be lost")
    if os.path.lexists(args.out) and not args.force:
        raise ModelError.at("", f"{args.out} is already there", "use --force to overwrite it")


def _bytes(mechanism: Mechanism, kind: str) -> bytes:
    """A format as it would be written to a file: its writers know files only."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / f"out.{kind}"
        formats.save(mechanism, file)
        return file.read_bytes()


def _foreign(source: Path | None) -> bool:
    """Whether a file is not a document of our own: its note then says what its reader found."""
    return source is not None and source.suffix.lower() not in (".toml", ".json")


def _comments(source: Path | None) -> int:
    """How many comments a TOML file has."""
    if source is None or source.suffix.lower() != ".toml":
        return 0
    return locate.comments(files.read_text(source))


def _counted(comments: int) -> str:
    return "comment of the input is" if comments == 1 else f"{comments} comments of the input are"


def _same(one: Path, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
