"""A loop of pins in which one side is longer than all the others together: no pose closes it.

The distance of two pins is fixed on every part that has both. Where a way over other parts from one to the
other is shorter than that, the triangle inequality proves that the drawing cannot close, and the sum
tells how much is missing at least. Loops that fail for another reason are left to be searched.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from detent.kinematics.equations.rows import Floats, drawn_poses, place
from detent.model.machine.plane_linkage import PlaneLinkage

MOST_PINS = 400  # the time grows with their cube: a tenth of a second


@dataclass(frozen=True)
class OverlongLoop:
    """Pins in document order, the part that is too long between two of them, and what the others reach."""

    joints: tuple[str, ...]
    part: str
    ends: tuple[str, str]
    length: float  # [m]
    reach: float  # [m]


def overlong_loop(system: PlaneLinkage) -> OverlongLoop | None:
    """The loop of fewest pins, then the one that misses most; None where every side is within reach."""
    pins = [pair for pair in system.pairs if pair.kind == "revolute"]
    if not 2 <= len(pins) <= MOST_PINS:
        return None
    poses = drawn_poses(system)
    on_body: dict[int, list[tuple[int, complex, int]]] = {}  # fixed parts are one body
    for number, pin in enumerate(pins):
        for mark in (pin.a, pin.b):
            body = -1 if system.fixed[mark.part] else mark.part
            on_body.setdefault(body, []).append((number, place(mark, poses), mark.part))
    length = np.full((len(pins), len(pins)), np.inf)
    np.fill_diagonal(length, 0.0)
    sides: list[tuple[float, int, int, int]] = []
    for marks in on_body.values():
        for (p, at, part), (q, other, _) in combinations(marks, 2):
            side = abs(at - other)
            sides.append((side, p, q, part))
            length[p, q] = length[q, p] = min(length[p, q], side)
    reach, after = _shortest(length)
    too_long = [each for each in sides if each[0] - reach[each[1], each[2]] > system.tolerance.length]
    if not too_long:
        return None

    def way(p: int, q: int) -> list[int]:
        pins_on_it = [p]
        while pins_on_it[-1] != q:
            pins_on_it.append(int(after[pins_on_it[-1], q]))
        return pins_on_it

    side, p, q, part = min(
        too_long, key=lambda each: (len(way(each[1], each[2])), reach[each[1], each[2]] - each[0])
    )
    joints = tuple(pins[k].name for k in sorted(way(p, q)))
    return OverlongLoop(joints, system.parts[part], (pins[p].name, pins[q].name), side, float(reach[p, q]))


def _shortest(length: Floats) -> tuple[Floats, NDArray[np.int64]]:
    """Between all pins: the length of the shortest way (Floyd 1962), and the pin that comes next on it."""
    reach = length.copy()
    after = np.broadcast_to(np.arange(len(length)), length.shape).copy()
    for middle in range(len(length)):
        way = reach[:, middle, None] + reach[None, middle, :]
        shorter = way < reach
        reach = np.where(shorter, way, reach)
        after = np.where(shorter, after[:, middle, None], after)
    return reach, after
