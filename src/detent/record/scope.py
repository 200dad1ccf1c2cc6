"""What an answer holds for: how sure it is, of what, and what it leaves out."""

from __future__ import annotations

from typing import Literal

from detent.record.base import Value

Certainty = Literal["proved", "computed", "sampled", "undecided"]


class Scope(Value, frozen=True):
    """The scope of an answer; every answer has one, and every printed answer shows it.

    `proved`: exact arithmetic or enclosures decided all that `covers` names. `computed`: floating-point
    arithmetic decided, to its stated tolerance. `sampled`: it holds at the positions looked at, not between
    them. `undecided`: no answer, and `covers` says of what. `left_out` names what the document has, or its
    reader would expect to count, and the method does not look at; `assumed` what was taken for granted and
    would change the answer.
    """

    certainty: Certainty
    covers: str
    left_out: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """One line: the certainty, and what it is about."""
        return f"{self.certainty}: {self.covers}"


# Of a record that was put together by hand, or is not an answer yet.
UNTOLD = Scope(certainty="undecided", covers="its scope is not told")
