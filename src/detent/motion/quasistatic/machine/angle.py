"""Angles given in a document as exact multiples of 180 degrees and rational half-tangents.

An angle is half * pi + 2 atan(u) with |u| <= 1, as in the charts of the slice.
Multiples of 90 degrees are exact; any other angle is approximated by a rational
half-tangent, closer than doubles tell, and the answer says which.
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
class WrittenAngle:
    """An angle as written: degrees and radians kept apart, so that sums stay exact."""

    degrees: Fraction = Fraction(0)
    radians: Fraction = Fraction(0)

    def __add__(self, other: WrittenAngle) -> WrittenAngle:
        return WrittenAngle(self.degrees + other.degrees, self.radians + other.radians)

    def __sub__(self, other: WrittenAngle) -> WrittenAngle:
        return WrittenAngle(self.degrees - other.degrees, self.radians - other.radians)

    def __mul__(self, factor: int) -> WrittenAngle:
        return WrittenAngle(self.degrees * factor, self.radians * factor)

    def __float__(self) -> float:
        return math.radians(self.degrees) + float(self.radians)


def written(degrees: Fraction | None, radians: Fraction | None) -> WrittenAngle:
    return WrittenAngle(Fraction(degrees or 0), Fraction(radians or 0))


def angle_of(cosine: Fraction, sine: Fraction) -> WrittenAngle:
    """The angle of a rotation; multiples of 90 degrees exactly."""
    if 0 in (cosine, sine):
        return WrittenAngle(degrees=90 * (2 * int(cosine < 0) + sine))
    return WrittenAngle(radians=Fraction(math.atan2(sine, cosine)))


def rational(written_angle: WrittenAngle) -> Angle:
    """The angle itself where it is a multiple of 90 degrees, else one next to it."""
    if written_angle.radians == 0 and written_angle.degrees % 90 == 0:
        quarters = int(written_angle.degrees // 90)
        half = quarters // 2
        return Angle(half, Fraction(quarters % 2))
    angle = float(written_angle)
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


def approximation(angle: Angle) -> str:
    """An angle that no rational rotation has, and the one that approximates it."""
    halves = f"{abs(angle.half)} half turns and " if angle.half else ""
    return f"{abs(math.degrees(float(angle))):.9g} degrees, approximated by {halves}2 atan({abs(angle.u)}),"
