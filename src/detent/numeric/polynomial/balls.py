"""Balls that hold the real roots of an integer polynomial, and their ends as rationals.

A ball is python-flint's `arb`: a dyadic middle and a radius. Its arithmetic rounds
outward, so that what it says of a sign or of an order is proved; more bits make it
smaller. Polynomials are python-flint's, constant term first.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from flint import arb, ctx, fmpq, fmpz, fmpz_poly

from detent.numeric.rational import fraction_of

# Worked with beyond the bits asked for, so that rounding does not eat into those.
GUARD_BITS = 16


def real_balls(poly: fmpz_poly, bits: int) -> list[Any]:
    """Enclosures of the real roots of a square-free polynomial, from below."""
    if poly.degree() == 1:
        with ctx.workprec(bits + GUARD_BITS):
            return [arb(fmpq(-poly[0], poly[1]))]
    if poly.degree() == 2:
        return _quadratic_balls(poly, bits)
    with ctx.workprec(bits):
        balls = [root.real for root, _ in poly.complex_roots() if root.imag.is_zero()]
    return sorted(balls, key=lambda ball: ball.mid())


def _quadratic_balls(poly: fmpz_poly, bits: int) -> list[Any]:
    """The same of a quadratic, in closed form without cancellation: far cheaper than isolating roots."""
    c, b, a = poly.coeffs()
    square = b * b - 4 * a * c
    if square < 0:
        return []
    while True:
        with ctx.workprec(bits + GUARD_BITS):
            root = arb(square).sqrt()
            q = -(b + root) if b >= 0 else root - b
            balls = sorted((q / (2 * a), 2 * c / q), key=lambda ball: ball.mid())
        if not balls[0].overlaps(balls[1]):
            return balls
        bits *= 2


def nearest(ball: arb) -> float:
    """The double nearest to the middle of a ball."""
    middle = _dyadic(ball.mid())
    # Python divides integers of any size to the nearest double.
    return int(middle.p) / int(middle.q)


def limits(ball: arb) -> tuple[fmpq, fmpq]:
    """The ends of a ball."""
    middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    return middle - radius, middle + radius


def outward(ball: arb, bits: int) -> tuple[Fraction, Fraction]:
    """The ends of a ball, widened to short fractions at so many bits of their size."""
    low, high = (fraction_of(end) for end in limits(ball))
    size = max(abs(low), abs(high))
    grain = Fraction(2) ** (size.numerator.bit_length() - size.denominator.bit_length() - bits + 2)
    return (low / grain).__floor__() * grain, (high / grain).__ceil__() * grain


def meets(low: Fraction, high: Fraction, ball: arb) -> bool:
    """Whether a closed interval and a ball share a point."""
    bottom, top = (fraction_of(end) for end in limits(ball))
    return bottom <= high and low <= top


def simplest(low: fmpq, high: fmpq) -> fmpq:
    """The fraction of least denominator in a closed interval (Stern and Brocot's tree)."""
    if low <= 0 <= high:
        return fmpq(0)
    if high < 0:
        return -simplest(-high, -low)
    # A loop, since a narrow interval has more partial quotients than calls may nest.
    quotients = []
    while (floor := fmpq(low.floor())) != low and floor + 1 > high:
        quotients.append(floor)
        low, high = 1 / (high - floor), 1 / (low - floor)
    fraction = floor if floor == low else floor + 1
    for quotient in reversed(quotients):
        fraction = quotient + 1 / fraction
    return fraction


def _dyadic(value: arb) -> fmpq:
    mantissa, exponent = value.man_exp()
    power = int(exponent)
    return fmpq(mantissa << power) if power >= 0 else fmpq(mantissa, fmpz(1) << -power)
