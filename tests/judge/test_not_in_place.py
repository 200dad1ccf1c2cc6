"""A fastener that does not come apart, though a pull takes a pawl out of the catch that it was in."""

from __future__ import annotations

import math

import pytest

import detent
from detent.model.reading import mechanism
from tests.prove.fasteners import document

# About the hinge at the origin; its nose, undercut, goes over two bars, the second with a sloped back.
HOOK = [[-2, 0], [22, 0], [26, -0.5], [22, -3], [20, -3], [20.8, -1.5], [-2, -1.5]]
SECOND = [[46, -12], [49, -12], [49, -4.2], [48, -2.2], [46, -2.2]]
# Where a corner of the nose is on the bars: how far it is bent, and how far ahead of the hinge the corner is.
TOP = math.atan2(3, 20) - math.asin(2.2 / math.hypot(20, 3))
REACH = math.sqrt(20**2 + 3**2 - 2.2**2)


def _first(overhang: float) -> list[list[float]]:
    return [[30, -12], [34 - overhang, -12], [34, -2.2], [30, -2.2]]


def _mated(friction: float, overhang: float, distance: float = 32, exact: bool = True) -> detent.Mating:
    legs = [{"velocity": [2, 0], "distance": distance}]
    made = document(HOOK, [_first(overhang), SECOND], friction, legs)
    return detent.mate(mechanism(made), method=detent.Quasistatic(exact=exact))


def _pull_at_the_top(friction: float) -> float:
    """Against the slope with normal (2, 1), sliding up it; the spring has stiffness 1."""
    along, across = 2 + friction, 1 - 2 * friction
    return TOP / (REACH * across + 2.2 * along) * along


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(
    ("overhang", "kind", "why"), [(0, "friction", "by friction"), (2, "kinematic", "even without friction")]
)
def test_what_leaves_its_catch_and_is_held_by_another_is_said_to(
    overhang: float, kind: str, why: str, exact: bool
) -> None:
    mating = _mated(0.2, overhang, exact=exact)
    assert mating.diode is not None
    assert mating.diode.kind == kind
    back = mating.diode.reverse
    assert back.top
    assert (back.top.part, back.apart) == ("p", False)
    assert back.top.angle == pytest.approx(TOP, rel=1e-9)
    assert back.top.force == pytest.approx(_pull_at_the_top(0.2), rel=1e-6)
    assert back.top.travel == pytest.approx(32 - (46 - REACH), rel=1e-9)  # over the front of the second bar
    assert back.travel == pytest.approx(32 - (34 - 20) + overhang * 0.8 / 9.8, rel=1e-9)  # on the first
    assert (
        f"holds      yes, {why}, but not in place: pulled straight back it takes p over a top" in mating.words
    )


def test_what_only_friction_keeps_in_its_catch_is_said_to() -> None:
    """On the slope it sticks from friction 0.65 on; without any it goes to the bar that holds it."""
    mating = _mated(0.8, 2)
    assert mating.diode is not None
    assert not mating.diode.reverse.top
    smooth = mating.diode.reverse_without_friction
    assert smooth.top
    assert smooth.top.force == pytest.approx(_pull_at_the_top(0), rel=1e-6)
    assert "holds      yes, in place by friction alone (without it: takes p over a top of" in mating.words


def test_a_fall_from_the_ramp_on_which_the_push_ended_is_not_a_top() -> None:
    """Pushed on to the second ramp it falls back from that, and is held by the first bar."""
    mating = _mated(0.2, 2, distance=23)
    assert mating.insertion is not None
    assert mating.insertion.pawls[0].standing == "climbing"
    assert mating.diode is not None
    assert mating.diode.kind == "kinematic"
    assert not mating.diode.reverse.top
    assert "yes, even without friction: pulled straight back it sticks after a travel of" in mating.words
