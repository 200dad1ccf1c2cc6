"""The System: a machine of the plane or of space, compiled for methods: bodies, joints, pairs, gravity. SI.

A Mechanism is what was written; a System is what methods see. Lengths are metres, angles radians; what costs
(solids, masses) is computed when first asked for. `plane_linkage.plane_view` is its view for plane linkages.

A body has no columns of velocity where it is fixed, or where it is driven along legs (a driven carrier often
has no mass): its velocity enters through the State.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.errors import ModelError, UnsupportedError
from detent.foundation.names import did_you_mean
from detent.foundation.tolerance import Tolerance
from detent.foundation.units import METRES
from detent.geometry import frame as frames
from detent.geometry.frame import Frame
from detent.geometry.pose import quaternion_of
from detent.model.document.base import angle_of
from detent.model.document.joint import Joint
from detent.model.document.joint_types import JOINT_TYPES, JointType
from detent.model.document.mechanism import Mechanism
from detent.model.machine.elastic.support import ElasticMatrices, elastic_matrices
from detent.model.machine.graph import parts_of
from detent.model.machine.placed import JointEnd, Placed, PlacedJoint, place
from detent.model.machine.poses import windings
from detent.model.machine.pushed.guided import guided_parts
from detent.model.machine.state import State
from detent.model.machine.touching import TouchingPairs

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.geometry.moments import Mass
    from detent.geometry.solid import Solid

    Floats = NDArray[np.float64]

WORLD = -1  # as a body: the one that everything else is counted against


@dataclass(frozen=True, eq=False)
class Body:
    """A part as a rigid body."""

    mechanism: Mechanism
    name: str
    fixed: bool
    driven: bool  # moved along the legs of a drive

    @cached_property
    def mass(self) -> Mass:
        """Mass, centre in the part's frame, inertia about it; ModelError where the document does not say."""
        from detent.model.machine.mass import part_mass

        return part_mass(self.mechanism, self.name)

    @cached_property
    def weight(self) -> tuple[float, tuple[float, float, float]]:
        """Mass and centre in the part's frame; ModelError where the document does not say."""
        from detent.model.machine.mass import part_weight

        return part_weight(self.mechanism, self.name)

    @property
    def density(self) -> float | None:
        """Its own, else its material's [kg/m³]."""
        from detent.model.machine.mass import part_density

        return part_density(self.mechanism, self.name)

    @cached_property
    def knows_mass(self) -> bool:
        """Whether the document says something of its mass."""
        part = self.mechanism.parts[self.name]
        return any(x is not None for x in (part.mass, part.inertia, self.density))

    @cached_property
    def solid(self) -> Solid | None:
        """Its shape in metres, in the part's frame, exact; None without a shape."""
        from detent.model.machine.solids import part_solid

        return part_solid(self.mechanism, self.name, scale=METRES[self.mechanism.units])


@dataclass(frozen=True, eq=False)
class SystemEnd:
    """One end of a joint: a frame fixed in a body."""

    body: int
    frame: Frame  # exact, in the body, in document units
    angle: float  # in the plane: its direction in the body [rad], in doubles
    metres_per_unit: float

    @cached_property
    def matrix(self) -> Floats:
        """(3, 4): axes and origin [m] in the body."""
        matrix: Floats = self.frame.matrix.copy()
        matrix[:, 3] *= self.metres_per_unit
        return matrix

    @property
    def point(self) -> complex:
        """In the plane: its origin in the body [m]."""
        x, y, _ = self.frame.origin
        return complex(float(x) * self.metres_per_unit, float(y) * self.metres_per_unit)


@dataclass(frozen=True, eq=False)
class SystemJoint:
    """A joint between two bodies. Limits, spring and damping act on its coordinate, an angle or a length."""

    name: str
    type: JointType
    a: SystemEnd
    b: SystemEnd
    axis_column: int  # of the ends' frames, that is the joint's axis: 0 for what slides in the plane, else 2
    value: float = 0.0  # of an angle joint: the angle held [rad]
    low: float = -math.inf
    high: float = math.inf
    stiffness: float = 0.0  # [N m/rad] or [N/m]
    rest: float = 0.0  # coordinate at which the spring is relaxed
    damping: float = 0.0  # [N m s/rad] or [N s/m]
    rubs: float = (
        0.0  # greatest friction per load: coefficient times radius [m] of a pin, coefficient of a slide
    )
    elastic: ElasticMatrices | None = None  # of an elastic joint
    ratio: float = 0.0
    carrier: int = WORLD  # of a gear: the body against which its angles count
    why: str = ""  # of a joint that was inferred


