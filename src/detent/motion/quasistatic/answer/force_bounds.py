"""The largest force of a pawl on a leg, between two numbers that are proved, to as many digits as asked.

The forces are those of `force.py`, in ball arithmetic over the exact outlines: along each stretch one contact
carries all. Stretches are divided until the greatest upper bound of any piece lies as near as asked above a
value that is taken: by the sign of the slope where it has one, by the second derivative elsewhere.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Any, Literal

from flint import arb, arb_series, ctx, fmpq

from detent.motion.quasistatic.answer.force import Loaded
from detent.numeric.polynomial.balls import GUARD_BITS, limits
from detent.numeric.rational import fraction_of
from detent.record.amount import Force
from detent.record.mating import ProvedForce

Which = Literal["resisting", "contact"]

MOST_PIECES = 2_000  # after so many a wider bound is given than was asked for
BITS_PER_DIGIT = 4


@dataclass(frozen=True)
class ForceBound:
    """Between which two numbers a largest force is [N]; `most` is infinite where no bound was found."""

    least: Fraction
    most: Fraction | float
    unbounded: bool = False  # it has no bound: a threshold is met

    @property
    def middle(self) -> float:
        """The double nearest to the middle of both."""
        return math.inf if isinstance(self.most, float) else float((self.least + self.most) / 2)

    @property
    def error(self) -> float:
        """By how much the middle may be wrong, rounding to a double aside."""
        return math.inf if isinstance(self.most, float) else float((self.most - self.least) / 2)

    def told(self, places: int) -> ProvedForce:
        """For the record."""
        least = math.nextafter(float(self.least), -math.inf) if self.least else 0.0
        most = math.inf if isinstance(self.most, float) else math.nextafter(float(self.most), math.inf)
        return ProvedForce(least=least, most=Force(most if self.most else 0.0), digits=self.digits(places))

    def digits(self, places: int) -> str:
        """Rounded to so many decimal places, or to as many as are known."""
        if isinstance(self.most, float):
            return "without bound" if self.unbounded else "no bound found"
        while places > 1 and self.most - self.least > Fraction(1, 10**places):
            places -= 1
        scaled = round((self.least + self.most) / 2 * 10**places)
        text = str(abs(scaled)).rjust(places + 1, "0")
        return f"{'-' if scaled < 0 else ''}{text[:-places]}.{text[-places:]}"


class StretchBalls:
    """The force along one stretch over balls of its parameter; lengths and stiffness exactly."""

    def __init__(self, loaded: Loaded, stiffness: fmpq, metres: fmpq, bits: int) -> None:
        self.loaded, self.stiffness, self.metres, self.bits = loaded, stiffness, metres, bits
        kind, k, j = loaded.pair.which
        pawl, wall = loaded.pair.pawl, loaded.pair.obstacle
        hx, hy = loaded.slice.hinge
        self.velocity = loaded.slice.velocity
        self.on_pawl = kind == "A"
        leaf, edge = (pawl, k) if self.on_pawl else (wall, j)
        (ax, ay), (bx, by) = leaf.points[edge], leaf.points[leaf.after[edge]]
        # Towards the pawl: out of the obstacle's edge, into the pawl's.
        self.normal = (ay - by, bx - ax) if self.on_pawl else (by - ay, ax - bx)
        wx, wy = wall.points[j]
        self.point = (wx - hx, wy - hy) if self.on_pawl else pawl.points[k]
        self.drag = loaded.pair.friction * ((loaded.drag > 0) - (loaded.drag < 0))
        stretch = loaded.stretch
        self.level = stretch.arc.curve is None
        ends = [place.t if self.level else place.u for place in (stretch.begin, stretch.end)]
        self.ends = sorted((end.ball(bits) for end in ends), key=lambda ball: ball.mid())

    def series(self, which: Which, parameter: arb, terms: int) -> list[Any]:
        """Taylor coefficients of the force on a ball of the parameter; no numbers where it has no bound."""
        x = arb_series([parameter, 1], prec=terms)
        arc, half = self.loaded.stretch.arc, self.loaded.half
        if arc.curve is None:
            t, u = x, arb_series([arc.place.u.ball(self.bits)], prec=terms)
        else:
            u = x
            t = _quotient(-_at(arc.curve.p, u, terms), _at(arc.curve.q, u, terms), terms)
        theta = 2 * u.atan() + half * arb.pi()
        scale = 1 + u * u
        turned = -1 if half % 2 else 1
        cosine, sine = turned * (1 - u * u) / scale, turned * 2 * u / scale
        (nx, ny), (px, py), (vx, vy) = ((arb(a), arb(b)) for a, b in (self.normal, self.point, self.velocity))
        if self.on_pawl:
            x, y = px - t * vx, py - t * vy
            nx, ny = cosine * nx - sine * ny, sine * nx + cosine * ny
        else:
            x, y = cosine * px - sine * py, sine * px + cosine * py
        drag = arb(self.drag)
        fx, fy = nx - drag * ny, ny + drag * nx
        size = _quotient(arb(self.stiffness) * theta, (x * fy - y * fx) * arb(self.metres), terms)
        if which == "contact":
            a, b = self.normal
            force = size * (arb(a * a + b * b) * (1 + drag * drag)).sqrt()
        else:
            force = -size * (fx * vx + fy * vy) / arb(self.velocity[0] ** 2 + self.velocity[1] ** 2).sqrt()
        coefficients = (force if isinstance(force, arb_series) else arb_series([force])).coeffs()
        return [*coefficients, *([arb(0)] * terms)][:terms]

    def upper(self, which: Which, low: arb, high: arb) -> tuple[arb, arb]:
        """A bound of the force between two parameters, and a value that it takes there."""
        whole = low.union(high)
        _, slope, bend = self.series(which, whole, 3)
        middle = ((low + high) / 2).mid()
        value, steep = self.series(which, middle, 2)
        if slope > 0 or slope < 0:
            (end,) = self.series(which, high if slope > 0 else low, 1)
            return end, value
        away = whole - middle
        return value + steep * away + bend * away * away, value


def largest_force(
    stretches: Sequence[Loaded], which: Which, *, stiffness: Fraction, metres: Fraction, digits: int
) -> ForceBound:
    """The largest force of any of some stretches, to so many decimal places where it has a bound."""
    if any(end == math.inf for each in stretches for end in each.end_values(which)):
        return ForceBound(Fraction(0), math.inf, unbounded=True)
    bits = BITS_PER_DIGIT * digits + 64
    near = fmpq(1, 2 * 10**digits)
    exact = [fmpq(value.numerator, value.denominator) for value in (stiffness, metres)]
    order = count()
    with ctx.workprec(bits + GUARD_BITS):
        # The piece of the greatest bound first, those without any before it.
        pieces: list[tuple[bool, fmpq, int, arb, StretchBalls, arb, arb]] = []
        least = arb(0)  # a pawl that carries nothing resists nothing

        def add(balls: StretchBalls, low: arb, high: arb) -> None:
            nonlocal least
            bound, value = balls.upper(which, low, high)
            if value.is_finite() and value.lower() > least:
                least = value.lower()
            bounded = bool(bound.is_finite())
            top = bound.upper() if bounded else arb("inf")
            if top > least:
                key = -limits(top)[1] if bounded else fmpq(0)
                heapq.heappush(pieces, (bounded, key, next(order), top, balls, low, high))

        for each in stretches:
            balls = StretchBalls(each, exact[0], exact[1], bits)
            low, high = balls.ends
            for end in (low, high):
                (value,) = balls.series(which, end, 1)
                if value.is_finite() and value.lower() > least:
                    least = value.lower()
            add(balls, low.lower(), high.upper())
        for _ in range(MOST_PIECES):
            if not pieces or pieces[0][3] - least < near:
                break
            *_, balls, low, high = heapq.heappop(pieces)
            middle = ((low + high) / 2).mid()
            add(balls, low, middle)
            add(balls, middle, high)
        most = pieces[0][3] if pieces else least
        return ForceBound(
            fraction_of(limits(least)[0]), fraction_of(limits(most)[1]) if most.is_finite() else math.inf
        )


def _quotient(a: Any, b: Any, terms: int) -> Any:
    """A quotient of series; one without numbers where the divisor may be zero."""
    if b[0].contains(0):
        return arb_series([arb("nan")] * terms, prec=terms)
    return a / b


def _at(poly: Any, u: Any, terms: int) -> Any:
    total = arb_series([0], prec=terms)
    for coefficient in reversed(poly.coeffs()):
        total = total * u + arb(coefficient)
    return total
