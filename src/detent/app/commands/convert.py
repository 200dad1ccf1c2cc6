"""Read one format, write another; the endings of the names say which.

detent convert machine.toml machine.json
detent convert machine.padl machine.toml     PADL-2, with machine.phys beside it
detent convert machine.toml machine.stl      the parts as drawn, as triangles

Read: .toml .json .padl .csg .scad .dxf .step .stp. Written: .toml .json .dxf .stl.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from detent.app import inputs
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError
from detent.io import formats


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help="a document, or the name of an example")
    parser.add_argument("out", metavar="OUT", help="the file to write (.toml, .json, .dxf, .stl)")


def run(args: argparse.Namespace) -> Answer:
    if args.file != "-" and _same(inputs.find(args.file), args.out):
        raise ModelError.at("", "IN and OUT are the same file", "choose another name: comments would be lost")
    formats.save(inputs.load(args.file), args.out)
    return Answer(data={"written": args.out}, text=f"wrote {args.out}")


def _same(one: Path, other: str) -> bool:
    try:
        return os.path.samefile(one, other)
    except OSError:
        return False
