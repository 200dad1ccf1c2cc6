"""What plots show: every position where it is, and the words of `detent move` beside them."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest
from playwright.sync_api import expect

import detent

ARM = 30.0


def arm(**drive: Any) -> dict[str, Any]:
    return {
        "format": "detent/1",
        "units": "in",
        "parts": {
            "ground": {"fixed": True, "markers": {"A": [0, 0]}},
            "arm": {"markers": {"A": [0, 0], "B": [ARM, 0]}},
        },
        "joints": {"A": {"type": "revolute", "between": ["ground.A", "arm.A"]}},
        "drives": {"turn": {"joint": "A", **drive}},
    }


ROCKER = {
    "format": "detent/1",
    "units": "mm",
    "parts": {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [60, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [0, 20]}},
        "coupler": {"markers": {"B": [0, 20], "C": [50, 50]}},
        "rocker": {"markers": {"C": [50, 50], "D": [60, 0]}},
    },
    "joints": {
        "A": {"type": "revolute", "between": ["ground.A", "crank.A"]},
        "B": {"type": "revolute", "between": ["crank.B", "coupler.B"]},
        "C": {"type": "revolute", "between": ["coupler.C", "rocker.C"]},
        "D": {"type": "revolute", "between": ["ground.D", "rocker.D"]},
    },
    "drives": {"rock": {"joint": "D", "from_deg": 0, "to_deg": 90, "steps": 30}},
    "ask": {"move": {"loads": {"crank.B": [3, -5]}}},
}


def plots(workbench, document, what):
    workbench.drop_file("machine.json", json.dumps(document))
    workbench.says("Imported machine.json")
    workbench.settled()
    workbench.page.click("[data-sheet=plots]")
    workbench.page.wait_for_selector(".told")
    workbench.page.select_option("select[aria-label=Quantity]", what)
    workbench.page.wait_for_selector(".chart canvas")


def read_at(workbench, share):
    """The legend where the pointer is, this far along the axis."""
    box = workbench.page.locator(".u-over").bounding_box()
    workbench.page.mouse.move(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)
    workbench.page.wait_for_function(
        "() => document.querySelector('.u-legend .u-value').textContent !== '--'"
    )
    return [float(text) for text in workbench.page.locator(".u-legend .u-value").all_inner_texts()]


@pytest.mark.parametrize(("first", "last"), [(0, 120), (120, 0)], ids=["up", "down"])
def test_a_plot_is_read_where_the_pointer_is_whichever_way_the_drive_goes(workbench, first, last):
    plots(workbench, arm(from_deg=first, to_deg=last, steps=12), "markers")
    workbench.page.select_option("select[aria-label=Of]", "arm.B")
    for share, degrees in ((0.01, 0), (0.25, 30), (0.5, 60), (0.99, 120)):
        at, x, y = read_at(workbench, share)
        assert at == degrees
        assert (x, y) == pytest.approx(
            (ARM * math.cos(math.radians(degrees)), ARM * math.sin(math.radians(degrees))), abs=2e-3
        )


def test_a_drive_there_and_back_is_plotted_over_its_positions(workbench):
    way = [0, 40, 80, 40, 0, -40]
    plots(workbench, arm(inputs_deg=way), "markers")
    workbench.page.select_option("select[aria-label=Of]", "arm.B")
    caption = "arm.B [in], over the positions; straight between samples"
    expect(workbench.page.locator("figcaption")).to_have_text(caption)
    for share, k in ((0.01, 0), (0.4, 2), (0.99, 5)):
        at, _, y = read_at(workbench, share)
        assert at == k
        assert y == pytest.approx(ARM * math.sin(math.radians(way[k])), abs=2e-3)


def test_beside_a_plot_stands_what_move_says_also_that_a_force_is_unbounded(workbench):
    plots(workbench, ROCKER, "forces")
    told = workbench.page.locator(".told")
    for label in ("limit", "range", "stop", "certainty", "left out", "drive rock", "joints"):
        expect(told.locator(f"dt:text-is('{label}')")).to_have_count(1)
    expect(told).to_contain_text("unbounded at")
    shown = [" ".join(line.split()) for line in told.locator("div").all_inner_texts()]
    printed = detent.move(detent.from_dict(ROCKER)).words.splitlines()[1:]
    assert shown == [" ".join(line.split()) for line in printed]


@pytest.mark.parametrize(("units", "one", "label"), [("in", "1 N", "Force y in N"), ("1", "1", "Force y")])
def test_a_load_is_in_newtons_and_without_a_unit_in_a_document_of_any_units(workbench, units, one, label):
    loaded = {"units": units, "ask": {"move": {"loads": {"arm.B": [0, -2]}}}}
    plots(workbench, arm(from_deg=0, to_deg=90, steps=3) | loaded, "forces")
    expect(workbench.page.locator("[data-action=load]")).to_have_text(f"Load it with {one}")
    expect(workbench.page.locator(f"input[aria-label='{label}']")).to_have_value("-2")


def test_small_numbers_keep_their_digits_in_legend_and_ticks(workbench):
    """A torque of thousandths of a newton metre is not zero, and ticks tell each other apart."""
    light = arm(from_deg=0, to_deg=90, steps=3) | {"ask": {"move": {"loads": {"arm.B": [0, -0.0004]}}}}
    plots(workbench, light, "forces")
    workbench.page.select_option("select[aria-label=Of]", "drive turn")
    for share, degrees in ((0.01, 0), (0.34, 30), (0.99, 90)):
        torque = 0.0004 * ARM * 0.0254 * math.cos(math.radians(degrees))
        assert read_at(workbench, share)[:2] == pytest.approx([degrees, torque], rel=1e-5, abs=1e-15)
