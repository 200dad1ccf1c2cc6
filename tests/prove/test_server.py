"""The server under load: killed at any moment, stalled by a client, idle by the thousand, dragged all day."""

from __future__ import annotations

import asyncio
import copy
import json
import math
import os
import random
import resource
import signal
import socket
import threading
import time
from contextlib import AsyncExitStack, suppress
from pathlib import Path

from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from detent.app.server import LONG, QUICK, files
from tests.app.server.running import FOUR_BAR, PATIENCE, Client, Running
from tests.conftest import campaign
from tests.prove.mutate import mutated_bytes, mutated_table

MB = 1e6
BURST = 50  # messages a frame's time apart at most, of which few are computed
PAGE = os.sysconf("SC_PAGE_SIZE")


def resident(pid):
    """Memory that a process holds [bytes]."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE


def descriptors(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def family(pid):
    """A process and its children."""
    tasks = Path(f"/proc/{pid}/task/{pid}/children")
    return [pid, *map(int, tasks.read_text().split())]


def test_a_kill_at_any_moment_loses_no_answered_edit(tmp_path):
    """Every edit that was answered is in the draft; what is there is whole, never older than that."""
    chance = random.Random(20)
    edits = kills = 0
    for _ in range(campaign(6, 1000)):
        answered = _edit_until_killed(tmp_path, chance.uniform(0.0, 0.08))
        if answered is None:
            continue
        kept = json.loads((tmp_path / ".detent" / "drafts" / "d.json").read_text())
        number = int(kept["document"]["title"])
        assert number >= answered, "an answered edit was lost"
        assert len(kept["document"]["parts"]["plate"]["shape"]["outline"]) == 1000
        kills, edits = kills + 1, edits + answered
    assert kills > 0
    assert edits > 0


def _edit_until_killed(folder, after):
    """The number of the last edit that was answered before the server was killed."""
    outline = [[i, i * i] for i in range(1000)]
    document = {"format": "detent/1", "parts": {"plate": {"shape": {"outline": outline}}}}
    server = Running(folder).__enter__()
    timer = threading.Timer(PATIENCE, lambda: None)
    answered = None
    try:
        with Client(server, server.enter()) as client:
            client.answer("draft", draft="d", document={**document, "title": "0"})
            answered = 0
            timer = threading.Timer(after, server.process.send_signal, (signal.SIGKILL,))
            timer.start()
            for number in range(1, 10_000):
                client.answer("draft", draft="d", document={**document, "title": str(number)})
                answered = number
    except (OSError, ConnectionClosed):
        pass  # killed, as was to be
    finally:
        timer.cancel()
        code = server.process.wait(PATIENCE)
        server.__exit__()
    assert code == -signal.SIGKILL
    return answered


def test_no_message_brings_the_server_down(tmp_path):
    """Questions of every kind with fields swapped, dropped, mistyped and bytes changed, by the thousand."""
    chance = random.Random(11)
    with Running(tmp_path) as server:
        cookie = server.enter()
        for _ in range(campaign(6, 400)):
            with Client(server, cookie) as client, suppress(ConnectionClosed, TimeoutError):
                for seq in range(50):
                    client.socket.send(_mutated(chance, seq))
                while said := client.socket.recv(timeout=0.5):
                    assert "a defect of ours" not in said
        with Client(server, cookie) as client:
            assert client.answer("check", document=FOUR_BAR)["problems"] == []
    inside = {path.name for path in tmp_path.iterdir()}
    assert inside <= {".detent", "m.json", "m.toml"}


def _mutated(chance, seq):
    """A question that is wrong in a place or three; now and then not even JSON."""
    question = {
        "seq": seq,
        "do": chance.choice([*files.FILES, *QUICK, *LONG, "nonsense"]),
        "channel": chance.choice([None, "a", "b"]),
        "document": copy.deepcopy(FOUR_BAR),
        "path": chance.choice(["m.json", "m.toml"]),
        "draft": "d",
        "poses": {"crank": [0, 0, 1]},
        "part": "crank",
        "point": [0, 1],
        "target": [1, 1],
        "points": [{"part": "coupler", "point": [0, 0]}],
        "operation": "close",
        "drive": {"joint": "A", "from": 0, "to": 1, "steps": 3},
        "of": seq - 1,
        "name": "four_bar",
    }
    made = question if chance.random() < 0.2 else mutated_table(question, chance)
    text = json.dumps(made)
    if chance.random() < 0.02:
        text = mutated_bytes(text.encode(), chance).decode(errors="replace")
    return text


def test_a_client_that_reads_nothing_stalls_nobody(tmp_path):
    """It asks for answers of many megabytes and never takes them; the others are served, memory stays."""
    big = {"format": "detent/1", "title": "x" * 500_000}
    with Running(tmp_path) as server:
        cookie = server.enter()
        with Client(server, cookie) as other:
            other.answer("check", document=FOUR_BAR)
            stalled = [_reads_nothing(server, cookie, big) for _ in range(campaign(5, 50))]
            before = resident(server.process.pid)
            for _ in range(campaign(200, 5000)):
                assert other.answer("check", document=FOUR_BAR)["problems"] == []
            assert resident(server.process.pid) - before < 20 * MB
            for link in stalled:
                link.close()


def _reads_nothing(server, cookie, document):
    """A WebSocket spoken by hand: drafts asked for again and again, nothing ever received."""
    host, port = server.host.split(":")
    link = socket.socket()
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    link.connect((host, int(port)))
    link.sendall(
        f"GET /ws HTTP/1.1\r\nHost: {server.host}\r\nOrigin: {server.origin}\r\nCookie: {cookie}\r\n"
        "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode()
    )
    assert b" 101 " in link.recv(1000)
    link.settimeout(0.3)
    try:
        link.sendall(_frame({"seq": 1, "do": "draft", "draft": "stalled", "document": document}))
        for seq in range(2, 400):
            link.sendall(_frame({"seq": seq, "do": "recover", "draft": "stalled"}))
    except TimeoutError:
        pass  # the server reads no more from it, as it should
    return link


def _frame(message):
    """One masked text frame; a mask of zeros leaves the bytes as they are."""
    data = json.dumps(message).encode()
    size = len(data)
    head = bytes([0x81, 0x80 | size]) if size < 126 else bytes([0x81, 0xFF]) + size.to_bytes(8, "big")
    return head + bytes(4) + data


def test_idle_sessions_cost_little_and_none_fails(tmp_path):
    """1,000 sessions, each having spoken once: at most 50 MB in all, and all still answer."""
    count = campaign(100, 1000)
    with Running(tmp_path) as server:
        cookie = server.enter()
        asyncio.run(_sessions(server, cookie, 10))  # what the first sessions load is not theirs
        before = resident(server.process.pid)
        after = asyncio.run(_sessions(server, cookie, count))
        assert after - before <= 50 * MB * count / 1000
        with Client(server, cookie) as client:
            assert client.answer("ping") == {}


async def _sessions(server, cookie, count):
    """Open so many, let each ask, then each again; the server's memory while all are open."""
    _allow_descriptors(2 * count + 100)
    async with AsyncExitStack() as stack:
        opened = []
        for _ in range(count):
            opening = connect(
                f"ws://{server.host}/ws",
                origin=server.origin,
                additional_headers={"Cookie": cookie},
                compression=None,
                proxy=None,
                open_timeout=PATIENCE,
                ping_interval=None,
            )
            opened.append(await stack.enter_async_context(opening))
        for turn in (1, 2):
            await asyncio.gather(*(one.send(json.dumps({"seq": turn, "do": "ping"})) for one in opened))
            for one in opened:
                said = json.loads(await asyncio.wait_for(one.recv(), PATIENCE))
                assert said == {"seq": turn, "ok": True, "answer": {}}
        return resident(server.process.pid)


