"""How a pattern changes as its spring runs down: measured patterns as a table, and a law where one holds.

A balance that is kept going by equal impulses of a spring gains energy in proportion to its tension and loses
it in proportion to the square of its amplitude: the square is linear in the tension. That is fitted to the
first pattern and the one at half of the energy, and said only where other restarts agree with it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from detent.foundation.units import measured
from detent.judge.outlook.patterns.springs import joint_values
from detent.judge.outlook.told.telling import looked_at, units_of
from detent.mechanics.tree_kernels import REST, STIFFNESS
from detent.record.outlook import Drift

if TYPE_CHECKING:
    from detent.judge.outlook.patterns.cycles import Cycle, Cycles
    from detent.judge.outlook.patterns.simulating import SimulatedCourse
    from detent.judge.outlook.patterns.springs import RunningSpring

# Of the amplitude at first: by how much the law may be off at a restart.
_HOLDS = 0.005
_MOST_MEASURED = 9  # rows of patterns that were followed


def drift_of(course: SimulatedCourse, cycles: Cycles, spring: RunningSpring, before: int) -> Drift:
    """Of the patterns that were measured; `before` is the number of the base, counted from the start."""
    tree = course.first.tree
    swinging = [
        k
        for k, name in enumerate(tree.coordinates)
        if tree.machine.joints[k, STIFFNESS] > 0
        and name != spring.joint
        # Nothing turns round where a section marks a pattern.
        and cycles.section is None
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
        row += _extremes(cycle, course, swinging)
        rows.append(tuple(float(number) for number in row))
    laws = [_law(course, cycles, spring, k) for k in swinging]
    told = [law for law in laws if law is not None]
    return Drift(
        columns=tuple(columns),
        rows=tuple(rows),
        law="; ".join(law.law for law in told),
        holds="; ".join(law.holds for law in told),
        numbers={key: value for law in told for key, value in law.numbers.items()},
        about={law.joint: law.about for law in told},
        within={law.joint: law.within for law in told},
        until={law.joint: before + law.until for law in told},
    )


def drift_measured(
    course: SimulatedCourse, cycles: Cycles, followed: list[Cycle], before: int, law: str, holds: str
) -> Drift:
    """Of a pattern that was followed and still changes: some of its patterns, evenly chosen."""
    tree = course.first.tree
    still = cycles.resting | cycles.creeping.which
    resting = {name for name, rests in zip(cycles.names, still, strict=True) if rests}
    swinging = [
        k
        for k, name in enumerate(tree.coordinates)
        if cycles.section is None and cycles.minima > 1 and name not in resting and not cycles.net.any()
    ]
    ends = cycles.base_time + np.cumsum([cycle.duration for cycle in followed])
    rows = []
    for j in np.unique(np.linspace(0, len(followed) - 1, _MOST_MEASURED).round().astype(int)):
        cycle = followed[j]
        row = [before + cycle.number, ends[j], cycle.duration]
        row += _extremes(cycle, course, swinging)
        rows.append(tuple(float(number) for number in row))
    sides = [f"{tree.coordinates[k]} {side}" for k in swinging for side in ("least", "greatest")]
    columns = ("pattern", "time", "duration", *sides)
    return Drift(columns=columns, rows=tuple(rows), law=law, holds=holds)


def _extremes(cycle: Cycle, course: SimulatedCourse, swinging: list[int]) -> list[float]:
    """The least and the greatest of each joint in a pattern, at its marks, and between where a course has
    them: what follows another joint turns round elsewhere."""
    tree = course.first.tree
    values = np.array([joint_values(tree, y) for y in cycle.at]) * units_of(course.along)
    between = (
        {} if cycle.seen is None else looked_at(cycle.seen[0], cycle.seen[1], cycle.seen[1] + cycle.duration)
    )
    ends: list[float] = []
    for k in swinging:
        all_of = np.append(between.get(tree.coordinates[k], values[:, k]), values[:, k])
        ends += [float(all_of.min()), float(all_of.max())]
    return ends


@dataclass(frozen=True)
class _Law:
    """The law of a joint, in words and in document units; `until` counts patterns past the base."""

    joint: str
    law: str
    holds: str
    numbers: dict[str, tuple[float, float]]
    about: float
    within: float
    until: int


def _law(course: SimulatedCourse, cycles: Cycles, spring: RunningSpring, k: int) -> _Law | None:
    """The square of a joint's amplitude about its spring's rest, linear in the tension; None where it is
    not so."""
    tree = course.first.tree
    name, rest = tree.coordinates[k], float(tree.machine.joints[k, REST])
    to_units = float(units_of(course.along)[k])
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
        numbers_of[f"{name} {side}"] = (offset * to_units**2, slope * to_units**2)
    last = numbers[far]
    unit = course.along.coordinate_units[name]
    about, within = rest * to_units, off * to_units
    return _Law(
        joint=name,
        law=f"the square of {name}'s amplitude about {measured(about, unit)} is linear in the tension"
        f" of {spring.joint}",
        holds=f"within {measured(within, unit, 2)} of restarts up to pattern {last:g} past the first"
        " confirmed one",
        numbers=numbers_of, about=about, within=within, until=int(last),
    )  # fmt: skip


def _swing(tree: object, cycle: Cycle, k: int, rest: float, pick: object) -> float:
    values = np.array([joint_values(tree, y)[k] for y in cycle.at])  # type: ignore[arg-type]
    return float(values[pick(values)] - rest)  # type: ignore[operator]
