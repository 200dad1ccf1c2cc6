"""The System: a mechanism of the plane compiled to arrays, what the kernels see.

Lengths are metres, angles radians. Points and directions are complex numbers,
so that a turn is a product. A marker without a direction looks along its part's
x; `at` on a joint stands for a marker on each part, directed as the world.
Angles are continuous: a pose's turn is never wrapped, and the whole number of
half turns in a slide or of full turns in an angle is settled as drawn.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Literal

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import with_article
from detent.foundation.tolerance import Tolerance
from detent.foundation.units import metres
from detent.model.document.base import Axis, Vector, angle_of
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.document.part import Marker, Pose
from detent.model.machine.graph import part_of, parts_of

Kind = Literal["revolute", "prismatic", "fixed", "in_line", "angle", "gear"]
PlaneFrame = tuple[complex, float]  # origin [m], turn [rad]

# Joints of the document that mean the same in the plane; those that hold nothing are left out.
_IN_THE_PLANE: dict[str, Kind | None] = {
    "revolute": "revolute",
    "spherical": "revolute",
    "prismatic": "prismatic",
    "fixed": "fixed",
    "in_line": "in_line",
    "angle": "angle",
    "gear": "gear",
    "planar": None,
    "elastic": None,
}
EQUATIONS: dict[Kind, int] = {
    "revolute": 2,
    "prismatic": 2,
    "fixed": 3,
    "in_line": 1,
    "angle": 1,
    "gear": 1,
}


@dataclass(frozen=True)
class PlanePoint:
    """A marker, in its part's frame."""

    part: int
    at: complex  # [m]
    turn: float  # [rad] of its direction


@dataclass(frozen=True)
class PlaneJoint:
    """A joint between two marks.

    `offset` is the turn from the first mark's direction to the second's that a
    slide, a weld or an angle holds. A gear holds
    (turn of b - carrier) - ratio (turn of a - carrier) = offset.
    """

    name: str
    kind: Kind
    a: PlanePoint
    b: PlanePoint
    offset: float = 0.0
    ratio: float = 0.0
    carrier: int = -1  # part against which a gear's turns count; -1: the world
    low: float = -math.inf  # [rad, m] limits of the coordinate
    high: float = math.inf


@dataclass(frozen=True)
class System:
    """Parts as rows, joints as pairs of marks, in document order."""

    parts: tuple[str, ...]
    fixed: tuple[bool, ...]
    drawn: tuple[PlaneFrame, ...]  # pose of each part as drawn
    marks: dict[str, PlanePoint]  # by part.marker
    pairs: tuple[PlaneJoint, ...]
    metre: float  # length of one document unit [m]
    size: float  # [m] extent of the mechanism
    tolerance: Tolerance
    index: dict[str, int] = field(default_factory=dict)  # of a joint among the pairs

    @property
    def moving(self) -> tuple[int, ...]:
        return tuple(i for i, fixed in enumerate(self.fixed) if not fixed)


def compile_system(mechanism: Mechanism) -> System:
    """The System of a mechanism of the plane; ModelError or UnsupportedError where there is none."""
    _refuse_space(mechanism)
    metre = metres(mechanism.units)
    names = tuple(mechanism.parts)
    row = {name: i for i, name in enumerate(names)}
    drawn = _poses(mechanism, metre)
    marks = {
        f"{name}.{key}": _mark(row[name], mark, metre)
        for name, part in mechanism.parts.items()
        for key, mark in part.markers.items()
    }
    pairs = [
        pair
        for name, joint in mechanism.joints.items()
        if (pair := _pair(name, joint, mechanism, row, marks, drawn, metre)) is not None
    ]
    size = _size(drawn, [*marks.values(), *(m for p in pairs for m in (p.a, p.b))])
    return System(
        parts=names,
        fixed=tuple(part.fixed for part in mechanism.parts.values()),
        drawn=drawn,
        marks=marks,
        pairs=tuple(pairs),
        metre=metre,
        size=size,
        tolerance=Tolerance.for_size(size),
        index={pair.name: i for i, pair in enumerate(pairs)},
    )


