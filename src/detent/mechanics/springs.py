"""Springs and dampers: the one home of -stiffness (coordinate - rest) - damping (its rate).

A joint's spring acts on its coordinate: the angle from the first end's direction to the second's, or the
travel of the second end's point along the first's axis. An elastic joint acts on all degrees of freedom of
its second end past its first, from where it was drawn, on the first end's axes: force, then moment; its
rotations are small ones, as its matrix is. Where it is rigid it carries whatever is needed, which no spring
says: a state that moves it there is refused.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.errors import UnsupportedError
from detent.foundation.names import with_article
from detent.geometry.pose import rotation_vector_of
from detent.mechanics.joint_kernels import angle_row, flat_angle_row, slide_row, turned_column
from detent.model.machine.elastic.directions import DIRECTIONS, direction_words, turns
from detent.model.machine.state import State
from detent.model.machine.system import System, SystemJoint

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_HELD = 1e-7  # of the machine's size, or of a radian: what a rigid direction may be off by rounding


@dataclass(frozen=True)
class LinearSpring:
    """A spring on one coordinate, with a damper beside it."""

    stiffness: float  # [N m/rad] or [N/m]
    rest: float = 0.0  # coordinate at which it is relaxed
    damping: float = 0.0  # [N m s/rad] or [N s/m]

    def force(self, coordinate: Any, rate: Any = 0.0) -> Any:
        """[N m] or [N] on the coordinate; of a number, or of an array of them."""
        return -self.stiffness * (coordinate - self.rest) - self.damping * rate

    def energy(self, coordinate: Any) -> Any:
        """[J] stored; of a number, or of an array of them."""
        return 0.5 * self.stiffness * (coordinate - self.rest) ** 2


@dataclass(frozen=True)
class TorqueTable:
    """A spring on an angle from rest: torques at some angles, straight between them and beyond the ends."""

    angles: tuple[float, ...]  # [rad], growing
    torques: tuple[float, ...]  # [N m] back towards rest, growing

    def force(self, coordinate: Any) -> Any:
        """[N m] on the coordinate; of a number, or of an array of them, also beside the real axis."""
        row, slopes = self._row(coordinate)
        return -(np.array(self.torques)[row] + slopes[row] * (coordinate - np.array(self.angles)[row]))

    def energy(self, coordinate: Any) -> Any:
        """[J] stored; of a number, or of an array of them."""
        row, slopes = self._row(coordinate)
        angles, torques = np.array(self.angles), np.array(self.torques)
        steps = np.diff(angles) * (torques[1:] + torques[:-1]) / 2
        begun = np.concatenate([[0.0], np.cumsum(steps)])
        past = coordinate - angles[row]
        stored = begun[row] + past * (torques[row] + slopes[row] * past / 2)
        return stored - begun[self.angles.index(0.0)]

    def _row(self, coordinate: Any) -> tuple[Any, Any]:
        angles = np.array(self.angles)
        after = np.searchsorted(angles, np.real(coordinate), "right") - 1
        return np.clip(after, 0, len(angles) - 2), np.diff(self.torques) / np.diff(angles)


def both_ways(rows: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Rows of a table of torques: of one that begins or ends at rest the other side is alike."""
    sides = {math.copysign(1.0, angle) for angle, _ in rows if angle}
    return rows if len(sides) == 2 else [*rows, *((-angle, -torque) for angle, torque in rows if angle)]


@dataclass(frozen=True, eq=False)
class SpringForces:
    """Forces on the System's columns, energy stored in springs, and power that dampers take."""

    force: Floats  # (degrees,) [N, N m]
    stored: float  # [J]
    dissipated: float  # [W]


@dataclass(frozen=True, eq=False)
class CoordinateRow:
    """A joint's coordinate at a state: value [rad or m], speed, row on the columns, velocity product."""

    value: float
    speed: float
    row: Floats
    rate: float


def spring_of(joint: SystemJoint) -> LinearSpring | None:
    """The spring and damper on a joint's coordinate; None without either."""
    if joint.stiffness == 0 and joint.damping == 0:
        return None
    return LinearSpring(joint.stiffness, joint.rest, joint.damping)


def coordinate_at(
    system: System, state: State, joint: SystemJoint, near: float | None = None
) -> CoordinateRow:
    """A joint's coordinate. In the plane angles are continuous.

    In space they lie in (-pi, pi], or within half a rotation of `near`.
    """
    if joint.type.coordinate is None:
        problem = f"{with_article(joint.type.name)} joint has no one coordinate"
        remedy = "use a revolute, prismatic or angle joint"
        raise UnsupportedError(problem, remedy, at=f"joints.{joint.name}")
    # Over all bodies, so that the speed of driven ones counts; then only the System's columns.
    every = np.arange(len(system.bodies)) * system.freedoms
    rows, values, rates = np.zeros((1, len(every) * system.freedoms)), np.zeros(1), np.zeros(1)
    flat, a, b = int(system.dimension == 2), joint.a.body, joint.b.body
    frame_a, frame_b = joint.a.matrix, joint.b.matrix
    if joint.type.coordinate == "length":
        axis = turned_column(state.matrices[a], frame_a, joint.axis_column)
        slide_row(
            state.matrices, state.spatial, frame_a, frame_b, a, b, axis, every, flat, 0, rows, values, rates
        )
    elif flat:
        ends = joint.a.angle - joint.b.angle
        flat_angle_row(a, b, ends, 1.0, every, state.poses[:, 2], 0, rows, values)
    else:
        angle_row(state.matrices, state.spatial, frame_a, frame_b, a, b, every, 0, 0, rows, values, rates)
        if near is not None:
            values[0] += 2 * math.pi * round((near - values[0]) / (2 * math.pi))
    speed = float(rows[0] @ state.velocities.ravel())
    kept = [k for body, column in enumerate(system.columns) if column >= 0 for k in _entries(system, body)]
    return CoordinateRow(float(values[0]), speed, rows[0, kept], float(rates[0]))


