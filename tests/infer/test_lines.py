"""Pins that touch along lines: round ones between flat faces, the edges of square ones in a bore."""

from __future__ import annotations

import math

import pytest

import detent
from detent.infer import infer
from tests.infer.shapes import block, less, machine, moved, pin, union

PLATE = block((-20, -20, 0), (20, 20, 10))
HEAVY = {"gravity": [0, 0, "-9.81"]}  # a force along z, so that no travel along it is dropped
ROD = pin(5, -20, 30)


def square(half: float, turn: float = 0) -> dict:
    return moved(block((-half, -half, 0), (half, half, 10)), {"turn_deg": turn})


BLOCKS = union(
    block((-20, -20, 0), (20, -5, 10)),
    block((-20, 5, 0), (20, 20, 10)),
    block((-20, -5, 0), (-5, 5, 10)),
    block((5, -5, 0), (20, 5, 10)),
)
SIDE = 5 * math.sqrt(3)
TRIANGLE = {"prism": {"outline": [[0, 10], [-SIDE, -5], [SIDE, -5]], "height": 10}}


@pytest.mark.parametrize(
    ("frame", "faces"),
    [
        (less(PLATE, square(5)), 4),
        (less(PLATE, square(5, 30)), 4),
        (BLOCKS, 4),
        (less(PLATE, TRIANGLE), 3),
    ],
    ids=["difference", "turned", "four blocks", "triangle"],
)
def test_a_round_pin_between_flat_faces_turns_about_its_axis(frame, faces):
    (joint,) = infer(machine(more=HEAVY, frame=frame, rod=ROD)).joints
    assert (joint.type, joint.point, joint.direction) == ("cylindrical", (0, 0, 0), (0, 0, 1))
    assert f"between {faces} flat faces of frame" in joint.why
    assert joint.play == 0


@pytest.mark.parametrize(("half", "play"), [(5.05, 0.1), (5.1, 0.2), (5.11, None)])
def test_its_play_is_the_width_of_the_hole_less_the_diameter(half, play):
    """2 % of a width of 10.2 are 0.204, of 10.22 0.2044: 0.22 is too much."""
    joints = infer(machine(more=HEAVY, frame=less(PLATE, square(half)), rod=ROD)).joints
    assert [joint.play for joint in joints] == ([pytest.approx(play)] if play else [])


@pytest.mark.parametrize(
    "frame",
    [
        less(PLATE, block((-5, -9, 0), (5, 9, 10))),  # a slot
        less(PLATE, block((-5, -5, 0), (5, 25, 10))),  # open on one side
        less(PLATE, block((-5, -5, 11), (5, 5, 21))),  # a hole cut from nothing
    ],
    ids=["slot", "open", "cut from nothing"],
)
def test_faces_that_leave_a_side_open_hold_no_axis(frame):
    clear = less(frame, pin(6, 0, 10)) if frame["difference"][1]["moves"][0]["move"][2] else frame
    assert infer(machine(more=HEAVY, frame=clear, rod=ROD)).joints == ()


@pytest.mark.parametrize(("half", "play"), [((3, 4), 0), ((2.97, 3.96), 0.1), ((2.9, 3.9), None)])
def test_a_square_pin_in_a_bore_turns_on_its_edges(half, play):
    """Its corners are at 5, at 4.95, and at 4.86."""
    x, y = half
    joints = infer(machine(more=HEAVY, frame=less(PLATE, ROD), rod=block((-x, -y, -20), (x, y, 30)))).joints
    if play is None:
        assert joints == ()
        return
    (joint,) = joints
    assert (joint.type, joint.point, joint.direction) == ("cylindrical", (0, 0, 0), (0, 0, 1))
    assert "4 edges of rod in a hole of frame, diameter 10" in joint.why
    assert joint.play == pytest.approx(play, abs=1e-9)


def test_three_corners_on_one_half_of_a_bore_hold_nothing():
    corners = [[5, 0], [4, 3], [0, 5], [0, 0]]
    wedge = moved({"prism": {"outline": corners, "height": 50}}, {"move": [0, 0, -20]})
    assert infer(machine(more=HEAVY, frame=less(PLATE, ROD), rod=wedge)).joints == ()


def test_a_pendulum_on_a_round_pin_in_a_square_hole_swings_as_on_a_hinge():
    """T = 2 pi sqrt(I / m g d) about the axis, at small angles."""
    plane = {"outline": [[-20, -20], [20, -20], [20, 20], [-20, 20]]}
    hole = {"outline": [[-5, -5], [5, -5], [5, 5], [-5, 5]]}
    machine_ = machine(
        dimension=2, more={"gravity": [0, "-9.81"]}, frame=less(plane, hole), rod={"circle": 5}
    )
    for path, value in {"mass": 1, "center": [0, -2], "inertia": "1e-5"}.items():
        machine_ = machine_.with_(f"parts.rod.{path}", value)
    machine_ = machine_.with_("start", {"frame:rod": {"at_deg": 1}})
    period = math.tau * math.sqrt((1e-5 + 0.002**2) / (9.81 * 0.002))
    running = detent.run(machine_, until=period, times=[0, period / 2, period])
    angles = [math.degrees(float(angle)) for angle in running.states["frame_rod"]]
    assert angles == pytest.approx([1, -1, 1], abs=1e-3)
