"""The shipped examples: list them, or copy one into this folder to change it.

detent examples              what is there
detent examples four_bar     writes four_bar.toml here
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from detent.app import inputs
from detent.app.questions import verb_for
from detent.draw.words.answer import Answer
from detent.draw.words.layout import table_lines
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean
from detent.io.disk.files import write_atomically
from detent.io.native import document


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="the example to copy here")
    parser.add_argument("--force", action="store_true", help="overwrite a file of that name")


def run(args: argparse.Namespace) -> Answer:
    known = inputs.examples()
    if args.name is None:
        return _listing(known)
    if args.name not in known:
        raise ModelError.at(
            "",
            f"there is no example {args.name!r}",
            did_you_mean(args.name, known, otherwise="`detent examples` lists them"),
        )
    written = []
    for original in (known[args.name], known[args.name].with_suffix(".py")):
        if original.exists():
            written.append(_copy(original, force=args.force))
    verb = verb_for(document.load(known[args.name]))
    return Answer(
        data={"written": written}, text=f"wrote {' and '.join(written)}; try `detent {verb} {written[0]}`"
    )


def _listing(known: dict[str, Path]) -> Answer:
    machines = {name: document.load(path) for name, path in known.items()}
    entries = [
        {"name": name, "title": machine.title, "verb": verb_for(machine)}
        for name, machine in machines.items()
    ]
    rows = [(entry["name"], f"detent {entry['verb']}", entry["title"]) for entry in entries]
    lines = table_lines(("name", "ask", "what it is"), rows, indent="")
    lines.append("\nuse a name wherever a FILE is asked for, or copy one here: detent examples NAME")
    return Answer(data={"examples": entries}, text="\n".join(lines))


def _copy(original: Path, *, force: bool) -> str:
    target = Path(original.name)
    if os.path.lexists(target) and not force:
        raise ModelError.at(
            "", f"{target} is already here", "use --force to overwrite it, or work in another folder"
        )
    write_atomically(target, original.read_bytes())
    return str(target)