@dataclass(frozen=True, eq=False)
class System:
    """Bodies, joints and pairs in document order."""

    placed: Placed
    bodies: tuple[Body, ...]
    joints: tuple[SystemJoint, ...]
    gravity: Floats  # (3,) [m/s²]
    metres_per_unit: float
    drives_hold: bool = True  # whether parts that are driven along legs have no columns
    index: dict[str, int] = field(default_factory=dict)  # of bodies, by name

    @property
    def mechanism(self) -> Mechanism:
        return self.placed.mechanism

    @property
    def dimension(self) -> int:
        return self.mechanism.dimension

    @property
    def freedoms(self) -> int:
        """Of one body: 3 in the plane, 6 in space."""
        return 3 if self.dimension == 2 else 6

    @cached_property
    def touching(self) -> TouchingPairs:
        """The table of pairs: may they touch, with what friction and restitution."""
        return TouchingPairs(self.mechanism)

    @cached_property
    def pairs(self) -> tuple[tuple[int, int], ...]:
        """Pairs of bodies with shapes that may touch, a fixed one first, else in document order."""
        shaped = [body.name for body in self.bodies if self.mechanism.parts[body.name].shape is not None]
        pairs = ((self.index[a], self.index[b]) for a, b in self.touching.among(shaped))
        return tuple(
            (b, a) if self.bodies[b].fixed and not self.bodies[a].fixed else (a, b) for a, b in pairs
        )

    @cached_property
    def columns(self) -> NDArray[np.int64]:
        """Of each body, its first column of velocity; -1 where it is fixed or driven."""
        columns, column = np.full(len(self.bodies), -1, np.int64), 0
        for i, body in enumerate(self.bodies):
            if not (body.fixed or body.driven):
                columns[i] = column
                column += self.freedoms
        return columns

    @property
    def degrees(self) -> int:
        """Columns of velocity, before joints take degrees of freedom away."""
        return self.freedoms * int((self.columns >= 0).sum())

    @cached_property
    def drawn(self) -> State:
        """As drawn, at rest."""
        rows = [self._pose(body.name) for body in self.bodies]
        width = 3 if self.dimension == 2 else 7
        # The matrices of a drawing come from its exact frames, not through rounded angles.
        matrices = np.tile(np.eye(4), (len(rows), 1, 1))
        for matrix, body in zip(matrices, self.bodies, strict=True):
            matrix[:3] = self.placed.frame(body.name).matrix
            matrix[:3, 3] *= self.metres_per_unit
        return State(
            np.array(rows, float).reshape(-1, width), np.zeros((len(rows), self.freedoms)), 0.0, matrices
        )

    def _pose(self, part: str) -> list[float]:
        frame = self.placed.frame(part)
        x, y, z = (float(c) * self.metres_per_unit for c in frame.origin)
        return (
            [x, y, self.placed.angles[part]] if self.dimension == 2 else [x, y, z, *quaternion_of(frame.rows)]
        )

    @cached_property
    def size(self) -> float:
        """[m] The longest side of a box around shapes, markers and joints as drawn."""
        points = [*self._points()]
        if not points:
            return 1.0
        sides = [max(column) - min(column) for column in zip(*points, strict=True)]
        return max(sides) or max(abs(c) for point in points for c in point) or 1.0

    def _points(self) -> Iterable[tuple[float, ...]]:
        from detent.geometry import region
        from detent.geometry.solid import placed as placed_solid

        for body in self.bodies:
            frame, scale = self.placed.frame(body.name), METRES[self.mechanism.units]
            for marker in self.mechanism.parts[body.name].markers:
                origin = (frame @ self.placed.marker(f"{body.name}.{marker}")).origin
                yield tuple(float(c * scale) for c in origin)
            if body.solid is not None:
                at = Frame(frame.rows, tuple(scale * c for c in frame.origin))  # type: ignore[arg-type]
                box = region.bounds(placed_solid(body.solid, at))
                corners = (box[:3], box[3:])
                yield from (tuple(c if math.isfinite(c) else 0.0 for c in corner) for corner in corners)

    @cached_property
    def tolerance(self) -> Tolerance:
        return Tolerance.for_size(self.size)

    def joint(self, name: str) -> SystemJoint:
        """A joint by name; ModelError where there is none."""
        joints = {joint.name: joint for joint in self.joints}
        if name not in joints:
            raise ModelError.at(f"joints.{name}", "there is no such joint", did_you_mean(name, joints))
        return joints[name]

    def refuse_other(self, state: State) -> None:
        """Refuse a state of another machine: other bodies, or another dimension."""
        if state.dimension != self.dimension or len(state.poses) != len(self.bodies):
            rows = f"{len(state.poses)} bodies in {state.dimension} dimensions"
            bodies = f"{len(self.bodies)} in {self.dimension}"
            raise ModelError.at(
                "state", f"has {rows}, and the machine has {bodies}", "give a state of this machine"
            )


