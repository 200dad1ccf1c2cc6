"""The pattern as a record: its phases, contacts, amplitudes, what moves together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detent.judge.outlook.patterns.simulating import MachineState
from detent.judge.outlook.patterns.springs import joint_values
from detent.judge.outlook.told.pushing import contacts_of, energy_of
from detent.record.outlook import MINIMA, Pattern, Phase

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.patterns.hypotheses import Hypothesis
    from detent.judge.outlook.patterns.simulating import SimulatedCourse
    from detent.motion.running.along import RunSteps

    Floats = NDArray[np.float64]

# Of a range: joints whose motions differ by less move together.
_TOGETHER = 1e-2
# Places of a step at which ranges are looked at: a turning point between two is off by 1e-3 of its way.
_LOOKS = 32
# Of a coordinate's range: the disturbance whose remainder after a pattern is told.
_DISTURBED = 0.02
_RUNS = 2.5  # patterns that telling it takes


def units_of(along: RunSteps) -> Floats:
    """By joint: what turns its coordinate into document units."""
    unit, units = along.tree.system.metres_per_unit, along.coordinate_units
    return np.array([1.0 if units[name] == "rad" else 1.0 / unit for name in along.tree.coordinates])


def coordinates_of(along: RunSteps, y: Floats) -> dict[str, float]:
    """Coordinates of all joints, in document units, by the independent ones."""
    values = joint_values(along.tree, y) * units_of(along)
    return {name: float(value) for name, value in zip(along.tree.coordinates, values, strict=True)}


def by_joint(course: SimulatedCourse, y: Floats) -> dict[str, float]:
    """Coordinates of all joints of a course, in document units."""
    return coordinates_of(course.along, y)


def speeds_by_joint(course: SimulatedCourse, time: float) -> dict[str, float]:
    columns = course.along.at(np.array([time])).speeds
    return {name: float(column[0]) for name, column in columns.items()}


def pattern_of(found: Found, cycles: Cycles, multipliers: dict[str, float]) -> Pattern:
    """What the search confirmed."""
    pattern, course = found.hypothesis, found.course
    assert pattern is not None
    end = pattern.begin + pattern.duration
    contacts, joints = contacts_of(course, pattern.begin, end)
    return Pattern(
        minima=pattern.minima,
        duration=pattern.duration,
        change=change_of(course.along, pattern, pattern.kept + pattern.minima),
        phases=phases_of(course.along, pattern),
        marks=_marks_in_words(found),
        since=pattern.since,
        confirmed=pattern.confirmed,
        bound=found.settings.bound(pattern.minima),
        contacts=contacts,
        energy=energy_of(course, pattern.begin, end, contacts, joints),
        multipliers=multipliers,
    )


def phases_of(along: RunSteps, pattern: Hypothesis) -> tuple[Phase, ...]:
    """The marks of the last pattern confirmed."""
    marks = pattern.marks
    return tuple(
        Phase(
            time=float(marks.times[k]) - pattern.begin,
            state=coordinates_of(along, marks.at[k]),
            change=change_of(along, pattern, k),
        )
        for k in range(pattern.last - pattern.minima + 1, pattern.last + 1)
    )


def change_of(along: RunSteps, pattern: Hypothesis, mark: int) -> dict[str, float]:
    """Of joints, over the pattern that ends at a mark."""
    now, before = (coordinates_of(along, pattern.marks.at[k]) for k in (mark, mark - pattern.minima))
    return {name: now[name] - before[name] for name in now}


def _marks_in_words(found: Found) -> str:
    if found.section is None:
        return MINIMA
    name = found.names[found.section.coordinate]
    return f"turns of {name}" if found.section.turn else f"{name} passing the middle of its range upwards"


def looked_at(course: SimulatedCourse, begin: float, end: float) -> dict[str, Floats]:
    """Coordinates by joint between two times, at both of them too: at a mark something turns round."""
    looks = course.along.looks(_LOOKS)
    # A pattern may be shorter than a step.
    inside = np.union1d(looks[(looks > begin) & (looks < end)], np.linspace(begin, end, 33))
    columns: dict[str, Floats] = course.along.coordinates_at(inside)[0]
    return columns


def half_ranges(course: SimulatedCourse, begin: float, end: float) -> dict[str, float]:
    """By joint: half of its range between two times, of those that move."""
    widths = {name: float(np.ptp(column)) for name, column in looked_at(course, begin, end).items()}
    return {name: 0.5 * width for name, width in widths.items() if width > 1e-6}


def swinging(found: Found, cycles: Cycles) -> tuple[dict[str, float], tuple[tuple[str, ...], ...]]:
    """Half the range of joints that go to and fro over a pattern, and those that do so together."""
    pattern, course = found.hypothesis, found.course
    assert pattern is not None
    columns = looked_at(course, pattern.begin, pattern.begin + pattern.duration)
    amplitude, ways = {}, {}
    creeps = {name for name, creeps in zip(found.names, cycles.creeping.which, strict=True) if creeps}
    for name, column in columns.items():
        width = float(np.ptp(column))
        if name not in creeps and width > 1e-6 and cycles.swings(name, width):
            amplitude[name] = 0.5 * width
            ways[name] = (column - column.min()) / width
    return amplitude, _together(ways)


def _together(ways: dict[str, Any]) -> tuple[tuple[str, ...], ...]:
    groups: list[list[str]] = []
    for name, way in ways.items():
        for group in groups:
            first = ways[group[0]]
            if min(np.abs(way - first).max(), np.abs(way - (1 - first)).max()) <= _TOGETHER:
                group.append(name)
                break
        else:
            groups.append([name])
    return tuple(tuple(group) for group in groups if len(group) > 1)


def multipliers_of(cycles: Cycles) -> dict[str, float]:
    """What one pattern leaves of a disturbance of the coordinate that swings widest."""
    swings = np.where((cycles.net == 0.0) & ~cycles.resting, cycles.width / cycles.scales, 0.0)
    if not swings.any() or cycles.section is not None or cycles.tree.closing or not cycles.may(_RUNS):
        return {}  # at a section a disturbance moves the marks, in a loop it does not stay
    k = int(np.argmax(swings))
    at, speeds = cycles.base.end
    ends = []
    for disturbed in (0.0, _DISTURBED * cycles.width[k]):
        y = at.copy()
        y[k] += disturbed
        state = MachineState(cycles.base_time, y, speeds)
        course = cycles.course_from(state, 1, f"{cycles.names[k]} disturbed")
        found = cycles.regular(course, 0.0)
        if not found.cycles:
            return {}
        ends.append(found.cycles[0].end[0][k])
    return {cycles.names[k]: float((ends[1] - ends[0]) / (_DISTURBED * cycles.width[k]))}
