"""What a user sees when something is wrong: a place, a problem, a remedy.

A `ModelError` means that the model cannot be understood. An `UnsupportedError`
means that it is understood, but that the method asked for cannot do it; its
remedy names the one that can. A jam, a break or an undecided answer is not an
error at all: those are results, and live in the records.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace


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


class ModelError(DetentError):
    """The model cannot be understood.

    Carries at least one `Problem`; a reader that can go on after the first one
    collects them all, so that a document is mended in one round.
    """

    def __init__(self, *problems: Problem) -> None:
        assert problems, "a ModelError names at least one problem"
        super().__init__(*problems)
        self.problems = problems

    @classmethod
    def at(cls, at: str, problem: str, remedy: str = "", **place: object) -> ModelError:
        return cls(Problem(at, problem, remedy, **place))  # type: ignore[arg-type]

    def in_file(self, file: str, locate: Callable[[str], int | None] | None = None) -> ModelError:
        """The same error, with the file (and, where `locate` finds it, the line) filled in."""

        def placed(problem: Problem) -> Problem:
            line = problem.line
            if line is None and locate is not None:
                line = locate(problem.at)
            return replace(problem, file=problem.file or file, line=line)

        return ModelError(*(placed(p) for p in self.problems))

    def __str__(self) -> str:
        return "\n".join(str(p) for p in self.problems)


class UnsupportedError(DetentError):
    """Understood, but not by this method; the remedy names one that can."""

    def __init__(self, problem: str, remedy: str, at: str = "") -> None:
        super().__init__(problem)
        self.problem = Problem(at, problem, remedy)

    def __str__(self) -> str:
        return str(self.problem)


def missing_extra(module: str, extra: str) -> UnsupportedError:
    """The error for an optional library that is not installed."""
    return UnsupportedError(
        f"this needs the optional library {module}, which is not installed",
        f"install it with: pip install 'detent[{extra}]'",
    )
