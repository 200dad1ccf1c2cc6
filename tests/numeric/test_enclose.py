"""First roots enclosed in doubles, against roots isolated exactly by python-flint."""

from __future__ import annotations

import random

import numpy as np
import pytest
from flint import fmpz_poly

from detent.numeric.polynomial import (
    FALLS,
    NONE,
    RISES,
    UNSURE,
    Real,
    enclosed_root,
    first_touch,
    first_zero,
    real,
    real_roots,
)

SPANS = np.zeros((80, 2))
NOISE = 1e-9  # far above rounding of coefficients up to a hundred, far below what they are told apart by


def quartics(count: int) -> list[list[int]]:
    """Small whole numbers, where double roots and roots at the ends are common."""
    rng = random.Random(7)
    return [[rng.randint(-6, 6) for _ in range(5)] for _ in range(count)]


def inside(coefficients: list[int]) -> list[Real]:
    """The exact roots on [-1, 1], from below."""
    return sorted(root for root in real_roots(fmpz_poly(coefficients)) if -1 <= root <= 1)


def test_the_first_root_is_the_one_that_is_enclosed_or_nothing_is_told() -> None:
    told = 0
    for coefficients in quartics(600):
        if not any(coefficients):
            continue
        status, low, high = first_zero(tuple(map(float, coefficients)), NOISE, -1.0, 1.0, -1.0, False, SPANS)
        roots = inside(coefficients)
        if status == NONE:
            assert roots == []
        elif status == UNSURE:
            # A double root, or one at an end; up to there is none.
            assert all(float(root) >= low - NOISE for root in roots)
            slope = fmpz_poly(coefficients).derivative()
            assert any(abs(float(root)) == 1 or root.of(slope).sign() == 0 for root in roots)
        else:
            told += 1
            first = roots[0]
            assert real_of(low) < first < real_of(high)
            assert len(roots) == 1 or roots[1] > real_of(high)
            rising = first.of(fmpz_poly(coefficients).derivative()).sign() > 0
            assert status == (RISES if rising else FALLS)
    assert told > 250


def real_of(value: float) -> Real:
    top, bottom = value.as_integer_ratio()
    return real(top) / real(bottom)


@pytest.mark.parametrize(("aside", "status"), [(1e-6, NONE), (-1e-6, FALLS), (0.0, UNSURE), (1e-15, UNSURE)])
def test_a_graze_is_told_from_a_crossing_only_where_the_bound_allows(aside: float, status: int) -> None:
    # (u - 1/4)^2 + aside
    quartic = (0.0625 + aside, -0.5, 1.0, 0.0, 0.0)
    assert first_zero(quartic, 1e-14, -1.0, 1.0, -1.0, False, SPANS)[0] == status


def test_a_root_off_the_edge_is_passed_and_one_at_its_end_is_not_told() -> None:
    gap = (0.03, -0.4, 1.0, 0.0, 0.0)  # (u - 0.1)(u - 0.3)
    always = (1.0, 0.0, 0.0, 0.0, 0.0)
    for end, expected in ((0.2, RISES), (0.4, NONE), (0.1, UNSURE), (0.05, FALLS)):
        beyond = (-end, 1.0, 0.0, 0.0, 0.0)  # on the edge from u = end on
        status, low, high = first_touch(
            gap, beyond, always, 1e-14, 1e-14, -1.0, 1.0, -1.0, False, 1.0, False, SPANS
        )
        assert status == expected
        if status == RISES:
            assert low < 0.3 < high


def test_a_known_root_at_the_beginning_or_the_end_does_not_count() -> None:
    gap = (0.03, -0.4, 1.0, 0.0, 0.0)
    begun = 0.1 + 1e-12
    status, low, high = first_zero(gap, 1e-14, 0.1 - 1e-12, 1.0, begun, True, SPANS)
    assert status == RISES
    assert low < 0.3 < high
    always = (1.0, 0.0, 0.0, 0.0, 0.0)
    ends = 0.3 - 1e-12, True
    status, low, high = first_touch(
        gap, always, always, 1e-14, 0.0, -1.0, 0.3 + 1e-12, -1.0, False, *ends, SPANS
    )
    assert status == FALLS
    assert low < 0.1 < high


def test_an_enclosed_root_is_the_exact_one_whatever_is_asked_first() -> None:
    poly = fmpz_poly([-2, 0, 1]) * fmpz_poly([-3, 0, 2])
    exact = next(root for root in real_roots(fmpz_poly([-3, 0, 2])) if root.sign() > 0)
    for ask in (float, Real.minimal, lambda u: u.digits(40), lambda u: u.interval(), lambda u: u * u):
        late = enclosed_root(lambda: poly, 1.22, 1.23)
        assert ask(late) == ask(exact)
        assert late == exact
    assert enclosed_root(lambda: poly, 1.22, 1.23) < enclosed_root(lambda: poly, 1.41, 1.42)
    assert enclosed_root(lambda: poly, 1.22, 1.23) == enclosed_root(lambda: poly, 1.2, 1.3)
