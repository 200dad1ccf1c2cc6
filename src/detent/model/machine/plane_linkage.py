"""The plane linkage: a System that moves in one plane, what the linkage engine sees.

Lengths are metres, angles radians. Points and directions are complex numbers,
so that a rotation is a product. A marker without a direction looks along its part's
x; `at` on a joint means a marker on each part, directed as the world.
Angles are continuous: a pose's angle is never wrapped, and the whole number of
half revolutions in a slide or of full revolutions in an angle is settled as drawn.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import with_article
from detent.foundation.tolerance import Tolerance
from detent.foundation.units import unit_names
from detent.geometry.frame import AXES, axis_words
from detent.model.document.joint_types import JOINT_TYPES
from detent.model.document.mechanism import Mechanism
from detent.model.machine.seen_along import axis_seen_along
from detent.model.machine.system import WORLD, System, SystemJoint, compile_system, drawn_turns
from detent.numeric.union_find import Groups

Kind = Literal["revolute", "prismatic", "fixed", "in_line", "angle", "gear"]
PlaneFrame = tuple[complex, float]  # origin [m], angle [rad]

# What a joint is for a plane linkage: of its own kind, a pin, or (None) it holds nothing and is left out.
_KINDS: dict[str, Kind | None] = {
    name: {"same": name, "nothing": None}.get(joint_type.in_plane, joint_type.in_plane)  # type: ignore[misc]
    for name, joint_type in JOINT_TYPES.items()
    if joint_type.in_plane != "none"
}
# A joint type that is "same" here and that the planner does not know would be left out in silence.
assert {kind for kind in _KINDS.values() if kind is not None} <= set(get_args(Kind)), (
    "a kind without equations"
)
EQUATIONS: dict[str, int] = {
    kind: JOINT_TYPES[kind].constraints(2) or 0 for kind in _KINDS.values() if kind is not None
}
# Kinds of joints that bring two points together, keep a point on a line, keep the angle between two parts.
MEET_AT_POINT = frozenset(kind for kind in EQUATIONS if JOINT_TYPES[kind].translations == "all")
MEET_ON_LINE = frozenset(kind for kind in EQUATIONS if JOINT_TYPES[kind].translations == "across")
KEEP_ANGLE = frozenset(kind for kind in EQUATIONS if JOINT_TYPES[kind].rotations in ("axis", "all"))


@dataclass(frozen=True)
class PlanePoint:
    """A marker, in its part's frame."""

    part: int
    at: complex  # [m]
    turn: float  # [rad] of its direction


@dataclass(frozen=True)
class PlaneJoint:
    """A joint between two marks.

    `offset` is the angle from the first mark's direction to the second's that a
    slide, a weld or an angle holds. A gear holds
    (angle of b - carrier) - ratio (angle of a - carrier) = offset.
    """

    name: str
    kind: Kind
    a: PlanePoint
    b: PlanePoint
    offset: float = 0.0
    ratio: float = 0.0
    carrier: int = -1  # part against which a gear's angles count; -1: the world
    low: float = -math.inf  # [rad, m] limits of the coordinate
    high: float = math.inf
    exchanged: bool = False  # a is the second end of the document's joint, whose axis points down


@dataclass(frozen=True)
class PlaneLinkage:
    """Parts as rows, joints as pairs of marks, in document order."""

    parts: tuple[str, ...]
    fixed: tuple[bool, ...]
    drawn: tuple[PlaneFrame, ...]  # pose of each part as drawn
    marks: dict[str, PlanePoint]  # by part.marker
    pairs: tuple[PlaneJoint, ...]
    metres_per_unit: float  # length of one document unit [m]
    units: str  # of the document
    size: float  # [m] extent of the mechanism
    tolerance: Tolerance
    index: dict[str, int] = field(default_factory=dict)  # of a joint among the pairs

    @property
    def moving(self) -> tuple[int, ...]:
        return tuple(i for i, fixed in enumerate(self.fixed) if not fixed)

    def told(self, metres: float, digits: int = 6) -> str:
        """A length in words, in document units."""
        return f"{metres / self.metres_per_unit:.{digits}g}{unit_names(self.units).length}"


def plane_linkage_of(mechanism: Mechanism) -> PlaneLinkage:
    """The linkage of a mechanism of the plane; ModelError or UnsupportedError where there is none."""
    system = compile_system(mechanism)
    if mechanism.dimension == 2:
        _refuse_other_joints(mechanism)
        return plane_view(system)
    try:
        linkage = plane_view(system)
        return with_pairs(linkage, tuple(_about_up(system, linkage, pair) for pair in linkage.pairs))
    except UnsupportedError as refusal:
        reason = refusal.problem.problem
        remedy = "set dimension = 2 where it moves in a plane; no method here moves linkages in space yet"
        if (axis := axis_seen_along(mechanism)) is not None:
            reason = f"its joints share the axis {axis_words(axis)}, and here it is seen along z"
            remedy = "draw it so that its joints turn about z; `detent move` looks along any axis"
        raise UnsupportedError(
            f"this method moves linkages of the plane, and the document is in space: {reason}",
            remedy,
            at=refusal.problem.at or "dimension",
        ) from None


