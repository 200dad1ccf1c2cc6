"""What does a new contact do? Gelsey's Algorithm 15 (1995): restarted just before it, the machine shows it.

Where the pattern goes on undisturbed and only joints move that rest in it, and then rest again, the contact
begins a process that is superimposed on the pattern; else the pattern ends there. A joint that each following
pattern carries on belongs to another pattern, and so does one that a process leaves elsewhere, unless the
process comes again and moves it by as much once more (a counter).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from detent.judge.outlook.patterns.cycles import SETTLE, SPENT, agree, keep
from detent.judge.outlook.patterns.finding import touched_pairs
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.patterns.on_top import moved_by

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.ahead.contacts import NewContact
    from detent.judge.outlook.patterns.cycles import Cycle, Cycles, Regular
    from detent.judge.outlook.patterns.simulating import SimulatedCourse
    from detent.record.event import Event

    Floats = NDArray[np.float64]

_LEAD = 2  # patterns before the contact at which it is restarted
_MOST = 24  # patterns in which a superimposed process must be over
_SOONER = 0.9  # of a pattern: so much before it is expected a contact may come
_CARRIED = 4  # changes alike of a joint that otherwise rests, one pattern after the other: it is carried on


@dataclass(frozen=True)
class Encounter:
    """What a restart showed: the first touch, whether the pattern went on, and what moved besides."""

    contact: NewContact
    course: SimulatedCourse | None  # None: no more patterns may be simulated
    event: Event | None  # None: they do not touch after all
    begins: float  # the number of the pattern at which the course begins
    goes_on: bool
    why: str  # it does not go on, or nothing could be said
    over: float = 0.0  # when what moved besides was at rest again, in the course
    moved: tuple[int, ...] = ()  # coordinates
    change: tuple[float, ...] = ()
    regular: int = 0  # patterns from the begin of the course that were regular
    before: int = 0  # of them, over when the parts touch
    cycles: tuple[Cycle, ...] = ()  # those that were regular
    other: bool = False  # the basic pattern goes on, but with more joints that move: it is another one


def meet(
    cycles: Cycles, contact: NewContact, later: float = 0.0, moved_by: Floats | None = None
) -> Encounter:
    """Restarts the machine before a new contact, or so many patterns later, and looks what follows.

    `moved_by` is what joints that rest in the pattern have moved by then.
    """
    # No process on top of the pattern that is known of is under way where it is restarted.
    number = max(cycles.clear(float(max(contact.pattern + later - _LEAD, 0))), 0.0)
    state, lasts = cycles.predicted(number), contact.pattern + later - number + 1.0
    if not cycles.may(lasts):
        return Encounter(contact, None, None, number, True, SPENT)
    if moved_by is not None:
        state = replace(state, at=state.at + moved_by)
    course = cycles.course_from(state, lasts, "a new contact")
    event = _touch(cycles, course, contact, number - later)
    if event is None:
        return Encounter(contact, course, None, number, True, "")
    rested: Encounter | None = None  # as it was when what moved besides was first at rest again
    while True:
        found = cycles.regular(course, number, besides=True)
        done = len(found.cycles)
        moved = _moved(cycles, course, event)
        if rested is not None and moved != rested.moved:
            return rested  # another process has begun
        shown = Encounter(
            contact, course, event, number, False, found.why, moved=moved, regular=done,
            before=_over_before(course, found.cycles, event.time), cycles=tuple(found.cycles),
        )  # fmt: skip
        if found.why:
            return shown
        carried = _carried(cycles, found.cycles, moved)
        if carried is not None:
            why = f"from then on each pattern carries {cycles.names[carried]} on"
            return replace(shown, why=why, other=True)
        over = _at_rest_again(cycles, course, found.until, moved, event.time)
        if over is not None and found.until > event.time + cycles.base.duration:
            first, last = course.state_at(course.begin).at, course.state_at(over).at
            change = tuple(float(last[k] - first[k]) for k in moved)
            if not moved:
                return replace(shown, goes_on=True, over=over, change=change)
            # What the process has changed of the pattern is known once its patterns agree again.
            after = [cycle for cycle in found.cycles if _ends(course, found.cycles, cycle) > over]
            settled = agree(cycles, after)
            if settled:
                keep(cycles, course, found.cycles)
            rested = rested or replace(shown, goes_on=True, over=over, change=change)
            if not settled and done < _MOST and cycles.may(1, begun=True):
                cycles.simulated += 1
                course.go_on(cycles.base.duration)
                continue
            return replace(rested, regular=done)
        if done >= _MOST:
            return replace(shown, why=f"what it moves is not at rest within {_MOST} patterns", other=True)
        if not cycles.may(1, begun=True):
            return replace(shown, why=SPENT)
        cycles.simulated += 1
        course.go_on(cycles.base.duration)


def touch_time(cycles: Cycles, meeting: Encounter) -> float:
    """[s] When the parts of an encounter touch, counted from the machine's start."""
    assert meeting.event is not None
    assert meeting.course is not None
    return meeting.event.time + cycles.time_at(meeting.begins) - meeting.course.begin


@dataclass(frozen=True)
class PassedBy:
    """Patterns around one in which something may change: from which one on, and how many were regular."""

    begins: float
    regular: Regular


