"""Prongs that bend into each other: each is followed by itself, so that the verdict is open from there on."""

from __future__ import annotations

import math
from typing import Any

import pytest

import detent

# The left prong hangs on (-2, 20), its inner corner at (-1, 0), its nose at (-6, 4), the right one mirrored.
# Turned by a, its inner corner is at x = -2 + cos a + 20 sin a, and comes to the middle where that is 0.
MEETS = math.asin(2 / math.hypot(20, 1)) - math.atan2(1, 20)
# The nose is then at x = -2 - 4 cos a + 16 sin a: a hole of that half width bends it just so far.
HALF_WIDTH = 2 + 4 * math.cos(MEETS) - 16 * math.sin(MEETS)


def fork(half_width: float, **more: Any) -> dict[str, Any]:
    prong = [[-3, 20], [-1, 20], [-1, 0], [-3, 0], [-6, 4], [-3, 6]]
    side = [[-20, -8], [-half_width, -8], [-half_width, -3], [-20, -3]]

    def mirrored(outline: list[list[float]]) -> list[list[float]]:
        return [[-x, y] for x, y in outline]

    def hinge(part: str, at: list[float]) -> dict[str, Any]:
        return {"type": "revolute", "between": ["root", part], "at": at, "spring": {"stiffness": 0.1}}

    return {
        "units": "mm",
        "parts": {
            "root": {"shape": {"outline": [[-6, 20], [6, 20], [6, 24], [-6, 24]]}},
            "left": {"shape": {"outline": prong}},
            "right": {"shape": {"outline": mirrored(prong)}},
            "plate": {
                "fixed": True,
                "shape": {"union": [{"outline": side}, {"outline": mirrored(side)}]},
            },
        },
        "joints": {"l": hinge("left", [-2, 20]), "r": hinge("right", [2, 20])},
        "drives": {"push": {"part": "root", "legs": [{"velocity": [0, -1], "for": 16}]}},
        "touching": {"friction": 0.1, "ignore": ["root:left", "root:right"]},
        **more,
    }


@pytest.mark.parametrize("exact", [True, False])
@pytest.mark.parametrize(("wider", "answer"), [(0.01, "yes"), (-0.01, "undecided")])
def test_prongs_that_just_miss_each_other_go_in_and_those_that_meet_are_open(wider, answer, exact):
    document = detent.from_dict(fork(HALF_WIDTH + wider))
    mating = detent.mate(document, method=detent.Quasistatic(exact=exact))
    assert mating.insertion is not None
    assert mating.insertion.answer == answer
    says = "  goes in    undecided: left and right bend into each other from about"
    assert (says in mating.words) == (answer == "undecided")
    assert ("against the push, each pawl by itself" in mating.words) == (answer == "undecided")
    assert ("\n  holds " in mating.words) == (answer == "yes")


def test_prongs_that_may_pass_each_other_are_not_asked():
    document = fork(HALF_WIDTH - 1)
    document["touching"]["ignore"].append("left:right")
    mating = detent.mate(detent.from_dict(document))
    assert mating.insertion is not None
    assert mating.insertion.answer == "yes"


@pytest.mark.parametrize(("wider", "kind"), [(0.01, "force"), (-0.01, "undecided")])
def test_a_pull_that_bends_them_into_each_other_does_not_say_what_holds(wider, kind):
    """Pushed on from below the plate nothing touches; only the pull back bends them."""
    document = fork(HALF_WIDTH + wider, ask={"mate": {"depth": 1, "apart": 20}})
    document["parts"]["plate"]["pose"] = {"at": [0, 14]}
    document["drives"]["push"]["legs"][0]["for"] = 2
    mating = detent.mate(detent.from_dict(document))
    assert mating.insertion is not None
    assert mating.insertion.answer == "yes"
    assert mating.diode is not None
    assert mating.diode.kind == kind
    opened = "  holds      not answered: pulled straight back it bends left and right into each other"
    assert (opened in mating.words) == (kind == "undecided")


def test_prongs_that_are_drawn_into_each_other_are_named_and_judged_each_by_itself():
    document = fork(HALF_WIDTH - 1)
    for part, by in (("left", 1.2), ("right", -1.2)):
        outline = document["parts"][part]["shape"]["outline"]
        document["parts"][part]["shape"]["outline"] = [[x + by, y] for x, y in outline]
    mating = detent.mate(detent.from_dict(document))
    assert mating.insertion is not None
    assert mating.insertion.answer == "yes"
    assert any("they overlap from about 0 s on" in note for note in mating.notes)
