"""How a pattern changes as its spring runs down: measured patterns as a table, and a law where one holds.

A balance that is kept going by equal impulses of a spring gains energy in proportion to its tension and loses
it in proportion to the square of its amplitude: the square is linear in the tension. That is fitted to the
first pattern and the one at half of the energy, and said only where other restarts agree with it.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.cycles import joint_values
from detent.judge.outlook.told.telling import units_of
from detent.mechanics.tree_kernels import REST, STIFFNESS
from detent.record.outlook import Drift

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.cycles import Cycle, Cycles, RunningSpring
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

# Of the amplitude at first: by how much the law may be off at a restart.
_HOLDS = 0.005


def drift_of(course: SimulatedCourse, cycles: Cycles, spring: RunningSpring, before: int) -> Drift:
    """Of the patterns that were measured; `before` is the number of the base, counted from the start."""
    tree, units = course.first.tree, units_of(course.along)
    swinging = [
        k
        for k, name in enumerate(tree.coordinates)
        if tree.machine.joints[k, STIFFNESS] > 0 and name != spring.joint
    ]
    names = [tree.coordinates[k] for k in swinging]
    columns = ["pattern", "time", "duration", f"tension {spring.joint}"]
    for name in names:
        columns += [f"{name} least", f"{name} greatest"]
    rows = []
    for number in sorted(cycles.known):
        cycle = cycles.known[number]
        row = [before + number, cycles.time_at(number), cycle.duration]
        row.append(abs(spring.tension + number * spring.change))
        values = np.array([joint_values(tree, y) for y in cycle.at]) * units
        for k in swinging:
            row += [float(values[:, k].min()), float(values[:, k].max())]
        rows.append(tuple(float(number) for number in row))
    laws = [_law(course, cycles, spring, k) for k in swinging]
    told = [law for law in laws if law is not None]
    return Drift(
        columns=tuple(columns),
        rows=tuple(rows),
        law="; ".join(law[0] for law in told),
        holds="; ".join(law[1] for law in told),
        numbers={key: value for law in told for key, value in law[2].items()},
    )


def _law(
    course: SimulatedCourse, cycles: Cycles, spring: RunningSpring, k: int
) -> tuple[str, str, dict[str, tuple[float, float]]] | None:
    """The square of a joint's amplitude about its spring's rest, linear in the tension; None where it is
    not so."""
    tree = course.first.tree
    name, rest = tree.coordinates[k], float(tree.machine.joints[k, REST])
    numbers = sorted(cycles.known)
    if len(numbers) < 3:
        return None
    tension = [abs(spring.tension + number * spring.change) for number in numbers]
    numbers_of: dict[str, tuple[float, float]] = {}
    off, far = 0.0, 0
    for side, pick in (("least", np.argmin), ("greatest", np.argmax)):
        swings = [_swing(tree, cycles.known[number], k, rest, pick) for number in numbers]
        squares = [swing**2 for swing in swings]
        if abs(swings[0]) == 0.0 or tension[0] == tension[1]:
            return None
        slope = (squares[0] - squares[1]) / (tension[0] - tension[1])
        offset = squares[0] - slope * tension[0]
        if abs(squares[0] - squares[1]) <= 1e-9 * squares[0]:
            return None
        agrees = 1
        for j in range(2, len(numbers)):
            law = math.sqrt(max(offset + slope * tension[j], 0.0))
            error = abs(law - abs(swings[j]))
            if error > _HOLDS * abs(swings[0]):
                break
            off, agrees = max(off, error), j
        if agrees < 2:
            return None
        far = agrees if far == 0 else min(far, agrees)
        numbers_of[f"{name} {side}"] = (offset, slope)
    last = numbers[far]
    unit = "°" if course.along.coordinate_units[name] == "rad" else ""
    shown = math.degrees(off) if unit else off / tree.system.metres_per_unit
    middle = math.degrees(rest) if unit else rest / tree.system.metres_per_unit
    return (
        f"the square of {name}'s amplitude about {middle:.6g}{unit} is linear in the tension"
        f" of {spring.joint}",
        f"within {shown:.2g}{unit} of restarts up to pattern {last:g} past the first confirmed one",
        numbers_of,
    )


def _swing(tree: object, cycle: Cycle, k: int, rest: float, pick: object) -> float:
    values = np.array([joint_values(tree, y)[k] for y in cycle.at])  # type: ignore[arg-type]
    return float(values[pick(values)] - rest)  # type: ignore[operator]