def pass_by(cycles: Cycles, pattern: int, why: str) -> PassedBy | None:
    """Restarts the machine before a pattern and simulates past it; None where no more may be simulated."""
    # Of a pattern that drifts the last one before shows how it is by then, once the restart is forgotten.
    lead = SETTLE + 1 if cycles.springs() and cycles.may(SETTLE + 2) else _LEAD
    number = float(max(pattern - lead, 0))
    if not cycles.may(lead + 1):
        return None
    course = cycles.course_from(cycles.predicted(number), lead + 1, why)
    for _ in range(_MOST):
        found = cycles.regular(course, number)
        if found.why or number + len(found.cycles) > pattern:
            return PassedBy(number, found)
        if not cycles.may(1, begun=True):
            return None
        cycles.simulated += 1
        course.go_on(cycles.base.duration)
    return PassedBy(number, found)


def _touch(cycles: Cycles, course: SimulatedCourse, contact: NewContact, number: float) -> Event | None:
    """The first touch of a course from a pattern on; where it was begun earlier, because the same parts had
    met just before, the first about when it is expected."""
    since, lasts = course.begin, cycles.base.duration
    if number < contact.pattern - _LEAD:
        since += (contact.pattern - 1 - number - _SOONER) * lasts + contact.after
    for event in course.events():
        touches = event.kind in ("contact", "impact") and set(event.subjects) == set(contact.parts)
        if touches and event.time >= since:
            return event
    return None


def comes_again(cycles: Cycles, meeting: Encounter, period: float) -> bool | None:
    """Whether a process comes again after a period of patterns, and moves joints by as much once more.

    Only one that leaves them elsewhere need be asked: another finds the machine as it was. None where no more
    patterns may be simulated.
    """
    moved_by = np.zeros(len(cycles.net))
    moved_by[list(meeting.moved)] = meeting.change
    assert meeting.course is not None
    still = cycles.settings.state * np.ptp(meeting.course.ranges().at, axis=0)
    still = np.maximum(still, STILL * cycles.scales)
    if (np.abs(moved_by) <= still).all():
        return True
    if not np.isfinite(period):
        return False
    again = meet(cycles, meeting.contact, period, moved_by)
    if again.why == SPENT:
        return None
    if again.event is None or not again.goes_on or again.moved != meeting.moved:
        return False
    off = np.abs(np.array(again.change) - np.array(meeting.change))
    return bool((off <= still[list(meeting.moved)]).all())


def _carried(cycles: Cycles, found: list[Cycle], moved: tuple[int, ...]) -> int | None:
    """A coordinate that rests in the pattern, and that the last patterns all changed alike."""
    if len(found) <= _CARRIED:
        return None
    ends = np.array([cycle.end[0] for cycle in found[-_CARRIED - 1 :]])
    changes = np.diff(ends, axis=0)
    for k in moved:
        last = changes[-1, k]
        alike = np.abs(changes[:, k] - last) <= cycles.settings.state * abs(last)
        if abs(last) > STILL * cycles.scales[k] and alike.all():
            return k
    return None


def _ends(course: SimulatedCourse, found: list[Cycle], cycle: Cycle) -> float:
    """When a pattern of a course is over."""
    return course.begin + sum(each.duration for each in found if each.number <= cycle.number)


def _over_before(course: SimulatedCourse, found: list[Cycle], time: float) -> int:
    """Patterns of a course that are over by a time."""
    ends = course.begin + np.cumsum([cycle.duration for cycle in found])
    return int((ends <= time).sum())


def _moved(cycles: Cycles, course: SimulatedCourse, event: Event) -> tuple[int, ...]:
    """Coordinates that rest in the pattern and moved here, of the parts that met and of those that these
    touched; others are moved by another process at the same time."""
    ways = np.ptp(course.ranges().at, axis=0)
    moved = [int(k) for k in np.flatnonzero(cycles.resting & (ways > STILL * cycles.scales))]
    if len(moved) < 2:
        return tuple(moved)
    system, possible = cycles.tree.system, course.first.possible
    met = {body for body in range(len(system.bodies)) if system.bodies[body].name in event.subjects}
    at, steps = cycles.base.at[-1], 1e-3 * cycles.scales
    groups = {k: moved_by(cycles.tree, at, k, steps[k]) for k in moved}
    touch = [set(map(int, possible.pairs[p])) for p in touched_pairs(course, event.time, course.end)]
    own, reached = set[int](), met
    while True:
        more = {k for k in moved if k not in own and groups[k] & reached}
        if not more:
            return tuple(k for k in moved if k in own)
        own |= more
        bodies = set[int]().union(*(groups[k] for k in more))
        rest = set[int]().union(*groups.values())
        reached = bodies | {b for pair in touch if pair & bodies for b in pair & rest}


def _at_rest_again(
    cycles: Cycles, course: SimulatedCourse, until: float, moved: tuple[int, ...], touch: float
) -> float | None:
    """From when on those coordinates rest for a pattern, after a touch; None where they do not yet."""
    if not moved:
        return until
    ranges, k = course.ranges(), list(moved)
    at = np.vstack([ranges.at, course.state_at(course.end).at])[:, k]
    times, still = np.append(ranges.times, course.end), STILL * cycles.scales[k]
    waits = np.searchsorted(times, times + cycles.base.duration)
    moved_by_then = np.cumsum((np.abs(at - at[0]) > still).any(axis=1)) > 0
    for n in np.flatnonzero(moved_by_then & (times > touch) & (waits < len(times))):
        if (np.ptp(at[n : waits[n] + 1], axis=0) <= still).all():
            return float(times[n])
    return None