def with_pairs(system: System, pairs: tuple[PlaneJoint, ...]) -> System:
    """The same parts, joined otherwise."""
    return replace(system, pairs=pairs, index={pair.name: i for i, pair in enumerate(pairs)})


def turned(angle: float) -> complex:
    """The unit direction at an angle; exact at quarter turns."""
    quarters = angle / (math.pi / 2)
    if quarters == round(quarters):
        return (1, 1j, -1, -1j)[round(quarters) % 4]
    return cmath.rect(1.0, angle)


def _refuse_space(mechanism: Mechanism) -> None:
    if mechanism.dimension != 2:
        raise UnsupportedError(
            "this method moves linkages of the plane, and the document is in space",
            "set dimension = 2 where it moves in a plane; no method here moves linkages in space yet",
            at="dimension",
        )
    for name, joint in mechanism.joints.items():
        if joint.type not in _IN_THE_PLANE:
            raise UnsupportedError(
                f"{with_article(joint.type)} joint has no meaning for a linkage of the plane",
                "write the joint as revolute, prismatic, in_line or angle",
                at=f"joints.{name}.type",
            )


def _poses(mechanism: Mechanism, metre: float) -> tuple[PlaneFrame, ...]:
    known: dict[str, PlaneFrame] = {}

    def pose(name: str) -> PlaneFrame:
        if name not in known:
            known[name] = _pose(mechanism.parts[name].pose, metre, on)
        return known[name]

    def on(end: str) -> PlaneFrame:
        part, _, key = end.partition(".")
        return compose(pose(part), _frame(_mark(0, mechanism.parts[part].markers[key], metre)))

    return tuple(pose(name) for name in mechanism.parts)


def _pose(pose: Pose | None, metre: float, on: Callable[[str], PlaneFrame]) -> PlaneFrame:
    if pose is None:
        return 0j, 0.0
    turn = angle_of(pose.turn, pose.turn_deg)
    if pose.along is not None:
        turn = cmath.phase(_complex(pose.along, 1.0))
    local = (_complex(pose.at, metre) if pose.at is not None else 0j, turn or 0.0)
    if pose.on is None:
        return local
    return compose(on(pose.on), local)


def compose(outer: PlaneFrame, inner: PlaneFrame) -> PlaneFrame:
    """A frame given in another, in the frame that the other is given in."""
    return outer[0] + turned(outer[1]) * inner[0], outer[1] + inner[1]


def in_frame(frame: PlaneFrame, point: complex) -> complex:
    """A point of the world, in a frame."""
    return (point - frame[0]) * turned(frame[1]).conjugate()


def _frame(mark: PlanePoint) -> PlaneFrame:
    return mark.at, mark.turn


def _mark(part: int, mark: Vector | Marker, metre: float) -> PlanePoint:
    if not isinstance(mark, Marker):
        return PlanePoint(part, _complex(mark, metre), 0.0)
    turn = angle_of(mark.turn, mark.turn_deg)
    if mark.along is not None:
        turn = cmath.phase(_complex(mark.along, 1.0))
    return PlanePoint(part, _complex(mark.at, metre), turn or 0.0)


def _pair(
    name: str,
    joint: Joint,
    mechanism: Mechanism,
    row: dict[str, int],
    marks: dict[str, PlanePoint],
    drawn: tuple[PlaneFrame, ...],
    metre: float,
) -> PlaneJoint | None:
    kind = _IN_THE_PLANE[joint.type]
    if kind is None or all(mechanism.parts[part].fixed for part in parts_of(joint)):
        return None
    a, b = (_end(name, joint, i, kind, row, marks, drawn, metre) for i in (0, 1))
    if kind == "gear":
        assert joint.ratio is not None
        ratio, carrier = float(joint.ratio), _carrier(mechanism, joint, row)
        turn = [drawn[m.part][1] - (drawn[carrier][1] if carrier >= 0 else 0.0) for m in (a, b)]
        return PlaneJoint(name, kind, a, b, offset=turn[1] - ratio * turn[0], ratio=ratio, carrier=carrier)
    low, high = _limits(joint, metre if kind == "prismatic" else 1.0)
    return PlaneJoint(name, kind, a, b, offset=_offset(joint, kind, a, b, drawn), low=low, high=high)


