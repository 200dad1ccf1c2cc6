"""Read one format, write another; the endings of the names say which.

detent convert machine.toml machine.json
"""

from __future__ import annotations

import argparse

from detent.app import source
from detent.app.answer import Answer
from detent.io import native


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="IN", help="a document, or the name of an example")
    parser.add_argument("out", metavar="OUT", help="the file to write (.toml or .json)")


def run(args: argparse.Namespace) -> Answer:
    native.save(source.load(args.file), args.out)
    return Answer(data={"written": args.out}, text=f"wrote {args.out}")
