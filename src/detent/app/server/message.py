"""A question as it came over the WebSocket, understood just far enough to know who answers it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any, Literal

import msgspec

from detent.foundation.errors import ModelError

Lane = Literal["files", "quick", "long", "aside"]

QUICK = ("check", "explain", "picture", "edit", "operate", "grab", "drag")
LONG = ("play", "curves", "analyse", "run", "outlook")
OVER_TIME = ("run", "outlook")  # of those: how long they take is a person's to end
ASIDE = ("stretch", "course")  # nobody waits for it: what is waited for must not stand behind it

_KEY_DIGITS = 32
_message = msgspec.json.Decoder(dict[str, msgspec.Raw])
_plain = msgspec.json.Decoder()


class NotUnderstoodError(Exception):
    """Not a question at all; whoever sends this is not one of our pages."""


class _Head(msgspec.Struct):
    seq: int
    do: str
    channel: str | None = None
    key: str | None = None


@dataclass(frozen=True)
class Question:
    """One question. `key` and `document` are empty where it names no document that is known."""

    seq: int
    do: str
    channel: str | None
    size: int  # [bytes] of the whole message
    fields: dict[str, Any]  # all but the document
    key: str
    document: bytes

    @property
    def lane(self) -> Lane:
        # An edit that must be solved may search (two mechanisms drawn together); any other never waits.
        if self.do in LONG or (self.do == "operate" and "operation" in self.fields):
            return "long"
        if self.do in ASIDE:
            return "aside"
        return "quick" if self.do in QUICK else "files"

    def text(self, name: str) -> str:
        """A field that must be text."""
        return text_of(self.fields, name)

    def text_or_none(self, name: str) -> str | None:
        """A field that may be left out."""
        return None if self.fields.get(name) is None else self.text(name)


def text_of(fields: dict[str, Any], name: str) -> str:
    """A field that must be text."""
    value = fields.get(name)
    if not isinstance(value, str):
        raise ModelError.at(name, "expected text", f"give {name!r}")
    return value


def understand(text: str, key: str, document: bytes) -> Question:
    """A message as a question; `key` and `document` are the last ones of the connection."""
    data = text.encode()
    try:
        raw = _message.decode(data)
        sent = bytes(raw.pop("document", b""))
        fields = {name: _plain.decode(value) for name, value in raw.items()}
        head = msgspec.convert(fields, _Head)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError, RecursionError):
        raise NotUnderstoodError from None
    if sent:
        key, document = hashlib.sha256(sent).hexdigest()[:_KEY_DIGITS], sent
    elif head.key is None or head.key != key:
        key, document = "", b""
    return Question(head.seq, head.do, head.channel, len(data), fields, key, document)
