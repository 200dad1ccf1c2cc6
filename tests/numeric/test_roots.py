"""Roots and least places against closed forms and exact rationals."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest

from detent.numeric import (
    bisect,
    bracketed_root,
    first_rise,
    golden_minimum,
    secant_step,
    sign_changes,
)


@pytest.mark.parametrize("square", [2, 3, 1e-12, 5e30, 0.7])
def test_bisection_ends_at_the_two_doubles_beside_an_irrational_root(square):
    exact = Fraction(square)
    last, beyond = bisect(lambda x: Fraction(x) ** 2 < exact, 0.0, max(1.0, square))
    assert math.nextafter(last, math.inf) == beyond
    assert Fraction(last) ** 2 < exact < Fraction(beyond) ** 2


def test_bisection_goes_downwards_as_well_as_upwards():
    up = bisect(lambda x: x * x < 2, 0.0, 4.0)
    down = bisect(lambda x: x * x > 2, 4.0, 0.0)
    assert up == down[::-1]


def test_bisection_looks_at_neither_end_and_at_no_place_twice():
    seen: list[float] = []
    bisect(lambda x: bool(seen.append(x)) or x < 0.3, 0.0, 1.0)
    assert 0.0 not in seen
    assert 1.0 not in seen
    assert len(seen) == len(set(seen))


@pytest.mark.parametrize("most", [0, 1, 7])
def test_bisection_stops_after_the_halvings_that_it_is_allowed(most):
    last, beyond = bisect(lambda x: x < 0.3, 0.0, 1.0, most=most)
    assert beyond - last == 2.0**-most


@pytest.mark.parametrize("seed", range(20))
def test_a_bracketed_root_of_a_product_is_the_factor_in_the_bracket(seed):
    rng = np.random.default_rng(seed)
    root = float(rng.uniform(-3, 3))

    def cubic(x):
        return (x - root) * (1 + (x - 1.5) ** 2)

    assert bracketed_root(cubic, root - 2.7, root + 0.9) == pytest.approx(root, rel=1e-15, abs=2e-15)


@pytest.mark.parametrize("seed", range(20))
def test_golden_section_finds_the_vertex_of_a_parabola_to_the_root_of_rounding(seed):
    rng = np.random.default_rng(seed)
    vertex, bend = float(rng.uniform(-1, 1)), float(rng.uniform(0.2, 5))
    least = golden_minimum(lambda x: bend * (x - vertex) ** 2 + 1, vertex - 1.3, vertex + 0.4, steps=60)
    assert least == pytest.approx(vertex, abs=1e-7)


def test_golden_section_narrows_by_the_golden_ratio_per_step():
    for steps in range(1, 30):
        inside = golden_minimum(lambda x: abs(x - 0.2), 0.0, 1.0, steps=steps)
        assert abs(inside - 0.2) <= 0.5 * 0.6180339887498949**steps + 1e-15


def test_secant_steps_reach_the_zero_of_a_line_at_once_and_of_a_curve_soon():
    assert 3.0 + secant_step(2.0, 5.0, 1.0) == 3.5  # 5 at 1, 1 at 3: zero at 3.5
    place, step, before = 1.0, 0.5, math.cos(1.0)
    for _ in range(5):
        place += step
        here = math.cos(place)
        step, before = secant_step(step, before, here), here
    assert place == pytest.approx(math.pi / 2, abs=1e-15)


def test_secant_steps_have_no_bound_where_the_function_is_level():
    assert secant_step(0.1, 2.0, 2.0) == math.inf


def test_a_sign_changes_between_samples_and_not_at_a_zero_one():
    assert sign_changes([1.0, 2.0, -1.0, -3.0, 4.0]) == [1, 3]
    assert sign_changes([1.0, 0.0, -1.0]) == []
    assert sign_changes([]) == []


def samples(count: int, end: float) -> list[float]:
    return np.linspace(0.0, end, count).tolist()


@pytest.mark.parametrize("count", [8, 9, 30, 721])
def test_a_sine_rises_above_a_bound_where_its_inverse_says(count):
    at = samples(count, 3.0)
    place = first_rise(at, [math.sin(t) for t in at], 0.8, math.sin)
    assert place == pytest.approx(math.asin(0.8), abs=1e-15)


@pytest.mark.parametrize(("bound", "passes"), [(1 - 1e-6, True), (1 + 1e-9, False)])
def test_a_top_between_two_samples_is_seen_though_no_sample_is_above_the_bound(bound, passes):
    at = [0.1 + 0.23 * k for k in range(14)]  # the nearest to the top is 0.091 from it
    values = [math.sin(t) for t in at]
    assert max(values) < bound
    place = first_rise(at, values, bound, math.sin)
    if passes:
        assert place == pytest.approx(math.asin(bound), abs=1e-9)
    else:
        assert place is None


def test_the_first_of_several_rises_is_found():
    def wave(t):
        return math.sin(t) * (1 + 0.1 * t)

    at = samples(200, 20.0)
    first = next(t for t in np.linspace(0, 20, 200_001).tolist() if wave(t) > 1.5)
    assert first_rise(at, [wave(t) for t in at], 1.5, wave) == pytest.approx(first, abs=1.1e-4)
