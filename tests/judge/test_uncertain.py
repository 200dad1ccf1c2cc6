"""Uncertain starts: what is told of all of them against exact predictions from some, and bad regions."""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent


def _asked(example: str, **uncertain: Any) -> detent.Mechanism:
    return detent.load(example).with_("ask.mate.directions", None).with_("ask.mate.uncertain", uncertain)


def _box(low: float, high: float) -> dict[str, Any]:
    return {"outline": [[low, -1], [high, -1], [high, 1], [low, 1]]}


def test_a_hook_that_starts_beside_its_bump_goes_in_whatever_it_touches() -> None:
    """The nose, at -21, touches the bump, at -30, from offsets above -9; then the root meets the receiver."""
    mating = detent.mate(_asked("diode_d", start=_box(-11, -7)))
    found = mating.uncertain
    assert found
    assert {each.outcome: each.said for each in found.outcomes} == {
        "done": "never",
        "blocked": "always",
        "jam": "never",
        "stick": "never",
        "limit": "never",
    }
    assert found.share_proved == 1
    (touch,) = found.first_contacts
    assert touch.contact == "receiver/0.e3:pawl/0.v2"
    assert touch.offset == (-9, -7)
    # The ramp rises by 1 per 1 from its tip at height 0, the nose begins at 50, by 1 more or less.
    assert touch.time == pytest.approx((50 - 2 - 1, 50 + 1))
    assert touch.slides == (touch.offset,)
    assert "always       the root is blocked" in mating.words


@pytest.mark.parametrize("offset", [-10.5, -9, -8.9, -7.001])
def test_exact_predictions_from_within_come_to_what_is_told_of_all(offset: float) -> None:
    moved = detent.load("diode_d").with_("ask.mate.directions", None)
    for part in ("root", "pawl"):
        moved = moved.with_(f"parts.{part}.pose", {"at": [offset, 0.25]})
    moved = moved.with_("joints.hinge.at", [-25 + offset, 100.25])
    assert detent.mate(moved).legs[0].end.cause == "blocked"


@pytest.mark.parametrize(
    ("uncertain", "problem"),
    [
        ({"start": {"outline": [[-1, -1], [1, -1], [0, -90]]}}, "overlaps 'receiver'"),
        ({"start": {"outline": [[0, -1], [0, 1], [0, 2]]}}, r"ask\.mate\.uncertain\.start"),
        ({}, "leaves the start and the direction certain"),
        ({"direction_deg": 50}, "no tilt of a push"),
    ],
)
def test_a_region_that_asks_for_nothing_is_refused(uncertain: dict[str, Any], problem: str) -> None:
    with pytest.raises(detent.ModelError, match=problem):
        detent.mate(_asked("diode_d", **uncertain))


def test_with_little_work_what_stays_open_is_not_called_never() -> None:
    """The starts that are always blocked: the more is open the less is told, and nothing false."""
    mating = detent.mate(_asked("diode_d", start=_box(-11, -7), most_steps=5))
    found = mating.uncertain
    assert found
    assert found.share_proved < 1
    said = {each.outcome: each.said for each in found.outcomes}
    assert said.pop("blocked") in ("possibly", "not excluded")
    assert set(said.values()) == {"not excluded"}
    assert "the work ended at 5 steps" in mating.words
    assert sum(each.offset[1] - each.offset[0] for each in found.slivers) == pytest.approx(
        (1 - found.share_proved) * (found.offset[1] - found.offset[0])
    )


LEDGE = """
format = "detent/1"
units = "1"
[parts.root]
shape.outline = [[-2, -1], [-1, -1], [-1, 0], [-2, 0]]
[parts.hook]
shape.outline = [[0, 0], [1, 0], [1, 10], [5, 10], [6, 8], [7, 11], [0, 11]]
[parts.ledge]
fixed = true
shape.outline = [[3, -20], [30, -20], [30, 5], [3, 5]]
[joints.hinge]
type = "revolute"
between = ["root", "hook"]
at = [0, 0]
spring.stiffness = 1
[drives.push]
part = "root"
legs = [{ velocity = [0, -1], for = 4 }]
[touching]
ignore = ["root:hook", "root:ledge"]
[ask.mate]
uncertain = { cylinder = 1 }
"""


@pytest.mark.parametrize(("friction", "sticks"), [("0.74", False), ("0.76", True)])
def test_a_hook_on_a_ledge_first_slides_below_the_friction_by_hand(friction: str, sticks: bool) -> None:
    """The nose is at (6, 8) from the hinge that draws it down onto the ledge: 6/8 holds it."""
    asked = detent.loads(LEDGE).with_("touching.friction", friction)
    mating = detent.mate(asked)
    (touch,) = mating.uncertain.first_contacts
    assert touch.time == pytest.approx((3 - 1, 3 + 1))
    whole = ((-1, 1),)
    assert (touch.slides, touch.sticks) == (((), whole) if sticks else (whole, ()))
    # 10 from the hinge, it comes above it as far as friction lets it.
    high = 8 if sticks else 10 / math.hypot(1, 0.74)
    assert mating.legs[0].end.cause == "stick"
    assert mating.legs[0].end.time == pytest.approx(3 + high - 8, rel=1e-9)
