"""The workbench under hard hands: hostile documents, two tabs, reloads, full disks, gestures cut short."""

from __future__ import annotations

import json
import resource

import pytest
from playwright.sync_api import expect

from tests.app.server.running import Running
from tests.browser.workbench import Workbench

EVIL = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>\'"\n\u202e é 漢字'
FORMAT = "detent/1"


def second_tab(bench: Workbench) -> Workbench:
    made = Workbench(bench.page.context.new_page(), bench.server)
    made.page.on("console", made._heard)
    made.page.goto(f"http://{bench.server.host}/")
    made.page.wait_for_selector("[data-connected=true]")
    return made


def test_a_reload_shows_what_was_drawn_saved_or_not(workbench):
    workbench.build_four_bar()
    workbench.settled()
    built = workbench.document()
    workbench.page.reload()
    workbench.says("As you left it")
    assert workbench.document() == built
    workbench.save_as("kept.json")
    workbench.draw((60, 10), (80, 12))
    workbench.settled()
    after = workbench.document()
    workbench.page.reload()
    workbench.says("As you left it")
    assert workbench.document() == after
    workbench.press("Control+s")
    workbench.says("Saved as kept.json")
    workbench.page.reload()
    workbench.says("Opened kept.json")
    assert set(workbench.document()["parts"]) == set(after["parts"])


def test_a_tab_opened_beside_another_keeps_its_own_draft(workbench):
    workbench.build_four_bar()
    workbench.settled()
    other = second_tab(workbench)
    other.says("Work that was never saved is kept")
    other.draw((10, 10), (30, 30))
    other.settled()
    drafts = list((workbench.server.workspace / ".detent" / "drafts").glob("*.json"))
    assert sorted(len(json.loads(d.read_text())["document"]["parts"]) for d in drafts) == [1, 4]


def test_of_two_tabs_on_one_file_the_second_to_save_is_told_and_nothing_is_overwritten(workbench):
    workbench.build_four_bar()
    workbench.settled()
    workbench.save_as("shared.json")
    other = second_tab(workbench)
    other.open_file("shared.json")
    workbench.draw((60, 10), (80, 12))
    workbench.settled()
    workbench.press("Control+s")
    workbench.says("Saved as shared.json")
    mine = (workbench.server.workspace / "shared.json").read_bytes()
    other.draw((60, 10), (85, 22))
    other.settled()
    other.press("Control+s")
    other.says("was changed by another program")
    assert (workbench.server.workspace / "shared.json").read_bytes() == mine
    other.save_as("mine.json")
    assert len(json.loads((workbench.server.workspace / "mine.json").read_text())["parts"]) == 5


def test_saving_under_a_name_that_is_taken_asks_before_it_replaces(workbench):
    taken = workbench.server.workspace / "taken.json"
    taken.write_text(json.dumps({"format": FORMAT, "title": "somebody's work"}))
    workbench.build_four_bar()
    workbench.settled()
    workbench.press("Control+Shift+S")
    expect(workbench.page.locator("dialog")).to_be_visible()
    workbench.page.wait_for_load_state("networkidle")
    workbench.page.fill("input[name=path]", "taken")
    workbench.page.keyboard.press("Enter")
    expect(workbench.page.locator("dialog [role=alert]")).to_contain_text("taken.json exists already")
    assert json.loads(taken.read_text())["title"] == "somebody's work"
    workbench.page.click("dialog button[type=submit]")
    workbench.says("Saved as taken.json")
    assert len(json.loads(taken.read_text())["parts"]) == 4


