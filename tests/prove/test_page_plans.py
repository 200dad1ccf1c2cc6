"""The page's executor against Python's at full size: gallery, gears, stops, random linkages, frame by frame.

The bounds, and what counts as a dead point, are those of `tests/web/side_by_side.py`; the cases are those of
`tests/web/test_conformance.py` with other seeds and longer walks.
"""

from __future__ import annotations

import pytest

from detent.app import inputs
from tests.conftest import campaign
from tests.kinematics.test_gears import CASES as GEARED
from tests.web.side_by_side import FEW, Tally, compare
from tests.web.test_conformance import LINKAGES_SHOWN, agree, all_ways, limited, random_case

POSES = campaign(12, 400)
SEEDS = campaign(1, 5)
LINKAGES = campaign(6, 300)
TOGETHER = 20  # linkages handed to one run of Node: its answer is one text


@pytest.mark.parametrize("name", LINKAGES_SHOWN)
def test_a_gallery_machine_goes_in_the_page_where_it_goes_in_python(name):
    mechanism = inputs.load(name)
    agree(sum((compare(all_ways(mechanism, 100 + k, POSES, name)) for k in range(SEEDS)), Tally()))


@pytest.mark.parametrize("name", GEARED)
def test_a_geared_machine_goes_in_the_page_where_it_goes_in_python(name):
    agree(sum((compare(all_ways(GEARED[name], 100 + k, POSES, name)) for k in range(SEEDS)), Tally()))


@pytest.mark.parametrize("name", LINKAGES_SHOWN)
def test_a_machine_with_stops_halts_in_the_page_where_it_halts_in_python(name):
    total = Tally()
    for seed in range(100, 100 + SEEDS):
        total += compare(all_ways(limited(inputs.load(name), seed), seed, POSES, name))
    assert not total.refuted
    assert total.near_dead <= FEW * total.frames


def test_random_linkages_go_in_the_page_where_they_go_in_python():
    total = Tally()
    for first in range(0, LINKAGES, TOGETHER):
        seeds = range(1000 + first, 1000 + min(first + TOGETHER, LINKAGES))
        total += compare([random_case(seed, POSES) for seed in seeds])
    agree(total)
