"""Verdicts: an answer with its evidence and its confidence, or "undecided" with the reason."""

from __future__ import annotations

from typing import Literal

from detent.record.base import Record, Value
from detent.record.scope import UNTOLD, Scope

Confidence = Literal["certified", "computed", "likely", "undecided"]


class Evidence(Value, frozen=True, omit_defaults=True):
    """One fact behind an answer: words, and the number with its unit where there is one."""

    statement: str
    value: float | None = None
    unit: str = ""


class Verdict(Record, frozen=True):
    """What was asked, what the answer is, why, and how sure it is.

    `assumptions` lists what was assumed and would change the answer.
    """

    question: str
    answer: str
    confidence: Confidence
    evidence: tuple[Evidence, ...] = ()
    assumptions: tuple[str, ...] = ()
    reason: str = ""  # of an undecided answer
    scope: Scope = UNTOLD

    def _line(self) -> str:
        return f"{self.answer!r}, {self.confidence}: {self.question}"
