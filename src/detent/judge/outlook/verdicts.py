"""What ends a pattern: a limit, a new contact, or what drives it running down."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from detent.judge.outlook.ahead.contacts import NewContact, contacts_ahead, drifted_motion
from detent.judge.outlook.ahead.meeting import Encounter, PassedBy, pass_by, touch_time
from detent.judge.outlook.ahead.slides import guide_left, outline_change
from detent.judge.outlook.life.ending import departure
from detent.judge.outlook.life.lasting import Life
from detent.judge.outlook.life.steady import left_out_of_creeping, steady_words
from detent.judge.outlook.patterns.cycles import SETTLE, SPENT, Cycles, settled
from detent.judge.outlook.patterns.finding import touched_pairs
from detent.judge.outlook.patterns.springs import SLACK, joint_values, tension_left
from detent.judge.outlook.told.answering import Told
from detent.judge.outlook.told.telling import by_joint
from detent.record.outlook import ValidUntil

if TYPE_CHECKING:
    from detent.judge.outlook.ahead.motion import PatternMotion
    from detent.judge.outlook.patterns.simulating import MachineState, SimulatedCourse

_BUT_FOR, _BUT_FOR_SHARE = 2, 0.02  # patterns, or of the last one
_MOST_SUSPECTS = 6  # pairs that look as if they met, and do not
_FAR = 6  # patterns: to a new contact farther ahead than this, gradual effects are measured halfway


@dataclass(frozen=True)
class Ending:
    """The last pattern, counted from the base, and the state from which on something else happens, if any."""

    last: float
    after: MachineState | None = None
    shown: tuple[SimulatedCourse, float] | None = None  # that has the last pattern, and when it is over there
    over: float = 0.0  # [s] when it is over, in the time of the state


@dataclass(frozen=True)
class Suspect:
    """A pattern, counted from the base, in which a slide or a turning part may come to an end, and why."""

    pattern: int
    cause: Literal["contact", "limit"]
    between: tuple[str, ...]
    what: str


@dataclass(frozen=True)
class CarriedOn:
    """What becomes of parts that each pattern carries on: what ends it, or what is not known."""

    suspect: Suspect | None = None
    passing: PassedBy | None = None  # None: it is not simulated, the joint would hold it for ever
    unknown: str = ""


def limit_ahead(cycles: Cycles) -> Suspect | None:
    """The pattern in which a joint that goes on comes to a limit."""
    tree = cycles.tree
    now, then = (joint_values(tree, y) for y in (cycles.base.at[-1], cycles.base.at[-1] + cycles.net))
    first: Suspect | None = None
    for stop in cycles.simulator.prepared.actions.stops:
        k = tree.coordinates.index(stop.joint.name) if stop.joint.name in tree.coordinates else -1
        if k < 0 or abs(then[k] - now[k]) < 1e-9:
            continue
        after = float((stop.end - now[k]) / (then[k] - now[k]))
        if after > 0 and (first is None or after < first.pattern):
            name = stop.joint.name
            first = Suspect(math.floor(after) + 1, "limit", (name,), f"{name} comes to its limit")
    return first


def carried_on(told: Told, cycles: Cycles, motion: PatternMotion, most: float) -> CarriedOn:
    """The end of parts that each pattern carries on, within so many: a limit, a last tooth, the guide's end.

    Each is simulated where it may come, and may not end the pattern; the next one is then asked for.
    """
    guide = guide_left(motion)
    limit = limit_ahead(cycles)
    first = 1
    for _ in range(_MOST_SUSPECTS):
        reach = min(most, guide[0], math.inf if limit is None else limit.pattern)
        change = outline_change(motion, first, reach)
        found = limit
        if change is not None and (limit is None or change.pattern <= limit.pattern):
            found = Suspect(change.pattern, "contact", change.parts, change.what)
        if found is None or found.pattern > min(most, guide[0]):
            break
        if found.pattern > _FAR and cycles.springs() and cycles.may(SETTLE):
            settled(cycles, cycles.clear(float(found.pattern // 2)), "halfway to an end")
        passing = pass_by(cycles, found.pattern, f"{found.what}")
        if passing is None:
            return CarriedOn(unknown=f"{found.what} in pattern {told.before + found.pattern}, and {SPENT}")
        if passing.regular.why:
            # The last of them have forgotten how they were begun: that is how the pattern is by then.
            cycles.known |= {each.number: each for each in passing.regular.cycles[SETTLE - 1 :]}
            return CarriedOn(found, passing)
        told.say(f"{found.what}, and the pattern goes on, in pattern", told.before + found.pattern)
        first = found.pattern + 1
    else:
        return CarriedOn(unknown="outlines change again and again")
    if guide[0] <= most:
        what = f"{guide[1][1]} leaves its guide in {guide[1][0]}"
        return CarriedOn(Suspect(math.floor(guide[0]) + 1, "limit", guide[1], what))
    return CarriedOn()


def ends_carried_on(told: Told, cycles: Cycles, end: CarriedOn, fields: dict[str, object]) -> Ending:
    """A part that each pattern carries on comes to its end."""
    suspect, passing = end.suspect, end.passing
    assert suspect is not None
    told.verdict = "ends"
    if passing is None:
        last, after, shown, cause = float(suspect.pattern - 1), None, None, suspect.cause
        time, what = cycles.time_at(last), suspect.what
    else:
        found = passing.regular
        last, time = passing.begins + len(found.cycles), 0.0
        time = cycles.time_at(passing.begins) + found.until - found.course.begin
        after = replace(found.course.state_at(found.until), time=time)
        shown = found.course, found.until
        what, cause = suspect.what, suspect.cause
    told.reason = f"{what}, in pattern {told.before + int(last) + 1}"
    told.say(f"{what}: {passing.regular.why}") if passing is not None else None
    count = told.before + int(last)
    fields["valid_until"] = ValidUntil(
        patterns=count, time=time, cause=cause, interval=(count, count), between=suspect.between, what=what,
        state=by_joint(told.found.course, cycles.predicted(last).at if after is None else after.at),
    )  # fmt: skip
    return Ending(last, after, shown, 0.0 if after is None else after.time)


def contacts_after_drift(cycles: Cycles, met: set[int], last: float) -> list[NewContact]:
    """Of pairs that do not meet along the first pattern: contacts along patterns measured later."""
    found: list[NewContact] = []
    for number in sorted(cycles.shown):
        motion = drifted_motion(cycles, number)
        ahead = contacts_ahead(motion, cycles.shown[number][0].begin, last)
        known = met | {contact.pair for contact in found}
        found += [contact for contact in ahead.contacts if contact.pair not in known]
    return sorted(found, key=lambda contact: (contact.pattern, contact.after))


def touching_later(cycles: Cycles, course: SimulatedCourse) -> dict[str, float]:
    """Pairs that touch in a pattern measured later, not in the first ones; by the number of that pattern."""
    pattern, possible = cycles.pattern, course.first.possible
    usual = touched_pairs(course, pattern.since, pattern.begin + pattern.duration)
    later: dict[str, float] = {}
    for number, (shown, begin, lasts) in sorted(cycles.shown.items()):
        for pair in touched_pairs(shown, begin, begin + lasts) - usual:
            names = [cycles.tree.system.bodies[int(body)].name for body in possible.pairs[pair]]
            later.setdefault(":".join(names), number)
    return later


def ends_by_contact(told: Told, cycles: Cycles, meeting: Encounter, fields: dict[str, object]) -> Ending:
    """The valid region ends at a new contact."""
    assert meeting.event is not None
    assert meeting.course is not None
    course, event, before = meeting.course, meeting.event, told.before
    time = touch_time(cycles, meeting)
    last = meeting.begins + (meeting.before if meeting.other else meeting.regular)
    contact = (event.after or ("",))[0]
    told.verdict = "ends"
    told.reason = f"{event.subjects[0]} and {event.subjects[1]} meet in pattern {before + int(last) + 1}"
    told.reason += f"; {meeting.why}" if meeting.other else ""
    state = course.state_at(event.time)
    fields["valid_until"] = ValidUntil(
        patterns=before + int(last), time=time, cause="contact",
        interval=(before + int(last), before + int(last)), between=event.subjects, what=contact,
        state=by_joint(course, state.at),
    )  # fmt: skip
    mark = course.begin + sum(cycle.duration for cycle in meeting.cycles if cycle.number <= last)
    return Ending(last, replace(state, time=time), over=time - (event.time - mark))


def lives(told: Told, cycles: Cycles, life: Life, until: float, fields: dict[str, object]) -> Ending:
    """What gradual effects make of the pattern."""
    before = told.before
    if life.steady:
        told.verdict = "repeats"
        told.reason = steady_words(told, cycles, life)
        told.left_out += left_out_of_creeping(cycles)
        told.say("steady after patterns", life.lasts)
        return Ending(math.inf)
    if not life.springs or life.fails is None:
        told.reason = life.undecided or "no spring runs down, and the pattern changes"
        return Ending(life.lasts)
    spring = min(life.springs, key=lambda each: each.slack_after)
    begun = cycles.course.state_at(cycles.course.begin).at
    left = max(tension_left(cycles.tree, begun, spring, life.lasts), 0.0)
    told.say(f"of the tension of {spring.joint} is left after the last pattern known", left)
    if life.half is not None:
        told.say("half of the energy is gone after pattern", before + int(life.half))
    if life.undecided:
        told.reason = life.undecided
        return Ending(life.lasts)
    if life.horizon is not None:
        told.verdict, told.reason = (
            "repeats",
            "up to the horizon asked about; what ends it was not looked for",
        )
        fields["valid_until"] = ValidUntil(
            patterns=before + int(life.horizon), time=until, cause="horizon",
            interval=(before + int(life.horizon), before + int(life.horizon)),
            state=by_joint(told.found.course, cycles.predicted(life.horizon).at),
        )  # fmt: skip
        return Ending(life.horizon)
    what, after = "", None
    between: tuple[str, ...] = ()
    if life.end is not None:
        gone = departure(life.end, cycles, told.found.course, life.over_at)
        if gone is not None:
            what, between = gone.what, gone.between
        if life.exact:
            after = replace(life.end.state_at(life.over_at), time=cycles.time_at(life.lasts))
    but_for = max(_BUT_FOR, math.ceil(_BUT_FOR_SHARE * life.lasts))
    slack = spring.share_at(life.lasts) <= SLACK
    # Of a later regime the tension that its own begin has, which is not the machine's.
    of = f"of the tension of {spring.joint}" + (" at its begin" if told.found.course.begin > 0.0 else "")
    if slack:
        told.verdict, told.reason = "repeats", f"until the spring of {spring.joint} is slack"
    elif life.exact:
        told.verdict = "ends"
        told.reason = f"until {what or life.why}, with {100 * left:.3g} % {of} left"
    else:
        why = SPENT if life.spent else (life.why or "what lies between was not simulated")
        told.reason = (
            f"it repeats up to pattern {before + int(life.lasts)} at least, with {100 * left:.3g} % {of}"
            f" left; what follows is open: {why}"
        )
    fields["valid_until"] = ValidUntil(
        patterns=before + int(life.lasts), time=cycles.time_at(life.lasts),
        cause="slack" if slack else (_cause(cycles, between) if life.exact else "open"),
        # Simulated through from a restart it is right but for a few patterns: near the end each is a little
        # less like the one before, and minima of the energy are marks or not.
        interval=(
            before + int(life.lasts - (but_for if life.exact else 0)),
            before + int(life.lasts + but_for if life.exact else life.fails),
        ),
        between=tuple(between), what=what or life.why,
        state=by_joint(told.found.course, cycles.predicted(life.lasts).at),
    )  # fmt: skip
    over = 0.0 if after is None else after.time
    return Ending(life.lasts, after, None if life.end is None else (life.end, life.over_at), over)


def _cause(cycles: Cycles, between: tuple[str, ...]) -> Literal["contact", "changes"]:
    """Of an end that was simulated: a contact, unless nothing touches anything."""
    course = cycles.course
    touch = between or touched_pairs(course, course.begin, course.end)
    return "contact" if touch else "changes"
