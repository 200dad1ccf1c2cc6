"""Write docs/gallery.md and its pictures from examples/; `make docs` runs this first.

Each document with something to draw gets its picture, its note, the commands that
ask it and, where there is one, the program beside it. Pictures are not committed.
"""

from __future__ import annotations

import ast
from pathlib import Path

from detent.draw import machine_scene
from detent.draw.paper import svg
from detent.foundation import UnsupportedError
from detent.io.native import document
from detent.motion import fastener

DOCS = Path(__file__).resolve().parent
EXAMPLES = DOCS.parent / "examples"
PICTURES = DOCS / "_gallery"

HEAD = """\
# Gallery

Every machine here is shipped: `detent draw NAME` draws it, `detent examples NAME` copies it. The programs
beside them run as they are; the tests hold them to their numbers.
"""


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    entries = [_entry(path) for path in sorted(EXAMPLES.glob("*.toml"))]
    entries += [_program(p) for p in sorted(EXAMPLES.glob("*.py")) if not p.with_suffix(".toml").exists()]
    (DOCS / "gallery.md").write_text("\n".join([HEAD, *entries]))


def _entry(path: Path) -> str:
    mechanism = document.load(path)
    lines = [f"## {mechanism.title or path.stem}", ""]
    if mechanism.note:
        lines += [mechanism.note, ""]
    if mechanism.rows is None:  # rows have no place in space
        (PICTURES / f"{path.stem}.svg").write_text(svg.write(machine_scene(mechanism), size=640))
        lines += [f"![{path.stem}](_gallery/{path.stem}.svg)", ""]
    lines += [f"    {_command(path.stem, mechanism)}", ""]
    if path.with_suffix(".py").exists():
        lines += _listing(path.stem)
    return "\n".join(lines)


def _program(path: Path) -> str:
    """A program that brings no document of ours: its first sentence is its title."""
    title = (ast.get_docstring(ast.parse(path.read_text())) or path.stem).splitlines()[0]
    return "\n".join([f"## {title}", "", *_listing(path.stem)])


def _listing(name: str) -> list[str]:
    return [f"```{{literalinclude}} ../examples/{name}.py", ":language: python", "```", ""]


def _command(name: str, mechanism: document.Mechanism) -> str:
    """The question that the document itself carries, where there is a method that answers it."""
    ask = mechanism.ask
    verbs = [verb for verb in ("move", "mate", "modes") if ask is not None and getattr(ask, verb) is not None]
    if verbs[:1] == ["mate"] and not _can_mate(mechanism):
        verbs = []
    return f"detent {verbs[0] if verbs else 'draw'} {name}"


def _can_mate(mechanism: document.Mechanism) -> bool:
    try:
        fastener(mechanism)
    except UnsupportedError:
        return False
    return True


if __name__ == "__main__":
    main()
