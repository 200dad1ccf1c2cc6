"""What goes wrong on a first try, and whether the page alone says why."""

from __future__ import annotations

import re

from playwright.sync_api import expect

CRANK, COUPLER, ROCKER = ((40, 0), (40, 20)), ((40, 20), (90, 50)), ((90, 50), (100, 0))


def drawn(workbench, *links):
    for link in links:
        workbench.draw(*link)


def test_play_on_an_empty_page_says_what_to_draw_first(workbench):
    workbench.press("Space")
    workbench.says("An empty page. Press L and draw a link")


def test_a_pull_on_an_empty_page_says_which_tool_draws(workbench):
    workbench.drag((40, 0), (60, 20))
    workbench.says("Take Link (L)")


def test_a_machine_without_ground_says_so_when_it_is_played(workbench):
    drawn(workbench, CRANK, COUPLER, ROCKER)
    workbench.settled()
    workbench.action("play")
    workbench.says("Nothing is grounded, and nothing is driven. Press G")


def test_a_machine_without_a_drive_says_so_when_it_is_played(workbench):
    drawn(workbench, CRANK, COUPLER, ROCKER)
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((100, 0))
    workbench.settled()
    workbench.action("play")
    workbench.says("Nothing is driven yet. Press D")


def test_ends_that_nearly_meet_are_named_and_one_pull_joins_them(workbench):
    """Both are held by grounded links, so that neither reaches the other alone: the machine gives way."""
    drawn(workbench, CRANK, COUPLER, ((94, 46), (100, 0)))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((100, 0))
    workbench.take("drive")
    workbench.click((40, 0))
    workbench.verdict("Some of it is loose")
    expect(workbench.page.locator(".verdict")).to_contain_text(
        re.compile(r"link3\.A and link2\.B are not joined: 5\.66 mm")
    )
    expect(workbench.page.locator(".guide")).to_contain_text("It is not joined yet")
    workbench.take("select")
    workbench.drag((94, 46), (90, 50))
    workbench.verdict("It works")
    ends = {end for joint in workbench.document()["joints"].values() for end in joint["between"]}
    assert {"link2.B", "link3.A"} <= ends
    apart = [a - b for a, b in zip(workbench.place("link2.B"), workbench.place("link3.A"), strict=True)]
    assert max(map(abs, apart)) < 1e-6


def test_a_frame_that_cannot_move_says_so_when_it_is_played(workbench):
    drawn(workbench, CRANK, COUPLER, ROCKER, ((40, 20), (80, 0)))
    workbench.take("ground")
    for at in ((40, 0), (100, 0), (80, 0)):
        workbench.click(at)
    workbench.take("drive")
    workbench.click((40, 0))
    workbench.verdict("It cannot move")
    expect(workbench.page.locator(".verdict.brief")).to_contain_text("3 × 4 moving parts − 2 × 6 joints = 0")
    workbench.action("play")
    workbench.says("It cannot move. Take one joint away")


def test_a_hint_says_what_the_click_would_do_now_and_goes_with_the_pointer(workbench):
    drawn(workbench, CRANK)
    workbench.take("ground")
    workbench.move_to((40, 0))
    assert hinted(workbench) == "ground this point"
    workbench.click((40, 0))
    workbench.move_to((41, 0))
    assert hinted(workbench) == "let this point go"
    workbench.page.mouse.move(5, 5)
    assert hinted(workbench) is None


def hinted(workbench):
    return workbench.page.evaluate("() => window.detentView.hint()")


def test_a_pull_beyond_the_reach_tells_the_gap_in_words_where_it_may_stretch(workbench):
    workbench.build_four_bar()
    workbench.page.click("[data-sheet=machine]")
    workbench.page.get_by_label("At a limit").select_option("stretching")
    workbench.settled()
    workbench.move_to((100, 0))
    workbench.page.mouse.move(*workbench.pixel((90, 50)))
    workbench.page.mouse.down()
    workbench.page.mouse.move(*workbench.pixel((160, 60)), steps=30)
    workbench.says("mm stay open along the dashed line")
    gap = workbench.page.evaluate("() => window.detentView.gap()")
    said = re.search(r"([\d.]+) mm stay open", workbench.page.inner_text("#status"))
    assert said is not None
    tip = workbench.place("link2.B")
    apart = ((160 - tip[0]) ** 2 + (60 - tip[1]) ** 2) ** 0.5
    assert abs(float(said[1]) - apart) <= 0.01 * apart
    assert gap == f"{said[1]} mm"
    workbench.page.mouse.up()


def test_ends_that_no_motion_brings_together_stay_apart_and_it_is_said_by_how_much(workbench):
    """Two links on the ground, 30 and 20 long and 60 apart: ten are missing, and nothing is changed."""
    drawn(workbench, ((40, 0), (70, 0)), ((80, 10), (100, 0)))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((100, 0))
    workbench.settled()
    before = workbench.document()["joints"]
    workbench.take("select")
    workbench.drag((80, 10), (70, 0))
    workbench.says("Not joined")
    assert workbench.document()["joints"] == before


def test_two_chains_held_far_apart_are_pulled_together_and_joined(workbench):
    """Each of two links on the ground: their ends meet where both must give way by much."""
    drawn(workbench, ((30, 0), (30, 30)), ((30, 30), (50, 45)), ((100, 0), (100, 30)), ((100, 30), (80, 45)))
    workbench.take("ground")
    workbench.click((30, 0))
    workbench.click((100, 0))
    workbench.settled()
    workbench.take("select")
    workbench.drag((80, 45), (50, 45))
    workbench.page.wait_for_function("() => Object.keys(window.detentView.document().joints).length === 5")
    apart = [a - b for a, b in zip(workbench.place("link2.B"), workbench.place("link4.B"), strict=True)]
    assert max(map(abs, apart)) < 1e-6
