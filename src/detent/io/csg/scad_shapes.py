"""What OpenSCAD's objects mean, as plain data of the document.

A flat object inside linear_extrude is drawn at once with its height: a square
becomes a block, a circle a cylinder, a polygon a prism; so the exact primitive
survives.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from detent.foundation.exact import number
from detent.geometry.frame import determinant
from detent.io.csg import csg_patterns
from detent.io.csg.scad_stretch import BentError, stretched
from detent.io.disk.foreign import TextError

Data = dict[str, Any]

# With fewer chords than this a circle is meant as the polygon it draws.
_ROUND_FROM = 16
# What six printed digits of a matrix leave unsure.
_MATRIX_DIGITS = 2e-5
_TURN_STEP = Fraction(1, 10_000)  # [deg]


@dataclass(frozen=True)
class Call:
    """An object's name, arguments and place."""

    name: str
    arguments: dict[str, Any]
    line: int
    column: int
    extruded: bool = False  # drawn flat, but already with its height

    def wrong(self, problem: str, remedy: str = "") -> TextError:
        return TextError(problem, remedy, self.line, self.column)

    def get(self, *keys: str) -> Any:
        """The first of these arguments that is there; a position is a digit."""
        return next((self.arguments[key] for key in keys if self.arguments.get(key) is not None), None)

    def number(self, *keys: str, default: Fraction | None = None) -> Fraction:
        value = self.get(*keys)
        if value is None and default is not None:
            return default
        if not isinstance(value, Fraction):
            raise self.wrong(f"{self.name}: {keys[-1]} must be a number", "give a number")
        return value

    def vector(self, *keys: str, size: int = 3) -> list[Fraction]:
        value = self.get(*keys)
        if (
            not isinstance(value, list)
            or not all(isinstance(c, Fraction) for c in value)
            or len(value) > size
        ):
            raise self.wrong(f"{self.name} takes a vector of {size} numbers", "give [x, y, …]")
        return value + [Fraction(0)] * (size - len(value))


def is_flat(shape: Data, line: int) -> bool:
    """Whether a shape has no height; a mixture is refused."""
    kinds = set(_kinds(shape))
    if len(kinds) > 1:
        raise TextError("flat and solid shapes are put together", "extrude the flat ones", line)
    return kinds == {True}


def _kinds(shape: Data) -> list[bool]:
    for operation in ("union", "difference", "intersection"):
        if operation in shape:
            return [kind for child in shape[operation] for kind in _kinds(child)]
    return ["outline" in shape or "circle" in shape]


def extrusion(call: Call) -> tuple[Fraction, bool]:
    """Height, and whether half of it is below."""
    if call.get("twist") not in (None, Fraction(0)):
        raise call.wrong("a twisted extrusion is not read", "extrude straight")
    scale = call.get("scale")
    if scale not in (None, Fraction(1), [Fraction(1), Fraction(1)]):
        raise call.wrong("a tapered extrusion is not read", "extrude straight")
    return call.number("height", "h", "0", default=Fraction(100)), call.get("center") is True


def _cube(call: Call, height: Fraction | None) -> Data:
    sides = _sides(call, 3)
    _refuse_within(call, height)
    return _centred({"block": sides}, sides, call)


def _square(call: Call, height: Fraction | None) -> Data:
    x, y = _sides(call, 2)
    zero = Fraction(0)
    if height is not None:
        return _centred({"block": [x, y, height]}, [x, y, zero], call)
    return _centred({"outline": [[zero, zero], [x, zero], [x, y], [zero, y]]}, [x, y], call)


def _sides(call: Call, count: int) -> list[Fraction]:
    """One number for all sides, or one each; left out they are 1."""
    size = call.get("size", "0")
    if size is None or isinstance(size, Fraction):
        return [Fraction(1) if size is None else size] * count
    return call.vector("size", "0", size=count)


def _circle(call: Call, height: Fraction | None) -> Data:
    radius = _radius(call, "r", "d", "0")
    if (chords := _chords(call)) is not None:
        return _extruded(_regular(radius, chords), height)
    return {"circle": radius} if height is None else {"cylinder": {"radius": radius, "height": height}}


def _polygon(call: Call, height: Fraction | None) -> Data:
    points = call.get("points", "0")
    if not isinstance(points, list) or not all(_is_point(p) for p in points):
        raise call.wrong("a polygon takes a list of points", "give polygon([[x, y], …])")
    paths = call.get("paths", "1")
    if paths is None or paths == []:
        return _extruded([list(p) for p in points], height)
    if not isinstance(paths, list):
        raise call.wrong("paths is a list of lists of vertices", "give paths = [[0, 1, 2], …]")
    rings = paths if all(isinstance(path, list) for path in paths) else [paths]
    loops = [_extruded([_vertex(points, index, call) for index in ring], height) for ring in rings]
    return csg_patterns.combined("difference", loops[0], loops[1:])


