"""A server as a person starts it, and a client that speaks to it over its doors only."""

from __future__ import annotations

import http.client
import itertools
import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from websockets.sync.client import ClientConnection, connect

PATIENCE = 60.0  # [s] a loaded machine may need for anything; no test waits for it when all is well


@dataclass
class Running:
    """`detent open --no-browser` in a workspace, until the block ends."""

    workspace: Path
    arguments: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)
    launch: str = ""
    folder: str = ""
    process: subprocess.Popen[str] = field(init=False)

    def __enter__(self) -> Running:
        command = [sys.executable, "-m", "detent", "open", "--no-browser", *self.arguments]
        self.process = subprocess.Popen(
            [*command, "--workspace", str(self.workspace)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1", "PYTHONFAULTHANDLER": "1", **self.env},
        )
        self.launch = self.line().split()[-1]
        self.folder = self.line()
        return self

    def line(self) -> str:
        """The next line it prints."""
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def __exit__(self, *reason: object) -> None:
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            self.process.communicate(timeout=PATIENCE)
        except subprocess.TimeoutExpired:
            self.process.send_signal(signal.SIGABRT)  # it says what it is at, as faulthandler does
            _, said = self.process.communicate(timeout=PATIENCE)
            raise AssertionError(f"the server does not stop:\n{said}") from None

    @property
    def host(self) -> str:
        return urlsplit(self.launch).netloc

    @property
    def origin(self) -> str:
        return f"http://{self.host}"

    def enter(self) -> str:
        """Use the launch address as a browser does; gives the cookie."""
        path = self.launch.removeprefix(self.origin)
        status, headers, _ = self.request("GET", path)
        assert status == 303, status
        self.launch = self.line().split()[-1]
        return headers["set-cookie"].partition(";")[0]

    def request(
        self, method: str, path: str, *, headers: dict[str, str] | None = None, body: bytes | None = None
    ) -> tuple[int, dict[str, str], bytes]:
        """One plain request, nothing added but what http needs."""
        link = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        try:
            link.putrequest(method, path, skip_host="Host" in (headers or {}), skip_accept_encoding=True)
            for name, value in (headers or {}).items():
                link.putheader(name, value)
            if body is not None and "Content-Length" not in (headers or {}):
                link.putheader("Content-Length", str(len(body)))
            link.endheaders(body)
            answer = link.getresponse()
            return answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read()
        finally:
            link.close()


class Client:
    """One connection, asking and waiting for the answer to each question."""

    def __init__(self, server: Running, cookie: str) -> None:
        self._opening = connect(
            f"ws://{server.host}/ws",
            origin=server.origin,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookie},
            compression=None,
            proxy=None,
            max_size=None,
            open_timeout=PATIENCE,
        )
        self.seq = itertools.count(1)

    def __enter__(self) -> Client:
        self.socket: ClientConnection = self._opening.__enter__()
        return self

    def __exit__(self, *reason: object) -> None:
        self._opening.__exit__(None, None, None)

    def send(self, do: str, **fields: Any) -> int:
        """Ask without waiting."""
        seq = next(self.seq)
        self.socket.send(json.dumps({"seq": seq, "do": do, **fields}))
        return seq

    def receive(self) -> dict[str, Any]:
        """The next thing the server says."""
        return json.loads(self.socket.recv(timeout=PATIENCE))

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Ask, and wait for the answer to this question."""
        seq = self.send(do, **fields)
        while (said := self.receive()).get("seq") != seq or "event" in said:
            pass
        return said

    def answer(self, do: str, **fields: Any) -> dict[str, Any]:
        """Ask something that must be answered."""
        said = self.ask(do, **fields)
        assert said["ok"], said
        return said["answer"]

    def problem(self, do: str, **fields: Any) -> str:
        """Ask something that must be refused."""
        said = self.ask(do, **fields)
        assert not said["ok"], said
        return said["problems"][0]["problem"]


FOUR_BAR: dict[str, Any] = {
    "format": "detent/1",
    "title": "four-bar",
    "units": "1",
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [4, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [0, 1]}},
        "coupler": {"markers": {"B": [0, 1], "C": [4, 3]}},
        "rocker": {"markers": {"D": [4, 0], "C": [4, 3]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
        "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
        "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
    },
    "drives": {"crank": {"joint": "A", "from_deg": 0, "to_deg": 360, "steps": 36}},
}
