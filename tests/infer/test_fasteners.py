"""Bolts with washers and nuts hold a stack; with play in it, it turns."""

from __future__ import annotations

import pytest

from tests.infer.shapes import block, kinds, less, machine, pin, union


def _stack(play: float, **more):
    """A frame (0 to 10), a plate on it, a washer, a bolt's head above them, a nut below."""
    head = 16 + play
    return machine(
        frame=less(block((-20, -20, 0), (20, 20, 10)), pin(3, 0, 10)),
        plate=less(block((-20, -10, 10), (40, 10, 15)), pin(3, 10, 15)),
        washer=less(pin(7, 15, 16), pin(3, 15, 16)),
        bolt=union(pin(3, -5, head), pin(6, head, head + 4)),
        nut=less(pin(6, -5, 0), pin(3, -5, 0)),
        **more,
    )


def test_bolt_washer_and_nut_hold_a_plate():
    found = kinds(_stack(0))
    assert found == {("frame", name): "fixed" for name in ("plate", "washer", "bolt", "nut")}


@pytest.mark.parametrize("play", [0.2, 1])
def test_with_play_in_the_stack_the_plate_turns(play):
    assert kinds(_stack(play))["frame", "plate"] == "revolute"


def test_an_arm_behind_the_nut_is_no_nut():
    """Wider than a bolt may be, with a gap to the stack: it turns, and what is clamped stays clamped."""
    arm = less(block((-20, -10, -5), (40, 10, -1)), pin(3, -5, -1))
    shapes = {
        "frame": less(block((-20, -20, 0), (20, 20, 10)), pin(3, 0, 10)),
        "plate": less(block((-20, -10, 10), (40, 10, 15)), pin(3, 10, 15)),
        "bolt": union(pin(3, -8, 15), pin(6, 15, 19)),
        "arm": arm,
    }
    found = kinds(machine(**shapes))
    assert found["frame", "plate"] == "fixed"
    assert found["frame", "arm"] == "revolute"
