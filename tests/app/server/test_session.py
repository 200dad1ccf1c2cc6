"""Questions and answers of one connection: numbers, channels, stopping, and a client that misbehaves."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest
from starlette.websockets import WebSocketDisconnect

from detent.app.server import ChildAnswer, Context, Session, Workspace, limits


class Pipe:
    """A WebSocket without a network; `open` false means: the client reads nothing."""

    def __init__(self):
        self.inbox = asyncio.Queue()
        self.said = []
        self.reading = asyncio.Event()
        self.reading.set()
        self.closed = None

    async def receive_text(self):
        text = await self.inbox.get()
        if text is None:
            raise WebSocketDisconnect(1000)
        return text

    async def send_text(self, text):
        await self.reading.wait()
        self.said.append(json.loads(text))

    async def close(self, code=1000):
        self.closed = code


class SlowPool:
    """Answers when told to, and counts what it was asked."""

    def __init__(self):
        self.asked = []
        self.go = asyncio.Event()
        self.cancelled = 0

    async def ask(self, question, *, key="", document=b"", seconds=0.0, progress=None):
        self.asked.append(question["seq"])
        if progress is not None:
            progress({"event": "progress", "words": "spinning"})
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return ChildAnswer({"answer": {"target": question.get("target")}})


def conversation(talk):
    """Run `talk(pipe, pool, say)` against one session; gives what the session said."""

    async def run():
        pipe, pool = Pipe(), SlowPool()
        session = asyncio.create_task(Session(pipe, Context(Workspace(Path("/nowhere")), pool)).run())

        async def say(**message):
            pipe.inbox.put_nowait(json.dumps(message))
            await asyncio.sleep(0.01)

        await talk(pipe, pool, say)
        await asyncio.sleep(0.01)
        pipe.inbox.put_nowait(None)
        await session
        return pipe, pool

    return asyncio.run(run())


def answers(pipe):
    return [said for said in pipe.said if "event" not in said]


DOCUMENT = {"format": "detent/1"}


def test_of_a_channel_only_the_latest_is_computed():
    async def talk(pipe, pool, say):
        for seq in range(1, 101):
            await say(seq=seq, do="drag", channel="drag", document=DOCUMENT, target=seq)
        pool.go.set()

    pipe, pool = conversation(talk)
    assert pool.asked == [1, 100]
    assert [said["seq"] for said in answers(pipe)] == [1, 100]


def test_without_a_channel_every_question_is_answered_in_order():
    async def talk(pipe, pool, say):
        pool.go.set()
        for seq in range(1, 31):
            await say(seq=seq, do="drag", document=DOCUMENT, target=seq)

    pipe, _ = conversation(talk)
    assert [said["seq"] for said in answers(pipe)] == list(range(1, 31))


def test_a_file_question_does_not_wait_behind_a_computation():
    async def talk(pipe, pool, say):
        await say(seq=1, do="play", document=DOCUMENT)
        await say(seq=2, do="edit", document=DOCUMENT)
        await say(seq=3, do="ping")
        assert [said["seq"] for said in answers(pipe)] == [3]
        pool.go.set()

    pipe, _ = conversation(talk)
    assert sorted(said["seq"] for said in answers(pipe)) == [1, 2, 3]


def test_a_running_and_a_waiting_long_question_can_be_stopped():
    async def talk(pipe, pool, say):
        await say(seq=1, do="play", document=DOCUMENT)
        await say(seq=2, do="play", document=DOCUMENT)
        await say(seq=3, do="stop", of=2)
        await say(seq=4, do="stop", of=1)
        await say(seq=5, do="stop", of="nonsense")

    pipe, pool = conversation(talk)
    said = {answer["seq"]: answer for answer in answers(pipe)}
    assert [said[seq]["problems"][0]["problem"] for seq in (1, 2)] == ["stopped", "stopped"]
    assert all(said[seq]["ok"] for seq in (3, 4, 5))
    assert pool.asked == [1]
    assert pool.cancelled == 1


def test_progress_is_reported_under_the_questions_number():
    async def talk(pipe, pool, say):
        await say(seq=7, do="play", document=DOCUMENT)
        pool.go.set()

    pipe, _ = conversation(talk)
    assert {"event": "progress", "seq": 7, "words": "spinning"} in pipe.said


def test_a_document_is_named_by_its_key_and_only_the_last_is_known():
    async def talk(pipe, pool, say):
        pool.go.set()
        await say(seq=1, do="check", document=DOCUMENT)
        await say(seq=2, do="check", key=pipe.said[0]["answer"]["key"])
        await say(seq=3, do="check", document={"format": "another"})
        await say(seq=4, do="check", key=pipe.said[0]["answer"]["key"])
        await say(seq=5, do="check")

    pipe, _ = conversation(talk)
    assert [said["ok"] for said in pipe.said] == [True, True, True, False, False]
    assert pipe.said[3]["problems"][0]["problem"] == "unknown key"


def test_a_client_that_reads_nothing_holds_a_bounded_number_of_questions():
    async def talk(pipe, pool, say):
        pool.go.set()
        pipe.reading.clear()
        for seq in range(1, 10 * limits.WAITING):
            pipe.inbox.put_nowait(json.dumps({"seq": seq, "do": "check", "document": DOCUMENT}))
        await asyncio.sleep(0.05)
        taken = 10 * limits.WAITING - 1 - pipe.inbox.qsize()
        assert taken <= limits.WAITING + 2, "the rest waits in the network, where it costs the client"
        pipe.reading.set()
        while pipe.inbox.qsize():
            await asyncio.sleep(0.01)

    pipe, _ = conversation(talk)
    assert [said["seq"] for said in pipe.said] == list(range(1, 10 * limits.WAITING))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        '{"seq": 1}',
        '{"do": "ping"}',
        '{"seq": "1", "do": "ping"}',
        "NaN",
        "[" * 100_000,
        '{"seq": 1, "do": "ping", "x": ' + "[" * 100_000 + "}",
        '{"seq": 1, "do": "check", "document": {,}}',
    ],
)
def test_what_is_no_question_ends_the_connection(text):
    async def talk(pipe, pool, say):
        pipe.inbox.put_nowait(text)
        await asyncio.sleep(0.01)

    pipe, pool = conversation(talk)
    assert pipe.closed == 1008
    assert pool.asked == []


def test_a_page_that_goes_away_costs_nobody_a_child():
    """Its quick question is finished and forgotten; its long one is given up."""

    async def run():
        pipe, pool = Pipe(), SlowPool()
        session = asyncio.create_task(Session(pipe, Context(Workspace(Path("/nowhere")), pool)).run())
        for seq, do in ((1, "edit"), (2, "play")):
            pipe.inbox.put_nowait(json.dumps({"seq": seq, "do": do, "document": DOCUMENT}))
        await asyncio.sleep(0.01)
        pipe.inbox.put_nowait(None)
        await session
        await asyncio.sleep(0.01)
        return pool.asked, pool.cancelled

    assert asyncio.run(run()) == ([1, 2], 1)
