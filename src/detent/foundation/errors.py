"""What a user sees when something is wrong: a place, a problem, a remedy.

A `ModelError` means that the model cannot be understood. An `UnsupportedError`
means that it is understood, but that the method asked for cannot do it; its
remedy names the one that can. A jam, a break or an undecided answer is not an
error at all: those are results, and live in the records.

Each is also the error of Python's own that a caller would look for: a `ModelError` is a
`ValueError`; one of a missing file a `FileNotFoundError` too, of an unknown name a `KeyError`,
of an argument of another kind a `TypeError`; an `UnsupportedError` is a `NotImplementedError`;
a `NoRunError` a `LookupError`, and an `AttributeError`, so that `hasattr` says no.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, where it is, and what to do about it."""

    at: str  # path in the document, as in parts.wheel.shape
    problem: str
    remedy: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None

    def __str__(self) -> str:
        place = ":".join(str(p) for p in (self.file, self.line, self.column) if p is not None)
        head = " ".join(p for p in (place and place + ":", self.at and self.at + ":") if p)
        tail = f"; {self.remedy}" if self.remedy else ""
        return f"{head} {self.problem}{tail}".strip()

    def to_json(self) -> dict[str, object]:
        """What is known of it, as plain data."""
        fields = {
            "at": self.at,
            "problem": self.problem,
            "remedy": self.remedy,
            "file": self.file,
            "line": self.line,
            "column": self.column,
        }
        return {key: value for key, value in fields.items() if value is not None}


class DetentError(Exception):
    """Base of the errors that are the user's to mend."""


class ModelError(DetentError, ValueError):
    """The model cannot be understood.

    Carries at least one `Problem`; a reader that can go on after the first one
    collects them all, so that a document is mended in one round.
    """

    def __init__(self, *problems: Problem) -> None:
        assert problems, "a ModelError names at least one problem"
        super().__init__(*problems)
        self.problems = problems

    @classmethod
    def at(cls, at: str, problem: str, remedy: str = "", **place: object) -> Self:
        """The error of one problem: where, what, and what to do about it."""
        return cls(Problem(at, problem, remedy, **place))  # type: ignore[arg-type]

    def in_file(self, file: str, locate: Callable[[str], int | None] | None = None) -> Self:
        """The same error, with the file (and, where `locate` finds it, the line) filled in."""

        def placed(problem: Problem) -> Problem:
            line = problem.line
            if line is None and locate is not None:
                line = locate(problem.at)
            return replace(problem, file=problem.file or file, line=line)

        return type(self)(*(placed(p) for p in self.problems))

    def __str__(self) -> str:
        return "\n".join(str(p) for p in self.problems)


class UnknownNameError(ModelError, KeyError):
    """Nothing has this name; the remedy has the nearest one that there is."""


class WrongTypeError(ModelError, TypeError):
    """An argument of a kind that is not understood here; the remedy says what is."""


class MissingFileError(ModelError, FileNotFoundError):
    """There is no such file, nor an example of that name."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)
        self.errno, self.filename = errno.ENOENT, problems[0].file


class UnsupportedError(DetentError, NotImplementedError):
    """Understood, but not by this method; the remedy names one that can."""

    def __init__(self, problem: str, remedy: str, at: str = "") -> None:
        super().__init__(problem)
        self.problem = Problem(at, problem, remedy)

    def __str__(self) -> str:
        return str(self.problem)

    def __reduce__(self) -> tuple[type[UnsupportedError], tuple[str, str, str]]:
        return type(self), (self.problem.problem, self.problem.remedy, self.problem.at)


class NoRunError(DetentError, LookupError, AttributeError):
    """An answer that was not computed here has no run: it was read, or sent by another process."""

    def __init__(self, problem: str, remedy: str, at: str = "run") -> None:
        super().__init__(problem)
        self.problem = Problem(at, problem, remedy)

    def __str__(self) -> str:
        return str(self.problem)

    def __reduce__(self) -> tuple[type[NoRunError], tuple[str, str, str]]:
        return type(self), (self.problem.problem, self.problem.remedy, self.problem.at)


def missing_extra(module: str, extra: str) -> UnsupportedError:
    """The error for an optional library that is not installed."""
    return UnsupportedError(
        f"this needs the optional library {module}, which is not installed",
        f"install it with: pip install 'detent[{extra}]'",
    )
