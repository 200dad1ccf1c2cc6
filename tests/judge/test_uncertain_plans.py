"""Uncertain starts beyond the first leg, and of pawls that are let go turned."""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent
from tests.motion.quasistatic.test_sliding import STICK


def _stick(friction: str = "7/10", **uncertain: Any) -> detent.UncertainStart:
    asked = detent.loads(STICK.replace("7/10", friction)).with_("ask.mate.uncertain", uncertain)
    found = detent.mate(asked).uncertain
    assert found
    return found


def _box(wide: float, low: float, high: float) -> dict[str, Any]:
    return {"outline": [[-wide, low], [wide, low], [wide, high], [-wide, high]]}


def test_later_legs_are_told_of_the_starts_that_were_tried() -> None:
    """The tip meets the floor at the same angle from everywhere: it slides in and out, or sticks at 4/5."""
    found = _stick(start=_box(1, -0.5, 0.5))
    (plan,) = found.plans
    assert plan.legs == ("done", "done")
    assert plan.starts == plan.tried == 24
    (held,) = _stick("4/5", start=_box(1, -0.5, 0.5)).plans
    assert held.legs[0] == "stick"


def test_what_a_later_leg_meets_from_some_starts_is_found_and_can_be_predicted() -> None:
    """A leg aside takes the stick's root against a post from starts that are more than 0.4 towards it."""
    post = "[parts.post]\nfixed = true\nshape.outline = [[5, 7], [6, 7], [6, 9], [5, 9]]\n[joints.hinge]"
    text = STICK.replace("[joints.hinge]", post).replace('"root:floor"]', '"root:floor", "stick:post"]')
    text = text.replace("{ back = true }", "{ velocity = [2, 0], for = 1.8 }")
    asked = detent.loads(text).with_("ask.mate.uncertain", {"start": _box(1, -0.1, 0.1)})
    found = detent.mate(asked).uncertain
    ends = {plan.legs: plan for plan in found.plans}
    assert set(ends) == {("done", "done"), ("done", "blocked")}
    assert sum(plan.starts for plan in found.plans) == 24
    # The push is downward: an offset to its left is to the right. The root's side is at 1 + 3.6 there.
    assert ends["done", "blocked"].offset > 0.4 > ends["done", "done"].offset
    # Two thirds and a bit of all starts are on this side of it.
    assert 14 <= ends["done", "done"].starts <= 20


def test_a_pawl_that_is_let_go_turned_swings_to_rest_where_it_is_clear() -> None:
    """The tip is 0.9 above the floor or more, on an arc of 10: lower by that after acos(0.8) - acos(0.89)."""
    plain, turned = _stick(start=_box(1, -0.1, 0.1)), _stick(start=_box(1, -0.1, 0.1), angle_deg=9)
    assert turned.outcomes == plain.outcomes
    assert turned.turned == pytest.approx(math.radians(9))
    with pytest.raises(detent.ModelError, match=r"'stick', let go within .* may touch at floor"):
        _stick(start=_box(1, -0.1, 0.1), angle_deg=10)
    with pytest.raises(detent.ModelError, match="no small turn of a pawl"):
        _stick(start=_box(1, -0.1, 0.1), angle_deg=90)


def test_an_angle_alone_is_a_question() -> None:
    found = _stick(angle_deg=3)
    assert {each.outcome for each in found.outcomes if each.said == "always"} == {"done"}