def _vertex(points: list[Any], index: Any, call: Call) -> list[Fraction]:
    if not isinstance(index, Fraction) or index.denominator != 1 or not 0 <= index < len(points):
        raise call.wrong(f"paths names a vertex of {len(points)} that is not there", "vertices count from 0")
    return list(points[int(index)])


def _is_point(point: Any) -> bool:
    return isinstance(point, list) and len(point) == 2 and all(isinstance(c, Fraction) for c in point)


def _cylinder(call: Call, height: Fraction | None) -> Data:
    _refuse_within(call, height)
    tall = call.number("h", "0", default=Fraction(1))
    both = call.get("r", "d")
    base = _radius(call, "r1", "d1", "1") if both is None else _radius(call, "r", "d")
    top = (
        base
        if both is not None
        else _radius(call, "r2", "d2", "2", default=base if call.get("r1", "d1", "1") else None)
    )
    if base == top:
        chords = _chords(call)
        shape: Data = (
            {"cylinder": {"radius": base, "height": tall}}
            if chords is None
            else _extruded(_regular(base, chords), tall)
        )
    else:
        shape = {"cone": {"radius": [base, top], "height": tall}}
    down = [{"move": [Fraction(0), Fraction(0), -tall / 2]}] if call.get("center", "3") is True else []
    return csg_patterns.with_moves(shape, down)


def _sphere(call: Call, height: Fraction | None) -> Data:
    _refuse_within(call, height)
    return {"sphere": _radius(call, "r", "d", "0")}


def _refuse_within(call: Call, height: Fraction | None) -> None:
    if height is not None:
        raise call.wrong(f"a {call.name} cannot be extruded", "extrude flat objects")


def _radius(
    call: Call, radius: str, diameter: str, place: str = "", default: Fraction | None = None
) -> Fraction:
    if call.get(diameter) is not None:
        return call.number(diameter) / 2
    keys = (radius, place) if place else (radius,)
    return call.number(*keys, default=Fraction(1) if default is None else default)


def _chords(call: Call) -> int | None:
    """The number of chords where they are few enough to be meant."""
    chords = call.get("$fn")
    if not isinstance(chords, Fraction) or chords.denominator != 1 or not 3 <= chords < _ROUND_FROM:
        return None
    return int(chords)


def _regular(radius: Fraction, count: int) -> list[list[Any]]:
    r = float(radius)
    angles = [math.tau * i / count for i in range(count)]
    return [[number(r * math.cos(a)), number(r * math.sin(a))] for a in angles]


def _extruded(points: list[Any], height: Fraction | None) -> Data:
    return {"outline": points} if height is None else {"prism": {"outline": points, "height": height}}


def _centred(shape: Data, sides: list[Fraction], call: Call) -> Data:
    if call.get("center", "1") is not True:
        return shape
    return csg_patterns.with_moves(shape, [{"move": _three([-side / 2 for side in sides])}])


def _translate(call: Call, shape: Data) -> Data:
    return csg_patterns.with_moves(shape, [{"move": call.vector("v", "0")}])


def _rotate(call: Call, shape: Data) -> Data:
    angle = call.get("a", "0")
    axis = call.get("v", "1")
    if isinstance(angle, Fraction):
        about = {"about": call.vector("v", "1")} if axis is not None else {}
        return csg_patterns.with_moves(shape, [{"turn_deg": angle, **about}])
    angles = call.vector("a", "0")
    moves = [
        {"turn_deg": a, **({} if axis == "z" else {"about": axis})}
        for a, axis in zip(angles, "xyz", strict=True)
    ]
    return csg_patterns.with_moves(shape, moves)


def _mirror(call: Call, shape: Data) -> Data:
    return csg_patterns.with_moves(shape, [{"mirror": call.vector("v", "0")}])


def _scale(call: Call, shape: Data) -> Data:
    value = call.get("v", "0")
    ones = [Fraction(1)] * 3
    # A vector of two leaves heights as they are.
    factors = [value] * 3 if isinstance(value, Fraction) else [*call.vector("v", "0")[: len(value)], *ones]
    problem = call.wrong("a scale other than one factor above zero is not read", "draw it at its size")
    if min(factors) <= 0:
        raise problem
    return _stretched(call, shape, factors, problem)


def _stretched(call: Call, shape: Data, factors: list[Fraction], problem: TextError) -> Data:
    x, y, z = factors[:3]
    if call.extruded:
        z = Fraction(1)
    elif is_flat(shape, call.line):
        z = x  # which has nothing to act on, so that one factor in the plane is one factor
    try:
        return stretched(shape, (x, y, z))
    except BentError:
        raise problem from None


