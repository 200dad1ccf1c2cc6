"""A side that is longer than the rest of its loop: proved at once, named with both lengths."""

from __future__ import annotations

import itertools
import random
from typing import Any

import pytest

import detent


def _four_bar(lengths: tuple[float, float, float, float]) -> detent.Mechanism:
    """Ground, crank, coupler, rocker; drawn as an open chain along x."""
    ground, crank, coupler, rocker = lengths
    parts: dict[str, Any] = {
        "ground": {"fixed": True, "markers": {"A": [0, 0], "D": [ground, 0]}},
        "crank": {"markers": {"A": [0, 0], "B": [crank, 0]}},
        "coupler": {"markers": {"B": [0, 0], "C": [coupler, 0]}, "pose": {"at": [crank, 0]}},
        "rocker": {"markers": {"C": [0, 0], "D": [rocker, 0]}, "pose": {"at": [crank + coupler, 0]}},
    }
    order = list(parts)
    joints = {
        pin: {"type": "revolute", "between": [f"{a}.{pin}", f"{b}.{pin}"]}
        for pin, (a, b) in zip("ABCD", itertools.pairwise([*order, "ground"]), strict=True)
    }
    return detent.from_dict({"parts": parts, "joints": joints})


def _said(lengths: tuple[float, float, float, float]) -> str:
    """Why it does not close; empty where it does."""
    try:
        detent.move(
            _four_bar(lengths).with_("drives", {"go": {"joint": "A", "from": 0, "to": 0, "steps": 1}})
        )
    except detent.ModelError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("seed", range(40))
def test_a_four_bar_closes_unless_one_side_is_longer_than_the_others_together(seed: int) -> None:
    chance = random.Random(seed)
    lengths = tuple(chance.choice([chance.uniform(0.5, 2), chance.uniform(2, 9)]) for _ in range(4))
    longest = max(lengths)
    missing = 2 * longest - sum(lengths)
    said = _said(lengths)  # type: ignore[arg-type]
    if missing < 0:
        assert "cannot close" not in said
        return
    part = ["ground", "crank", "coupler", "rocker"][lengths.index(longest)]
    assert f"{part} is {longest:.6g} m from " in said
    assert f"the others reach {longest - missing:.6g} m, and at least {missing:.6g} m stays open" in said


@pytest.mark.parametrize(("more", "proved"), [(-1e-6, False), (1e-6, True)])
def test_the_border_is_where_all_links_lie_in_line(more: float, proved: bool) -> None:
    assert ("cannot close" in _said((2.0, 1.0, 6.0 + more, 3.0))) is proved


def test_a_large_linkage_with_one_wrong_number_names_its_loop_and_its_link() -> None:
    """In the chain of 24 four-bars, the 17th rocker's pin far off: the smallest loop with it."""
    chain = detent.load("stress_50").with_("parts.R17.markers.P17.0", 30)
    with pytest.raises(detent.ModelError) as caught:
        detent.move(chain)
    problem = caught.value.problems[0]
    assert problem.at in ("joints.T17", "joints.T18")  # the link is in both loops
    assert " cannot close: R17 is " in problem.problem
    assert problem.problem.count(",") == 4  # three more pins, and what the others reach
    assert "R17 is" in detent.explain(chain).words
