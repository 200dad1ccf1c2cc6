"""The page without a browser: document, commands, undo, tools, words, the pull."""

from __future__ import annotations

import gzip
from pathlib import Path

import detent.app.server.pages as pages
from tests.web.node import run

CORE_BYTES = 100_000  # of what the page loads at once, compressed


def test_documents_tools_and_words_of_the_page_do_what_their_own_tests_say():
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout


def test_what_the_page_loads_at_once_stays_small():
    """Lazy chunks do not count: they are loaded with the first plot."""
    core = [Path(pages.STATIC, name) for name in ("index.html", "app.js", "app.css")]
    assert sum(len(gzip.compress(file.read_bytes())) for file in core) <= CORE_BYTES
