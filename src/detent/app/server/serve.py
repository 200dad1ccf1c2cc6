"""Start the workbench's server: listen on 127.0.0.1, print the address, open the browser, stop on Ctrl-C."""

from __future__ import annotations

import asyncio
import errno
import logging
import signal
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import uvicorn

from detent.app.server import limits
from detent.app.server.access import Gate
from detent.app.server.context import Context
from detent.app.server.pages import application
from detent.app.server.pool import Pool
from detent.app.server.workspace import Workspace
from detent.foundation.errors import ModelError

_BACKLOG = 512
# How long an answer under way may take once the server is asked to stop [s].
_PATIENCE = 2
_DESCRIPTORS = 16_384


def serve(workspace: Path, *, file: str | None = None, port: int = 0, browser: bool = True) -> None:
    """Serve until interrupted."""
    _allow_connections()
    listening = listen(port)
    if asyncio.run(_serve(listening, Workspace(workspace.resolve()), file, browser)):
        raise KeyboardInterrupt


def listen(port: int) -> socket.socket:
    """A socket on this machine only; port 0 takes a free one."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(("127.0.0.1", port))
        listening.listen(_BACKLOG)
    except OSError as problem:
        listening.close()
        if problem.errno == errno.EADDRINUSE:
            words = f"port {port} is in use"
        else:
            words = f"port {port} cannot be used: {problem.strerror or problem}"
        raise ModelError.at("--port", words, "choose another, or leave --port out") from None
    return listening


def _allow_connections() -> None:
    """The usual limit of descriptors is 1,024; that many sessions may be open."""
    if sys.platform == "win32":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _DESCRIPTORS if hard == resource.RLIM_INFINITY else min(_DESCRIPTORS, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


async def _serve(listening: socket.socket, workspace: Workspace, file: str | None, browser: bool) -> bool:
    """Whether it was interrupted, rather than asked to stop."""
    pool = Pool()
    context = Context(workspace, pool, file)
    port = listening.getsockname()[1]
    gate = Gate(application(context), port=port, launched=_say_next)
    server = _Server(_config(gate))
    print(f"detent: workbench at {gate.address}", flush=True)
    print(f"detent: files in {workspace.folder}; Ctrl-C stops it", flush=True)
    if browser:
        threading.Thread(target=_open_browser, args=(gate.address,), daemon=True).start()
    try:
        await server.serve(sockets=[listening])
    finally:
        await pool.close()
    return server.interrupted


class _Server(uvicorn.Server):
    """Uvicorn's, stopped differently: children are ended before anything is raised, and in silence."""

    interrupted = False

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Uvicorn's own would raise the signal again inside the loop, and cut short what follows."""
        kept = {kind: signal.signal(kind, self.handle_exit) for kind in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for kind, handler in kept.items():
                signal.signal(kind, handler)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.interrupted = self.interrupted or sig == signal.SIGINT
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        logging.getLogger("uvicorn.error").disabled = True
        await super().shutdown(sockets)


def _config(gate: Gate) -> uvicorn.Config:
    return uvicorn.Config(
        gate,
        ws="websockets-sansio",
        ws_max_size=limits.MESSAGE_BYTES,
        ws_per_message_deflate=False,  # saves nothing here, and each session would hold its windows
        http="h11",
        loop="asyncio",
        lifespan="off",
        log_level="error",
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=_PATIENCE,
    )


def _say_next(address: str) -> None:
    print(f"detent: opened; for another browser: {address}", flush=True)


def _open_browser(address: str) -> None:
    """Best effort: where there is no browser, the printed address is used."""
    import webbrowser

    try:
        opened = webbrowser.open(address)
    except webbrowser.Error:
        opened = False
    if not opened:
        print("detent: no browser found here; open the address above in one", file=sys.stderr, flush=True)
