"""A run's steps, read as states: coordinates, poses and velocities of parts in document units, energies."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.foundation.units import unit_names
from detent.geometry.pose import quaternion_of
from detent.mechanics.tree_kernels import PlaneMachine, PlaneState, plane_state
from detent.motion.running.step_kernels import HEIGHT, KINETIC, SPRUNG, fill_joint_work, fill_states
from detent.numeric.runge_kutta import point_on_step
from detent.record.event import Stop
from detent.record.trajectory import JointState, Trajectory

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from detent.mechanics.tree import Tree
    from detent.numeric.kernels import Speed
    from detent.record.event import Cause, Event
    from detent.record.trajectory import Energy

    Floats = NDArray[np.float64]


# Of the machine's size, or of a radian: what goes less far in a whole run does not move.
STILL = 1e-10
# Bytes of steps that a run keeps: one that would need more is interrupted. What is read from them needs as
# much again, and a command is to stay below a gigabyte.
MOST_KEPT = 200e6
_PLACING = 1e4  # elementary steps of placing a machine once
# Rows that are placed at once where only a column or two are kept: a long run has millions, a kilobyte each.
_AT_ONCE = 20_000


@dataclass(frozen=True)
class RunColumns:
    """Columns of a trajectory, by joint and by part, in document units; energies [J]."""

    times: Floats
    coordinates: dict[str, Floats]
    speeds: dict[str, Floats]
    poses: dict[str, Floats]
    velocities: dict[str, Floats]
    kinetic: Floats
    stored: Floats  # in springs and height
    damped: Floats  # by joints, up to each time
    driven: Floats  # by torques at joints, up to each time


@dataclass(frozen=True, eq=False)
class RunSteps:
    """Steps of a machine in joint coordinates: begins, lengths and shares (S, 3), control points (S, 6,
    m)."""

    tree: Tree
    steps: Floats
    points: Floats

    @property
    def machine(self) -> PlaneMachine:
        return self.tree.machine

    @cached_property
    def state(self) -> PlaneState:
        """Room to place bodies in."""
        return plane_state(self.tree.machine)

    @property
    def end(self) -> float:
        """When the last step ended."""
        begin, length, share = self.steps[-1]
        return float(begin + length * share)

    @cached_property
    def coordinate_units(self) -> dict[str, str]:
        """By joint: rad, or the document's unit."""
        length = unit_names(self.tree.system.mechanism.units).length.strip()
        return {name: length if self._is_length(name) else "rad" for name in self.tree.coordinates}

    def _is_length(self, name: str) -> bool:
        return is_length(self.tree, name)

    def at(self, times: Floats) -> RunColumns:
        """All columns at times, which must be in order."""
        tree, system = self.tree, self.tree.system
        names = tree.coordinates
        count, bodies, rows = len(names), len(system.bodies), len(times)
        joints, placed, energy = np.zeros((rows, 2, count)), np.zeros((rows, bodies, 6)), np.zeros((rows, 3))
        work = np.zeros((rows, 2))
        effort = 300.0 * (rows + 4 * len(self.steps))
        arrays = self.machine, self.state, self.steps, self.points, times
        fill_states.at(effort)(*arrays, joints, placed, energy)
        fill_joint_work.at(effort)(*arrays, work)
        scale = np.array([1 / system.metres_per_unit if self._is_length(n) else 1.0 for n in names])
        columns = joints * scale
        return RunColumns(
            times,
            {name: columns[:, 0, k].copy() for k, name in enumerate(names)},
            {name: columns[:, 1, k].copy() for k, name in enumerate(names)},
            {body.name: self._poses(k, placed[:, k]) for k, body in enumerate(system.bodies)},
            {body.name: self._velocities(placed[:, k]) for k, body in enumerate(system.bodies)},
            energy[:, KINETIC].copy(),
            energy[:, SPRUNG] + energy[:, HEIGHT],
            work[:, 0].copy(),
            work[:, 1].copy(),
        )

    def placed(self, times: Floats) -> tuple[Floats, Floats]:
        """Bodies in the plane of motion at times in order, (rows, N, 6): x, y, angle past the drawing and
        their speeds [m, rad]; and the kinetic energy then."""
        rows, names = len(times), self.tree.coordinates
        joints, energy = np.zeros((rows, 2, len(names))), np.zeros((rows, 3))
        bodies = np.zeros((rows, len(self.tree.system.bodies), 6))
        arrays = self.machine, self.state, self.steps, self.points, times
        fill_states.at(_PLACING * (rows + len(self.steps)))(*arrays, joints, bodies, energy)
        return bodies, energy[:, KINETIC].copy()

    def coordinates_at(self, times: Floats) -> tuple[dict[str, Floats], dict[str, Floats]]:
        """Coordinates and speeds by joint in document units, at times in order, however many."""
        names, unit = self.tree.coordinates, self.tree.system.metres_per_unit
        columns = np.zeros((2, len(names), len(times)))
        for part, joints, _ in self._in_parts(times):
            columns[:, :, part] = np.moveaxis(joints, 0, 2)
        columns /= np.array([unit if self._is_length(name) else 1.0 for name in names])[:, None]
        return dict(zip(names, columns[0], strict=True)), dict(zip(names, columns[1], strict=True))

    def kinetic_at(self, times: Floats) -> Floats:
        """[J] At times in order, however many."""
        kinetic = np.zeros(len(times))
        for part, _, energy in self._in_parts(times):
            kinetic[part] = energy[:, KINETIC]
        return kinetic

    def _in_parts(self, times: Floats) -> Iterator[tuple[slice, Floats, Floats]]:
        """Joints (rows, 2, m) and energies (rows, 3), for some of the times after the other."""
        begins = self.steps[:, 0]
        for first in range(0, len(times), _AT_ONCE):
            part = slice(first, min(first + _AT_ONCE, len(times)))
            since, till = np.searchsorted(begins, times[[first, part.stop - 1]], side="right")
            within = slice(max(since - 1, 0), max(till, 1))
            rows = part.stop - first
            joints, energy = np.zeros((rows, 2, len(self.tree.coordinates))), np.zeros((rows, 3))
            bodies = np.zeros((rows, len(self.tree.system.bodies), 6))
            arrays = self.machine, self.state, self.steps[within], self.points[within], times[part]
            fill_states.at(_PLACING * len(times))(*arrays, joints, bodies, energy)
            yield part, joints, energy

    def _poses(self, body: int, rows: Floats) -> Floats:
        """In the plane x, y, angle; in space the drawn orientation turned about z."""
        system = self.tree.system
        unit = system.metres_per_unit
        if system.dimension == 2:
            flat: Floats = rows[:, :3] / np.array([unit, unit, 1.0])
            return flat
        drawn = system.drawn.poses[body]
        w, i, j, k = quaternion_of(system.drawn.matrices[body][:3, :3])
        poses = np.zeros((len(rows), 7))
        poses[:, 0], poses[:, 1], poses[:, 2] = rows[:, 0] / unit, rows[:, 1] / unit, drawn[2] / unit
        c, s = np.cos(rows[:, 2] / 2), np.sin(rows[:, 2] / 2)
        poses[:, 3:] = np.column_stack([c * w - s * k, c * i - s * j, c * j + s * i, c * k + s * w])
        return poses

    def _velocities(self, rows: Floats) -> Floats:
        unit = self.tree.system.metres_per_unit
        if self.tree.system.dimension == 2:
            flat: Floats = rows[:, 3:] / np.array([unit, unit, 1.0])
            return flat
        velocities = np.zeros((len(rows), 6))
        velocities[:, :2], velocities[:, 5] = rows[:, 3:5] / unit, rows[:, 5]
        return velocities

    def trajectory(
        self,
        columns: RunColumns,
        *,
        energy: dict[Energy, Floats],
        events: tuple[Event, ...],
        ended: tuple[Cause, str],
        method: str,
        notes: tuple[str, ...],
        speed_ran: Speed,
    ) -> Trajectory:
        """Columns as a trajectory; `ended` is why it stopped, and its detail."""
        last = self.last()
        return Trajectory(
            times=columns.times,
            coordinates=columns.coordinates,
            speeds=columns.speeds,
            poses=columns.poses,
            velocities=columns.velocities,
            events=events,
            stop=Stop(
                time=last.time,
                cause=ended[0],
                coordinates=last.coordinates,
                coordinate_units=self.coordinate_units,
                detail=ended[1],
            ),
            units=self.tree.system.mechanism.units,
            speed_ran=speed_ran,
            method=method,
            energy=energy,
            notes=notes,
            coordinate_units=self.coordinate_units,
        )

    @staticmethod
    def all_kept(count: int) -> tuple[Cause, str]:
        """How a run ends that has no room for more steps."""
        return "interrupted", f"{count} steps, all that a run keeps: ask for less time"

    def even_times(self, rows: int) -> Floats:
        """So many intervals from the beginning to the end."""
        return np.linspace(float(self.steps[0, 0]), self.end, rows + 1)

    def looks(self, per_step: int) -> Floats:
        """Times so many to a step, its ends among them."""
        shares = np.linspace(0.0, 1.0, per_step + 1)
        begins, lengths = self.steps[:, 0], self.steps[:, 1] * self.steps[:, 2]
        return np.unique(begins[:, None] + lengths[:, None] * shares)

    @cached_property
    def still(self) -> NDArray[np.bool_]:
        """(S,) Steps in which nothing moves but by rounding: too slowly to go `STILL` in the whole run."""
        hull = np.abs(np.diff(self.points, axis=1)).max(axis=1) / self.steps[:, 1:2]
        fastest = (self.points.shape[1] - 1) * hull / self.scales()
        still: NDArray[np.bool_] = (fastest * self.end <= STILL).all(axis=1)
        return still

    def motion_at(self, time: float) -> tuple[Floats, Floats]:
        """Independent coordinates past the drawing, and their speeds."""
        begins = self.steps[:, 0]
        at = int(np.clip(np.searchsorted(begins, time, side="right") - 1, 0, len(begins) - 1))
        begin, length, share = self.steps[at]
        y, v = np.zeros(self.tree.freedoms), np.zeros(self.tree.freedoms)
        point_on_step(self.points[at], length, min((time - begin) / length, share), y, v)
        return y, v

    def last(self) -> JointState:
        """The state at the end."""
        columns = self.at(np.array([self.end]))
        return JointState(
            time=self.end,
            coordinates={name: float(column[0]) for name, column in columns.coordinates.items()},
            speeds={name: float(column[0]) for name, column in columns.speeds.items()},
        )

    def scales(self) -> Any:
        """What counts as a unit of each independent coordinate: a radian, or the machine's size."""
        return coordinate_scales(self.tree)


def coordinate_scales(tree: Tree) -> Any:
    """Of each independent coordinate: a radian, or the machine's size [m]."""
    size = tree.system.size
    assert math.isfinite(size)
    return np.array([size if is_length(tree, tree.names[k]) else 1.0 for k in tree.independent])


def is_length(tree: Tree, name: str) -> bool:
    """Whether a coordinate, of a joint or of a free part (`part.x`), is a length; else it is an angle."""
    if name in {joint.name for joint in tree.system.joints}:
        return tree.system.joint(name).type.coordinate == "length"
    return not name.endswith(".angle")
