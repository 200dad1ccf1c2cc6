"""A pull takes a pawl out of the catch that it was in, and another holds, or takes more force."""

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


def _pull_at_the_top(friction: float, normal: tuple[float, float] = (2, 1)) -> float:
    """Against a slope with this normal, sliding up it; the spring has stiffness 1."""
    along, across = normal[0] + friction * normal[1], normal[1] - friction * normal[0]
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


STEEP = (9.8, 3.0)  # the normal of the first bar's back with an overhang of -3: it lets go, with more force
WEAK = _pull_at_the_top(0.2)
STRONG = _pull_at_the_top(0.2, STEEP)


def _ratio_asked(ratio: float, bars: list[list[list[float]]], exact: bool = True) -> detent.Mating:
    made = document(HOOK, bars, 0.2, [{"velocity": [2, 0], "distance": 32}])
    made["ask"] = {"mate": {"ratio": ratio}}
    return detent.mate(mechanism(made), method=detent.Quasistatic(exact=exact))


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("share", "weak"), [(0.99, False), (1.01, True)])
def test_what_leaves_its_catch_with_less_than_takes_it_apart_is_said_to(
    share: float, weak: bool, exact: bool
) -> None:
    """Out over the second bar, then over the first, which resists more: not its place is held so."""
    inserted = float(_mated(0.2, -3).legs[0].force.peak)
    mating = _ratio_asked(share * WEAK / inserted, [_first(-3), SECOND], exact)
    diode = mating.diode
    assert diode is not None
    assert diode.kind == "force"
    assert diode.reverse.force == pytest.approx(STRONG, rel=1e-6)
    assert diode.reverse.top
    assert diode.reverse.top.force == pytest.approx(WEAK, rel=1e-6)
    assert diode.reverse.top.travel == pytest.approx(32 - (46 - REACH), rel=1e-9)
    verdict = "by force only, but not in place" if weak else "by force only"
    over = (
        f"it takes p over a top of {math.degrees(TOP):.3g}° with {diode.reverse.top.force:.6g}, and comes out"
    )
    assert f"holds      {verdict}: pulled straight back {over} with " in mating.words


@pytest.mark.parametrize("exact", [True, False])
def test_what_resists_most_in_its_catch_or_as_much_in_the_next_has_no_weaker_top(exact: bool) -> None:
    steep = [[46, -12], [52, -12], [49, -2.2], [46, -2.2]]
    sloped = [[30, -12], [34.9, -12], [34.9, -4], [34, -2.2], [30, -2.2]]
    alike = [[x - 16, y] for x, y in SECOND]
    for bars, slope in ([sloped, steep], (9.8, 3.0)), ([alike, SECOND], (2.0, 1.0)):
        diode = _ratio_asked(2, bars, exact).diode
        assert diode is not None
        assert diode.reverse.apart
        assert diode.reverse.force == pytest.approx(_pull_at_the_top(0.2, slope), rel=1e-6)
        assert not diode.reverse.top


def test_a_top_beside_which_another_pawl_still_climbs_lets_nothing_go() -> None:
    """The weak pawl falls from its top while the strong one climbs to a larger force: the root stays held."""
    made = document(HOOK, [_first(0), SECOND], 0.2, [{"velocity": [2, 0], "distance": 32}])
    ahead = [[x + 2.5 * (x > 0), y] for x, y in HOOK]  # on the slope when the weak one is over the top
    made["parts"]["strong"] = {"shape": {"outline": ahead}}
    made["joints"]["beside"] = {**made["joints"]["hinge"], "between": ["root", "strong"]}
    made["joints"]["beside"]["spring"] = {"stiffness": 5}
    made["touching"]["ignore"] = ["p:strong"]
    made["ask"] = {"mate": {"apart": 12}}
    mating = detent.mate(mechanism(made))
    assert mating.diode is not None
    assert mating.diode.reverse.apart
    # With friction 0.2 and the normal (2, 1): the strong one's corner at the upper end of the slope.
    top = math.atan2(3, 22.5) - math.asin(2.2 / math.hypot(22.5, 3))
    lever = math.sqrt(22.5**2 + 3**2 - 2.2**2) * 0.6 + 2.2 * 2.2
    alone = 5 * top / lever * 2.2
    assert mating.diode.reverse.force == pytest.approx(alone, rel=0.02)  # the weak one rubs on the bar
    assert not mating.diode.reverse.top
