"""What ends a pattern: a limit, a new contact, or what drives it running down."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from detent.judge.outlook.ahead.meeting import Encounter, meet
from detent.judge.outlook.life.ending import departure
from detent.judge.outlook.life.lasting import Life
from detent.judge.outlook.patterns.cycles import Cycles, settled
from detent.judge.outlook.told.answering import Told
from detent.judge.outlook.told.telling import by_joint
from detent.record.outlook import Superimposed, ValidUntil

if TYPE_CHECKING:
    pass

# Of the tension at first: less is slack, a pattern that ends there has lasted as long as its spring drove it.
SLACK = 0.1
_BUT_FOR = 2  # patterns
_MOST_SUSPECTS = 6  # pairs that look as if they met, and do not


def limit_ahead(cycles: Cycles, course: object) -> tuple[float, str]:
    """After how many patterns a joint that goes on comes to a limit, and which."""
    from detent.judge.outlook.patterns.cycles import joint_values

    tree = cycles.tree
    now, then = (joint_values(tree, y) for y in (cycles.base.at[-1], cycles.base.at[-1] + cycles.net))
    first = (math.inf, "")
    for stop in cycles.simulator.prepared.actions.stops:
        k = tree.coordinates.index(stop.joint.name) if stop.joint.name in tree.coordinates else -1
        if k < 0 or abs(then[k] - now[k]) < 1e-9:
            continue
        after = float((stop.end - now[k]) / (then[k] - now[k]))
        if after > 0 and after < first[0]:
            first = (after, stop.joint.name)
    return first


def meetings(
    told: Told, cycles: Cycles, contacts: Sequence[object]
) -> tuple[tuple[Superimposed, ...], Encounter | None]:
    """New contacts in their order: processes on top of the pattern, up to the first that ends it."""
    from detent.judge.outlook.ahead.contacts import NewContact, period_of

    course, superimposed = told.found.course, list[Superimposed]()
    for contact in list(contacts)[:_MOST_SUSPECTS]:
        assert isinstance(contact, NewContact)
        settled(
            cycles, float(contact.pattern // 2), "halfway to a new contact"
        ) if contact.pattern > 6 else None
        meeting = meet(cycles, contact)
        names = f"{contact.parts[0]} and {contact.parts[1]}"
        if meeting.event is None:
            told.say(f"{names} come near, and do not touch, in pattern", contact.pattern)
            continue
        if not meeting.goes_on:
            told.say(f"{names} touch, and the pattern does not go on: {meeting.why}")
            return tuple(superimposed), meeting
        if not meeting.moved:
            told.say(f"{names} touch, and the pattern goes on")
            continue
        period = period_of(course, cycles, contact)
        shift = cycles.time_at(meeting.begins) - meeting.course.begin
        begins = meeting.event.time + shift
        lasts = cycles.time_at(period) - cycles.time_at(0.0) if math.isfinite(period) else 0.0
        earlier = [
            event.time
            for event in course.events()
            if set(event.subjects) == set(contact.parts) and event.kind in ("contact", "impact")
        ]
        superimposed.append(
            Superimposed(
                between=contact.parts, period_patterns=int(period), period=lasts,
                duration=meeting.over - meeting.event.time, first=min([begins, *earlier]),
                joints=tuple(cycles.names[k] for k in meeting.moved),
                change={cycles.names[k]: c for k, c in zip(meeting.moved, meeting.change, strict=True)},
            )
        )  # fmt: skip
        length = math.ceil((meeting.over - meeting.event.time) / cycles.base.duration) + 1.0
        cycles.processes.append((contact.pattern - 1.0, length, float(period)))
        told.say(f"{names} touch; the pattern went on undisturbed for patterns", meeting.regular)
    return tuple(superimposed), None


def ends_by_contact(
    told: Told, cycles: Cycles, before: int, meeting: Encounter, fields: dict[str, object]
) -> float:
    """The valid region ends at a new contact."""
    assert meeting.event is not None
    course, event = meeting.course, meeting.event
    shift = cycles.time_at(meeting.begins) - course.begin
    last = meeting.begins + meeting.regular
    contact = (event.after or ("",))[0]
    told.verdict = "ends"
    told.reason = f"{event.subjects[0]} and {event.subjects[1]} meet in pattern {before + int(last) + 1}"
    from detent.judge.outlook.patterns.rest import rest_of

    for _ in range(6):
        if rest_of(course) is not None or not course.goes_on:
            break
        course.go_on(course.end - course.begin)
    rest = rest_of(course)
    fields["valid_until"] = ValidUntil(
        patterns=before + int(last), time=event.time + shift, cause="contact",
        interval=(before + int(last), before + int(last)), between=event.subjects, what=contact,
        state=by_joint(course, course.state_at(event.time).at),
        then="" if rest is None else f"at rest since {rest.since + shift:.6g}",
    )  # fmt: skip
    return last


def lives(told: Told, cycles: Cycles, before: int, life: Life, fields: dict[str, object]) -> float:
    """What gradual effects make of the pattern."""
    if life.steady:
        told.verdict = "repeats"
        told.reason = "nothing changes from pattern to pattern, and nothing that drives it runs down"
        told.say("steady after patterns", life.lasts)
        return math.inf
    if not life.springs or life.fails is None:
        told.reason = life.undecided or "no spring runs down, and the pattern changes"
        return life.lasts
    spring = min(life.springs, key=lambda each: each.slack_after)
    left = max(spring.share_at(life.lasts), 0.0)
    told.say(f"of the tension of {spring.joint} is left after the last pattern known", left)
    if life.half is not None:
        told.say("half of the energy is gone after pattern", before + int(life.half))
    if life.undecided:
        told.reason = life.undecided
        return life.lasts
    what, then = "", ""
    between: tuple[str, ...] = ()
    if life.end is not None:
        gone = departure(life.end, cycles, told.found.course, life.over_at)
        shift = cycles.time_at(life.lasts) - life.over_at
        if gone is not None:
            what, between = gone.what, gone.between
        if life.rest is not None:
            then = f"at rest since {life.rest.since + shift:.6g}"
            told.say("then at rest since", life.rest.since + shift)
        else:
            told.say("what follows was simulated, and does not come to rest, up to", life.end.end + shift)
    slack = left <= SLACK
    told.verdict = "repeats" if slack or not life.exact else "ends"
    told.reason = (
        f"until the spring of {spring.joint} is slack"
        if slack
        else f"until {what or life.why}, with {100 * left:.3g} % of the tension of {spring.joint} left"
    )
    if not life.exact and not slack:
        told.reason = f"at least so long; the spring of {spring.joint} is slack after it"
    fields["valid_until"] = ValidUntil(
        patterns=before + int(life.lasts), time=cycles.time_at(life.lasts),
        cause="slack" if slack else ("contact" if life.exact else "open"),
        # Simulated through from a restart it is right but for a pattern or two: near the end each is a little
        # less like the one before, and marks may fall on either side.
        interval=(
            before + int(life.lasts) - (_BUT_FOR if life.exact else 0),
            before + int(life.lasts + _BUT_FOR if life.exact else life.fails),
        ),
        between=tuple(between), what=what or life.why,
        state=by_joint(told.found.course, cycles.predicted(life.lasts).at), then=then,
    )  # fmt: skip
    return life.lasts
