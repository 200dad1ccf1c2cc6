"""Supplementary data beside a PADL file (Gelsey 1995, Fig. 13).

    < PART : PART > inertia friction [ SPRING relaxed constant ]

Friction is the pair's linear damping; a spring is relaxed at a coordinate in
degrees and has its constant per radian. Which joint a pair forms is not said:
it is left to be inferred from the shapes. Names are told apart without regard
to case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from detent.foundation.exact import Number, number
from detent.foundation.names import did_you_mean
from detent.io.written import TextError

_LINE = re.compile(r"\s*<\s*([A-Za-z]\w*)\s*:\s*([A-Za-z]\w*)\s*>\s*(.*?)\s*$")
_SHAPE = "< PART : PART > inertia friction [SPRING relaxed constant]"


@dataclass(frozen=True)
class Pair:
    """One line: the first part's inertia, and what joins it to the second."""

    line: int
    first: str
    second: str
    inertia: Number
    damping: Number
    spring: tuple[Number, Number] | None  # relaxed position [deg], constant [per rad]


def parse(text: str) -> list[Pair]:
    """The pairs of a .phys file."""
    return [_pair(line, n) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]


def supplement(data: dict[str, Any], pairs: list[Pair]) -> None:
    """Add inertia, and joints to be inferred, to a document; its named parts come first, in their order."""
    if not pairs:
        return
    parts, joints = data["parts"], {}
    known = {name.lower(): name for name in parts}
    for pair in pairs:
        first, second = (_known(name, known, pair.line) for name in (pair.first, pair.second))
        parts[first] = {**parts[first], "inertia": pair.inertia}
        joint: dict[str, Any] = {"type": "infer", "between": [second, first], "damping": pair.damping}
        if pair.spring is not None:
            joint["spring"] = {"stiffness": pair.spring[1], "rest_deg": pair.spring[0]}
        joints[first if first not in joints else f"{first}_{second}"] = joint
    order = dict.fromkeys([known[pair.first.lower()] for pair in pairs])
    data["parts"] = {name: parts[name] for name in (*order, *(n for n in parts if n not in order))}
    data["joints"] = joints


def _pair(line: str, number_of: int) -> Pair:
    found = _LINE.match(line)
    if found is None:
        raise TextError("is no pair of parts", f"write {_SHAPE}", number_of, 1)
    words = found.group(3).split()
    if len(words) == 2:
        spring = None
    elif len(words) == 5 and words[2].upper() == "SPRING":
        spring = (_number(words[3], number_of), _number(words[4], number_of))
    else:
        raise TextError(
            f"expected 2 numbers, or SPRING and 2 more, found {found.group(3)[:60]!r}",
            f"write {_SHAPE}",
            number_of,
            found.start(3) + 1,
        )
    inertia, damping = (_number(word, number_of) for word in words[:2])
    return Pair(number_of, found.group(1), found.group(2), inertia, damping, spring)


def _number(word: str, line: int) -> Number:
    try:
        return number(word)
    except ValueError as problem:
        raise TextError(str(problem), "", line) from None


def _known(name: str, known: dict[str, str], line: int) -> str:
    if name.lower() not in known:
        raise TextError(f"there is no part {name!r}", did_you_mean(name, known.values()), line)
    return known[name.lower()]
