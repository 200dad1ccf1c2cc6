"""Does a machine still carry on what its pattern did, where the pattern itself is over?

A pattern is over where its marks come otherwise. A lever that does not quite reach its stop any more may
still let a wheel on by a tooth at each swing: what swings then passes the middle of its range as often as
before, and each time as much is carried on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from detent.judge.outlook.patterns.sections import CrossingSection

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.hypotheses import Hypothesis
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

# Of what a pattern carries on: by how much one may be early or late with it, and the last one.
_ON_ITS_WAY, _LAST = 0.25, 0.1


@dataclass(frozen=True)
class Passings:
    """A section that each pattern passes so many times, and how long after the last of them it ends [s]."""

    section: CrossingSection
    each: int
    before_end: float


def passings_of(course: SimulatedCourse, pattern: Hypothesis, swinging: NDArray[np.bool_]) -> list[Passings]:
    """Of coordinates that swing: those whose middle all patterns confirmed pass equally often."""
    ranges = course.ranges()
    inside = (ranges.times >= pattern.begin) & (ranges.times <= pattern.begin + pattern.duration)
    ends = pattern.marks.times[pattern.last - pattern.minima * (pattern.confirmed + 1) : pattern.last + 1]
    found = []
    for k in np.flatnonzero(swinging):
        middle = 0.5 * float(ranges.at[inside, k].max() + ranges.at[inside, k].min())
        section = CrossingSection(int(k), middle)
        times = section.marks_of(course).times
        counts = np.histogram(times, ends[:: pattern.minima])[0]
        if counts[0] > 0 and (counts == counts[0]).all():
            late = float(ends[-1] - times[times <= ends[-1]][-1])
            found.append(Passings(section, int(counts[0]), late))
    return found


def carried_further(
    cycles: Cycles,
    pattern_course: SimulatedCourse,
    shown: tuple[SimulatedCourse, float] | None,
    course: SimulatedCourse,
) -> list[float]:
    """When a course from the end of the last pattern on has carried as much on once more, and again, as long
    as it does so; empty where no pattern carries anything on.

    `shown` is a course that has the last pattern, and when it is over there.
    """
    swinging = (cycles.net == 0.0) & ~cycles.resting
    if shown is None or cycles.section is not None or not cycles.net.any() or not swinging.any():
        return []
    lasted = cycles.known[max(cycles.known)].duration
    found: list[float] = []
    for each in passings_of(pattern_course, cycles.pattern, swinging):
        times = each.section.marks_of(shown[0]).times
        inside = times[(times > shown[1] - lasted) & (times <= shown[1])]
        if len(inside) == each.each:  # as the last pattern ended, so do the next ones
            each = replace(each, before_end=shown[1] - float(inside[-1]))
        ends = _further(cycles, course, each, lasted)
        found = max(found, ends, key=lambda those: (len(those), those[-1:]))
    return found


def _further(cycles: Cycles, course: SimulatedCourse, passings: Passings, lasted: float) -> list[float]:
    """The same by passings of one section, after a pattern that lasted so long."""
    times = passings.section.marks_of(course).times
    wanted = times[times > course.begin][passings.each - 1 :: passings.each] + passings.before_end
    ends, changes = [course.begin], list[Any]()
    for end in (float(time) for time in wanted if time <= course.end):
        change, lasts = course.state_at(end).at - course.state_at(ends[-1]).at, end - ends[-1]
        if not _carries(cycles, change, _ON_ITS_WAY) or cycles.other_duration(lasts, lasted):
            break
        ends.append(end)
        changes.append(change)
        lasted = lasts
    # What the last ones were late with, no later one has made good.
    while changes and not _carries(cycles, changes[-1], _LAST):
        changes.pop()
        ends.pop()
    return ends[1:]


def _carries(cycles: Cycles, change: Any, share: float) -> bool:
    """Whether as much is carried on, within a share; what swings need not be back where it was."""
    slow = cycles.net != 0.0
    return bool((np.abs(change - cycles.net) <= share * np.abs(cycles.net))[slow].all())
