"""The grammar of PADL-2, and what is said of text that does not follow it."""

from __future__ import annotations

import re
from typing import Any

from detent.io.csg import grammar
from detent.io.disk import foreign

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


def parse(text: str) -> Any:
    """The statements of PADL text."""
    _refuse_unbalanced(text)
    return grammar.parsed(_GRAMMAR, text + "\n", _NAMES, stranger="is not a character of PADL")


def _refuse_unbalanced(text: str) -> None:
    """Parentheses, statement by statement, for a clearer word than a grammar has."""
    statement: list[tuple[str, int, int]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        statement += [(m.group(), number, m.start() + 1) for m in re.finditer(r"[()]", line)]
        if not line.rstrip().endswith("\\"):
            foreign.refuse_unbalanced(statement, {"(": ")"})
            statement = []
    foreign.refuse_unbalanced(statement, {"(": ")"})
