"""Commands that a page shows, and whether the program says what stands there."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence


def commands(text: str) -> Iterator[tuple[list[str], list[str]]]:
    """Each command with the lines shown after it."""
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, flags=re.M):
        yield shlex.split(command), shown.splitlines()


def is_shown(lines: Sequence[str], said: Sequence[str]) -> bool:
    """Whether the lines are what was said, from its beginning; `…` stands for any number of lines."""
    rest = list(said)
    for k, line in enumerate(lines):
        if line == "…":
            following = lines[k + 1] if k + 1 < len(lines) else None
            while rest and rest[0] != following:
                rest.pop(0)
        elif not rest or rest.pop(0) != line:
            return False
    return not rest
