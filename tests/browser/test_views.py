"""Every main view at three sizes, light and dark: nothing is cut off; a picture of each in build/screens."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.app.server.running import Running
from tests.browser.workbench import Workbench

SCREENS = Path(__file__).parents[2] / "build" / "screens"
SIZES = ((1280, 800), (1920, 1080), (800, 600))
NARROW = 1000

# Things that stick out of the page, or whose words do not fit where they stand.
CUT_OFF = """() => [...document.querySelectorAll("button, input, select, h1, h2, h3, footer span, .guide")]
    .filter((e) => e.offsetParent && !e.closest(".panel, dialog, .hidden"))
    .filter((e) => {
        const box = e.getBoundingClientRect();
        return box.left < 0 || box.top < 0 || box.right > innerWidth + 1 || box.bottom > innerHeight + 1;
    })
    .map((e) => e.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_main_view_fits_its_page(browser: Browser, workspace, size, scheme):
    SCREENS.mkdir(parents=True, exist_ok=True)
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.page.set_viewport_size({"width": size[0], "height": size[1]})
        bench.page.emulate_media(color_scheme=scheme)

        def shot(name: str) -> None:
            bench.page.wait_for_timeout(150)
            cut = bench.page.evaluate(CUT_OFF)
            bench.page.screenshot(path=SCREENS / f"{name}-{size[0]}-{scheme}.png")
            assert cut == [], name

        shot("empty")
        if size[0] < NARROW:  # there it lies over much of the drawing
            bench.page.click("[aria-label='Close the guide']")
        bench.steady()
        bench.build_four_bar()
        bench.verdict("It works")
        bench.click((65, 35))
        shot("built")
        if size[0] >= NARROW:
            bench.page.click("[aria-label='Close the guide']")
        for name in ("machine", "outlook", "plan", "plots"):
            bench.page.click(f"[data-sheet={name}]")
            if name == "plots":
                bench.page.wait_for_selector(".chart canvas")
            shot(name)
        for name, wait in (
            ("gallery", "[data-example=four_bar] img"),
            ("export", "[data-kind=svg]"),
            ("help", ".keys"),
        ):
            bench.action(name)
            bench.page.wait_for_selector(wait)
            bench.page.wait_for_load_state("networkidle")
            shot(name)
            bench.press("Escape")
        bench.action("gallery")
        bench.page.click("[data-example=jansen_leg]")
        bench.says("walking leg")
        bench.verdict("It works")
        shot("jansen")
        bench.page.context.close()


def test_on_a_page_as_narrow_as_a_telephone_everything_can_be_reached(browser: Browser, workspace):
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.page.set_viewport_size({"width": 420, "height": 800})
        bench.action("gallery")
        bench.page.click("button.template >> nth=0")
        bench.verdict("It works")
        bench.page.wait_for_timeout(150)
        assert bench.page.evaluate(CUT_OFF) == []
        bench.action("play")
        bench.page.wait_for_selector("[data-action=play][aria-pressed=true]")
        bench.page.context.close()


def test_words_that_take_more_lines_do_not_move_the_drawing(browser: Browser, workspace):
    """In a narrow window: the words of a tool, of a link and of a refusal are of different lengths."""
    with Running(workspace) as server:
        bench = Workbench.opened(browser, server)
        bench.page.set_viewport_size({"width": 800, "height": 600})
        bench.page.click("[aria-label='Close the guide']")
        bench.steady()
        places = {bench.pixel((0, 0))}
        for tool in ("link", "ground", "drive", "select"):
            bench.take(tool)
            bench.steady()
            places.add(bench.pixel((0, 0)))
        high = "() => document.querySelector('.header').offsetHeight"
        before = bench.page.evaluate(high)
        bench.draw((40, 0), (40, 20))
        bench.settled()
        bench.steady()
        assert {*places, bench.pixel((0, 0))} == places
        assert len(places) == 1
        assert bench.page.evaluate(high) == before  # also with "not saved" in it: a pull would slip meanwhile
