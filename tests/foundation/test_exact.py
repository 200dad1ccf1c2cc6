"""Numbers exactly as written."""

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detent.foundation import LARGEST, SMALLEST, Number, literal, number


@pytest.mark.parametrize(
    ("written", "exact"),
    [
        ("0.1", Fraction(1, 10)),
        ("28520/197", Fraction(28520, 197)),
        ("-1/3", Fraction(-1, 3)),
        (".5", Fraction(1, 2)),
        ("1e-3", Fraction(1, 1000)),
        (Decimal("2.50"), Fraction(5, 2)),
        (0.1, Fraction(1, 10)),
        (7, Fraction(7)),
        (Fraction(22, 7), Fraction(22, 7)),
    ],
)
def test_a_number_is_the_rational_that_was_written(written, exact):
    assert number(written) == exact


@pytest.mark.parametrize(
    "bad", ["", "x", "1/0", "nan", "inf", "1e999", "--1", "1_000", True, None, [1], "1e-999", 10**400]
)
def test_what_is_not_a_finite_number_is_refused_in_words(bad):
    with pytest.raises(ValueError, match=r"number|zero|double|digits"):
        number(bad)


@given(st.fractions(max_denominator=10**9))
def test_json_gives_every_fraction_back(value):
    assert number(literal(Number(value))) == value


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**15), max_value=10**15, places=20))
def test_json_gives_every_decimal_back(value):
    assert number(literal(number(value))) == Fraction(value)


@given(st.floats(allow_nan=False, allow_infinity=False, min_value=-LARGEST, max_value=LARGEST))
def test_a_float_of_a_program_is_the_decimal_python_prints(value):
    if value and abs(value) < SMALLEST:
        return
    assert float(number(value)) == value
    assert number(value) == Fraction(repr(value))


@pytest.mark.parametrize("size", [LARGEST, SMALLEST])
def test_a_number_whose_square_no_double_holds_is_refused(size):
    beyond = size * 10 if size > 1 else size / 10
    assert float(number(size)) == size
    assert float(number(-size)) == -size
    for bad in (beyond, -beyond, str(beyond), Fraction(beyond)):
        with pytest.raises(ValueError, match=r"the number is too (large|small)"):
            number(bad)


def test_a_number_is_written_as_a_number_only_where_a_double_gives_it_back():
    assert literal(number("0.1")) == 0.1
    assert literal(number("1/3")) == "1/3"
    assert literal(number("0.12345678901234567890123")) == "0.12345678901234567890123"
    assert literal(number(2**53 + 1)) == str(2**53 + 1)
