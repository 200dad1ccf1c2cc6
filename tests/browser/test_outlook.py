"""The long run of a machine, asked for on the page: words, picture and tables; given up; refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

import detent
from tests.app.server.running import Running
from tests.browser.workbench import Workbench


def pendulum(*arms: float, **joint: Any) -> dict[str, Any]:
    """Bobs of 1 kg, 1 m apart, hung on each other; the first one begins at an angle [°]."""
    document: dict[str, Any] = {
        "format": "detent/1",
        "units": "m",
        "gravity": [0, -9.81],
        "parts": {"base": {"fixed": True, "markers": {"e": [0, 0]}}},
        "joints": {},
        "start": {"pin0": {"at_deg": arms[0]}},
        "ask": {"outlook": {}},
    }
    above = "base"
    for k in range(len(arms)):
        document["parts"][f"bob{k}"] = {
            "mass": 1,
            "inertia": 0.01,
            "center": [0, -1],
            "pose": {"at": [0, -k]},
            "markers": {"o": [0, 0], "e": [0, -1]},
        }
        document["joints"][f"pin{k}"] = {"type": "revolute", "between": [f"{above}.e", f"bob{k}.o"], **joint}
        above = f"bob{k}"
    return document


@pytest.fixture
def workbench(browser: Browser, workspace: Path) -> Iterator[Workbench]:
    """As everywhere; these machines are small, and nothing is compiled for them."""
    with Running(workspace, env={"DETENT_SPEED": "plain"}) as server:
        made = Workbench.opened(browser, server)
        yield made
        made.page.context.close()
        assert made.complaints == []


def brought(workbench: Workbench, document: dict[str, Any]) -> None:
    workbench.drop_file("machine.json", json.dumps(document))
    workbench.says("Imported machine.json")
    workbench.settled()
    workbench.page.click("[data-sheet=outlook]")


def test_the_long_run_is_told_in_words_tables_and_a_picture(workbench):
    page = workbench.page
    brought(workbench, pendulum(30))
    workbench.action("outlook")
    verdict = page.locator("[data-outlook=repeats]")
    record = detent.outlook(detent.from_dict(pendulum(30)))
    expect(verdict).to_contain_text("It repeats")
    expect(verdict).to_contain_text(record.reason)
    printed = " ".join(record.words.split())
    said = [" ".join(line.split()) for line in page.locator(".told div").all_inner_texts()]
    assert said
    assert [line for line in said if line not in printed] == []
    assert {"certainty", "left out", "assumed"} <= set(page.locator(".told dt").all_inner_texts())
    tables = page.locator("details.table")
    assert [text.split()[0] for text in tables.locator("summary").all_inner_texts()] == [
        "pattern",
        *(["refused"] if record.refused else []),
        "evidence",
    ]
    tables.first.locator("summary").click()
    expect(tables.first.locator("tbody td").first).to_have_text("pin0")
    expect(tables.first.locator("summary")).to_contain_text(f"{record.pattern.duration:.6g} s")
    picture = page.locator("img.drawn")
    page.wait_for_function("() => document.querySelector('img.drawn').naturalWidth > 300")
    assert "One%20pattern" in picture.get_attribute("src")
    # Of the machine as it is now: a change takes the answer away, undo brings it back.
    page.click("[data-sheet=run]")
    page.fill("input[aria-label='For in s']", "3")
    page.keyboard.press("Enter")
    page.click("[data-sheet=outlook]")
    expect(page.locator("[data-outlook]")).to_have_count(0)
    workbench.press("Control+z")
    expect(page.locator("[data-outlook=repeats]")).to_have_count(1)


def test_moments_what_is_expected_and_a_sound_machine_are_asked_for_and_the_table_is_saved(
    workbench, workspace
):
    sound = pendulum(30)
    (workspace / "sound.json").write_text(json.dumps(sound))
    page = workbench.page
    brought(workbench, pendulum(40))
    for label, text in (
        ("States at in s", "2.5; 100"),
        ("Expected", "duration=3, patterns=2"),
        ("Simulate in patterns at most", "30"),
    ):
        page.fill(f"input[aria-label='{label}']", text)
        page.keyboard.press("Enter")
    page.select_option("select[aria-label=Beside]", "sound.json")
    workbench.action("outlook")
    asked = {"at": [2.5, 100], "patterns": 30, "expect": {"duration": 3, "patterns": 2}}
    record = detent.outlook(
        detent.from_dict(pendulum(40) | {"ask": {"outlook": asked}}), beside=detent.from_dict(sound)
    )
    assert record.expectation is not None
    assert record.diagnosis is not None
    printed = " ".join(record.words.split())
    told = page.locator(".told")
    expect(told).to_contain_text("duration 3")
    for line in told.locator("div").all_inner_texts():
        assert " ".join(line.split()) in printed
    assert {"expected", "departs", "certainty", "assumed"} <= set(told.locator("dt").all_inner_texts())
    summaries = page.locator("details.table summary").all_inner_texts()
    assert sum(text.startswith("moment") for text in summaries) == 2
    with page.expect_download() as download:
        workbench.action("outlook-csv")
    assert Path(download.value.path()).read_text() == record.to_csv()
    # Beside another machine, or with other moments, it is another answer.
    page.select_option("select[aria-label=Beside]", "")
    expect(page.locator("[data-outlook]")).to_have_count(0)


def test_what_cannot_be_asked_for_is_said_and_not_taken(workbench):
    page = workbench.page
    brought(workbench, pendulum(30))
    field = page.locator("input[aria-label='Expected']")
    field.fill("minima")
    page.keyboard.press("Enter")
    workbench.says("minima says nothing that can be expected")
    expect(field).to_have_value("")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.fill("wheel=-36deg")
    page.keyboard.press("Enter")
    workbench.action("outlook")
    expect(page.locator("[data-trouble]")).to_contain_text("wheel")


def test_a_pendulum_that_is_damped_is_told_to_come_to_rest_without_a_picture(workbench):
    brought(workbench, pendulum(30, damping=0.5))
    workbench.action("outlook")
    expect(workbench.page.locator("[data-outlook=at_rest]")).to_contain_text("It is at rest")
    expect(workbench.page.locator("img.drawn")).to_have_count(0)
    expect(workbench.page.locator(".told")).to_contain_text("at rest")


def test_an_outlook_is_given_up_by_hand_and_the_next_one_goes(workbench):
    page = workbench.page
    brought(workbench, pendulum(120, 0, 0))  # it never repeats, and is looked at for long
    workbench.action("outlook")
    expect(page.locator(".progress")).to_contain_text("simulating")
    workbench.action("outlook-cancel")
    workbench.says("The outlook was stopped.")
    brought(workbench, pendulum(30))
    workbench.action("outlook")
    expect(page.locator("[data-outlook=repeats]")).to_have_count(1)


def test_what_cannot_be_simulated_is_named_with_its_remedy(workbench):
    massless = pendulum(30)
    for key in ("mass", "center", "inertia"):
        del massless["parts"]["bob0"][key]
    brought(workbench, massless)
    workbench.action("outlook")
    trouble = workbench.page.locator("[data-trouble]")
    expect(trouble).to_contain_text("It has no outlook")
    expect(trouble.locator("code")).to_have_text("parts.bob0.mass")
    expect(trouble.locator(".remedy")).to_contain_text("mass")
