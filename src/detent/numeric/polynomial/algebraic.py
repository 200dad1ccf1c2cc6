"""Real algebraic numbers: every sign decided exactly, none by a tolerance.

A `Real` is an element of Q(r), r a real root of an irreducible integer
polynomial, written as a polynomial in r of lower degree. So it is zero exactly
when that polynomial is zero, and any other sign comes out of ball arithmetic
at a precision that grows until the ball leaves zero. Numbers of different
fields are compared through their minimal polynomials, and brought into one
field (a primitive element) only where arithmetic needs it.

Polynomials are python-flint's, constant term first.
"""

from __future__ import annotations

from fractions import Fraction
from math import inf, nextafter
from typing import Any

from flint import arb, ctx, fmpq, fmpq_mat, fmpq_poly, fmpz, fmpz_mpoly_ctx, fmpz_poly

from detent.numeric.polynomial.balls import GUARD_BITS, limits, meets, nearest, outward, real_balls, simplest
from detent.numeric.polynomial.later import Later
from detent.numeric.rational import flint_of, fraction_of

# Bits of the first look at a sign; nearly every number that is not zero leaves
# zero at once. Doubled as long as needed.
FIRST_BITS = 64
# From here on, equality of numbers of different fields is asked exactly, before
# more bits are spent on two that may be one.
EQUALITY_BITS = 256


class Root:
    """A real root of an irreducible polynomial, counted from below among the real ones."""

    __slots__ = ("_ball", "_bits", "index", "modulus", "poly")

    def __init__(self, poly: fmpz_poly, index: int, ball: arb = None) -> None:
        self.poly = poly
        self.index = index
        self.modulus = fmpq_poly(poly)
        self._ball = ball
        self._bits = 0 if ball is None else FIRST_BITS

    def same(self, other: Root) -> bool:
        return self is other or (self.index == other.index and self.poly == other.poly)

    def ball(self, bits: int) -> arb:
        """An enclosure with about so many bits."""
        if self._bits < bits:
            self._ball = real_balls(self.poly, bits)[self.index]
            self._bits = bits
        return self._ball


