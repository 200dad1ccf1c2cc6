"""Supplementary data beside a PADL file (Gelsey 1995, Fig. 13).

    < PART : PART > inertia friction [ SPRING relaxed constant ]

Friction is the pair's linear damping; a spring is relaxed at a coordinate in
degrees and has its constant per radian. Which joint a pair forms is not said:
it is left to be inferred from the shapes. The inertia is the first part's, or
the second's where the first is fixed. Names are distinguished without regard to
case.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from detent.foundation.exact import Number, number
from detent.foundation.names import did_you_mean
from detent.io.disk.foreign import TextError

_LINE = re.compile(r"\s*<\s*([A-Za-z]\w*)\s*:\s*([A-Za-z]\w*)\s*>\s*(.*?)\s*$")
_SHAPE = "< PART : PART > inertia friction [SPRING relaxed constant]"


@dataclass(frozen=True)
class PhysPair:
    """One line: the first part's inertia, and what joins it to the second."""

    line: int
    column: int  # of the first name
    first: str
    second: str
    inertia: Number
    damping: Number
    spring: tuple[Number, Number] | None  # relaxed position [deg], constant [per rad]


def parse(text: str) -> list[PhysPair]:
    """The pairs of a .phys file."""
    return [_pair(line, n) for n, line in enumerate(text.splitlines(), start=1) if line.strip()]


def supplement(data: dict[str, Any], pairs: list[PhysPair]) -> None:
    """Add inertia, and joints to be inferred, to a document; its named parts come first, in their order."""
    if not pairs:
        return
    parts, joints = data["parts"], {}
    known = {name.lower(): name for name in parts}
    said: dict[frozenset[str], int] = {}
    order: list[str] = []
    for pair in pairs:
        mover, carrier = _ends(pair, known, parts)
        _refuse_again(pair, frozenset((mover, carrier)), said)
        parts[mover] = {**parts[mover], "inertia": pair.inertia}
        joints[mover if mover not in joints else f"{mover}_{carrier}"] = _joint(pair, mover, carrier)
        order.append(mover)
    data["parts"] = {name: parts[name] for name in dict.fromkeys([*order, *parts])}
    data["joints"] = joints


def _ends(pair: PhysPair, known: dict[str, str], parts: dict[str, Any]) -> tuple[str, str]:
    """The part whose inertia is meant, and the one that carries it."""
    first, second = (_known(name, known, pair.line) for name in (pair.first, pair.second))
    if first == second:
        words = f"{first!r} is paired with itself"
        raise TextError(words, "name two different parts", pair.line, pair.column)
    if not parts[first].get("fixed"):
        return first, second
    if parts[second].get("fixed"):
        words = f"both {first!r} and {second!r} are fixed"
        raise TextError(words, "name a part that moves", pair.line, pair.column)
    return second, first


def _refuse_again(pair: PhysPair, ends: frozenset[str], said: dict[frozenset[str], int]) -> None:
    if ends in said:
        words = f"the pair {pair.first} : {pair.second} is given twice, first in line {said[ends]}"
        raise TextError(words, "keep one of them", pair.line, pair.column)
    said[ends] = pair.line


def _joint(pair: PhysPair, mover: str, carrier: str) -> dict[str, Any]:
    joint: dict[str, Any] = {"type": "infer", "between": [carrier, mover], "damping": pair.damping}
    if pair.spring is None:
        return joint
    return {**joint, "spring": {"stiffness": pair.spring[1], "rest_deg": pair.spring[0]}}


def _pair(line: str, number_of: int) -> PhysPair:
    match = _LINE.match(line)
    if match is None:
        raise TextError("is not a pair of parts", f"write {_SHAPE}", number_of, 1)
    words = match.group(3).split()
    if len(words) == 2:
        spring = None
    elif len(words) == 5 and words[2].upper() == "SPRING":
        spring = (_number(words[3], number_of), _number(words[4], number_of))
    else:
        raise TextError(
            f"expected 2 numbers, or SPRING and 2 more, found {match.group(3)[:60]!r}",
            f"write {_SHAPE}",
            number_of,
            match.start(3) + 1,
        )
    inertia, damping = (_number(word, number_of) for word in words[:2])
    return PhysPair(number_of, match.start(1) + 1, match.group(1), match.group(2), inertia, damping, spring)


def _number(word: str, line: int) -> Number:
    try:
        return number(word)
    except ValueError as problem:
        raise TextError(str(problem), "write a plain number", line) from None


def _known(name: str, known: dict[str, str], line: int) -> str:
    if name.lower() not in known:
        raise TextError(f"there is no part {name!r}", did_you_mean(name, known.values()), line)
    return known[name.lower()]
