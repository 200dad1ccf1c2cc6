"""What a run tells beside its motion: what blocks a drive, blows that are felt, rest, what is left out."""

from __future__ import annotations

import math

import pytest

import detent

G = 9.81
PRESS = f"""
format = "detent/1"
gravity = [0, -{G}]
[parts.floor]
fixed = true
markers = {{ line = {{ at = [0, 3], along = [0, -1] }} }}
shape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]
[parts.block]
shape.outline = [[-1, 0], [1, 0], [1, 1], [-1, 1]]
density = 1
[parts.ram]
markers = {{ line = {{ at = [0, 3], along = [0, -1] }} }}
shape.outline = [[-0.25, 2], [0.5, 2], [0.5, 3], [-0.25, 3]]
density = 1
[joints.line]
type = "prismatic"
between = ["floor.line", "ram.line"]
[drives.down]
joint = "line"
speed = 2
"""


@pytest.mark.parametrize("friction", [0, 0.3])
def test_a_ram_stops_on_what_lies_on_the_floor_and_is_not_called_a_jam_of_friction(friction):
    machine = detent.loads(PRESS).with_("touching.friction", friction)
    stop = detent.run(machine, until=2.0).stop
    assert stop.time == pytest.approx(0.5)
    assert (stop.cause, stop.detail.partition(":")[0]) == ("blocked", "floor and block, block and ram touch")


def test_a_blow_is_told_of_contacts_that_feel_it():
    """One block falls beside another that stands: momentum of the first alone changes."""
    machine = detent.loads(f"""
format = "detent/1"
gravity = [0, -{G}]
[parts.floor]
fixed = true
shape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]
[parts.stands]
shape.outline = [[-3, 0], [-2, 0], [-2, 1.3], [-3, 1.3]]
density = 0.3
[parts.falls]
shape.outline = [[1, 0.7], [2, 0.7], [2, 1.7], [1, 1.7]]
density = 1
[touching]
friction = 0.4
""")
    blows = [event for event in detent.run(machine, until=1.0).events if event.kind == "impact"]
    assert {event.subjects for event in blows} == {("floor", "falls")}
    assert sum(event.impulse for event in blows) == pytest.approx(math.sqrt(2 * G * 0.7))


def test_a_slide_that_friction_stops_is_at_rest_since_then():
    """Against dry friction half a period of k and m brings it to rest, and it stays."""
    machine = detent.loads("""
format = "detent/1"
gravity = [0, -10]
[parts.ground]
fixed = true
[parts.box]
mass = 3
center = [0, 0]
inertia = 1
[joints.slide]
type = "prismatic"
between = ["ground", "box"]
at = [0, 0]
along = [1, 0]
friction = { coefficient = 0.5 }
spring = { stiffness = 40, rest = 0.5 }
""")
    assert detent.run(machine, until=3.0).energy_minima == pytest.approx(
        [math.pi * math.sqrt(3 / 40)], abs=1e-6
    )


def test_friction_in_joints_is_named_where_there_are_joints_and_none_is_given():
    left = detent.run(detent.loads(PRESS), until=0.1).scope.left_out
    assert left[0] == "friction in joints: not given"
    alone = """
format = "detent/1"
[parts.floor]
fixed = true
shape.outline = [[-5, -1], [5, -1], [5, 0], [-5, 0]]
[parts.block]
shape.outline = [[-1, 0], [1, 0], [1, 1], [-1, 1]]
density = 1
"""
    assert not any("joints" in words for words in detent.run(detent.loads(alone), until=0.1).scope.left_out)


SWING = f"""
format = "detent/1"
units = "mm"
gravity = [0, -{G}]
[parts.frame]
fixed = true
shape.outline = [[-50, -200], [50, -200], [50, -190], [-50, -190]]
[parts.bob]
shape = {{ circle = 10, moves = [{{ move = [0, -185] }}] }}
mass = 1
center = [0, -100]
inertia = 0.001
[joints.P]
type = "revolute"
between = ["frame", "bob"]
at = [0, 0]
[start]
P = {{ at_deg = 20 }}
"""


@pytest.mark.parametrize("method", [detent.Rigid(), detent.Penalty()])
def test_parts_drawn_into_each_other_at_a_joint_are_named_as_left_out(method):
    """The bob is 5 mm in the frame below it and swings out; let go beside it, it stops on it."""
    swinging = SWING.replace("{ at_deg = 20 }", "{ speed_deg = 300 }")
    running = detent.run(detent.loads(swinging), until=0.5, method=method)
    assert running.ranges["P"][1] > 0.3
    assert any("frame:bob" in words for words in running.scope.left_out)
    stopped = detent.run(detent.loads(SWING), until=0.5, method=method)
    assert stopped.ranges["P"][0] == pytest.approx(math.acos(180 / 185), abs=2e-3)
    apart = detent.loads(swinging).with_("parts.bob.shape.moves.0.move", [0, -100])
    assert not any("bob" in words for words in detent.run(apart, until=0.5, method=method).scope.left_out)


def test_a_last_row_before_the_end_says_its_time():
    words = detent.run(detent.loads(SWING), until=0.5, times=[0, 0.2]).words
    assert "at 0.2 s" in words
    assert "at the end" not in words


@pytest.mark.parametrize(
    ("path", "value", "at"),
    [
        ("parts.bob.mass", 0, "parts.bob.mass: is zero"),
        (
            "parts.frame.shape.outline",
            [[-50, -200], [50, -200], [-50, -190], [50, -190]],
            "edges 1 and 3 cross",
        ),
        (
            "parts.bob.shape",
            {"difference": [{"circle": 5}, {"circle": 6}]},
            "parts.bob.shape: leaves nothing",
        ),
    ],
)
def test_what_cannot_run_is_refused_by_its_place(path, value, at):
    with pytest.raises(detent.ModelError, match=at):
        detent.run(detent.loads(SWING).with_(path, value), until=0.5)