class Real:
    """A real algebraic number; arithmetic and comparisons are exact."""

    __slots__ = ("_bounds", "_later", "poly", "root")

    def __init__(self, poly: fmpq_poly, root: Root | None) -> None:
        self.poly = poly
        self.root = root if poly.degree() > 0 else None
        self._bounds: tuple[float, float] | None = None
        self._later: Later | None = None

    @classmethod
    def later(cls, bounds: tuple[float, float], later: Later) -> Real:
        """One that lies between two doubles; its polynomials are found when they are first needed."""
        number = cls.__new__(cls)
        number._bounds = bounds
        number._later = later
        return number

    def __getattr__(self, name: str) -> Any:
        # Only a slot that is not filled yet comes here.
        if name not in ("poly", "root") or self._later is None:
            raise AttributeError(name)
        exact = self._later.exact()
        self.poly, self.root, self._later = exact.poly, exact.root, None
        return getattr(self, name)

    @property
    def rational(self) -> fmpq | None:
        """Its value where it is rational."""
        return self.poly[0] if self.root is None else None

    def ball(self, bits: int) -> arb:
        """An enclosure, computed with so many bits."""
        if self._later is not None:
            return self._later.ball(bits)
        with ctx.workprec(bits + GUARD_BITS):
            if self.root is None:
                return arb(self.poly[0])
            return self.poly.numer()(self.root.ball(bits)) / self.poly.denom()

    @property
    def bounds(self) -> tuple[float, float]:
        """Doubles below and above it, for a first look."""
        if self._bounds is None:
            ball = self.ball(FIRST_BITS)
            self._bounds = nextafter(float(ball.lower()), -inf), nextafter(float(ball.upper()), inf)
        return self._bounds

    def sign(self) -> int:
        if self._later is not None and (self.bounds[0] > 0 or self.bounds[1] < 0):
            return 1 if self.bounds[0] > 0 else -1
        if self.root is None:
            value = self.poly[0]
            return int(value > 0) - int(value < 0)
        bits = FIRST_BITS
        while True:
            ball = self.ball(bits)
            if ball > 0:
                return 1
            if ball < 0:
                return -1
            bits *= 2

    def __add__(self, other: Scalar) -> Real:
        a, b = _together(self, other)
        return Real(a.poly + b.poly, a.root or b.root)

    def __sub__(self, other: Scalar) -> Real:
        a, b = _together(self, other)
        return Real(a.poly - b.poly, a.root or b.root)

    def __mul__(self, other: Scalar) -> Real:
        a, b = _together(self, other)
        root = a.root or b.root
        product = a.poly * b.poly
        return Real(product if root is None else product % root.modulus, root)

    def __truediv__(self, other: Scalar) -> Real:
        return self * real(other).inverse()

    def __rsub__(self, other: Scalar) -> Real:
        return real(other) - self

    def __rtruediv__(self, other: Scalar) -> Real:
        return real(other) * self.inverse()

    __radd__ = __add__
    __rmul__ = __mul__

    def __neg__(self) -> Real:
        return Real(-self.poly, self.root)

    def inverse(self) -> Real:
        """Its reciprocal; it must not be zero."""
        if self.root is None:
            return Real(fmpq_poly([1 / self.poly[0]]), None)
        divisor, factor, _ = self.poly.xgcd(self.root.modulus)
        return Real(factor * (1 / divisor[0]), self.root)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Real | int | Fraction | fmpq | fmpz) and compare(self, other) == 0

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Scalar) -> bool:
        return compare(self, other) < 0

    def __le__(self, other: Scalar) -> bool:
        return compare(self, other) <= 0

    def __gt__(self, other: Scalar) -> bool:
        return compare(self, other) > 0

    def __ge__(self, other: Scalar) -> bool:
        return compare(self, other) >= 0

    def __float__(self) -> float:
        return nearest(self.ball(FIRST_BITS + 32))

    def __repr__(self) -> str:
        return f"Real({float(self)!r})"

    def minimal(self) -> fmpz_poly:
        """Its minimal polynomial: irreducible, with coprime integer coefficients."""
        if self.root is None:
            value = self.poly[0]
            return fmpz_poly([-value.p, value.q])
        degree = self.root.poly.degree()
        column, gen, entries = self.poly, fmpq_poly([0, 1]), []
        for _ in range(degree):
            entries.append([column[k] for k in range(degree)])
            column = (column * gen) % self.root.modulus
        return fmpq_mat(entries).charpoly().numer().factor()[1][0][0]

    def as_root(self) -> Real:
        """The same number as the generator of its own field."""
        if self.root is None:
            return self
        poly = self.minimal()
        bits = FIRST_BITS
        while True:
            ball = self.ball(bits)
            near = [i for i, other in enumerate(real_balls(poly, bits)) if ball.overlaps(other)]
            if len(near) == 1:
                return generator(Root(poly, near[0]))
            bits *= 2

    def interval(self, bits: int = 53) -> tuple[Fraction, Fraction]:
        """Rational ends that enclose it and no other root of its minimal polynomial."""
        if self.root is None:
            value = fraction_of(self.poly[0])
            return value, value
        poly = self.minimal()
        while True:
            ball = self.ball(bits)
            low, high = outward(ball, bits)
            if sum(meets(low, high, other) for other in real_balls(poly, 2 * bits)) == 1:
                return low, high
            bits *= 2

    def digits(self, count: int = 30) -> str:
        """Its decimal expansion, rounded to so many places."""
        bits = 4 * count + 64
        low, high = self.interval(bits)
        scaled = round((low + high) / 2 * 10**count)
        text = str(abs(scaled)).rjust(count + 1, "0")
        return f"{'-' if scaled < 0 else ''}{text[:-count]}.{text[-count:]}"

    def of(self, poly: fmpz_poly | fmpq_poly) -> Real:
        """The value of a rational polynomial at this number."""
        if self.root is None:
            return Real(fmpq_poly([poly(self.poly[0])]), None)
        if self.poly.is_gen():
            return Real(fmpq_poly(poly) % self.root.modulus, self.root)
        value = real(0)
        for coefficient in reversed(poly.coeffs()):
            value = value * self + real(coefficient)
        return value


Scalar = Any  # Real, Fraction, int, or python-flint's fmpz and fmpq


def real(value: Scalar) -> Real:
    """A rational as a Real."""
    if isinstance(value, Real):
        return value
    if isinstance(value, Fraction):
        value = flint_of(value)
    return Real(fmpq_poly([value]), None)


def generator(root: Root) -> Real:
    """The root itself, as a number."""
    if root.poly.degree() == 1:
        return real(fmpq(-root.poly[0], root.poly[1]))
    return Real(fmpq_poly([0, 1]), root)


def real_roots(poly: fmpz_poly) -> list[Real]:
    """The distinct real roots of an integer polynomial that is not zero, unsorted."""
    roots: list[Real] = []
    if poly.degree() < 1:
        return roots
    for factor, _ in poly.factor()[1]:
        if factor.degree() == 1:
            roots.append(generator(Root(factor, 0)))
        elif factor.degree() != 2 or factor.discriminant() > 0:
            balls = enumerate(real_balls(factor, FIRST_BITS))
            roots += [generator(Root(factor, index, ball)) for index, ball in balls]
    return roots


