"""Nothing that was drawn is lost: not by New, an example, an address, a restart; long work shows itself."""

from __future__ import annotations

import json
import signal
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from tests.app.server.running import Running
from tests.browser.workbench import Workbench


def example(workbench, name):
    before = workbench.document().get("title")
    workbench.action("gallery")
    workbench.page.click(f"[data-example={name}]")
    workbench.page.wait_for_function(
        "(old) => (window.detentView.document().title ?? null) !== old", arg=before
    )


def link(workbench):
    """One more link, low on the page, where nothing else is drawn."""
    workbench.take("link")
    workbench.page.mouse.move(500, 690)
    workbench.page.mouse.down()
    workbench.page.mouse.move(620, 680, steps=3)
    workbench.page.mouse.up()


def template(workbench):
    workbench.action("gallery")
    workbench.page.click(".template >> nth=0")


def new(workbench):
    workbench.action("new")


REPLACED = [new, template, lambda workbench: example(workbench, "four_bar")]


@pytest.mark.parametrize("replaced", REPLACED, ids=["new", "template", "example"])
def test_what_takes_the_place_of_a_drawing_is_undone_and_the_drawing_is_kept_beside(workbench, replaced):
    workbench.build_four_bar()
    workbench.settled()
    drawn = workbench.document()
    replaced(workbench)
    workbench.says("Undo (Ctrl Z) brings back what was here")
    workbench.settled()
    other = workbench.document()
    assert other != drawn
    link(workbench)
    workbench.settled()
    workbench.press("Control+z")
    assert workbench.document() == other
    workbench.press("Control+z")
    assert workbench.document() == drawn
    workbench.press("Control+Shift+Z")
    assert workbench.document() == other


def test_undo_comes_back_to_the_drawing_through_every_example_that_was_looked_at(workbench):
    workbench.build_four_bar()
    workbench.settled()
    drawn = workbench.document()
    for name in ("snap_t", "peaucellier", "planar_grasp"):
        example(workbench, name)
    for _ in range(3):
        assert workbench.document() != drawn
        workbench.press("Control+z")
    assert workbench.document() == drawn
    for _ in range(3):
        workbench.press("Control+Shift+Z")
    assert workbench.document()["title"].startswith("Plate between two fingers")


def test_a_drawing_before_new_is_in_the_list_of_what_was_kept_and_comes_back(workbench):
    workbench.build_four_bar()
    workbench.settled()
    drawn = workbench.document()
    workbench.action("new")
    link(workbench)
    workbench.settled()
    workbench.press("Control+o")
    workbench.page.click("[data-draft]")
    workbench.says("Recovered")
    assert workbench.document() == drawn
    drafts = list((workbench.server.workspace / ".detent" / "drafts").glob("*.json"))
    # The one that came back may already be kept a second time, under the name that it has now.
    assert {len(json.loads(d.read_text())["document"]["parts"]) for d in drafts} == {1, 4}


def test_a_kept_drawing_is_deleted_from_the_list(workbench):
    link(workbench)
    workbench.settled()
    workbench.action("new")
    workbench.press("Control+o")
    workbench.page.wait_for_selector("[data-draft]")
    workbench.page.click(".forget")
    workbench.page.wait_for_selector("[data-draft]", state="detached")
    assert not list((workbench.server.workspace / ".detent" / "drafts").glob("*.json"))


def test_a_named_file_with_changes_is_come_back_to_with_its_name(workbench):
    workbench.build_four_bar()
    workbench.save_as("bar.json")
    workbench.draw((60, 70), (80, 72))
    workbench.settled()
    changed = workbench.document()
    workbench.action("new")
    expect(workbench.page.locator(".where")).not_to_contain_text("bar.json")
    workbench.press("Control+z")
    assert workbench.document() == changed
    expect(workbench.page.locator(".where")).to_contain_text("bar.json · not saved")
    workbench.press("Control+s")
    workbench.says("Saved as bar.json")


