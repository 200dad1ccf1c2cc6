"""How smoothly the workbench drags: frames a second beside those of an empty page, in one run.

A real Chromium with software raster shows the fifty-link example; a hand turns its crank round and round at a
pointer event a frame. The house keeps the drag at the rate of the screen, sixty frames a second on most, and
lets no frame wait for the server. The page's own share of a frame, plan and painting, is given beside it.
"""

from __future__ import annotations

import shutil
import tempfile
from dataclasses import dataclass

from benchmarks.server import opened

SECONDS = 4.0
EXAMPLE = "stress_50"
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

# Counts frames for a while; with `grab`, each frame pulls the crank's tip a little further round its circle.
_FRAMES = """([seconds, grab]) => new Promise((done) => {
    const view = window.detentView, canvas = document.getElementById("drawing");
    const press = (type, [x, y]) => canvas.dispatchEvent(
        new PointerEvent(type, { clientX: x, clientY: y, pointerId: 1, buttons: 1, bubbles: true }));
    canvas.setPointerCapture = () => undefined;
    let [cx, cy, radius] = [0, 0, 0];
    if (grab) {
        const tip = view.place(grab.tip), pivot = view.place(grab.pivot);
        [cx, cy, radius] = [...pivot, Math.hypot(tip[0] - pivot[0], tip[1] - pivot[1])];
        press("pointerdown", view.toPage(...tip));
    }
    let begun = performance.now(), before = view.painted();
    let count = 0, busy = 0, waits = grab ? view.place(grab.tip)[0] : null;
    const turn = (now) => {
        count++;
        if (waits !== null && view.place(grab.tip)[0] !== waits) {
            // The plan has come: from here on the page is on its own.
            [waits, begun, before, count, busy] = [null, now, view.painted(), 0, 0];
        }
        if (grab) {
            const angle = 2 * (now - begun) / 1000, start = performance.now();
            press("pointermove", view.toPage(cx + radius * Math.cos(angle), cy + radius * Math.sin(angle)));
            busy += performance.now() - start;
        }
        if (waits !== null || now - begun < 1000 * seconds) return requestAnimationFrame(turn);
        const whole = (performance.now() - begun) / 1000;
        if (grab) press("pointerup", view.toPage(cx + radius, cy));
        const painted = (view.painted() - before) / whole;
        done({ rate: count / whole, painted, busy: busy / count, paint: view.paintMs() });
    };
    requestAnimationFrame(turn);
})"""


@dataclass(frozen=True)
class Frames:
    """Frames a second of an idle page and of a drag, and the plan's time in a frame."""

    idle: dict[str, float]
    drag: dict[str, float]
    version: str

    def text(self) -> str:
        ratio = self.drag["painted"] / self.idle["rate"]
        return "\n".join(
            [
                f"frames a second, {self.version}, software raster",
                f"an idle page           {self.idle['rate']:6.1f}",
                f"drag of {EXAMPLE:<14} {self.drag['painted']:6.1f}   {ratio:.2f} of the idle page",
                f"plan and pointer       {self.drag['busy']:6.2f} ms a frame",
                f"painting               {self.drag['paint']:6.2f} ms a frame",
            ]
        )


@dataclass(frozen=True)
class Nothing:
    """Where there is no browser."""

    def text(self) -> str:
        return "drag of the workbench: no Chromium here"


def run(repeats: int) -> list[Frames | Nothing]:
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        return [Nothing()]
    from playwright.sync_api import sync_playwright

    with (
        tempfile.TemporaryDirectory() as folder,
        opened(folder, EXAMPLE) as (_, launch),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(launch)
        page.wait_for_function("() => window.detentView?.settled() && window.detentView.place('L1.T0')")
        idle = page.evaluate(_FRAMES, [SECONDS, None])
        drag = page.evaluate(_FRAMES, [SECONDS, {"tip": "L1.T0", "pivot": "L1.P0"}])
        made = Frames(idle, drag, f"Chromium {browser.version}")
        browser.close()
    return [made]
