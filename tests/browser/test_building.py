"""Building and moving by hand, from the empty page."""

from __future__ import annotations

import math

import pytest
from playwright.sync_api import expect

FAR = 20.0  # length of the crank that `build_four_bar` draws


def length(a, b):
    return math.hypot(a[0] - b[0], a[1] - b[1])


def test_a_four_bar_built_by_pointer_works_goes_through_its_range_and_comes_back_as_saved(workbench):
    workbench.build_four_bar()
    workbench.verdict("It works")
    rods = {
        name: length(workbench.place(f"{name}.A"), workbench.place(f"{name}.B"))
        for name in ("link", "link2", "link3")
    }
    reached = []
    for degrees in range(90, 451, 30):
        tip = workbench.place("link.B")
        angle = math.radians(degrees)
        workbench.drag(tip, (40 + FAR * math.cos(angle), FAR * math.sin(angle)), steps=4)
        workbench.settled()
        reached.append(workbench.place("link.B"))
        for name, rod in rods.items():
            now = length(workbench.place(f"{name}.A"), workbench.place(f"{name}.B"))
            assert now == pytest.approx(rod, abs=1e-9)
        assert length(workbench.place("link.B"), workbench.place("link2.A")) < 1e-9
        assert length(workbench.place("link2.B"), workbench.place("link3.A")) < 1e-9
        assert reached[-1] == pytest.approx((40 + FAR * math.cos(angle), FAR * math.sin(angle)), abs=0.2)
    workbench.save_as("bar.json")
    pose = workbench.page.evaluate("() => window.detentView.poses()")
    workbench.page.reload()
    workbench.page.wait_for_selector("[data-connected=true]")
    workbench.open_file("bar.json")
    assert workbench.page.evaluate("() => window.detentView.poses()") == pose


def test_a_linkage_that_cannot_move_says_why_and_what_to_do(workbench):
    workbench.draw((40, 0), (70, 40))
    workbench.verdict("Nothing is grounded")
    workbench.draw((70, 40), (100, 0))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((100, 0))
    workbench.page.click("[data-sheet=machine]")
    workbench.verdict("It cannot move")
    expect(workbench.page.locator(".verdict .remedy").first).to_contain_text("joint")
    workbench.take("select")
    workbench.drag((55, 20), (30, 60))
    workbench.says("Nothing can move")


def test_a_pull_beyond_the_reach_is_reported_and_nothing_stretches(workbench):
    workbench.draw((40, 0), (70, 0))
    workbench.draw((70, 0), (90, 20))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.take("select")
    workbench.drag((90, 20), (100, 30), (150, 40))
    workbench.says("as far as it goes")
    tip = workbench.place("link2.B")
    assert length(tip, (40, 0)) == pytest.approx(30 + math.hypot(20, 20), rel=1e-3)
    assert math.atan2(tip[1], tip[0] - 40) == pytest.approx(math.atan2(40, 110), abs=0.05)
    assert length(workbench.place("link2.A"), tip) == pytest.approx(math.hypot(20, 20), abs=1e-9)


def test_a_broken_drive_stops_at_its_limit_and_gives_the_reason(workbench):
    workbench.draw((40, 0), (40, 60))
    workbench.draw((40, 60), (80, 60))
    workbench.draw((80, 60), (100, 0))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((100, 0))
    workbench.take("drive")
    workbench.click((40, 0))
    workbench.settled()
    workbench.page.click("#drawing", position={"x": 700, "y": 600})
    workbench.action("play")
    workbench.says("cannot go all the way")
    workbench.action("play")


def test_a_chain_of_fifteen_links_follows_its_last_one(workbench):
    x = 20.0
    for k in range(15):
        workbench.draw((x, 10 * (k % 2)), (x + 6, 10 * ((k + 1) % 2)))
        x += 6
    workbench.take("ground")
    workbench.click((20, 0))
    workbench.take("select")
    workbench.settled()
    before = workbench.place("link8.A")
    tip = workbench.place("link15.B")
    workbench.drag(tip, (tip[0] - 15, tip[1] + 15), steps=12)
    workbench.settled()
    assert workbench.place("link15.B") == pytest.approx((tip[0] - 15, tip[1] + 15), abs=0.5)
    assert length(workbench.place("link8.A"), before) > 0.1
    document = workbench.document()
    for joint in document["joints"].values():
        a, b = joint["between"]
        assert length(workbench.place(a), workbench.place(b)) < 1e-8


