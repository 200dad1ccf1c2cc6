"""Back where the plan begins is apart only where nothing is in the way further out.

A hook goes over two bars, the back of the second sloped. Drawn between the two it is pushed over the second;
pulled back to where it was drawn it is still behind the first.
"""

from __future__ import annotations

from typing import Any

import pytest

import detent
from detent.model.reading import mechanism
from tests.judge.test_not_in_place import HOOK, SECOND, STRONG, WEAK, _first
from tests.prove.fasteners import document

BETWEEN, ASSEMBLED = 16, 32  # travel from outside: its nose is 20 to 26 ahead, the bars 30 to 34 and 46 to 49


def _mated(begins: float, *bars: list[list[float]], exact: bool = True, **ask: Any) -> detent.Mating:
    moved = [[[x - begins, y] for x, y in bar] for bar in bars]
    made = document(HOOK, moved, 0.2, [{"velocity": [2, 0], "distance": ASSEMBLED - begins}])
    made["ask"] = {"mate": ask}
    return detent.mate(mechanism(made), method=detent.Quasistatic(exact=exact))


@pytest.mark.parametrize("exact", [True, False])
def test_what_is_drawn_behind_a_catch_comes_out_no_further_than_that(exact: bool) -> None:
    """By closed forms of both slopes: the second bar lets go with less than the first takes further out."""
    mating = _mated(BETWEEN, _first(-3), SECOND, exact=exact)
    diode = mating.diode
    assert diode is not None
    assert diode.reverse.apart
    assert diode.reverse.force == pytest.approx(WEAK, rel=1e-6)
    assert diode.further_out
    assert diode.further_out.apart
    assert diode.further_out.force == pytest.approx(STRONG, rel=1e-6)
    assert "comes out as far as where it began, with" in mating.words
    assert f"further out it takes {diode.further_out.force:.6g}" in mating.words


def test_a_catch_further_out_that_holds_is_said_to() -> None:
    mating = _mated(BETWEEN, _first(2), SECOND)
    diode = mating.diode
    assert diode is not None
    assert diode.reverse.apart
    assert diode.further_out
    assert not diode.further_out.apart
    # As far from the assembled state as of the one that is drawn outside, whose pull the same bar holds.
    outside = _mated(0, _first(2), SECOND).diode
    assert outside is not None
    assert (diode.further_out.cause, diode.further_out.travel) == (
        outside.reverse.cause,
        pytest.approx(outside.reverse.travel, rel=1e-12),
    )
    assert "further out it sticks after a travel of" in mating.words


@pytest.mark.parametrize(
    ("begins", "bars", "ask"),
    [
        (0, [_first(-3), SECOND], {}),  # drawn outside of both
        (BETWEEN, [SECOND], {}),  # nothing further out
        (BETWEEN, [[[30, -12], [34, -12], [34, -4], [30, -4]], SECOND], {}),  # lower than the hook
        (BETWEEN, [_first(-3), SECOND], {"apart": 16}),  # the document says what counts
    ],
)
def test_where_nothing_is_in_the_way_nothing_is_said(begins: float, bars: Any, ask: dict[str, Any]) -> None:
    mating = _mated(begins, *bars, **ask)
    assert mating.diode is not None
    assert mating.diode.reverse.apart
    assert not mating.diode.further_out
    assert "further out" not in mating.words
    assert "where it began" not in mating.words
