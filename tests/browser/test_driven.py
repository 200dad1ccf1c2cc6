"""What the page says and shows of a drive: its positions, and how it plays."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import expect

import detent
from tests.browser.test_plots import ARM, arm
from tests.motion.kinematic.test_in_space import POINTS, four_bar


def dropped(workbench, document):
    workbench.drop_file("machine.json", json.dumps(document))
    workbench.says("Imported machine.json")
    workbench.settled()


@pytest.mark.parametrize(
    ("drive", "fields"),
    [
        ({"inputs_deg": [-40, 30, 5]}, "the 3 positions that the file lists [°]: -40, 30, 5."),
        ({"from_deg": -30, "to_deg": 10}, ["-30", "10", "1"]),
        ({"from": "1/2", "to_deg": 90, "steps": 7}, ["28.6479", "90", "7"]),
    ],
    ids=["listed", "without steps", "steps"],
)
def test_the_card_of_a_driven_joint_says_what_the_drive_does(workbench, drive, fields):
    """As many positions as `move` has: one step unless the document says more."""
    document = arm(**drive)
    dropped(workbench, document)
    workbench.select("joint A")
    workbench.page.click("[data-sheet=selected]")
    count = len(detent.move(detent.from_dict(document)).inputs)
    if isinstance(fields, str):
        expect(workbench.page.locator(".card")).to_contain_text(fields)
        assert f"{count} positions" in fields
        assert not workbench.page.locator("input[aria-label^='Drive from']").count()
        return
    labels = ("Drive from in °", "to in °", "in steps")
    for label, shown in zip(labels, fields, strict=True):
        expect(workbench.page.locator(f"input[aria-label='{label}']")).to_have_value(shown)
    assert count == int(fields[-1]) + 1


def test_a_drive_of_one_position_is_shown_there_and_said_to_have_one(workbench):
    dropped(workbench, arm(inputs_deg=[90]))
    workbench.action("play")
    workbench.says("The drive has one position, which is shown")
    assert workbench.place("arm.B") == pytest.approx((0, ARM), abs=1e-9)


def geared(ratio: str):
    """A driven arm, and a wheel that it turns."""
    document = arm(**{"from": 0, "to_deg": 360, "steps": 12})
    document["parts"]["ground"]["markers"]["W"] = [50, 0]
    document["parts"]["wheel"] = {"markers": {"W": [50, 0], "rim": [60, 0]}}
    document["joints"] |= {
        "W": {"type": "revolute", "between": ["ground.W", "wheel.W"]},
        "mesh": {"type": "gear", "between": ["arm", "wheel"], "ratio": ratio},
    }
    return document


@pytest.mark.parametrize(("ratio", "round_and_round"), [("-2", True), ("-1/2", False)])
def test_play_goes_round_only_where_every_part_ends_as_it_began(workbench, ratio, round_and_round):
    """A wheel that has turned by a half must not leap back: then the drive goes back as it came."""
    dropped(workbench, geared(ratio))
    workbench.page.select_option("select[aria-label=Speed]", "4")
    workbench.action("play")
    workbench.page.wait_for_selector("[data-action=play][aria-pressed=true]")
    leap = workbench.page.evaluate(
        """() => new Promise((answer) => {
            const bar = document.querySelector("[aria-label='Position of the drive']");
            let before = Number(bar.value);
            const look = () => {
                const now = Number(bar.value);
                if (now < before) return answer(before - now);
                before = now;
                requestAnimationFrame(look);
            };
            look();
        })"""
    )
    assert (leap > 180) == round_and_round


def test_the_slider_stands_at_its_beginning_where_the_machine_stands_as_drawn(workbench):
    """After Play another file, then undo: the slider does not stay where the motion before it was."""
    dropped(workbench, arm(from_deg=0, to_deg=90, steps=10))
    bar = workbench.page.locator("[aria-label='Position of the drive']")
    workbench.action("play")
    workbench.page.wait_for_selector("[data-action=play][aria-pressed=true]")
    workbench.page.wait_for_function(
        "() => Number(document.querySelector(\"[aria-label='Position of the drive']\").value) > 20"
    )
    workbench.action("play")
    assert workbench.place("arm.B")[1] > 1
    dropped(workbench, arm(from_deg=0, to_deg=80, steps=10))
    assert workbench.place("arm.B") == pytest.approx((ARM, 0), abs=1e-9)
    expect(bar).to_be_disabled()
    expect(bar).to_have_value("0")
    workbench.press("Control+z")
    workbench.settled()
    assert workbench.place("arm.B") == pytest.approx((ARM, 0), abs=1e-9)
    expect(bar).to_have_value("0")


def test_joints_found_from_shapes_are_counted_on_the_page(workbench):
    """As many as the count of freedoms beside it has: four joints, one of them written."""
    dropped(workbench, detent.load("crank").to_dict())
    expect(workbench.page.locator(".facts")).to_contain_text("joints (3 from shapes)4")
    expect(workbench.page.locator("#machine-head ~ .note").first).to_contain_text("5 × 4 joints")


def test_a_linkage_in_space_is_shown_and_played_along_the_axis_of_its_joints(workbench):
    """In the middle of its rod, as seen along x, there is ink; the plots say what `move` says."""
    document = {"format": "detent/1", **four_bar("x", speed=False)}
    dropped(workbench, document)
    workbench.verdict("A linkage in space")
    (y, z), (to_y, to_z) = POINTS["B"], POINTS["C"]
    at = workbench.pixel(((y + to_y) / 2, (z + to_z) / 2))
    ink = workbench.page.evaluate(
        """([x, y]) => {
            const canvas = document.getElementById("drawing");
            const box = canvas.getBoundingClientRect();
            const scale = canvas.width / box.width;
            const place = [(x - box.left) * scale, (y - box.top) * scale];
            return [...canvas.getContext("2d").getImageData(...place, 1, 1).data];
        }""",
        list(at),
    )
    assert min(ink[:3]) < 200
    workbench.page.click("[data-sheet=plots]")
    told = detent.move(detent.from_dict(document)).words
    seen = next(line.split(maxsplit=1)[1] for line in told.splitlines() if "seen along x" in line)
    drive = next(line.split(maxsplit=2)[2] for line in told.splitlines() if line.startswith("  drive m"))
    expect(workbench.page.locator(".told")).to_contain_text(seen)
    expect(workbench.page.locator(".told")).to_contain_text(drive)
    workbench.action("play")
    workbench.page.wait_for_selector("[data-action=play]:has-text('Pause')")
