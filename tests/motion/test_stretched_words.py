"""What is told of a linkage whose joints are left open, or that is closed at positions alone."""

from __future__ import annotations

import math
import re

import pytest

import detent


def five_bar(to_deg: float, steps: int) -> detent.Mechanism:
    """Two cranks of 10, turned outward until the links of 13 between them do not reach."""
    return (
        detent.Builder(units="mm")
        .part("ground", fixed=True, markers={"A": [0, 0], "E": [20, 0]})
        .part("left", markers={"A": [0, 0], "B": [0, 10]})
        .part("one", markers={"B": [0, 10], "C": [10, math.sqrt(69) + 10]})
        .part("two", markers={"C": [10, math.sqrt(69) + 10], "D": [20, 10]})
        .part("right", markers={"D": [20, 10], "E": [20, 0]})
        .joint("A", "revolute", "ground.A", "left.A")
        .joint("B", "revolute", "left.B", "one.B")
        .joint("C", "revolute", "one.C", "two.C")
        .joint("D", "revolute", "two.D", "right.D")
        .joint("E", "revolute", "ground.E", "right.E")
        .drive("l", joint="A", from_deg=0, to_deg=to_deg, steps=steps)
        .drive("r", joint="E", from_deg=0, to_deg=-to_deg, steps=steps)
        .build()
    )


def gap_line(motion: detent.Motion) -> str:
    return next(line for line in motion.words.splitlines() if line.startswith("  gap"))


@pytest.mark.parametrize("steps", [2, 3, 8])
def test_a_gap_is_that_of_the_positions_and_is_called_so_with_its_joint_and_place(steps):
    """Widest at 90°; with three steps of 180° no position is there."""
    motion = detent.move(five_bar(180, steps), method=detent.Kinematic(breaking="stretching"))
    line = gap_line(motion)
    told = re.fullmatch(r"  gap        at positions: up to (\S+) mm in joint (\w), at (\S+)° of l", line)
    assert told, line
    apart = [
        20 + 20 * math.sin(math.radians(180 * k / steps)) - 26 for k in range(steps + 1)
    ]  # between the cranks' ends, less what the links reach
    assert float(told[1]) == pytest.approx(max(apart), abs=1e-4)
    assert told[2] == "C"
    assert math.sin(math.radians(float(told[3]))) == pytest.approx((max(apart) + 6) / 20, abs=1e-6)
    assert motion.scope is not None
    assert motion.scope.certainty == "sampled"


@pytest.mark.parametrize("method", [{"solver": "newton_svd"}, {"breaking": "stretching"}])
def test_what_acts_is_named_as_left_out_by_methods_that_seek_no_balance(method):
    loaded = (
        five_bar(90, 6)
        .with_("ask.move.loads", {"one.C": [0, -5]})
        .with_("joints.A.spring", {"stiffness": 2, "rest_deg": 0})
        .with_("gravity", [0, -9.81])
        .with_("parts.left.mass", 1)
        .with_("parts.left.center", [0, 5])
        .with_("parts.left.inertia", 1)
    )
    motion = detent.move(loaded, method=detent.Kinematic(**method))
    assert not motion.forces
    assert motion.scope is not None
    assert "forces from loads, weights and springs" in motion.scope.left_out
    assert "left out   contact, forces from loads, weights and springs" in motion.words
    still = detent.move(five_bar(90, 6), method=detent.Kinematic(**method))
    assert still.scope is not None
    assert still.scope.left_out == ("contact",)
