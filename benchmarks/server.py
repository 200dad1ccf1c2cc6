"""What the workbench's server costs: a round trip beside a bare TCP echo, and the way to a drawn page.

Batches of questions and of echoes take turns in one run, so that all see the same load of the machine; the
best batch counts, and the percentile over all stands beside it. The page's cost is the processor time of the
server and its children from the start of `detent open` until a real Chromium shows the machine; the browser's
own is not counted. The house keeps the 99th percentile of a round trip on an idle machine within 5 ms, and
the way to the page within 1.5 s of processor time.
"""

from __future__ import annotations

import http.client
import itertools
import json
import math
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

ROUNDS = 250  # in a batch; what others on the machine took is in the worse batches
TICKS = os.sysconf("SC_CLK_TCK")
EXAMPLE = "four_bar"
SETTLED_MS = 2000  # by then the page has asked about what it shows, and has drawn the answer


def run(repeats: int) -> list[Percentiles | Cost]:
    with tempfile.TemporaryDirectory() as folder, opened(folder) as (process, launch):
        return [
            _round_trips(launch, repeats),
            Cost("server and children after the round trips", _cpu(process.pid)),
            _page(),
        ]


@dataclass(frozen=True)
class Percentiles:
    """Round trips by what was asked, a list of seconds a batch."""

    found: dict[str, list[list[float]]]

    def text(self) -> str:
        base = self._best("TCP echo", 0.5)
        load = f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors"
        lines = [load, f"{'round trip':<28}  p50 ms  p99 ms: best, all  p50 of echo"]
        for name, batches in self.found.items():
            p50, p99 = self._best(name, 0.5), self._best(name, 0.99)
            every = _at([time for batch in batches for time in batch], 0.99)
            numbers = f"{1e3 * p50:6.2f}  {1e3 * p99:12.2f}, {1e3 * every:3.2f}  {p50 / base:11.1f}"
            lines.append(f"{name:<28}  {numbers}")
        return "\n".join(lines)

    def _best(self, name: str, share: float) -> float:
        return min(_at(batch, share) for batch in self.found[name])


@dataclass(frozen=True)
class Cost:
    """Processor seconds."""

    what: str
    seconds: float | None

    def text(self) -> str:
        cost = "no Chromium here" if self.seconds is None else f"{self.seconds:.2f} CPU s"
        return f"{self.what}: {cost}"


@contextmanager
def opened(folder: str, *arguments: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server, and the address that lets a browser in."""
    command = [sys.executable, "-m", "detent", "open", *arguments, "--no-browser", "--workspace", folder]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    assert process.stdout is not None
    try:
        yield process, process.stdout.readline().split()[-1]
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate()


def _round_trips(launch: str, batches: int) -> Percentiles:
    from websockets.sync.client import connect

    host = urlsplit(launch).netloc
    headers = {"Cookie": _cookie(launch)}
    with (
        connect(
            f"ws://{host}/ws",
            origin=f"http://{host}",
            additional_headers=headers,
            compression=None,
            proxy=None,
        ) as socket_,
        _echo() as echo,
    ):

        def ask(**message: object) -> dict[str, object]:
            socket_.send(json.dumps({"seq": 1, **message}))
            answer: dict[str, object] = json.loads(socket_.recv())["answer"]
            return answer

        document = ask(do="example", name=EXAMPLE)["document"]
        key = ask(do="check", document=document)["key"]
        poses = ask(do="picture", key=key)["poses"]
        pulls = ({"poses": poses, "part": "I", "point": [0, 1], "target": at} for at in _circle())
        calls: dict[str, Callable[[], object]] = {
            "ping": lambda: ask(do="ping"),
            "check (in a child)": lambda: ask(do="check", key=key),
            "check, document sent": lambda: ask(do="check", document=document),
            "drag step (in a child)": lambda: ask(do="drag", key=key, **next(pulls)),
            "TCP echo": echo,
        }
        found: dict[str, list[list[float]]] = {name: [] for name in calls}
        for _ in range(batches):
            for name, call in calls.items():
                found[name].append([_seconds(call) for _ in range(ROUNDS)])
    return Percentiles(found)


def _seconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _circle() -> Iterator[list[float]]:
    """Where a hand turns the crank: back and forth over a few degrees, as a pointer reports it."""
    for k in itertools.count():
        angle = 0.05 * math.sin(k / 10)
        yield [math.sin(angle), math.cos(angle)]


def _cookie(launch: str) -> str:
    parts = urlsplit(launch)
    link = http.client.HTTPConnection(parts.netloc)
    link.request("GET", f"{parts.path}?{parts.query}")
    answer = link.getresponse()
    link.close()
    return str(answer.getheader("set-cookie")).partition(";")[0]


@contextmanager
def _echo() -> Iterator[Callable[[], object]]:
    """A thread that sends back what it gets, as the floor under any round trip."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        link, _ = listening.accept()
        with link, suppress(OSError):
            while data := link.recv(4096):
                link.sendall(data)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    with socket.create_connection(listening.getsockname()) as link:

        def call() -> object:
            link.sendall(b"ping")
            return link.recv(4096)

        yield call
    thread.join()
    listening.close()


def _page() -> Cost:
    """Until the page is drawn and connected, with an example open."""
    what = f"`detent open {EXAMPLE}` to the drawn page"
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        return Cost(what, None)
    from playwright.sync_api import sync_playwright

    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with (
        tempfile.TemporaryDirectory() as folder,
        opened(folder, EXAMPLE) as (process, launch),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=flags)
        page = browser.new_page()
        page.goto(launch)
        page.wait_for_function("() => Object.keys(window.detentView?.document().parts ?? {}).length > 0")
        page.wait_for_timeout(SETTLED_MS)
        cost = _cpu(process.pid)
        browser.close()
    return Cost(what, cost)


def _at(times: list[float], share: float) -> float:
    return sorted(times)[int(share * (len(times) - 1))]


def _cpu(pid: int) -> float:
    """Processor seconds of a process and its children, living or gone."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    total = 0
    for process in (str(pid), *children):
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        total += sum(map(int, fields[11:15]))
    return total / TICKS
