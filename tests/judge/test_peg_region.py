"""Which offsets and tilts a rigid peg goes in at: the reach of chamfers, borders by single matings."""

from __future__ import annotations

import csv
import io
from functools import cache

import pytest

import detent
from detent.draw.chart import region as picture
from detent.draw.paper import svg
from detent.foundation import ModelError
from detent.record import IN, RegionThatGoesIn
from tests.judge.test_misaligned_matings import PEG

# The tip is 8 wide, the hole 10.2; what pushes back on one edge of the tip brings it over by micrometres.
REACH, GIVES = 1.1, 3e-3


def document(coarse: float = 2e-3) -> detent.Mechanism:
    peg = detent.loads(PEG.replace("FRICTION", "0.1"))
    return peg.with_("ask.mate.step", coarse).with_("ask.mate.until", 0.5)


@cache
def region() -> RegionThatGoesIn:
    return detent.region_that_goes_in(document(), 4)


def test_offsets_alone_go_in_as_far_as_the_chamfer_reaches() -> None:
    for each in region().alone[:2]:
        assert each.kind == "offset"
        assert each.low is not None
        assert each.high is not None
        assert each.low.outside < -REACH < each.low.inside + GIVES  # type: ignore[operator]
        assert each.high.inside - GIVES < REACH < each.high.outside  # type: ignore[operator]
        assert each.high.answer == "missed the chamfer"
        assert each.high.outside - each.high.inside <= 0.02 * each.high.outside  # type: ignore[operator]


def test_the_map_of_both_offsets_is_the_square_that_the_chamfer_reaches() -> None:
    """Each border has the square's side between its own; straight pieces cut corners beyond the last line."""
    told = region().maps[0]
    step = told.xs[1] - told.xs[0]
    for border in told.borders:
        inside, outside = (max(map(abs, place)) for place in (border.inside, border.outside))
        assert inside - GIVES < REACH < outside
        assert outside - inside < step / 8
    last = max(x for x in told.xs if x < REACH)
    assert told.area == pytest.approx((2 * REACH) ** 2 - 2 * (REACH - last) ** 2, rel=0.05)


def test_both_sides_of_a_border_with_a_tilt_are_those_of_matings_drawn_anew() -> None:
    told = region().maps[1]
    assert (told.x.kind, told.y.kind) == ("tilt", "offset")
    border = max(told.borders, key=lambda border: abs(border.inside[0]))
    for (tilt, offset), goes_in in ((border.inside, True), (border.outside, False)):
        shift = [offset * c for c in told.y.along]
        turn = [tilt * c for c in told.x.along]
        designs = detent.MisalignedMatings.read(document(), [shift], [turn])
        (leg,) = detent.mate(designs.document(0)).legs
        assert (leg.end.cause == "done") == goes_in


def test_a_peg_that_does_not_go_in_as_drawn_has_a_map_of_where_it_does() -> None:
    """Drawn 2 mm off its hole, of which the middle is found again."""
    off = document(4e-3).with_("parts.plate.pose.at", [0, 2, 0])
    answer = detent.region_that_goes_in(off, 3)
    assert answer.as_drawn.answer == "no"
    assert answer.alone == ()
    borders = answer.maps[0].borders
    assert borders
    for border in borders:
        inside, outside = (max(abs(y + 2), abs(z)) for y, z in (border.inside, border.outside))
        assert inside - GIVES < REACH < outside


def test_more_push_than_is_allowed_is_not_in() -> None:
    """The chamfer pushes back by its spring: half the offset beyond the play, half the push."""
    bounded = detent.region_that_goes_in(document(4e-3), 2, most_push=5.0)
    high = bounded.alone[0].high
    assert high is not None
    assert high.inside < 0.6 * REACH  # type: ignore[operator]
    assert "more than 5 N" in high.why


def test_the_table_has_every_misalignment_of_the_maps_and_the_plot_their_dots() -> None:
    answer = region()
    rows = list(csv.DictReader(io.StringIO(answer.to_csv())))
    assert len(rows) == sum(len(told.xs) * len(told.ys) + 2 * len(told.borders) for told in answer.maps)
    drawn = svg.write(picture.region_scene(answer, "peg"))
    out = sum(one != IN for told in answer.maps for row in told.answers for one in row)
    kinds = sum(len({one for row in told.answers for one in row} - {IN}) for told in answer.maps)
    assert drawn.count("<circle") == out + kinds + len(answer.maps)  # legends, and where it is drawn
    assert "map 1" in answer.words
    assert "Nothing is proved" in answer.words


def test_bounds_of_the_question_are_checked() -> None:
    with pytest.raises(ModelError, match="no map"):
        detent.region_that_goes_in(document(), 1)
