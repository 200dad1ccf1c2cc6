"""The keyboard alone, less motion, words for what is drawn, and colours that can be read."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, expect

from tests.app.server.running import Running
from tests.browser.workbench import Workbench

AA = 4.5  # contrast of text by WCAG 2, level AA


def focus_drawing(bench: Workbench) -> None:
    """By Tab, as a person without a pointer does."""
    for _ in range(60):
        bench.press("Tab")
        if bench.page.evaluate("() => document.activeElement?.id === 'drawing'"):
            return
    raise AssertionError("the drawing cannot be reached by Tab")


def steps(bench: Workbench, right: int = 0, up: int = 0) -> None:
    for key, count in (("ArrowRight", right), ("ArrowLeft", -right), ("ArrowUp", up), ("ArrowDown", -up)):
        for _ in range(count):
            bench.press(key)


def test_a_four_bar_is_built_driven_pulled_played_and_saved_without_a_pointer(workbench):
    focus_drawing(workbench)
    workbench.press("l")
    steps(workbench, right=-3)
    workbench.press("Enter")
    steps(workbench, up=4)
    workbench.press("Enter")
    workbench.press("Enter")
    steps(workbench, right=8, up=3)
    workbench.press("Enter")
    workbench.press("Enter")
    steps(workbench, right=2, up=-7)
    workbench.press("Enter")
    workbench.press("g")
    workbench.press("Enter")
    steps(workbench, right=-10)
    workbench.press("Enter")
    workbench.press("d")
    workbench.press("Enter")
    workbench.verdict("It works")
    workbench.press("v")
    steps(workbench, up=4)
    workbench.press("Enter")
    steps(workbench, right=-3, up=-2)
    workbench.press("Enter")
    workbench.page.wait_for_function("() => window.detentView.document().parts.link.pose !== undefined")
    workbench.press("Space")
    workbench.page.wait_for_selector("[data-action=play][aria-pressed=true]")
    workbench.press("Space")
    workbench.save_as("keys.json")


def test_every_button_has_a_name_and_the_focus_can_be_seen(workbench):
    workbench.build_four_bar()
    nameless = workbench.page.evaluate(
        """() => [...document.querySelectorAll("button, input, select, canvas")]
            .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length))
            .map((e) => e.outerHTML.slice(0, 80))"""
    )
    assert nameless == []
    workbench.press("Tab")
    seen = workbench.page.evaluate("() => getComputedStyle(document.activeElement).outlineStyle")
    assert seen == "solid"


def test_the_canvas_says_in_words_what_is_there(workbench):
    workbench.build_four_bar()
    workbench.settled()
    words = workbench.page.get_attribute("#drawing", "aria-label")
    assert words is not None
    for expected in ("link is a link of 2 points", "ground is held fast", "drive drives"):
        assert expected in words


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_stands_out_from_what_is_behind_it(browser: Browser, workspace, scheme):
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.page.emulate_media(color_scheme=scheme)
        bench.build_four_bar()
        bench.settled()
        bench.page.click("[data-sheet=machine]")
        poor = bench.page.evaluate(CONTRAST)
        bench.page.context.close()
    assert [line for line in poor if line[0] < AA] == []


CONTRAST = """() => {
    const rgb = (c) => (c.match(/[\\d.]+/g) ?? []).map(Number);
    const light = ([r, g, b]) => [r, g, b]
        .map((v) => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
    const behind = (e) => {
        for (; e; e = e.parentElement) {
            const c = rgb(getComputedStyle(e).backgroundColor);
            if (c.length === 3 || c[3] > 0) return c;
        }
        return [255, 255, 255];
    };
    return [...document.querySelectorAll("body *")]
        .filter((e) => [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
        .filter((e) => e.offsetParent && !e.closest(":disabled, .hidden, option"))
        .map((e) => {
            const [a, b] = [light(rgb(getComputedStyle(e).color)), light(behind(e))];
            return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.textContent.trim().slice(0, 40)];
        });
}"""


def test_less_motion_shows_still_frames_only(browser: Browser, workspace):
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.page.emulate_media(reduced_motion="reduce")
        bench.build_four_bar()
        bench.settled()
        bench.action("play")
        bench.page.wait_for_selector("[data-action=play][aria-pressed=true]")
        bench.page.wait_for_timeout(300)
        before = bench.page.evaluate("() => window.detentView.painted()")
        bench.page.wait_for_timeout(1000)
        frames = bench.page.evaluate("() => window.detentView.painted()") - before
        bench.page.context.close()
    assert frames <= 4


def test_the_help_page_lists_a_key_for_every_action(workbench):
    workbench.press("?")
    keys = workbench.page.locator("dialog .keys dl > div")
    assert keys.count() > 30
    for k in range(keys.count()):
        assert re.search(r"\S", keys.nth(k).locator("kbd").first.inner_text())


def test_the_key_after_escape_is_not_lost(workbench):
    """Both keys in one task of the page: nothing that the browser does later can help."""
    workbench.press("Control+o")
    expect(workbench.page.get_by_role("dialog", name="Open")).to_be_visible()
    workbench.page.evaluate(
        """() => {
            const press = (at, given) =>
                at.dispatchEvent(new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...given }));
            press(document.querySelector("dialog"), { key: "Escape" });
            press(document.body, { key: "e", ctrlKey: true });
        }"""
    )
    expect(workbench.page.get_by_role("dialog", name="Export")).to_be_visible()
    workbench.press("Escape")
    expect(workbench.page.locator("dialog")).to_have_count(0)


def test_escape_closes_a_dialog_that_is_not_drawn_yet(workbench):
    """Asked for and given up in one task of the page: Escape comes before there is a dialog to get it."""
    workbench.page.evaluate(
        """() => {
            const press = (given) => {
                const init = { bubbles: true, cancelable: true, ...given };
                document.body.dispatchEvent(new KeyboardEvent("keydown", init));
            };
            press({ key: "o", ctrlKey: true });
            press({ key: "Escape" });
        }"""
    )
    workbench.drawn()
    expect(workbench.page.locator("dialog")).to_have_count(0)
