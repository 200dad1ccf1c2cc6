"""The state at any moment of the valid region: jump to a pattern before it, simulate the rest.

The jump is by the patterns that were measured; three patterns then forget what was wrong. What remains, and
is told as the estimated error: how far the state moves in the error of the time at which the jump arrives
(durations are interpolated between measured patterns, and each is as accurate as its steps), what the three
patterns still change from one to the next beyond the drift, and the accuracy of the steps themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from detent.judge.outlook.patterns.between import smoothed
from detent.judge.outlook.patterns.cycles import FARTHEST, SETTLE, settled
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.told.telling import by_joint, speeds_by_joint
from detent.record.outlook import MomentAhead

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.patterns.cycles import Cycles
    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Floats = NDArray[np.float64]

# Steps of a run whose errors add up before the pattern forgets them, to be counted with.
_STEPS = 4.0
# Patterns known from which on it is seen whether durations between them change evenly.
_CURVED = 3


def moment_at(found: Found, cycles: Cycles, before: int, time: float, last: float) -> MomentAhead | None:
    """The state at a time; None beyond the last pattern, but where it is at rest then. `before` is the number
    of the base.
    """
    if time <= found.course.end:  # it was simulated from the start
        whole = int((_all_marks(found, cycles) <= time).sum()) // cycles.minima
        return _simulated(found.course, time, whole)
    number = _number_at(cycles, time, last)
    if number is None:
        whole = len(_all_marks(found, cycles)) // cycles.minima
        return next((structs.replace(each, pattern=whole) for each in moments_seen(found, [time])), None)
    begin = max(cycles.clear(float(int(number)) - SETTLE), 0.0)
    if _measured_at(cycles, begin):
        number = _number_at(cycles, time, last) or 0.0
        begin = max(cycles.clear(float(int(number)) - SETTLE), 0.0)
    course = _from(cycles, begin, time)
    left = _left(cycles, course, begin)
    return _told(course, time, before + int(number), time_error(cycles, number), left)


def moment_of_pattern(
    found: Found, cycles: Cycles, before: int, pattern: int, last: float
) -> MomentAhead | None:
    """The state at the end of a pattern, counted from the start."""
    number = float(pattern - before)
    if number > min(last, FARTHEST):
        return None
    if number <= 0.0:
        mark = float(_all_marks(found, cycles)[pattern * cycles.minima - 1])
        return _simulated(found.course, mark, pattern)
    begin = max(cycles.clear(number - SETTLE), 0.0)
    course = _from(cycles, begin, cycles.time_at(number) + 2 * cycles.duration(number))
    regular = cycles.regular(course, begin, besides=True)
    ends = [cycle for cycle in regular.cycles if cycle.number == number]
    if not ends:
        return None
    lasted = sum(cycle.duration for cycle in regular.cycles if cycle.number <= number)
    off = time_error(cycles, number)
    left = _left(cycles, course, begin)
    return _told(course, course.begin + lasted, pattern, off, left)


def moments_seen(found: Found, at: Sequence[float]) -> list[MomentAhead]:
    """Where no pattern was confirmed: moments that were simulated, and those after it came to rest."""
    course, rest, moments = found.course, found.rest, []
    for time in at:
        if time <= course.end:
            moments.append(_simulated(course, time, 0))
        elif rest is not None:
            moments.append(structs.replace(_simulated(course, course.end, 0), time=time))
    return moments


def _simulated(course: SimulatedCourse, time: float, pattern: int) -> MomentAhead:
    """A moment that was simulated from the start: its time is the one asked for."""
    width, _ = course.ranges().over(course.begin, course.end)
    off = course.first.accuracy * (time - course.begin)
    return structs.replace(_told(course, time, pattern, off, _accurate(course, width)), time_error=0.0)


def patterns_before(found: Found, cycles: Cycles) -> int:
    """Patterns from the start up to the base, by its marks."""
    return int((_all_marks(found, cycles) <= cycles.base_time).sum()) // cycles.minima


def _all_marks(found: Found, cycles: Cycles) -> Any:
    """Times of all marks since the start; that of the base but for rounding is the base's."""
    times = cycles.marks_of(found.course, cycles.settings.energy).times
    return np.where(np.abs(times - cycles.base_time) <= 1e-9 * cycles.base.duration, cycles.base_time, times)


