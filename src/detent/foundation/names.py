"""Words: names and the nearest known one, articles, lists, and what is too long for a line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*\Z")

RULE = "a name is an ASCII letter, then ASCII letters, digits, _ or -"
# Letters that have a spelling of their own where they are missing; others lose their accents.
_SPELT_OUT = {
    "ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue", "ß": "ss", "æ": "ae", "Æ": "Ae",
    "ø": "oe", "Ø": "Oe", "å": "aa", "Å": "Aa", "œ": "oe", "Œ": "Oe", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D",
    "µ": "u", "μ": "u",
}  # fmt: skip
_LONGEST = 200  # characters of a name; nobody chooses a longer one
# Names compared one by one; and those listed where none comes near.
_MANY = 500
_FEW = 30


def is_name(text: str) -> bool:
    return bool(_NAME.match(text)) and len(text) <= _LONGEST


def spelt_out(text: str) -> str:
    """Text with letters beyond ASCII as they are written without them: `Öse` is `Oese`, `čep` is `cep`."""
    import unicodedata

    spelt = "".join(_SPELT_OUT.get(letter, letter) for letter in unicodedata.normalize("NFC", text))
    return "".join(c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))


def ascii_name(text: str) -> str | None:
    """The name nearest to a text that is not one: letters spelt out, what is left between joined by _."""
    name = re.sub(r"[^A-Za-z0-9_-]+", "_", spelt_out(text)).strip("_")[:_LONGEST]
    return name if is_name(name) else None


def name_remedy(text: str) -> str:
    """What to write instead of a text that is not a name."""
    name = ascii_name(text)
    return f"{RULE}; write {name!r}, say" if name else RULE


def with_article(noun: str) -> str:
    """A noun with its article."""
    return f"an {noun}" if noun[0] in "aeio" else f"a {noun}"


def listed(names: Sequence[str]) -> str:
    """`a, b and c`."""
    return ", ".join(names[:-1]) + " and " + names[-1] if len(names) > 1 else "".join(names)


def few(names: Sequence[str], most: int) -> str:
    """The same of so many of them; what is left is counted: `a, b and 3 more`."""
    more = [f"{len(names) - most} more"] if len(names) > most else []
    return listed([*names[:most], *more])


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
