"""Write the types of every room's door (`__init__.pyi`) from its list of names, or say which are stale.

    python tools/make_doors.py          # write them
    python tools/make_doors.py check    # exit 1 where one differs

A door loads a name when it is first used, which a type checker cannot follow; the stub tells it.
"""

from __future__ import annotations

import ast
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src"


def homes_of(path: Path) -> dict[str, str]:
    """The list of names that a room hands to `door`; empty where it has none."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "door":
            homes: dict[str, str] = ast.literal_eval(node.args[1])
            return homes
    return {}


def stub(path: Path) -> str:
    """The stub of a room: each name imported from its file."""
    folders = path.parent.parts
    room = ".".join(folders[len(folders) - folders[::-1].index("src") :])
    lines = [
        f"from {room}.{file} import {name} as {name}"
        for file, names in homes_of(path).items()
        for name in names.split()
    ]
    version = ["__version__: str"] if path.parent.parent == SOURCE else []
    return "\n".join(["# Written by tools/make_doors.py.", *sorted(lines), *version]) + "\n"


def main() -> int:
    stale = []
    for path in sorted(SOURCE.rglob("__init__.py")):
        if not homes_of(path):
            continue
        target = path.with_suffix(".pyi")
        if target.exists() and target.read_text() == stub(path):
            continue
        stale.append(str(target.relative_to(SOURCE)))
        if "check" not in sys.argv[1:]:
            target.write_text(stub(path))
    if "check" in sys.argv[1:] and stale:
        print("stale doors, run `python tools/make_doors.py`:", *stale, sep="\n  ")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
