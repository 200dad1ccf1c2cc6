"""The page without a browser: document, commands, undo, tools, words, the pull."""

from __future__ import annotations

from tests.web.node import run


def test_documents_tools_and_words_of_the_page_do_what_their_own_tests_say():
    done = run()
    assert done.returncode == 0, done.stdout + done.stderr
    assert "# fail 0" in done.stdout
    assert "# pass 0" not in done.stdout