def _multmatrix(call: Call, shape: Data) -> Data:
    """A matrix as scaling along the axes, mirror, rotation and move."""
    rows = call.get("m", "0")
    if not isinstance(rows, list) or len(rows) < 3 or not all(_is_row(row) for row in rows):
        raise call.wrong("multmatrix takes a matrix of numbers", "give four rows of four numbers")
    rows = _of_plane(rows) if call.extruded or is_flat(shape, call.line) else rows
    problem = call.wrong("a matrix that bends or stretches is not read", "use rotations, moves and one scale")
    sizes = [math.hypot(*(float(row[i]) for row in rows[:3])) for i in range(3)]
    if 0 in sizes:
        raise problem
    unit = [[float(row[i]) / sizes[i] for i in range(3)] for row in rows[:3]]
    if _skew(unit) > _MATRIX_DIGITS:
        raise problem
    shape = _stretched(call, shape, _factors(rows, sizes), problem)
    moves: list[Data] = []
    if determinant(unit) < 0:
        moves.append({"mirror": "x"})
        unit = [[-row[0], row[1], row[2]] for row in unit]
    moves += _rotation(unit, call)
    moves.append({"move": _three([row[3] if len(row) > 3 else Fraction(0) for row in rows[:3]])})
    return csg_patterns.with_moves(shape, moves)


def _of_plane(rows: list[list[Fraction]]) -> list[list[Fraction]]:
    """What a matrix does to flat objects: heights stay."""
    zero, one = Fraction(0), Fraction(1)
    return [*([row[0], row[1], zero, *row[3:]] for row in rows[:2]), [zero, zero, one]]


def _factors(rows: list[list[Fraction]], sizes: list[float]) -> list[Fraction]:
    """The lengths of the columns: as written where that is one number, else within the digits there are."""
    columns = [[row[i] for row in rows[:3] if row[i] != 0] for i in range(3)]
    if all(len(column) == 1 for column in columns):
        return [abs(column[0]) for column in columns]
    mean = sum(sizes) / 3
    if max(abs(size - mean) for size in sizes) <= _MATRIX_DIGITS * mean:
        sizes = [mean] * 3
    return [
        Fraction(1) if abs(size - 1) <= _MATRIX_DIGITS else Fraction(number(round(size, 5))) for size in sizes
    ]


def _is_row(row: Any) -> bool:
    return isinstance(row, list) and 3 <= len(row) <= 4 and all(isinstance(c, Fraction) for c in row)


def _skew(m: list[list[float]]) -> float:
    """How far from a rotation or mirror: the largest entry of m mᵀ - 1."""
    return max(abs(sum(m[i][k] * m[j][k] for k in range(3)) - (i == j)) for i in range(3) for j in range(3))


def _rotation(m: list[list[float]], call: Call) -> list[Data]:
    """A rotation matrix as one rotation about one axis."""
    axis = [m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]]
    sine, cosine = math.hypot(*axis) / 2, (m[0][0] + m[1][1] + m[2][2] - 1) / 2
    degrees = math.degrees(math.atan2(sine, cosine))
    if degrees < math.degrees(_MATRIX_DIGITS):
        return []
    if sine <= _MATRIX_DIGITS:
        # Half a revolution: the axis is the column of (m + 1)/2 that is largest.
        k = max(range(3), key=lambda i: m[i][i])
        axis = [m[i][k] + (i == k) for i in range(3)]
    largest = max(axis, key=abs)
    axis = [c / largest for c in axis]
    if largest < 0:
        degrees = -degrees
    angle = Fraction(round(degrees / float(_TURN_STEP))) * _TURN_STEP
    if abs(math.radians(float(angle) - degrees)) > _MATRIX_DIGITS:
        raise call.wrong("its rotation cannot be determined", "use rotate")
    plain = [abs(c) <= _MATRIX_DIGITS for c in axis]
    if sum(plain) == 2:
        about: Any = "xyz"[plain.index(False)]
        return [{"turn_deg": angle, **({} if about == "z" else {"about": about})}]
    return [{"turn_deg": angle, "about": [number(round(c, 6)) for c in axis]}]


def _three(vector: list[Fraction]) -> list[Fraction]:
    return vector + [Fraction(0)] * (3 - len(vector))


def _unchanged(call: Call, shape: Data) -> Data:
    return shape


PRIMITIVES: dict[str, Callable[[Call, Fraction | None], Data]] = {
    "cube": _cube,
    "cylinder": _cylinder,
    "sphere": _sphere,
    "square": _square,
    "circle": _circle,
    "polygon": _polygon,
}
OPERATIONS = {"union": "union", "difference": "difference", "intersection": "intersection", "group": "union"}
MOTIONS: dict[str, Callable[[Call, Data], Data]] = {
    "translate": _translate,
    "rotate": _rotate,
    "mirror": _mirror,
    "scale": _scale,
    "multmatrix": _multmatrix,
    "color": _unchanged,
    "render": _unchanged,
}
