"""A machine is run from the page: played, plotted, its events shown, ended by a jam or by hand."""

from __future__ import annotations

import json
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import detent
from tests.app.server.running import Running
from tests.browser.workbench import Workbench

FALLING = Path(__file__).parents[1] / "app" / "falling.toml"
GAP, SPEED = 0.5, 2.0


def sledge(**drive: Any) -> dict[str, Any]:
    """A block that is driven to a wall half a metre away."""
    along = {"slide": {"at": [0, 0], "along": [1, 0]}}
    return {
        "format": "detent/1",
        "units": "m",
        "parts": {
            "wall": {
                "fixed": True,
                "shape": {"outline": [[1 + GAP, 0], [2, 0], [2, 1], [1 + GAP, 1]]},
                "markers": along,
            },
            "block": {
                "shape": {"outline": [[0, 0.2], [1, 0.2], [1, 0.8], [0, 0.8]]},
                "mass": 1,
                "center": [0.5, 0.5],
                "inertia": 1,
                "markers": along,
            },
        },
        "joints": {"slide": {"type": "prismatic", "between": ["wall.slide", "block.slide"]}},
        "drives": {"push": {"joint": "slide", "speed": SPEED}},
        "ask": {"run": {"until": 1}},
    }


@pytest.fixture
def workbench(browser: Browser, workspace: Path) -> Iterator[Workbench]:
    """As everywhere; these runs are short, and nothing is compiled for them."""
    with Running(workspace, env={"DETENT_SPEED": "plain"}) as server:
        made = Workbench.opened(browser, server)
        yield made
        made.page.context.close()
        assert made.complaints == []


def brought(workbench: Workbench, document: dict[str, Any]) -> None:
    workbench.drop_file("machine.json", json.dumps(document))
    workbench.says("Imported machine.json")
    workbench.settled()


def shown_time(workbench: Workbench) -> float:
    return float(workbench.page.locator(".reading").inner_text().removesuffix(" s"))


def height(workbench: Workbench) -> float:
    """How far the weight is below where it was drawn, as the page shows it."""
    return float(workbench.page.evaluate("() => window.detentView.poses().weight[1]"))


def test_a_machine_is_run_played_and_read_at_its_events(workbench):
    page = workbench.page
    brought(workbench, tomllib.loads(FALLING.read_text()))
    workbench.press(" ")
    expect(page.locator("[data-ended=done]")).to_contain_text("It ran for 1 s")
    expect(page.locator(".play")).to_contain_text("Pause")
    page.wait_for_function("() => Number(document.querySelector('.player input').value) > 20")
    workbench.press(" ")
    expect(page.locator(".play")).to_contain_text("Play")
    record = detent.run(FALLING)
    events = page.locator(".events button")
    expect(events).to_have_count(len(record.events))
    events.first.click()
    landing = math.sqrt(2 * 0.5 / 9.81)
    assert shown_time(workbench) == pytest.approx(landing, abs=1e-4)
    assert height(workbench) == pytest.approx(-0.5, abs=1e-6)
    page.locator(".player input").fill("0")
    assert (shown_time(workbench), height(workbench)) == (0, 0)

    said = [" ".join(line.split()) for line in page.locator(".told div").all_inner_texts()]
    printed = [" ".join(line.split()) for line in record.words.splitlines()]
    assert said
    assert set(said) <= set(printed)
    assert {"certainty", "left out", "assumed"} <= {
        line.split("  ")[0] for line in page.locator(".told dt").all_inner_texts()
    }
    for quantity in ("velocities", "energy", "states"):
        page.select_option("select[aria-label=Quantity]", quantity)
        page.wait_for_selector(".chart canvas")
    page.select_option("select[aria-label=Of]", "slide")
    page.wait_for_selector(".chart canvas")
    box = page.locator(".chart .u-over").bounding_box()
    page.mouse.click(box["x"] + 0.2 * box["width"], box["y"] + box["height"] / 2)
    page.wait_for_function("() => Number(document.querySelector('.player input').value) > 0")
    time = shown_time(workbench)
    assert 0.1 < time < 0.3
    assert height(workbench) == pytest.approx(-9.81 / 2 * time**2, abs=1e-3)
    with page.expect_download() as download:
        workbench.action("run-csv")
    assert Path(download.value.path()).read_text() == record.to_csv()
    workbench.press("r")
    assert height(workbench) == 0


