"""What joints forbid: rows on the velocity vector that are always zero, exactly, as drawn.

A joint constrains translations of its point and rotations about its axis. `Bodies` says
which entries of the velocity vector belong to which part; fixed parts have none.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from detent.foundation.errors import UnsupportedError
from detent.geometry.frame import AXES, Exact3, Frame, exact3
from detent.mechanics.row import GROUND, body_freedoms, pair_row, tangent_frame, wrench_row
from detent.model.document.mechanism import Mechanism
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import Placed, PlacedJoint, place

_ORIGIN: Exact3 = (Fraction(0), Fraction(0), Fraction(0))


@dataclass(frozen=True)
class Bodies:
    """The parts that can move, in the document's order, and where every part is."""

    placed: Placed
    names: tuple[str, ...]

    @classmethod
    def of(cls, mechanism: Mechanism) -> Bodies:
        moving = tuple(name for name, part in mechanism.parts.items() if not part.fixed)
        return cls(place(mechanism), moving)

    @property
    def mechanism(self) -> Mechanism:
        return self.placed.mechanism

    @property
    def poses(self) -> dict[str, Frame]:
        return self.placed.frames

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
        return pair_row(wrench_row(point[:plane], direction[:plane]), pair, self.freedoms)

    def rotation_row(self, axis: Exact3, pair: tuple[int, int]) -> list[Any]:
        """Rotation of the second part past the first, about an axis."""
        row = [0, 0, axis[2]] if self.mechanism.dimension == 2 else [0, 0, 0, *axis]
        return pair_row(row, pair, self.freedoms)


@dataclass(frozen=True)
class ConstraintRow:
    """What a joint forbids of the second part past the first: a velocity at a point, or (no point) rotation.

    The direction goes with the first part. The row of a gear has no direction of its own that turns.
    """

    pair: tuple[int, int]
    direction: Exact3
    point: Exact3 | None
    row: list[Any]


def constraint_rows(bodies: Bodies) -> list[ConstraintRow]:
    """All that the joints forbid; what is redundant does no harm."""
    rows = [row for joint in bodies.placed.joints.values() for row in _rows_of(bodies, joint)]
    return [row for row in rows if any(row.row)]


def held_rows(bodies: Bodies) -> list[list[Any]]:
    """The rows of all joints."""
    return [constraint.row for constraint in constraint_rows(bodies)]


def _rows_of(bodies: Bodies, joint: PlacedJoint) -> list[ConstraintRow]:
    if not joint.type.known:
        at = f"joints.{joint.name}"
        raise UnsupportedError("what this joint holds is still to be found from shapes", "write its type", at)
    if joint.type.couples:
        still = (Fraction(0),) * 3  # the wheels turn about one axis, which their carrier takes along
        return [ConstraintRow((GROUND, GROUND), still, None, _gear(bodies, joint))]
    pair = bodies.pair(*parts_of(joint.joint))
    translations, rotations = _held(joint, bodies.mechanism.dimension)
    rows = [ConstraintRow(pair, axis, None, bodies.rotation_row(axis, pair)) for axis in rotations]
    if not translations:
        return rows
    point, other = joint.points_in_world or (_ORIGIN, _ORIGIN)
    at_point = other if joint.type.meets == "line" and joint.type.rotations == "none" else point
    return [ConstraintRow(pair, d, at_point, bodies.row(at_point, d, pair)) for d in translations] + rows


def _held(joint: PlacedJoint, dimension: int) -> tuple[list[Exact3], list[Exact3]]:
    """Directions in which a joint constrains translation, and axes about which it constrains rotation."""
    if dimension == 2 and joint.type.in_plane == "nothing":
        return [], []
    axis, every = joint.axis_in_world, list(AXES.values())
    across = _across(axis, dimension) if "across" in (joint.type.translations, joint.type.rotations) else []
    translations = {"none": [], "axis": [axis], "across": across, "all": every[:dimension]}
    if dimension == 2:
        rotations = {"none": [], "axis": [AXES["z"]], "across": [], "all": [AXES["z"]]}
    else:
        rotations = {"none": [], "axis": [axis], "across": across, "all": every}
    return translations[joint.type.translations], rotations[joint.type.rotations]


def _across(axis: Exact3, dimension: int) -> list[Exact3]:
    if dimension == 2:
        return [(-axis[1], axis[0], Fraction(0))]
    return [exact3(tuple(t)) for t in tangent_frame(axis, equal=False)]


def _gear(bodies: Bodies, joint: PlacedJoint) -> list[Any]:
    """Angle of the second wheel = ratio x angle of the first, both past what carries them."""
    first, second = parts_of(joint.joint)
    carrier = GROUND if joint.carrier is None else bodies.number(joint.carrier)
    axis = joint.axis_in_world
    one = bodies.rotation_row(axis, (carrier, bodies.number(first)))
    two = bodies.rotation_row(axis, (carrier, bodies.number(second)))
    ratio = joint.joint.ratio
    assert ratio is not None, "a gear without a ratio is refused by the reader"
    return [b - ratio * a for a, b in zip(one, two, strict=True)]
