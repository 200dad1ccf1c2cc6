"""What is typed is held or refused; what looks joined is; what is said can be done."""

from __future__ import annotations

import math
import subprocess
import sys

import pytest
from playwright.sync_api import expect


def template(workbench, name):
    workbench.action("gallery")
    workbench.page.click(f".template:has-text('{name}')")
    workbench.settled()


def direction(workbench, part):
    (ax, ay), (bx, by) = workbench.place(f"{part}.A"), workbench.place(f"{part}.B")
    return math.degrees(math.atan2(by - ay, bx - ax))


def closes(workbench):
    for joint in workbench.document()["joints"].values():
        if joint["type"] == "revolute":
            a, b = (workbench.place(end) for end in joint["between"])
            assert math.dist(a, b) < 1e-6


def typed(workbench, label, value):
    workbench.page.fill(f"input[aria-label='{label}']", value)
    workbench.press("Enter")


@pytest.mark.parametrize("degrees", [90, 45, -120])
def test_a_typed_direction_of_a_crank_is_held_and_the_rest_follows(workbench, degrees):
    template(workbench, "Crank-rocker")
    workbench.select("link")
    typed(workbench, "Direction in °", str(degrees))
    workbench.says("Turn link")
    workbench.settled()
    assert direction(workbench, "link") == pytest.approx(degrees, abs=1e-9)
    expect(workbench.page.locator("input[aria-label='Direction in °']")).to_have_value(str(degrees))
    closes(workbench)


def test_a_direction_that_the_joints_do_not_allow_is_refused_with_how_far_it_turns(workbench):
    template(workbench, "Crank-rocker")
    before = workbench.document()
    workbench.select("link3")
    shown = workbench.page.locator("input[aria-label='Direction in °']").input_value()
    typed(workbench, "Direction in °", "45")
    workbench.says("the joints do not let it turn so far")
    assert workbench.document() == before
    expect(workbench.page.locator("input[aria-label='Direction in °']")).to_have_value(shown)


def test_a_slider_crank_is_built_in_the_obvious_way(workbench):
    """Crank, rod, both ends grounded, then one click with Pin / slide on the rod's end."""
    workbench.draw((40, 0), (50, 20))
    workbench.draw((50, 20), (110, 0))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((110, 0))
    workbench.verdict("It cannot move")
    workbench.take("joint")
    workbench.move_to((110, 0))
    assert workbench.page.evaluate("() => window.detentView.hint()") == "make it a pin in a slot"
    workbench.click((110, 0))
    workbench.says("is a pin in a slot now")
    workbench.take("drive")
    workbench.click((40, 0))
    workbench.verdict("It works")
    workbench.take("select")
    for degrees in (120, 180, 240):
        tip = (
            40 + math.hypot(10, 20) * math.cos(math.radians(degrees)),
            math.hypot(10, 20) * math.sin(math.radians(degrees)),
        )
        workbench.drag(workbench.place("link.B"), tip, steps=6)
        workbench.settled()
        assert workbench.place("link.B") == pytest.approx(tip, abs=0.2)
        x, y = workbench.place("link2.B")
        assert y == pytest.approx(0, abs=1e-9)
        # by Pythagoras, from where the crank's end came to
        bx, by = workbench.place("link.B")
        assert x == pytest.approx(bx + math.sqrt(60**2 + 20**2 - by**2), abs=1e-6)
    workbench.press("Space")
    expect(workbench.page.locator("[data-action=play]")).to_have_attribute("aria-pressed", "true")


def test_a_joint_goes_through_its_three_forms_by_clicks_and_comes_back(workbench):
    workbench.build_four_bar()
    workbench.press("j")
    kinds = []
    for _ in range(3):
        workbench.click((100, 0))
        kinds.append(workbench.document()["joints"]["D"]["type"])
    assert kinds == ["in_line", "prismatic", "revolute"]
    for _ in range(3):
        workbench.press("Control+z")
    assert workbench.document()["joints"]["D"]["type"] == "revolute"


