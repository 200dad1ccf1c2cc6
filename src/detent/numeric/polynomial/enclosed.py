"""Algebraic numbers that an enclosure tells already: exact where, and when, it is asked.

A root is the only one of a polynomial between two doubles; Newton's method in ball arithmetic makes
the enclosure smaller, and only what needs the number itself factors the polynomial.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flint import arb, ctx

from detent.numeric.polynomial.algebraic import FIRST_BITS, Real, Root, generator
from detent.numeric.polynomial.balls import GUARD_BITS, real_balls

ROUNDS = 40  # of Newton's method, each doubling the digits


class EnclosedRoot:
    """The only root of an integer polynomial between two doubles, at which it changes its sign."""

    def __init__(self, polynomial: Callable[[], Any], low: float, high: float) -> None:
        self._polynomial, self.low, self.high = polynomial, low, high
        self._poly: Any = None
        self._ball: Any = None
        self._bits = 0

    @property
    def poly(self) -> Any:
        if self._poly is None:
            self._poly = self._polynomial()
        return self._poly

    def ball(self, bits: int) -> arb:
        if self._bits < bits:
            self._ball, self._bits = self._narrowed(bits), bits
        return self._ball

    def _narrowed(self, bits: int) -> arb:
        poly, slope = self.poly, self.poly.derivative()
        with ctx.workprec(bits + GUARD_BITS):
            ball = arb(self.low).union(arb(self.high)) if self._ball is None else self._ball
            for _ in range(ROUNDS):
                middle = arb(ball.mid())
                steep = slope(ball)
                if steep.contains(0):
                    return self.exact().ball(bits)
                nearer = (middle - poly(middle) / steep).intersection(ball)
                if not nearer.rad() < ball.rad() * 0.5:
                    return nearer
                ball = nearer
        return ball

    def exact(self) -> Real:
        bits = FIRST_BITS
        factors = [factor for factor, _ in self.poly.factor()[1]]
        while True:
            with ctx.workprec(bits + GUARD_BITS):
                near = arb(self.low).union(arb(self.high)) if self._ball is None else self._ball
                hits = [
                    (factor, index)
                    for factor in factors
                    for index, ball in enumerate(real_balls(factor, bits))
                    if ball.overlaps(near)
                ]
            if len(hits) == 1:
                return generator(Root(*hits[0]))
            bits *= 2


class EnclosedValue:
    """A number that is computed: enclosed by one function, given exactly by another."""

    def __init__(self, ball: Callable[[int], arb], exact: Callable[[], Real]) -> None:
        self._ball, self._exact = ball, exact

    def ball(self, bits: int) -> arb:
        with ctx.workprec(bits + GUARD_BITS):
            return self._ball(bits)

    def exact(self) -> Real:
        return self._exact()


def enclosed_root(polynomial: Callable[[], Any], low: float, high: float) -> Real:
    """The only root of a polynomial between two doubles."""
    return Real.later((low, high), EnclosedRoot(polynomial, low, high))
