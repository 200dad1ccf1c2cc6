"""Which offsets and tilts go in: closed forms of a hook that only sinks, documents drawn anew at borders."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.record import CompliantMating, RegionThatGoesIn

# A wedge 1 high at its nose and 3 at its peak that sinks on a spring; a block with its lower edge at 2.
BLOCK = [(12.0, 2.0), (15.0, 2.0), (15.0, 6.0), (12.0, 6.0)]
SINKS = """
format = "detent/1"
units = "mm"
[parts.base]
fixed = true
[parts.hook]
shape.outline = [[1, 0], [10, 0], [10, 1], [4, 3], [2, 3]]
[parts.block]
shape.outline = BLOCK
[joints.spring]
type = "elastic"
between = ["base", "hook"]
at = [0, 0]
stiffness = [20000]
free = ["y"]
[drives.push]
part = "block"
legs = [{ velocity = [-1, 0], distance = 18 }]
[touching]
friction = 0.1
"""


def document(corners: list[tuple[float, float]]) -> str:
    return SINKS.replace("BLOCK", str([list(corner) for corner in corners]))


@cache
def region(tilts: int = 2) -> RegionThatGoesIn:
    return detent.region_that_goes_in(detent.loads(document(BLOCK)), tilts)


def drawn_anew(offset: float, tilt: float) -> str:
    """The outcome of the block drawn there, its corners turned by hand about its middle."""
    c, s = math.cos(math.radians(tilt)), math.sin(math.radians(tilt))
    corners = [
        (13.5 + c * (x - 13.5) - s * (y - 4), 4 + offset + s * (x - 13.5) + c * (y - 4)) for x, y in BLOCK
    ]
    mating = detent.mate(detent.loads(document(corners)))
    assert isinstance(mating, CompliantMating)
    return mating.insertion.answer


def test_offsets_alone_go_in_while_the_block_meets_ramp_or_peak() -> None:
    """Below the ramp it runs against the nose, which cannot give way; above the peak it touches nothing."""
    offset = region().alone[0]
    assert offset.kind == "offset"
    assert offset.along == (0, 1, 0)
    assert offset.low is not None
    assert offset.high is not None
    assert offset.low.outside < -1 < offset.low.inside  # type: ignore[operator]
    assert offset.high.inside < 1 < offset.high.outside  # type: ignore[operator]
    assert (offset.low.answer, offset.high.answer) == ("no", "nothing touched")
    for border, exact in ((offset.low, -1), (offset.high, 1)):
        assert border.inside == pytest.approx(exact, rel=0.05)


def test_a_turned_block_goes_in_up_to_where_its_lowest_corner_clears_the_peak() -> None:
    rows = region().together
    assert [row.tilt for row in rows] == sorted(row.tilt for row in rows)
    assert sum(row.tilt != 0 for row in rows) == 2
    for row in rows:
        turned = math.radians(abs(row.tilt))
        lowest = 4 - 1.5 * math.sin(turned) - 2 * math.cos(turned)
        assert row.high.inside < 3 - lowest < row.high.outside  # type: ignore[operator]


def test_documents_drawn_anew_agree_on_both_sides_of_every_border() -> None:
    for row in region().together:
        for border in (row.low, row.high):
            assert border.inside is not None
            assert border.outside is not None
            assert drawn_anew(border.inside, row.tilt) == "yes"
            assert drawn_anew(border.outside, row.tilt) == border.answer != "yes"


def test_a_bound_on_the_push_and_one_on_the_strain_make_it_smaller() -> None:
    """A hook that only sinks takes k times how far it sinks times tan(slope + friction angle)."""
    most = 15.0
    bounded = detent.region_that_goes_in(detent.loads(document(BLOCK)), 1, most_push=most)
    low = bounded.alone[0].low
    assert low is not None
    sinks = most / (20000e-3 * math.tan(math.atan(1 / 3) + math.atan(0.1)))  # of the peak, 3 high, by mm
    assert low.outside < 3 - sinks - 2 < low.inside  # type: ignore[operator]
    assert "more than 15 N" in low.why
    assert bounded.most_push == most


def test_the_region_does_not_hang_on_which_side_is_pushed() -> None:
    """Hooks that go with the push, against the block that stands: the counterpart is the same."""
    pushed = document(BLOCK).replace("[parts.base]\nfixed = true", "[parts.base]")
    pushed = pushed.replace("[parts.block]", "[parts.block]\nfixed = true").replace('"block"', '"base"')
    answer = detent.region_that_goes_in(detent.loads(pushed.replace("[-1, 0]", "[1, 0]")), 1)
    assert answer.misaligned == ("block",)
    for one, other in zip(answer.alone, region().alone, strict=True):
        assert one.low is not None
        assert one.high is not None
        assert other.low is not None
        assert other.high is not None
        assert (one.low.inside, one.high.inside) == (other.low.inside, other.high.inside)


def test_what_passes_on_the_other_side_of_a_hook_has_not_gone_in() -> None:
    """A rod below a hook with two ramps bends it up, comes to the end of its way, and is not behind it."""
    rod = [(12.0, 2.0), (13.0, 2.0), (13.0, 2.5), (12.0, 2.5)]
    spear = "[[0, 0], [1, 0], [2, -3], [4, -3], [10, -0.2], [10, 0.2], [4, 3], [2, 3], [1, 0.1], [0, 0.1]]"
    text = document(rod).replace("[[1, 0], [10, 0], [10, 1], [4, 3], [2, 3]]", spear)
    text = text.replace("stiffness = [20000]", "stiffness = [2000]")
    below = [(x, y - 4.5) for x, y in rod]
    under = detent.mate(
        detent.loads(text.replace(str([list(c) for c in rod]), str([list(c) for c in below])))
    )
    assert under.insertion.answer == "yes"
    offset = detent.region_that_goes_in(detent.loads(text), 1).alone[0]
    assert offset.low is not None
    assert offset.low.inside > -2.4  # type: ignore[operator]


def test_a_ring_has_the_border_that_its_law_says_and_no_tilt() -> None:
    answer = detent.region_that_goes_in("oring")
    mating = detent.mate("oring")
    assert isinstance(mating, CompliantMating)
    exact = mating.connections[0]["offset_that_goes_in [mm]"]
    for each in answer.alone[:2]:
        assert each.low is not None
        assert each.high is not None
        assert each.high.inside < exact < each.high.outside  # type: ignore[operator]
        assert each.low.outside < -exact < each.low.inside  # type: ignore[operator]
    assert {each.kind for each in answer.alone[2:]} == {"tilt"}
    assert all("does not tilt" in each.why_not and each.low is None for each in answer.alone[2:])
    assert answer.together == ()
    assert answer.columns()["to [mm]"].tolist() == [answer.alone[0].high.inside]  # type: ignore[union-attr]


def test_one_of_two_hooks_that_touches_nothing_is_not_yet_in() -> None:
    text = (
        document(BLOCK)
        + """