def test_what_runs_into_a_wall_is_blocked_and_what_has_no_mass_is_named(workbench):
    page = workbench.page
    brought(workbench, sledge())
    workbench.press(" ")
    expect(page.locator("[data-ended=blocked]")).to_contain_text(f"It is blocked at {GAP / SPEED} s")
    expect(page.locator("[data-ended=blocked]")).to_contain_text("a drive at a speed cannot go on")
    massless = sledge()
    for key in ("mass", "center", "inertia"):
        del massless["parts"]["block"][key]
    brought(workbench, massless)
    expect(page.locator("[data-ended]")).to_have_count(0)
    page.click("[data-sheet=run]")
    workbench.action("run")
    trouble = page.locator("[data-trouble]")
    expect(trouble.locator("code")).to_have_text("parts.block.mass")
    expect(trouble.locator(".remedy")).to_contain_text("mass")


TORQUE, INERTIA, TURNING = 0.2, 4.0, 0.5


@pytest.mark.parametrize(
    ("drive", "angle"),
    [
        ({"torque": TORQUE}, lambda time: TORQUE / INERTIA * time**2 / 2),
        ({"speed": TURNING}, lambda time: TURNING * time),
    ],
    ids=["torque", "speed"],
)
def test_a_linkage_whose_drive_gives_no_positions_is_said_to_run_and_space_runs_it(workbench, drive, angle):
    page = workbench.page
    hub = {"A": [0, 0]}
    linkage = {
        "format": "detent/1",
        "parts": {
            "ground": {"fixed": True, "markers": hub},
            "arm": {"markers": {**hub, "B": [1, 0]}, "mass": 1, "center": [0, 0], "inertia": INERTIA},
        },
        "joints": {"A": {"type": "revolute", "between": ["ground.A", "arm.A"]}},
        "drives": {"motor": {"joint": "A", **drive}},
    }
    brought(workbench, linkage)
    page.click("[data-sheet=machine]")
    expect(page.locator(".verdict .remedy")).to_contain_text("ress Space to run it.")
    page.click("[data-sheet=plots]")
    expect(page.locator("[role=tabpanel]")).to_contain_text("Plots over time stand under Run")
    page.locator("#drawing").focus()
    workbench.press(" ")
    expect(page.locator("[data-ended=done]")).to_contain_text("It ran")
    workbench.press(" ")
    slider = page.locator(".player input")
    slider.fill(slider.get_attribute("max"))  # the end, at a round time that is shown whole
    time = shown_time(workbench)
    assert time > 0
    turned = page.evaluate("() => window.detentView.poses().arm[2]")
    assert turned == pytest.approx(angle(time), rel=1e-6)
    assert workbench.document()["drives"] == linkage["drives"]


def test_a_run_is_given_up_by_hand_or_by_a_change_and_the_next_one_goes(workbench):
    page = workbench.page
    # A pendulum that would swing for hours.
    swings = tomllib.loads(FALLING.read_text())
    swings["joints"]["hub"]["spring"] = {"stiffness": 50000}
    swings["ask"]["run"]["until"] = 1e6
    brought(workbench, swings)
    workbench.press(" ")
    workbench.action("run-cancel")
    workbench.says("The run was stopped.")
    workbench.action("run")
    page.wait_for_selector("[data-action=run-cancel]")
    page.fill("input[aria-label='For in s']", "0.01")
    page.keyboard.press("Enter")
    expect(page.locator("[data-action=run-cancel]")).to_have_count(0)
    workbench.settled()
    assert workbench.document()["ask"]["run"]["until"] == 0.01
    workbench.action("run")
    expect(page.locator("[data-ended=done]")).to_contain_text("It ran for 0.01 s")
    workbench.says("1200 times slower than it goes")
    workbench.press("Control+z")
    expect(page.locator("[data-ended]")).to_have_count(0)


def test_joints_that_shapes_make_are_named_with_their_reasons(workbench):
    page = workbench.page
    page.keyboard.press("Control+Shift+O")
    page.click("[data-example=escapement]")
    workbench.verdict("A machine to run")
    told = page.locator(".told")
    reasons = {joint.name: joint.why for joint in detent.explain("escapement").joints}
    assert len(reasons) == 3
    for name, why in reasons.items():
        expect(told).to_contain_text(f"{name}: {why}")
    workbench.settled()
    workbench.select("joint lever")
    page.click("[data-sheet=selected]")
    expect(page.locator(".card h3")).to_have_text("Joint lever: pin, found from the shapes")
