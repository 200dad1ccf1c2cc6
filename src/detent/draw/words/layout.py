"""How answers are laid out in words: labelled lines, tables with a header.

A labelled line is `  label      value`, its value in the fourteenth column, where the lines that
go on with it begin too. The label `drive NAME` may be longer than that.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import NamedTuple


def table_lines(head: Sequence[str], rows: Sequence[Sequence[str]], indent: str = "    ") -> list[str]:
    """The lines of a table; a column that is empty in every row is left out, no line ends in blanks."""
    kept = [k for k in range(len(head)) if any(row[k] for row in rows)]
    widths = [max(len(line[k]) for line in (head, *rows)) for k in kept]
    return [
        (indent + "  ".join(f"{line[k]:<{width}}" for k, width in zip(kept, widths, strict=True))).rstrip()
        for line in (head, *rows)
    ]


class Tabled(NamedTuple):
    """A table of an answer: its label, what is said beside it, its rows, and how many are left out."""

    label: str
    said: str
    head: tuple[str, ...]
    rows: list[tuple[str, ...]]
    more: int = 0

    @property
    def lines(self) -> list[str]:
        """As they are printed."""
        first, *others = self.said.splitlines() or [""]
        said = [f"  {self.label:<10} {first}".rstrip(), *(f"{'':13}{line}" for line in others)]
        left = [f"    and {self.more} more"] if self.more else []
        return [*said, *table_lines(self.head, self.rows), *left]


def force_words(value: float, unit: str) -> str:
    """A force, a torque or an impulse; where friction locks it has no bound."""
    return "without bound" if math.isinf(value) else f"{value:.4g}{unit}"


def named(title: str, what: str) -> str:
    """The first line of an answer: the title, or that of a document without one (`This linkage`)."""
    return title or f"This {what}"


_NAMELESS = re.compile(named("", "[a-z]+"))
_LABELLED = re.compile(r"(?=.{12} \S)  ([a-z]+(?: [a-z]+)*) +(?<=^.{13})(.*)")
_OF_A_DRIVE = re.compile(r"  (drive [A-Za-z][\w-]*) +(\S.*)")
_GOES_ON = re.compile(r" {13}(\S.*)")


def labelled(text: str, title: str) -> list[tuple[str, str]]:
    """Label and value of each labelled line of the head of an answer, up to a line that is not indented.

    The first line, after the title, is labelled `answer`, unless it only stands for a title (`named`).
    """
    first, *lines = text.splitlines() or [""]
    answer = first.removeprefix(title).removeprefix(":").strip()
    rows = [("answer", answer)] if answer and not _NAMELESS.fullmatch(first) else []
    for line in lines:
        if line[:1] != " ":
            break
        if match := _OF_A_DRIVE.fullmatch(line) or _LABELLED.fullmatch(line):
            rows.append((match[1], match[2]))
        elif (more := _GOES_ON.fullmatch(line)) and rows:
            rows[-1] = (rows[-1][0], f"{rows[-1][1]}\n{more[1]}")
    return rows


# Of a radian, or of what a length is measured by: a smaller coordinate is rounding.
_ROUNDING = 1e-10


def coordinate(value: float, unit: str, size: float) -> str:
    """A coordinate of a joint with its unit; rounding is told as 0, of a length by a `size`."""
    told = 0.0 if abs(value) <= _ROUNDING * (1.0 if unit == "rad" else size) else value
    return number_of_joint(told, unit)


def number_of_joint(value: float, unit: str) -> str:
    """A number of a joint's coordinate as it is, angles in degrees."""
    return f"{math.degrees(value):.6g}°" if unit == "rad" else f"{value:.6g} {unit}".rstrip()
