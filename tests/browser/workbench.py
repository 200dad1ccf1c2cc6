"""The workbench in sentences of pointer events: draw a link here, drag that joint there.

Tests speak in the drawing's coordinates; only this module knows that there are
pixels. It looks at the page as a person does (pointer, keyboard, what is shown),
and at two things the page tells it for tests' sake: `data-connected` on the root,
and `window.detentView`, which maps a point of the drawing to one of the page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, Page

from tests.app.server.running import PATIENCE, Running

Point = tuple[float, float]


@dataclass
class Workbench:
    """One page, and what it complained of."""

    page: Page
    server: Running
    complaints: list[str] = field(default_factory=list)

    @classmethod
    def opened(cls, browser: Browser, server: Running) -> Workbench:
        """Enter by the printed address, and wait until the page is connected."""
        context = browser.new_context(viewport={"width": 1280, "height": 800}, accept_downloads=True)
        made = cls(context.new_page(), server)
        made.page.set_default_timeout(PATIENCE * 1000)
        made.page.on("console", made._heard)
        made.page.on("pageerror", lambda error: made.complaints.append(str(error)))
        made.page.goto(server.launch)
        made.page.wait_for_selector("[data-connected=true]")
        return made

    def _heard(self, message: Any) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def pixel(self, at: Point) -> Point:
        """Where a point of the drawing is on the page."""
        x, y = self.page.evaluate("([x, y]) => window.detentView.toPage(x, y)", list(at))
        return float(x), float(y)

    def move_to(self, at: Point) -> None:
        self.page.mouse.move(*self.pixel(at))

    def click(self, at: Point) -> None:
        self.page.mouse.click(*self.pixel(at))

    def drag(self, start: Point, *via: Point, steps: int = 8) -> None:
        """Press at a point, move through others, let go at the last."""
        self.move_to(start)
        self.page.mouse.down()
        for point in via:
            self.page.mouse.move(*self.pixel(point), steps=steps)
        self.page.mouse.up()

    def press(self, keys: str) -> None:
        """A key or a chord, as in `Control+z`."""
        self.page.keyboard.press(keys)

    def document(self) -> dict[str, Any]:
        """The document as the page holds it."""
        made = self.page.evaluate("() => window.detentView.document()")
        assert isinstance(made, dict)
        return made
