"""One browser for all, one server and one page per test."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.app.server.running import PATIENCE, Running
from tests.browser.workbench import Workbench

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test of this folder drives a browser."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """For this folder only: while it lives it holds the thread's event loop, which other tests use."""
    program = next((found for name in NAMES if (found := shutil.which(name))), None)
    assert program, "no Chromium on the path: `make test` installs it with apt-get as root; else install it"
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield made
        made.close()


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def workbench(browser: Browser, workspace: Path) -> Iterator[Workbench]:
    """The workbench as `detent open` shows it; the page must have said nothing wrong by the end."""
    with Running(workspace) as server:
        made = Workbench.opened(browser, server)
        yield made
        made.page.context.close()
        assert made.complaints == []