def axis_sign(system: System, pair: PlaneJoint) -> float:
    """-1 of a pin or a held angle in space whose axis points down."""
    if system.dimension == 2 or pair.kind not in ("revolute", "angle"):
        return 1.0
    end = system.joint(pair.name).a
    return math.copysign(1.0, float((system.drawn.matrices[end.body][:3, :3] @ end.matrix[:, 2])[2]))


def _about_up(system: System, linkage: PlaneLinkage, pair: PlaneJoint) -> PlaneJoint:
    """A coordinate counts about the joint's axis: where that points down it is the angle from b to a."""
    if axis_sign(system, pair) > 0.0:
        return pair
    offset = _offset(system.joint(pair.name).value, pair.kind, pair.b, pair.a, linkage.drawn)
    return replace(pair, a=pair.b, b=pair.a, offset=offset, exchanged=True)


def plane_view(system: System) -> PlaneLinkage:
    """A System as a linkage of the plane: of a document of the plane, or of one in space that moves in xy.

    In space every moving part must be kept in the plane, by joints that lead to a fixed part.
    """
    for joint in system.joints:
        if not joint.type.known:
            raise _not_found(f"joints.{joint.name}")
    if system.dimension == 3:
        _refuse_leaving(system)
    drawn = tuple(_drawn_frames(system, i) for i in range(len(system.bodies)))
    marks = {
        f"{body.name}.{key}": _mark(system, i, f"{body.name}.{key}")
        for i, body in enumerate(system.bodies)
        for key in system.mechanism.parts[body.name].markers
    }
    pairs = [pair for joint in system.joints if (pair := _pair(system, joint, drawn)) is not None]
    size = _size(drawn, [*marks.values(), *(m for p in pairs for m in (p.a, p.b))])
    return PlaneLinkage(
        parts=tuple(body.name for body in system.bodies),
        fixed=tuple(body.fixed for body in system.bodies),
        drawn=drawn,
        marks=marks,
        pairs=tuple(pairs),
        metres_per_unit=system.metres_per_unit,
        units=system.mechanism.units,
        size=size,
        tolerance=Tolerance.for_size(size),
        index={pair.name: i for i, pair in enumerate(pairs)},
    )


def with_pairs(system: PlaneLinkage, pairs: tuple[PlaneJoint, ...]) -> PlaneLinkage:
    """The same parts, joined otherwise."""
    return replace(system, pairs=pairs, index={pair.name: i for i, pair in enumerate(pairs)})


def unit_direction(angle: float) -> complex:
    """The unit direction at an angle; exact at multiples of 90 degrees."""
    quarters = angle / (math.pi / 2)
    if quarters == round(quarters):
        return (1, 1j, -1, -1j)[round(quarters) % 4]
    return cmath.rect(1.0, angle)


def _refuse_other_joints(mechanism: Mechanism) -> None:
    for name, joint in mechanism.joints.items():
        if joint.type not in _KINDS:
            raise UnsupportedError(
                f"{with_article(joint.type)} joint has no meaning for a linkage of the plane",
                "write the joint as revolute, prismatic, in_line or angle",
                at=f"joints.{name}.type",
            )


def _drawn_frames(system: System, body: int) -> PlaneFrame:
    name = system.bodies[body].name
    frame = system.placed.frame(name)
    x, y, _ = frame.origin
    origin = complex(float(x) * system.metres_per_unit, float(y) * system.metres_per_unit)
    if system.dimension == 2:
        return origin, system.placed.angles[name]
    return origin, math.atan2(float(frame.rows[1][0]), float(frame.rows[0][0])) + drawn_turns(system, body)


def _mark(system: System, body: int, name: str) -> PlanePoint:
    frame = system.placed.marker(name)
    x, y, _ = frame.origin
    at = complex(float(x) * system.metres_per_unit, float(y) * system.metres_per_unit)
    if system.dimension == 2:
        return PlanePoint(body, at, system.placed.marker_angle(name))
    return PlanePoint(body, at, math.atan2(float(frame.rows[1][0]), float(frame.rows[0][0])))


def _pair(system: System, joint: SystemJoint, drawn: tuple[PlaneFrame, ...]) -> PlaneJoint | None:
    kind = _KINDS[joint.type.name]
    if kind is None or all(system.bodies[end.body].fixed for end in (joint.a, joint.b)):
        return None
    a, b = (_end(system, joint, i, kind) for i in (0, 1))
    if kind == "gear":
        angles = [
            drawn[m.part][1] - (drawn[joint.carrier][1] if joint.carrier != WORLD else 0.0) for m in (a, b)
        ]
        offset = angles[1] - joint.ratio * angles[0]
        return PlaneJoint(joint.name, kind, a, b, offset=offset, ratio=joint.ratio, carrier=joint.carrier)
    offset = _offset(joint.value, kind, a, b, drawn)
    return PlaneJoint(joint.name, kind, a, b, offset=offset, low=joint.low, high=joint.high)


