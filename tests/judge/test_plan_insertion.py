"""Whether a push in several legs brings it in, and what holds it then: a bayonet, pushed down and across.

The root is a block that goes 9 down beside a lip, and 5 across under it. Its pawl, a tip 1.3 below the
hinge, passes a bump on the way across whose top is 1 below the hinge. Pulled up again, the root comes to
the lip after 2.
"""

from __future__ import annotations

import math
import re
from typing import Any

import pytest

import detent

DOWN: dict[str, Any] = {"velocity": [0, -1], "for": 9}
ACROSS: dict[str, Any] = {"velocity": [1, 0], "for": 5}
LIP = [[2, -6], [8, -6], [8, -5], [2, -5]]
BUMP = [[2, -10], [3, -10], [2.5, -9.5]]


def _bayonet(*legs: dict[str, Any], lip: Any = LIP, **ask: Any) -> detent.Mechanism:
    return detent.from_dict(
        {
            "units": "mm",
            "parts": {
                "root": {"shape": {"outline": [[-1, 0], [1, 0], [1, 1], [-1, 1]]}},
                "tip": {"shape": {"outline": [[-0.3, 0.5], [0, -0.8], [0.3, 0.5]]}},
                "receiver": {"fixed": True, "shape": {"union": [{"outline": lip}, {"outline": BUMP}]}},
            },
            "joints": {
                "hinge": {
                    "type": "revolute",
                    "between": ["root", "tip"],
                    "at": [0, 0.5],
                    "spring": {"stiffness": 0.01},
                }
            },
            "drives": {"push": {"part": "root", "legs": list(legs)}},
            "touching": {"ignore": ["root:tip"]},
            "ask": {"mate": ask},
        }
    )


def _mated(*legs: dict[str, Any], exact: bool = True, **changes: Any) -> detent.Mating:
    return detent.mate(_bayonet(*legs, **changes), method=detent.Quasistatic(exact=exact))


@pytest.mark.parametrize("exact", [True, False])
def test_the_verdict_is_on_the_end_of_the_whole_insertion(exact: bool) -> None:
    mating = _mated(DOWN, ACROSS, exact=exact, directions={"from_deg": 0, "to_deg": 180, "steps": 4})
    inserted, diode = mating.insertion, mating.diode
    assert inserted is not None
    assert (inserted.answer, inserted.last_leg, inserted.travel) == ("yes", 2, 9)
    assert inserted.further_legs == ()
    assert inserted.pawls[0].touched == ("receiver",)
    # The angle is largest with the tip on the top of the bump.
    turned = [abs(event.coordinate or 0) for event in mating.legs[1].events]
    assert max(turned) == pytest.approx(math.acos(1 / 1.3), abs=1e-9)
    assert diode is not None
    assert (diode.kind, diode.reverse.direction, diode.reverse.cause) == ("kinematic", (0, 1), "blocked")
    assert diode.reverse.time == pytest.approx(2, abs=1e-12)
    assert [escape.cause for escape in diode.directions[1:4]] == ["blocked"] * 3
    assert "goes in    in legs 1 to 2, yes: tip is past receiver and back at rest" in mating.words
    # Nothing is gone along leg 1 on the way across, which is said of every such number.
    assert re.search(r"in leg 2, at most .* at 9 mm along leg 1 \(", mating.words)
    assert mating.words.count("  on leg 1 ") == 2
    assert "travel" not in mating.words
    assert (
        "as leg 2 leaves it: yes, even without friction: pulled back against leg 1 it is blocked"
        in mating.words
    )
    assert any("the legs backwards" in line for line in mating.scope.left_out)


@pytest.mark.parametrize(
    ("legs", "answer"),
    [
        ((DOWN,), "nothing touched"),
        ((DOWN, ACROSS | {"for": 2}), "nothing touched"),
        ((DOWN, ACROSS | {"for": 2.4}), "not yet"),
        ((DOWN, ACROSS | {"for": 2}, ACROSS | {"for": 3}), "yes"),
        ((DOWN | {"for": 4}, DOWN | {"for": 5}, ACROSS), "yes"),
        ((DOWN, {"velocity": [2, "-1/10"], "for": "5/2"}), "yes"),
    ],
)
def test_an_insertion_goes_on_until_the_way_out(legs: tuple[dict[str, Any], ...], answer: str) -> None:
    inserted = _mated(*legs).insertion
    assert inserted is not None
    assert (inserted.answer, inserted.last_leg, inserted.further_legs) == (answer, len(legs), ())


@pytest.mark.parametrize(
    ("after", "last_leg", "further"),
    [
        ([ACROSS, {"back": True}], 2, ()),
        ([ACROSS, {"back": True}, {"velocity": [0, 3], "for": 3}], 2, ()),
        ([ACROSS, {"velocity": [0, 1], "for": 1}], 2, (3,)),  # up, not back across: no leg backwards
        ([ACROSS, {"back": True}, ACROSS], 2, (4,)),
        ([{"back": True}], 1, ()),
        ([{"back": True}, DOWN], 1, (3,)),
        ([{"velocity": [0.2, 1], "for": 1}], 1, (2,)),  # a slanted pull out is not part of the insertion
    ],
)
def test_legs_that_are_not_judged_are_said(after: Any, last_leg: int, further: tuple[int, ...]) -> None:
    mating = _mated(DOWN, *after)
    inserted = mating.insertion
    assert inserted is not None
    assert (inserted.last_leg, inserted.further_legs) == (last_leg, further)
    for number in further:
        printed = re.search(rf"in leg {number}, at most (\S+) N", mating.words)
        assert printed is not None
        peak = float(mating.legs[number - 1].force.peak)
        assert peak * (1 - 1e-9) <= float(printed[1]) <= peak * (1 + 1e-5)
    assert any(line.startswith("leg ") for line in mating.scope.left_out) is bool(further)


