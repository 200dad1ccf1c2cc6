"""Keys and clicks mean one thing: letters take tools, Space plays, Ctrl S saves, a click moves nothing."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect


def playing(workbench):
    return expect(workbench.page.locator("[data-action=play]"))


def chosen_tool(workbench):
    return expect(workbench.page.locator(".tool.on"))


def template(workbench, name):
    workbench.action("gallery")
    workbench.page.click(f".template:has-text('{name}')")
    workbench.settled()


@pytest.mark.parametrize(
    ("letter", "tool"), [("j", "joint"), ("d", "drive"), ("g", "ground"), ("e", "edit"), ("t", "trace")]
)
def test_a_letter_takes_its_tool_whatever_is_selected(workbench, letter, tool):
    workbench.build_four_bar()
    before = workbench.document()
    workbench.click((100, 0))
    expect(workbench.page.locator(".card h3").first).to_contain_text("Joint")
    workbench.press(letter)
    chosen_tool(workbench).to_have_attribute("data-tool", tool)
    assert workbench.document() == before


def test_a_click_on_a_joint_selects_it_and_moves_nothing(workbench):
    """Beside the joint's middle, with a hand that trembles by two pixels."""
    template(workbench, "Double rocker")
    before = workbench.document()
    for off, tremble in (((-4, 4), (0, 0)), ((7, 5), (2, -2)), ((0, -9), (-2, 1))):
        x, y = workbench.pixel(workbench.place("link.B"))
        workbench.page.mouse.move(x + off[0], y + off[1])
        workbench.page.mouse.down()
        workbench.page.mouse.move(x + off[0] + tremble[0], y + off[1] + tremble[1])
        workbench.page.mouse.up()
        workbench.settled()
        assert workbench.document() == before
    expect(workbench.page.locator(".card h3").first).to_contain_text("Joint")
    expect(workbench.page.locator("[data-action=undo]")).to_be_disabled()


def test_a_point_keeps_its_distance_from_the_pointer_that_took_it(workbench):
    workbench.draw((40, 0), (70, 0))
    workbench.take("select")
    (x, y), off = workbench.pixel((70, 0)), (6, -5)
    workbench.press("s")  # no grid: the point goes where it is pulled
    workbench.page.mouse.move(x + off[0], y + off[1])
    workbench.page.mouse.down()
    workbench.page.mouse.move(x + off[0] + 80, y + off[1] - 40, steps=4)
    workbench.page.mouse.up()
    workbench.settled()
    assert workbench.pixel(workbench.place("link.B")) == pytest.approx((x + 80, y - 40), abs=0.01)


def test_a_press_on_a_shown_frame_of_the_drive_leaves_the_drawing_as_it_is(workbench):
    workbench.build_four_bar()
    workbench.settled()
    before, place = workbench.document(), workbench.place("link.B")
    workbench.press("Space")
    workbench.page.wait_for_function("(x) => window.detentView.place('link.B')[0] !== x", arg=place[0])
    workbench.press("Space")
    workbench.click(workbench.place("link2.B"))
    assert workbench.document() == before


def test_space_plays_after_a_click_on_a_tab_a_tool_and_a_list(workbench):
    workbench.build_four_bar()
    workbench.settled()
    for click in ("[data-sheet=machine]", "[data-tool=select]", "[data-action=play]"):
        workbench.page.click(click)
        playing(workbench).to_have_attribute("aria-pressed", str(click == "[data-action=play]").lower())
        workbench.press("Space")
        playing(workbench).to_have_attribute("aria-pressed", str(click != "[data-action=play]").lower())
        workbench.action("play")
        if click == "[data-action=play]":
            workbench.action("play")
        playing(workbench).to_have_attribute("aria-pressed", "false")


def test_a_button_reached_with_tab_keeps_space(workbench):
    workbench.build_four_bar()
    workbench.settled()
    workbench.page.locator("[data-sheet=machine]").focus()
    workbench.press("Shift+Tab")
    workbench.press("Tab")
    workbench.press("Space")
    expect(workbench.page.locator("[data-sheet=machine]")).to_have_attribute("aria-selected", "true")
    playing(workbench).to_have_attribute("aria-pressed", "false")


def test_ctrl_s_in_a_number_takes_the_number_and_saves_it(workbench):
    workbench.draw((40, 0), (70, 0))
    workbench.save_as("one.json")
    workbench.page.fill("input[aria-label='A to B in mm']", "45")
    workbench.press("Control+s")
    workbench.says("Saved as one.json")
    kept = json.loads((workbench.server.workspace / "one.json").read_text())
    assert kept["parts"]["link"]["markers"]["B"] == [85, 0]


def test_ctrl_z_in_a_number_undoes_the_typing_first_and_then_the_number(workbench):
    workbench.draw((40, 0), (70, 0))
    field = workbench.page.locator("input[aria-label='A to B in mm']")
    field.click()
    workbench.press("Control+a")
    workbench.page.keyboard.type("45")
    workbench.press("Control+z")
    assert workbench.document()["parts"]["link"]["markers"]["B"] == [70, 0]
    workbench.press("Control+a")
    workbench.page.keyboard.type("45")
    workbench.press("Enter")
    assert workbench.document()["parts"]["link"]["markers"]["B"] == [85, 0]
    field.click()
    workbench.press("Control+z")
    assert workbench.document()["parts"]["link"]["markers"]["B"] == [70, 0]


def test_ctrl_o_in_a_number_opens_the_dialog(workbench):
    workbench.draw((40, 0), (70, 0))
    workbench.page.locator("input[aria-label='A to B in mm']").focus()
    workbench.press("Control+o")
    expect(workbench.page.locator("dialog[aria-label=Open]")).to_be_visible()


@pytest.mark.parametrize("typed", ["0", "-5"])
def test_a_length_that_is_none_is_refused_in_words(workbench, typed):
    workbench.draw((40, 0), (70, 0))
    workbench.settled()
    field = workbench.page.locator("input[aria-label='A to B in mm']")
    field.fill(typed)
    workbench.press("Enter")
    workbench.says("A length must be more than 0")
    expect(field).to_have_value("30")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("x" * 201, "at most 200 letters"),
        ("2nd", "A name is an ASCII letter"),
        ("link2", "There is a link2 already"),
    ],
    ids=["long", "digit", "taken"],
)
def test_a_name_that_is_refused_leaves_the_old_one_in_the_field(workbench, name, words):
    workbench.draw((40, 0), (70, 0))
    workbench.draw((40, 20), (70, 20))
    workbench.take("select")
    workbench.click((55, 0))
    workbench.settled()
    field = workbench.page.locator("input[aria-label=Name]")
    expect(field).to_have_value("link")
    field.fill(name)
    workbench.press("Enter")
    workbench.says(words)
    expect(field).to_have_value("link")
    assert list(workbench.document()["parts"]) == ["link", "link2"]


@pytest.mark.parametrize("name", ["constructor", "toString"])
def test_a_name_that_every_object_has_is_a_name_like_any_other(workbench, name):
    workbench.draw((40, 0), (70, 0))
    workbench.page.fill("input[aria-label=Name]", name)
    workbench.press("Enter")
    workbench.says("Rename link")
    workbench.settled()
    assert list(workbench.document()["parts"]) == [name]
    expect(workbench.page.locator("input[aria-label=Name]")).to_have_value(name)
    workbench.draw((70, 0), (90, 20))
    assert workbench.document()["joints"]["A"]["between"] == [f"{name}.B", "link.A"]