def test_words_of_a_document_are_shown_as_words_and_never_run(workbench):
    document = {
        "format": FORMAT,
        "title": EVIL,
        "note": EVIL,
        "view": {"traces": [EVIL, "link.A"], "background": EVIL},
        "parts": {"link": {"markers": {"A": [0, 0], "B": [30, 0]}}},
    }
    workbench.drop_file("evil.json", json.dumps(document))
    workbench.says("Imported evil.json")
    workbench.settled()
    workbench.page.click("[data-sheet=machine]")
    workbench.press("Control+o")
    expect(workbench.page.locator("dialog")).to_be_visible()
    workbench.press("Escape")
    assert workbench.page.evaluate("() => window.pwned") is None
    assert workbench.page.locator("img[src=x]").count() == 0
    for kind in ("svg", "json"):
        workbench.press("Control+e")
        with workbench.page.expect_download() as download:
            workbench.page.click(f"[data-kind={kind}]")
        text = download.value.path().read_text()
        assert kind == "json" or ("<script" not in text and "<img" not in text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a":' * 50_000, "nested"),
        ('{"format": "detent/1", "parts": {"a": {"markers": {"A": [NaN, 0]}}}}', "Holds NaN"),
        ('{"format": "detent/1", "parts": {"a": {"markers": {"A": [1e999, 0]}}}}', "too large for a double"),
        ('{"format": "detent/1", "parts": {"<b>": {}}}', "letter"),
        ("", "Is not JSON"),
    ],
    ids=["deep", "nan", "infinite", "markup", "empty"],
)
def test_a_hostile_file_is_refused_in_words_and_the_drawing_stays(workbench, text, words):
    workbench.build_four_bar()
    workbench.settled()
    before = workbench.document()
    workbench.drop_file("evil.json", text)
    workbench.says(words)
    assert workbench.document() == before
    workbench.complaints.clear()  # the browser reports a refused request on its console


@pytest.mark.parametrize("far", [1e-12, 1e12, 1e49])
def test_a_machine_of_any_size_is_shown_and_zoomed_without_end(workbench, far):
    parts = {
        "a": {"markers": {"A": [0, 0], "B": [far, 0]}},
        "b": {"markers": {"A": [far, 0], "B": [far, far]}},
    }
    workbench.drop_file("big.json", json.dumps({"format": FORMAT, "units": "1", "parts": parts}))
    workbench.says("Imported big.json")
    workbench.page.mouse.move(600, 400)
    for way in (-1, 1, 1, -1):
        for _ in range(12):
            workbench.page.mouse.wheel(0, 4000 * way)
    workbench.press("f")
    workbench.page.wait_for_function(
        "(n) => { window.detentView.toPage(0, 0); return window.detentView.painted() > n; }",
        arg=workbench.page.evaluate("() => window.detentView.painted()") - 1,
    )
    assert all(abs(v) < 1e7 for v in workbench.pixel((0, 0)))


def test_a_gesture_that_the_system_takes_away_is_put_back(workbench):
    workbench.build_four_bar()
    workbench.settled()
    before, place = workbench.document(), workbench.place("link.B")
    workbench.move_to((40, 20))
    workbench.page.mouse.down()
    workbench.page.mouse.move(*workbench.pixel((30, 17)), steps=6)
    workbench.page.wait_for_function("(x) => window.detentView.place('link.B')[0] !== x", arg=place[0])
    workbench.page.dispatch_event("#drawing", "pointercancel", {"pointerId": 1})
    workbench.page.mouse.up()
    workbench.page.wait_for_function("(x) => window.detentView.place('link.B')[0] === x", arg=place[0])
    assert workbench.document() == before


