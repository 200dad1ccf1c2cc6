"""Show this machine: a picture as drawn (.svg, .png).

Parts have their own colours, what is fixed is hatched, joints and springs have
their usual symbols. Axes are equal; the bar gives the scale in document units.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from detent.app import source
from detent.app.answer import Answer
from detent.draw import png, svg
from detent.draw.machine import scene_of
from detent.foundation.errors import ModelError
from detent.io.native import write_atomically

SMALLEST, LARGEST = 100, 10_000  # [px] a side that still shows something, and that memory can hold
ENDINGS = ("svg", "png")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="a document, or the name of an example")
    parser.add_argument("-o", "--output", metavar="OUT", help="picture to write; FILE's name with .svg, here")
    parser.add_argument("--size", type=int, default=800, metavar="PIXELS", help="longer side (800)")


def run(args: argparse.Namespace) -> Answer:
    if not SMALLEST <= args.size <= LARGEST:
        raise ModelError.at("--size", f"{args.size} pixels", f"choose {SMALLEST} to {LARGEST}")
    path = Path(args.output) if args.output else Path(Path(args.file).name).with_suffix(".svg")
    ending = path.suffix.lower().lstrip(".")
    if ending not in ENDINGS:
        raise ModelError.at("-o", f"{str(path)!r} ends in none of {', '.join(ENDINGS)}", "choose such a name")
    scene = scene_of(source.load(args.file))
    data = png.write(scene, size=args.size) if ending == "png" else svg.write(scene, size=args.size).encode()
    write_atomically(path, data)
    return Answer(data={"wrote": str(path), "bytes": len(data)}, text=f"wrote {path} ({len(data)} bytes)")
