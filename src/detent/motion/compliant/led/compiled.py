"""Force laws as rows of numbers, for compiled steps: those of rings, whose law is a kernel."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from detent.library.mating.known_laws import BRANCHES, RING
from detent.library.mating.oring import OringLaw
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

    def branches_at(self, coupled: Coupled, q: Floats, v: Floats) -> Any:
        """(m, k) of each law."""
        return self._loads(coupled, q, v)[1]

    def _loads(self, coupled: Coupled, q: Floats, v: Floats) -> tuple[Floats, Any]:
        """(m, k, 6) on the laws' own axes, and their branches."""
        count = len(self.numbers)
        loads, branches = np.zeros((len(q), count, 6)), np.zeros((len(q), count), np.int64)
        kernel = stepping.loads_at.at(1e4 * len(q) * count)
        kernel(self.system(coupled), np.ascontiguousarray(q), np.ascontiguousarray(v), loads, branches)
        return loads, branches

    def wrenches(self, coupled: Coupled, q: Floats, v: Floats) -> Floats:
        """(m, 6) of all laws at the gripper's frame, on world axes."""
        loads, _ = self._loads(coupled, q, v)
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
            laws.system(coupled),
            coupled.course.arrays,
            control,
            state,
            times,
            states,
            accelerations,
            branches,
        )
        if status != stepping.FULL or room >= _MOST:
            break
        room *= 4
    touching = {branch: laws_contacts(laws, branch) for branch in set(branches[: count + 1].tolist())}
    steps = LedSteps(
        times[: count + 1],
        states[: count + 1, :n],
        states[: count + 1, n:],
        accelerations[:count],
        tuple(touching[branch] for branch in branches[: count + 1].tolist()),
        (None,) * (count + 1),
        "RODAS",
    )
    return steps, status == stepping.DONE


def laws_contacts(laws: CompiledLaws, branch: int) -> tuple[str, ...]:
    """What touches, of a number that has the branches of all laws."""
    found: list[str] = []
    for names in reversed(laws.names):
        branch, own = divmod(branch, BRANCHES)
        found = [*names[own], *found]
    return tuple(found)


@lru_cache(maxsize=4)
def compiled_laws(coupled: Coupled) -> CompiledLaws | None:
    """Of a system; None where a law is no kernel. A system without laws is stepped by kernels too."""
    found = [_ring(law) if isinstance(law, OringLaw) else None for law in coupled.laws]
    known = [one for one in found if one is not None]
    if len(known) < len(found):
        return None
    n = len(coupled.leader.mass)
    numbers = np.zeros((len(known), max([len(one.numbers) for one in known], default=1)))
    moves, places = np.zeros((len(known), 6, n)), np.zeros((len(known), 6))
    axes, points, names = [], [], []
    for k, (one, part) in enumerate(zip(known, coupled.places, strict=True)):
        numbers[k, : len(one.numbers)] = one.numbers
        point = part[:3, :3] @ one.point + part[:3, 3]
        moves[k] = np.kron(np.eye(2), one.axes.T) @ coupled.leader.moves_at(point)
        places[k, :3] = one.axes.T @ (point - one.origin)
        axes.append(one.axes)
        points.append(point)
        names.append(one.branches)
    return CompiledLaws(numbers, moves, places, tuple(axes), tuple(points), tuple(names))


class _Numbered(NamedTuple):
    """A law as numbers: in which axes, about which point of the moving part, what its branches are."""

    numbers: list[float]
    axes: Floats  # (3, 3) columns in the world
    origin: Floats
    point: Floats
    branches: tuple[tuple[str, ...], ...]


def _ring(law: OringLaw) -> _Numbered | None:
    """A ring, its bore's walls in rows; None of more walls than a branch can tell."""
    bore, ring = law.bore, law.ring
    if len(bore.walls) >= BRANCHES or not law.smooth > 0:
        return None
    numbers = [float(RING), ring.tube, ring.groove, ring.c1, ring.c2, law.friction, law.groove_friction]
    numbers += [law.smooth, float(len(bore.walls))]
    compressed = {(start, end): senses for start, end, *senses in law.cylinders}
    for wall in bore.walls:
        bend = 0.0 if wall.bend is None else wall.bend
        before, behind = compressed.get((wall.start, wall.end), (0.0, 0.0))
        numbers += [
            wall.start,
            wall.end,
            wall.at,
            wall.middle,
            wall.slope,
            bend,
            float(wall.bend is not None),
        ]
        numbers += [before, behind]
    axis = np.array(bore.axis)
    across = np.eye(3)[int(np.argmin(np.abs(axis)))]
    across = across - (across @ axis) * axis
    across /= np.linalg.norm(across)
    axes = np.column_stack([across, np.cross(axis, across), axis])
    names = tuple((f"{wall.name}:{law.contact or law.name}",) for wall in bore.walls)
    return _Numbered(numbers, axes, np.array(bore.origin), np.array(law.at), ((), *names))
