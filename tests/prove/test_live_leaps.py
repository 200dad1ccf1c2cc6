"""Campaign: one leap of a drag ends where an independent solver comes in small steps, or where it breaks."""

from __future__ import annotations

import numpy as np
import pytest

from detent.motion.live import prepare
from tests.conftest import campaign
from tests.kinematics.oracle import BrokenError, Oracle
from tests.kinematics.random_linkages import DYADS, random_linkage

CLOSE = 1e-9  # of the size
LIMIT = 1e-6  # [rad] between two limits that are one
ROUGHLY = 1e-2  # [rad] where the solver's steps only say where they stopped


@pytest.mark.parametrize("seed", range(101, 101 + campaign(share=6, full=300)))
def test_a_leap_of_a_random_linkage_ends_where_small_steps_do(seed):
    kinds = DYADS if seed % 2 else (*DYADS, "triad")
    mechanism = random_linkage(seed, groups=1 + seed % 4, kinds=kinds)
    live, oracle = prepare(mechanism), Oracle(mechanism)
    goal = float(live.plan.drawn[0]) + np.random.default_rng(seed).uniform(-3, 3)
    try:
        wanted = oracle.to(goal)
    except BrokenError:
        limit, within = _limit(oracle)
        live.to(goal)
        assert live.limit is not None
        assert live.limit.input == pytest.approx(limit, abs=within)
        return
    at = np.reshape(live.to(goal), (-1, 2))
    assert live.limit is None
    for i, names in enumerate(live.points):
        for name in names:
            assert np.abs(at[i] - wanted[name]).max() < CLOSE * oracle.size


def _limit(oracle: Oracle) -> tuple[float, float]:
    try:
        return oracle.limit(), LIMIT
    except BrokenError:
        return float(oracle.inputs[0]), ROUGHLY
