"""Bounds of Krawczyk's test against exact rational arithmetic on the same numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from detent.numeric import UNIT, above, from_one_above, gamma, image, lies_in, product_above


def exact(array: np.ndarray) -> list:
    return [[Fraction(float(x)) for x in row] for row in np.atleast_2d(array)]


def times(one: list, other: list) -> list:
    return [
        [sum(a * b for a, b in zip(row, column, strict=True)) for column in zip(*other, strict=True)]
        for row in one
    ]


def sizes(one: list) -> list:
    return [[abs(x) for x in row] for row in one]


def column(vector: np.ndarray) -> list:
    return [[Fraction(float(x))] for x in vector]


def exact_image(gap, J, Y, width):
    """r + |1 - J Y| w, without rounding."""
    product = times(exact(J), exact(Y))
    off = [[abs(int(i == j) - x) for j, x in enumerate(row)] for i, row in enumerate(product)]
    return [Fraction(float(r)) + x[0] for r, x in zip(gap, times(off, column(width)), strict=True)]


def system(rng, n, m):
    """A Jacobian of mixed scales, n rows and m unknowns, and its inverse as doubles give it."""
    J = rng.normal(size=(n, m)) * 10.0 ** rng.uniform(-6, 6, (1, m))
    return J, np.linalg.pinv(J)


@pytest.mark.parametrize("seed", range(60))
def test_the_image_of_a_tube_encloses_the_exact_one_for_every_jacobian_within_the_radius(seed):
    rng = np.random.default_rng(seed)
    n = 1 + seed % 6
    middle, Y = system(rng, n, n + seed % 3)
    radius = np.abs(middle) * rng.choice([0.0, 1e-16, 1e-9, 1e-3])
    width = 10.0 ** rng.uniform(-14, 0, n)
    gap = width * rng.uniform(0, 0.9, n)
    image_ = image(gap, middle, radius, Y, width)
    for side in (-1.0, 0.0, 1.0):
        J = [[Fraction(float(m)) + Fraction(side) * Fraction(float(r)) for m, r in zip(*rows, strict=True)]
             for rows in zip(middle, radius, strict=True)]  # fmt: skip
        product = times(J, exact(Y))
        off = [[abs(int(i == j) - x) for j, x in enumerate(row)] for i, row in enumerate(product)]
        true = [Fraction(float(r)) + x[0] for r, x in zip(gap, times(off, column(width)), strict=True)]
        assert all(Fraction(float(f)) >= t for f, t in zip(image_, true, strict=True))
    # ... and is not wider than rounding and the radius make it.
    reach = [sum(y * w for y, (w,) in zip(row, column(width), strict=True)) for row in sizes(exact(Y))]
    few = 40 * n * Fraction(UNIT)
    for i, (f, t) in enumerate(zip(image_, exact_image(gap, middle, Y, width), strict=True)):
        room = few * Fraction(float(width.max()))
        for m, r, y in zip(exact(middle)[i], exact(radius)[i], reach, strict=True):
            room += 2 * r * y + few * (1 + abs(m)) * y
        assert Fraction(float(f)) <= t * (1 + Fraction(1, 10**12)) + room + Fraction(1, 10**280)


def test_plain_doubles_would_claim_less_than_is_true():
    # Where 1 - J Y is rounding itself, half of the plain values are below the true ones.
    rng = np.random.default_rng(3)
    below = 0
    for _ in range(40):
        J, Y = system(rng, 4, 4)
        plain = np.abs(np.eye(4) - J @ Y)
        product = times(exact(J), exact(Y))
        true = [[abs(int(i == j) - x) for j, x in enumerate(row)] for i, row in enumerate(product)]
        below += any(
            Fraction(float(p)) < t
            for ps, ts in zip(plain, true, strict=True)
            for p, t in zip(ps, ts, strict=True)
        )
        bound = from_one_above(J, Y)
        assert all(
            Fraction(float(b)) >= t
            for bs, ts in zip(bound, true, strict=True)
            for b, t in zip(bs, ts, strict=True)
        )
    assert below == 40


@pytest.mark.parametrize("seed", range(20))
def test_products_and_sums_without_negative_terms_are_never_below_the_true_ones(seed):
    rng = np.random.default_rng(seed)
    one = np.abs(rng.normal(size=(3, 7))) * 10.0 ** rng.uniform(-200, 100, (3, 7))
    other = np.abs(rng.normal(size=(7, 2))) * 10.0 ** rng.uniform(-150, 100, (7, 2))
    true = times(exact(one), exact(other))
    bound = product_above(one, other)
    for fs, ts in zip(bound, true, strict=True):
        for f, t in zip(fs, ts, strict=True):
            assert t <= Fraction(float(f)) <= t * (1 + Fraction(1, 10**13)) + Fraction(1, 10**289)
    total = sum(Fraction(float(x)) for x in one[0])
    assert Fraction(float(above(one[0].sum(), 7))) >= total


@pytest.mark.parametrize("count", [1, 7, 300, 10_000])
def test_gamma_is_not_below_its_definition(count):
    u = Fraction(1, 2**53)
    assert Fraction(gamma(count)) >= count * u / (1 - count * u)


@pytest.mark.parametrize(("share", "inside"), [(1 - 1e-9, True), (1 + 1e-9, False)])
@pytest.mark.parametrize("seed", range(10))
def test_a_point_is_in_the_tube_up_to_its_border_and_not_beyond(seed, share, inside):
    # With one unknown the tube is an interval of half width |Y| w about p: both sides are known.
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(1, 1)) * 10.0 ** rng.uniform(-3, 3)
    Y, width = 1.0 / J, 10.0 ** rng.uniform(-9, 0)
    apart = np.abs(Y[0]) * width * share
    assert lies_in(apart, J, Y, width) == inside


def test_what_is_said_to_lie_in_a_tube_does():
    rng = np.random.default_rng(5)
    said = 0
    for _ in range(40):
        J, _ = system(rng, 3, 3)
        Y = np.linalg.inv(J) * (1 + rng.uniform(-1e-3, 1e-3, (3, 3)))  # an inverse that is plainly not exact
        width = 1e-3
        apart = rng.uniform(0, 0.7, 3) * width / (3 * np.abs(J).max(axis=0))
        if not lies_in(apart, J, Y, width):
            continue
        said += 1
        for corner in np.ndindex(2, 2, 2):
            q = [[Fraction(float(a)) * (1 if c else -1)] for a, c in zip(apart, corner, strict=True)]
            assert max(abs(x) for x in solve(exact(Y), q)) <= Fraction(width)
    assert said > 5


def solve(rows: list, right: list) -> list:
    """Gauss, in fractions."""
    work = [[*row, *r] for row, r in zip(rows, right, strict=True)]
    n = len(work)
    for k in range(n):
        pivot = max(range(k, n), key=lambda i: abs(work[i][k]))
        work[k], work[pivot] = work[pivot], work[k]
        for i in range(n):
            if i != k:
                factor = work[i][k] / work[k][k]
                work[i] = [x - factor * y for x, y in zip(work[i], work[k], strict=True)]
    return [row[-1] / row[k] for k, row in enumerate(work)]
