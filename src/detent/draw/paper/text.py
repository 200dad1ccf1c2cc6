"""Words as outlines, so that a picture reads the same with any fonts, or none.

The outlines are a part of DejaVu Sans, kept beside this file with their licence
and written by tools/make_glyphs.py. Sizes are in pixels to the em; y is down and
the baseline at 0. A character that is not there is drawn as an empty box.
"""

from __future__ import annotations

from functools import cache

EM = 1000.0
ASCENT, DESCENT = 0.76, 0.24  # of the em: room above and below the baseline
MISSING = 0x25A1


@cache
def _glyphs() -> dict[int, tuple[float, str]]:
    from importlib.resources import files

    table = {}
    for line in (files("detent.draw") / "font" / "glyphs.txt").read_text().splitlines():
        code, advance, *path = line.split(" ", 2)
        table[int(code, 16)] = (float(advance), path[0] if path else "")
    return table


def glyph(character: str) -> tuple[float, str]:
    """Advance [1/1000 em] and SVG path of one character."""
    table = _glyphs()
    return table.get(ord(character), table[MISSING])


def width(text: str, size: float) -> float:
    """Length of a line of text [px]."""
    return sum(glyph(character)[0] for character in text) * size / EM


def wrap(text: str, size: float, limit: float) -> list[str]:
    """The text in lines no longer than `limit`; a word longer than that is cut."""
    lines: list[str] = []
    line = ""
    for word in text.split():
        word = shorten(word, size, limit)
        longer = f"{line} {word}" if line else word
        if line and width(longer, size) > limit:
            lines.append(line)
            line = word
        else:
            line = longer
    return [*lines, line] if line else lines


def shorten(text: str, size: float, limit: float) -> str:
    """The text, cut with an ellipsis where it is longer than `limit`."""
    if width(text, size) <= limit:
        return text
    while text and width(text + "…", size) > limit:
        text = text[:-1]
    return text + "…"
