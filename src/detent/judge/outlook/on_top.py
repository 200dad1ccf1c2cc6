"""What new contacts do, one meeting after the other: processes on top of the pattern, or its end.

Parts that come round meet again, and within one round perhaps more than once: a wheel with two pegs, or one
that stands as before only after several turns. Each meeting of a round is simulated, and is a process of its
own; all of them come again after the same number of patterns.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np
from msgspec import structs

from detent.judge.outlook.ahead.contacts import (
    NewContact,
    base_motion,
    contacts_ahead,
    drifted_motion,
    next_contact,
    period_of,
)
from detent.judge.outlook.ahead.meeting import Encounter, comes_again, meet, touch_time
from detent.judge.outlook.patterns.cycles import SETTLE, SPENT, Cycles, settled
from detent.judge.outlook.patterns.hypotheses import STILL
from detent.judge.outlook.patterns.on_top import OnTop, body_named, moved_by
from detent.judge.outlook.told.answering import Told
from detent.record.outlook import Superimposed

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detent.judge.outlook.ahead.motion import PatternMotion

    Floats = NDArray[np.float64]

_MOST_PAIRS = 6  # pairs that look as if they met, and are simulated
_MOST_AGAIN = 40  # further meetings within a round
# Patterns that may be simulated besides for each of them, where no number is asked for.
_AGAIN_TAKES = 12.0
_FAR = 6  # patterns: to a new contact farther ahead than this, gradual effects are measured halfway


@dataclass
class Met:
    """What new contacts do: processes on top of the pattern, the one that ends it, and what is not known."""

    superimposed: list[Superimposed] = field(default_factory=list)
    ends: Encounter | None = None
    unknown: str = ""


@dataclass
class _Rounds:
    """Contacts still to be simulated, in their order; by pair the last pattern of a round."""

    told: Told
    cycles: Cycles
    most: float
    waiting: list[NewContact]
    period: dict[int, float] = field(default_factory=dict)
    last: dict[int, float] = field(default_factory=dict)
    simulated: set[int] = field(default_factory=set)
    halfway: set[int] = field(default_factory=set)
    again: int = 0

    def next(self) -> NewContact:
        """The first one; one that is far ahead is looked for again halfway, where gradual effects are
        measured."""
        contact = self.waiting.pop(0)
        if contact.pattern <= _FAR or contact.pair in self.halfway or not self.cycles.may(SETTLE):
            return contact
        self.halfway.add(contact.pair)
        cycles = self.cycles
        found = settled(cycles, cycles.clear(float(contact.pattern // 2)), "halfway to a new contact")
        if found.why:
            return contact
        number = found.cycles[-1].number
        again = contacts_ahead(drifted_motion(cycles, number), found.course.begin, self.most).contacts
        seen = {each.pair: each for each in again if each.pair not in self.simulated}
        self.add(contact, *(each for pair, each in seen.items() if not self._waits_for(pair, contact)))
        self.waiting = [seen.get(each.pair, each) for each in self.waiting]
        self.add()
        now = next(each for each in self.waiting if each.pair == contact.pair)
        if now != contact:
            names = " and ".join(contact.parts)
            said = f"halfway to it, {names} are seen to meet otherwise, in pattern"
            self.told.say(said, self.told.before + now.pattern)
        return self.next()

    def _waits_for(self, pair: int, contact: NewContact) -> bool:
        return any(each.pair == pair for each in (*self.waiting, contact))

    def add(self, *contacts: NewContact) -> None:
        self.waiting = sorted([*self.waiting, *contacts], key=lambda each: (each.pattern, each.after))

    def too_many(self, contact: NewContact) -> str:
        """Why no more are simulated, if so."""
        if contact.pair not in self.simulated:
            if len(self.simulated) >= _MOST_PAIRS:
                return f"more than {_MOST_PAIRS} pairs come near each other ahead, and not all were simulated"
        elif self.again >= _MOST_AGAIN:
            names = " and ".join(contact.parts)
            return f"{names} meet many times before they stand as at first, and not all were simulated"
        return ""

    def begin(self, contact: NewContact) -> None:
        """Counts one that is simulated now."""
        cycles = self.cycles
        if contact.pair in self.simulated:
            self.again += 1
            cycles.most += _AGAIN_TAKES if cycles.may_add else 0.0
            return
        self.simulated.add(contact.pair)
        period = period_of(self.told.found.course, cycles, contact)
        self.period[contact.pair] = period
        self.last[contact.pair] = min(contact.pattern - 1 + period, self.most)

    def look_on(self, contact: NewContact, over: int) -> None:
        """The next meeting of the same parts in this round, after a pattern in which one was over."""
        number = max((n for n in self.cycles.shown if n <= over), default=None)
        course = self.told.found.course
        motion: PatternMotion = (
            base_motion(course, self.cycles) if number is None else drifted_motion(self.cycles, number)
        )
        found = next_contact(motion, contact, over, self.last[contact.pair])
        if found is not None:
            self.add(found)


def meetings(told: Told, cycles: Cycles, contacts: Sequence[NewContact], most: float) -> Met:
    """New contacts in their order: processes on top of the pattern, up to the first that ends it."""
    met, rounds = Met(), _Rounds(told, cycles, most, list(contacts))
    while rounds.waiting:
        contact = rounds.next()
        names = f"{contact.parts[0]} and {contact.parts[1]}"
        met.unknown = rounds.too_many(contact)
        if met.unknown:
            return met
        rounds.begin(contact)
        meeting = meet(cycles, contact)
        if meeting.why == SPENT:
            met.unknown = f"{names} come near in pattern {contact.pattern} past the first ones, and {SPENT}"
            return met
        if meeting.event is None:
            told.say(f"{names} come near, and do not touch, in pattern", told.before + contact.pattern)
            rounds.look_on(contact, contact.pattern)
            continue
        if not meeting.goes_on:
            told.say(f"{names} touch, and the pattern does not go on: {meeting.why}")
            met.ends = meeting
            return met
        if not meeting.moved:
            told.say(f"{names} touch, and the pattern goes on")
            rounds.look_on(contact, contact.pattern)
            continue
        again_alike = comes_again(cycles, meeting, rounds.period[contact.pair])
        if again_alike is None:
            met.unknown = f"{names} touch, whether they do so again is not known: {SPENT}"
            return met
        if not again_alike:
            moved = ", ".join(cycles.names[k] for k in meeting.moved)
            told.say(f"{names} touch, and leave {moved} elsewhere: they do not do so again alike")
            met.ends = replace(meeting, goes_on=False, other=True, why=f"{moved} is left elsewhere")
            return met
        process, over = _process(told, cycles, meeting, rounds.period[contact.pair])
        met.superimposed.append(process)
        told.say(f"{names} touch; the pattern went on undisturbed for patterns", meeting.regular)
        rounds.look_on(contact, over)
    return met


def _process(told: Told, cycles: Cycles, meeting: Encounter, period: float) -> tuple[Superimposed, int]:
    """A process on top of the pattern, and the pattern in which it is over; nothing is restarted within one
    from now on."""
    contact, event = meeting.contact, meeting.event
    assert event is not None
    begins = touch_time(cycles, meeting)
    earlier = _earlier(told, cycles, meeting, period)
    length = math.ceil((meeting.over - event.time) / cycles.base.duration) + 1.0
    change = dict(zip(meeting.moved, meeting.change, strict=True))
    cycles.processes.append(OnTop(contact.pattern - 1.0, length, period, change))
    # The time from one to the next: where rounds before were seen, theirs; else it is asked for later.
    first, rounds = earlier or (begins, 0)
    process = Superimposed(
        between=contact.parts, period_patterns=int(period) if math.isfinite(period) else None,
        period=(begins - first) / rounds if rounds else None, duration=meeting.over - event.time, first=first,
        joints=tuple(cycles.names[k] for k in meeting.moved),
        change={cycles.names[k]: c for k, c in change.items()},
    )  # fmt: skip
    over = contact.pattern + math.floor((contact.after + process.duration) / cycles.base.duration)
    return process, over


def _earlier(told: Told, cycles: Cycles, meeting: Encounter, period: float) -> tuple[float, int] | None:
    """When the same parts touched first in what was simulated from the start, and how many rounds before."""
    assert meeting.course is not None
    assert meeting.event is not None
    if not math.isfinite(period):
        return None
    course = told.found.course
    touches = cycles.number_of(meeting.course.state_at(meeting.event.time))
    for event in course.events():
        if set(event.subjects) == set(meeting.contact.parts) and event.kind in ("contact", "impact"):
            before = (touches - cycles.number_of(course.state_at(event.time))) / period
            if abs(before - round(before)) * period <= _ALIKE and round(before) > 0:
                return event.time, round(before)
    return None


def within_life(found: Sequence[Superimposed], cycles: Cycles, last: float) -> tuple[Superimposed, ...]:
    """Processes that begin up to the last pattern, in their order; with what is known of durations by now,
    how long it is from the first of each to the second, where that comes too."""
    told = []
    for each, process in zip(found, cycles.processes, strict=True):
        begin, again = process.begin, process.begin + process.period
        if each.period is None and again <= last and math.isfinite(again):
            each = structs.replace(each, period=cycles.time_at(again) - cycles.time_at(begin))
        if begin <= last or each.period is not None:
            told.append(each)
    return tuple(sorted(told, key=lambda each: each.first))


def seen_at_first(told: Told, cycles: Cycles, found: tuple[Superimposed, ...]) -> tuple[Superimposed, ...]:
    """Processes that were seen before the pattern was confirmed, and that do not come again in its life."""
    course, base = told.found.course, cycles.base
    motion, ranges = base_motion(course, cycles), course.ranges()
    still = STILL * cycles.scales
    seen = list(found)
    for k in np.flatnonzero(cycles.resting):
        away = np.abs(ranges.at[:, k] - base.at[-1, k]) > still[k]
        bodies = {
            cycles.tree.system.bodies[body].name
            for body in moved_by(cycles.tree, base.at[-1], int(k), 1e-3 * cycles.scales[k])
        }
        for begin, end in _intervals(ranges.times, away, base.duration):
            touches = [
                event
                for event in course.events()
                if begin - base.duration <= event.time <= end
                and event.kind in ("contact", "impact")
                and len(event.subjects) == 2
                and bodies & set(event.subjects)
                and _others_carried(cycles, motion, event.subjects, bodies)
            ]
            if not touches:
                continue
            first, lasts = touches[0], end - touches[0].time
            known = [each for each in seen if set(each.between) == set(first.subjects)]
            if any(_is_one_of(each, first.time, lasts) for each in known):
                continue
            period = motion.period([body_named(cycles.tree, name) for name in first.subjects])
            name = cycles.names[k]
            process = Superimposed(
                between=(first.subjects[0], first.subjects[1]),
                period_patterns=int(period) if math.isfinite(period) else None, period=None,
                duration=lasts, first=first.time, joints=(name,), change={name: 0.0},
            )  # fmt: skip
            seen.append(process)
    return tuple(sorted(seen, key=lambda each: each.first))


def _intervals(times: Floats, away: NDArray[np.bool_], pause: float) -> list[tuple[float, float]]:
    """From when to when it is away, and came back: shorter pauses apart."""
    found = list[tuple[float, float]]()
    for first in np.flatnonzero(away[1:] & ~away[:-1]):
        back = np.flatnonzero(~away[first + 1 :])
        if not len(back):
            break
        begin, end = float(times[first]), float(times[first + 1 + back[0]])
        if found and begin - found[-1][1] < pause:
            begin = found.pop()[0]
        found.append((begin, end))
    return found


def _others_carried(cycles: Cycles, motion: PatternMotion, subjects: Sequence[str], bodies: set[str]) -> bool:
    """Whether each pattern carries on what touches a part that otherwise rests."""
    others = [body_named(cycles.tree, name) for name in subjects if name not in bodies]
    return len(others) == 1 and motion.moves(others[0])


def _is_one_of(process: Superimposed, time: float, lasts: float) -> bool:
    """Whether a touch belongs to a process that is known."""
    rounds = 0 if process.period is None else round((time - process.first) / process.period)
    return abs(time - process.first - rounds * (process.period or 0.0)) <= max(process.duration, lasts)


# Of a pattern: touches that come as much sooner or later are those of one process.
_ALIKE = 0.75