def _end(system: System, joint: SystemJoint, i: int, kind: Kind) -> PlanePoint:
    end = (joint.a, joint.b)[i]
    placed = system.placed.joints.get(joint.name)
    if kind not in ("gear", "angle") and placed is not None and placed.type.known and placed.ends[i] is None:
        name = system.mechanism.joints[joint.name].between[i]
        raise ModelError.at(
            f"joints.{joint.name}.between.{i}",
            f"{name!r} names a part, and the joint has no `at`",
            "name a marker (part.marker), or give `at`",
        )
    return PlanePoint(end.body, end.point, end.angle)


def _refuse_leaving(system: System) -> None:
    """Refuse a machine in space of which a part can leave the plane, or a joint rotates out of it."""
    held = Groups([_GROUND, *(body.name for body in system.bodies)])
    for body in system.bodies:
        if body.fixed:
            held.join(_GROUND, body.name)
        elif not system.placed.frame(body.name).upright:
            raise _leaves(f"parts.{body.name}.pose", f"{body.name} is tilted out of the plane")
    for joint in system.joints:
        at = f"joints.{joint.name}"
        if not joint.type.known:
            raise _not_found(at)
        if joint.type.in_plane == "none":
            raise _leaves(at, f"a {joint.type.name} joint has no meaning for a linkage of the plane")
        if joint.type.name not in _ANY_AXIS and not _keeps_to_plane(system, joint):
            raise _leaves(at, _no_shared_axis(system, joint))
        if joint.type.holds_to_plane:
            held.join(*(system.bodies[end.body].name for end in (joint.a, joint.b)))
    for body in system.bodies:
        if held.head(body.name) != held.head(_GROUND):
            raise _leaves(f"parts.{body.name}", f"{body.name} can leave the plane")


def _no_shared_axis(system: System, joint: SystemJoint) -> str:
    """Why a joint does not let the machine move across one axis: with the first that disagrees, in words."""
    others = (
        o for o in system.joints if o.type.keeps_plane in ("axis z", "axis across z") and o is not joint
    )
    other = next((o for o in others if _keeps_to_plane(system, o)), None) or next(
        (o for o in system.joints if o is not joint and o.type.name not in _ANY_AXIS), None
    )
    parts = [system.bodies[end.body].name for end in (joint.a, joint.b)]
    moved = next((p for p in reversed(parts) if not system.mechanism.parts[p].fixed), parts[-1])
    own = f"{moved} {_moves(system, joint)}"
    if other is None:
        return f"{own}, which leads out of the plane"
    return f"{own}, and {other.name} {_moves(system, other)}: no axis is along all pins and across all slides"


def _moves(system: System, joint: SystemJoint) -> str:
    frame = system.placed.frame(system.bodies[joint.a.body].name) @ joint.a.frame
    return f"{'slides along' if joint.type.slides else 'turns about'} {axis_words(frame.direct(AXES['z']))}"


def _keeps_to_plane(system: System, joint: SystemJoint) -> bool:
    """Whether a slide runs in the plane, and anything else rotates about z."""
    for end in (joint.a, joint.b):
        frame = system.placed.frame(system.bodies[end.body].name) @ end.frame
        x, y, z = (float(c) for c in frame.direct(AXES["z"]))
        if (abs(z) if joint.type.slides else math.hypot(x, y)) > _TILTED:
            return False
    return True


# Of one: a direction along an irrational one is rounded, a tilted axis is not.
_TILTED = 1e-9


_GROUND = ""  # all fixed parts; no part has this name
_ANY_AXIS = ("fixed", "spherical", "elastic")  # joints whose axis holds nothing


def _not_found(at: str) -> UnsupportedError:
    remedy = "write its type, or draw it so that the shapes tell; `detent explain` says what they lack"
    return UnsupportedError("what this joint holds is still to be found from shapes", remedy, at=at)


def _leaves(at: str, problem: str) -> UnsupportedError:
    remedy = "join every moving part so that it stays in the plane, or use a method for space"
    return UnsupportedError(problem, remedy, at=at)


def _offset(value: float, kind: Kind, a: PlanePoint, b: PlanePoint, drawn: tuple[PlaneFrame, ...]) -> float:
    """The angle that the joint holds, with the whole revolutions of the drawing."""
    shown = drawn[b.part][1] + b.turn - drawn[a.part][1] - a.turn
    if kind == "prismatic":  # a line on a line, in either direction
        return math.pi * round(shown / math.pi)
    if kind == "angle":
        return value + 2 * math.pi * round((shown - value) / (2 * math.pi))
    return shown if kind == "fixed" else 0.0


def _size(drawn: tuple[PlaneFrame, ...], marks: list[PlanePoint]) -> float:
    points = [drawn[m.part][0] + unit_direction(drawn[m.part][1]) * m.at for m in marks]
    if not points:
        return 1.0
    xs, ys = [p.real for p in points], [p.imag for p in points]
    return math.hypot(max(xs) - min(xs), max(ys) - min(ys)) or max(abs(p) for p in points) or 1.0
