"""The state at any moment of the valid region: jump to a pattern before it, simulate the rest.

The jump is by the patterns that were measured; three patterns then forget what was wrong. What remains, and
is told as the estimated error: how far the state moves in the error of the time at which the jump arrives
(durations are interpolated between measured patterns, and each is as accurate as its steps), what the three
patterns still change from one to the next beyond the drift, and the accuracy of the steps themselves.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from detent.judge.outlook.life.lived import between_courses
from detent.judge.outlook.life.timing import time_error
from detent.judge.outlook.patterns.cycles import FARTHEST, SETTLE, settled
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.patterns.simulating import FINER
from detent.judge.outlook.told.telling import by_joint, speeds_by_joint
from detent.record.outlook import MomentAhead, MomentUntold

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.life.lived import Lived
    from detent.judge.outlook.patterns.cycles import Cycle, Cycles
    from detent.judge.outlook.patterns.finding import Found
    from detent.judge.outlook.patterns.simulating import SimulatedCourse

    Floats = NDArray[np.float64]

# Steps of a run whose errors add up before the pattern forgets them, to be counted with.
_STEPS = 4.0
_NOT_SHOWN = "a restart before it does not show the pattern"
# Of a pattern: simulated after a moment, so that the last marks before it are surely there.
_AFTER = 0.3
_MANY = 3.0
_LOOKS = 8  # places of a step at which motion is looked at
# Patterns known from which on it is seen whether durations between them change evenly.
_CURVED = 3


def moment_at(
    lived: Lived, cycles: Cycles, before: int, time: float, last: float, open_: bool = False
) -> MomentAhead | MomentUntold:
    """The state at a time, or why it is not told: what was simulated is read, up to the last pattern it is
    jumped to one that is known, and where it is at rest by then it is the same. `before` is the number of the
    base; with `open_` what comes is simulated as far as effort allows.
    """
    found = lived.found
    resting = found.rest is not None and time > found.course.end
    if time > lived.end and not resting and (cycles.unsteady or (open_ and time > cycles.time_at(last))):
        lived.go_on_to(time)
    if time <= lived.end:
        marks = _marks_lived(lived, cycles)
        whole = _marks_up_to(lived, cycles, time) // cycles.minima
        late = (time - marks[-1]) / cycles.duration(max(cycles.known)) if len(marks) else 0.0
        # Where a swing is too small for marks, patterns go on as they did.
        return _simulated(lived, time, whole + (int(late) if cycles.unsteady and late > _CURVED else 0))
    if resting:
        return structs.replace(_seen(lived, time), pattern=_marks_up_to(lived, cycles) // cycles.minima)
    if cycles.fades is not None and time >= cycles.fades.between[1]:
        return _faded(cycles, lived, before, time)
    if cycles.unsteady:
        return MomentUntold(why=lived.why_not(time), time=time)
    number = _number_at(cycles, time, last)
    if number is None:
        return MomentUntold(why=lived.why_not(time) if open_ else _beyond(cycles, before, last), time=time)
    if _measured_at(cycles, max(cycles.clear(number - SETTLE), 0.0)):
        number = cycles.number_at(time)
    steps = lived.steps_of(cycles)
    off = time_error(cycles, number) + steps.of_time(time - cycles.base_time)
    # Before the earliest pattern that it may lie in; where it may lie in many, what is open is their range.
    near = min(off, _MANY * cycles.duration(number))
    first = max(cycles.clear(min(cycles.number_at(max(time - near, 0.0)), number) - SETTLE), 0.0)
    if first == 0.0 and lived.go_on_to(time):  # nothing lies between that could be jumped over
        return _simulated(lived, time, before + int(number))
    jump = _from(cycles, first, time + near + _AFTER * cycles.duration(number), steps.of_state(number))
    if jump.why:
        return MomentUntold(why=jump.why, time=time)
    return jump.told(time, before + int(number), off)


def moment_of_pattern(
    lived: Lived, cycles: Cycles, before: int, pattern: int, last: float, open_: bool = False
) -> MomentAhead | MomentUntold:
    """The state at the end of a pattern, counted from the start, or why it is not told."""
    number, wanted = float(pattern - before), pattern * cycles.minima
    over = _time_of_mark(lived, cycles, wanted)
    if over is None and lived.found.rest is None and (cycles.unsteady or (open_ and number > last)):
        many = (number + 1.0) * cycles.duration(max(cycles.known))
        lived.go_on_to(cycles.base_time + many)
        over = _time_of_mark(lived, cycles, wanted)
    if over is not None:
        return _simulated(lived, over, pattern)
    if cycles.unsteady or number > min(last, FARTHEST):
        far = lived.why_not(math.inf) if cycles.unsteady or open_ else _beyond(cycles, before, last)
        return MomentUntold(why=far, pattern=pattern)
    begin = max(cycles.clear(number - SETTLE), 0.0)
    steps, over = lived.steps_of(cycles), cycles.time_at(number)
    jump = _from(cycles, begin, over + 2 * cycles.duration(number), steps.of_state(number))
    ends = [cycle for cycle in jump.cycles if cycle.number == number]
    if not ends or jump.why:
        return MomentUntold(why=jump.why or _NOT_SHOWN, pattern=pattern)
    lasted = sum(cycle.duration for cycle in jump.cycles if cycle.number <= number)
    off = time_error(cycles, number) + steps.of_time(over - cycles.base_time)
    return jump.told(jump.course.begin + lasted, pattern, off)


def moments_seen(lived: Lived, at: Sequence[float]) -> list[MomentAhead | MomentUntold]:
    """Where no pattern was confirmed: moments that were simulated, and those after it came to rest."""
    moments = list[MomentAhead | MomentUntold]()
    for time in at:
        if time > lived.end and lived.found.rest is not None:
            moments.append(_seen(lived, time))
        elif time <= lived.end or lived.go_on_to(time):
            moments.append(_simulated(lived, time, 0))
        else:
            moments.append(MomentUntold(why=lived.why_not(time), time=time))
    return moments


def _seen(lived: Lived, time: float) -> MomentAhead | MomentUntold:
    """A moment after it came to rest: all is as at the end of what was simulated."""
    return structs.replace(_simulated(lived, lived.found.course.end, 0), time=time)


def _faded(cycles: Cycles, lived: Lived, before: int, time: float) -> MomentAhead:
    """A moment at which, by the law of what fades, nearly nothing is left of its swing: within what is."""
    assert cycles.fades is not None
    course, rest, width = lived.longest, cycles.fades.rest, 1e-4 * cycles.width
    here, open_ = by_joint(course, rest), by_joint(course, rest + np.where(cycles.resting, 0.0, width))
    number = before + cycles.number_at(time)
    return MomentAhead(
        time=time, pattern=int(number), state=here, speeds=dict.fromkeys(here, 0.0),
        error={name: abs(open_[name] - here[name]) for name in here},
        time_error=cycles.fades.between[1] - cycles.fades.between[0],
    )  # fmt: skip


def _simulated(lived: Lived, time: float, pattern: int) -> MomentAhead | MomentUntold:
    """A moment that was simulated from the begin of its life on: its time is the one asked for, as far as
    that begin is known."""
    errors, why = lived.errors(time)
    if why:
        return MomentUntold(why=why, time=time)
    course = lived.course_at(time)
    late = lived.late + (0.0 if lived.again is None else abs(lived.again.later))
    told = _told(course, time, pattern, late, 1e-3 * STILL * course.along.scales())
    return structs.replace(told, error={name: errors[name] + told.error[name] for name in told.error})


def _marks_lived(lived: Lived, cycles: Cycles) -> Any:
    """Times of all marks since the start, as far as it was simulated."""
    marks = _all_marks(lived.found, cycles)
    for course in lived.courses[1:]:
        if course.end <= lived.found.course.end:
            continue
        later = cycles.marks_in(course, cycles.settings.energy).times
        marks = np.concatenate([marks[marks <= cycles.base_time], later])
    return marks


def _marks_up_to(lived: Lived, cycles: Cycles, time: float = math.inf) -> int:
    """Marks since the start up to a time, as far as it was simulated. Of turns only the last are listed."""
    if cycles.section is not None and cycles.section.turn:
        course = lived.course_at(time)
        return cycles.section.passed(course, min(time, course.end))
    return int((_marks_lived(lived, cycles) <= time).sum())


def _time_of_mark(lived: Lived, cycles: Cycles, number: int) -> float | None:
    """When the mark of a number, counted from the start, comes; None where it was not simulated."""
    if cycles.section is not None and cycles.section.turn:
        times = [cycles.section.time_of_turn(course, number) for course in lived.courses]
        return next((time for time in times if time is not None), None)
    marks = _marks_lived(lived, cycles)
    return float(marks[number - 1]) if len(marks) >= number else None


def _beyond(cycles: Cycles, before: int, last: float) -> str:
    """Why nothing is told beyond the last pattern."""
    if last >= FARTHEST:
        return f"no moment is told farther ahead than {FARTHEST:g} patterns"
    over = cycles.words.at(cycles.time_at(last))
    return f"it is beyond the last pattern known, number {before + int(last)}, over at {over}"


def patterns_before(found: Found, cycles: Cycles) -> int:
    """Patterns from the start up to the base, by its marks."""
    if cycles.section is not None and cycles.section.turn:
        return cycles.section.passed(found.course, cycles.base_time) // cycles.minima
    return int((_all_marks(found, cycles) <= cycles.base_time).sum()) // cycles.minima


def _all_marks(found: Found, cycles: Cycles) -> Any:
    """Times of all marks since the start; that of the base but for rounding is the base's."""
    times = cycles.marks_of(found.course, cycles.settings.energy).times
    return np.where(np.abs(times - cycles.base_time) <= 1e-9 * cycles.base.duration, cycles.base_time, times)


