"""Rounding is no motion, no blow and no loss; and what is led by a drive is told as led."""

from __future__ import annotations

import math

import numpy as np
import pytest

import detent

G, MU, MASS = 9.81, 0.25, 0.3
TABLE = """
format = "detent/1"
units = "mm"
gravity = [0, -9.81]
[parts.table]
fixed = true
shape.outline = [[-300, -10], [300, -10], [300, 0], [-300, 0]]
pose = { turn_deg = TURN }
markers = { zero = [0, 0], place = [PLACE, 0] }
[parts.block]
shape.outline = [[0, 0], [30, 0], [30, 20], [0, 20]]
pose = { on = "table.place" }
mass = 0.3
center = [15, 10]
inertia = 3.25e-5
[touching]
friction = 0.25
"""
PUSHER = """
[parts.pusher]
shape.outline = [[-40, 5], [-10, 5], [-10, 15], [-40, 15]]
mass = 1
center = [-25, 10]
inertia = 1e-3
[drives.push]
part = "pusher"
legs = [{ velocity = [50, 0], for = 1 }, { back = true }]
"""


def on_table(turn: float, place: float = 0, more: str = "") -> detent.Mechanism:
    return detent.loads(TABLE.replace("TURN", str(turn)).replace("PLACE", str(place)) + more)


@pytest.mark.parametrize("turn", [0, 10])  # tan 10° is less than the friction
def test_a_block_that_lies_still_comes_to_rest_at_no_time_and_loses_nothing(turn):
    running = detent.run(on_table(turn), until=2)
    assert {event.kind for event in running.events} == {"contact"}
    assert np.ptp(running.states["block.x"]) < 1e-9
    assert running.energy_minima == ()
    assert not [words for words in running.scope.left_out if "energy" in words]


def test_a_block_that_runs_onto_a_buffer_is_at_rest_from_then_on():
    buffer = """
[parts.buffer]
fixed = true
shape.outline = [[-300, 0], [-300, 60], [-280, 60], [-280, 0]]
pose = { on = "table.zero" }
"""
    running = detent.run(on_table(25, 100, buffer), until=1.5)
    slope = math.radians(25)
    hits = math.sqrt(2 * 0.38 / (G * (math.sin(slope) - MU * math.cos(slope))))
    assert running.energy_minima == pytest.approx([hits], rel=1e-6)  # not some moment of the rest


@pytest.mark.parametrize("speed", [50, 70])
def test_a_block_that_is_pushed_and_slides_to_rest_is_hit_once(speed):
    text = (TABLE + PUSHER).replace("TURN", "0").replace("PLACE", "0").replace("300", "200")
    running = detent.run(detent.loads(text.replace("[50, 0]", f"[{speed}, 0]")), until=2)
    impacts = [event for event in running.events if event.kind == "impact"]
    assert {event.subjects for event in impacts} == {("block", "pusher")}
    v = speed / 1000
    assert sum(event.impulse for event in impacts) == pytest.approx(MASS * v, rel=1e-6)
    # It slides on by v²/2µg when the pusher goes back, and stays.
    assert running.states["block.x"][-1] == pytest.approx(speed - 10 + 1000 * v**2 / (2 * MU * G), rel=1e-6)
    (stopped,) = {event.time for event in running.events if event.kind == "stick"}
    assert stopped == pytest.approx(1 + v / (MU * G), rel=1e-6)


def test_corners_of_a_led_part_that_share_a_load_say_so():
    running = detent.run(on_table(0, more=PUSHER), until=0.9)
    # Two corners push and two carry: four forces, three equations of the block. The drive takes the rest.
    (words,) = [words for words in running.notes if "share a load" in words]
    assert all(name in words for name in ("pusher/0.v1", "pusher/0.v2", "block/0.v0", "block/0.v1"))
    pushed = sum(column for name, column in running.forces.items() if "pusher" in name)
    assert pushed[-1] == pytest.approx(MU * MASS * G, rel=1e-6)


def test_a_led_part_drives_what_it_pushes_and_has_no_state():
    (instant,) = detent.run(on_table(0, more=PUSHER), until=0.9, at=[0.5]).instants
    assert {each.part: (each.standing, each.by) for each in instant.parts} == {
        "block": ("driven", ("pusher",)),
        "pusher": ("driving", ()),
    }
    assert dict(instant.tree) == {"block": "pusher"}
    assert instant.state_variables == ()
