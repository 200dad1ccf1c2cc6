"""One server for all tests that leave it as they found it, each with a folder of its own to look at."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.app.server.running import Client, Running


@pytest.fixture(scope="session")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("outside") / "workspace"


@pytest.fixture(scope="session")
def server(workspace: Path) -> Iterator[Running]:
    workspace.mkdir()
    with Running(workspace) as running:
        yield running


@pytest.fixture(scope="session")
def cookie(server: Running) -> str:
    return server.enter()


@pytest.fixture
def client(server: Running, cookie: str) -> Iterator[Client]:
    with Client(server, cookie) as connected:
        yield connected
