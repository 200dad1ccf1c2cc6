"""The grammar of PADL-2, and what is said of text that does not follow it."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

from detent.io import written
from detent.io.written import TextError

_GRAMMAR = r"""
start: (_NL | statement _NL)*
?statement: _GENERIC NAME "(" [NAME ("," NAME)*] ")" -> generic
          | _ATTR NAME ":" NAME "=" sum              -> attribute
          | NAME "=" assembly                         -> define
?assembly: boolean (_ASB boolean)*
?boolean: placed (OPERATION placed)*
?placed: sum (_AT "(" argument ("," argument)* ")")*
?sum: product (PLUS product)*
?product: factor (TIMES factor)*
?factor: PLUS+ atom -> signed
       | atom
?atom: NUMBER -> number
     | NAME -> name
     | NAME "(" [argument ("," argument)*] ")" -> call
     | "(" assembly ")"
argument: [NAME "="] assembly
OPERATION.2: /(un|dif|int)(?![A-Za-z0-9_])/i
_GENERIC.2: /generic(?![A-Za-z0-9_])/i
_ATTR.2: /attr(?![A-Za-z0-9_])/i
_ASB.2: /asb(?![A-Za-z0-9_])/i
_AT.2: /at(?![A-Za-z0-9_])/i
PLUS: "+" | "-"
TIMES: "*" | "/"
NUMBER: /(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,3})?/
NAME: /[A-Za-z][A-Za-z0-9_]*/
_NL: /\r?\n/
%ignore /[ \t\f]+/
%ignore /\\[ \t]*\r?\n/
"""

_NAMES = {
    "OPERATION": "un, dif, int",
    "PLUS": "+ or -",
    "TIMES": "* or /",
    "NUMBER": "a number",
    "NAME": "a name",
    "LPAR": "'('",
    "RPAR": "')'",
    "EQUAL": "'='",
    "COMMA": "','",
    "COLON": "':'",
    "_NL": "a new line",
    "_AT": "at",
    "_ASB": "asb",
    "_GENERIC": "generic",
    "_ATTR": "attr",
    "$END": "the end of the file",
}


@cache
def _grammar() -> Any:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", propagate_positions=True, maybe_placeholders=True)


def parse(text: str) -> Any:
    """The statements of PADL text."""
    from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

    _refuse_unbalanced(text)
    try:
        return _grammar().parse(text + "\n")
    except UnexpectedToken as problem:
        wanted = {_NAMES.get(name, name.lower()) for name in problem.accepts or problem.expected}
        token = "the end of the file" if problem.token.type == "$END" else repr(str(problem.token)[:40])
        token = "the end of the line" if problem.token.type == "_NL" else token
        words = f"{token} does not belong here"
        raise TextError(words, written.expected(wanted), problem.line, problem.column) from None
    except UnexpectedCharacters as problem:
        words = f"{problem.char!r} is no character of PADL"
        raise TextError(words, "remove it", problem.line, problem.column) from None
    except UnexpectedInput as problem:
        raise TextError("cannot be read", "", problem.line, problem.column) from None


def _refuse_unbalanced(text: str) -> None:
    """Parentheses, statement by statement, for a clearer word than a grammar has."""
    statement: list[tuple[str, int, int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        statement += [(m.group(), number, m.start() + 1) for m in re.finditer(r"[()]", line)]
        if not line.rstrip().endswith("\\"):
            written.refuse_unbalanced(statement, {"(": ")"})
            statement = []
    written.refuse_unbalanced(statement, {"(": ")"})