def spring_forces(system: System, state: State, near: Mapping[str, float] | None = None) -> SpringForces:
    """Of all springs, dampers and elastic joints at a state; `near` as for a coordinate, by joint."""
    system.refuse_other(state)
    force, stored, dissipated = np.zeros(system.degrees), 0.0, 0.0
    for joint in system.joints:
        if joint.type.coordinate is None and joint.stiffness:
            raise UnsupportedError(
                f"the spring of {with_article(joint.type.name)} joint has no coordinate to act on",
                "write the joint as revolute, prismatic or angle, or as elastic",
                at=f"joints.{joint.name}.spring",
            )
        spring = spring_of(joint) if joint.type.coordinate is not None else None
        if spring is not None:
            at = coordinate_at(system, state, joint, (near or {}).get(joint.name))
            force += spring.force(at.value, at.speed) * at.row
            stored += spring.energy(at.value)
            dissipated += spring.damping * at.speed**2
        if joint.elastic is not None:
            add = _elastic(system, state, joint)
            force += add.force
            stored += add.stored
            dissipated += add.dissipated
    return SpringForces(force, stored, dissipated)


def _elastic(system: System, state: State, joint: SystemJoint) -> SpringForces:
    """An elastic joint: displacement and rotation of b's end past a's since drawn, on a's axes."""
    assert joint.elastic is not None
    stiffness, damping = joint.elastic.stiffness, joint.elastic.damping
    a, b = joint.a.body, joint.b.body
    now, drawn = state.matrices, system.drawn.matrices
    axes_W = now[a, :3, :3] @ joint.a.matrix[:, :3]
    arm_a = now[b, :3, 3] + now[b, :3, :3] @ joint.b.matrix[:, 3] - now[a, :3, 3]
    shift = axes_W.T @ (arm_a - now[a, :3, :3] @ joint.a.matrix[:, 3])
    shift -= (drawn[a, :3, :3] @ joint.a.matrix[:, :3]).T @ _gap(drawn, joint)
    rotation_W = now[b, :3, :3] @ drawn[b, :3, :3].T @ drawn[a, :3, :3] @ now[a, :3, :3].T
    rotation = axes_W.T @ rotation_vector_of(rotation_W)
    speeds = state.spatial
    past = speeds[b, :3] + np.cross(speeds[b, 3:], now[b, :3, :3] @ joint.b.matrix[:, 3])
    past -= speeds[a, :3] + np.cross(speeds[a, 3:], arm_a)
    rates = np.concatenate([axes_W.T @ past, axes_W.T @ (speeds[b, 3:] - speeds[a, 3:])])
    moved = np.concatenate([shift, rotation])
    if system.dimension == 2:
        moved, rates = moved[[0, 1, 5]], rates[[0, 1, 5]]
    _refuse_where_rigid(system, joint, moved)
    load = -stiffness @ moved - damping @ rates
    force = np.zeros(system.degrees)
    spatial = np.zeros(6)
    spatial[[0, 1, 5] if system.dimension == 2 else slice(None)] = load
    force_W, moment_W = axes_W @ spatial[:3], axes_W @ spatial[3:]
    arm_b = now[b, :3, :3] @ joint.b.matrix[:, 3]
    _push(system, force, b, force_W, moment_W + np.cross(arm_b, force_W), 1.0)
    _push(system, force, a, force_W, moment_W + np.cross(arm_a, force_W), -1.0)
    return SpringForces(force, float(0.5 * moved @ stiffness @ moved), float(rates @ damping @ rates))


def _refuse_where_rigid(system: System, joint: SystemJoint, moved: Floats) -> None:
    assert joint.elastic is not None
    every = DIRECTIONS[system.dimension]
    for k in joint.elastic.rigid:
        size = 1.0 if turns(every[k]) else system.size
        if abs(moved[k]) > _HELD * size:
            by = f"{moved[k]:.3g} {'rad' if turns(every[k]) else 'm'}"
            raise UnsupportedError(
                f"is rigid {direction_words(every[k])}, where this state moves it by {by}",
                "hold that direction by another joint, or give it a stiffness (`stiffness` with `free`)",
                at=f"joints.{joint.name}",
            )


def _gap(poses: Floats, joint: SystemJoint) -> Floats:
    a, b = joint.a.body, joint.b.body
    at_b = poses[b, :3, 3] + poses[b, :3, :3] @ joint.b.matrix[:, 3]
    gap: Floats = at_b - poses[a, :3, 3] - poses[a, :3, :3] @ joint.a.matrix[:, 3]
    return gap


def _push(system: System, force: Floats, body: int, force_W: Floats, moment_W: Floats, sign: float) -> None:
    column = system.columns[body]
    if column < 0:
        return
    spatial = np.concatenate([force_W, moment_W])
    force[column : column + system.freedoms] += sign * (
        spatial[[0, 1, 5]] if system.dimension == 2 else spatial
    )


def _entries(system: System, body: int) -> range:
    return range(body * system.freedoms, (body + 1) * system.freedoms)