def _limits(joint: Joint, scale: float) -> tuple[float, float]:
    if joint.limits is None or joint.type not in ("revolute", "prismatic"):
        return -math.inf, math.inf
    low = angle_of(joint.limits.min, joint.limits.min_deg)
    high = angle_of(joint.limits.max, joint.limits.max_deg)
    return -math.inf if low is None else scale * low, math.inf if high is None else scale * high


def _offset(joint: Joint, kind: Kind, a: PlanePoint, b: PlanePoint, drawn: tuple[PlaneFrame, ...]) -> float:
    """The turn that the joint holds, with the whole turns of the drawing."""
    shown = drawn[b.part][1] + b.turn - drawn[a.part][1] - a.turn
    if kind == "prismatic":  # a line on a line, either way round
        return math.pi * round(shown / math.pi)
    if kind == "angle":
        value = angle_of(joint.value, joint.value_deg) or 0.0
        return value + 2 * math.pi * round((shown - value) / (2 * math.pi))
    return shown if kind == "fixed" else 0.0


def _end(
    name: str,
    joint: Joint,
    i: int,
    kind: Kind,
    row: dict[str, int],
    marks: dict[str, PlanePoint],
    drawn: tuple[PlaneFrame, ...],
    metre: float,
) -> PlanePoint:
    end = joint.between[i]
    part = row[part_of(end)]
    if end in marks:
        return marks[end]
    if kind == "gear" or (kind == "angle" and joint.at is None):
        return PlanePoint(part, 0j, 0.0)
    if joint.at is None and not (kind == "prismatic" and joint.along is not None):
        raise ModelError.at(
            f"joints.{name}.between.{i}",
            f"{end!r} names a part, and the joint has no `at`",
            "name a marker (part.marker), or give `at`",
        )
    at_W = _complex(joint.at, metre) if joint.at is not None else 0j
    turn_W = _turn_of(joint.along)
    return PlanePoint(part, in_frame(drawn[part], at_W), turn_W - drawn[part][1])


def _turn_of(along: Axis | None) -> float:
    if along is None or along in ("x", "z"):
        return 0.0
    if along == "y":
        return math.pi / 2
    assert isinstance(along, tuple)
    return cmath.phase(_complex(along, 1.0))


def _carrier(mechanism: Mechanism, joint: Joint, row: dict[str, int]) -> int:
    """The moving part that carries the axes of both wheels; the world where a fixed part does, or none."""
    wheels = parts_of(joint)
    pins = _pins(mechanism)
    first, second = ({p for pin in pins if wheel in pin for p in pin} for wheel in wheels)
    both = (first & second) - set(wheels)
    if any(mechanism.parts[name].fixed for name in both):
        return -1
    return next((row[name] for name in row if name in both), -1)


def _pins(mechanism: Mechanism) -> list[set[str]]:
    """Parts on each pin: joints that share a point of a part are one pin, so that a sun and its arm meet."""
    pins: list[tuple[set[tuple[str, object]], set[str]]] = []
    for pin in mechanism.joints.values():
        if pin.type != "revolute":
            continue
        points = {(part_of(end), _spot(mechanism, pin, end)) for end in pin.between}
        parts = set(parts_of(pin))
        for other in [other for other in pins if other[0] & points]:
            points, parts = points | other[0], parts | other[1]
            pins.remove(other)
        pins.append((points, parts))
    return [parts for _, parts in pins]


def _spot(mechanism: Mechanism, joint: Joint, end: str) -> object:
    part, _, key = end.partition(".")
    if not key:
        return joint.at
    mark = mechanism.parts[part].markers[key]
    return mark.at if isinstance(mark, Marker) else mark


def _complex(point: Vector, scale: float) -> complex:
    return complex(float(point[0]) * scale, float(point[1]) * scale)


def _size(drawn: tuple[PlaneFrame, ...], marks: list[PlanePoint]) -> float:
    points = [drawn[m.part][0] + turned(drawn[m.part][1]) * m.at for m in marks]
    if not points:
        return 1.0
    xs, ys = [p.real for p in points], [p.imag for p in points]
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys)) or max(abs(p) for p in points) or 1.0