@pytest.mark.parametrize("begins", [False, True], ids=["ends", "begins"])
def test_a_link_that_ends_or_begins_on_the_body_of_another_is_pinned_to_it(workbench, begins):
    workbench.draw((40, 0), (100, 30))
    ends = [(70, 17), (70, 60)]
    workbench.take("link")
    workbench.move_to(ends[0])
    assert workbench.page.evaluate("() => window.detentView.hint()") == "start here: pinned to link"
    workbench.drag(*(ends if begins else reversed(ends)))
    document = workbench.document()
    end = "link2.A" if begins else "link2.B"
    assert document["joints"]["A"]["between"] == ["link.C", end]
    x, y = workbench.place("link.C")
    assert y == pytest.approx((x - 40) / 2, abs=1e-9)  # on the middle line of the link
    assert math.dist(workbench.place(end), (x, y)) < 1e-9
    workbench.settled()
    workbench.press("Control+z")
    assert list(workbench.document()["parts"]) == ["link"]
    assert list(workbench.document()["parts"]["link"]["markers"]) == ["A", "B"]


def test_a_link_moved_over_another_is_said_not_to_be_joined(workbench):
    workbench.draw((40, 0), (100, 0))
    workbench.draw((70, 20), (70, 60))
    workbench.take("select")
    workbench.drag((70, 40), (70, 20))
    workbench.settled()
    assert workbench.place("link2.A") == pytest.approx((70, 0), abs=0.3)
    expect(workbench.page.locator(".verdict")).to_contain_text("link2 lies over link but is not joined to it")


@pytest.mark.parametrize(
    ("name", "headline", "planned"),
    [
        ("escapement", "A machine to run", ()),
        ("peg_in_hole", "Not a plane linkage", ()),
        ("box_in_corner", "Not a plane linkage", ()),
    ],
)
def test_the_commands_that_a_machine_of_contacts_names_are_commands(
    browser, workspace, workbench, name, headline, planned
):
    workbench.action("gallery")
    workbench.page.click(f"[data-example={name}]")
    workbench.verdict(headline)
    workbench.page.click("[data-sheet=machine]")
    workbench.settled()
    lines = workbench.page.locator(".questions code").all_inner_texts()
    assert lines
    for line in lines:
        program, verb, file = line.split()
        assert (program, file) == ("detent", name)
        ran = subprocess.run(
            [sys.executable, "-m", "detent", verb, file], cwd=workspace, capture_output=True, text=True
        )
        assert ran.returncode == 0, ran.stderr
    words = workbench.page.inner_text(".questions")
    assert all(verb in words for verb in planned)
    assert ("planned" in words) == bool(planned)
    workbench.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    workbench.page.click(".questions button >> nth=0")
    workbench.says(f"Copied: {lines[0]}")
    assert workbench.page.evaluate("() => navigator.clipboard.readText()") == lines[0]


@pytest.mark.parametrize(("keep", "long"), [("size", 60 / 25.4), ("numbers", 60)])
def test_another_unit_asks_what_stays(workbench, keep, long):
    workbench.draw((40, 0), (100, 0))
    workbench.settled()
    before = workbench.document()
    workbench.press("v")
    workbench.page.click("#drawing", position={"x": 300, "y": 600})
    field = workbench.page.get_by_role("combobox", name="Lengths in")
    field.select_option("in")
    expect(workbench.page.locator("dialog [data-keep=size]")).to_contain_text("60 mm becomes 2.3622 in")
    assert workbench.document() == before
    workbench.press("Escape")
    expect(workbench.page.locator("dialog")).to_have_count(0)
    expect(field).to_have_value("mm")
    field.select_option("in")
    workbench.page.click(f"[data-keep={keep}]")
    workbench.says("Lengths are in inches now")
    after = workbench.document()
    assert after["units"] == "in"
    a, b = workbench.place("link.A"), workbench.place("link.B")
    assert math.dist(a, b) == pytest.approx(long, rel=1e-12)
    workbench.press("Control+z")
    assert workbench.document() == before


def test_the_plan_counts_what_newton_finds_once(workbench):
    """A six-bar whose plan has a cut: what is said in all is the sum of what is said line by line."""
    workbench.action("gallery")
    workbench.page.click("[data-example=six_bar_b]")
    workbench.page.click("[data-sheet=plan]")
    workbench.page.wait_for_selector(".plan li em")
    lines = [int(text.split()[0]) for text in workbench.page.locator(".plan li em").all_inner_texts()]
    said = workbench.page.locator("section .note").last.inner_text()
    assert said.startswith("In all one unknown" if sum(lines) == 1 else f"In all {sum(lines)} unknowns")
