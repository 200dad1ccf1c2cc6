"""Random linkages of dyads and triads against the independent solver: the same branch to the same place."""

from __future__ import annotations

import os

import numpy as np
import pytest

from detent.model.machine import plane_linkage_of
from detent.motion import move
from tests.kinematics.inputs import document_inputs
from tests.kinematics.oracle import BrokenError, Oracle
from tests.kinematics.random_linkages import random_linkage

KINDS = ("RRR", "RRP", "RPR", "RPP", "PRP", "triad")
# Cuts that pass a dead point of their own (17), and with a second root near by (15), are always tried.
SEEDS = range(200) if os.environ.get("DETENT_PROVE") == "full" else (15, 17)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_random_linkage_follows_the_branch_of_the_independent_solver(seed):
    mechanism = random_linkage(seed, kinds=KINDS)
    motion = move(mechanism)
    size = plane_linkage_of(mechanism).size
    oracle = Oracle(mechanism)
    for i, (at,) in enumerate(document_inputs(mechanism)):
        try:
            markers = oracle.to(at)
        except BrokenError:
            break
        if i >= len(motion.inputs) or abs(motion.inputs[i] - at) > 1e-12:
            break
        for name, place in markers.items():
            if name in motion.markers:
                assert np.abs(motion.markers[name][i] - place).max() <= 1e-10 * size, (i, name)
