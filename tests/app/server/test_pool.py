"""A computation that hangs, eats memory or dies is ended and answered for; the next one is served."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from detent.app.server import Pool, limits, pool
from tests.app.server.running import PATIENCE

CHILD = (sys.executable, "-P", str(Path(__file__).with_name("misbehaving.py")))


def with_pool(work):
    """Run `work(pool)` in a loop of its own, and end the children."""

    async def run():
        children = Pool(command=CHILD)
        try:
            return await work(children)
        finally:
            await children.close()

    return asyncio.run(run())


def words(answered):
    return answered.head["problems"][0]["problem"]


def test_what_takes_too_long_is_ended_and_the_next_is_served():
    async def work(children):
        first = (await children.ask({"do": "who"})).head["answer"]["pid"]
        late = await children.ask({"do": "sleep", "for": 3600}, seconds=0.5)
        next_one = (await children.ask({"do": "who"})).head["answer"]["pid"]
        return first, late, next_one

    first, late, next_one = with_pool(work)
    assert "took longer than 0.5 s" in words(late)
    assert first != next_one


def test_memory_beyond_the_limit_is_refused_and_the_child_lives_on():
    async def work(children):
        first = (await children.ask({"do": "who"})).head["answer"]["pid"]
        ate = await children.ask({"do": "eat", "bytes": 2 * limits.CHILD_BYTES})
        return first, ate, (await children.ask({"do": "who"})).head["answer"]["pid"]

    first, ate, second = with_pool(work)
    assert "more memory" in words(ate)
    assert first == second


@pytest.mark.parametrize(
    ("act", "said"),
    [("die", "ended without an answer"), ("err", "ZeroDivisionError"), ("dive", "more memory")],
)
def test_what_dies_or_errs_is_answered_for(act, said):
    async def work(children):
        return await children.ask({"do": act}), await children.ask({"do": "who"})

    broken, fine = with_pool(work)
    assert said in words(broken)
    assert fine.ok


def test_a_child_that_still_writes_when_nobody_reads_is_ended_all_the_same():
    """Its pipe is full and reading is paused; whoever waited for the pipe to end would wait for ever."""

    async def work(children):
        await children.ask({"do": "gush", "stream": 3})
        await asyncio.sleep(0.5)
        async with asyncio.timeout(PATIENCE):
            await children.close()

    with_pool(work)


@pytest.mark.parametrize("asked", ["alone", "behind others"])
@pytest.mark.parametrize("given_up", [False, True])
def test_the_pool_closes_whatever_a_child_is_at(asked, given_up):
    """Closed after so many turns of the loop: while it starts, while its pipes are joined, while it works."""

    async def close_after(turns):
        children = Pool(command=CHILD)
        count = 1 if asked == "alone" else limits.CHILDREN + 2
        jobs = [asyncio.ensure_future(children.ask({"do": "sleep", "for": 3600})) for _ in range(count)]
        for _ in range(turns):
            await asyncio.sleep(0)
        if given_up:
            jobs[0].cancel()
        await children.close()
        assert not children._all

    def sweep():
        for turns in range(12):
            asyncio.run(close_after(turns))
        swept.append(True)

    swept = []
    sweeping = threading.Thread(target=sweep, daemon=True)
    sweeping.start()
    sweeping.join(PATIENCE)
    assert swept, "a child keeps the server from stopping"


def test_what_a_library_prints_does_not_disturb_the_answer():
    async def work(children):
        return await children.ask({"do": "chatter"}, document=b"text")

    answered = with_pool(work)
    assert answered.head["answer"]["text"] == "text"
    assert answered.body == b"body"


def test_long_questions_leave_a_child_for_the_quick_ones(monkeypatch):
    monkeypatch.setattr(limits, "QUICK_SECONDS", 30.0)

    async def work(children):
        long = [
            asyncio.create_task(children.ask({"do": "sleep", "for": 3600}, seconds=31.0)) for _ in range(5)
        ]
        await asyncio.sleep(0.2)
        quick = await children.ask({"do": "who"}, seconds=30.0)
        for task in long:
            task.cancel()
        await asyncio.gather(*long, return_exceptions=True)
        return quick, len(children._all)

    quick, left = with_pool(work)
    assert quick.ok
    assert left == 1, "a cancelled computation ends its child"


def test_a_document_is_sent_once_and_then_known_by_its_key():
    sent = []

    async def work(children):
        pack = pool.wire.pack

        def spy(head, body=b""):
            sent.append(len(body))
            return pack(head, body)

        pool.wire.pack = spy
        try:
            said = []
            for key in ["a", "a", *"bcdefghij", "a"]:
                answered = await children.ask({"do": "chatter"}, key=key, document=f"doc {key}".encode())
                said.append(answered.head["answer"]["text"])
            return said
        finally:
            pool.wire.pack = pack

    said = with_pool(work)
    assert said == [f"doc {key}" for key in ["a", "a", *"bcdefghij", "a"]]
    assert [bool(size) for size in sent] == [True, False, *[True] * 9, True]


def test_large_documents_are_forgotten_sooner():
    """Both ends count bytes alike: what one has forgotten the other sends again, and it is the right one."""
    size = limits.REMEMBERED_BYTES // 3
    keys = ["a", "b", "c", "d", "a", "b", "b", "a", "c", "d"]

    async def work(children):
        said = []
        for key in keys:
            answered = await children.ask({"do": "chatter"}, key=key, document=key.encode() * size)
            said.append(answered.head["answer"]["text"][:1])
        return said

    assert with_pool(work) == keys


def test_a_child_ends_itself_where_the_server_is_gone():
    """Its standard input ends with the server; while it computes, an alarm watches."""
    program = (
        "import asyncio, sys\n"
        "from detent.app.server.pool import Pool\n"
        "async def main():\n"
        f"    pool = Pool(command={CHILD!r})\n"
        "    print((await pool.ask({'do': 'who'})).head['answer']['pid'], flush=True)\n"
        "    import os; os._exit(0)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    command = Path(f"/proc/{int(done.stdout)}/cmdline")
    deadline = time.monotonic() + PATIENCE
    while command.exists() and b"misbehaving" in command.read_bytes():
        assert time.monotonic() < deadline, "the child outlived its server"
        time.sleep(0.05)