@dataclass(frozen=True)
class _Jump:
    """A course from a pattern that was predicted, its patterns, and what it leaves open."""

    course: SimulatedCourse
    cycles: list[Cycle]
    finer: SimulatedCourse  # from the same state, to a tenth of the accuracy
    left: Floats  # of independent coordinates
    slip: float  # [s] by which its marks come otherwise than was predicted
    why: str = ""  # it does not show the pattern

    def told(self, time: float, pattern: int, off: float) -> MomentAhead:
        """A moment of it that is known within a time [s]."""
        moment = _told(self.course, time, pattern, off + self.slip, self.left)
        apart = between_courses(self.course, self.finer, time)
        return structs.replace(
            moment, error={name: error + apart[name] for name, error in moment.error.items()}
        )


def _from(cycles: Cycles, number: float, until: float, by_steps: Floats) -> _Jump:
    """From the end of a pattern up to a time; `by_steps` is what steps leave open of its coordinates."""
    state, accuracy = cycles.predicted(number), cycles.simulator.prepared.accuracy
    lasts = until - state.time
    cycles.simulated += lasts / cycles.duration(number)
    courses = [
        cycles.simulator.from_state(state, lasts, "a moment that was asked for", share * accuracy)
        for share in (1.0, FINER)
    ]
    course = courses[0]
    found = cycles.regular(course, number, besides=True).cycles
    why = _NOT_SHOWN if number > 0.0 and len(found) < SETTLE else ""
    end = course.begin + sum(cycle.duration for cycle in found)
    slip = abs(end - cycles.time_at(found[-1].number)) if found else 0.0
    slip *= max(number / len(found), 1.0) if found else 1.0  # each of those before may have been as far off
    left = _left(cycles, course, found[:SETTLE], number) + by_steps
    return _Jump(course, found, courses[1], left, slip, why)


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


