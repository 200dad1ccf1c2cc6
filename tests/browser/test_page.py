"""The page that `detent open` shows."""

from __future__ import annotations

import detent
from tests.app.server.running import Running
from tests.browser.workbench import Workbench


def test_the_page_opens_connects_and_complains_of_nothing(workbench):
    assert "Detent" in workbench.page.title()


def test_the_page_connects_again_when_the_server_was_gone(browser, workspace):
    with Running(workspace) as server:
        port = server.host.rpartition(":")[2]
        bench = Workbench.opened(browser, server)
    bench.page.wait_for_selector("[data-connected=false]")
    with Running(workspace, ("--port", port)) as server:
        # A new server has a new secret; the printed address lets the page in again.
        bench.page.goto(server.launch)
        bench.page.wait_for_selector("[data-connected=true]")
    bench.page.context.close()


def test_a_plot_of_forces_names_each_component_with_its_unit(workbench, workspace):
    machine = detent.load("slider_crank").with_("units", "mm").with_("ask.move.loads", {"piston.S": [3, 4]})
    detent.save(machine, workspace / "loaded.toml")
    motion = detent.move(workspace / "loaded.toml")
    workbench.open_file("loaded.toml")
    workbench.page.get_by_text("Plots", exact=True).click()
    workbench.page.select_option("select[aria-label=Quantity]", label="forces")
    assert any("N m" in each for parts in motion.force_components.values() for each in parts)
    for name, components in motion.force_components.items():
        workbench.page.select_option("select[aria-label=Of]", label=name)
        workbench.page.wait_for_selector(f"figcaption:has-text('{name}: {', '.join(components)}, over')")
        shown = [each.split(" on ")[0] for each in components]
        workbench.page.wait_for_function(
            "(names) => JSON.stringify([...document.querySelectorAll('.u-legend .u-label')].slice(1)"
            ".map((e) => e.textContent)) === JSON.stringify(names)",
            arg=shown,
        )
