"""Force laws as rows of numbers, for compiled steps: those of rings, whose law is a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from detent.library.robots.serial_arm import Floats
from detent.motion.compliant.led import stepping
from detent.motion.compliant.led.coupling import Coupled
from detent.motion.compliant.led.steps import LedSteps

_INSTANT = 1e-8  # [s] within which a change of contacts is located
_MOST = 400_000  # steps


@dataclass(frozen=True, eq=False)
class CompiledLaws:
    """Each law's numbers, how its reference point moves on the law's axes, and where it is as drawn."""

    numbers: Floats  # (k, m)
    moves: Floats  # (k, 6, n)
    places: Floats  # (k, 6)
    axes: tuple[Floats, ...]  # (3, 3) of each law in the world, as columns
    points: tuple[Floats, ...]  # of each law's reference point in the world, as drawn
    names: tuple[tuple[tuple[str, ...], ...], ...]  # of each law's branches

    def system(self, coupled: Coupled) -> tuple[Any, ...]:
        """As kernels take it."""
        leader = coupled.leader
        return (
            leader.mass,
            leader.damping,
            leader.stiffness,
            leader.push,
            leader.push_rate,
            self.moves,
            self.places,
            self.numbers,
        )

    def wrenches(self, coupled: Coupled, q: Floats, v: Floats) -> Floats:
        """(m, 6) of all laws at the gripper's frame, on world axes."""
        count = len(self.numbers)
        loads, branches = np.zeros((len(q), count, 6)), np.zeros((len(q), count), np.int64)
        kernel = stepping.loads_at.at(1e4 * len(q) * count)
        kernel(self.system(coupled), np.ascontiguousarray(q), np.ascontiguousarray(v), loads, branches)
        at, total = coupled.leader.gripper[:3, 3], np.zeros((len(q), 6))
        for k, (axes, point) in enumerate(zip(self.axes, self.points, strict=True)):
            force = loads[:, k, :3] @ axes.T
            total[:, :3] += force
            total[:, 3:] += loads[:, k, 3:] @ axes.T + np.cross(point - at, force)
        return total


def stepped(
    coupled: Coupled,
    laws: CompiledLaws,
    state: Floats,
    until: float,
    accuracy: float,
    scales: tuple[float, float],
    longest: float,
) -> tuple[LedSteps, bool]:
    """Steps to `until`; False where they got no further."""
    n = len(state) // 2
    control = np.array([until, accuracy, *scales, longest, _INSTANT])
    work = stepping.work_of(until, n)
    room = 4096
    while True:
        times, states = np.zeros(room), np.zeros((room, 2 * n))
        accelerations, branches = np.zeros((room, 2, n)), np.zeros(room, np.int64)
        count, status = stepping.led_steps.at(work)(
            laws.system(coupled), coupled.course.arrays, control, state, times, states, accelerations, branches
        )
        if status != stepping.FULL or room >= _MOST:
            break
        room *= 4
    steps = LedSteps(
        times[: count + 1],
        states[: count + 1, :n],
        states[: count + 1, n:],
        accelerations[:count],
        tuple(laws_contacts(laws, int(branch)) for branch in branches[: count + 1]),
        (None,) * (count + 1),
        "RODAS",
    )
    return steps, status == stepping.DONE


def laws_contacts(laws: CompiledLaws, branch: int) -> tuple[str, ...]:
    """What touches, of a number that has the branches of all laws."""
    found: list[str] = []
    for names in reversed(laws.names):
        branch, own = divmod(branch, stepping.BRANCHES)
        found = [*names[own], *found]
    return tuple(found)


def compiled_laws(coupled: Coupled) -> CompiledLaws | None:
    """Of a system; None where a law is no kernel. A system without laws is stepped by kernels too."""
    given = [getattr(law, "as_numbers", None) for law in coupled.laws]
    if any(each is None for each in given):
        return None
    found = [each() for each in given if each is not None]
    n = len(coupled.leader.mass)
    numbers = np.zeros((len(found), max([len(one.numbers) for one in found], default=1)))
    moves, places, axes, points, names = np.zeros((len(found), 6, n)), np.zeros((len(found), 6)), [], [], []
    for k, (one, part) in enumerate(zip(found, coupled.places, strict=True)):
        numbers[k, : len(one.numbers)] = one.numbers
        point = part[:3, :3] @ one.point + part[:3, 3]
        moves[k] = np.kron(np.eye(2), one.frame[:3, :3].T) @ coupled.leader.moves_at(point)
        places[k, :3] = one.frame[:3, :3].T @ (point - one.frame[:3, 3])
        axes.append(one.frame[:3, :3])
        points.append(point)
        names.append(one.branches)
    return CompiledLaws(numbers, moves, places, tuple(axes), tuple(points), tuple(names))
