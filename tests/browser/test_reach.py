"""The view has all of a motion in it, and what is told of a joint keeps up with the player."""

from __future__ import annotations

import math
import re

from playwright.sync_api import expect

from tests.browser.test_driven import dropped
from tests.browser.test_plots import ARM, arm


def on_canvas(workbench, at):
    """Whether a point of the drawing is on the part of the page that shows it."""
    box = workbench.page.locator("#drawing").bounding_box()
    x, y = workbench.pixel(at)
    return box["x"] < x < box["x"] + box["width"] and box["y"] < y < box["y"] + box["height"]


def turned(degrees):
    return ARM * math.cos(math.radians(degrees)), ARM * math.sin(math.radians(degrees))


def test_the_first_view_has_all_that_the_motion_comes_to(workbench):
    """An arm drawn to the right of its pin comes to the left of it, above and below."""
    dropped(workbench, arm(**{"from": 0, "to_deg": 360, "steps": 12}))
    workbench.page.wait_for_function(
        "([x, y]) => { const box = document.getElementById('drawing').getBoundingClientRect();"
        " const [left] = window.detentView.toPage(x, y); return left > box.left; }",
        arg=list(turned(180)),
    )
    assert all(on_canvas(workbench, turned(angle)) for angle in range(0, 360, 30))


def test_a_view_that_somebody_has_chosen_stays_when_it_plays(workbench):
    dropped(workbench, arm(**{"from": 0, "to_deg": 360, "steps": 12}))
    workbench.page.wait_for_timeout(300)
    for _ in range(8):
        workbench.press("+")
    before = workbench.pixel((0, 0)), workbench.pixel((1, 0))
    workbench.action("play")
    expect(workbench.page.locator("output.reading")).to_be_visible()
    assert (workbench.pixel((0, 0)), workbench.pixel((1, 0))) == before
    assert not on_canvas(workbench, turned(180))


def test_where_a_joint_is_keeps_up_with_the_player(workbench):
    """Frame by frame the card says what the player does; it said what was so some frames before."""
    dropped(workbench, arm(**{"from": 0, "to_deg": 360, "steps": 360}))
    workbench.select("joint A")
    workbench.page.click("[data-sheet=selected]")
    workbench.action("play")
    expect(workbench.page.locator("output.reading")).to_be_visible()
    pairs = workbench.page.evaluate(
        """() => new Promise((done) => {
            const seen = [];
            const look = () => {
                const card = document.querySelector('.card .note').textContent;
                seen.push([card, document.querySelector('output.reading').textContent]);
                seen.length < 20 ? requestAnimationFrame(() => setTimeout(look)) : done(seen);
            };
            look();
        })"""
    )
    angles = [[float(re.search(r"(-?[\d.]+)°", text).group(1)) for text in pair] for pair in pairs]
    assert len({reading for _, reading in angles}) > 3
    assert all(abs(card - reading) < 1.5 for card, reading in angles)