def _from(cycles: Cycles, number: float, until: float) -> SimulatedCourse:
    """A course from the end of a pattern up to a time."""
    state = cycles.predicted(number)
    lasts = until - state.time
    cycles.simulated += lasts / cycles.duration(number)
    return cycles.simulator.from_state(state, lasts, "a moment that was asked for")


def _measured_at(cycles: Cycles, number: float) -> bool:
    """Measures a pattern there, of one that drifts, beyond those known or where fewer than three are: two are
    a straight line, and how far durations between them are off it is not known."""
    enough = len(cycles.known) >= _CURVED and number <= max(cycles.known)
    if enough or not cycles.springs() or number <= 0.0 or not cycles.may(SETTLE):
        return False
    return not settled(cycles, number, "a moment that was asked for").why


def _number_at(cycles: Cycles, time: float, last: float) -> float | None:
    last = min(last, FARTHEST)
    if time > cycles.time_at(last):
        return None
    return min(cycles.number_at(time), float(int(last)))


def time_error(cycles: Cycles, number: float) -> float:
    """How far interpolated durations are off together: cubic between measured patterns, beside straight; and
    what the accuracy of the steps leaves open, added up from the start."""
    numbers = np.array(sorted(cycles.known))
    durations = np.array([cycles.known[n].duration for n in numbers])
    wanted = np.arange(1.0, min(number, float(numbers[-1])) + 1.0)
    straight = np.interp(wanted, numbers, durations)
    open_ = cycles.simulator.prepared.accuracy * cycles.time_at(number)
    beyond = number - float(numbers[-1])
    if beyond > 0:
        open_ += beyond * cycles.open_duration * float(durations[-1])
        open_ += 0.0 if cycles.settling is None else cycles.settling.late
    if beyond > 0 and cycles.springs():  # a spring runs down: durations change on as they did
        open_ += beyond * abs(cycles.duration(number) - float(durations[-1]))
    return float(np.abs(1.0 / smoothed(numbers, 1.0 / durations, wanted) - straight).sum()) + open_


def _left(cycles: Cycles, course: SimulatedCourse, begin: float) -> Floats:
    """Of independent coordinates: what the last of three patterns changes otherwise than the one before, and
    what the accuracy leaves open."""
    accurate = _accurate(course, np.maximum(cycles.width, np.abs(cycles.net)))
    ends = [cycle.end[0] for cycle in cycles.regular(course, begin, besides=True).cycles[:SETTLE]]
    # Beyond the last pattern measured a drift goes on as it was, each pattern as accurate as its steps; what
    # is carried on is off by its way in the error of the time.
    beyond = max(begin - max(cycles.known), 0.0)
    swings = np.where(cycles.net == 0.0, cycles.width, 0.0)
    left: Floats = accurate + beyond * _STEPS * course.first.accuracy * swings
    if len(ends) == SETTLE:
        left = left + np.abs(ends[-1] - 2 * ends[-2] + ends[-3])
    return left


def _accurate(course: SimulatedCourse, width: Floats) -> Floats:
    """What steps leave open: their accuracy is one of what they move, the range over a pattern at least."""
    accurate: Floats = np.maximum(
        _STEPS * course.first.accuracy * width, 1e-3 * STILL * course.along.scales()
    )
    return accurate


def _told(course: SimulatedCourse, time: float, pattern: int, off: float, left: Floats) -> MomentAhead:
    state, speeds = course.state_at(time), speeds_by_joint(course, time)
    around = [course.state_at(min(max(time + way * off, course.begin), course.end)) for way in (-1, 1)]
    here = by_joint(course, state.at)
    open_ = by_joint(course, state.at + left)
    ends = [by_joint(course, each.at) for each in around]
    # Where the time is known to less than what was simulated, what goes on does so for the rest of it.
    span = course.end - course.begin
    beyond = max(off - min(time - course.begin, course.end - time), 0.0) / span if span > 0 else 0.0
    first, last = (by_joint(course, course.state_at(each).at) for each in (course.begin, course.end))
    error = {
        name: max(abs(end[name] - here[name]) for end in ends)
        + abs(open_[name] - here[name])
        + beyond * abs(last[name] - first[name])
        for name in here
    }
    return MomentAhead(time=time, pattern=pattern, state=here, speeds=speeds, error=error, time_error=off)
