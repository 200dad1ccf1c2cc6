"""One connection of one page: questions in, answers out, of a channel only the latest.

A session has four lanes, each answering one question at a time: files, quick
questions, long ones, and those that nobody waits for. So a save never waits behind a sweep, and no page holds
more than its share of the children. Lanes run only while something waits in them;
an idle session is one suspended read. Where a client reads its answers slowly,
its own lane waits for it, then its reading stops; nobody else notices.
"""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Coroutine
from contextlib import suppress
from typing import Any

import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from detent.app.server import files, limits
from detent.app.server.context import Context
from detent.app.server.message import (
    ASIDE,
    LONG,
    OVER_TIME,
    QUICK,
    Lane,
    NotUnderstoodError,
    Question,
    understand,
)
from detent.app.server.pool import ChildAnswer, refused
from detent.foundation.errors import ModelError
from detent.foundation.names import did_you_mean

_POLICY = 1008  # the WebSocket's code for a message that breaks the rules
_encoder = msgspec.json.Encoder()
# A loop does not keep its tasks alive; whoever starts one does.
_FINISHING: set[asyncio.Future[ChildAnswer]] = set()


class Session:
    """The state of one connection."""

    __slots__ = (
        "_context",
        "_document",
        "_jobs",
        "_key",
        "_report",
        "_room",
        "_socket",
        "_stopped",
        "_tasks",
        "_waiting",
    )

    def __init__(self, socket: WebSocket, context: Context) -> None:
        self._socket = socket
        self._context = context
        self._key, self._document = "", b""
        self._waiting: dict[Lane, list[Question]] = {}
        self._tasks: dict[Lane, asyncio.Task[None]] = {}
        self._jobs: dict[int, asyncio.Future[ChildAnswer]] = {}  # long questions being computed, by seq
        self._stopped: set[int] = set()
        self._report: asyncio.Task[None] | None = None
        self._room = asyncio.Event()

    async def run(self) -> None:
        """Take questions until the page goes away."""
        try:
            while True:
                self._take(await self._socket.receive_text())
                await self._until_there_is_room()
        except (WebSocketDisconnect, RuntimeError):
            pass  # RuntimeError: a lane has closed it already
        except (NotUnderstoodError, KeyError):  # KeyError: a binary frame, which has no text
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close(_POLICY)
        finally:
            for task in self._tasks.values():
                task.cancel()

    def _take(self, text: str) -> None:
        asked = understand(text, self._key, self._document)
        if asked.document:
            self._key, self._document = asked.key, asked.document
        if asked.do == "stop":
            self._stop(asked.fields.get("of"))
        line = self._waiting.setdefault(asked.lane, [])
        if asked.channel is not None:
            line[:] = [earlier for earlier in line if earlier.channel != asked.channel]
        line.append(asked)
        if asked.lane not in self._tasks:
            self._tasks[asked.lane] = asyncio.create_task(self._work(asked.lane, line))

    async def _work(self, lane: Lane, line: list[Question]) -> None:
        try:
            while line:
                asked = line.pop(0)
                self._room.set()
                await self._send({"seq": asked.seq}, await self._answer(asked))
        except (WebSocketDisconnect, RuntimeError, TimeoutError):
            line.clear()  # the page has gone, or reads nothing any more
            with suppress(RuntimeError, WebSocketDisconnect):
                await self._socket.close()
        finally:
            del self._tasks[lane]
            self._room.set()

    async def _answer(self, asked: Question) -> ChildAnswer:
        try:
            if asked.do in files.FILES:
                return ChildAnswer({"answer": await files.FILES[asked.do](self._context, asked)})
            if asked.lane == "files":
                known = (*files.FILES, *QUICK, *LONG, *ASIDE)
                return refused(f"there is no question {asked.do[:40]!r}", did_you_mean(asked.do, known), "do")
            return await self._computed(asked)
        except ModelError as error:
            return ChildAnswer({"problems": [problem.to_json() for problem in error.problems]})
        except OSError as problem:
            return refused(f"the disk refuses: {problem.strerror or problem}", "look at the workspace folder")
        except Exception as defect:  # the session must live on; the person sees what to report
            traceback.print_exc()
            return refused(f"a defect of ours, {type(defect).__name__}: {defect}"[:500], "please report it")

    async def _computed(self, asked: Question) -> ChildAnswer:
        if not asked.document:
            return refused("unknown key", "send the document again", "key")
        extra: dict[str, Any] = {"key": asked.key}
        if asked.do == "edit" and "draft" in asked.fields:
            extra |= await files.draft_or_problem(self._context, asked)
        answered = await (self._long(asked) if asked.lane in ("long", "aside") else self._quick(asked))
        if answered.ok:
            answered.head["answer"] |= extra
        return answered

    async def _quick(self, asked: Question) -> ChildAnswer:
        """Shielded: a page that goes away in the middle must not cost the others a child."""
        job = asyncio.ensure_future(
            self._context.pool.ask(asked.fields, key=asked.key, document=asked.document)
        )
        _FINISHING.add(job)
        job.add_done_callback(_FINISHING.discard)
        return await asyncio.shield(job)

    async def _long(self, asked: Question) -> ChildAnswer:
        if asked.seq in self._stopped:
            self._stopped.discard(asked.seq)
            return _STOPPED
        job = asyncio.ensure_future(
            self._context.pool.ask(
                asked.fields,
                key=asked.key,
                document=asked.document,
                seconds=limits.RUN_SECONDS if asked.do in OVER_TIME else limits.LONG_SECONDS,
                progress=lambda said: self._progress(asked.seq, said),
            )
        )
        self._jobs[asked.seq] = job
        try:
            return await job
        except asyncio.CancelledError:
            if asked.seq in self._stopped:
                self._stopped.discard(asked.seq)
                return _STOPPED
            raise
        finally:
            del self._jobs[asked.seq]

    def _stop(self, seq: object) -> None:
        """Give up a long question: a running one ends with its child, a waiting one never starts."""
        lanes: tuple[Lane, ...] = ("long", "aside")
        waiting = [asked.seq for lane in lanes for asked in self._waiting.get(lane, [])]
        if not isinstance(seq, int) or (seq not in self._jobs and seq not in waiting):
            return
        self._stopped.add(seq)
        if seq in self._jobs:
            self._jobs[seq].cancel()

    def _progress(self, seq: int, said: dict[str, Any]) -> None:
        """News only while it is new: dropped where the client has not taken the last."""
        if self._report is None or self._report.done():
            event = {"event": "progress", "seq": seq, "words": said.get("words")}
            self._report = asyncio.create_task(self._quietly(self._write(event)))

    async def _quietly(self, sending: Coroutine[Any, Any, None]) -> None:
        with suppress(WebSocketDisconnect, RuntimeError, TimeoutError):
            await sending

    async def _send(self, head: dict[str, Any], answered: ChildAnswer) -> None:
        await self._write({**head, "ok": answered.ok, **answered.head})

    async def _write(self, said: dict[str, Any]) -> None:
        async with asyncio.timeout(limits.SEND_SECONDS):
            await self._socket.send_text(_encoder.encode(said).decode())

    async def _until_there_is_room(self) -> None:
        while True:
            waiting = [asked.size for line in self._waiting.values() for asked in line]
            if len(waiting) < limits.WAITING and sum(waiting) < limits.WAITING_BYTES:
                return
            self._room.clear()
            await self._room.wait()


_STOPPED = refused("stopped", "")
