"""Motions at random: in the plane against an enumerated LCP, in space against projected iterations.

`DETENT_PROVE=full` runs them all; else a seeded share.
"""

import os

import numpy as np
import pytest

from detent.contact import Contacts
from detent.contact.forces import consistent_modes
from detent.contact.modes import modes
from tests.contact.forces.test_coulomb import by_projection, stool
from tests.contact.forces.test_motion_lcp import modes_by_lcp, random_motion

FULL = os.environ.get("DETENT_PROVE") == "full"


def test_random_planar_motions_are_the_solutions_of_their_lcp():
    counts = {0: 0, 1: 0, 2: 0}
    for seed in range(1000, 6000 if FULL else 1150):
        points, normals, mu, mass, force, velocity, drift = random_motion(seed)
        found = modes(Contacts.from_points(points.tolist(), normals.tolist(), friction=mu))
        own = consistent_modes(found, mass, np.zeros(3), force, velocity=velocity, drift=drift)
        assert {m.text for m in own} == set(
            modes_by_lcp(points, normals, mu, mass, force, velocity, drift)
        ), seed
        counts[min(len(own), 2)] += 1
    assert all(counts.values())


def test_random_stools_start_as_projected_iterations_say():
    for seed in range(100, 600 if FULL else 108):
        feet, mass, load, mu = stool(seed)
        found = modes(Contacts.from_points(feet, [(0, 0, 1)] * 3, planes=2 + seed % 2))
        own = consistent_modes(found, mass, np.zeros(6), load, friction=mu)
        a, force, _ = by_projection(feet, mass, load, mu)
        near = [m for m in own if m.acceleration == pytest.approx(a, abs=2e-5)]
        assert len(near) == 1, seed
        assert near[0].normal == pytest.approx(tuple(force[:, 2]), abs=2e-5), seed
