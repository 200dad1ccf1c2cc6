"""The state at any moment of the valid region: jump to a pattern before it, simulate the rest.

The jump is by the patterns that were measured; three patterns then forget what was wrong. What remains, and
is told as the estimated error: how far the state moves in the error of the time at which the jump arrives
(durations are interpolated between measured patterns, and each is as accurate as its steps), what the three
patterns still change from one to the next beyond the drift, and the accuracy of the steps themselves.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.cycles import SETTLE, smoothed
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.patterns.simulating import MachineState
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


def moment_at(found: Found, cycles: Cycles, before: int, time: float, last: float) -> MomentAhead | None:
    """The state at a time; None beyond the last pattern. `before` is the number of the base."""
    if time <= found.course.end and time <= cycles.base_time:
        return _told(cycles, found.course, time, 0.0, int(before), _time_error(cycles, 0.0))
    number = _number_at(cycles, time, last)
    if number is None:
        return None
    begin = max(float(int(number)) - SETTLE, 0.0)
    course, shift = _from(cycles, begin, time)
    left = _left(cycles, course, begin)
    return _told(cycles, course, time - shift, shift, before + int(number), _time_error(cycles, number), left)


def moment_of_pattern(
    found: Found, cycles: Cycles, before: int, pattern: int, last: float
) -> MomentAhead | None:
    """The state at the end of a pattern, counted from the start."""
    number = float(pattern - before)
    if number > last:
        return None
    if number <= 0.0:
        mark = cycles.pattern.last + int(number) * cycles.minima
        if mark < 0:
            return None
        at = float(cycles.pattern.marks.times[mark])
        return _told(cycles, found.course, at, 0.0, pattern, _time_error(cycles, 0.0))
    begin = max(number - SETTLE, 0.0)
    course, shift = _from(cycles, begin, cycles.time_at(number) + 2 * cycles.duration(number))
    regular = cycles.regular(course, begin, besides=True)
    ends = [cycle for cycle in regular.cycles if cycle.number == number]
    if not ends:
        return None
    lasted = sum(cycle.duration for cycle in regular.cycles if cycle.number <= number)
    off = _time_error(cycles, number)
    left = _left(cycles, course, begin)
    return _told(cycles, course, course.begin + lasted, shift, pattern, off, left)


def _from(cycles: Cycles, number: float, until: float) -> tuple[SimulatedCourse, float]:
    """A course from the end of a pattern up to a time, and what its times are early by."""
    state = cycles.predicted(number)
    begin = cycles.time_at(number)
    cycles.simulated += (until - begin) / cycles.duration(number)
    course = cycles.simulator.from_state(
        MachineState(state.time, state.at, state.speeds), until - begin, "a moment that was asked for"
    )
    return course, begin - state.time


def _number_at(cycles: Cycles, time: float, last: float) -> float | None:
    whole = 0
    while whole < last and cycles.time_at(whole + 1) <= time:
        whole += 1
    return None if whole >= last and time > cycles.time_at(last) else float(whole)


def _time_error(cycles: Cycles, number: float) -> float:
    """How far interpolated durations are off together: cubic between measured patterns, beside straight; and
    what the accuracy of the steps leaves open, added up from the start."""
    numbers = np.array(sorted(cycles.known))
    durations = np.array([cycles.known[n].duration for n in numbers])
    wanted = np.arange(1.0, number + 1.0)
    straight = np.interp(wanted, numbers, durations)
    open_ = cycles.simulator.prepared.accuracy * cycles.time_at(number)
    return float(np.abs(smoothed(numbers, durations, wanted) - straight).sum()) + open_


def _left(cycles: Cycles, course: SimulatedCourse, begin: float) -> Floats:
    """Of independent coordinates: what the last of three patterns changes otherwise than the one before."""
    ends = [cycle.end[0] for cycle in cycles.regular(course, begin, besides=True).cycles[:SETTLE]]
    # Beyond the last pattern measured a drift goes on as it was, each pattern as accurate as its steps.
    beyond = max(begin - max(cycles.known), 0.0)
    left: Floats = beyond * _STEPS * cycles.simulator.prepared.accuracy * cycles.width
    if len(ends) == SETTLE:
        left = left + np.abs(ends[-1] - 2 * ends[-2] + ends[-3])
    return left


def _told(
    cycles: Cycles,
    course: SimulatedCourse,
    time: float,
    shift: float,
    pattern: int,
    off: float,
    left: Floats | None = None,
) -> MomentAhead:
    state, speeds = course.state_at(time), speeds_by_joint(course, time)
    around = [course.state_at(min(max(time + way * off, course.begin), course.end)) for way in (-1, 1)]
    here = by_joint(course, state.at)
    # The accuracy is one of each step, of what it moves: at least that of the pattern's range.
    floor = _STEPS * cycles.simulator.prepared.accuracy * np.maximum(cycles.width, np.abs(cycles.net))
    floor = np.maximum(floor, 1e-3 * STILL * cycles.scales)
    open_ = by_joint(course, state.at + floor + (0.0 if left is None else left))
    ends = [by_joint(course, each.at) for each in around]
    error = {
        name: max(abs(end[name] - here[name]) for end in ends) + abs(open_[name] - here[name])
        for name in here
    }
    return MomentAhead(
        time=time + shift, pattern=pattern, state=here, speeds=speeds, error=error, time_error=off
    )
