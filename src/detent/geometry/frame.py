"""Frames: where one thing is placed in another, exactly.

A frame holds a rational rotation (or its mirror image) and a rational origin,
so that rotations by 90 degrees, rational directions, mirrors and shifts lose nothing. A
rotation by any other angle is exact too, about exactly the axis asked
for, by an angle whose half-tangent is a rational next to the one asked for;
`RationalRotation` says which. Every rotation is a quaternion (w, x, y, z) of rationals, not
normalised: its matrix is rational all the same.

`frame_AB.apply(p_B)` is p_A; `frame_AB @ frame_BC` is frame_AC.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np

Exact3 = tuple[Fraction, Fraction, Fraction]
Rows = tuple[Exact3, Exact3, Exact3]

_ZERO, _ONE = Fraction(0), Fraction(1)
AXES: dict[str, Exact3] = {
    "x": (_ONE, _ZERO, _ZERO),
    "y": (_ZERO, _ONE, _ZERO),
    "z": (_ZERO, _ZERO, _ONE),
}
_IDENTITY: Rows = (AXES["x"], AXES["y"], AXES["z"])
_AT_ORIGIN: Exact3 = (_ZERO, _ZERO, _ZERO)

# A half-tangent p/q with q below this is preferred, being quick to compute with;
# it is used where it lies within a few parts in 10^18 of the double, closer
# than the double itself is to the angle asked for.
_SMALL_DENOMINATOR = 10**9
_CLOSE_ENOUGH = 2.0**-58
# A tilt below this [rad] is what is left of rotations that cancel.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class RationalRotation:
    """A rational rotation in place of one that no rational matrix gives."""

    asked: str  # "7 deg", "0.3 rad", "along (1, 1)"
    half_tangent: Fraction  # of the angle used; its cosine is (1 - t²)/(1 + t²)

    def __str__(self) -> str:
        t = self.half_tangent
        return f"{self.asked}: cos = {(1 - t * t) / (1 + t * t)}, sin = {2 * t / (1 + t * t)}"


@dataclass(frozen=True)
class Frame:
    """A rigid placement, perhaps mirrored: rotation, origin, and the rationals that stand for rotations."""

    rows: Rows = _IDENTITY
    origin: Exact3 = _AT_ORIGIN
    approximated: tuple[RationalRotation, ...] = ()

    def __matmul__(self, other: Frame) -> Frame:
        # Most frames are shifts or rotations about an axis: what is identity is not multiplied.
        if self.rows is _IDENTITY:
            rows = other.rows
        else:
            rows = self.rows if other.rows is _IDENTITY else _times(self.rows, other.rows)
        return Frame(rows, self.apply(other.origin), self.approximated + other.approximated)

    def apply(self, point: Exact3) -> Exact3:
        """The point, given in this frame, where the frame is placed."""
        x, y, z = point if self.rows is _IDENTITY else _along(self.rows, point)
        if self.origin is _AT_ORIGIN:
            return x, y, z
        return x + self.origin[0], y + self.origin[1], z + self.origin[2]

    def direct(self, direction: Exact3) -> Exact3:
        """The direction, given in this frame, where the frame is placed."""
        return _along(self.rows, direction)

    def inverse(self) -> Frame:
        rows = _transposed(self.rows)
        x, y, z = _along(rows, self.origin)
        return Frame(rows, (-x, -y, -z), self.approximated)

    @property
    def mirrored(self) -> bool:
        return bool(determinant(self.rows) < 0)

    @property
    def upright(self) -> bool:
        """Whether its z axis points straight up or straight down."""
        return self.rows[0][2] == 0 == self.rows[1][2]

    def straightened(self) -> Frame:
        """Upright where rounding alone keeps its z axis from it: rotations by irrational angles do."""
        tilt = max(abs(self.rows[0][2]), abs(self.rows[1][2]))
        if tilt == 0 or float(tilt) > _ROUNDING:
            return self
        up = 1 if self.rows[2][2] > 0 else -1
        turned = _turned(math.atan2(float(self.rows[1][0]), float(self.rows[0][0])), AXES["z"], "upright")
        (cosine, _, _), (sine, _, _), _ = turned.rows
        hand = -up if self.mirrored else up
        rows = (cosine, -hand * sine, _ZERO), (sine, hand * cosine, _ZERO), (_ZERO, _ZERO, Fraction(up))
        return Frame(rows, self.origin, self.approximated)

    @cached_property
    def matrix(self) -> np.ndarray[Any, Any]:
        """3 x 4 doubles [R | t], for points in bulk."""
        import numpy as np

        return np.array(
            [[*map(float, row), float(at)] for row, at in zip(self.rows, self.origin, strict=True)]
        )

    def points(self, points: Any) -> np.ndarray[Any, Any]:
        """Points in bulk, n x 2 (at z = 0) or n x 3, as doubles; n x 3."""
        import numpy as np

        rows = np.atleast_2d(np.asarray(points, dtype=float))
        rotation = self.matrix[:, : rows.shape[1]]
        placed: np.ndarray[Any, Any] = rows @ rotation.T + self.matrix[:, 3]
        return placed


IDENTITY = Frame()


def shift(vector: tuple[Fraction, ...]) -> Frame:
    return Frame(origin=exact3(vector))


@lru_cache(maxsize=4096)
def turn_deg(degrees: Fraction, axis: Exact3 = AXES["z"]) -> Frame:
    """A rotation by degrees; multiples of 90 are exact about an axis of rational length."""
    rest = degrees % 360
    if rest % 90 == 0:
        length = _root(_dot(axis, axis))
        quarter = int(rest // 90)
        if quarter == 0:
            return IDENTITY
        if quarter == 2:
            return _from_quaternion(_ZERO, axis)
        if length is not None:
            return _from_quaternion(length if quarter == 1 else -length, axis)
    if rest > 180:
        rest -= 360
    return _turned(math.radians(float(rest)), axis, f"{_short(degrees)} deg")


def turn(angle: Fraction, axis: Exact3 = AXES["z"]) -> Frame:
    """A rotation by radians; none but zero is rational."""
    if angle == 0:
        return IDENTITY
    return _turned(math.remainder(float(angle), math.tau), axis, f"{_short(angle)} rad")


def copy_turn(index: int, count: int, axis: Exact3 = AXES["z"]) -> Frame:
    """The rotation of one copy of `count` spread over a full circle."""
    return turn_deg(Fraction(360 * (index % count), count), axis)


def along(direction: tuple[Fraction, ...]) -> Frame:
    """The shortest rotation that takes +x to a direction; 180 degrees about z for -x."""
    x, y, z = exact3(direction)
    if y == 0 == z:
        return IDENTITY if x > 0 else _from_quaternion(_ZERO, AXES["z"])
    squared = x * x + y * y + z * z
    length = _root(squared)
    axis = (_ZERO, -z, y)
    if length is not None:
        return _from_quaternion(length + x, axis)
    across = math.hypot(float(y), float(z))
    angle = math.atan2(across, float(x))
    words = ", ".join(_short(c) for c in direction)
    return _turned(angle, axis, f"along ({words})")


def mirror(normal: Exact3) -> Frame:
    """The mirror image in the plane through the origin with this normal."""
    squared = _dot(normal, normal)
    rows = tuple(
        tuple(_IDENTITY[i][j] - 2 * normal[i] * normal[j] / squared for j in range(3)) for i in range(3)
    )
    return Frame(rows)  # type: ignore[arg-type]


def about(frame: Frame, point: tuple[Fraction, ...] | None) -> Frame:
    """The same rotation or mirror, about a point instead of the origin."""
    if point is None:
        return frame
    x, y, z = at = exact3(point)
    return shift(at) @ frame @ shift((-x, -y, -z))


def axes(direction: Exact3, across: Exact3) -> Frame:
    """The frame with z along a direction and x as near to `across` as that allows.

    Rational where the lengths are; otherwise the nearest rational rotation.
    """
    z_x, z_y, z_z = direction
    # First +z to the direction, by the shortest rotation; then about it, so that x lies right.
    if z_x == 0 == z_y:
        first = IDENTITY if z_z > 0 else _from_quaternion(_ZERO, AXES["x"])
    else:
        length = _root(_dot(direction, direction))
        axis = (-z_y, z_x, _ZERO)
        if length is not None:
            first = _from_quaternion(length + z_z, axis)
        else:
            angle = math.atan2(math.hypot(float(z_x), float(z_y)), float(z_z))
            first = _turned(angle, axis, "axis (" + ", ".join(_short(c) for c in direction) + ")")
    x, y, _ = first.inverse().direct(across)
    return first if x == 0 == y else first @ along((x, y))


def axis_words(direction: Exact3) -> str:
    """z, or the direction in numbers."""
    x, y, z = direction
    for name, c, others in (("x", x, (y, z)), ("y", y, (x, z)), ("z", z, (x, y))):
        if c and not any(others):
            return name
    return f"({float(x):.6g}, {float(y):.6g}, {float(z):.6g})"


def exact3(vector: tuple[Fraction, ...]) -> Exact3:
    """Two numbers lie at z = 0."""
    return (vector[0], vector[1], vector[2] if len(vector) == 3 else _ZERO)


def _turned(angle: float, axis: Exact3, asked: str) -> Frame:
    """A rotation about exactly this axis, by an angle as near as doubles resolve."""
    length = math.sqrt(float(_dot(axis, axis)))
    half = angle / 2
    # The half-tangent or its inverse, whichever is at most one.
    half_tangent: Fraction | None = None
    if abs(half) <= math.pi / 4:
        scaled = _rational(math.tan(half) / length)
        half_tangent = scaled if length == 1 else None
        frame = _from_quaternion(_ONE, tuple(scaled * a for a in axis))  # type: ignore[arg-type]
    else:
        inverse = _rational(length / math.tan(half))
        half_tangent = 1 / inverse if length == 1 and inverse else None
        frame = _from_quaternion(inverse, axis)
    # About a unit axis this is exactly what was used; else the nearest rational to it.
    return Frame(
        frame.rows, approximated=(RationalRotation(asked, half_tangent or _rational(math.tan(half))),)
    )


def _rational(value: float) -> Fraction:
    small = Fraction(value).limit_denominator(_SMALL_DENOMINATOR)
    return small if abs(float(small - Fraction(value))) < _CLOSE_ENOUGH * abs(value) else Fraction(value)


def _from_quaternion(w: Fraction, axis: Exact3) -> Frame:
    x, y, z = axis
    n = w * w + x * x + y * y + z * z
    if x == 0 == y:
        # By far the most common: a rotation about z, two numbers of nine.
        cosine, sine = (w * w - z * z) / n, 2 * w * z / n
        return Frame(((cosine, -sine, _ZERO), (sine, cosine, _ZERO), AXES["z"]))
    return Frame(
        (
            ((w * w + x * x - y * y - z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n),
            (2 * (x * y + w * z) / n, (w * w - x * x + y * y - z * z) / n, 2 * (y * z - w * x) / n),
            (2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, (w * w - x * x - y * y + z * z) / n),
        )
    )


def _root(value: Fraction) -> Fraction | None:
    """The square root, where it is rational."""
    top, bottom = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return (
        Fraction(top, bottom)
        if top * top == value.numerator and bottom * bottom == value.denominator
        else None
    )


def _short(value: Fraction) -> str:
    return f"{float(value):.12g}"


def _dot(a: Exact3, b: Exact3) -> Fraction:
    total = _ZERO
    for one, other in zip(a, b, strict=True):
        if one and other:
            total += one * other
    return total


def _along(rows: Rows, v: Exact3) -> Exact3:
    return _dot(rows[0], v), _dot(rows[1], v), _dot(rows[2], v)


def _transposed(rows: Rows) -> Rows:
    (a, b, c), (d, e, f), (g, h, i) = rows
    return (a, d, g), (b, e, h), (c, f, i)


def _times(a: Rows, b: Rows) -> Rows:
    columns = _transposed(b)
    return _transposed((_along(a, columns[0]), _along(a, columns[1]), _along(a, columns[2])))


def determinant(rows: Sequence[Sequence[Any]]) -> Any:
    """Of three rows, exact where they are."""
    (a, b, c), (d, e, f), (g, h, i) = rows
    return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
