"""The second rate of a gap in loops that step, against that of contact rows."""

import itertools
import math

import numpy as np
import pytest

from detent.contact import gap_rates, plane_gap_rate

# Of an edge, a disc, the boundary of a hole, a corner.
CURVATURES = (0.0, 2.0, -0.4, math.inf)


@pytest.mark.parametrize(("first", "second"), [*itertools.product(CURVATURES, repeat=2)])
@pytest.mark.parametrize("closed", [False, True])
def test_second_rates_of_gaps_are_the_same(first, second, closed):
    generator = np.random.default_rng([CURVATURES.index(first), CURVATURES.index(second), closed])
    for _ in range(50):
        bodies = generator.normal(size=(2, 10))  # only poses and velocities are read
        angle = generator.uniform(-math.pi, math.pi)
        gap = 0.0 if closed else generator.uniform(-0.1, 0.3)
        point, normal = generator.normal(size=2), np.array([math.cos(angle), math.sin(angle)])
        contact = np.array([gap, *point, *normal, *generator.normal(size=3), first, second])
        origins, velocities = np.zeros((2, 3)), np.zeros((2, 6))
        origins[:, :2], velocities[:, :2], velocities[:, 5] = bodies[:, :2], bodies[:, 5:7], bodies[:, 7]
        rates = np.zeros((1, 2))
        gap_rates(
            np.array([0]), np.array([1]), np.array([gap]), np.array([[*point, 0.0]]),
            np.array([[*normal, 0.0]]), np.array([[first, second]]), origins, velocities, rates,
        )  # fmt: skip
        assert plane_gap_rate(contact, *bodies) == pytest.approx(rates[0, 1], rel=1e-9, abs=1e-9)
