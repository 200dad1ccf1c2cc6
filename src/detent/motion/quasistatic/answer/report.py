"""From exact runs to the record: times, angles, certificates, contacts."""

from __future__ import annotations

from collections.abc import Sequence

from detent.motion.quasistatic.answer.loads import PawlLoads, leg_force
from detent.motion.quasistatic.exact.legs import LegRun
from detent.motion.quasistatic.exact.pawl import PawlEvent, PawlRun
from detent.motion.quasistatic.machine.fasteners import Fastener, Pawl
from detent.motion.quasistatic.slice.table import SlicePoint
from detent.numeric.polynomial.algebraic import Real
from detent.numeric.rational import fraction_of
from detent.record.event import Certificate, Event, Interval, Stop
from detent.record.mating import LegStory

DIGITS = 30
ONE_INSTANT = 1e-12  # of the time: doubles nearer than this may be one instant


def leg_story(
    fastener: Fastener,
    leg: LegRun,
    *,
    events: tuple[Event, ...] | None = None,
    loads: Sequence[PawlLoads] | None = None,
) -> LegStory:
    """One leg for the record; its events and the loads of its pawls where they are known already."""
    return LegStory(
        start=leg.instant(leg.line.start),
        events=leg_events(fastener, leg) if events is None else events,
        end=leg_end(fastener, leg),
        contacts=leg_contacts(fastener, leg),
        force=leg_force(fastener, leg, loads),
    )


def leg_end(fastener: Fastener, leg: LegRun) -> Stop:
    """When and why a leg ended, and where its pawls then stood."""
    return Stop(
        time=leg.instant(leg.end),
        cause=leg.cause,
        coordinates={
            pawl.joint: coordinate(pawl, story.end)
            for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
            if story.end is not None
        },
        exact=_certificate(leg, leg.end),
    )


def leg_contacts(fastener: Fastener, leg: LegRun) -> tuple[Interval, ...]:
    """Which contacts were loaded on a leg, pawl by pawl."""
    return tuple(
        interval
        for pawl, story in zip(fastener.pawls, leg.stories, strict=True)
        for interval in _contacts(leg, pawl, story)
    )


def coordinate(pawl: Pawl, place: SlicePoint) -> float:
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
        after="" if retraces else str(fraction_of(began)) if began is not None else "",
        of="time of the leg before" if retraces else "",
    )


def _certificate(leg: LegRun, t: Real) -> Certificate | None:
    """None for a leg in doubles."""
    return certificate(leg, t) if leg.exact else None


def _short(value: int) -> int | str:
    """JSON's integers are safe to 2^53; beyond, text."""
    return value if abs(value) <= 2**53 else str(value)


def leg_events(fastener: Fastener, leg: LegRun) -> tuple[Event, ...]:
    """The events of a leg in their order: the one place where they become records."""
    happened = [
        (leg.instant(happening.place.t), k, happening)
        for k, story in enumerate(leg.stories)
        for happening in story.happenings
    ]
    happened.sort(key=lambda entry: entry[0])
    # Of one instant the pawls come in their order; rounding of doubles must not change it.
    apart = 0.0 if leg.exact else ONE_INSTANT * (1 + abs(leg.instant(leg.end)))
    instants: list[float] = []
    for time, _, _ in happened:
        instants.append(instants[-1] if instants and time - instants[-1] <= apart else time)
    order = sorted(range(len(happened)), key=lambda i: (instants[i], happened[i][1], i))
    return tuple(_event(leg, fastener.pawls[happened[i][1]], happened[i][2]) for i in order)


def _event(leg: LegRun, pawl: Pawl, happening: PawlEvent) -> Event:
    jam = happening.kind == "jam"
    return Event(
        time=leg.instant(happening.place.t),
        kind=happening.kind,
        joint=pawl.joint,
        coordinate=coordinate(pawl, happening.place),
        before=happening.before,
        after=happening.after,
        coordinate_after=None if happening.landed is None else coordinate(pawl, happening.landed),
        touching=happening.touching if jam else None,
        reason=happening.reason if jam else None,
        exact=_certificate(leg, happening.place.t),
    )


def _contacts(leg: LegRun, pawl: Pawl, story: PawlRun) -> list[Interval]:
    """Loaded contacts over time; stretches that only a reversal or a chart divides are one."""
    found: list[Interval] = []
    for stretch in story.stretches:
        begin, end = leg.instant(stretch.begin.t), leg.instant(stretch.end.t)
        if found and found[-1].contacts == stretch.arc.names and found[-1].to == begin:
            begin = found.pop().from_
        found.append(Interval(joint=pawl.joint, from_=begin, to=end, contacts=stretch.arc.names))
    return found
