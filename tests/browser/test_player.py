"""The page that plays a film: keys, slider and button, nothing fetched, still when asked to be."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from detent.app import main
from tests.conftest import REFERENCE

FOUR_BAR = str(REFERENCE / "linkages" / "4-bar.toml")


@pytest.fixture(scope="module")
def film(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("film") / "film.html"
    assert main(["draw", FOUR_BAR, "-o", str(out), "--quiet"]) == 0
    return out


def opened(browser: Browser, film: Path, motion: str) -> tuple[Page, list[str], list[str]]:
    page = browser.new_context(reduced_motion=motion).new_page()  # type: ignore[arg-type]
    wrong: list[str] = []
    asked: list[str] = []
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto(film.as_uri())
    return page, wrong, asked


def where(page: Page) -> str:
    return page.locator("[data-mover]").first.get_attribute("transform") or ""


def test_with_reduced_motion_it_waits_and_the_keys_step(browser: Browser, film: Path) -> None:
    page, wrong, asked = opened(browser, film, "reduce")
    expect(page.locator("#play")).to_have_text("Play")
    start = where(page)
    page.keyboard.press("ArrowRight")
    expect(page.locator("#frame")).to_have_value("1")
    assert where(page) != start
    page.keyboard.press("End")
    last = page.locator("#frame").get_attribute("max")
    expect(page.locator("#frame")).to_have_value(last or "")
    page.keyboard.press("Home")
    assert where(page) == start
    assert not wrong
    assert asked == [film.as_uri()]
    page.context.close()


def test_it_plays_pauses_and_follows_the_slider(browser: Browser, film: Path) -> None:
    page, wrong, _ = opened(browser, film, "no-preference")
    play, frame, words = (page.locator(f"#{name}") for name in ("play", "frame", "words"))
    expect(play).to_have_text("Pause")
    expect(frame).not_to_have_value("0")
    play.click()
    expect(play).to_have_attribute("aria-pressed", "false")
    frame.fill("20")
    expect(frame).to_have_value("20")
    shown = words.inner_text()
    page.keyboard.press("ArrowLeft")
    expect(words).not_to_have_text(shown)
    page.keyboard.press("k")
    expect(play).to_have_text("Pause")
    assert not wrong
    page.context.close()
