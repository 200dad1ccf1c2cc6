"""The page's executor against Python's at full size: the gallery and random linkages, pose after pose.

Closed forms agree to 1e-12 of the machine's size, cuts and blocks to 1e-9, as in
`tests/web/test_conformance.py`, whose cases these are with other seeds and longer walks.
"""

from __future__ import annotations

import pytest

from detent.app import source
from tests.conftest import campaign
from tests.kinematics.random_linkages import DYADS, random_linkage
from tests.web.test_conformance import LINKAGES_SHOWN, compare, driven, pulled

POSES = campaign(12, 2000)
SEEDS = campaign(1, 10)
LINKAGES = campaign(6, 300)
TOGETHER = 20  # linkages handed to one run of Node: its answer is one text


@pytest.mark.parametrize("name", LINKAGES_SHOWN)
def test_a_gallery_machine_goes_in_the_page_where_it_goes_in_python(name):
    mechanism = source.load(name)
    for seed in range(100, 100 + SEEDS):
        cases = [driven(mechanism, seed, POSES), *pulled(mechanism, seed, POSES)]
        # Of a pull the first limit ends the comparison: both stand there, each within its last halving.
        assert compare(cases) > 0


def test_random_linkages_go_in_the_page_where_they_go_in_python():
    compared = 0
    for first in range(0, LINKAGES, TOGETHER):
        cases = []
        for seed in range(1000 + first, 1000 + min(first + TOGETHER, LINKAGES)):
            kinds = (*DYADS, "triad") if seed % 3 == 0 else DYADS
            cases.append(driven(random_linkage(seed, groups=1 + seed % 4, kinds=kinds), seed, POSES))
        compared += compare(cases)
    assert compared > LINKAGES * POSES // 8
