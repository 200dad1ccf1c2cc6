"""The full equations (5) of an arm, with its laws: parts hang where its joints put them.

The controller is given the angles that lie on the path itself, not on its tangent; mass, Coriolis torques and
weight are those of the place where the arm is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from detent.library.mating.force_law import ForceLaw, MatingLoad
from detent.library.robots.elastic_arm import ElasticArm
from detent.library.robots.led import angles_along
from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.led.coupling import Coupled, Memory
from detent.motion.leading.course import LedPath
from detent.motion.leading.leader import Leader


@dataclass(frozen=True, eq=False)
class CoupledFully:
    """As `Coupled`, without its small motions; its coordinates too are deviations from rest."""

    linear: Coupled

    @property
    def leader(self) -> Leader:
        return self.linear.leader

    @property
    def course(self) -> LedPath:
        return self.linear.course

    @property
    def laws(self) -> tuple[ForceLaw, ...]:
        return self.linear.laws

    @property
    def without_contact(self) -> CoupledFully:
        return CoupledFully(self.linear.without_contact)

    @cached_property
    def arm(self) -> ElasticArm:
        assert self.leader.arm is not None
        return self.leader.arm

    @cached_property
    def base(self) -> Floats:
        assert self.leader.base is not None
        return self.leader.base

    @cached_property
    def in_gripper(self) -> tuple[Floats, ...]:
        """(4, 4) of each law's part in the gripper's frame."""
        inverse = np.linalg.inv(self.leader.gripper)
        return tuple(inverse @ place for place in self.linear.places)

    @cached_property
    def wanted(self) -> list[Any]:
        """Of each leg: angles of the joints over its way."""
        return [
            angles_along(
                self.arm,
                self.base[:3, :3].T @ leg.origin,
                self.base[:3, :3].T @ leg.direction,
                leg.length,
                leg.at,
            )
            for leg in self.course.legs
        ]

    def asked(self, time: float) -> tuple[Floats, Floats]:
        """Deviations of what the actuators move, and their rates."""
        way, speed = (row[0] for row in self.course.asked(time))
        starts = [leg.start for leg in self.course.legs]
        k = max(int(np.searchsorted(starts, time, "right")) - 1, 0)
        leg = self.course.legs[k]
        along = float(np.clip((way - leg.origin) @ leg.direction, 0.0, leg.length))
        spline = self.wanted[k]
        return spline(along) - self.arm.angles, spline(along, 1) * float(speed @ leg.direction)

    def _gripper(self, q: Floats) -> tuple[Floats, Floats]:
        """(4, 4) and (6, n) in the world."""
        at = self.arm.rest + q
        moves = np.kron(np.eye(2), self.base[:3, :3]) @ self.arm.gripper_jacobian(at)
        return self.base @ self.arm.gripper_frame(at), moves

    def place(self, law: int, q: Floats) -> Floats:
        """(4, 4) of a law's part."""
        return np.asarray(self._gripper(q)[0] @ self.in_gripper[law])

    def loads(self, q: Floats, v: Floats, before: Memory | None) -> Memory:
        frame, moves = self._gripper(q)
        twist = moves @ v
        memory = before if before is not None else (None,) * len(self.laws)
        found = []
        for law, offset, last in zip(self.laws, self.in_gripper, memory, strict=True):
            place = frame @ offset
            arm = place[:3, 3] - frame[:3, 3]
            velocity = np.concatenate([twist[:3] + np.cross(twist[3:], arm), twist[3:]])
            found.append(law.load(place, velocity, last))
        return tuple(found)

    def acceleration(self, time: float, q: Floats, v: Floats, loads: Sequence[MatingLoad]) -> Floats:
        wanted, rates = self.asked(time)
        at = self.arm.rest + q
        torques = self.arm.control(at, v, wanted, rates)
        wrench = np.kron(np.eye(2), self.base[:3, :3].T) @ self.at_gripper(q, loads)
        return self.arm.acceleration(at, v, torques, wrench)

    def jacobian(self, time: float, q: Floats, v: Floats, before: Memory | None) -> Floats:
        return self.linear.jacobian(time, q, v, before)

    def gripper_motion(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        from scipy.spatial.transform import Rotation

        moved, velocity = [], []
        for row_q, row_v in zip(q, v, strict=True):
            frame, moves = self._gripper(row_q)
            turned = Rotation.from_matrix(frame[:3, :3] @ self.start[:3, :3].T).as_rotvec()
            moved.append([*(frame[:3, 3] - self.start[:3, 3]), *turned])
            velocity.append(moves @ row_v)
        return np.array(moved), np.array(velocity)

    @cached_property
    def start(self) -> Floats:
        return self._gripper(np.zeros(len(self.arm.rest)))[0]

    def torques(self, q: Floats, v: Floats, times: Floats) -> dict[str, Floats]:
        """Of motors and gears, a row per state."""
        motors = []
        for row_q, row_v, time in zip(q, v, times, strict=True):
            motors.append(self.arm.control(self.arm.rest + row_q, row_v, *self.asked(float(time))))
        table, geared = np.array(motors), self.arm.geared
        twist, twisting = q[:, :geared] - q[:, geared : 2 * geared], v[:, :geared] - v[:, geared : 2 * geared]
        gears = self.arm.compensation[:geared] + self.arm.gear_stiffness * twist
        gears = gears + self.arm.gear_damping * twisting
        named = {f"motor {k + 1}": table[:, k] for k in range(table.shape[1])}
        return named | {f"gear {k + 1}": gears[:, k] for k in range(geared)}

    def at_gripper(self, q: Floats, loads: Sequence[MatingLoad]) -> Floats:
        frame, total = self._gripper(q)[0], np.zeros(6)
        for offset, load in zip(self.in_gripper, loads, strict=True):
            force = np.array(load.force)
            total[:3] += force
            total[3:] += np.array(load.moment) + np.cross(frame[:3, :3] @ offset[:3, 3], force)
        return total
