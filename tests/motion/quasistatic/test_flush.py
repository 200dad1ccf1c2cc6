"""Lands flush with walls, exactly and to within rounding: what carries, what is decided, and when."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from detent.judge import mate
from detent.model.reading import mechanism
from detent.motion import decide
from tests.prove.fasteners import document

# The pawl is flush where it is bent by this much: cosine 399/401, sine 40/401.
COSINE, SINE = Fraction(399, 401), Fraction(40, 401)
BENT = math.atan2(40, 399)


def _at_rest(bent: list[list[int]], left: int = 0) -> list[list[Fraction]]:
    return [[COSINE * x - SINE * y + left, SINE * x + COSINE * y] for x, y in bent]


def _written(outline: list[list[Fraction]]) -> list[list[str]]:
    return [[str(c) for c in point] for point in outline]


def test_of_flush_contacts_the_one_that_resists_most_is_taken_at_every_instant() -> None:
    """Two walls of unlike friction on one land: mu k theta / (arm + mu offset), the arms from the drawing."""
    land = _at_rest([[-2, 0], [1, 0], [1, -9], [3, -10], [3, -16], [-1, -22], [-2, -22]])
    below = [[3, -34], [8, -34], [8, -50], [3, -50]]
    above = [[3, -30], [8, -30], [8, -33], [3, -33]]
    plan = [{"velocity": [0, -1], "for": 23}, {"back": True}]
    design = document(_written(land), [below], "7/20", plan)
    design["parts"]["upper"] = {"fixed": True, "shape": {"outline": above}}
    design["touching"]["pairs"] = {"p:upper": {"friction": "3/10"}}
    out = mate(mechanism(design)).legs[1].force
    checked = 0
    for travel, resisting in zip(out.travel, out.on_drive, strict=True):
        if travel > 20:
            shares = [0.35 * BENT / (34 - travel + 3 * 0.35), 0.3 * BENT / (10 + 3 * 0.3)]
            assert resisting == pytest.approx(max(shares), rel=1e-12)
            checked += 1
    assert checked > 20
    assert out.peak == pytest.approx(0.35 * BENT / (11 + 3 * 0.35), rel=1e-12)
    assert [s.contact.split("/")[0] for s in out.stretches[:2]] == ["receiver", "upper"]


@pytest.mark.parametrize(("friction", "said"), [("1/10", False), ("3/10", True)])
def test_a_contact_that_alone_would_stick_is_said_to_carry_nothing(friction: str, said: bool) -> None:
    """A land 20 beside the hinge and 5 to 8 below it: its upper end sticks from a friction of 5/20 on."""
    land = _at_rest([[-2, 0], [1, 0], [1, -2], [20, -5], [20, -8], [1, -12], [-2, -12]], left=-5)
    plan = [{"velocity": [1, 4], "for": 5}, {"velocity": [0, -1], "for": 3}]
    design = document(_written(land), [[[20, 40], [28, 40], [28, -60], [20, -60]]], friction, plan)
    design["joints"]["hinge"]["at"] = [-5, 0]
    answer = mate(mechanism(design))
    mu, arm = float(Fraction(friction)), 8 if said else 5
    assert answer.legs[1].end.cause == "done"
    assert answer.legs[1].force.peak == pytest.approx(mu * BENT / (arm - 20 * mu), rel=1e-12)
    assert any("alone would stick" in line for line in answer.scope.assumed) == said


@pytest.mark.parametrize("friction", [0.1, 0.3])
def test_what_is_flush_but_for_rounding_is_decided_as_what_is_flush(friction: float) -> None:
    """Two lands on two steps of a wall, in doubles: pairs apart by less than their rounding."""
    land = _at_rest([[-2, 0], [1, 0], [1, -9], [5, -10], [5, -13], [3, -14], [3, -18], [-1, -24], [-2, -24]])
    wall = [[5, -32], [9, -32], [9, -50], [3, -50], [3, -36], [5, -34]]
    design = document(
        _written(land), [wall], str(friction), [{"velocity": [0, -1], "for": 30}, {"back": True}]
    )
    into, out = mate(mechanism(design)).legs
    pawl = np.array([[float(c) for c in point] for point in land])
    ends = decide(
        pawl, wall, hinges=(0, 0), velocities=(0, -1), durations=30, frictions=friction, stiffnesses=1
    )
    assert ends.causes == ["done"]
    assert ends.peaks_in[0] == pytest.approx(into.force.peak, rel=1e-9)
    assert ends.peaks_out[0] == pytest.approx(out.force.peak, rel=1e-9)


def test_a_leg_begins_when_the_one_before_it_ends() -> None:
    """A `distance` along a slanted line lasts an irrational time; sums of it round once."""
    plan = [{"velocity": [0.25, -1], "for": 10}, {"velocity": [-0.5, -1], "distance": 5}, {"back": True}]
    trajectory = mate(
        mechanism(document([[-1, 0], [1, 0], [0, -4]], [[[50, 50], [60, 50], [60, 60]]], 0, plan))
    ).run.trajectory
    assert all(one[1] == next_[0] for one, next_ in zip(trajectory.legs, trajectory.legs[1:], strict=False))
    assert np.all(np.diff(trajectory.times) >= 0)
    assert trajectory.legs[1][1] == 10 + 2 * math.sqrt(5)
