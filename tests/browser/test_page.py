"""The page that `detent open` shows."""

from __future__ import annotations

from tests.app.server.running import Running
from tests.browser.workbench import Workbench


def test_the_page_opens_connects_and_complains_of_nothing(workbench):
    assert "Detent" in workbench.page.title()


def test_the_page_connects_again_when_the_server_was_gone(browser, workspace):
    with Running(workspace) as server:
        port = server.host.rpartition(":")[2]
        bench = Workbench.opened(browser, server)
    bench.page.wait_for_selector("[data-connected=false]")
    with Running(workspace, ("--port", port)) as server:
        # A new server has a new secret; the printed address lets the page in again.
        bench.page.goto(server.launch)
        bench.page.wait_for_selector("[data-connected=true]")
    bench.page.context.close()
