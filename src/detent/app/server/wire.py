"""How the server and a child speak: a head in JSON and a body in bytes, each with its length before it.

Nothing is pickled. Both ends trust each other with lengths, but the server still
bounds what it reads, since a child may have been made to misbehave by a document.
"""

from __future__ import annotations

import struct
from typing import Any, BinaryIO

import msgspec

_LENGTHS = struct.Struct(">II")
HEAD = _LENGTHS.size
# An animation of a large machine is the largest thing that a child hands back.
LARGEST = 256 * 2**20


def pack(head: object, body: bytes = b"") -> bytes:
    """One frame."""
    said = msgspec.json.encode(head)
    return _LENGTHS.pack(len(said), len(body)) + said + body


def lengths(start: bytes) -> tuple[int, int]:
    """How long the head and the body are that follow."""
    head, body = _LENGTHS.unpack(start)
    if head + body > LARGEST:
        raise ValueError("a frame larger than any answer")
    return head, body


def read(stream: BinaryIO) -> tuple[Any, bytes] | None:
    """The next frame of a blocking stream; None where it ends."""
    start = stream.read(HEAD)
    if len(start) < HEAD:
        return None
    head, body = lengths(start)
    data = stream.read(head + body)
    if len(data) < head + body:
        return None
    return msgspec.json.decode(data[:head]), data[head:]
