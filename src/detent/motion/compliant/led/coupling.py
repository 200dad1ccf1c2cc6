"""Coupling A: what leads the held part, its path and the force laws, as equations of motion (11).

A law sees where its part is and how fast: by (7) the part's place is that of the gripper's small motion,
by the full equations it hangs on the arm where its joints put it. What it returns acts on the gripper through
the Jacobian of the part's origin, J_T and J_R of (11).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from detent.geometry.pose import rotation_of
from detent.library.mating.force_law import NOTHING, ForceLaw, MatingLoad
from detent.library.robots.serial_arm import Floats
from detent.motion.leading.course import LedPath
from detent.motion.leading.leader import Leader

Memory = tuple[MatingLoad, ...]  # one per law


@dataclass(frozen=True, eq=False)
class Coupled:
    """The system that is stepped; states are coordinates, then speeds."""

    leader: Leader
    course: LedPath
    laws: tuple[ForceLaw, ...]
    places: tuple[Floats, ...]  # (4, 4) of each law's part as drawn

    @cached_property
    def moves(self) -> tuple[Floats, ...]:
        """(6, n) of each law's part: velocity of its origin, its rotation."""
        return tuple(self.leader.moves_at(place[:3, 3]) for place in self.places)

    @cached_property
    def inverse_mass(self) -> Floats:
        return np.asarray(np.linalg.inv(self.leader.mass))

    def place(self, law: int, q: Floats) -> Floats:
        """(4, 4) of a law's part."""
        moved = self.moves[law] @ q
        place = self.places[law].copy()
        place[:3, 3] += moved[:3]
        place[:3, :3] = rotation_of(moved[3:]) @ place[:3, :3]
        return place

    def loads(self, q: Floats, v: Floats, before: Memory | None) -> Memory:
        """What each law puts on its part."""
        memory = before if before is not None else (None,) * len(self.laws)
        return tuple(
            law.load(self.place(k, q), self.moves[k] @ v, last)
            for k, (law, last) in enumerate(zip(self.laws, memory, strict=True))
        )

    def pushed(self, loads: Sequence[MatingLoad]) -> Floats:
        """The loads as forces of the coordinates."""
        total = np.zeros(len(self.leader.mass))
        for moves, load in zip(self.moves, loads, strict=True):
            total += moves.T @ np.array([*load.force, *load.moment])
        return total

    def acceleration(self, time: float, q: Floats, v: Floats, loads: Sequence[MatingLoad]) -> Floats:
        """Of the coordinates."""
        way, speed = self.course.asked(time)
        leader = self.leader
        force = leader.push @ way[0] + leader.push_rate @ speed[0]
        force = force - leader.stiffness @ q - leader.damping @ v + self.pushed(loads)
        return np.asarray(self.inverse_mass @ force)

    def jacobian(self, time: float, q: Floats, v: Floats, before: Memory | None) -> Floats:
        """Of the state's rates by the state; a law's part by differences."""
        n = len(q)
        by_place, by_speed = -self.leader.stiffness.copy(), -self.leader.damping.copy()
        for k, law in enumerate(self.laws):
            last = None if before is None else before[k]
            for matrix, of, step in ((by_place, 0, 1e-7), (by_speed, 1, 1e-6)):
                columns = []
                for axis in np.eye(6):
                    sides = []
                    for side in (step, -step):
                        place, velocity = self.place(k, q), self.moves[k] @ v
                        if of == 0:
                            place[:3, 3] += side * axis[:3]
                            place[:3, :3] = rotation_of(side * axis[3:]) @ place[:3, :3]
                        else:
                            velocity = velocity + side * axis
                        load = law.load(place, velocity, last)
                        sides.append(np.array([*load.force, *load.moment]))
                    columns.append((sides[0] - sides[1]) / (2 * step))
                matrix += self.moves[k].T @ np.array(columns).T @ self.moves[k]
        lower = self.inverse_mass @ np.hstack([by_place, by_speed])
        return np.vstack([np.hstack([np.zeros((n, n)), np.eye(n)]), lower])

    @property
    def without_contact(self) -> Coupled:
        """The same run, touching nothing."""
        return Coupled(self.leader, self.course, (), ())

    def gripper_motion(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Displacement with rotation vector, velocity with rotation, (m, 6) on world axes."""
        return q @ self.leader.moves.T, v @ self.leader.moves.T

    def at_gripper(self, q: Floats, loads: Sequence[MatingLoad]) -> Floats:
        """(6,) what the laws put on the gripper, at its frame, on world axes."""
        total = np.zeros(6)
        at = self.leader.gripper[:3, 3]
        for place, load in zip(self.places, loads, strict=True):
            force = np.array(load.force)
            # The arm as drawn: what the wrench's moment changes by the small motion is of second order.
            total[:3] += force
            total[3:] += np.array(load.moment) + np.cross(place[:3, 3] - at, force)
        return total


class LoadedSystem(Protocol):
    """A system whose laws load the gripper: (7) or (5)."""

    def loads(self, q: Floats, v: Floats, before: Memory | None) -> Memory: ...

    def at_gripper(self, q: Floats, loads: Sequence[MatingLoad]) -> Floats: ...


def wrenches_of(system: LoadedSystem, q: Floats, loads: Sequence[Memory]) -> Floats:
    """(m, 6) of all laws at the gripper's frame, on world axes, by state."""
    found = [system.at_gripper(row, load) for row, load in zip(q, loads, strict=True)]
    return np.array(found).reshape(len(q), 6)


def nothing(count: int) -> Memory:
    return (NOTHING,) * count
