"""Angles given in a document as exact half turns and rational half-tangents.

An angle is half * pi + 2 atan(u) with |u| <= 1, as in the charts of the slice.
Whole quarter turns are exact; for any other angle a rational half-tangent is
taken, closer than doubles tell, and the answer says which.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

# Preferred, being quick to compute with, where it is as near as a double is.
SMALL_DENOMINATOR = 10**9
NEAR = 2.0**-54


@dataclass(frozen=True)
class Angle:
    half: int
    u: Fraction
    exact: bool = True

    def __float__(self) -> float:
        return self.half * math.pi + 2 * math.atan(self.u)


@dataclass(frozen=True)
class Turn:
    """An angle as written: degrees and radians kept apart, so that sums stay exact."""

    degrees: Fraction = Fraction(0)
    radians: Fraction = Fraction(0)

    def __add__(self, other: Turn) -> Turn:
        return Turn(self.degrees + other.degrees, self.radians + other.radians)

    def __sub__(self, other: Turn) -> Turn:
        return Turn(self.degrees - other.degrees, self.radians - other.radians)

    def __mul__(self, factor: int) -> Turn:
        return Turn(self.degrees * factor, self.radians * factor)

    def __float__(self) -> float:
        return math.radians(self.degrees) + float(self.radians)


def written(degrees: Fraction | None, radians: Fraction | None) -> Turn:
    return Turn(Fraction(degrees or 0), Fraction(radians or 0))


def turn_of(cosine: Fraction, sine: Fraction) -> Turn:
    """The turn of a rotation; whole quarters exactly."""
    if 0 in (cosine, sine):
        return Turn(degrees=90 * (2 * int(cosine < 0) + sine))
    return Turn(radians=Fraction(math.atan2(sine, cosine)))


def rational(turn: Turn) -> Angle:
    """The angle itself where it is a number of quarter turns, else one next to it."""
    if turn.radians == 0 and turn.degrees % 90 == 0:
        quarters = int(turn.degrees // 90)
        half = quarters // 2
        return Angle(half, Fraction(quarters % 2))
    angle = float(turn)
    half = round(angle / math.pi)
    tangent = math.tan((angle - half * math.pi) / 2)
    small = Fraction(tangent).limit_denominator(SMALL_DENOMINATOR)
    near = abs(float(small) - tangent) <= NEAR * abs(tangent)
    return Angle(half, small if near else Fraction(tangent), exact=False)


def rotation(angle: Angle) -> tuple[Fraction, Fraction]:
    """Cosine and sine, exactly."""
    scale = 1 + angle.u * angle.u
    sign = -1 if angle.half % 2 else 1
    return sign * (1 - angle.u * angle.u) / scale, sign * 2 * angle.u / scale


def apart(angle: Angle) -> str:
    """An angle that no rational rotation has, and the one that was taken."""
    turns = f"{abs(angle.half)} half turns and " if angle.half else ""
    return f"{abs(math.degrees(float(angle))):.9g} degrees, taken as {turns}2 atan({abs(angle.u)}),"
