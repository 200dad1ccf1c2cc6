"""What a verb hands to the command line: data, words, and what else it can write."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from detent.draw.paper.report import Section


@dataclass(frozen=True)
class Answer:
    """The outcome of one command.

    `data` is what --json prints; `text` is what a person reads. The callables
    are asked only when their flag is given, so that nobody pays for a picture
    that nobody wants.
    """

    data: Any
    text: str
    csv: Callable[[], str] | None = None  # --csv FILE
    plot: Callable[[str], bytes] | None = None  # --plot FILE; takes "svg" or "png"
    sections: Callable[[], list[Section]] | None = None  # --report FILE
    title: str = ""
    question: str = ""  # where it is another than the verb's
    code: int = 0
    notes: list[str] = field(default_factory=list)  # to stderr, silenced by --quiet
