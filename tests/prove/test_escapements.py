"""Random escapements: what is said of their last pattern is never confidently wrong, beside full runs."""

from __future__ import annotations

import pytest

from tests.conftest import campaign
from tests.prove.escapements import wrong

# Minima that become shallower (17, 62), deeper (100), a pattern of two teeth that becomes one of one (68),
# one that is over long before the last tooth (114).
NAMED = (17, 62, 68, 100, 114)
SEEDS = sorted({*NAMED, *range(campaign(3, 120))})


@pytest.mark.parametrize("seed", SEEDS)
def test_the_last_pattern_is_that_of_the_full_run_or_undecided(seed):
    what, said = wrong(seed)
    assert not what, said