[parts.other]
shape.outline = [[10, -20], [10, -19], [4, -17], [2, -17], [1, -20]]
[joints.second]
type = "elastic"
between = ["base", "other"]
at = [0, -20]
stiffness = [20000]
free = ["y"]
"""
    )
    mating = detent.mate(detent.loads(text))
    assert isinstance(mating, CompliantMating)
    assert mating.insertion.answer == "not yet"
    assert mating.insertion.why == "second has touched nothing so far"


def test_columns_have_a_row_per_tilt() -> None:
    columns = region().columns()
    assert list(columns) == ["tilt [deg]", "from [mm]", "to [mm]", "below_not [mm]", "above_not [mm]"]
    assert np.all(columns["from [mm]"] < columns["to [mm]"])


@pytest.mark.parametrize(
    ("file", "words", "error"),
    [
        ("four_bar", "no part gives way", UnsupportedError),
        ("robot_oring_far", "a robot or a carrier leads", UnsupportedError),
        ("whitney_peg", "peg is a peg above a hole", UnsupportedError),
    ],
)
def test_what_has_no_region_is_refused(file: str, words: str, error: Any) -> None:
    with pytest.raises(error, match=words):
        detent.region_that_goes_in(file)


@pytest.mark.parametrize(("arguments", "words"), [((0, 1.0), "are no table"), ((3, -1.0), "moves nothing")])
def test_bounds_of_the_question_are_checked(arguments: tuple[int, float], words: str) -> None:
    with pytest.raises(ModelError, match=words):
        detent.region_that_goes_in("snap_hook", arguments[0], most_push=arguments[1])


def test_two_legs_of_one_way_have_the_borders_of_one_leg() -> None:
    """The first of them stops on the ramp, before what limits the push."""
    legs = "legs = [{ velocity = [-1, 0], distance = 4 }, { velocity = [-1, 0], distance = 14 }]"
    one = document(BLOCK)
    two = one.replace("legs = [{ velocity = [-1, 0], distance = 18 }]", legs)
    alone, both = (
        detent.region_that_goes_in(detent.loads(text), 1, most_push=8.0).alone for text in (one, two)
    )
    for expected, found in zip(alone, both, strict=True):
        for side in ("low", "high"):
            assert getattr(found, side).inside == pytest.approx(getattr(expected, side).inside)
            assert getattr(found, side).outside == pytest.approx(getattr(expected, side).outside)
