"""Files on the page: save, open, import, export, share, and a server that dies in the middle."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.app.server.running import PATIENCE, Running
from tests.browser.workbench import Workbench


def test_a_wrong_file_dropped_in_is_refused_with_its_place_and_nothing_is_lost(workbench):
    workbench.build_four_bar()
    before = workbench.document()
    workbench.drop_file("notes.pdf", "%PDF-1.7")
    workbench.says("cannot be read")
    workbench.drop_file("bad.json", '{"format": "detent/1", "partz": {}}')
    workbench.says("partz")
    workbench.drop_file("empty.json", "")
    workbench.says("not JSON")
    assert workbench.document() == before
    workbench.complaints.clear()  # the browser reports a refused upload on its console


def test_a_right_file_dropped_in_is_opened(workbench):
    workbench.drop_file(
        "x.json", json.dumps({"format": "detent/1", "parts": {"a": {"markers": {"A": [0, 0], "B": [9, 0]}}}})
    )
    workbench.says("Imported x.json")
    assert list(workbench.document()["parts"]) == ["a"]


def test_the_first_build_gives_way_to_a_machine_and_stays_over_an_empty_page(workbench):
    guide = workbench.page.locator(".guide")
    expect(guide).to_be_visible()
    workbench.drop_file("empty.json", json.dumps({"format": "detent/1"}))
    workbench.says("Imported empty.json")
    expect(guide).to_be_visible()
    plate = {"shape": {"outline": [[0, 0], [80, 0], [80, 50], [0, 50]]}}
    workbench.drop_file("plate.json", json.dumps({"format": "detent/1", "parts": {"plate": plate}}))
    workbench.says("Imported plate.json")
    expect(guide).to_have_count(0)


def test_the_first_build_does_not_come_over_a_machine_that_was_quicker_than_the_server(browser, workspace):
    with Running(workspace) as server:
        page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
        page.set_default_timeout(PATIENCE * 1000)
        late: list[Callable[[], None]] = []

        def held(route: WebSocketRoute) -> None:
            far = route.connect_to_server()

            def heard(message: str | bytes) -> None:
                if '"workspace"' in str(message):  # the first answer of all
                    late.append(lambda: route.send(message))
                else:
                    route.send(message)

            far.on_message(heard)

        page.route_web_socket("**/ws", held)
        page.goto(server.launch)
        page.click("[data-action=gallery]")
        page.click(".template:has-text('Double rocker')")
        expect(page.locator("#status")).to_contain_text("Double rocker")
        while not late:
            page.wait_for_timeout(20)
        late.pop()()
        page.wait_for_selector("[data-connected=true]")
        expect(page.locator(".guide")).to_have_count(0)
        page.context.close()


def test_a_drawing_of_shapes_alone_is_shown_whole_when_it_is_dropped_in(workbench):
    wide = {"shape": {"outline": [[5000, 0], [9000, 0], [9000, 2500], [5000, 2500]]}}
    document = {"format": "detent/1", "parts": {"plate": wide}}
    workbench.drop_file("far.json", json.dumps(document))
    workbench.says("Imported far.json")
    workbench.page.wait_for_function(
        """() => {
            const [left] = window.detentView.toPage(5000, 0), [right] = window.detentView.toPage(9000, 0);
            return left > 0 && right < window.innerWidth && right - left > 100;
        }"""
    )


def test_a_plate_drawn_last_hides_nothing_that_lies_on_it(workbench):
    """The lever can be seen and taken, though the plate comes after it in the document."""
    lever = {"shape": {"outline": [[10, 10], [70, 12], [70, 16], [10, 18]]}}
    plate = {"shape": {"outline": [[0, 0], [80, 0], [80, 50], [0, 50]]}}
    document = {"format": "detent/1", "parts": {"lever": lever, "plate": plate}}
    workbench.drop_file("two.json", json.dumps(document))
    workbench.says("Imported two.json")
    workbench.page.wait_for_function("() => window.detentView.settled()")
    workbench.click((40, 14))
    expect(workbench.page.get_by_label("Name")).to_have_value("lever")
    workbench.click((40, 40))
    expect(workbench.page.get_by_label("Name")).to_have_value("plate")


def test_a_server_killed_in_the_middle_of_a_save_loses_nothing(browser, workspace):
    with Running(workspace) as server:
        port = server.host.rpartition(":")[2]
        bench = Workbench.opened(browser, server)
        bench.build_four_bar()
        bench.settled()
        bench.save_as("kept.json")
        first = bench.document()
        bench.draw((60, 10), (80, 12))
        bench.settled()
        bench.press("Control+s")
        server.process.kill()
        server.process.wait()
        after = bench.document()
    bench.page.wait_for_selector("[data-connected=false]")
    assert bench.document() == after
    on_disk = json.loads((workspace / "kept.json").read_text())
    assert set(on_disk["parts"]) in (set(first["parts"]), set(after["parts"]))
    with Running(workspace, ("--port", port)) as server:
        bench.page.context.request.get(server.launch)
        bench.page.wait_for_selector("[data-connected=true]")
        bench.says("Saved as kept.json")
        assert set(json.loads((workspace / "kept.json").read_text())["parts"]) == set(after["parts"])
    bench.page.context.close()


def test_work_that_was_never_saved_is_offered_again(browser, workspace):
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.build_four_bar()
        bench.settled()
        built = bench.document()
        context = bench.page.context
        bench.page.close()
        bench.page = context.new_page()  # a tab that knows nothing of the one before
        bench.page.goto(f"http://{server.host}/")
        bench.page.wait_for_selector("[data-connected=true]")
        bench.press("Control+o")
        bench.page.click("dialog [data-draft]")
        bench.says("Recovered")
        assert bench.document()["joints"] == built["joints"]
        context.close()


@pytest.mark.parametrize(
    ("kind", "begins"),
    [("svg", b"<svg"), ("png", b"\x89PNG"), ("csv", b""), ("gif", b"GIF8"), ("html", b"<!"), ("dxf", b"  0")],
)
def test_exports_are_downloads(workbench, kind, begins):
    workbench.build_four_bar()
    workbench.settled()
    workbench.press("Control+e")
    with workbench.page.expect_download() as download:
        workbench.page.click(f"[data-kind={kind}]")
    data = download.value.path().read_bytes()
    assert data.strip().startswith(begins.strip())
    assert len(data) > 100


def test_an_export_that_has_nothing_to_draw_says_so(workbench):
    workbench.press("Control+e")
    workbench.page.click("[data-kind=dxf]")
    workbench.says("No part has a shape or points to draw")
    workbench.complaints.clear()  # the browser reports a refused request on its console


def test_a_model_travels_in_the_address(workbench, browser):
    workbench.build_four_bar()
    workbench.settled()
    workbench.action("share")
    workbench.page.wait_for_function("() => location.hash.startsWith('#model=')")
    built = workbench.document()
    address, page = workbench.page.url, workbench.page
    workbench.page = page.context.new_page()
    workbench.page.goto(address)
    workbench.says("Opened from the link")
    assert workbench.document() == built
    workbench.page = page


def test_the_gallery_shows_pictures_and_opens_an_example_that_plays(workbench):
    workbench.action("gallery")
    workbench.page.wait_for_selector("[data-example=jansen_leg] img")
    workbench.page.click("[data-example=jansen_leg]")
    workbench.verdict("It works")
    workbench.action("play")
    workbench.page.wait_for_selector("[data-action=play][aria-pressed=true]")
    workbench.page.wait_for_function("() => window.detentView.painted() > 20")
    workbench.action("play")


@pytest.mark.parametrize("name", ["Crank-rocker", "Slider-crank", "Coupler point"])
def test_every_template_works_as_it_comes(workbench, name):
    workbench.action("gallery")
    workbench.page.click(f".template:has-text('{name}')")
    workbench.page.click("[data-sheet=machine]")
    workbench.verdict("It works")


def test_a_template_that_stops_at_its_limits_is_told_so_before_it_is_played(workbench):
    workbench.action("gallery")
    workbench.page.click(".template:has-text('Double rocker')")
    workbench.page.click("[data-sheet=machine]")
    workbench.verdict("Its drive stops short")
