"""The workbench in sentences of pointer events: draw a link here, drag that joint there.

Tests speak in the drawing's coordinates; only this module knows that there are
pixels. It looks at the page as a person does (pointer, keyboard, what is shown),
and at two things the page tells it for tests' sake: `data-connected` on the root (the server has answered),
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
        """Where a point of the drawing is on the page, once what was just done is laid out."""
        self.drawn()
        x, y = self.page.evaluate("([x, y]) => window.detentView.toPage(x, y)", list(at))
        return float(x), float(y)

    def drawn(self) -> None:
        """Wait for the next frame and what follows it: a line of words more, or a dialog that closes."""
        self.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

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

    def take(self, tool: str) -> None:
        """Take a tool by its button."""
        self.page.click(f"[data-tool={tool}]")

    def draw(self, *points: Point) -> None:
        """A link from point to point."""
        self.take("link")
        self.drag(*points)

    def build_four_bar(self) -> None:
        """A crank-rocker from nothing: crank 20, coupler 60, rocker 50, ground 60, driven at the crank."""
        self.draw((40, 0), (40, 20))
        self.draw((40, 20), (90, 50))
        self.draw((90, 50), (100, 0))
        self.take("ground")
        self.click((40, 0))
        self.click((100, 0))
        self.take("drive")
        self.click((40, 0))
        self.take("select")

    def settled(self) -> None:
        """Wait until the server has looked at the document as it is now."""
        self.page.wait_for_function("() => window.detentView.settled()")

    def select(self, name: str) -> None:
        """Through parts and joints by the key N, until one is selected."""
        self.page.locator("#drawing").focus()
        for _ in range(12):
            self.press("n")
            if f"Selected {name}." in self.page.locator("#status").inner_text():
                return
        raise AssertionError(name)

    def steady(self) -> None:
        """Wait until the drawing stays where it is on the page, after a change of the page's layout."""
        self.page.wait_for_function(
            """() => new Promise((answer) => {
                const place = () => JSON.stringify(window.detentView.toPage(0, 0));
                const before = place();
                requestAnimationFrame(() => setTimeout(() => requestAnimationFrame(() => answer(place() === before)), 50));
            })"""  # noqa: E501
        )

    def says(self, words: str) -> None:
        """Wait until the status line says this."""
        self.page.wait_for_function(
            "(words) => document.getElementById('status').textContent.includes(words)", arg=words
        )

    def verdict(self, headline: str) -> None:
        """Wait until the page judges the machine so."""
        self.page.wait_for_selector(f".verdict strong:text-is('{headline}')")

    def place(self, ref: str) -> Point:
        """Where a marker is shown; a file that was just dropped is given its time to be read."""
        self.page.wait_for_function("(ref) => window.detentView.place(ref) != null", arg=ref)
        x, y = self.page.evaluate("(ref) => window.detentView.place(ref)", ref)
        return float(x), float(y)

    def action(self, name: str) -> None:
        self.page.click(f"[data-action={name}]")

    def save_as(self, name: str) -> None:
        self.press("Control+Shift+S")
        self.page.fill("input[name=path]", name)
        self.page.keyboard.press("Enter")
        self.says(f"Saved as {name}")

    def open_file(self, path: str) -> None:
        self.press("Control+o")
        self.page.click(f"[data-path='{path}']")
        self.says(f"Opened {path}")

    def drop_file(self, name: str, text: str) -> None:
        """Let a file fall on the drawing."""
        given = self.page.evaluate_handle(
            """([name, text]) => {
                const data = new DataTransfer();
                data.items.add(new File([text], name));
                return data;
            }""",
            [name, text],
        )
        self.page.dispatch_event("#drawing", "drop", {"dataTransfer": given})

    def press(self, keys: str) -> None:
        """A key or a chord, as in `Control+z`, and what it does on the page."""
        self.page.keyboard.press(keys)
        self.drawn()

    def document(self) -> dict[str, Any]:
        """The document as the page holds it, once what was just done is done."""
        self.page.wait_for_function("() => window.detentView.waiting() === 0")
        made = self.page.evaluate("() => window.detentView.document()")
        assert isinstance(made, dict)
        return made