def test_fingers_draw_pull_and_zoom(workbench):
    """Touches as the browser's own protocol sends them; two of them zoom and leave the drawing alone."""
    wire = workbench.page.context.new_cdp_session(workbench.page)

    def touch(kind: str, *points: tuple[float, float]) -> None:
        given = [{"x": x, "y": y, "id": k} for k, (x, y) in enumerate(points)]
        wire.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": given})

    workbench.take("link")
    start, end = workbench.pixel((40, 0)), workbench.pixel((70, 20))
    touch("touchStart", start)
    touch("touchMove", ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
    touch("touchMove", end)
    touch("touchEnd")
    assert list(workbench.document()["parts"]) == ["link"]
    before, wide = workbench.document(), workbench.pixel((70, 20))[0] - workbench.pixel((40, 0))[0]
    touch("touchStart", (500, 400))
    touch("touchStart", (500, 400), (600, 400))
    for step in range(1, 6):
        touch("touchMove", (500 - 10 * step, 400), (600 + 10 * step, 400))
    touch("touchEnd")
    assert workbench.document() == before
    assert workbench.pixel((70, 20))[0] - workbench.pixel((40, 0))[0] == pytest.approx(2 * wide, rel=0.02)


def test_a_part_that_joints_refer_to_is_deleted_with_them_and_undo_brings_all_back(workbench):
    workbench.build_four_bar()
    workbench.settled()
    before = workbench.document()
    workbench.click((65, 35))
    workbench.press("Delete")
    workbench.settled()
    left = workbench.document()
    named = {end.split(".")[0] for joint in left["joints"].values() for end in joint["between"]}
    assert "link2" not in left["parts"]
    assert "link2" not in named
    workbench.save_as("less.json")
    workbench.press("Control+z")
    assert workbench.document() == before


def test_where_the_disk_takes_nothing_the_page_works_on_and_says_so(workbench):
    """The server may write no byte any more, as on a full disk; reading and thinking go on."""
    workbench.build_four_bar()
    workbench.settled()
    workbench.save_as("kept.json")
    saved = (workbench.server.workspace / "kept.json").read_bytes()
    resource.prlimit(workbench.server.process.pid, resource.RLIMIT_FSIZE, (0, 0))
    workbench.draw((60, 10), (80, 12))
    workbench.settled()
    expect(workbench.page.locator("footer")).to_contain_text("Your work is not kept on the disk")
    workbench.verdict("link4 is joined to nothing")
    workbench.press("Control+s")
    workbench.says("Not saved")
    assert (workbench.server.workspace / "kept.json").read_bytes() == saved


def test_a_link_that_holds_nonsense_is_refused_in_words(workbench):
    workbench.build_four_bar()
    workbench.settled()
    before = workbench.document()
    for wrong in ({"parts": None}, {"parts": {"a": {"markers": 7}}}, {"joints": {"j": {"type": "revolute"}}}):
        fragment = workbench.page.evaluate(
            """async (given) => {
                const packed = new Blob([JSON.stringify(given)]).stream()
                    .pipeThrough(new CompressionStream("deflate-raw"));
                const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
                return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_");
            }""",
            {"format": FORMAT, **wrong},
        )
        workbench.page.evaluate("(given) => { location.hash = `model=${given}`; }", fragment)
        workbench.says(next(iter(wrong)))
        assert workbench.document() == before


def test_a_link_that_was_sent_is_opened_where_it_is_pasted(workbench):
    workbench.build_four_bar()
    workbench.settled()
    built = workbench.document()
    workbench.action("share")
    workbench.says("holds the whole model")
    address = workbench.page.url.replace(workbench.server.host, "127.0.0.1:9")
    workbench.page.evaluate("() => history.replaceState(null, '', '/')")
    workbench.action("new")
    workbench.press("Control+o")
    workbench.page.fill("input[name=shared]", address)
    workbench.page.keyboard.press("Enter")
    workbench.says("Opened from the link")
    assert workbench.document() == built


def test_a_server_started_again_elsewhere_offers_the_work_of_the_tab_it_left(browser, workspace):
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.build_four_bar()
        bench.settled()
    expect(bench.page.locator("footer")).to_contain_text("The server is away; your work is kept here")
    built = bench.document()
    with Running(workspace) as server:
        fresh = Workbench.opened(browser, server)
        fresh.says("Work that was never saved is kept")
        fresh.press("Control+o")
        fresh.page.click("dialog .files button:has-text('Untitled')")
        fresh.says("Recovered")
        assert fresh.document() == built
        fresh.page.context.close()
    bench.page.context.close()