def _left(cycles: Cycles, course: SimulatedCourse, found: list[Cycle], begin: float) -> Floats:
    """Of independent coordinates: what the last of three patterns changes otherwise than the one before, and
    what the accuracy leaves open."""
    accurate = _accurate(course, np.maximum(cycles.width, np.abs(cycles.net)))
    # Beyond the last pattern measured a drift goes on as it was, each pattern as accurate as its steps; what
    # is carried on is off by its way in the error of the time.
    beyond = max(begin - max(cycles.known), 0.0)
    swings = np.where(cycles.net == 0.0, cycles.width, 0.0)
    left: Floats = accurate + beyond * _STEPS * course.first.accuracy * swings
    if len(found) == SETTLE:
        ends = [cycle.end[0] for cycle in found]
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
    here, open_ = by_joint(course, state.at), by_joint(course, state.at + left)
    moved = moved_within(course, time, off)
    error = {name: moved[name] + abs(open_[name] - here[name]) for name in here}
    return MomentAhead(time=time, pattern=pattern, state=here, speeds=speeds, error=error, time_error=off)


def moved_within(course: SimulatedCourse, time: float, off: float) -> dict[str, float]:
    """By joint, how far it is at most from where it is, so long before and after; what was not simulated goes
    on as the course did."""
    here = by_joint(course, course.state_at(time).at)
    begin, end = max(time - off, course.begin), min(time + off, course.end)
    if end <= begin:
        return dict.fromkeys(here, 0.0)
    looks = course.along.looks(_LOOKS)
    looks = np.union1d(looks[(looks > begin) & (looks < end)], np.linspace(begin, end, 2 * _LOOKS + 1))
    columns: dict[str, Floats] = course.along.coordinates_at(looks)[0]
    beyond = max(off - min(time - course.begin, course.end - time), 0.0) / (course.end - course.begin)
    if beyond == 0.0:
        return {name: float(np.abs(columns[name] - here[name]).max()) for name in here}
    first, last = (by_joint(course, course.state_at(each).at) for each in (course.begin, course.end))
    ranges = course.along.coordinates_at(course.along.looks(1))[0]
    return {
        name: max(
            float(np.abs(ranges[name] - here[name]).max()), float(np.abs(columns[name] - here[name]).max())
        )
        + beyond * abs(last[name] - first[name])
        for name in here
    }


def told_and_not(
    moments: Sequence[MomentAhead | MomentUntold],
) -> dict[str, tuple[MomentAhead, ...] | tuple[MomentUntold, ...]]:
    """Fields of the answer: moments that are told, and those that are not."""
    return {
        "moments": tuple(each for each in moments if isinstance(each, MomentAhead)),
        "untold": tuple(each for each in moments if isinstance(each, MomentUntold)),
    }
