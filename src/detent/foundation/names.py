"""Words: names and the nearest known one, articles, lists, and what is too long for a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")

RULE = "a name is a letter, then letters, digits, _ or -"
_LONGEST = 200  # characters of a name; nobody chooses a longer one
# Names compared one by one; and those listed where none comes near.
_MANY = 500
_FEW = 30


def is_name(text: str) -> bool:
    return bool(_NAME.match(text)) and len(text) <= _LONGEST


def with_article(noun: str) -> str:
    """A noun with its article."""
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def clipped(text: str, width: int = 60) -> str:
    """Text for a line of a message: cut where it is longer."""
    return text if len(text) <= width else text[: width - 1] + "…"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` was most likely meant to be, if any comes close."""
    from difflib import get_close_matches

    name = name.lower()[:100]
    by_lower = {k.lower()[:100]: k for k in known}
    if len(by_lower) > _MANY:  # comparing with all of them would take longer than reading them did
        by_lower = {k: v for k, v in by_lower.items() if k[:2] == name[:2] and abs(len(k) - len(name)) < 2}
    matches = get_close_matches(name, list(by_lower)[:_MANY], n=1, cutoff=0.65)
    return by_lower[matches[0]] if matches else None


def did_you_mean(name: str, known: Iterable[str], *, otherwise: str = "") -> str:
    """A remedy: the nearest known name, else the known ones, else `otherwise`."""
    known = list(known)
    closest = nearest(name, known)
    if closest is not None:
        return f"did you mean {closest!r}?"
    if known and len(known) <= _FEW:
        return "known here: " + ", ".join(known)
    return otherwise
