"""Mutated inputs: bytes flipped, cut, doubled and spliced; tables with values and keys exchanged."""

from __future__ import annotations

import copy
import random
from typing import Any

# What tends to break readers: edges of number ranges, wrong types, quotes, brackets, deep nests.
TOKENS = [
    b"nan",
    b"inf",
    b"-inf",
    b"1e999",
    b"-0",
    b"1e-999",
    b"9" * 50,
    b"[" * 80,
    b"{",
    b"}",
    b"]",
    b'"',
    b"'''",
    b'"""',
    b"\x00",
    b"\xff",
    b"\\u0000",
    b"\n",
    b"=",
    b".",
    b"true",
    b"1979-05-27",
    b"null",
    b"[[parts]]",
    b"a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a",
]
VALUES: list[Any] = [
    None,
    True,
    "",
    "1/0",
    "1/3",
    "nan",
    -1,
    0,
    1e308,
    10**30,
    [],
    {},
    [[[]]],
    {"x": 1},
    [0, 0],
    [1, 2, 3],
    "ground.A",
    "z",
    [0] * 50,
]


def mutated_bytes(data: bytes, chance: random.Random) -> bytes:
    """The text with one to four small accidents."""
    made = bytearray(data)
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(made) + 1)
        kind = chance.randrange(5)
        if kind == 0 and made:
            made[min(at, len(made) - 1)] = chance.randrange(256)
        elif kind == 1:
            del made[at : at + chance.randint(1, 30)]
        elif kind == 2:
            made[at:at] = chance.choice(TOKENS)
        elif kind == 3:
            piece = made[at : at + chance.randint(1, 60)]
            where = chance.randrange(len(made) + 1)
            made[where:where] = piece
        else:
            del made[at:]
    return bytes(made)


def mutated_table(data: Any, chance: random.Random) -> Any:
    """The document with one to three entries exchanged, renamed, removed or doubled."""
    made = copy.deepcopy(data)
    for _ in range(chance.randint(1, 3)):
        spots = list(_spots(made))
        if not spots:
            break
        owner, key = chance.choice(spots)
        kind = chance.randrange(4)
        if kind == 0:
            owner[key] = copy.deepcopy(chance.choice(VALUES))
        elif kind == 1:
            other, theirs = chance.choice(spots)
            owner[key] = copy.deepcopy(other[theirs])
        elif kind == 2:
            del owner[key]
        elif isinstance(owner, dict):
            owner[chance.choice(["", "a b", "type", "X", key + "x"])] = owner.pop(key)
        else:
            owner.insert(key, copy.deepcopy(owner[key]))
    return made


def _spots(data: Any) -> Any:
    if isinstance(data, dict):
        for key in list(data):
            yield data, key
            yield from _spots(data[key])
    elif isinstance(data, list):
        for index in range(len(data)):
            yield data, index
            yield from _spots(data[index])
