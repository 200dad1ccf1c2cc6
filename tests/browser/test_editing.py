"""Edits on the page: done by the server, shown at once, undone, and kept while the server is away."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

from detent.model.reading import convert
from tests.app.server.running import Running
from tests.browser.workbench import Workbench

MARKED = {
    "format": "detent/1",
    "units": "mm",
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [100, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [0, 30]}},
        "rod": {"markers": {"B": [0, 30], "C": [100, 60]}},
        "rocker": {"markers": {"C": [100, 60], "D": [100, 0]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
        "B": {"type": "revolute", "between": ["crank.B", "rod.B"]},
        "C": {"type": "revolute", "between": ["rod.C", "rocker.C"]},
        "D": {
            "type": "revolute",
            "between": ["ground.D", "rocker.D"],
            "limits": {"min_deg": -80, "max_deg": 80},
        },
    },
    "drives": {"push": {"marker": "rod.C", "path": [[100, 60], [99, 60]]}},
    "touching": {"friction": 0.2, "ignore": ["crank:rod"]},
    "ask": {"move": {"loads": {"rod.C": [0, -1]}}},
    "view": {"traces": ["rod.C"]},
}


def shows_no_problem(workbench):
    """What the page holds is a document that can be read: saved, it is sound."""
    workbench.settled()
    assert workbench.page.locator("text=Something is wrong").count() == 0
    convert.mechanism(workbench.document())


def test_a_part_that_a_drive_touching_and_loads_name_is_renamed_everywhere(workbench):
    workbench.drop_file("marked.json", json.dumps(MARKED))
    workbench.says("Imported marked.json")
    before = workbench.document()
    workbench.select("rod")
    workbench.page.fill("input[aria-label=Name]", "bar")
    workbench.page.keyboard.press("Enter")
    workbench.says("Rename rod")
    shows_no_problem(workbench)
    after = workbench.document()
    assert json.dumps(after) == json.dumps(before).replace('"rod', '"bar').replace(":rod", ":bar")
    expect(workbench.page.locator("input[aria-label=Name]")).to_have_value("bar")
    workbench.page.locator("#drawing").focus()
    workbench.press("Control+z")
    assert workbench.document() == before
    workbench.press("Control+y")
    assert workbench.document() == after


def test_a_part_with_a_marker_drive_is_deleted_with_all_that_names_it(workbench):
    workbench.drop_file("marked.json", json.dumps(MARKED))
    workbench.says("Imported marked.json")
    before = workbench.document()
    workbench.select("rod")
    workbench.press("Delete")
    workbench.says("Delete rod")
    shows_no_problem(workbench)
    after = workbench.document()
    assert "drives" not in after
    assert "rod" not in json.dumps(after)
    workbench.press("Control+z")
    assert workbench.document() == before


def test_a_pin_with_limits_in_degrees_becomes_a_slide(workbench):
    workbench.drop_file("marked.json", json.dumps(MARKED))
    workbench.says("Imported marked.json")
    before = workbench.document()
    workbench.select("joint D")
    workbench.page.click("text=Make it a slide")
    workbench.says("D is a slide now")
    shows_no_problem(workbench)
    assert workbench.document()["joints"]["D"]["type"] == "prismatic"
    workbench.press("Control+z")
    assert workbench.document() == before


def test_what_is_done_while_the_server_is_away_is_shown_at_once_and_done_when_it_is_back(browser, workspace):
    """Drawn, deleted and undone without a server: the page shows it all, and nothing is lost."""
    with Running(workspace) as server:
        port = server.host.rpartition(":")[2]
        bench = Workbench.opened(browser, server)
        bench.build_four_bar()
        bench.settled()
        server.process.kill()
        server.process.wait()
    bench.page.wait_for_selector("[data-connected=false]")
    bench.draw((60, 10), (80, 12))
    bench.says("Draw a link: it is done when the server is back")
    bench.draw((80, 12), (90, 25))
    bench.press("Control+z")
    bench.says("Undone: Draw a link")
    assert bench.place("link4.B") == pytest.approx((80, 12), abs=0.5)
    assert bench.page.evaluate("() => window.detentView.place('link5.A')") is None
    assert bench.page.evaluate("() => window.detentView.waiting()") == 1
    with Running(workspace, ("--port", port)) as server:
        bench.page.context.request.get(server.launch)
        bench.page.wait_for_selector("[data-connected=true]")
        assert list(bench.document()["parts"]) == ["link", "link2", "link3", "ground", "link4"]
        bench.press("Control+Shift+Z")
        assert list(bench.document()["parts"])[-1] == "link5"
        assert bench.document()["joints"]["E"]["between"] == ["link4.B", "link5.A"]
    bench.page.context.close()
