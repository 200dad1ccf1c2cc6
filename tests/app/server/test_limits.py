"""What is too large, too deep or too slow is refused, and the server lives on."""

from __future__ import annotations

import json
import re
import socket
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed

from detent.app.server import limits
from tests.app.server.running import FOUR_BAR, PATIENCE

ROOT = Path(__file__).parents[3]


def test_the_server_neither_unpickles_nor_evaluates():
    words = re.compile(r"\b(pickle|marshal|shelve|eval|exec)\b\s*[(.]|import (pickle|marshal|shelve)")
    for file in (ROOT / "src" / "detent" / "app" / "server").glob("*.py"):
        assert not words.search(file.read_text()), file


def nested(depth):
    """A document whose shape nests so deep."""
    shape = '{"union": [' * depth + '{"circle": 1}' + "]}" * depth
    head = '{"seq": 1, "do": "check", "document": {"format": "detent/1", "parts": {"a": {"shape": '
    return head + shape + "}}}}"


@pytest.mark.parametrize("depth", [70, 400])
def test_a_document_nested_too_deep_is_a_problem_at_its_place(client, depth):
    client.socket.send(nested(depth))
    problems = client.receive()["answer"]["problems"]
    assert "nested" in problems[0]["problem"]


def test_a_message_nested_beyond_any_document_ends_the_connection_only(client, server, cookie):
    client.socket.send(nested(300_000))
    with pytest.raises(ConnectionClosed):
        client.receive()
    assert server.request("GET", "/", headers={"Cookie": cookie})[0] == 200


def test_a_message_over_the_limit_ends_the_connection_only(client, server, cookie):
    with suppress(ConnectionClosed):  # it may hang up while we still send
        client.socket.send("x" * (limits.MESSAGE_BYTES + 1))
    with pytest.raises(ConnectionClosed):
        client.receive()
    assert server.request("GET", "/", headers={"Cookie": cookie})[0] == 200


def test_a_body_over_the_limit_is_refused_before_it_is_read(server, cookie):
    headers = {"Cookie": cookie, "Origin": server.origin, "Content-Length": str(limits.BODY_BYTES + 1)}
    assert server.request("POST", "/api/import?name=a.json", headers=headers, body=b"x")[0] == 413


def test_a_body_of_unsaid_length_is_refused_when_it_grows_too_large(server, cookie):
    host, port = server.host.split(":")
    with socket.create_connection((host, int(port)), timeout=PATIENCE) as link:
        link.sendall(
            f"POST /api/import?name=a.json HTTP/1.1\r\nHost: {server.host}\r\nCookie: {cookie}\r\n"
            f"Origin: {server.origin}\r\nTransfer-Encoding: chunked\r\n\r\n".encode()
        )
        chunk = b"x" * 2**20
        try:
            for _ in range(limits.BODY_BYTES // len(chunk) + 1):
                link.sendall(f"{len(chunk):x}\r\n".encode() + chunk + b"\r\n")
        except OSError:
            pass  # it has answered and hung up, which is what is asked of it
        assert b" 413 " in link.recv(100)


@pytest.mark.parametrize(
    "document",
    [
        {"format": "detent/1", "parts": {"a": {"shape": {"circle": 1, "repeat": {"count": 10**9}}}}},
        {"format": "detent/1", "title": "x" * 1_000_000},
        {"format": "detent/1", "parts": {f"p{i}": {} for i in range(20_000)}},
        {"format": "detent/1", "parts": {"a": {"pose": {"at": ["1e4000", 0]}}}},
        {},
        [],
        None,
        "text",
        1e308,
    ],
    ids=[
        "billion copies",
        "long title",
        "many parts",
        "huge number",
        "empty",
        "list",
        "null",
        "text",
        "number",
    ],
)
def test_any_document_is_answered(client, document):
    said = client.ask("edit", document=document)
    assert said["ok"] or said["problems"]
    assert client.answer("check", document=FOUR_BAR)["problems"] == []


def test_answers_hold_no_infinity_and_no_nan(client):
    document = json.loads(json.dumps(FOUR_BAR))
    document["parts"]["crank"]["markers"]["B"] = [1e308, 1e308]
    client.send("edit", document=document)
    text = client.socket.recv(timeout=PATIENCE)
    json.loads(text, parse_constant=lambda name: pytest.fail(f"the answer holds {name}"))
