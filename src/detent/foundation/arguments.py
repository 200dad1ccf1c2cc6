"""Numbers that a caller hands to a verb or a method: of any kind, told by name where they are none."""

from __future__ import annotations

from collections.abc import Iterable

from detent.foundation.errors import WrongTypeError
from detent.foundation.exact import double


def given(at: str, value: object, remedy: str) -> float:
    """The nearest double of an int, a float, a Decimal, a Fraction, a document's number."""
    try:
        return double(value)
    except ValueError as problem:
        raise WrongTypeError.at(at, str(problem), remedy) from None


def given_each(at: str, values: object, remedy: str) -> list[float]:
    """The nearest doubles of several."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        kind = "text" if isinstance(values, str) else type(values).__name__
        raise WrongTypeError.at(at, f"expected a list of numbers, found {kind}", remedy)
    return [given(f"{at}[{k}]", value, remedy) for k, value in enumerate(values)]
