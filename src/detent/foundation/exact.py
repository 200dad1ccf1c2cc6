"""Numbers exactly as written.

A document's number is a rational: a decimal literal is that decimal, a string
may give a fraction. `Number` keeps the rational for exact methods and gives the
nearest double to all others. A Python float stands for the decimal that Python
prints for it, so that 0.1 in a program and 0.1 in a file are the same number.
"""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

from detent.foundation.names import clipped

# Long enough for any measurement or exact certificate, short enough that
# arithmetic on one hostile literal stays instant.
MAX_DIGITS = 400  # of a decimal literal
MAX_BITS = 3300  # of a numerator or a denominator, near a thousand digits
MAX_TEXT = 2000  # any number within these bits is written in fewer characters
# Methods square lengths, cube them, divide by them: within these sizes (and zero) doubles can.
LARGEST = 1e50
SMALLEST = 1e-150

_FRACTION = re.compile(r"[+-]?[0-9]+(?:/[0-9]+)?\Z")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]{1,4})?\Z")


class Number(Fraction):
    """A rational as written in a document; `float()` gives the nearest double."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"Number({literal(self)!r})"


def number(value: object) -> Number:
    """The exact value of an int, a float, a Decimal, a Fraction or a string.

    Raises ValueError, in words fit for a user, for anything else and for what
    is too large or too small to be computed with.
    """
    if isinstance(value, Number):
        return value
    if isinstance(value, bool):
        raise ValueError(f"expected a number, found {str(value).lower()}")
    if isinstance(value, int):
        if value.bit_length() > MAX_BITS:
            raise ValueError("the number is too large for a double")
        return _in_range(Number(value))
    if isinstance(value, float):
        value = Decimal(float.__repr__(value))  # a NumPy float prints itself otherwise
    if isinstance(value, Decimal):
        return _from_decimal(value)
    if isinstance(value, Fraction):
        return _in_range(Number(value))
    if isinstance(value, str):
        return _from_string(value)
    if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:  # a NumPy scalar
        return number(value.item())  # type: ignore[attr-defined]
    raise ValueError(f"expected a number, found {_kind(value)}")


def double(value: object) -> float:
    """The nearest double of an int, a float, a Decimal, a Fraction; a float as it is, infinite ones too.

    Raises ValueError as `number` does, and for text, which only documents write numbers in.
    """
    if isinstance(value, float):
        return float(value)  # of NumPy's too
    if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:
        return double(value.item())  # type: ignore[attr-defined]
    if isinstance(value, str):
        raise ValueError(f"expected a number, found the text {clipped(value, 40)!r}")
    return float(number(value))


def literal(value: Fraction) -> int | float | str:
    """What JSON writes: a number where a double gives it back, else a string."""
    if value.denominator == 1 and abs(value.numerator) <= 2**53:
        return value.numerator
    nearest = float(value)
    if Fraction(repr(nearest)) == value:
        return int(nearest) if nearest.is_integer() and abs(nearest) < 1e15 else nearest
    written = _decimal_string(value)
    return written if written and len(written) <= MAX_TEXT // 2 else f"{value.numerator}/{value.denominator}"


def _from_string(text: str) -> Number:
    stripped = text.strip()
    if len(stripped) > MAX_TEXT:
        raise ValueError(f"a number of {len(stripped)} characters; at most {MAX_TEXT} are read")
    if _FRACTION.match(stripped):
        if stripped.partition("/")[2].strip("0") == "" and "/" in stripped:
            raise ValueError(f"{text!r} divides by zero")
        return _in_range(Number(stripped))
    if _DECIMAL.match(stripped):
        return _from_decimal(Decimal(stripped), most=MAX_TEXT)
    raise ValueError(f'expected a number or a fraction such as "1/3", found {clipped(text, 40)!r}')


def _from_decimal(value: Decimal, most: int = MAX_DIGITS) -> Number:
    if not value.is_finite():
        raise ValueError(f"expected a finite number, found {value}")
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    if len(digits) > most or abs(exponent) > MAX_TEXT:
        raise ValueError(f"a number of more than {most} digits, or far outside a double's range")
    return _in_range(Number(value))


def _in_range(value: Number) -> Number:
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > MAX_BITS:
        raise ValueError("the number has more digits than are read, or is too large for a double")
    try:
        nearest = abs(float(value))
    except OverflowError:
        raise ValueError("the number is too large for a double") from None
    if nearest > LARGEST:
        raise ValueError(f"the number is too large: {nearest:g}, at most {LARGEST:g} is read")
    if value != 0 and nearest < SMALLEST:
        raise ValueError(f"the number is too small: {nearest:g}, at least {SMALLEST:g} is read; write 0")
    return value


def _decimal_string(value: Fraction) -> str | None:
    """The decimal expansion, where it ends; None for 1/3."""
    twos = (value.denominator & -value.denominator).bit_length() - 1
    rest = value.denominator >> twos
    fives = 0
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    if rest != 1:
        return None
    places = max(twos, fives)
    scaled = abs(value.numerator) * 10**places // value.denominator
    digits = str(scaled).rjust(places + 1, "0")
    sign = "-" if value < 0 else ""
    return sign + (f"{digits[:-places]}.{digits[-places:]}" if places else digits)


def _kind(value: object) -> str:
    names = {str: "text", list: "a list", tuple: "a list", dict: "a table", type(None): "nothing"}
    return names.get(type(value), type(value).__name__)