def square_root(value: fmpq) -> Real:
    """The square root of a rational above zero."""
    return next(root for root in real_roots(fmpz_poly([-value.p, 0, value.q])) if root.sign() > 0)


def compare(a: Scalar, b: Scalar) -> int:
    """-1, 0 or 1 as a is below, at or above b."""
    a, b = real(a), real(b)
    if a.bounds[1] < b.bounds[0]:
        return -1
    if a.bounds[0] > b.bounds[1]:
        return 1
    if a._later is not None or b._later is not None:
        x, y = a.ball(FIRST_BITS), b.ball(FIRST_BITS)
        if x < y or x > y:
            return -1 if x < y else 1
    if a.root is None or b.root is None or a.root.same(b.root):
        return int((a - b).sign())
    bits = FIRST_BITS
    unequal = False
    while True:
        x, y = a.ball(bits), b.ball(bits)
        if x < y:
            return -1
        if x > y:
            return 1
        if bits >= EQUALITY_BITS and not unequal:
            p, q = a.as_root().root, b.as_root().root
            if p is None or q is None or p.same(q):
                return 0
            unequal = True
        bits *= 2


def between(a: Real, b: Real) -> fmpq:
    """A short rational strictly between two numbers, a below b."""
    bits = FIRST_BITS
    while True:
        x, y = limits(a.ball(bits))[1], limits(b.ball(bits))[0]
        if x < y:
            quarter = (y - x) / 4
            return simplest(x + quarter, y - quarter)
        bits *= 2


def _together(a: Real, other: Scalar) -> tuple[Real, Real]:
    """Both numbers in one field."""
    b = real(other)
    if a.root is None or b.root is None or a.root.same(b.root):
        return a, b
    return _common(a, b)


def _common(a: Real, b: Real) -> tuple[Real, Real]:
    """Both numbers over a primitive element a + k b of the field that holds them."""
    a, b = a.as_root(), b.as_root()
    assert a.root is not None
    assert b.root is not None
    context = fmpz_mpoly_ctx.get(("x", "y"), "lex")
    x, y = context.gens()
    over_b = _at(b.root.poly, x)
    k = 0
    while True:
        k = -k if k > 0 else 1 - k
        norm = _at(a.root.poly, y - k * x).resultant(over_b, "x")
        coefficients = [0] * (norm.degrees()[1] + 1)
        for (_, power), value in norm.terms():
            coefficients[power] = value
        factor = _factor_of(fmpz_poly(coefficients), a, b, k)
        in_b = _shared_root(b.root.poly, a.root.poly, factor, k)
        if in_b is not None:
            return factor - real(k) * in_b, in_b


def _at(poly: fmpz_poly, value: Any) -> Any:
    total = value * 0
    for coefficient in reversed(poly.coeffs()):
        total = total * value + coefficient
    return total


def _factor_of(norm: fmpz_poly, a: Real, b: Real, k: int) -> Real:
    """a + k b as the root of a factor of its norm."""
    factors = [factor for factor, _ in norm.factor()[1]]
    bits = FIRST_BITS
    while True:
        with ctx.workprec(bits + GUARD_BITS):
            ball = a.ball(bits) + k * b.ball(bits)
        hits = [
            (factor, index)
            for factor in factors
            for index, other in enumerate(real_balls(factor, bits))
            if ball.overlaps(other)
        ]
        if len(hits) == 1:
            return generator(Root(*hits[0]))
        bits *= 2


def _shared_root(poly_b: fmpz_poly, poly_a: fmpz_poly, primitive: Real, k: int) -> Real | None:
    """The one common root of B(x) and A(primitive - k x); None where there are several."""
    first = [real(c) for c in poly_b.coeffs()]
    shifted: list[Real] = []
    for coefficient in reversed(poly_a.coeffs()):
        raised = [real(0), *(entry * -k for entry in shifted)]
        for i, entry in enumerate(shifted):
            raised[i] = raised[i] + entry * primitive
        raised[0] = raised[0] + real(coefficient)
        shifted = raised
    while True:
        shifted = _trimmed(shifted)
        if not shifted:
            return -first[0] / first[1] if len(first) == 2 else None
        first, shifted = shifted, _remainder(first, shifted)


def _remainder(a: list[Real], b: list[Real]) -> list[Real]:
    a = list(a)
    inverse = b[-1].inverse()
    while len(a) >= len(b):
        factor = a[-1] * inverse
        for i, entry in enumerate(b):
            a[len(a) - len(b) + i] = a[len(a) - len(b) + i] - factor * entry
        a.pop()
    return _trimmed(a)


def _trimmed(poly: list[Real]) -> list[Real]:
    while poly and poly[-1].poly.is_zero():
        poly = poly[:-1]
    return poly
