"""Children that look into documents, so that no document can hurt the server.

A child is a process of its own with limits of memory and time. A question that
takes longer than its limit ends the child; the question is answered with a
problem, and the next one starts a fresh child. Long questions may hold all
children but one, so that an edit never waits behind a sweep. Children start when
they are first needed, and know recent documents by key, so that a drag does not
send its document again and again.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from detent.app.server import limits, wire

Progress = Callable[[dict[str, Any]], None]

_LEFT_BYTES = 2**16
# Ended children are gone at once. Whatever keeps one, the server stops: a child has its own alarm [s].
_ENDING_SECONDS = 10.0
_COMMAND = (sys.executable, "-P", "-m", "detent.app.server.worker")


class ChildAnswer(msgspec.Struct, frozen=True):
    """What a child said: the answer or the problems, and bytes where a file was asked for."""

    head: dict[str, Any]
    body: bytes = b""

    @property
    def ok(self) -> bool:
        return "answer" in self.head


def refused(problem: str, remedy: str, at: str = "") -> ChildAnswer:
    """An answer that says why a question has no other."""
    return ChildAnswer({"problems": [{"at": at, "problem": problem, "remedy": remedy}]})


class Pool:
    """All children of one server."""

    def __init__(self, *, command: tuple[str, ...] = _COMMAND) -> None:
        self._command = command
        self._idle: list[_Child] = []
        self._all: set[_Child] = set()
        self._warming: asyncio.Task[ChildAnswer] | None = None
        self._closed = False
        self._places = asyncio.Semaphore(limits.CHILDREN)
        self._long_places = asyncio.Semaphore(limits.LONG_CHILDREN)
        # Children are ended without warning; what they leave here goes when the server does.
        self._scratch = tempfile.TemporaryDirectory(prefix="detent-", ignore_cleanup_errors=True)

    async def ask(
        self,
        question: dict[str, Any],
        *,
        key: str = "",
        document: bytes = b"",
        seconds: float = limits.QUICK_SECONDS,
        progress: Progress | None = None,
    ) -> ChildAnswer:
        """Put one question to a child; a cancelled one gives its child up at once."""
        if seconds > limits.QUICK_SECONDS:
            async with self._long_places:
                return await self._placed(question, key, document, seconds, progress)
        return await self._placed(question, key, document, seconds, progress)

    def warm(self) -> None:
        """Start a child now, unless there is one; it loads what an edit needs."""
        if not self._all:
            self._warming = asyncio.create_task(self.ask({"do": "warm"}))

    async def close(self) -> None:
        """End all children, those that are just starting too, and start no more."""
        self._closed = True
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDING_SECONDS):
                await asyncio.gather(*(self._end(child) for child in self._all))
        self._scratch.cleanup()

    async def _placed(
        self, question: dict[str, Any], key: str, document: bytes, seconds: float, progress: Progress | None
    ) -> ChildAnswer:
        async with self._places:
            if self._closed:
                return refused("the workbench is being stopped", "start it again")
            child = self._take(key)
            try:
                async with asyncio.timeout(seconds):
                    answered = await child.ask(question, key, document, seconds, progress)
            except TimeoutError:
                await self._end(child)
                return refused(f"took longer than {seconds:g} s and was ended", "make it smaller")
            except (OSError, EOFError, ValueError):
                await self._end(child)
                return refused(
                    "the computation ended without an answer, most likely for want of memory",
                    "make it smaller",
                )
            except BaseException:
                await self._end(child)
                raise
            self._idle.append(child)
            return answered

    def _take(self, key: str) -> _Child:
        """An idle child, one that knows the document first; else a new one."""
        for child in self._idle:
            if key in child.knows:
                self._idle.remove(child)
                return child
        if self._idle:
            return self._idle.pop()
        child = _Child(self._command, self._scratch.name)
        self._all.add(child)
        return child

    async def _end(self, child: _Child) -> None:
        await child.end()
        self._all.discard(child)


class _Child:
    """One process, asked one question at a time.

    Its start and its end are tasks of their own: whoever asks may be cancelled at any moment, and a start
    that is cancelled leaves a process that nobody can wait for.
    """

    def __init__(self, command: tuple[str, ...], scratch: str) -> None:
        self._command = command
        self._scratch = scratch
        self._starting: asyncio.Future[asyncio.subprocess.Process] | None = None
        self._ending: asyncio.Future[None] | None = None
        self._reading = asyncio.Lock()
        self.knows: dict[
            str, tuple[None, int]
        ] = {}  # documents by key, the latest last, as the child has them

    async def ask(
        self,
        question: dict[str, Any],
        key: str,
        document: bytes,
        seconds: float,
        progress: Progress | None,
    ) -> ChildAnswer:
        if self._starting is None:
            self._starting = asyncio.ensure_future(self._start())
        process = await asyncio.shield(self._starting)
        assert process.stdin is not None
        known = bool(key) and key in self.knows
        head = {"key": key, "known": known, "seconds": seconds, "question": question}
        process.stdin.write(wire.pack(head, b"" if known else document))
        await process.stdin.drain()
        while True:
            said, body = await self._read(process)
            if "event" not in said:
                break
            if progress is not None:
                progress(said)
        if key:
            remember(self.knows, key, None, len(document))
        return ChildAnswer(said, body)

    async def end(self) -> None:
        """The first call ends it; all wait until it is gone."""
        if self._ending is None:
            self._ending = asyncio.ensure_future(self._finish())
        await asyncio.shield(self._ending)

    async def _finish(self) -> None:
        if self._starting is None:
            return
        try:
            process = await self._starting
        except OSError:  # whoever asked has said so
            return
        _kill(process)
        # `wait` also waits for the pipe's end, which is not seen while reading is paused for a full buffer:
        # what is left is read.
        assert process.stdout is not None
        async with self._reading:
            while await process.stdout.read(_LEFT_BYTES):
                pass
        await process.wait()

    async def _start(self) -> asyncio.subprocess.Process:
        # One thread of linear algebra per child: the machine has other children to run.
        env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "PYTHONUTF8": "1"}
        env |= dict.fromkeys(("TMPDIR", "TEMP", "TMP"), self._scratch)
        return await asyncio.create_subprocess_exec(
            *self._command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env=env,
            start_new_session=os.name == "posix",  # Ctrl-C is for the server, which ends its children itself
        )

    async def _read(self, process: asyncio.subprocess.Process) -> tuple[dict[str, Any], bytes]:
        assert process.stdout is not None
        async with self._reading:
            head, body = wire.lengths(await process.stdout.readexactly(wire.HEAD))
            data = await process.stdout.readexactly(head + body)
        return msgspec.json.decode(data[:head]), data[head:]


def _kill(process: asyncio.subprocess.Process) -> None:
    """A child and what it has started itself, which would hold its pipes."""
    if process.returncode is not None:
        return
    with suppress(ProcessLookupError):
        if sys.platform == "win32":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)


def remember(kept: dict[str, tuple[Any, int]], key: str, value: Any, size: int) -> None:
    """Keep the latest few; both ends forget by this same rule, so that they agree on what is known."""
    kept.pop(key, None)
    kept[key] = value, size
    while len(kept) > 1 and (
        len(kept) > limits.REMEMBERED or sum(size for _, size in kept.values()) > limits.REMEMBERED_BYTES
    ):
        del kept[next(iter(kept))]