def test_a_leg_that_could_not_be_run_is_not_judged() -> None:
    """The first leg ends at a root, where no other line begins."""
    mating = _mated({"velocity": [1, -8], "distance": 9}, ACROSS)
    assert mating.insertion is not None
    assert (mating.insertion.last_leg, mating.insertion.further_legs) == (1, (2,))
    assert "in leg 1, nothing touched" in mating.words


@pytest.mark.parametrize(("depth", "answer"), [("9.25", "yes"), ("9.250000000001", "not yet")])
def test_a_depth_is_asked_along_the_first_leg(depth: str, answer: str) -> None:
    slanted = {"velocity": [2, "-1/10"], "for": "5/2"}
    inserted = _mated(DOWN, slanted, depth=depth).insertion
    assert inserted is not None
    assert (inserted.answer, inserted.travel) == (answer, 9.25)


@pytest.mark.parametrize("distance", [False, True])
def test_without_a_lip_it_comes_out_again(distance: bool) -> None:
    """At rest the tip resists nothing: out takes no force, in the peak of the leg across."""
    away = [[20, -6], [21, -6], [21, -5]]
    down = {"velocity": [0, -1], "distance": 9} if distance else DOWN
    mating = _mated(down, ACROSS, lip=away)
    diode = mating.diode
    assert diode is not None
    assert diode.force
    assert (diode.kind, diode.reverse.time, diode.force.extraction) == ("none", 9, 0)
    assert diode.force.insertion == mating.legs[1].force.peak > 0
    assert "as leg 2 leaves it: no, comes out against leg 1 with 0 N" in mating.words


def test_an_irrational_end_leaves_what_holds_it_unanswered() -> None:
    mating = _mated(DOWN, {"velocity": [2, "-1/10"], "distance": 5})
    assert mating.insertion is not None
    assert (mating.insertion.answer, mating.diode) == ("yes", None)
    assert any(
        "whether it comes apart is not answered" in n and "give leg 2 its time" in n for n in mating.notes
    )
    assert not any("straight pulls" in line for line in mating.scope.left_out)


UP = {"velocity": [0, 2], "for": "9/2"}


@pytest.mark.parametrize("exact", [True, False])
def test_the_way_back_that_the_plan_goes_takes_it_apart(exact: bool) -> None:
    """Tip and bump are alike on both sides: back over it takes what the way across took."""
    directions = {"from_deg": 45, "to_deg": 135, "steps": 2}
    mating = _mated(DOWN, ACROSS, {"back": True}, UP, exact=exact, directions=directions)
    diode = mating.diode
    assert diode is not None
    assert diode.way_back
    assert (diode.way_back.legs, diode.way_back.apart, diode.way_back.cause) == ((3, 4), True, "apart")
    assert diode.way_back.force == pytest.approx(mating.legs[1].force.peak, rel=1e-9)
    # No straight pull takes it apart, and yet it comes apart.
    assert (diode.kind, diode.total) == ("kinematic", False)
    assert (
        "as leg 2 leaves it: no, legs 3 and 4, its own way back, take it apart with at most" in mating.words
    )
    assert "against straight pulls yes, even without friction" in mating.words
    assert not any("the legs backwards" in line for line in mating.scope.left_out)


@pytest.mark.parametrize(
    ("up", "ask", "legs", "apart"),
    [
        ("9/2", {}, (3, 4), True),
        ("4499/1000", {}, (3, 4), False),
        (1, {"apart": 2}, (3, 4), True),
        ("999/1000", {"apart": 2}, (3, 4), False),
        (1, {"goal": {"outline": [[-1, -7], [1, -7], [1, 0], [-1, 0]]}}, (3, 4), True),
        ("999/1000", {"goal": {"outline": [[-1, -7], [1, -7], [1, 0], [-1, 0]]}}, (3, 4), False),
        (1, {"goal": {"outline": [[-1, -9], [1, -9], [1, -8], [-1, -8]]}}, (3,), True),
    ],
)
def test_the_way_back_is_asked_for_what_counts_as_apart(
    up: Any, ask: dict[str, Any], legs: tuple[int, ...], apart: bool
) -> None:
    mating = _mated(DOWN, ACROSS, {"back": True}, {"velocity": [0, 2], "for": up}, **ask)
    diode = mating.diode
    assert diode is not None
    assert diode.way_back
    assert (diode.way_back.legs, diode.way_back.apart) == (legs, apart)
    assert ("its own way back" in mating.words) is apart
    # What goes back a part of the way leaves the rest to be asked.
    assert any("write the whole way back" in line for line in mating.scope.left_out) is not apart


@pytest.mark.parametrize(("most", "held"), [(39, True), (40, False)])
def test_a_way_back_that_is_held_is_said_to_be(most: int, held: bool) -> None:
    """Back over the bump the tip is bent by acos(1 / 1.3), 39.7 degrees: a limit below that stops it."""
    made = _bayonet(DOWN, ACROSS, {"back": True}, UP)
    mating = detent.mate(made.with_("joints.hinge.limits", {"min_deg": -60, "max_deg": most}))
    diode = mating.diode
    assert diode is not None
    assert diode.way_back
    assert (diode.way_back.apart, diode.way_back.cause) == (not held, "limit" if held else "apart")
    assert ("on leg 3, its own way back, it comes to a limit" in mating.words) is held
