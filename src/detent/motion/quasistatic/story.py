"""From exact runs to the record: times, angles, certificates, contacts."""

from __future__ import annotations

from fractions import Fraction

from msgspec import UNSET

from detent.motion.quasistatic.fastener import Fastener, Pawl
from detent.motion.quasistatic.loads import leg_force
from detent.motion.quasistatic.pawl import Happening, Story
from detent.motion.quasistatic.plan import LegRun
from detent.motion.quasistatic.slice import Place
from detent.numeric.algebraic import Real
from detent.record.event import Certificate
from detent.record.mating import Contacts, End, Happened, LegStory

DIGITS = 30


def leg_story(fastener: Fastener, leg: LegRun) -> LegStory:
    """One leg for the record."""
    return LegStory(
        start=leg.instant(leg.line.start),
        events=_events(fastener, leg),
        end=End(
            time=leg.instant(leg.end),
            cause=leg.cause,
            coordinates={
                pawl.joint: coordinate(pawl, story.end)
                for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
                if story.end is not None
            },
            exact=certificate(leg, leg.end),
        ),
        contacts=tuple(
            entry
            for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
            for entry in _contacts(leg, pawl, story)
        ),
        force=leg_force(fastener, leg),
    )


def coordinate(pawl: Pawl, place: Place) -> float:
    """The joint's coordinate [rad] at a place."""
    return pawl.rest + pawl.sense * place.angle()


def certificate(leg: LegRun, t: Real) -> Certificate:
    """The time's minimal polynomial and an interval that holds no other root of it.

    A leg that begins at an irrational place runs on the line of the leg before,
    and is certified in that leg's time.
    """
    retraces = leg.line.ratio is not None
    value = t * leg.line.ratio if retraces else t
    low, high = value.interval()
    began = leg.began[0].rational
    return Certificate(
        polynomial=tuple(_short(int(c)) for c in value.minimal().coeffs()),
        interval=(str(low), str(high)),
        digits=value.digits(DIGITS),
        after="" if retraces else str(Fraction(int(began.p), int(began.q))) if began is not None else "",
        of="time of the leg before" if retraces else "",
    )


def _short(value: int) -> int | str:
    """JSON's integers are safe to 2^53; beyond, text."""
    return value if abs(value) <= 2**53 else str(value)


def _events(fastener: Fastener, leg: LegRun) -> tuple[Happened, ...]:
    happened = [
        (happening, pawl)
        for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
        for happening in story.happenings
    ]
    happened.sort(key=lambda entry: leg.instant(entry[0].place.t))
    return tuple(_event(leg, pawl, happening) for happening, pawl in happened)


def _event(leg: LegRun, pawl: Pawl, happening: Happening) -> Happened:
    jam = happening.kind == "jam"
    return Happened(
        time=leg.instant(happening.place.t),
        kind=happening.kind,
        joint=pawl.joint,
        coordinate=coordinate(pawl, happening.place),
        before=happening.before,
        after=happening.after,
        coordinate_after=UNSET if happening.landed is None else coordinate(pawl, happening.landed),
        touching=happening.touching if jam else UNSET,
        reason=happening.reason if jam else UNSET,
        exact=certificate(leg, happening.place.t),
    )


def _contacts(leg: LegRun, pawl: Pawl, story: Story) -> list[Contacts]:
    """Loaded contacts over time; stretches that only a reversal or a chart divides are one."""
    found: list[Contacts] = []
    for stretch in story.stretches:
        begin, end = leg.instant(stretch.begin.t), leg.instant(stretch.end.t)
        if found and found[-1].contacts == stretch.arc.names and found[-1].to == begin:
            begin = found.pop().from_
        found.append(Contacts(joint=pawl.joint, from_=begin, to=end, contacts=stretch.arc.names))
    return found
