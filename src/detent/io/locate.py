"""Lines and columns: where in a text a path of the document stands.

Asked only once something is wrong, so plain scanning is fast enough. A line is
given where it is sure to help: the key itself, else the nearest table above it.
"""

from __future__ import annotations

import re

_HEADER = re.compile(r"^\s*\[\[?\s*([^\]\n]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(
    r"""^\s*((?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|"[^"\n]*"|'[^'\n]*'))*)\s*="""
)
_PART = re.compile(r"""[A-Za-z0-9_-]+|"[^"]*"|'[^']*'""")
_PLACE = re.compile(r"\s*\(at (?:line (\d+), column (\d+)|end of document)\)\s*$")


def in_toml(text: str, at: str) -> int | None:
    """Line (from 1) of the deepest part of the path that can be found."""
    wanted = at.split(".") if at else []
    best: tuple[int, int] | None = None
    table: list[str] = []
    counts: dict[str, int] = {}
    for index, line in enumerate(text.split("\n"), start=1):
        if header := _HEADER.match(line):
            table = _parts(header.group(1))
            if line.lstrip().startswith("[["):
                name = ".".join(table)
                counts[name] = counts.get(name, -1) + 1
                table = [*table, str(counts[name])]
            path = table
        elif key := _KEY.match(line):
            path = [*table, *_parts(key.group(1))]
        else:
            continue
        depth = _shared(path, wanted)
        if depth == len(path) and (best is None or depth > best[0]):
            best = (depth, index)
    return best[1] if best else None


def in_json(text: str, at: str) -> int | None:
    """Line (from 1) of the deepest part of the path that can be found."""
    position, found = 0, False
    for key in at.split(".") if at else []:
        if key.isdigit():
            continue
        after = re.compile(rf'"{re.escape(key)}"\s*:').search(text, position)
        if after is None:
            break
        position, found = after.start(), True
    return text.count("\n", 0, position) + 1 if found else None


def of_toml_error(message: str, text: str) -> tuple[str, int | None, int | None]:
    """A parser's message split into words, line and column."""
    place = _PLACE.search(message)
    if place is None:
        return f"is not TOML: {message}", None, None
    words = f"is not TOML: {message[: place.start()]}"
    if place.group(1):
        return words, int(place.group(1)), int(place.group(2))
    return words, text.count("\n") + 1, None


def has_long_key(line: str, most: int) -> bool:
    """Whether more than `most` dots stand in what could be one key; a string is one piece of it."""
    dots = position = 0
    while position < len(line):
        char = line[position]
        if char in "\"'":
            end = line.find(char, position + 1)
            position = len(line) if end < 0 else end
        elif char == ".":
            dots += 1
            if dots > most:
                return True
        elif char in "=,[]{}#":
            dots = 0
        position += 1
    return False


def _parts(dotted: str) -> list[str]:
    return [piece.strip("\"'") for piece in _PART.findall(dotted)]


def _shared(path: list[str], wanted: list[str]) -> int:
    depth = 0
    for mine, theirs in zip(path, wanted, strict=False):
        if mine != theirs:
            break
        depth += 1
    return depth
