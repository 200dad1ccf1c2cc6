"""Rationals of Python and of python-flint, each as the other."""

from __future__ import annotations

from fractions import Fraction

from flint import fmpq


def flint_of(value: Fraction) -> fmpq:
    return fmpq(value.numerator, value.denominator)


def fraction_of(value: fmpq) -> Fraction:
    return Fraction(int(value.p), int(value.q))