def _allow_descriptors(count):
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(count, hard)), hard))


def test_drags_without_end_leave_memory_and_descriptors_flat(tmp_path):
    """A day of dragging in one go: the second half costs the server and its children nothing more."""
    with Running(tmp_path) as server:
        cookie = server.enter()
        messages = campaign(4_000, 5_000_000)
        pid = server.process.pid
        _drag(server, cookie, messages // 2)
        memory, files = [sum(map(of, family(pid))) for of in (resident, descriptors)]
        _drag(server, cookie, messages // 2)
        assert sum(map(resident, family(pid))) - memory < 4 * MB
        assert sum(map(descriptors, family(pid))) <= files


def _drag(server, cookie, messages):
    """Pointer positions as fast as the server takes them, in one channel; the last must be answered."""
    with Client(server, cookie) as client:
        said = client.answer("picture", document=FOUR_BAR)
        key, poses = said["key"], said["poses"]
        for burst in range(messages // BURST):
            for k in range(BURST):
                angle = 2 * math.pi * (burst * BURST + k) / messages
                target = [math.sin(angle), math.cos(angle)]
                last = client.send(
                    "drag", key=key, channel="drag", poses=poses, part="crank", point=[0, 1], target=target
                )
            deadline = time.monotonic() + PATIENCE
            while (said := client.receive())["seq"] != last:
                assert time.monotonic() < deadline
            poses = said["answer"]["poses"]
            assert said["answer"]["reached"]