@pytest.mark.parametrize("stride", [7, 15])
def test_a_parallelogram_stays_one_when_it_is_pulled_through_lying_flat(workbench, stride):
    workbench.draw((40, 0), (40, 20))
    workbench.draw((40, 20), (100, 20))
    workbench.draw((100, 20), (100, 0))
    workbench.take("ground")
    workbench.click((40, 0))
    workbench.click((100, 0))
    workbench.take("select")
    workbench.settled()
    workbench.move_to((40, 20))
    workbench.page.mouse.down()
    workbench.page.mouse.move(*workbench.pixel((38, 20)), steps=2)
    workbench.page.wait_for_function("() => window.detentView.place('link.B')[0] < 39.5")
    for degrees in range(105, 460, stride):
        angle = math.radians(degrees)
        workbench.move_to((40 + 20 * math.cos(angle), 20 * math.sin(angle)))
        near, far = workbench.place("link.B"), workbench.place("link3.A")
        assert (far[0] - near[0], far[1] - near[1]) == pytest.approx((60, 0), abs=1e-3)
    assert near == pytest.approx((40 + 20 * math.cos(angle), 20 * math.sin(angle)), abs=0.1)
    workbench.page.mouse.up()


def test_a_pull_that_has_its_plan_asks_the_server_nothing(workbench):
    sent: list[str] = []
    workbench.page.on("websocket", lambda socket: socket.on("framesent", lambda text: sent.append(str(text))))
    workbench.page.reload()
    workbench.page.wait_for_selector("[data-connected=true]")
    workbench.build_four_bar()
    workbench.settled()
    workbench.move_to((40, 20))
    workbench.page.mouse.down()
    workbench.page.mouse.move(*workbench.pixel((36, 19)), steps=2)
    workbench.page.wait_for_function("() => window.detentView.place('link.B')[0] < 39")
    before = len(sent)
    for degrees in range(100, 400, 4):
        angle = math.radians(degrees)
        workbench.move_to((40 + FAR * math.cos(angle), FAR * math.sin(angle)))
    tip = workbench.place("link.B")
    assert sent[before:] == []
    assert tip == pytest.approx((40 + FAR * math.cos(angle), FAR * math.sin(angle)), abs=0.1)
    workbench.page.mouse.up()


def test_a_loose_link_pulled_onto_a_point_is_joined_there(workbench):
    workbench.draw((30, 0), (60, 0))
    workbench.draw((70, 40), (100, 40))
    workbench.take("select")
    workbench.drag((70, 40), (65, 10), (60, 0))
    assert [joint["between"] for joint in workbench.document()["joints"].values()] == [["link.B", "link2.A"]]
    assert workbench.place("link2.B") == pytest.approx((90, 0))


def test_undo_goes_back_to_the_empty_page_and_redo_to_the_end(workbench):
    workbench.build_four_bar()
    built = workbench.document()
    workbench.drag((40, 20), (30, 18))
    workbench.settled()
    moved = workbench.document()
    for _ in range(20):
        workbench.press("Control+z")
    assert workbench.document()["parts"] == {}
    for _ in range(20):
        workbench.press("Control+Shift+Z")
    assert workbench.document() == moved
    assert workbench.document() != built


def test_a_length_set_by_number_closes_the_loop_again_or_is_refused(workbench):
    workbench.build_four_bar()
    workbench.settled()
    workbench.click((65, 35))
    workbench.page.fill("input[aria-label='A to B in mm']", "65")
    workbench.page.keyboard.press("Enter")
    workbench.page.wait_for_function("() => window.detentView.document().parts.link2.pose !== undefined")
    assert length(workbench.place("link2.A"), workbench.place("link2.B")) == pytest.approx(65, abs=1e-9)
    assert length(workbench.place("link2.B"), workbench.place("link3.A")) < 1e-9
    workbench.page.fill("input[aria-label='A to B in mm']", "500")
    workbench.page.keyboard.press("Enter")
    workbench.says("cannot close")


def test_copies_have_joints_of_their_own_and_a_box_selects_many(workbench):
    workbench.draw((40, 0), (60, 0))
    workbench.draw((60, 0), (80, 10))
    workbench.take("select")
    workbench.drag((30, 30), (95, -20))
    workbench.press("Control+c")
    workbench.press("Control+v")
    document = workbench.document()
    assert list(document["parts"]) == ["link", "link2", "link3", "link4"]
    assert [joint["between"] for joint in document["joints"].values()] == [
        ["link.B", "link2.A"],
        ["link3.B", "link4.A"],
    ]


def test_a_picture_to_trace_lies_under_the_drawing_and_is_kept_with_it(workbench):
    from base64 import b64decode

    dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    workbench.press("Control+o")
    given = {"name": "dot.png", "mimeType": "image/png", "buffer": b64decode(dot)}
    workbench.page.set_input_files("dialog input[accept='image/*']", given)  # type: ignore[arg-type]
    workbench.says("picture under the drawing")
    assert workbench.document()["view"]["background"]["source"].startswith("data:image/png;base64,")
    workbench.press("Control+z")
    assert "view" not in workbench.document()


def test_a_traced_point_draws_its_curve_over_the_drive(workbench):
    workbench.build_four_bar()
    workbench.take("trace")
    workbench.click((90, 50))
    workbench.page.wait_for_function("() => window.detentView.curves()[0]?.length > 36")
    curve = workbench.page.evaluate("() => window.detentView.curves()[0]")
    assert all(length(point, (100, 0)) == pytest.approx(math.hypot(10, 50), abs=1e-9) for point in curve)
