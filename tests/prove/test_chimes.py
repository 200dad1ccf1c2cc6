"""Random chimes: strokes of a clapper that an outlook tells are those of a full run, or it is undecided."""

from __future__ import annotations

import pytest

from tests.conftest import campaign
from tests.prove.chimes import random_chime, wrong

# A stroke seen at first that does not come again (13), two with little more than a pattern between them (16).
NAMED = (13, 16)
SEEDS = sorted({*NAMED, *range(campaign(0, 150))})


@pytest.mark.parametrize("seed", SEEDS)
def test_strokes_are_those_of_the_full_run(seed):
    what, said = wrong(random_chime(seed))
    assert not what, said
