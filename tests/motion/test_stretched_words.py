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


@pytest.mark.parametrize("method", [{"solver": "newton_svd"}, {"breaking": "stretching"}])
def test_stops_that_are_passed_and_overlap_that_is_not_looked_for_are_named_as_left_out(method):
    """A flag that goes 90° round, through its stop at 30° and through a post at 60°."""
    flag = detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "post": {"fixed": True, "shape": {"circle": 2, "moves": [{"move": [10, 17.3]}]}},
                "base": {"fixed": True, "markers": {"A": [0, 0]}},
                "flag": {
                    "markers": {"A": [0, 0], "tip": [30, 0]},
                    "shape": {"outline": [[0, -1], [30, -1], [30, 1], [0, 1]]},
                },
            },
            "joints": {"A": {"type": "revolute", "between": ["base.A", "flag.A"], "limits": {"max_deg": 30}}},
            "drives": {"turn": {"joint": "A", "from_deg": 0, "to_deg": 90, "steps": 9}},
        }
    )
    motion = detent.move(flag, method=detent.Kinematic(**method))
    assert motion.stop == "done"
    assert motion.scope is not None
    assert motion.scope.left_out == (
        "contact (overlap is not looked for)",
        "joints.A.limits (it goes on through these stops)",
    )
    stopped = detent.move(flag)
    assert stopped.stop == "limit"
    assert stopped.scope is not None
    assert not any("limits" in entry for entry in stopped.scope.left_out)


@pytest.mark.parametrize("drives", [1, 2])
def test_a_freedom_that_nothing_drives_is_named_by_a_solver_without_a_plan(drives):
    machine = five_bar(50, 5)
    if drives == 1:
        plain = machine.to_dict()
        del plain["drives"]["r"]
        machine = detent.from_dict(plain)
    planned, newton = (
        [note for note in motion.notes if "driven" in note]
        for motion in (
            detent.move(machine),
            detent.move(machine, method=detent.Kinematic(solver="newton_svd")),
        )
    )
    assert newton == planned
    assert len(planned) == 2 - drives


@pytest.mark.parametrize("method", [{"solver": "newton_svd"}, {"breaking": "stretching"}])
def test_assemblies_are_listed_whatever_follows_the_drive(method):
    """The links between the cranks go together in two ways, mirrored in the line of the cranks' ends."""
    motion = detent.move(five_bar(120, 4), method=detent.Kinematic(assemblies=True, **method))
    heights = sorted(assembly["markers"]["one.C"][1] for assembly in motion.assemblies)
    assert heights == pytest.approx([10 - math.sqrt(69), 10 + math.sqrt(69)])
    assert "assemblies 2" in motion.words
