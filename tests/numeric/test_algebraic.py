"""Real algebraic numbers against identities that hold exactly, and near misses that do not."""

from __future__ import annotations

import random
from fractions import Fraction

import numpy as np
import pytest
from flint import fmpq, fmpz_poly

from detent.numeric.polynomial import (
    DOUBT,
    HALVINGS,
    NO_ROOT,
    Real,
    between,
    compare,
    first_fall,
    may_vanish,
    real,
    real_roots,
)


def root(*coefficients: int) -> Real:
    """The largest real root."""
    return max(real_roots(fmpz_poly(list(coefficients))))


def test_products_of_roots_are_the_roots_of_products() -> None:
    assert root(-2, 0, 1) * root(-3, 0, 1) == root(-6, 0, 1)
    assert root(-2, 0, 0, 1) * root(-2, 0, 0, 1) * root(-2, 0, 0, 1) == 2
    assert (root(-2, 0, 1) + root(-3, 0, 1)).minimal() == fmpz_poly([1, 0, -10, 0, 1])


def test_a_difference_of_1e_40_is_seen_and_zero_is_zero() -> None:
    a = root(-2, 0, 1)
    near = a + Fraction(1, 10**40)
    assert compare(near, a) == 1
    assert (a * a - 2).sign() == 0
    assert root(-2, 0, 1) - root(-8, 0, 1) / 2 == 0
    assert compare(root(-8, 0, 1) / 2, root(-2, 0, 1)) == 0


def test_a_number_divides_into_one() -> None:
    rng = random.Random(5)
    for _ in range(20):
        roots = real_roots(fmpz_poly([rng.randint(-9, 9) for _ in range(4)] + [1]))
        for value in roots:
            if value.sign():
                assert value * value.inverse() == 1


def test_an_interval_holds_one_root_and_digits_are_right() -> None:
    a = root(-2, 0, 1)
    low, high = a.interval()
    assert low * low < 2 < high * high
    assert high - low < Fraction(1, 10**14)
    assert a.digits(30) == "1.414213562373095048801688724210"
    assert real(Fraction(-3, 8)).digits(5) == "-0.37500"


def test_between_two_numbers_lies_a_rational() -> None:
    a, b = root(-2, 0, 1), root(-2, 0, 1) + Fraction(1, 10**25)
    middle = between(a, b)
    assert isinstance(middle, fmpq)
    assert a < middle < b


def test_between_two_numbers_however_near_lies_a_rational() -> None:
    """It has more partial quotients than calls may nest."""
    a = root(-2, 0, 1)
    b = a + real(fmpq(1, 1 << 6000))
    middle = between(a, b)
    assert compare(a, real(middle)) == -1
    assert compare(real(middle), b) == -1


def test_the_filter_never_loses_a_root() -> None:
    rng = np.random.default_rng(7)
    for _ in range(400):
        roots = rng.uniform(-1.5, 1.5, 4)
        poly = np.poly(roots)[::-1]
        holds = bool(((roots > -0.5) & (roots < 0.75)).any())
        kept = bool(may_vanish(poly[None, :], np.zeros((1, 5)), -0.5, 0.75)[0])
        assert kept or not holds


@pytest.mark.parametrize("lead", [1.0, -1.0])
def test_a_quartic_falls_first_where_its_roots_say(lead: float) -> None:
    rng = np.random.default_rng(11)
    stack, spans = np.empty((HALVINGS + 2, 5)), np.empty((HALVINGS + 2, 2))
    for _ in range(500):
        roots = np.sort(rng.uniform(-1, 2, 4))
        poly = lead * np.poly(roots)[::-1]
        falling = [r for k, r in enumerate(roots) if 0 < r < 1 and (-1) ** k * lead > 0]
        fall = first_fall(poly, 1.0, stack, spans, 0.0)
        assert fall == DOUBT or fall == pytest.approx(falling[0] if falling else NO_ROOT, abs=1e-6)
