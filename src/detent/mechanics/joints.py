"""What joints forbid: rows on the velocity vector that are always zero, exactly, as drawn.

A joint holds translations of its point and turns about its axis. `Bodies` says
which entries of the velocity vector belong to which part; fixed parts have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from detent.foundation.errors import UnsupportedError
from detent.geometry.frame import AXES, Exact3, Frame, exact3
from detent.mechanics.row import GROUND, body_freedoms, place, tangent_frame, wrench_row
from detent.model.document.axes import axis_vector
from detent.model.document.joint import Joint
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import part_of
from detent.model.machine.poses import marker_frame, world_poses

_ALL = tuple(AXES.values())


@dataclass(frozen=True)
class Bodies:
    """The parts that can move, in the document's order, and where every part stands."""

    mechanism: Mechanism
    names: tuple[str, ...]
    poses: dict[str, Frame]

    @classmethod
    def of(cls, mechanism: Mechanism) -> Bodies:
        moving = tuple(name for name, part in mechanism.parts.items() if not part.fixed)
        return cls(mechanism, moving, world_poses(mechanism))

    @property
    def freedoms(self) -> int:
        return len(self.names) * body_freedoms(self.mechanism.dimension)

    def number(self, part: str) -> int:
        """A part's place in the velocity vector; GROUND for a fixed one."""
        return self.names.index(part) if part in self.names else GROUND

    def pair(self, first: str, second: str) -> tuple[int, int]:
        return self.number(first), self.number(second)

    def row(self, point: Exact3, direction: Exact3, pair: tuple[int, int]) -> list[Any]:
        """Velocity of the second part's point past the first's, along a direction."""
        plane = self.mechanism.dimension
        return place(wrench_row(point[:plane], direction[:plane]), pair, self.freedoms)

    def turn(self, axis: Exact3, pair: tuple[int, int]) -> list[Any]:
        """Turn of the second part past the first, about an axis."""
        own = [0, 0, axis[2]] if self.mechanism.dimension == 2 else [0, 0, 0, *axis]
        return place(own, pair, self.freedoms)


@dataclass(frozen=True)
class ConstraintRow:
    """What a joint forbids: a velocity of the second part past the first at a point, or (no point) a turn.

    The direction goes with the first part. The row of a gear has no direction of its own that turns.
    """

    pair: tuple[int, int]
    direction: Exact3
    point: Exact3 | None
    row: list[Any]


def constraint_rows(bodies: Bodies) -> list[ConstraintRow]:
    """All that the joints forbid; what is redundant does no harm."""
    made: list[ConstraintRow] = []
    for name, joint in bodies.mechanism.joints.items():
        made += _holds(bodies, name, joint)
    return [hold for hold in made if any(hold.row)]


def held_rows(bodies: Bodies) -> list[list[Any]]:
    """The rows of all joints."""
    return [hold.row for hold in constraint_rows(bodies)]


def _holds(bodies: Bodies, name: str, joint: Joint) -> list[ConstraintRow]:
    if joint.type == "elastic":
        return []  # it gives way in every direction
    if joint.type == "infer":
        raise UnsupportedError(
            "what this joint holds is still to be found from shapes", "write its type", f"joints.{name}"
        )
    if joint.type == "gear":
        still = (Fraction(0),) * 3  # the wheels turn about one axis, which their carrier takes along
        return [ConstraintRow((GROUND, GROUND), still, None, _gear(bodies, joint))]
    first, second = (part_of(end) for end in joint.between)
    pair = bodies.pair(first, second)
    point, other, axis = _placed(bodies, joint)
    moves, turns = _held(joint, axis, bodies.mechanism.dimension)
    at = other if joint.type == "in_line" else point
    return [ConstraintRow(pair, d, at, bodies.row(at, d, pair)) for d in moves] + [
        ConstraintRow(pair, d, None, bodies.turn(d, pair)) for d in turns
    ]


def _held(joint: Joint, axis: Exact3, dimension: int) -> tuple[list[Exact3], list[Exact3]]:
    """Directions in which a joint holds translation, and axes about which it holds turning."""
    across = _across(axis, dimension)
    everywhere = list(_ALL[:dimension])
    about = [AXES["z"]] if dimension == 2 else list(_ALL)
    tilts = [] if dimension == 2 else across
    table: dict[str, tuple[list[Exact3], list[Exact3]]] = {
        "revolute": (everywhere, tilts),
        "spherical": (everywhere, []),
        "fixed": (everywhere, about),
        "prismatic": (across, about),
        "cylindrical": (across, tilts),
        "planar": ([] if dimension == 2 else [axis], tilts),
        "in_line": (across, []),
        "angle": ([], [axis] if dimension == 3 else about),
    }
    return table[joint.type]


def _across(axis: Exact3, dimension: int) -> list[Exact3]:
    if dimension == 2:
        return [(-axis[1], axis[0], Fraction(0))]
    return [exact3(tuple(t)) for t in tangent_frame(axis, equal=False)]


def _placed(bodies: Bodies, joint: Joint) -> tuple[Exact3, Exact3, Exact3]:
    """The joint's point on the first part, on the second, and its axis, in the world."""
    slides = bodies.mechanism.dimension == 2 and joint.type in ("prismatic", "cylindrical", "in_line")
    usual = AXES["x"] if slides else AXES["z"]
    if joint.at is not None:
        along = axis_vector(joint.along) if joint.along is not None else usual
        return exact3(joint.at), exact3(joint.at), along
    first, second = (
        bodies.poses[part_of(end)] @ (marker_frame(bodies.mechanism, end) if "." in end else Frame())
        for end in joint.between
    )
    along = axis_vector(joint.along) if joint.along is not None else first.direct(usual)
    return first.origin, second.origin, along


def _gear(bodies: Bodies, joint: Joint) -> list[Any]:
    """Turn of the second wheel = ratio x turn of the first, both past what carries them."""
    first, second = (part_of(end) for end in joint.between)
    carrier = _carrier(bodies, first, second)
    axis = axis_vector(joint.along) if joint.along is not None else AXES["z"]
    one = bodies.turn(axis, (carrier, bodies.number(first)))
    two = bodies.turn(axis, (carrier, bodies.number(second)))
    ratio = joint.ratio
    assert ratio is not None, "a gear without a ratio is refused by the reader"
    return [b - ratio * a for a, b in zip(one, two, strict=True)]


def _carrier(bodies: Bodies, first: str, second: str) -> int:
    """The part that both wheels turn on; the ground where the document names none."""

    def bearers(wheel: str) -> list[str]:
        ends = [
            tuple(part_of(end) for end in joint.between)
            for joint in bodies.mechanism.joints.values()
            if joint.type == "revolute"
        ]
        return [a if b == wheel else b for a, b in ends if wheel in (a, b)]

    both = [part for part in bearers(first) if part in bearers(second)]
    return bodies.number(both[0]) if both else GROUND
