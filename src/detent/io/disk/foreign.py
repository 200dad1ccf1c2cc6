"""Reading foreign text: how to say where it is wrong, and limits that keep it cheap.

Importers build plain data and hand them to the model's own conversion, so that
what a document may hold is decided in one place. What conversion objects to is
traced back to the line that the named shape or part came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from detent.foundation.errors import ModelError, Problem
from detent.io.disk.files import read_text
from detent.model.document.mechanism import Mechanism
from detent.model.reading import convert

# A grammar reads about a hundred thousand characters a second; a machine written
# by hand has a few thousand.
MAX_CHARACTERS = 150_000
# As deep as the document itself may nest.
MAX_DEPTH = 50
# Arithmetic on exact numbers doubles their digits; no dimension needs more.
MAX_BITS = 1300


class TextError(Exception):
    """Something wrong at a place in the text."""

    def __init__(self, problem: str, remedy: str, line: int | None, column: int | None = None) -> None:
        super().__init__(problem)
        self.problem, self.remedy, self.line, self.column = problem, remedy, line, column

    def in_file(self, file: str) -> ModelError:
        return ModelError(Problem("", self.problem, self.remedy, file, self.line, self.column))


def text_of(file: Path) -> str:
    """The text of a foreign file, within the limit."""
    text = read_text(file)
    if len(text) > MAX_CHARACTERS:
        problem = f"is longer than {MAX_CHARACTERS // 1000} thousand characters"
        raise ModelError.at("", problem, "split it, or convert it to .json elsewhere", file=str(file))
    return text


def mechanism(data: Mapping[str, Any], file: str, lines: Mapping[str, int]) -> Mechanism:
    """The Mechanism, or what is wrong with it by the line of the shape or part it is in."""
    try:
        return convert.mechanism(data)
    except ModelError as error:
        placed = [replace(p, file=file, line=_line(p.at, lines)) for p in error.problems]
        raise ModelError(*placed) from None


def bounded(value: Fraction, line: int | None, column: int | None = None) -> Fraction:
    """An exact number that stayed of reasonable size."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise TextError("a number grows beyond 400 digits", "use plain decimals", line, column)
    return value


def refuse_unbalanced(tokens: list[tuple[str, int, int]], pairs: Mapping[str, str]) -> None:
    """Brackets that close nothing or stay open, and nests too deep, by place.

    `tokens` are the brackets of one statement with their line and column.
    """
    opened: list[tuple[str, int, int]] = []
    closers = {close: begin for begin, close in pairs.items()}
    for text, line, column in tokens:
        if text in pairs:
            opened.append((text, line, column))
            if len(opened) > MAX_DEPTH:
                problem = f"brackets are nested deeper than {MAX_DEPTH} levels"
                raise TextError(problem, "name parts of it", line, column)
        elif not opened:
            problem = f"this {text!r} closes nothing: a {closers[text]!r} is missing before it"
            remedy = f"add the missing {closers[text]!r}, or remove this {text!r}"
            raise TextError(problem, remedy, line, column)
        elif opened[-1][0] != closers[text]:
            problem = f"this {text!r} does not match the {opened[-1][0]!r} before it"
            raise TextError(problem, "mend the brackets", line, column)
        else:
            opened.pop()
    if opened:
        text, line, column = opened[-1]
        problem = f"this {text!r} is never closed: a {pairs[text]!r} is missing"
        raise TextError(problem, f"add the missing {pairs[text]!r}", line, column)


def _line(at: str, lines: Mapping[str, int]) -> int | None:
    pieces = at.split(".")
    while pieces:
        if (line := lines.get(".".join(pieces))) is not None:
            return line
        pieces.pop()
    return None