def test_what_was_undone_back_to_the_file_does_not_come_back_with_the_page(workbench):
    workbench.build_four_bar()
    workbench.save_as("bar.json")
    saved = workbench.document()
    workbench.draw((60, 70), (80, 72))
    workbench.settled()
    drafts = workbench.server.workspace / ".detent" / "drafts"
    assert list(drafts.glob("*.json"))
    workbench.press("Control+z")
    workbench.settled()
    expect(workbench.page.locator(".where")).to_contain_text("bar.json · saved")
    workbench.page.reload()
    workbench.page.wait_for_selector("[data-connected=true]")
    workbench.says("Opened bar.json")
    expect(workbench.page.locator(".where")).to_contain_text("bar.json · saved")
    assert workbench.document() == saved


def test_examples_that_were_only_looked_at_leave_nothing_behind(workbench):
    for name in ("four_bar", "slider_crank"):
        example(workbench, name)
        workbench.settled()
    workbench.action("new")
    link(workbench)
    workbench.settled()
    kept = list((workbench.server.workspace / ".detent" / "drafts").glob("*.json"))
    assert len(kept) == 1


def test_the_address_holds_the_model_only_as_long_as_it_is_on_the_page(workbench):
    workbench.build_four_bar()
    workbench.settled()
    workbench.action("share")
    workbench.page.wait_for_function("() => location.hash.startsWith('#model=')")
    workbench.draw((60, 70), (80, 72))
    workbench.settled()
    after = workbench.document()
    assert workbench.page.evaluate("() => location.hash") == ""
    workbench.page.reload()
    workbench.says("As you left it")
    assert workbench.document() == after
    workbench.action("share")
    workbench.page.wait_for_function("() => location.hash.startsWith('#model=')")
    workbench.action("new")
    assert workbench.page.evaluate("() => location.hash") == ""


def test_a_page_of_a_server_that_was_started_again_says_to_open_its_address(browser, workspace):
    with Running(workspace) as server:
        port = server.host.rpartition(":")[2]
        bench = Workbench.opened(browser, server)
        bench.build_four_bar()
        server.process.kill()
        server.process.wait()
    expect(bench.page.locator("footer b")).to_contain_text("The server is away")
    with Running(workspace, ("--port", port)) as server:
        expect(bench.page.locator("footer b")).to_contain_text("open the address that it printed last")
        bench.page.context.request.get(server.launch)
        bench.page.wait_for_selector("[data-connected=true]")
        expect(bench.page.locator("footer b")).to_have_count(0)
    bench.page.context.close()


def test_a_file_that_is_too_large_is_refused_with_its_size_and_the_limit(workbench):
    link(workbench)
    before = workbench.document()
    workbench.drop_file("big.json", " " * 20_000_000)
    workbench.says("big.json has 20 MB: at most 8.0 MB can be read")
    assert workbench.document() == before


def test_work_that_takes_long_is_shown_as_such_until_it_is_done(workbench):
    """A server that does not answer, halted by a signal: no clock decides."""
    sign = workbench.page.locator("footer .thinking")
    workbench.server.process.send_signal(signal.SIGSTOP)
    try:
        workbench.draw((40, 0), (70, 0))
        expect(sign).to_have_text("thinking …")
    finally:
        workbench.server.process.send_signal(signal.SIGCONT)
    workbench.settled()
    expect(sign).to_have_count(0)


def test_a_drawing_that_does_not_say_its_unit_is_asked_about(workbench):
    square = ((0, 0), (10, 0), (10, 4), (0, 4), (0, 0))
    pairs = [(0, "SECTION"), (2, "ENTITIES")]
    for (ax, ay), (bx, by) in pairwise(square):
        pairs += [(0, "LINE"), (8, "0"), (10, ax), (20, ay), (11, bx), (21, by)]
    pairs += [(0, "ENDSEC"), (0, "EOF")]
    workbench.drop_file("plate.dxf", "".join(f"{code}\n{value}\n" for code, value in pairs))
    workbench.page.click("dialog [data-unit=in]")
    workbench.says("Imported plate.dxf")
    assert workbench.document()["units"] == "in"
    workbench.complaints.clear()  # the browser reports the refused request on its console
