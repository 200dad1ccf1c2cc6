"""Smallest changes that alter a mating, against closed forms of a stick that is pushed onto a floor.

The tip is at (6, -8) from the hinge as it touches: it slides with less friction than 3/4, and has 7/10.
"""

from __future__ import annotations

import pytest

import detent
from tests.motion.quasistatic.test_sliding import STICK


def test_the_margins_of_a_stick_on_a_floor_are_those_by_hand() -> None:
    mating = detent.mate(detent.loads(STICK).with_("ask.mate.margin", True))
    margin = mating.margin
    assert margin
    friction, coordinate = margin.changes
    assert (friction.kind, friction.parameter) == ("friction", "touching.friction")
    assert friction.same < 0.75 - 0.7 + 1e-15 <= friction.other + 2e-15
    assert friction.other - friction.same <= 1.01e-11
    # x / 8 is 7/10 for the tip at 5.6; lower by y it is 6 / (8 + y), which takes 0.571.
    assert coordinate.parameter == "parts.stick.shape.segment.1.0"
    assert coordinate.other <= -0.4 <= coordinate.same
    assert coordinate.same - coordinate.other < 3e-10
    assert coordinate.alters == friction.alters == "verdict"
    assert "stick" in coordinate.after
    # Turned by up to 15 degrees it meets the floor at the same angle, and slides on to the same side.
    assert margin.none == ("direction",)
    assert "touching.friction by +0.05: another verdict: legs end: stick" in mating.words
    assert "nothing is altered by the direction of the push up to +15.3" in mating.words


@pytest.mark.parametrize("steps", [30, 100])
def test_with_less_work_the_friction_comes_first_and_what_stays_open_is_told(steps: int) -> None:
    asked = detent.loads(STICK).with_("ask.mate.margin", True).with_("ask.mate.margin_steps", steps)
    margin = detent.mate(asked).margin
    assert margin
    assert margin.most_steps == steps <= margin.steps
    assert margin.predictions < steps  # each takes a step, and each event one
    # Every kind is told once: as a change, as none, or as open.
    told = {each.kind for each in margin.changes} | set(margin.none)
    open_ = {each.partition(":")[0] for each in margin.left_out}
    assert told | open_ >= {"friction", "direction", "coordinate"}
    assert "coordinate" in open_
    assert "coordinate" not in margin.none
    for each in margin.changes:  # cut off anywhere it is one that alters, beside one that does not
        closed_form = {"friction": 0.05, "coordinate": -0.4}[each.kind]
        if each.parameter in ("touching.friction", "parts.stick.shape.segment.1.0"):
            assert abs(each.same) < abs(closed_form) + 1e-15 <= abs(each.other) + 2e-15


def test_points_that_touch_come_before_the_others() -> None:
    """Cut off among coordinates, those of the tip have been looked at: its smallest change is known."""
    whole = detent.loads(STICK).with_("ask.mate.margin", True)
    full = detent.mate(whole).margin
    assert full
    assert full.steps < full.most_steps
    cut = detent.mate(whole.with_("ask.mate.margin_steps", full.steps - 5)).margin
    assert cut
    assert cut.left_out[0].startswith("coordinate: ")
    assert cut.changes[1] == full.changes[1]
