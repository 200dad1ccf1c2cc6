"""Text read by a grammar of lark's, and what is said of text that does not follow it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from detent.io.disk.foreign import TextError

# As much of what does not belong is shown; the rest is in the file.
_SHOWN = 40


def parsed(grammar: str, text: str, names: Mapping[str, str], *, stranger: str) -> Any:
    """The tree; `names` are of the grammar's terminals, `stranger` is said of a character it has not."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    try:
        return _parser(grammar).parse(text)
    except UnexpectedToken as problem:
        wanted = {names.get(name, name.lower()) for name in problem.accepts or problem.expected}
        words = f"{_said(problem.token)} does not belong here"
        raise TextError(words, _expected(wanted), *_counted(problem)) from None
    except UnexpectedCharacters as problem:
        raise TextError(f"{problem.char!r} {stranger}", "remove it", *_counted(problem)) from None
    except UnexpectedInput as problem:
        remedy = "compare it with an example of this format"
        raise TextError("cannot be read", remedy, *_counted(problem)) from None


@cache
def _parser(grammar: str) -> Any:
    from lark import Lark

    return Lark(grammar, parser="lalr", propagate_positions=True, maybe_placeholders=True)


def _said(token: Any) -> str:
    ends = {"$END": "the end of the file", "_NL": "the end of the line"}
    return ends.get(token.type) or repr(str(token)[:_SHOWN])


def _expected(words: set[str]) -> str:
    """What the parser would have accepted, for a person."""
    return "expected " + (" or ".join(sorted(words)[:8]) or "nothing more")


def _counted(problem: Any) -> tuple[int | None, int | None]:
    """Line and column, where the parser knows them."""
    line, column = (n if isinstance(n, int) and n > 0 else None for n in (problem.line, problem.column))
    return line, column
