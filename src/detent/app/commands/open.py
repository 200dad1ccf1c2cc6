"""Show me: the workbench in the browser.

detent open                 an empty drawing; files of this folder
detent open machine.toml    that document; files of its folder
detent open four_bar        a copy of a shipped example

It listens on this machine only and needs no network. The printed address lets
one browser in. Ctrl-C stops it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from detent.app import inputs
from detent.draw.words.answer import Answer
from detent.foundation.errors import ModelError

HIGHEST_PORT = 65535
SHOWS_PROGRESS = False  # it serves until it is stopped


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="a document, or the name of an example")
    parser.add_argument(
        "--port", type=int, default=0, metavar="N", help="port to listen on (default: a free one)"
    )
    parser.add_argument("--no-browser", action="store_true", help="only print the address")
    parser.add_argument(
        "--workspace", metavar="DIR", help="folder to open from and save to (FILE's, else this)"
    )


def run(args: argparse.Namespace) -> Answer:
    from detent.app.server.serve import serve

    if not 0 <= args.port <= HIGHEST_PORT:
        raise ModelError.at("--port", f"{args.port} is not a port", f"choose 1 to {HIGHEST_PORT}")
    workspace, file = place(args.file, args.workspace)
    serve(workspace, file=file, port=args.port, browser=not args.no_browser)
    return Answer(data={"stopped": True}, text="detent: stopped")


def place(file: str | None, workspace: str | None) -> tuple[Path, str | None]:
    """The workspace, and the file as the page names it: a path in it, or `example:NAME`."""
    folder = None if workspace is None else Path(workspace)
    if folder is not None and not folder.is_dir():
        raise ModelError.at("--workspace", f"there is no folder {workspace!r}", "make it first")
    if file is None:
        return folder or Path.cwd(), None
    path = inputs.find(file)
    if path.parent == inputs.examples_folder() and not Path(file).exists():
        return folder or Path.cwd(), f"example:{path.stem}"
    if not path.is_file():
        raise ModelError.at("", "there is no such file", "check the name", file=file)
    folder = folder or path.parent
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ModelError.at("--workspace", f"{file} is not in {folder}", "choose a folder that holds it")
    return folder, path.resolve().relative_to(folder.resolve()).as_posix()