def compile_system(machine: Mechanism | Placed, *, drives_hold: bool = True) -> System:
    """The System of a machine; with `drives_hold`, parts that are driven along legs have no columns."""
    placed = machine if isinstance(machine, Placed) else place(machine)
    mechanism = placed.mechanism
    driven = guided_parts(mechanism) if drives_hold else ()
    bodies = tuple(
        Body(mechanism, name, part.fixed, name in driven) for name, part in mechanism.parts.items()
    )
    index = {body.name: i for i, body in enumerate(bodies)}
    scale = float(METRES[mechanism.units])
    gravity = np.zeros(3)
    if mechanism.gravity is not None:
        gravity[: len(mechanism.gravity)] = [float(g) for g in mechanism.gravity]
    joints = tuple(_joint(joint, index, scale) for joint in placed.joints.values())
    return System(placed, bodies, joints, gravity, scale, drives_hold, index)


def _joint(placed: PlacedJoint, index: dict[str, int], scale: float) -> SystemJoint:
    joint, plane = placed.joint, placed.placed.mechanism.dimension == 2
    kind = JOINT_TYPES[joint.type]
    if kind.couples and joint.ratio is None:
        problem = "is missing, and no gears of these parts that mesh say it"
        remedy = "give it, negative where the wheels rotate in opposite directions, or draw both with `teeth`"
        raise ModelError.at(f"joints.{placed.name}.ratio", problem, remedy)
    first, second = _ends(placed, index, scale)
    unit = scale if kind.coordinate == "length" else 1.0
    low, high = _limits(joint, kind, unit)
    spring, rest = joint.spring, 0.0
    if spring is not None:
        if spring.torque is not None:
            words = "a table of torques is followed on hinges of a fastener's pawls alone, by `mate`"
            raise UnsupportedError(
                words, "give its `stiffness` instead", f"joints.{placed.name}.spring.torque"
            )
        rest = unit * (angle_of(spring.rest, spring.rest_deg) or 0.0)
    damping = joint.damping if joint.damping is not None and not isinstance(joint.damping, tuple) else 0
    return SystemJoint(
        name=placed.name,
        type=kind,
        a=first,
        b=second,
        axis_column=0 if plane and kind.slides else 2,
        value=angle_of(joint.value, joint.value_deg) or 0.0,
        low=low,
        high=high,
        stiffness=0.0 if spring is None else float(spring.stiffness or 0),
        rest=rest,
        damping=float(damping) if kind.coordinate is not None else 0.0,
        rubs=_rubs(joint, kind, scale),
        elastic=elastic_matrices(placed.placed.mechanism, placed.name) if joint.type == "elastic" else None,
        ratio=float(joint.ratio or 0),
        carrier=WORLD if placed.carrier is None else index[placed.carrier],
    )


def _rubs(joint: Joint, kind: JointType, scale: float) -> float:
    if joint.friction is None or not kind.limited:
        return 0.0
    arm = 1.0 if kind.coordinate == "length" else scale * float(joint.friction.radius or 0)
    return float(joint.friction.coefficient) * arm


def _limits(joint: Joint, kind: JointType, unit: float) -> tuple[float, float]:
    if joint.limits is None or not kind.limited:
        return -math.inf, math.inf
    low = angle_of(joint.limits.min, joint.limits.min_deg)
    high = angle_of(joint.limits.max, joint.limits.max_deg)
    return -math.inf if low is None else unit * low, math.inf if high is None else unit * high


def _ends(placed: PlacedJoint, index: dict[str, int], scale: float) -> tuple[SystemEnd, SystemEnd]:
    parts = parts_of(placed.joint)
    said = next(placed.said, None)
    first, second = (
        _end(placed, part, end or said, index, scale) for part, end in zip(parts, placed.ends, strict=True)
    )
    return first, second


def _end(
    placed: PlacedJoint, part: str, end: JointEnd | None, index: dict[str, int], scale: float
) -> SystemEnd:
    """An end; one without a place of its own meets the other, or is at its part's origin."""
    everything = placed.placed
    plane = everything.mechanism.dimension == 2
    if end is None or (end.part != part and placed.type.meets is None):
        frame, angle = Frame(), 0.0
        if not plane and placed.joint.along is not None:
            axes = frames.axes(placed.axis_in_world, frames.AXES["x"])
            frame = Frame(everything.frame(part).rows).inverse() @ axes
    elif end.part == part:
        frame, angle = end.frame, end.angle if plane else 0.0
    else:
        frame = everything.frame(part).inverse() @ end.frame_in_world
        angle = everything.angles[end.part] + end.angle - everything.angles[part] if plane else 0.0
    if not plane:
        column = 2 if placed.type.slides else 0
        angle = math.atan2(float(frame.rows[1][column]), float(frame.rows[0][column]))
    return SystemEnd(index[part], frame, angle, scale)


def drawn_turns(system: System, body: int) -> float:
    """Of a body drawn in space: the whole revolutions about z [rad] that its frame does not show."""
    return math.tau * windings(system.mechanism, system.bodies[body].name)
