"""Largest forces between two proved numbers: they hold the peaks in doubles, and close with more digits."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest

import detent
from detent.foundation import ModelError, UnsupportedError
from detent.model.reading import mechanism
from detent.motion import Quasistatic
from tests.prove.fasteners import random_machine
from tests.prove.racks import round_nose

ROUNDING = 1e-11  # of a peak in doubles, and of lengths and springs of order one


def test_bounds_hold_the_peaks_that_doubles_find() -> None:
    compared = 0
    for document in [*(random_machine(seed) for seed in range(520, 534)), round_nose(12)]:
        mating = detent.mate(mechanism(document))
        for number, leg in enumerate(mating.legs, 1):
            for part, peak in leg.force.peak_by_part.items():
                for which, found in (("resisting", peak.resisting), ("contact", peak.contact_force)):
                    bound = mating.run.evidence.largest_force(number, part, which)
                    if math.isinf(found):
                        assert bound.digits(9) == "without bound"
                        continue
                    compared += 1
                    room = ROUNDING * (1 + abs(found))
                    # Where the springs draw the root along all the way, nothing resists.
                    assert float(bound.least) - room <= max(found, 0.0) <= float(bound.most) + room
                    # Out of a stick the force begins at less than any number: no piece there bounds it above.
                    assert bound.error < 1e-15 or (found <= 0 and bound.digits(9) == "no bound found")
    assert compared > 12


@pytest.mark.parametrize(("name", "leg", "part"), [("snap_t", 1, "right"), ("motion_diode", 1, "triangle")])
def test_more_digits_lie_within_fewer(name: str, leg: int, part: str) -> None:
    evidence = detent.mate(detent.load(name)).run.evidence
    widths = []
    before = None
    for digits in (5, 20, 60):
        bound = evidence.largest_force(leg, part, digits=digits)
        assert bound.most - bound.least <= Fraction(1, 10**digits)
        if before is not None:
            assert before.least <= bound.most
            assert bound.least <= before.most
        widths.append(bound.most - bound.least)
        before = bound
    assert len(bound.digits(60)) == 62


def test_a_vertex_on_a_wall_parallel_to_the_push_has_the_force_of_its_closed_form() -> None:
    """The T's left pawl beside the bar: theta and the lever are those of a tip at x = -30."""
    evidence = detent.mate(detent.load("snap_t")).run.evidence
    # The tip is (4, -50) from the hinge at (-25, 100) at rest; beside the bar's corners it is at x = -5.
    below = math.sqrt(4**2 + 50**2 - 5**2)
    angle = math.atan2(5, below) + math.atan2(4, 50)
    # The contact force, across the push, has the arm `below` about the hinge.
    bound = evidence.largest_force(1, "left", "contact", digits=30)
    beside = [s for s in evidence.stories[0].force.stretches if s.part == "left" and "v2" in s.contact]
    assert beside[0].contact_force.at_ends == pytest.approx(angle / below, rel=1e-14)
    assert bound.middle >= angle / below * (1 - 1e-14)


def test_what_cannot_be_bounded_is_refused_by_name() -> None:
    evidence = detent.mate(detent.load("snap_t")).run.evidence
    with pytest.raises(ModelError, match=r"'tip' is no pawl.*left, right"):
        evidence.largest_force(1, "tip")
    with pytest.raises(ModelError, match="has 2 legs"):
        evidence.largest_force(3, "left")
    fast = detent.mate(detent.load("snap_t"), method=Quasistatic(exact=False))
    with pytest.raises(UnsupportedError, match="ask an exact run"):
        fast.run.evidence.largest_force(1, "left")
